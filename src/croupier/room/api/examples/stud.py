"""Caribbean Stud arranged: the qualified dealer, the payout limit, royal flushes that share."""

from __future__ import annotations

from croupier.law.clause import clause
from croupier.room.api.examples.shown import (
    Runs,
    Shown,
    every,
    first,
    listed,
    outcome,
    settled,
)
from croupier.rules.money import in_dollars
from croupier.table import events as e


def _ante_and_bet(runs: Runs) -> str:
    dealer = first(runs[0], e.DealerRevealed)
    quality = "qualifies" if dealer.qualified else "does not qualify"
    told = [outcome(settled(runs[0], name)) for name in ("ante", "bet")]
    return f"The dealer {quality} with {dealer.hand}: {listed(told)}."


def _beside_the_limit(runs: Runs) -> str:
    limit = runs[0].table.terms.payout_limits[0]
    ante, bet, progressive = (settled(runs[0], name) for name in ("ante", "bet", "progressive"))
    return (
        f"{listed(limit.covers).capitalize()} together won {in_dollars(ante.win + bet.win)} of a "
        f"limit of {in_dollars(limit.cents)}, and {in_dollars(bet.withheld)} was held back; the "
        f"progressive won {in_dollars(progressive.win)} beside it, with "
        f"{in_dollars(progressive.withheld)} held back."
    )


def _shares(runs: Runs) -> str:
    added = first(runs[0], e.MeterMoved).amount
    meter = runs[0].table.house.progressive
    assert meter is not None
    shares = [each.from_meter for each in every(runs[0], e.WagerSettled, wager="progressive")]
    return (
        f"The meter stood at {in_dollars(meter.meter + added)}; from it came "
        f"{listed(map(in_dollars, shares))}."
    )


CARIBBEAN = (
    Shown(
        clause("SUPPLIED S2.4(c)"),
        "The dealer qualifies, and the hands are equal",
        (
            """
            bets 10
            deal Ac Kd 9h 5s 2c / Ad Kh 9c 5d 2s
            bet
            settle
            """,
        ),
        _ante_and_bet,
    ),
    Shown(
        clause("SUPPLIED S2.4(d)"),
        "The dealer qualifies, and the player's hand is higher",
        (
            """
            bets 10
            deal 9c 9d 5h 5s Kd / Ac Kh 4s 3d 2h
            bet
            settle
            """,
        ),
        _ante_and_bet,
    ),
    Shown(
        clause("SUPPLIED S2.6(b)"),
        "A payout limit for an ante of $25",
        submitted=(
            {"limits": {"ante": [25, 500]}, "payout_limit": 5_024},
            {"limits": {"ante": [25, 500]}, "payout_limit": 5_025},
        ),
    ),
    Shown(
        clause("SUPPLIED S2.6(c)"),
        "A royal flush at the payout limit, with the progressive beside it",
        (
            """
            bets 500, progressive 1
            deal As Ks Qs Js Ts / Ac Kh 4c 3h 2h
            bet
            settle
            """,
        ),
        _beside_the_limit,
    ),
    Shown(
        clause("SUPPLIED S2.8(c)"),
        "Two royal flushes in one round",
        (
            """
            seats 2
            all: bets 10, progressive 1
            deal As Ks Qs Js Ts / Ah Kh Qh Jh Th / Ac Kc 4c 3d 2d
            all: bet
            settle
            settle
            """,
        ),
        _shares,
        kinds=(e.ChipsSwept, e.MeterMoved, e.HandRevealed, e.WagerSettled),
        wagers=("progressive",),
    ),
)
