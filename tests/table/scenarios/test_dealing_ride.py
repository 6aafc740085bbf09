"""The three ways of dealing Let It Ride: 18.7 to 18.9; the community cards, ruling L4."""

from __future__ import annotations

import pytest
from scenario import RIDE, dealt_by, play

from croupier.table.commands import player
from croupier.table.view import BACK, RAILBIRD, view

TOP = "2c 3c 4c 5c 6c 7c 8c 9c Tc"
SINGLY = """
hand seat 1 2c 5c 8c
hand seat 3 3c 6c 9c
hand community 4c 7c Tc
"""
STACKS = """
hand seat 1 2c 3c 4c
hand seat 3 5c 6c 7c
hand community Tc 9c 8c
"""


def ride(way: str, announce: str, deal: str, hands: str, community: tuple[str, str, str]) -> str:
    burned, first, second = community
    return f"""
        {dealt_by(RIDE, way)}
        seats 3
        1: bets 10 10 10, let it ride bonus 1
        3: bets 10 10 10
        auto off
        deal         -> refused: BETS_ARE_STILL_OPEN [{announce}]
        auto on
        no more bets -> no more bets announced [{announce}]
        auto off
        deal         -> refused: NOT_THIS_STEP [{announce}]    # the bonus chips come first
        sweep 2      -> refused: COUNT_MUST_MATCH_THE_LIGHTS [{announce}]
        sweep 0      -> refused: COUNT_MUST_MATCH_THE_LIGHTS [{announce}]
        sweep 1      -> swept 1 [{announce}]
        auto on
        top {TOP}
        deal         -> hands dealt [{deal}]
        {hands}
        all: ride
        burn         -> {burned}
        reveal       -> {first}
        all: ride
        reveal       -> {second}
    """


@pytest.mark.clause(
    "NJ 19:47-18.7(b)",
    "NJ 19:47-18.7(c)",
    "NJ 19:47-18.7(c)1",
    "NJ 19:47-18.7(c)2",
    "NJ 19:47-18.7(c)3",
    "NJ 19:47-18.7(c)4",
    "NJ 19:47-18.7(c)5",
    "NJ 19:47-18.7(c)6",
    "NJ 19:47-18.10(c)",
    "NJ 19:47-18.10(d)",
    "NJ 19:47-18.10(f)",
)
@pytest.mark.ruling("K4", "L4")
def test_from_a_manual_shoe_singly_three_rounds_the_community_last_in_each() -> None:
    numbers = ("NJ 19:47-18.7(b)", "NJ 19:47-18.7(c)")
    play(RIDE, ride("manual shoe", *numbers, SINGLY, ("4c", "7c", "Tc")))


@pytest.mark.clause(
    "NJ 19:47-18.8(b)3",
    "NJ 19:47-18.8(c)",
    "NJ 19:47-18.8(c)1",
    "NJ 19:47-18.8(c)2",
    "NJ 19:47-18.8(c)3",
    "NJ 19:47-18.8(c)4",
    "NJ 19:47-18.8(c)5",
    "NJ 19:47-18.8(c)6",
)
@pytest.mark.ruling("K4", "L4")
def test_from_the_hand_the_cards_fall_in_the_same_order() -> None:
    numbers = ("NJ 19:47-18.8(b)3", "NJ 19:47-18.8(c)")
    play(RIDE, ride("hand", *numbers, SINGLY, ("4c", "7c", "Tc")))


@pytest.mark.clause("NJ 19:47-18.9(b)2", "NJ 19:47-18.9(c)")
@pytest.mark.ruling("K4", "L2", "L4")
def test_from_an_automated_shoe_in_stacks_of_three_the_community_last() -> None:
    """Only hands with three wagers under 18.6 get a stack. Of the community's the bottom card lies
    at the dealer's left and is burned; then comes the middle one, then the top."""
    numbers = ("NJ 19:47-18.9(b)2", "NJ 19:47-18.9(c)")
    played = play(RIDE, ride("automated shoe", *numbers, STACKS, ("Tc", "9c", "8c")))
    assert [p.seat for p in played.table.now.positions] == [1, 3]


@pytest.mark.clause("NJ 19:47-18.7(c)1", "NJ 19:47-18.7(c)2", "NJ 19:47-18.10(a)")
@pytest.mark.ruling("L3")
def test_all_cards_lie_face_down_and_each_player_looks_at_three() -> None:
    played = play(RIDE, "seats 2\nall: bets 10 10 10\ndeal Td 4c 9h / 2c 3c 5c / 2s Ts 2h")
    seen = view(played.table, player("player 1"))["round"]
    assert [p["cards"] for p in seen["positions"]] == [["Td", "4c", "9h"], [BACK] * 3]
    assert seen["community"] == [BACK] * 3
    nobody = view(played.table, RAILBIRD)["round"]
    assert [p["cards"] for p in nobody["positions"]] == [[BACK] * 3] * 2


@pytest.mark.clause("NJ 19:47-18.7(d)", "NJ 19:47-18.8(d)", "NJ 19:47-18.9(d)")
@pytest.mark.parametrize(
    ("way", "clause"),
    [
        ("manual shoe", "NJ 19:47-18.7(d)"),
        ("hand", "NJ 19:47-18.8(d)"),
        ("automated shoe", "NJ 19:47-18.9(d)"),
    ],
)
def test_the_stub_goes_unseen_to_the_rack_before_anyone_decides(way: str, clause: str) -> None:
    play(
        RIDE,
        f"""
        {dealt_by(RIDE, way)}
        bets 10 10 10
        deal
        auto off
        ride      -> refused: NOT_THIS_STEP [{clause}]
        rack stub -> stub racked 46 [{clause}]
        ride      -> ride bet 1
        """,
    )
