"""The promised shuffles, as far as anyone can check them: each made before it is used, and kept.

This takes no key. Whether the order of a deck is the one that was promised is part of the replay.
"""

from __future__ import annotations

from croupier.law.refused import Refused
from croupier.ledger.commitment import verify
from croupier.ledger.discrepancy import Discrepancies
from croupier.ledger.records import Happening, ShuffleCommitted, ShuffleRevealed
from croupier.ledger.shuffles import Shuffles, follow
from croupier.table import events as e

LOOKED_AT = {
    ShuffleCommitted,
    ShuffleRevealed,
    e.DeckShuffled,
    e.DeckReceived,
}


class Promises:
    def __init__(self, table: str, wrong: Discrepancies) -> None:
        self.table = table
        self.wrong = wrong
        self.made = self.revealed = 0
        self._shuffles = Shuffles()
        self._open: dict[int, tuple[str, int]] = {}  # the commitment, and the entry that made it

    def see(self, happening: Happening, sequence: int) -> None:
        if type(happening) not in LOOKED_AT:
            return
        match happening:
            case ShuffleCommitted():
                self.made += 1
                if happening.shuffle != self.made:
                    self.wrong.add(sequence, f"Shuffle {self.made} should be promised here.")
                self._open[happening.shuffle] = (happening.commitment, sequence)
            case ShuffleRevealed():
                self._reveal(happening, sequence)
            case e.DeckShuffled() | e.DeckReceived(preshuffled=True):
                promised = self._shuffles.promised  # none where real devices shuffle
                if promised and promised.used:
                    self.wrong.add(sequence, "This shuffle was not promised before.")
        self._shuffles = follow(self._shuffles, self.table, happening)

    def _reveal(self, revealed: ShuffleRevealed, sequence: int) -> None:
        number = revealed.shuffle
        self.revealed += 1
        commitment, _ = self._open.pop(number, ("", 0))
        if not commitment:
            self.wrong.add(sequence, f"Shuffle {number} is revealed, but no such promise is open.")
            return
        try:
            kept = verify(commitment, bytes.fromhex(revealed.seed), self.table, number)
        except (ValueError, Refused):
            kept = False
        if not kept:
            self.wrong.add(sequence, f"The seed of shuffle {number} is not the one promised.")

    @property
    def outstanding(self) -> int:
        return len(self._open)

    def end(self) -> None:
        """Only the next shuffle and those of decks on the table may be unrevealed."""
        promised, lying = self._shuffles.promised, self._shuffles.lying.values()
        due = {each.number for each in (promised, *lying) if each}
        for number, (_, sequence) in self._open.items():
            if number not in due:
                self.wrong.add(sequence, f"Shuffle {number} was never revealed.")
