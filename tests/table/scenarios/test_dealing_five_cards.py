"""The three ways of dealing Caribbean Stud (16.7 to 16.9) and Pik-It (39.7 to 39.9)."""

from __future__ import annotations

import pytest
from scenario import CARIBBEAN, PIK_IT, dealt_by, play

from croupier.table.commands import player
from croupier.table.view import BACK, RAILBIRD, view

TOP = "2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac 2d 3d"
SINGLY = """
hand seat 1 2c 5c 8c Jc Ac
hand seat 3 3c 6c 9c Qc 2d
hand dealer 4c 7c Tc Kc 3d
"""
STACKS = """
hand seat 1 2c 3c 4c 5c 6c
hand seat 3 7c 8c 9c Tc Jc
hand dealer Qc Kc Ac 2d 3d
"""


def caribbean(way: str, announce: str, deal: str, hands: str) -> str:
    return f"""
        {dealt_by(CARIBBEAN, way)}
        seats 3
        1: bets 10, progressive 1
        3: bets 10
        auto off
        deal         -> refused: BETS_ARE_STILL_OPEN [{announce}]
        auto on
        no more bets -> no more bets announced [{announce}]
        auto off
        deal         -> refused: NOT_THIS_STEP       # lock-out and sweep come first
        lock out     -> locked out
        deal         -> refused: NOT_THIS_STEP
        sweep 1      -> swept 1
        top {TOP}
        deal         -> hands dealt [{deal}]
        {hands}
        rack stub    -> stub racked 37
        discard rack stub 37
    """


@pytest.mark.clause("NJ 19:47-16.7(b)", "NJ 19:47-16.7(d)", "NJ 19:47-16.7(e)")
@pytest.mark.ruling("S3", "K4")
def test_caribbean_from_a_manual_shoe_singly_and_the_dealers_fifth_card_falls_face_up() -> None:
    text = caribbean("manual shoe", "NJ 19:47-16.7(b)", "NJ 19:47-16.7(d)", SINGLY)
    text = text.replace("[NJ 19:47-16.7(d)]", "[NJ 19:47-16.7(d)], 3d [NJ 19:47-16.7(d)]")
    played = play(CARIBBEAN, f"{text}\nup-card -> refused: NOT_THIS_STEP\nturn seat 1")
    assert view(played.table, RAILBIRD)["round"]["dealer"] == [BACK] * 4 + ["3d"]
    own = view(played.table, player("player 1"))["round"]["positions"]
    assert own[0]["cards"] == ["2c", "5c", "8c", "Jc", "Ac"]
    assert own[1]["cards"] == [BACK] * 5


@pytest.mark.clause("NJ 19:47-16.8(b)3", "NJ 19:47-16.8(c)", "NJ 19:47-16.8(d)")
@pytest.mark.ruling("S3", "K4")
def test_caribbean_from_the_hand_falls_in_the_same_order() -> None:
    text = caribbean("hand", "NJ 19:47-16.8(b)3", "NJ 19:47-16.8(c)", SINGLY)
    text = text.replace("[NJ 19:47-16.8(c)]", "[NJ 19:47-16.8(c)], 3d [NJ 19:47-16.8(c)]")
    text = text.replace("stub racked 37", "stub racked 37 [NJ 19:47-16.8(d)]")
    play(CARIBBEAN, text)


@pytest.mark.clause("NJ 19:47-16.9(b)2", "NJ 19:47-16.9(c)", "NJ 19:47-16.9(d)")
@pytest.mark.ruling("K4")
def test_caribbean_from_an_automated_shoe_in_stacks_of_five_the_dealers_last() -> None:
    text = caribbean("automated shoe", "NJ 19:47-16.9(b)2", "NJ 19:47-16.9(c)", STACKS)
    text = text.replace("stub racked 37", "stub racked 37 [NJ 19:47-16.9(d)]")
    played = play(CARIBBEAN, text)
    assert view(played.table, RAILBIRD)["round"]["dealer"] == [BACK] * 5


@pytest.mark.clause("NJ 19:47-16.9(g)")
@pytest.mark.ruling("S3")
def test_caribbean_the_top_card_of_a_stack_is_turned_up_once_the_stub_is_gone() -> None:
    played = play(
        CARIBBEAN,
        f"""
        {dealt_by(CARIBBEAN, "automated shoe")}
        bets 10
        deal 2c 3c 4c 5c 6c / Qc Kc Ac 2d 3d
        auto off
        up-card -> refused: NOT_THIS_STEP
        rack stub
        bet     -> refused: NOT_THIS_STEP [NJ 19:47-16.9(g)]
        up-card -> up card exposed [NJ 19:47-16.9(g)]
        up-card -> refused: NOT_THIS_STEP
        bet     -> bet 20
        """,
    )
    shown = [card for card in view(played.table, RAILBIRD)["round"]["dealer"] if card != BACK]
    assert shown == ["Qc"]  # the first card dispensed lies on top


@pytest.mark.clause("NJ 19:47-16.9(g)", "NJ 19:47-18.9(c)")
@pytest.mark.ruling("S3", "L4")
def test_the_top_of_a_stack_is_the_same_end_at_caribbean_stud_and_let_it_ride() -> None:
    """18.9(c) burns the bottom card of a stack, 16.9(g) turns up the top card of one. Both come
    from the same kind of shoe, so one must be the first card dispensed and the other the last."""
    ride = play(
        "let-it-ride",
        f"""
        {dealt_by("nj-let-it-ride", "automated shoe")}
        bets 10 10 10
        top 2c 3c 4c 5c 6c 7c
        ride
        burn
        """,
    )
    stud = play(
        CARIBBEAN,
        f"""
        {dealt_by(CARIBBEAN, "automated shoe")}
        bets 10
        top 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc
        up-card
        """,
    )
    assert str(ride.table.rack[-1]) == "7c"  # the last of 5c 6c 7c: the bottom
    shown = [card for card in view(stud.table, RAILBIRD)["round"]["dealer"] if card != BACK]
    assert shown == ["7c"]  # the first of 7c 8c 9c Tc Jc: the top


# --- Pik-It ---------------------------------------------------------------------------------


def pik_it(way: str, announce: str, deal: str, stub: str, hands: str) -> str:
    return f"""
        {dealt_by(PIK_IT, way)}
        seats 3
        1: bets 10 10
        3: bets 10 10
        auto off
        deal         -> refused: BETS_ARE_STILL_OPEN [{announce}]
        auto on
        no more bets -> no more bets announced [{announce}]
        top {TOP}
        deal         -> hands dealt [{deal}]
        {hands}
        rack stub    -> stub racked 37 [{stub}]
    """


@pytest.mark.clause("NJ 13:69F-39.7(b)", "NJ 13:69F-39.7(c)", "NJ 13:69F-39.7(d)")
@pytest.mark.ruling("K4")
def test_pik_it_from_a_manual_shoe_singly() -> None:
    numbers = ("NJ 13:69F-39.7(b)", "NJ 13:69F-39.7(c)", "NJ 13:69F-39.7(d)")
    play(PIK_IT, pik_it("manual shoe", *numbers, SINGLY))


@pytest.mark.clause("NJ 13:69F-39.8(b)3", "NJ 13:69F-39.8(c)", "NJ 13:69F-39.8(d)")
@pytest.mark.ruling("K4")
def test_pik_it_from_the_hand_falls_in_the_same_order() -> None:
    numbers = ("NJ 13:69F-39.8(b)3", "NJ 13:69F-39.8(c)", "NJ 13:69F-39.8(d)")
    play(PIK_IT, pik_it("hand", *numbers, SINGLY))


@pytest.mark.clause(
    "NJ 13:69F-39.9(b)2", "NJ 13:69F-39.9(c)", "NJ 13:69F-39.9(c)1", "NJ 13:69F-39.9(d)"
)
@pytest.mark.ruling("K4")
def test_pik_it_from_an_automated_shoe_in_stacks_of_five_the_dealers_last() -> None:
    numbers = ("NJ 13:69F-39.9(b)2", "NJ 13:69F-39.9(c)", "NJ 13:69F-39.9(d)")
    play(PIK_IT, pik_it("automated shoe", *numbers, STACKS))


@pytest.mark.clause("NJ 13:69F-39.9(c)2", "NJ 13:69F-39.9(d)", "NJ 13:69F-39.2(c)")
def test_pik_it_may_leave_the_covered_stack_in_the_shoe_until_all_have_decided() -> None:
    played = play(
        PIK_IT,
        f"""
        {dealt_by(PIK_IT, "automated shoe")}
        set dealer_stack = 2
        seats 2
        all: bets 10 10
        top 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac 2d 3d
        deal      -> seat 1 seat 1 seat 1 seat 1 seat 1 seat 2 seat 2 seat 2 seat 2 seat 2
        hand dealer
        rack stub -> refused: NOT_THIS_STEP
        deliver   -> refused: NOT_THIS_STEP
        2: fold   -> seat 2 racked
        deliver   -> refused: NOT_THIS_STEP
        1: play 5
        auto off
        reveal dealer -> refused: NOT_THIS_STEP
        deliver   -> dealers stack delivered [NJ 13:69F-39.9(c)2]
        hand dealer Qc Kc Ac 2d 3d
        discard rack seat 2 5
        rack stub -> stub racked 37 [NJ 13:69F-39.9(d)]
        """,
    )
    assert view(played.table, RAILBIRD)["round"]["dealer"] == [BACK] * 5  # under the cover card


@pytest.mark.clause("NJ 13:69E-1.13Y(b)1vi", "NJ 13:69E-1.13Y(b)2")
@pytest.mark.ruling("P2")
def test_pik_it_cards_lie_apart_by_position_and_dealer_and_nobody_may_look_yet() -> None:
    played = play(PIK_IT, f"{dealt_by(PIK_IT, 'hand')}\nseats 2\nall: bets 10 10\ndeal")
    for who in (RAILBIRD, player("player 1"), player("player 2")):
        seen = view(played.table, who)["round"]
        assert [p["cards"] for p in seen["positions"]] == [[BACK] * 5, [BACK] * 5]
        assert seen["dealer"] == [BACK] * 5
