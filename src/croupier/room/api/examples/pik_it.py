"""Pik-It Poker arranged: its words and wagers, the dealer's cover card, the row of seats."""

from __future__ import annotations

from croupier.law.clause import clause
from croupier.room.api.examples.shown import (
    Runs,
    Shown,
    as_sentence,
    every,
    first,
    just_after,
    listed,
    outcome,
    settled,
)
from croupier.rules.money import in_dollars
from croupier.table import events as e
from croupier.table.view import RAILBIRD, view


def _bonus(runs: Runs) -> str:
    placed = first(runs[0], e.WagersPlaced).wagers
    ante, bonus = (in_dollars(placed[name]) for name in ("ante", "5 card bonus"))
    paid = settled(runs[0], "5 card bonus")
    return f"Beside an ante of {ante} lay a 5 card bonus of {bonus}: {outcome(paid)}."


def _three_or_five(runs: Runs) -> str:
    said = [
        f"seat {each.seat} made {each.verb} and has "
        f"{first(runs[0], e.HandAnnounced, seat=each.seat).hand}"
        for each in every(runs[0], e.ChoiceMade)
    ]
    return as_sentence(
        "; ".join([*said, f"the dealer has {first(runs[0], e.DealerRevealed).hand}"])
    )


def _played(runs: Runs) -> str:
    choice = first(runs[0], e.ChoiceMade)
    paid = settled(runs[0], choice.wager)
    size = "once" if choice.times == 1 else "twice"
    return f"{choice.wager.capitalize()} is {size} the ante: {outcome(paid)}. {paid.reason}"


def _qualified(runs: Runs) -> str:
    said = []
    for each in runs:
        dealer = first(each, e.DealerRevealed)
        quality = "qualifies" if dealer.qualified else "does not qualify"
        ranks = "-".join(card[0] for card in dealer.cards.split())
        said.append(f"{ranks} {quality}: {outcome(settled(each, 'play 5'))}")
    return as_sentence("; ".join(said))


def _covered(runs: Runs) -> str:
    dealt = just_after(runs[0], first(runs[0], e.HandsDealt))
    shown = just_after(runs[0], first(runs[0], e.DealerRevealed))
    before, after = (
        "lies" if view(table, RAILBIRD)["round"]["covered"] else "does not lie"
        for table in (dealt, shown)
    )
    return (
        f"The cover card {before} on the dealer's stack when it is dealt, and {after} on it when "
        "the dealer's hand is shown."
    )


def _spoke(runs: Runs) -> str:
    claimed = next(each for each in runs[0].lines if each.refused).line.words.partition(" ")[2]
    said = first(runs[0], e.HandAnnounced)
    return f"Called {claimed} by the player, announced and settled as {said.hand}."


def _row(runs: Runs) -> str:
    places = first(runs[0], e.HandsDealt).places
    once_round = list(dict.fromkeys(places))
    return f"Dealt along one row: {listed(once_round[:-1])}, and the {once_round[-1]} after them."


TOLD = (
    e.ChoiceMade,
    e.HandRevealed,
    e.DealerRevealed,
    e.HandAnnounced,
    e.WagerSettled,
)

PIK_IT = (
    Shown(
        clause("NJ 13:69E-1.13Y(a)"),
        "One row of seats, as long as the deck serves it",
        ("seats 6\nall: bets 10 10\ndeal",),
        _row,
        ({"positions": 10}, {"positions": 6}),
        (e.NoMoreBetsAnnounced, e.HandsDealt),
    ),
    Shown(
        clause('NJ 13:69F-39.1 "5 card bonus wager"'),
        "The 5 card bonus is one ante, no less and no more",
        (
            """
            seats 1
            bets 10 -> refused: WAGER_REQUIRED
            bets 10 5 -> refused: WAGERS_MUST_BE_EQUAL
            bets 10 10
            deal 9c 9d 4h 4s 2d / Ac Kd 8h 6s 5c
            settle
            """,
        ),
        _bonus,
        kinds=(e.WagersPlaced, e.HandRevealed, e.WagerSettled),
    ),
    Shown(
        clause('NJ 13:69F-39.1 "Hand"'),
        "One plays three cards, the other five",
        (
            """
            seats 2
            all: bets 10 10
            deal Kc Kd Kh 4s 2d / 9c 8d 7h 6s 5s / Ac Ad 8h 6c 3c
            2: play 5
            1: play 3
            auto
            """,
        ),
        _three_or_five,
        kinds=(e.HandRevealed, e.ChoiceMade, e.DealerRevealed, e.HandAnnounced),
    ),
    Shown(
        clause('NJ 13:69F-39.1 "Play 3 wager"'),
        "Play 3, of one or two antes",
        (
            """
            bets 10 10
            deal Kc Kd Kh 4s 2d / Ac Ad 8h 6c 3c
            play 3
            auto
            """,
        ),
        _played,
        ({"multiples": {"play-3": 3}}, {"multiples": {"play-3": 1}}),
        TOLD,
        ("play 3",),
    ),
    Shown(
        clause('NJ 13:69F-39.1 "Play 5 wager"'),
        "Play 5 where the house fixes one ante",
        (
            """
            set multiples.play-5 = 1
            bets 10 10
            deal 9c 8d 7h 6s 5s / Ac Ad 8h 6c 3c
            play 5 2x -> refused: MULTIPLE_NOT_ALLOWED
            play 5
            auto
            """,
        ),
        _played,
        kinds=TOLD,
        wagers=("play 5",),
    ),
    Shown(
        clause('NJ 13:69F-39.1 "Qualifying hand"'),
        "The lowest hand that qualifies, and the highest that does not",
        tuple(
            f"""
            bets 10 10
            deal 9c 9d 7h 6d 5s / {dealer}
            play 5
            auto
            """
            for dealer in ("Ac Kh 4s 3h 2h", "Ac Qh Js Th 9h")
        ),
        _qualified,
        kinds=(e.DealerRevealed, e.WagerSettled),
        wagers=("play 5",),
    ),
    Shown(
        clause("NJ 13:69F-39.2(c)"),
        "A cover card on the dealer's stack",
        (
            """
            {automated_shoe}
            bets 10 10
            deal 9c 9d 7h 6d 5s / Ac Kh 8s 6h 3h
            play 5
            reveal dealer
            """,
        ),
        _covered,
        kinds=(e.HandsDealt, e.DealerRevealed),
    ),
    Shown(
        clause("NJ 13:69F-39.4(e)"),
        "A flush that is none",
        (
            """
            bets 10 10
            deal Kh 9h 9c 4h 2h / Ac Kd 8s 6c 5c
            play flush -> refused: NOT_A_CHOICE_HERE
            play 5
            auto
            """,
        ),
        _spoke,
        kinds=TOLD,
    ),
)
