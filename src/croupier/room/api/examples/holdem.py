"""Ultimate Texas Hold'em arranged: its words, trips and play; Cover All and the progressive."""

from __future__ import annotations

from croupier.cards.ranking import words
from croupier.games.ultimate_texas_holdem import hand_of
from croupier.law.clause import clause
from croupier.room.api.examples.shown import (
    Runs,
    Shown,
    beside,
    every,
    first,
    listed,
    outcome,
    settled,
)
from croupier.rules.money import in_dollars
from croupier.rules.paytable import in_words
from croupier.table import events as e
from croupier.table.narrate import pretty
from croupier.table.state import place_of


def _checked(runs: Runs) -> str:
    check = first(runs[0], e.ChoiceMade, verb="check")
    bet = first(runs[0], e.ChoiceMade, verb="play")
    return (
        f"The check put {in_dollars(check.amount)} on the felt; seat {bet.seat} stayed in and "
        f"bet {in_dollars(bet.amount)} later."
    )


def _shared(runs: Runs) -> str:
    now = runs[0].table.now
    board = pretty(" ".join(str(each) for each in now.community))
    owners = [*(place_of(p.seat) for p in now.positions), "the dealer"]
    own = {len(p.cards) for p in now.positions} | {len(now.dealer)}
    return (
        f"{len(now.community)} community cards, {board}, serve {len(owners)} hands: "
        f"{listed(owners)}, each with {listed(map(str, own))} cards of its own."
    )


def _pushed(runs: Runs) -> str:
    now, paid = runs[0].table.now, every(runs[0], e.WagerSettled)
    mine = hand_of(now.positions[0].cards, now.community)
    dealers = hand_of(now.dealer, now.community)
    equal = "equal in rank" if mine == dealers else "not equal in rank"
    moved = sum(each.win + each.amount * (each.result == "lost") for each in paid)
    return (
        f"Seat 1 has {words(mine)} and the dealer has {words(dealers)}, {equal}: "
        f"{in_dollars(moved)} changes sides."
    )


def _trips(runs: Runs) -> str:
    return beside(runs, "trips", "ante")


def _plays(runs: Runs) -> str:
    asked = [each for each in runs[0].lines if each.line.words.startswith("play")]
    taken = every(runs[0], e.ChoiceMade, verb="play")
    sizes = listed(f"{each.times} times the ante {_moment(each)}" for each in taken)
    return f"{len(asked)} play wagers were asked for and {len(taken)} was taken: {sizes}."


def _moment(choice: e.ChoiceMade) -> str:
    return choice.point.replace("-", " the ")


def _lines(runs: Runs) -> str:
    posted = first(runs[0], e.CoverAllPosted)
    paid = settled(runs[0], "cover all")
    return (
        f"{posted.hands} hands were dealt, the dealer's among them; "
        f"{outcome(paid)} on a wager of {in_dollars(paid.amount)}."
    )


def _highest(runs: Runs) -> str:
    hands = [each.hand for each in every(runs[0], e.HandRevealed)]
    paid = every(runs[0], e.WagerSettled, wager="cover all")
    by = listed(in_words(each.line) for each in paid)
    often = "once" if len(paid) == 1 else f"{len(paid)} times"
    return f"The players showed {listed(hands)}; Cover All was paid {often}, for {by}."


def _in_turn(runs: Runs) -> str:
    order = [each.wager for each in every(runs[0], e.WagerSettled, seat=1)]
    return f"Settled at seat 1 in this order: {listed(order)}."


def _needed(runs: Runs) -> str:
    placed = first(runs[0], e.WagersPlaced).wagers
    return f"Taken beside {listed(name for name in placed if name != 'progressive')}."


PROGRESSIVE = """
    set offered = ["trips", "progressive"]
    set pay.progressive.royal-flush = 100 %
    set pay.progressive.flush = $50
    set progressive.meter = 20000
    set progressive.seed = 10000
    set progressive.contribution = 1
    seats 1
"""

HOLDEM = (
    Shown(
        clause('NJ 19:47-32.1 "Check"'),
        "A check, and a bet later",
        (
            """
            bets 10 10
            deal 9c 6d / Qh 3c / 9s Kd 4d 3h 2c
            check
            play 2x
            """,
        ),
        _checked,
    ),
    Shown(
        clause('NJ 19:47-32.1 "Community card"'),
        "One board for every hand",
        (
            """
            seats 2
            all: bets 10 10
            deal As Ks / Qh Qd / 2c 7d / Qs Js Ts 3h 4d
            all: play 4x
            settle
            settle
            """,
        ),
        _shared,
        kinds=(e.CommunityDealt, e.DealerRevealed, e.HandRevealed),
    ),
    Shown(
        clause('NJ 19:47-32.1 "Push"'),
        "Two hands of equal rank",
        (
            """
            bets 10 10
            deal Ah 7c / Ad 7s / Ac Kd Qh 4s 2c
            play 4x
            settle
            """,
        ),
        _pushed,
    ),
    Shown(
        clause("NJ 19:47-32.6(c)"),
        "Trips beside ante and blind, each by itself",
        (
            """
            seats 1
            bets trips 5 -> refused: WAGER_NEEDS_ANOTHER
            bets 10 10, trips 5
            deal 8c 8d / 9c 9d / 8h 9h Ks 4c 2d
            play 4x
            settle
            """,
            """
            bets 10 10, trips 5
            deal Ah Ad / Kc Kd / 2c 5d 9h Js 3s
            play 4x
            settle
            """,
        ),
        _trips,
        kinds=(e.CommunityDealt, e.DealerRevealed, e.HandRevealed, e.WagerSettled),
        wagers=("ante", "trips"),
    ),
    Shown(
        clause("NJ 19:47-32.6(d)"),
        "The play wager at its moments, in its sizes",
        (
            """
            bets 10 10
            deal 9c 6d / Qh 3c / 9s Kd 4d 3h 2c
            play 5x -> refused: MULTIPLE_NOT_ALLOWED
            check
            play 4x -> refused: MULTIPLE_NOT_ALLOWED
            play 2x
            play 1x -> refused: NOT_THIS_STEP
            """,
        ),
        _plays,
    ),
    Shown(
        clause("MA UTH 13(f)"),
        "Cover All with seven hands",
        (
            """
            seats 6
            1: bets 10 10, cover all 5
            2: bets 10 10
            3: bets 10 10
            4: bets 10 10
            5: bets 10 10
            6: bets 10 10
            deal 9h 2c / 3c 5d / 3d 6c / 5c 7d / 6d 8c / 7c Td / Jc Qd / 9c 9d 4h 4s Kd
            1: play 4x
            2: check
            3: check
            4: check
            5: check
            6: check
            all: check
            all: fold
            auto
            """,
        ),
        _lines,
        kinds=(e.CoverAllPosted, e.CommunityDealt, e.HandLeftExposed, e.WagerSettled),
        wagers=("cover all",),
    ),
    Shown(
        clause("MA UTH 13(g)"),
        "Cover All is paid for the highest hand alone",
        (
            """
            seats 2
            1: bets 10 10, cover all 5
            2: bets 10 10
            deal 4c 2d / 9h 9s / Jc Qd / 9c 9d 4h 4s Kd
            all: play 4x
            auto
            """,
        ),
        _highest,
        kinds=(e.CoverAllPosted, e.CommunityDealt, e.HandRevealed, e.WagerSettled),
        wagers=("cover all",),
    ),
    Shown(
        clause("MA UTH 14(a)"),
        "Four dollars, six, and five",
        (
            f"""
            {PROGRESSIVE}
            bets 10 10, trips 5, progressive 4 -> refused: AMOUNT_IS_FIXED
            bets 10 10, trips 5, progressive 6 -> refused: AMOUNT_IS_FIXED
            bets 10 10, trips 5, progressive 5
            """,
        ),
    ),
    Shown(
        clause("MA UTH 14(b)"),
        "A progressive needs three wagers beside it",
        (
            f"""
            {PROGRESSIVE}
            bets progressive 5 -> refused: WAGER_NEEDS_ANOTHER
            bets 10 10, progressive 5 -> refused: WAGER_NEEDS_ANOTHER
            bets 10 10, trips 5, progressive 5
            """,
        ),
        _needed,
    ),
    Shown(
        clause("MA UTH 14(c)"),
        "The progressive in its turn",
        (
            f"""
            {PROGRESSIVE}
            bets 10 10, trips 5, progressive 5
            deal As 2s / Qc Qd / Ks Js 3s Qh 4d
            play 4x
            settle
            """,
        ),
        _in_turn,
    ),
)
