"""What other processes wrote to a table, and how far it was read here."""

from __future__ import annotations

from croupier.ledger.keeper import Keeper


class Following:
    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._written = 0  # so far, as was heard

    @property
    def behind(self) -> bool:
        return self._keeper.head.sequence < self._written

    def heard(self, version: int) -> None:
        self._written = max(self._written, version)

    def ask(self) -> int:
        """How far the table has come, whatever was heard."""
        self.heard(self._keeper.written())
        return self._written

    async def catch_up(self) -> None:
        await self._keeper.catch_up(self._written)
        self._written = self._keeper.head.sequence

    def look(self) -> bool:
        """At once; whether everything was told on the way."""
        return self._keeper.look(self._written)

    async def look_aside(self) -> bool:
        """The same, read in a thread."""
        return await self._keeper.look_aside(self._written)
