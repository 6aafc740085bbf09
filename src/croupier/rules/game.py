"""What every game declares about itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from typing import Any

from croupier.cards.ranking import Strength
from croupier.law.clause import Clause, Rulebook
from croupier.rules.limits import PayoutLimit
from croupier.rules.money import Cents
from croupier.rules.paytable import Printed
from croupier.rules.settlement import Settlement, lost, pushed, won
from croupier.rules.stage import Dealing, Settle, Stage
from croupier.rules.terms import Terms
from croupier.rules.wager import Wager


class Versus(IntEnum):
    """A hand against the dealer's."""

    LOWER = -1
    EQUAL = 0
    HIGHER = 1

    @classmethod
    def of(cls, mine: Strength, dealers: Strength) -> Versus:
        if mine > dealers:
            return cls.HIGHER
        return cls.LOWER if mine < dealers else cls.EQUAL


@dataclass(frozen=True)
class Comparison:
    """What becomes of an even-money wager by comparing two hands, and the clauses that say so."""

    lower: Clause
    equal: Clause
    higher: Clause
    cards: str = "hand"  # what is compared: "hand", or "three cards"

    def settle(self, wager: Wager, amount: Cents, versus: Versus) -> Settlement:
        if versus is Versus.LOWER:
            return lost(wager, amount, self.lower, self.below)
        if versus is Versus.EQUAL:
            return pushed(wager, amount, self.equal, self.tied)
        return won(wager, amount, self.higher, self.above)

    @cached_property
    def below(self) -> str:
        return f"The player's {self.cards} {self._rank} below the dealer's"

    @cached_property
    def above(self) -> str:
        return f"The player's {self.cards} {self._rank} above the dealer's"

    @cached_property
    def tied(self) -> str:
        return f"The {self.cards}{'s' if self.cards == 'hand' else ''} are equal in rank"

    @cached_property
    def _rank(self) -> str:
        return "ranks" if self.cards == "hand" else "rank"


@dataclass(frozen=True, slots=True)
class Multiples:
    """How often the base wager another wager may be. ``choices`` are what the law allows; where
    ``house_picks``, a house settles on one of them, else players have them all."""

    of: str
    choices: tuple[int, ...]
    cite: Clause
    house_picks: bool = False


@dataclass(frozen=True, slots=True)
class Game:
    id: str
    alias: str
    title: str
    books: tuple[Rulebook, ...]  # the first is the default
    wagers: tuple[Wager, ...]
    multiples: Mapping[str, Multiples]
    tables: Mapping[str, Printed]
    round: tuple[Stage, ...]
    cards_each: int  # to a player
    cards_beside: int  # to dealer and community, burned ones included
    payout_limits: Callable[[Terms, Cents | None], tuple[PayoutLimit, ...]]
    least_payout_limit: Callable[[Terms], tuple[Cents, Clause] | None]
    settle: Callable[..., Any]
    procedures: Mapping[str, Dealing]  # the dealing procedures, by the house file's word
    definitions: Mapping[str, Clause]  # words of the text that the game's code lives by
    areas: Mapping[str, Clause] = field(default_factory=dict)  # betting areas the layout must show
    _before_the_deal: dict[str, Mapping[str, Wager]] = field(default_factory=dict, repr=False)

    def wagers_under(self, book: Rulebook) -> tuple[Wager, ...]:
        return tuple(w for w in self.wagers if w.only_in in ("", book.id))

    def placed_before_the_deal(self, book: Rulebook) -> Mapping[str, Wager]:
        """By name; found once per book, for it is asked at every wager placed."""
        known = self._before_the_deal.get(book.id)
        if known is None:
            known = {w.name: w for w in self.wagers_under(book) if w.before_the_deal}
            self._before_the_deal[book.id] = known
        return known

    def round_under(self, book: Rulebook) -> tuple[Stage, ...]:
        """The acts of a round, without settling wagers that this book does not know."""
        known = {w.name for w in self.wagers_under(book)}
        return tuple(
            act
            for act in self.round
            if not isinstance(act, Settle) or any(name in known for name in act.wagers)
        )

    def wager(self, name: str) -> Wager:
        return next(w for w in self.wagers if w.name == name)

    @property
    def most_positions(self) -> int:
        """As many hands as one deck can serve."""
        return (52 - self.cards_beside) // self.cards_each
