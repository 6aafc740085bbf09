"""The result of one wager: what became of it, what it was paid, by which clause, and why."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from croupier.law.clause import Clause, Rulebook
from croupier.rules.money import Cents, in_dollars
from croupier.rules.odds import EVEN_MONEY, Award, Odds, Share, Sum
from croupier.rules.paytable import Line, in_words
from croupier.rules.wager import Wager


class Result(StrEnum):
    WON = "won"
    LOST = "lost"
    PUSHED = "pushed"
    RETURNED = "returned"


class Settlement(Struct, frozen=True, gc=False):
    wager: str
    amount: Cents
    result: Result
    win: Cents
    clause: Clause
    reason: str
    line: str = ""
    stake_back: bool = True  # False for a chip swept before the deal
    withheld: Cents = 0  # cut off by a payout limit

    @property
    def net(self) -> Cents:
        """What the player is up or down on this wager."""
        if self.result is Result.LOST:
            return -self.amount
        return self.win - (0 if self.stake_back else self.amount)


def won(
    wager: Wager, amount: Cents, clause: Clause, why: str, odds: Odds = EVEN_MONEY
) -> Settlement:
    """A wager paid at odds beside its stake."""
    win = odds.on(amount)
    return Settlement(wager.name, amount, Result.WON, win, clause, f"{why}; pays {odds}.")


def won_line(
    wager: Wager, amount: Cents, line: Line, clause: Clause, *, meter: Cents = 0, sharing: int = 1
) -> Settlement:
    """A wager paid by a line of its pay table."""
    win = payment(line.award, amount, meter, sharing)
    why = f"{in_words(line.name).capitalize()} pays {line.award}"
    if sharing > 1:
        why += f", shared by {sharing}"
    return Settlement(
        wager.name,
        amount,
        Result.WON,
        win,
        clause,
        why + ".",
        line=line.name,
        stake_back=not wager.swept,
    )


def payment(award: Award, amount: Cents, meter: Cents = 0, sharing: int = 1) -> Cents:
    match award:
        case Odds():
            return award.on(amount)
        case Sum():
            return award.cents
        case Share():
            return award.of(meter, sharing)


def lost(wager: Wager, amount: Cents, clause: Clause, why: str) -> Settlement:
    return Settlement(
        wager.name, amount, Result.LOST, 0, clause, why + ".", stake_back=not wager.swept
    )


def pushed(wager: Wager, amount: Cents, clause: Clause, why: str) -> Settlement:
    return Settlement(wager.name, amount, Result.PUSHED, 0, clause, why + ".")


def returned(wager: Wager, amount: Cents, clause: Clause, why: str) -> Settlement:
    return Settlement(wager.name, amount, Result.RETURNED, 0, clause, why + ".")


def with_match_play(settled: Settlement, coupon: Cents, cite: Clause) -> Settlement:
    """A coupon beside an even-money wager: a win pays its value too (ruling K5)."""
    if settled.result is not Result.WON or not coupon:
        return settled
    return replace(
        settled,
        win=settled.win + coupon,
        reason=f"{settled.reason} A match play coupon adds {in_dollars(coupon)} [{cite.id}].",
    )


def total(settlements: Iterable[Settlement]) -> Cents:
    return sum(s.net for s in settlements)


def under(book: Rulebook, settlements: Iterable[Settlement]) -> tuple[Settlement, ...]:
    """The same settlements, citing the clauses of this book instead of their twins."""
    return tuple(
        s if s.clause.book == book.id else replace(s, clause=s.clause.under(book))
        for s in settlements
    )
