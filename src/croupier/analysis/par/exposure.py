"""What a table may have to pay in one round: largest awards and payout limits."""

from __future__ import annotations

from dataclasses import dataclass

from croupier.analysis.par.settings import NO_LIMIT, made, paid_by
from croupier.house.submission import House
from croupier.law.clause import Clause
from croupier.rules.money import Cents
from croupier.rules.odds import Award as Pays
from croupier.rules.odds import Odds, Share, Sum
from croupier.rules.paytable import in_words
from croupier.rules.wager import Wager


@dataclass(frozen=True, slots=True)
class Award:
    """The most one wager can win in a round, at the largest amount that may lie on it."""

    wager: str
    amount: Cents
    line: str
    win: Cents
    clause: Clause


@dataclass(frozen=True, slots=True)
class Cap:
    """A payout limit, and what the wagers under it could win without it."""

    wagers: tuple[str, ...]
    win: Cents
    limit: Cents | None
    clause: Clause

    @property
    def withheld(self) -> Cents:
        return 0 if self.limit is None else max(0, self.win - self.limit)


def largest(house: House, wager: Wager) -> Cents:
    """The most that may lie on a wager."""
    if wager.exactly:
        return wager.exactly
    base = wager.multiple_of or wager.equal_to
    if wager.key not in house.posted and base:
        times = house.multiples.get(wager.key) or tuple(
            n for each in house.multiples.values() for n in each
        )
        return max(times) * largest(house, house.game.wager(base))
    return house.posted[wager.key].maximum


def awards(house: House) -> tuple[Award, ...]:
    """For each wager, before any payout limit; a share of the meter as it stands."""
    return tuple(_award(house, wager) for wager in made(house))


def _award(house: House, wager: Wager) -> Award:
    amount = largest(house, wager)
    found = [(amount, "1 to 1", paid_by(house, wager))] if wager.even_money else []
    for name, table in house.pay.items():
        if name.partition(" ")[0] == wager.key:
            for line in table:
                words = f"{in_words(line.name)}, {line.award}"
                found.append((_win(line.award, amount, house), words, table.cite))
    win, words, cite = max(found, key=lambda each: each[0])
    return Award(wager.name, amount, words, win, cite.under(house.book))


def _win(award: Pays, amount: Cents, house: House) -> Cents:
    match award:
        case Odds():
            return amount * award.win // award.stake
        case Sum():
            return award.cents
        case Share():
            return award.of(house.progressive.meter if house.progressive else 0)


def caps(house: House) -> tuple[Cap, ...]:
    """Each payout limit; where a text knows none, all wagers without one."""
    terms = house.terms()
    if not terms.payout_limits:
        required = tuple(w.name for w in made(house) if w.required or w.multiple_of)
        cite = NO_LIMIT[house.game.id]
        return (Cap(required, _together(house, required), None, cite),)
    return tuple(
        Cap(limit.covers, _together(house, limit.covers), limit.cents, limit.cite)
        for limit in terms.payout_limits
    )


def _together(house: House, names: tuple[str, ...]) -> Cents:
    """The most these wagers can win on one hand, of the plays the one that wins most."""
    amounts: dict[str, Cents] = {}
    plays: dict[str, Cents] = {}
    for wager in made(house):
        if wager.name in names:
            key = "cover-all 2" if wager.key == "cover-all" else wager.key  # pays the most
            among = plays if wager.multiple_of else amounts
            among[key] = among.get(key, 0) + largest(house, wager)
    terms = house.terms()
    return max(
        (terms.best_round(amounts | {key: amount}) for key, amount in plays.items()),
        default=terms.best_round(amounts) if amounts else 0,
    )
