"""The watch on drift: what a table really won, beside what it should have won by the mathematics.

A side bet that asks for no decision has an exact expectation. The main wagers, and a progressive
that a fold forfeits, are held against optimal play: players who play worse lose more, so only a
house that wins less than that is alarming.

Hands of one round meet the same cards, so they win and lose together. How much is not asked: the
variance of a round is taken as if they always did, which is the most it can be. The z told is
therefore never larger than the true one.
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
    """One wager at one table."""

    table: str
    wager: str
    exact: bool  # whether no decision has a bearing on it
    hands: int = 0
    wagered: Cents = 0  # the base wager: the ante, one of three bets, or the side bet
    won: Cents = 0  # by the house
    expected: Fraction = Fraction(0)
    variance: float = 0.0

    @property
    def z(self) -> float:
        """How many standard deviations the house is above what was to be expected."""
        return float(self.won - self.expected) / sqrt(self.variance) if self.variance else 0.0

    def alarms(self, beyond: float) -> bool:
        return self.z < -beyond or (self.exact and self.z > beyond)


def drifts(store: Store, table: str) -> list[Drift]:
    """Each wager of a table, over all its rounds in which no hand was void."""
    chronicle = Chronicle()
    found: dict[str, Drift] = {}
    for entry in store.read(table):
        over = chronicle.see(entry, entry.happening())
        if over:
            _add(found, table, chronicle, over)
    over = chronicle.end()
    if over:
        _add(found, table, chronicle, over)
    return list(found.values())


def _add(found: dict[str, Drift], table: str, chronicle: Chronicle, over: Played) -> None:
    house = chronicle.house
    if over.void or house is None:
        return
    prices = _prices(house)
    for key, wagers in _by_book(prices, over).items():
        drift = found.setdefault(key, Drift(table, key, prices.exact(key)))
        base = _base(wagers, key)
        mean, variance = prices.of(key, over.meter)
        drift.hands += len(base)
        drift.wagered += sum(base)
        drift.won -= sum(map(_by_the_pay_table, wagers))
        drift.expected -= mean * sum(base)
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


def _by_the_pay_table(each: Settled) -> Cents:
    """The player's net without a coupon, and before payout limits."""
    coupon = each.coupon if each.result == "won" else 0
    return each.net - coupon + each.withheld


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
