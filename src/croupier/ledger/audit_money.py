"""The stored movements against those that follow from the events, and against the table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from croupier.ledger.accounts import CAGE, OutOfBalance, agree
from croupier.ledger.discrepancy import Discrepancies
from croupier.ledger.store import Movement
from croupier.rules.money import Cents, in_dollars


class Money:
    """Balances carried forward from nothing by what the store says was moved."""

    def __init__(self, stored: Iterable[Movement], wrong: Discrepancies) -> None:
        self.wrong = wrong
        self.moved: Cents = 0
        self._balances: dict[str, Cents] = {}
        self._stored = iter(stored)
        self._next = next(self._stored, None)

    def see(self, last: int, derived: list[Movement] | None) -> None:
        """The movements of a command that ends with this entry; ``derived`` are those that follow
        from its events, where they could be replayed."""
        stored: list[Movement] = []
        while (each := self._next) and isinstance(each.sequence, int) and each.sequence <= last:
            stored.append(each)
            self._next = next(self._stored, None)
        if derived is not None and stored != derived:
            self._differ(stored, derived)
            stored = derived
        for each in stored:
            self._carry(each)

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

    def end(self) -> None:
        if self._next:
            sentence = "Money was moved by an entry that is not there."
            self.wrong.add(self._next.sequence, sentence)

    def _differ(self, stored: list[Movement], derived: list[Movement]) -> None:
        for each in stored:
            if each not in derived:
                what = f"{each.cents!r} cents from {each.source!r} to {each.target!r}"
                self.wrong.add(each.sequence, f"The store moves {what}, which nothing calls for.")
        for each in derived:
            if each not in stored:
                what = f"{in_dollars(each.cents)} from {each.source} to {each.target}"
                self.wrong.add(each.sequence, f"The store does not move {what}.")

    def _carry(self, each: Movement) -> None:
        balances, cents = self._balances, each.cents
        if not isinstance(cents, int) or cents <= 0:
            self.wrong.add(each.sequence, f"{cents!r} cents cannot be moved.")
            return
        self.moved += cents
        left = balances[each.source] = balances.get(each.source, 0) - cents
        balances[each.target] = balances.get(each.target, 0) + cents
        if left < 0 and each.source != CAGE:
            owed = in_dollars(-left)
            self.wrong.add(each.sequence, f"The account {each.source} would owe {owed}.")
