"""What in a house is beyond the bounds of ``rules.bounds``: each with key, value and bound.

``read_data`` refuses such a house, so nothing of it reaches a table or a kernel. History is read
without this: a table that was opened before there were bounds still loads.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

from croupier.house.violation import Violation
from croupier.rules.bounds import MOST_ODDS, MOST_PARTS, MOST_STAKE, MOST_SUM
from croupier.rules.money import Cents, in_dollars
from croupier.rules.odds import Odds, Sum
from croupier.rules.wager import Wager

if TYPE_CHECKING:
    from croupier.house.submission import House


def beyond(house: House) -> list[Violation]:
    """Everything in this house that is too large to be counted exactly."""
    single = [*_limits(house), *_awards(house), *_sums(house)]
    return single or [*_parts(house), *_wins(house)]


def _limits(house: House) -> Iterator[Violation]:
    for key, posted in house.posted.items():
        if max(posted.minimum, posted.maximum) > MOST_STAKE:
            value = [in_dollars(posted.minimum), in_dollars(posted.maximum)]
            sentence = f"no wager may be larger than {in_dollars(MOST_STAKE)}."
            yield Violation(f"limits.{key}", value, sentence)


def _awards(house: House) -> Iterator[Violation]:
    for key, table in house.pay.items():
        for line in table:
            where = f"pay.{key.replace(' ', '.')}.{line.name}"
            match line.award:
                case Odds() if line.award.fraction > MOST_ODDS:
                    sentence = f"odds may be at most {MOST_ODDS:,} to 1."
                    yield Violation(where, str(line.award), sentence)
                case Odds() if line.award.stake > MOST_PARTS:
                    sentence = f"odds may be to {MOST_PARTS:,} at most, not to a larger number."
                    yield Violation(where, str(line.award), sentence)
                case Sum() if line.award.cents > MOST_SUM:
                    yield _too_much(where, line.award.cents)


def _sums(house: House) -> Iterator[Violation]:
    named: dict[str, Cents | None] = {"payout_limit": house.payout_limit}
    if house.progressive:
        named["progressive.meter"] = house.progressive.meter
        named["progressive.seed"] = house.progressive.seed
        named["progressive.contribution"] = house.progressive.contribution
    for key, cents in named.items():
        if cents is not None and cents > MOST_SUM:
            yield _too_much(key, cents)


def _too_much(key: str, cents: Cents) -> Violation:
    sentence = f"no sum in a submission may exceed {in_dollars(MOST_SUM)}."
    return Violation(key, in_dollars(cents), sentence)


def _odds(house: House) -> Iterator[Odds]:
    for table in house.pay.values():
        for line in table:
            if isinstance(line.award, Odds):
                yield line.award


def _parts(house: House) -> Iterator[Violation]:
    parts = lcm(1, *(odds.stake for odds in _odds(house)))
    if parts > MOST_PARTS:
        sentence = (
            f"the fractions of all odds together divide a wager into {parts:,} parts; "
            f"{MOST_PARTS:,} is the most."
        )
        yield Violation("pay", f"1/{parts}", sentence)


def _wins(house: House) -> Iterator[Violation]:
    """A wager at its posted maximum on its best line."""
    for wager in house.game.wagers_under(house.book):
        key, most = _most_wagered(house, wager)
        odds = [
            line.award.fraction
            for name, table in house.pay.items()
            if name.partition(" ")[0] == wager.key
            for line in table
            if isinstance(line.award, Odds)
        ]
        win = max(odds, default=Fraction(1)) * most
        if win > MOST_SUM:
            sentence = (
                f"at this maximum the {wager} wager could win {in_dollars(int(win))}; "
                f"one wager may win at most {in_dollars(MOST_SUM)}."
            )
            yield Violation(f"limits.{key}", in_dollars(house.posted[key].maximum), sentence)


def _most_wagered(house: House, wager: Wager) -> tuple[str, Cents]:
    """The posted key that limits a wager, and the most that can lie on it."""
    key = wager.key if wager.key in house.posted else "ante"
    if wager.exactly or key not in house.posted:
        return key, 0
    times = max(max(each) for each in house.multiples.values()) if wager.multiple_of else 1
    return key, house.posted[key].maximum * times
