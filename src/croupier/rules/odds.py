"""What a winning wager is paid: odds, a fixed sum, or a share of a meter.

Odds are always "to": the stake comes back beside the win (ruling K3). A fixed sum is money
whatever the stake. A share is hundredths of a progressive meter.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from croupier.law.refused import Refused
from croupier.rules.money import LONGEST, Cents, in_dollars, read_dollars


@dataclass(frozen=True, slots=True)
class Odds:
    win: int
    stake: int

    def exact_on(self, amount: Cents) -> bool:
        """Whether these odds pay whole cents on this amount."""
        return amount * self.win % self.stake == 0

    def on(self, amount: Cents) -> Cents:
        """The win on this amount. Nothing is ever rounded (ruling K11)."""
        win, rest = divmod(amount * self.win, self.stake)
        assert not rest, "a wager that cannot be paid exactly is never accepted"
        return win

    @property
    def fraction(self) -> Fraction:
        return Fraction(self.win, self.stake)

    def __str__(self) -> str:
        return f"{self.win:,} to {self.stake}"


@dataclass(frozen=True, slots=True)
class Sum:
    """A fixed sum of money, whatever was wagered."""

    cents: Cents

    def __str__(self) -> str:
        return in_dollars(self.cents)


@dataclass(frozen=True, slots=True)
class Share:
    """A part of the progressive meter, in hundredths."""

    percent: int

    def of(self, meter: Cents, sharing: int = 1) -> Cents:
        """One winner's part. The cent that does not divide stays on the meter (ruling H2)."""
        return meter * self.percent // 100 // sharing

    def __str__(self) -> str:
        return f"{self.percent} % of the meter"


Award = Odds | Sum | Share


def to(win: int, stake: int = 1) -> Odds:
    return Odds(win, stake)


EVEN_MONEY = to(1, 1)

_ODDS = re.compile(r"(\d{1,3}(?:,\d{3})+|\d+)\s*(?:(?:to|:|/)\s*(\d+))?")
_SHARE = re.compile(r"(\d+)\s*%(?: of the meter)?")


def read_award(text: str) -> Award:
    """Read "3 to 2", "3/2" or "500" (to 1), "$2,500", or "10 %"."""
    clean = str(text).strip()
    if len(clean) > LONGEST:
        raise Refused(f"An award has at most {LONGEST} characters, not {len(clean):,}.")
    if clean.startswith("$"):
        return Sum(read_dollars(clean, "The award"))
    if found := _SHARE.fullmatch(clean):
        if int(found[1]) > 100:
            raise Refused(f"{text!r} is more than the whole meter.")
        return Share(int(found[1]))
    if (found := _ODDS.fullmatch(clean)) and (found[2] is None or int(found[2])):
        return Odds(int(found[1].replace(",", "")), int(found[2] or 1))
    raise Refused(f"{text!r} is no award; write odds such as '3 to 2', a sum '$500' or '10 %'.")


def at_least(award: Award, minimum: Award) -> bool:
    """Whether an award pays no less than the minimum; unlike kinds never compare."""
    match award, minimum:
        case Odds(), Odds():
            return award.fraction >= minimum.fraction
        case Sum(), Sum():
            return award.cents >= minimum.cents
        case Share(), Share():
            return award.percent >= minimum.percent
    return False
