"""What each entry says it moved, against what follows from its event, and against the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import MsgspecError

from croupier.ledger.accounts import CAGE, OutOfBalance, Transfer, agree
from croupier.ledger.discrepancy import Discrepancies
from croupier.ledger.entry import Entry, text
from croupier.rules.money import Cents, in_dollars

Moved = tuple[Transfer, ...]


class Money:
    """Balances carried forward from nothing by what the store says was moved."""

    def __init__(self, wrong: Discrepancies) -> None:
        self.wrong = wrong
        self.moved: Cents = 0
        self._balances: dict[str, Cents] = {}

    def see(self, entries: Sequence[Entry], derived: Sequence[Moved] | None) -> None:
        """The entries of a command; ``derived`` is what follows from each of their events, where
        they could be replayed."""
        for at, entry in enumerate(entries):
            if derived is None:
                moved = self._read(entry) or ()
            else:
                moved = derived[at]
                if entry.moved != (text(moved) if moved else ""):
                    self._differ(entry, moved)
            for each in moved:
                self._carry(entry.sequence, each)

    def compare(self, own: Mapping[str, Cents], sequence: int) -> None:
        """The accounts as carried forward, and as the table has them."""
        try:
            agree(self._balances, own)
        except OutOfBalance as said:
            self.wrong.add(sequence, str(said))
            self.carry_on(own)

    def carry_on(self, own: Mapping[str, Cents]) -> None:
        """From these balances, so that a discrepancy is told once."""
        self._balances = dict(own)

    def _read(self, entry: Entry) -> Moved | None:
        try:
            return entry.transfers()
        except (MsgspecError, TypeError) as error:  # a damaged file may hold anything
            self.wrong.add(entry.sequence, f"What was moved cannot be read: {error}.")
            return None

    def _differ(self, entry: Entry, derived: Moved) -> None:
        stored = self._read(entry)
        if stored is None:
            return
        for each in stored:
            if each not in derived:
                what = f"{each.cents!r} cents from {each.source!r} to {each.target!r}"
                self.wrong.add(entry.sequence, f"The store moves {what}, which nothing calls for.")
        for each in derived:
            if each not in stored:
                what = f"{in_dollars(each.cents)} from {each.source} to {each.target}"
                self.wrong.add(entry.sequence, f"The store does not move {what}.")
        if set(stored) == set(derived):
            sentence = "What was moved is not written as it was moved."
            self.wrong.add(entry.sequence, sentence)

    def _carry(self, sequence: int, each: Transfer) -> None:
        balances, cents = self._balances, each.cents
        if cents <= 0:
            self.wrong.add(sequence, f"{cents} cents cannot be moved.")
            return
        self.moved += cents
        left = balances[each.source] = balances.get(each.source, 0) - cents
        balances[each.target] = balances.get(each.target, 0) + cents
        if left < 0 and each.source != CAGE:
            owed = in_dollars(-left)
            self.wrong.add(sequence, f"The account {each.source} would owe {owed}.")
