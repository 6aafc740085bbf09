"""What a table won, beside what it should have won by the mathematics.

Every settled wager is counted, so that the actual win adds up to the table's inventory (see
``reconcile``). Compared are the rounds in which no hand was void: a void hand is not a fair sample,
and neither is a wager that stayed live in such a round.

A side bet that asks for no decision has an exact expectation. The main wagers, and a progressive
that a fold forfeits, are compared with optimal play: players who play worse lose more, so only a
house that wins less than that is alarming.

Hands of one round meet the same cards, so they win and lose together. The variance of a round is
taken as if they always did, which is the most it can be. The z told is therefore never larger than
the true one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import sqrt

from msgspec import Struct

from croupier.analysis.solution import Book
from croupier.analysis.solve import solve
from croupier.house.submission import House
from croupier.ledger.chronicle import Chronicle, Played, Settled
from croupier.ledger.store import Store
from croupier.rules.money import Cents
from croupier.rules.odds import Share

MAIN = "main"


class Drift(Struct):
    """One wager at one table. Cents; what the house wins is positive."""

    table: str
    wager: str
    exact: bool  # whether no decision has a bearing on it
    settled: int = 0  # wagers, of all rounds
    collected: Cents = 0  # stakes the house kept
    paid: Cents = 0  # to players beside their stakes, from the inventory and from the meter
    returned: Cents = 0  # stakes that went back to players
    not_compared: Cents = 0  # the part of the actual win from rounds with a void hand, or not over
    on_coupons: Cents = 0  # of what was paid in compared rounds, the part a coupon won
    withheld: Cents = 0  # what payout limits cut off in compared rounds
    hands: int = 0  # compared
    wagered: Cents = 0  # compared base wagers: the ante, one of three bets, or the side bet
    theoretical_win: Fraction = Fraction(0)  # of the compared hands
    variance: float = 0.0

    @property
    def actual_win(self) -> Cents:
        """What the house won on it in all rounds."""
        return self.collected - self.paid

    @property
    def win_by_pay_table(self) -> Cents:
        """What the house would have won in the compared rounds without coupons and limits; that is
        what the mathematics speak of."""
        return self.actual_win - self.not_compared + self.on_coupons - self.withheld

    @property
    def z(self) -> float:
        """How many standard deviations the house is above the theoretical win."""
        above = self.win_by_pay_table - self.theoretical_win
        return float(above) / sqrt(self.variance) if self.variance else 0.0

    @property
    def against(self) -> str:
        return "exact odds" if self.exact else "optimal play"

    def alarms(self, beyond: float) -> bool:
        return self.z < -beyond or (self.exact and self.z > beyond)


def drifts(store: Store, table: str) -> list[Drift]:
    """Each wager of a table, over its whole history."""
    chronicle = Chronicle()
    found: dict[str, Drift] = {}
    for entry in store.read(table):
        over = chronicle.see(entry, entry.happening())
        if over:
            _add(found, table, chronicle, over)
    _add(found, table, chronicle, chronicle.end() or chronicle.now)
    return list(found.values())


def _add(found: dict[str, Drift], table: str, chronicle: Chronicle, played: Played) -> None:
    house = chronicle.house
    if not played.wagers or house is None:
        return
    prices = _prices(house)
    for key, wagers in _by_book(prices, played).items():
        drift = found.setdefault(key, Drift(table, key, prices.exact(key)))
        _add_money(drift, wagers)
        if played.ended and not played.void:
            _add_compared(drift, wagers, *prices.of(key, played.meter))
        else:
            drift.not_compared -= sum(each.net for each in wagers)


def _add_money(drift: Drift, wagers: list[Settled]) -> None:
    drift.settled += len(wagers)
    for each in wagers:
        drift.collected += each.stake_kept
        drift.paid += each.win
        drift.returned += each.amount - each.stake_kept


def _add_compared(drift: Drift, wagers: list[Settled], mean: Fraction, variance: Fraction) -> None:
    base = _base(wagers, drift.wager)
    drift.hands += len(base)
    drift.wagered += sum(base)
    drift.on_coupons += sum(each.coupon for each in wagers if each.result == "won")
    drift.withheld += sum(each.withheld for each in wagers)
    drift.theoretical_win -= mean * sum(base)
    drift.variance += float(variance) * sum(base) ** 2


def _by_book(prices: Prices, over: Played) -> dict[str, list[Settled]]:
    """The wagers of a round, by the book of the solution that prices them."""
    found: dict[str, list[Settled]] = {}
    for each in over.wagers:
        key = prices.keys[each.wager]
        if key == "cover-all":
            key = f"{key}, {over.hands + 1} hands"
        found.setdefault(key if key in prices.solution.side_bets else MAIN, []).append(each)
    return found


def _base(wagers: Iterable[Settled], key: str) -> list[Cents]:
    """The solution's unit at each hand: the side bet itself; of the main wagers the ante, or one of
    three equal bets."""
    return [each.amount for each in wagers if key != MAIN or each.wager in ("ante", "bet 3")]


# --- what the solution says -----------------------------------------------------------------


class Prices:
    """Mean and variance of the player's net on a unit of each wager of a house."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.solution = solve(house)
        self.keys = {wager.name: wager.key for wager in house.game.wagers}
        self.of = lru_cache(maxsize=10_000)(self._of)

    def exact(self, key: str) -> bool:
        """Whether no decision has a bearing on it: at Caribbean Stud a fold costs all there is."""
        return key in self.solution.side_bets and self.house.game.id != "caribbean-stud"

    def _of(self, key: str, meter: Cents) -> tuple[Fraction, Fraction]:
        book = self.solution.main if key == MAIN else self.solution.side_bets[key]
        if key in self.solution.meters:
            book = self._at(meter, book)
        return book.net, book.variance

    def _at(self, meter: Cents, book: Book) -> Book:
        """The progressive with so much on its meter; the solution has it at its first."""
        first = self.house.terms().meter
        amount = self.house.game.wager("progressive").exactly
        lines = {line.name: line.award for line in self.house.pay["progressive"]}
        outcomes = []
        for each in book.outcomes:
            award = lines.get(each.line)
            more = award.of(meter) - award.of(first) if isinstance(award, Share) else 0
            outcomes.append(replace(each, net=each.net + Fraction(more, amount)))
        return Book(tuple(outcomes))


_known: dict[str, Prices] = {}


def _prices(house: House) -> Prices:
    """Solved once for each distinct house."""
    key = repr(sorted(house.source.items()))
    if key not in _known:
        _known[key] = Prices(house)
    return _known[key]
