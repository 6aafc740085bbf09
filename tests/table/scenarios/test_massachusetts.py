"""Only in Massachusetts: Cover All (13) and the progressive wager (14); rulings M1 to M8, H4."""

from __future__ import annotations

import pytest
from scenario import MA_UTH, play

from croupier.table.events import CoverAllPosted


@pytest.mark.clause("MA UTH 13(a)", "MA UTH 13(d)")
@pytest.mark.ruling("M4")
def test_cover_all_is_made_before_the_round_beside_ante_and_blind() -> None:
    play(
        MA_UTH,
        """
        seats 1
        bets cover all 5         -> refused: WAGER_NEEDS_ANOTHER [MA UTH 13(a)]
        bets 10 10, cover all 5
        deal
        auto off
        bets 10 10, cover all 5  -> refused: NO_MORE_BETS
        """,
    )


@pytest.mark.clause("MA UTH 13(d)")
@pytest.mark.ruling("M4")
def test_cover_all_is_offered_only_while_the_automated_shuffler_is_used() -> None:
    play(
        MA_UTH,
        """
        set decks = ["red"]
        seats 1
        remove shoe
        remove shuffler
        method manual / manual shoe
        bets 10 10, cover all 5 -> refused: WAGER_NOT_OFFERED [MA UTH 13(d)]
        bets 10 10
        """,
    )


@pytest.mark.clause("MA UTH 13(c)", "MA UTH 13(e)", "MA UTH 13(f)", "MA UTH 13(k)")
@pytest.mark.ruling("M2", "M4")
@pytest.mark.parametrize(
    ("players", "full_house"),
    [(1, "12 to 1"), (2, "8 to 1"), (3, "6 to 1"), (4, "5 to 1"), (5, "4 to 1"), (6, "4 to 1")],
)
def test_what_cover_all_pays_is_posted_at_the_deal_by_the_hands_dealt(
    players: int, full_house: str
) -> None:
    others = "\n".join(f"{seat}: bets 10 10" for seat in range(2, players + 1))
    played = play(
        MA_UTH,
        f"""
        1: bets 10 10, cover all 5
        {others}
        deal -> cover all for {players + 1} hands [MA UTH 13(e)]
        """,
    )
    posted = next(ev for ev in played.events if isinstance(ev, CoverAllPosted))
    assert full_house in posted.pays


@pytest.mark.clause("MA UTH 13(e)")
def test_nothing_is_posted_when_nobody_wagered_it() -> None:
    play(MA_UTH, "bets 10 10\ndeal -> not cover all for 2 hands")


BOARD = "5h 6h 7c 8d Kh"
STRAIGHT, FLUSH, THREE = "9s 4c", "Ah 2h", "Kc Kd"


@pytest.mark.clause("MA UTH 13(h)", "MA UTH 13(i)", "MA UTH 13(b)")
@pytest.mark.ruling("M1", "M3")
def test_a_hand_from_a_straight_up_stays_until_a_higher_one_is_found() -> None:
    """The highest hand is a flush: from a straight up it stays in view, but only the printed
    lines pay, and they begin at a full house."""
    play(
        MA_UTH,
        f"""
        seats 4
        1: bets 10 10, cover all 5
        2: bets 10 10
        3: bets 10 10
        4: bets 10 10
        deal {THREE} / {FLUSH} / {STRAIGHT} / Js Jc / Qs Qd / {BOARD}
        all: play 3x
        settle 4 -> seat 4 racked, not seat 4 stays
        settle 3 -> seat 3 stays [MA UTH 13(h)], not seat 3 racked
        settle 2 -> seat 3 racked [MA UTH 13(i)], seat 2 stays [MA UTH 13(h)]
        settle 1 -> ante won 10, not cover all, seat 1 racked
        settle 1 -> cover all lost 5
        clear    -> seat 2 racked
        """,
    )


@pytest.mark.clause("MA UTH 13(h)")
def test_the_dealers_own_hand_counts_among_those_left_in_view() -> None:
    """The dealer's flush is higher than the straight, which goes to the rack like any hand."""
    play(
        MA_UTH,
        f"""
        seats 2
        1: bets 10 10, cover all 5
        2: bets 10 10
        deal {THREE} / {STRAIGHT} / {FLUSH} / {BOARD}
        all: play 3x
        settle 2 -> seat 2 racked, not seat 2 stays
        """,
    )


@pytest.mark.clause("MA UTH 13(h)")
def test_no_hand_stays_when_nobody_wagered_cover_all() -> None:
    play(
        MA_UTH,
        f"""
        bets 10 10
        deal {FLUSH} / Qs Qd / {BOARD}
        play 3x
        settle -> seat 1 racked, not seat 1 stays
        """,
    )


@pytest.mark.clause("MA UTH 13(g)", "MA UTH 13(j)", "MA UTH 13(k)", "MA UTH 10(e)(2)(ii)")
@pytest.mark.ruling("M2", "M3")
def test_a_folded_hand_is_kept_and_counts_and_cover_all_is_settled_after_all_else() -> None:
    play(
        MA_UTH,
        """
        seats 3
        1: bets 10 10, cover all 5
        2: bets 10 10
        3: bets 10 10, cover all 10
        deal As 2d / 7h 2c / Js Jc / Qs Qd / 5h 5d 7c 7d Kh
        all: check
        all: check
        1: play 1x
        2: fold -> fold, ante lost 10, blind lost 10, not seat 2 racked
        3: play 1x
        settle 3 -> ante lost 10, not cover all
        settle 2 -> 7h 2c, seat 2 stays
        settle 1 -> ante lost 10, not cover all
        settle 3 -> cover all won 60 [MA UTH 13(k)]
        settle 1 -> cover all won 30 [MA UTH 13(k)]
        3: net +30
        1: net 0
        """,
    )


@pytest.mark.clause("MA UTH 13(e)", "MA UTH 13(k)")
@pytest.mark.ruling("M2", "M4")
def test_the_number_of_hands_stays_as_it_was_at_the_deal_when_one_turns_out_void() -> None:
    """Three hands were dealt and 8 to 1 was posted for a full house."""
    play(
        MA_UTH,
        """
        seats 2
        1: bets 10 10, cover all 5
        2: bets 10 10
        deal 7h 2c / Js Jc / Qs Qd / 5h 5d 7c 7d Kh
        report wrong number seat 2 1 -> seat 2 void
        check
        check
        play 1x
        auto -> cover all won 40, round over
        """,
    )


# --- the progressive ------------------------------------------------------------------------

HOUSE = """
set offered = ["trips", "cover-all", "progressive"]
set pay.progressive.royal-flush = 100 %
set pay.progressive.straight-flush = 10 %
set pay.progressive.flush = $50
set progressive.meter = 20000
set progressive.seed = 10000
set progressive.contribution = 1
"""


@pytest.mark.clause("MA UTH 14(a)", "MA UTH 14(b)")
@pytest.mark.ruling("M5")
def test_the_progressive_is_exactly_five_dollars_beside_ante_blind_and_trips() -> None:
    play(
        MA_UTH,
        f"""
        {HOUSE}
        seats 1
        bets 10 10, progressive 5          -> refused: WAGER_NEEDS_ANOTHER [MA UTH 14(b)]
        bets 10 10, trips 5, progressive 4 -> refused: AMOUNT_IS_FIXED [MA UTH 14(a)]
        bets 10 10, trips 5, progressive 6 -> refused: AMOUNT_IS_FIXED [MA UTH 14(a)]
        bets 10 10, trips 5, progressive 5
        no more bets                       -> meter +1
        auto off
        meter 20001
        """,
    )
    play(MA_UTH, "bets 10 10, trips 5, progressive 5 -> refused: WAGER_NOT_OFFERED")


@pytest.mark.clause("MA UTH 14(c)")
@pytest.mark.ruling("M5", "H4")
def test_it_is_settled_with_the_other_wagers_on_hole_cards_and_flop_and_its_stake_comes_back() -> (
    None
):
    """The royal flush comes with the river: the progressive sees a flush of five cards."""
    play(
        MA_UTH,
        f"""
        {HOUSE}
        bets 10 10, trips 5, progressive 5
        deal As Ks / 2c 7d / Qs Js 3s Ts 4d
        play 4x
        settle -> ante pushed, play won 40, blind won 5000, trips won 250, progressive won 50
        net +5340
        """,
    )
    play(
        MA_UTH,
        f"""
        {HOUSE}
        bets 10 10, trips 5, progressive 5
        deal As Ks / 2c 7d / Qs Js Ts 3h 4d
        play 4x
        settle -> progressive won 20001, 20001 from the meter, meter +10000
        meter 10000
        """,
    )


@pytest.mark.clause("MA UTH 14(c)")
@pytest.mark.ruling("M5")
def test_a_fold_does_not_forfeit_it() -> None:
    play(
        MA_UTH,
        f"""
        {HOUSE}
        bets 10 10, trips 5, progressive 5
        deal As 2s / Qc Qd / Ks Js 3s Qh Qs
        check
        check
        fold   -> ante lost 10, not progressive
        settle -> trips won 35, progressive won 50
        net +65
        """,
    )


@pytest.mark.clause("MA UTH 15(a)")
@pytest.mark.ruling("M8", "K8")
def test_when_hands_are_void_cover_all_and_progressive_go_back_and_only_trips_survives() -> None:
    play(
        MA_UTH,
        f"""
        {HOUSE}
        bets 10 10, trips 5, cover all 5, progressive 5
        deal As Ks / 2c 7d / Qs Js Ts 3h 4d
        report exposed -> trips stay, meter -1, cover all returned 5, progressive returned 5
        auto -> trips won 250, round over
        net +250
        meter 20000
        """,
    )
