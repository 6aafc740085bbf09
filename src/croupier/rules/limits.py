"""Payout limits: how much one hand may win in one round."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from croupier.law.clause import Clause
from croupier.rules.money import Cents, in_dollars
from croupier.rules.settlement import Settlement


@dataclass(frozen=True, slots=True)
class PayoutLimit:
    """The most that these wagers together may win. Returned stakes never count (ruling K10)."""

    cents: Cents
    covers: tuple[str, ...]
    cite: Clause
    leaves_out: Clause | None = None  # says which wagers the limit does not touch


def capped(
    settlements: Sequence[Settlement], limits: Iterable[PayoutLimit]
) -> tuple[Settlement, ...]:
    """Hold back what exceeds a limit, from the wager settled last first (ruling K10)."""
    settled = list(settlements)
    won = sum([s.win for s in settled])
    for limit in limits:
        if won <= limit.cents:
            continue
        excess = sum(s.win for s in settled if s.wager in limit.covers) - limit.cents
        for i in reversed(range(len(settled))):
            if excess <= 0:
                break
            if settled[i].wager in limit.covers:
                cut = min(excess, settled[i].win)
                settled[i] = _cut(settled[i], cut, limit)
                excess -= cut
    return tuple(settled)


def _cut(settled: Settlement, cut: Cents, limit: PayoutLimit) -> Settlement:
    if not cut:
        return settled
    return replace(
        settled,
        win=settled.win - cut,
        withheld=settled.withheld + cut,
        reason=f"{settled.reason} The payout limit of {in_dollars(limit.cents)} holds back "
        f"{in_dollars(cut)} [{limit.cite.id}].",
    )
