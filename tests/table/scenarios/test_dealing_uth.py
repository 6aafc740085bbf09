"""The three ways of dealing Ultimate Texas Hold'em: 32.7 to 32.9 and the Massachusetts twins."""

from __future__ import annotations

import pytest
from scenario import MA_UTH, NJ_UTH, cited, dealt_by, play

from croupier.table.commands import player
from croupier.table.view import BACK, RAILBIRD, view

both_books = pytest.mark.parametrize("book", [NJ_UTH, MA_UTH])
# As they come: hands, burn, flop, burn, the last two.
TOP = "2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac"
SINGLY = """
hand seat 1 2c 5c
hand seat 3 3c 6c
hand dealer 4c 7c
"""
STACKS = """
hand seat 1 2c 3c
hand seat 3 4c 5c
hand dealer 6c 7c
"""
THE_BOARD = """
all: check
burn      -> 8c
community -> 9c Tc Jc
all: check
burn      -> Qc
community -> Kc Ac
"""


def dealt(book: str, way: str, announce: str, deal: str, hands: str) -> str:
    """Seats 1 and 3 wager, seat 2 only sits there."""
    announce, deal = cited(book, announce), cited(book, deal)
    return f"""
        {dealt_by(book, way)}
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
        {THE_BOARD}
    """


@both_books
@pytest.mark.clause("NJ 19:47-32.7(b)", "MA UTH 7(b)")
@pytest.mark.twins(
    "NJ 19:47-32.7(d)",
    "NJ 19:47-32.7(d)1",
    "NJ 19:47-32.7(d)2",
    "NJ 19:47-32.7(d)3",
    "NJ 19:47-32.7(d)4",
)
@pytest.mark.ruling("K4")
def test_from_a_manual_shoe_one_card_to_each_bettor_and_the_dealer_then_a_second(
    book: str,
) -> None:
    play(book, dealt(book, "manual shoe", "NJ 19:47-32.7(b)", "NJ 19:47-32.7(d)", SINGLY))


@both_books
@pytest.mark.clause("NJ 19:47-32.8(b)3", "MA UTH 8(b)(3)")
@pytest.mark.twins(
    "NJ 19:47-32.8(c)",
    "NJ 19:47-32.8(c)1",
    "NJ 19:47-32.8(c)2",
    "NJ 19:47-32.8(c)3",
    "NJ 19:47-32.8(c)4",
)
@pytest.mark.ruling("K4")
def test_from_the_hand_the_cards_fall_in_the_same_order(book: str) -> None:
    play(book, dealt(book, "hand", "NJ 19:47-32.8(b)3", "NJ 19:47-32.8(c)", SINGLY))


@both_books
@pytest.mark.clause("NJ 19:47-32.9(b)2", "MA UTH 9(b)(2)")
@pytest.mark.twins("NJ 19:47-32.9(c)", "NJ 19:47-32.9(d)")
@pytest.mark.ruling("K4")
def test_from_an_automated_shoe_stacks_of_two_the_dealers_last_and_the_board_by_hand(
    book: str,
) -> None:
    play(book, dealt(book, "automated shoe", "NJ 19:47-32.9(b)2", "NJ 19:47-32.9(c)", STACKS))


@both_books
@pytest.mark.parametrize("way", ["manual shoe", "hand", "automated shoe"])
@pytest.mark.twins(
    "NJ 19:47-32.7(d)1",
    "NJ 19:47-32.7(d)2",
    "NJ 19:47-32.8(c)1",
    "NJ 19:47-32.8(c)2",
    "NJ 19:47-32.9(c)",
)
def test_hands_lie_face_down_and_only_their_player_may_look(book: str, way: str) -> None:
    played = play(book, f"{dealt_by(book, way)}\nseats 2\nall: bets 10 10\ndeal As Ks / Qh Qd")
    seen = {who: view(played.table, player(who))["round"] for who in ("player 1", "player 2")}
    assert [p["cards"] for p in seen["player 1"]["positions"]] == [["As", "Ks"], [BACK, BACK]]
    assert [p["cards"] for p in seen["player 2"]["positions"]] == [[BACK, BACK], ["Qh", "Qd"]]
    for who in (*map(player, seen), RAILBIRD):
        assert view(played.table, who)["round"]["dealer"] == [BACK, BACK]


@both_books
@pytest.mark.twins('NJ 19:47-32.1 "Burn"', 'NJ 19:47-32.1 "Flop"')
def test_a_burned_card_goes_unseen_to_the_rack_and_three_cards_lie_up_together(book: str) -> None:
    played = play(
        book,
        """
        bets 10 10
        deal As Ks / Qh Qd / 2c 3c 4c 5c 6c / 7d 8d
        community -> refused: NOT_THIS_STEP
        check
        auto off
        community -> refused: NOT_THIS_STEP
        burn      -> burned 7d
        discard rack burned 1
        burn      -> refused: NOT_THIS_STEP
        community -> 2c 3c 4c
        burn      -> refused: NOT_THIS_STEP
        """,
    )
    assert view(played.table, RAILBIRD)["round"]["community"] == ["2c", "3c", "4c"]
    assert "7d" not in str(view(played.table, RAILBIRD))


@both_books
@pytest.mark.ruling("M7")
def test_community_cards_are_dealt_face_up(book: str) -> None:
    played = play(
        book,
        f"""
        {dealt_by(book, "automated shoe")}
        bets 10 10
        deal As Ks / Qh Qd / 2c 3c 4c 5c 6c
        check
        check
        community
        """,
    )
    board = ["2c", "3c", "4c", "5c", "6c"]
    assert view(played.table, RAILBIRD)["round"]["community"] == board


@both_books
@pytest.mark.clause(
    "NJ 19:47-32.7(e)",
    "MA UTH 7(e)",
    "NJ 19:47-32.8(d)",
    "MA UTH 8(d)",
    'NJ 19:47-32.1 "Stub"',
    'MA UTH 1 "Stub"',
)
@pytest.mark.parametrize(
    ("way", "clause"),
    [("manual shoe", "32.7(e)"), ("hand", "32.8(d)"), ("automated shoe", "32.9(d)")],
)
def test_the_stub_goes_unseen_to_the_rack_once_the_board_is_complete(
    book: str, way: str, clause: str
) -> None:
    """Two hands, two burned cards, the board: 41 are left."""
    play(
        book,
        f"""
        {dealt_by(book, way)}
        bets 10 10
        deal
        rack stub -> refused: NOT_THIS_STEP
        check
        rack stub -> refused: NOT_THIS_STEP
        check
        community
        auto off
        fold      -> refused: NOT_THIS_STEP
        rack stub -> stub racked 41 [{cited(book, f"NJ 19:47-{clause}")}]
        discard rack burned 1, burned 1, stub 41
        rack stub -> refused: NOT_THIS_STEP
        fold
        """,
    )
