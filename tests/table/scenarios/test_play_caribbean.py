"""Playing and settling Caribbean Stud: 16.10(a), then as supplied; the progressive."""

from __future__ import annotations

import pytest
from scenario import CARIBBEAN, play

from croupier.table.view import BACK, RAILBIRD, view


@pytest.mark.clause("NJ 19:47-16.10(a)", "SUPPLIED S2.1(a)")
@pytest.mark.ruling("S1", "S2", "K4")
def test_each_player_bets_exactly_twice_the_ante_or_folds_before_the_hole_cards_are_shown() -> None:
    play(
        CARIBBEAN,
        """
        seats 3
        all: bets 10
        deal 2c 2d 9h 5s Kd / 3c 3d 9c 6s Jd / 7c 8d 9s Ts 2s / Ac Kh 4s 3h 2h
        auto
        turn seat 1
        2: bet        -> refused: NOT_THIS_SEATS_TURN [NJ 19:47-16.10(a)]
        1: check      -> refused: NOT_A_CHOICE_HERE [NJ 19:47-16.10(a)]
        1: bet 1x     -> refused: MULTIPLE_NOT_ALLOWED [SUPPLIED S2.1(a)]
        1: bet 3x     -> refused: MULTIPLE_NOT_ALLOWED [SUPPLIED S2.1(a)]
        1: bet 2x     -> bet 20 [SUPPLIED S2.1(a)]
        2: fold       -> ante lost 10 [NJ 19:47-16.10(a)], seat 2 racked 5 [NJ 19:47-16.10(a)]
        reveal dealer -> refused: NOT_THIS_STEP [NJ 19:47-16.10(a)]
        3: bet
        reveal dealer -> Ac Kh 4s 3h 2h [SUPPLIED S2.3(a)], qualified
        """,
    )


@pytest.mark.clause("SUPPLIED S2.3(a)", "SUPPLIED S2.3(b)", "SUPPLIED S2.9(a)")
@pytest.mark.ruling("S2", "K4")
def test_hands_are_settled_one_by_one_from_the_right_and_racked_in_order() -> None:
    play(
        CARIBBEAN,
        """
        seats 3
        all: bets 10
        deal 2c 2d 9h 5s Kd / 3c 3d 9c 6s Jd / 7c 8d 9s Js 2s / Ac Kh 4s 3h 2h
        all: bet
        auto off
        settle 3      -> refused: NOT_THIS_STEP [SUPPLIED S2.3(a)]
        auto on
        reveal dealer -> qualified
        settle 1      -> refused: NOT_THIS_SEATS_TURN [SUPPLIED S2.3(b)]
        settle 3      -> ante lost 10 [SUPPLIED S2.4(b)], bet lost 20, seat 3 racked
        settle 2      -> ante won 10 [SUPPLIED S2.5(a)], bet won 20 [SUPPLIED S2.5(b)]
        settle 1      -> ante won 10, bet won 20, seat 1 racked
        clear         -> dealer racked [SUPPLIED S2.9(a)], round over
        discard rack stub 32, seat 3 5, seat 2 5, seat 1 5, dealer 5
        """,
    )


@pytest.mark.clause("SUPPLIED S2.2(a)", "SUPPLIED S2.4(a)")
@pytest.mark.ruling("S2")
@pytest.mark.parametrize(
    ("dealer", "said", "settled"),
    [
        ("Ac Kh 4s 3h 2h", "qualified", "ante won 10, bet won 20"),
        ("Ac Qh Js Th 9h", "not qualified", "ante won 10, bet returned 20"),
    ],
)
def test_the_dealer_qualifies_from_ace_king_four_three_two_up(
    dealer: str, said: str, settled: str
) -> None:
    """A-K-4-3-2 is the least hand with ace and king; A-Q-J-T-9 the greatest below it."""
    play(
        CARIBBEAN,
        f"""
        bets 10
        deal 2c 2d 9c 5s Kd / {dealer}
        bet
        reveal dealer -> {said}
        settle -> {settled}
        """,
    )


# --- lock-out, lights, sweep ----------------------------------------------------------------


@pytest.mark.clause("NJ 19:47-16.7(b)", "NJ 19:47-16.6(c)")
@pytest.mark.ruling("S5", "H2")
def test_after_lock_out_chips_are_counted_against_the_lights_and_swept() -> None:
    play(
        CARIBBEAN,
        """
        seats 3
        1: bets 10, progressive 1
        2: bets 10
        3: bets 10, progressive 1
        1: light  -> acceptor lit [NJ 19:47-16.6(c)]
        2: light  -> refused: NO_ACCEPTOR_WAGER [NJ 19:47-16.6(c)]
        3: light
        auto off
        lock out  -> refused: BETS_ARE_STILL_OPEN [NJ 19:47-16.7(b)]
        no more bets
        sweep 2   -> refused: NOT_THIS_STEP [NJ 19:47-16.7(b)]
        lock out  -> locked out [NJ 19:47-16.7(b)]
        sweep 1   -> refused: COUNT_MUST_MATCH_THE_LIGHTS [NJ 19:47-16.7(b)]
        sweep 3   -> refused: COUNT_MUST_MATCH_THE_LIGHTS [NJ 19:47-16.7(b)]
        sweep 2   -> swept 2 [NJ 19:47-16.7(b)], meter +1.40
        meter 10001.40
        inventory 100000.60
        """,
    )


@pytest.mark.clause("NJ 19:47-16.6(c)", "NJ 19:47-16.7(b)")
@pytest.mark.ruling("S5")
def test_a_progressive_counts_only_if_its_light_is_lit_at_lock_out() -> None:
    play(
        CARIBBEAN,
        """
        seats 2
        all: bets 10, progressive 1
        1: light
        auto off
        no more bets
        2: light -> refused: NO_MORE_BETS [NJ 19:47-16.6(c)]
        lock out
        2: light -> refused: NO_MORE_BETS [NJ 19:47-16.6(c)]
        sweep 1  -> seat 2 progressive returned 1 [NJ 19:47-16.6(c)], swept 1, meter +0.70
        auto on
        deal 2c 2d 9h 5s Kd / 3c 3d 3h 3s Jd / Ac Kh 4s 5h 2h
        all: bet
        settle 2 -> not progressive
        settle 1 -> progressive lost 1
        """,
    )


@pytest.mark.clause("NJ 19:47-16.7(b)")
def test_lock_out_is_pressed_even_when_nobody_wagered_the_progressive() -> None:
    play(
        CARIBBEAN,
        """
        bets 10
        no more bets
        auto off
        deal     -> refused: NOT_THIS_STEP [NJ 19:47-16.7(b)]
        lock out -> locked out
        sweep 0  -> refused: NOT_THIS_STEP
        deal     -> hands dealt
        """,
    )
    play(CARIBBEAN, "set offered = []\nbets 10\nno more bets\nauto off\nlock out -> refused\ndeal")


# --- what the progressive pays --------------------------------------------------------------

ROYAL = "As Ks Qs Js Ts"


@pytest.mark.clause("SUPPLIED S2.8(a)")
@pytest.mark.ruling("S5", "K3", "H2")
@pytest.mark.parametrize(
    ("hand", "settled"),
    [
        (ROYAL, "progressive won 10000.70, 10000.70 from the meter, meter"),
        ("9s 8s 7s 6s 5s", "progressive won 1000.07, 1000.07 from the meter, meter +999.37"),
        ("9s 9c 9d 9h 5s", "progressive won 500, not meter"),
        ("9s 9c 9d 5h 5s", "progressive won 100, not meter"),
        ("Ks 9s 7s 4s 2s", "progressive won 50, not meter"),
        ("9s 8c 7s 6s 5s", "progressive lost 1, not meter"),
    ],
)
def test_the_progressive_pays_its_lines_and_the_meter_starts_again_from_its_seed(
    hand: str, settled: str
) -> None:
    play(
        CARIBBEAN,
        f"""
        bets 10, progressive 1
        deal {hand} / Ac Kh 4c 3h 2h
        bet
        settle -> {settled}
        """,
    )


@pytest.mark.clause("SUPPLIED S2.8(a)")
@pytest.mark.ruling("H2")
def test_after_a_royal_flush_the_meter_stands_at_its_seed() -> None:
    played = play(
        CARIBBEAN,
        f"""
        bets 10, progressive 1
        deal {ROYAL} / Ac Kh 4c 3h 2h
        bet
        auto -> round over
        """,
    )
    progressive = played.table.house.progressive
    assert progressive is not None
    assert played.table.meter == progressive.seed


@pytest.mark.clause("SUPPLIED S2.8(b)")
@pytest.mark.ruling("S5")
def test_a_fold_forfeits_the_progressive_and_the_hand_goes_unseen_to_the_rack() -> None:
    played = play(
        CARIBBEAN,
        f"""
        seats 2
        1: bets 10, progressive 1
        2: bets 10
        deal {ROYAL} / 2c 2d 9h 5s Kd / Ac Kh 4c 3h 2h
        1: fold -> ante lost 10, progressive lost 1 [SUPPLIED S2.8(b)], seat 1 racked
        """,
    )
    assert view(played.table, RAILBIRD)["round"]["positions"][0]["cards"] == []
    assert BACK in view(played.table, RAILBIRD)["round"]["dealer"]


@pytest.mark.clause("SUPPLIED S2.8(c)")
@pytest.mark.ruling("S5")
def test_two_royal_flushes_of_one_round_share_the_meter_equally() -> None:
    """A folded royal flush has no share."""
    played = play(
        CARIBBEAN,
        f"""
        seats 3
        all: bets 10, progressive 1
        deal {ROYAL} / {ROYAL.replace("s", "h")} / {ROYAL.replace("s", "d")} / Ac Kc 4c 3h 2h
        1: bet
        2: bet
        3: fold
        settle 2 -> progressive won 5001.05, 5001.05 from the meter, not meter
        settle 1 -> progressive won 5001.05, 5001.05 from the meter, meter
        """,
    )
    progressive = played.table.house.progressive
    assert progressive is not None
    assert played.table.meter == progressive.seed


@pytest.mark.clause("SUPPLIED S2.8(a)", "SUPPLIED S2.8(c)")
@pytest.mark.ruling("H7")
def test_hands_are_paid_in_order_from_the_meter_as_it_then_stands() -> None:
    """A straight flush before or after a single royal flush: ten per cent of what is there."""
    play(
        CARIBBEAN,
        f"""
        seats 2
        all: bets 10, progressive 1
        deal {ROYAL} / 9h 8h 7h 6h 5h / Ac Kh 4c 3h 2h
        all: bet
        settle 2 -> progressive won 1000.14, 1000.14 from the meter, not meter
        settle 1 -> progressive won 9001.26, 9001.26 from the meter, meter +10000
        meter 10000
        """,
    )
    play(
        CARIBBEAN,
        f"""
        seats 2
        all: bets 10, progressive 1
        deal 9h 8h 7h 6h 5h / {ROYAL} / Ac Kh 4c 3h 2h
        all: bet
        settle 2 -> progressive won 10001.40, meter +10000
        settle 1 -> progressive won 1000, 1000 from the meter
        """,
    )


@pytest.mark.clause("SUPPLIED S2.8(a)", "SUPPLIED S2.8(c)")
@pytest.mark.ruling("H7")
def test_once_a_royal_flush_is_paid_the_equal_share_of_the_other_is_set_aside() -> None:
    """Nothing of the meter is left for the straight flush that stands between them."""
    play(
        CARIBBEAN,
        f"""
        seats 3
        all: bets 10, progressive 1
        deal {ROYAL} / 9d 8d 7d 6d 5d / {ROYAL.replace("s", "h")} / Ac Kc 4c 3h 2h
        all: bet
        settle 3 -> progressive won 5001.05, not meter
        settle 2 -> progressive won 0, not meter
        settle 1 -> progressive won 5001.05, meter +10000
        meter 10000
        """,
    )


@pytest.mark.clause("SUPPLIED S2.8(c)")
@pytest.mark.ruling("H2")
def test_the_cent_that_does_not_divide_stays_on_the_meter() -> None:
    play(
        CARIBBEAN,
        f"""
        set progressive.meter = 10000.01
        seats 2
        all: bets 10, progressive 1
        deal {ROYAL} / {ROYAL.replace("s", "h")} / Ac Kc 4c 3h 2h
        all: bet
        settle 2 -> 5000.70 from the meter
        settle 1 -> 5000.70 from the meter, meter +9999.99
        meter 10000
        """,
    )


@pytest.mark.ruling("K5")
def test_a_coupon_on_the_ante_wins_at_the_antes_odds_and_goes_to_the_drop_box() -> None:
    play(
        CARIBBEAN,
        """
        set match_play = true
        bets 10, coupon 5
        deal 2c 2d 9h 5s Kd / Ac Kh 4s 3h 2h
        bet
        settle -> ante won 15, coupon drop box, bet won 20
        net +35
        drop box 5
        """,
    )
