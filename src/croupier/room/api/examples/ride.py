"""Let It Ride arranged: its words, the two side bets, the look at the cards, the payout limit."""

from __future__ import annotations

from croupier.law.clause import clause
from croupier.room.api.examples.shown import (
    Runs,
    Shown,
    as_sentence,
    beside,
    every,
    first,
    just_after,
    listed,
    outcome,
    settled,
)
from croupier.rules.money import in_dollars
from croupier.rules.paytable import a_hand
from croupier.table import events as e
from croupier.table.commands import player
from croupier.table.narrate import pretty
from croupier.table.view import BACK, RAILBIRD, view


def _community(runs: Runs) -> str:
    dealt = view(just_after(runs[0], first(runs[0], e.HandsDealt)), RAILBIRD)["round"]["community"]
    burned = len(every(runs[0], e.CardBurned))
    turned = [each.card for each in every(runs[0], e.CommunityRevealed)]
    hands = len(every(runs[0], e.HandRevealed))
    return (
        f"{dealt.count(BACK)} of {len(dealt)} community cards lay face down after the deal; "
        f"{burned} was burned, and {pretty(' '.join(turned))} count in {hands} hands."
    )


def _five(runs: Runs) -> str:
    own = first(runs[0], e.HandRevealed)
    shared = " ".join(each.card for each in every(runs[0], e.CommunityRevealed))
    size = len(f"{own.cards} {shared}".split())
    return f"{pretty(own.cards)} with {pretty(shared)}: {size} cards, {own.hand}."


def _rode(runs: Runs) -> str:
    rode = first(runs[0], e.ChoiceMade, verb="ride", wager="bet 1")
    back = first(runs[0], e.ChoiceMade, verb="withdraw", wager="bet 1")
    ridden, returned = (settled(runs[0], "bet 1", each.seat) for each in (rode, back))
    return (
        f"Seat {back.seat} was free to take bet 1 back, and did: {outcome(returned)}. Seat "
        f"{rode.seat} was as free and left it up: {outcome(ridden)}."
    )


def _scheduled(runs: Runs) -> str:
    paid = settled(runs[0], "let it ride bonus")
    printed = runs[0].table.terms.pay["bonus"].line_for(paid.line)
    assert printed is not None
    return (
        f"{a_hand(paid.line)} is on the schedule with {printed.award}; the wager of "
        f"{in_dollars(paid.amount)} won {in_dollars(paid.win)}."
    )


def _by_each_table(runs: Runs) -> str:
    told = []
    for each in runs:
        table, paid = each.table.terms.pay["three-card"], settled(each, "three card bonus")
        told.append(f"by table {table.name} {in_dollars(paid.amount)} wins {in_dollars(paid.win)}")
    return f"The same three cards: {listed(told)}."


def _looked(runs: Runs) -> str:
    """Each player sees three faces, the others three backs."""
    table = runs[0].table
    told = []
    for p in table.now.positions:
        own, others = (
            view(table, who)["round"]["positions"][p.seat - 1]["cards"]
            for who in (player(p.player), RAILBIRD)
        )
        told.append(
            f"seat {p.seat} sees {pretty(' '.join(own))} where others see {others.count(BACK)} "
            "backs"
        )
    return as_sentence(listed(told))


def _bonus_alone(runs: Runs) -> str:
    return beside(runs, "let it ride bonus", "bet 1")


def _three_alone(runs: Runs) -> str:
    return beside(runs, "three card bonus", "bet 3")


OPEN = (e.CommunityRevealed, e.HandRevealed, e.WagerSettled)
CHOSEN = (e.ChoiceMade, *OPEN)

RIDE = (
    Shown(
        clause('NJ 19:47-18.1 "Community card"'),
        "Three community cards, one of them burned",
        (
            """
            seats 2
            all: bets 10 10 10
            deal Td 4c 9h / Kd 7s 5c / 2s Ts 2h
            all: ride 1
            all: ride 2
            settle
            settle
            """,
        ),
        _community,
        kinds=(e.HandsDealt, e.CardBurned, e.CommunityRevealed, e.HandRevealed),
    ),
    Shown(
        clause('NJ 19:47-18.1 "Hand"'),
        "Three cards of one's own and two of the table's",
        ("bets 10 10 10\ndeal Td 4c 9h / 2s Ts 2h\nride 1\nride 2\nsettle",),
        _five,
        kinds=(e.CommunityRevealed, e.HandRevealed),
    ),
    Shown(
        clause('NJ 19:47-18.1 "Let it ride"'),
        "One lets bet 1 ride, the other takes it back",
        (
            """
            seats 2
            all: bets 10 10 10
            deal Td Tc 9h / Kd 7s 5c / 2s 4s 2h
            1: ride 1
            2: withdraw 1
            all: ride 2
            settle
            settle
            """,
        ),
        _rode,
        kinds=CHOSEN,
        wagers=("bet 1",),
    ),
    Shown(
        clause("NJ 19:47-18.6A(c)"),
        "A winning $1 bonus",
        ("bets 10 10 10, bonus 1\ndeal 9d 9c 9h / 2s 4s 7h\nride 1\nride 2\nsettle",),
        _scheduled,
        kinds=CHOSEN,
        wagers=("let it ride bonus",),
    ),
    Shown(
        clause("NJ 19:47-18.6A(d)"),
        "The $1 bonus goes its own way",
        (
            "bets 10 10 10, bonus 1\ndeal Kd Kc 9h / 2s 4s 7h\nride 1\nride 2\nsettle",
            "bets 10 10 10, bonus 1\ndeal 9d 9c 4h / 2s 9s 7h\nwithdraw 1\nwithdraw 2\nsettle",
        ),
        _bonus_alone,
        kinds=OPEN,
        wagers=("bet 1", "let it ride bonus"),
    ),
    Shown(
        clause("NJ 19:47-18.6B(a)"),
        "A house without the three card bonus, and one with it",
        (
            """
            set offered = ["bonus"]
            seats 1
            bets 10 10 10, three-card 5 -> refused: WAGER_NOT_OFFERED
            """,
            """
            set offered = ["bonus", "three-card"]
            bets 10 10 10, three-card 5
            deal 6d 6c Kh / 2s 4s 7h
            withdraw 1
            withdraw 2
            settle
            """,
        ),
        kinds=(e.WagersPlaced, e.HandRevealed, e.WagerSettled),
        wagers=("three card bonus",),
    ),
    Shown(
        clause("NJ 19:47-18.6B(c)"),
        "One hand under two pay tables a house may choose",
        tuple(
            f"""
            set pay.three-card = {name}
            bets 10 10 10, three-card 5
            deal 6d 5c 4h / 2s Ks 9h
            ride 1
            ride 2
            settle
            """
            for name in ("A", "B")
        ),
        _by_each_table,
        kinds=(e.HandRevealed, e.WagerSettled),
        wagers=("three card bonus",),
    ),
    Shown(
        clause("NJ 19:47-18.6B(d)"),
        "The three card bonus goes its own way",
        (
            "bets 10 10 10, three-card 5\ndeal 6d 6c Kh / 2s 4s 7h\nride 1\nride 2\nsettle",
            "bets 10 10 10, three-card 5\ndeal Td 4c 9h / 2s Ts 2h\nride 1\nride 2\nsettle",
        ),
        _three_alone,
        kinds=OPEN,
        wagers=("bet 3", "three card bonus"),
    ),
    Shown(
        clause("NJ 19:47-18.10(a)"),
        "What each player sees when the deal is complete",
        ("seats 2\nall: bets 10 10 10\ndeal Td 4c 9h / Kd 7s 5c / 2s Ts 2h",),
        _looked,
        kinds=(e.HandsDealt,),
    ),
    Shown(
        clause("NJ 19:47-18.11(c)"),
        "Payout limits, too low and high enough",
        submitted=(
            {"payout_limit": 49_999},
            {"payout_limit": 50_000},
            {"limits": {"main": [25, 500]}, "payout_limit": 50_000},
            {"limits": {"main": [25, 500]}, "payout_limit": 75_000},
        ),
    ),
)
