"""Playing and settling Ultimate Texas Hold'em: 32.10 and the Massachusetts twins."""

from __future__ import annotations

import pytest
from scenario import MA_UTH, NJ_UTH, cited, play

from croupier.table.commands import player
from croupier.table.view import BACK, view

both_books = pytest.mark.parametrize("book", [NJ_UTH, MA_UTH])


def at(book: str, number: str) -> str:
    return cited(book, f"NJ 19:47-{number}")


@both_books
@pytest.mark.twins("NJ 19:47-32.10(a)", "NJ 19:47-32.10(a)1", "NJ 19:47-32.10(a)2")
@pytest.mark.ruling("K4", "U6")
def test_before_the_flop_each_seat_from_the_left_checks_or_plays_three_or_four_antes(
    book: str,
) -> None:
    asked = at(book, "32.10(a)")
    play(
        book,
        f"""
        seats 4
        all: bets 10 10
        deal
        turn seat 1
        2: check   -> refused: NOT_THIS_SEATS_TURN [{asked}]
        1: fold    -> refused: NOT_A_CHOICE_HERE [{asked}]
        1: play    -> refused: MULTIPLE_NOT_ALLOWED [{asked}]
        1: play 1x -> refused: MULTIPLE_NOT_ALLOWED [{asked}]
        1: play 2x -> refused: MULTIPLE_NOT_ALLOWED [{asked}]
        1: play 5x -> refused: MULTIPLE_NOT_ALLOWED [{asked}]
        1: play 3x -> play 30 [{at(book, "32.10(a)1")}]
        1: play 4x -> refused: NOT_THIS_SEATS_TURN
        2: play 4x -> play 40 [{at(book, "32.10(a)1")}]
        burn       -> refused: NOT_THIS_STEP [{asked}]
        3: check   -> check [{at(book, "32.10(a)2")}]
        4: check
        """,
    )


@both_books
@pytest.mark.twins("NJ 19:47-32.10(b)", "NJ 19:47-32.10(d)")
def test_the_dealer_burns_one_card_before_the_flop_and_one_before_the_last_two(book: str) -> None:
    flop, last = at(book, "32.10(b)"), at(book, "32.10(d)")
    play(
        book,
        f"""
        bets 10 10
        deal As Ks / Qh Qd / 2c 3c 4c 5c 6c / 7d 8d
        auto off
        check
        community -> refused: NOT_THIS_STEP [{flop}]
        burn      -> 7d [{flop}]
        community -> 2c 3c 4c [{flop}]
        check
        community -> refused: NOT_THIS_STEP [{last}]
        burn      -> 8d [{last}]
        community -> 5c 6c [{last}]
        """,
    )


@both_books
@pytest.mark.twins(
    "NJ 19:47-32.10(c)",
    "NJ 19:47-32.10(c)1",
    "NJ 19:47-32.10(c)2",
    "NJ 19:47-32.10(e)",
    "NJ 19:47-32.10(e)1",
    'NJ 19:47-32.1 "Check"',
    'NJ 19:47-32.1 "Play wager"',
)
@pytest.mark.ruling("K4", "U5", "U6")
def test_only_those_without_a_play_wager_are_asked_again_at_two_antes_and_then_at_one(
    book: str,
) -> None:
    """A check waives the present betting point alone, and no play wager is ever raised."""
    flop, river = at(book, "32.10(c)"), at(book, "32.10(e)")
    play(
        book,
        f"""
        seats 4
        all: bets 10 10
        deal
        1: check
        2: play 4x
        3: check
        4: check
        community
        turn seat 1
        1: play 1x -> refused: MULTIPLE_NOT_ALLOWED [{flop}]
        1: play 3x -> refused: MULTIPLE_NOT_ALLOWED [{flop}]
        1: play 4x -> refused: MULTIPLE_NOT_ALLOWED [{flop}]
        1: fold    -> refused: NOT_A_CHOICE_HERE [{flop}]
        1: play 2x -> play 20 [{at(book, "32.10(c)1")}]
        turn seat 3
        2: play 2x -> refused: NOT_THIS_SEATS_TURN [{flop}]
        3: check   -> check [{at(book, "32.10(c)2")}]
        4: check
        community
        rack stub
        turn seat 3
        1: play 1x -> refused: NOT_THIS_SEATS_TURN [{river}]
        3: check   -> refused: NOT_A_CHOICE_HERE [{river}]
        3: play 2x -> refused: MULTIPLE_NOT_ALLOWED [{river}]
        3: play 1x -> play 10 [{at(book, "32.10(e)1")}]
        reveal dealer -> refused: NOT_THIS_STEP [{river}]
        4: fold    -> fold
        reveal dealer -> dealer revealed
        """,
    )


@both_books
@pytest.mark.twins("NJ 19:47-32.10(e)2", "NJ 19:47-32.10(e)2ii", 'NJ 19:47-32.1 "Fold"')
def test_a_fold_costs_ante_and_blind_at_once_and_the_hand_goes_to_the_rack(book: str) -> None:
    lost, racked = at(book, "32.10(e)2"), at(book, "32.10(e)2ii")
    play(
        book,
        f"""
        bets 10 10
        deal As Ks / 2c 7d / 9c 9d 4h 5h Jc
        check
        check
        fold -> fold, ante lost 10 [{lost}], blind lost 10 [{lost}], seat 1 racked [{racked}]
        inventory 100020
        net -20
        """,
    )


@both_books
@pytest.mark.twins("NJ 19:47-32.10(e)2i", "NJ 19:47-32.10(h)4", 'NJ 19:47-32.1 "Trips wager"')
@pytest.mark.ruling("U3")
def test_a_folded_hand_waits_under_its_trips_which_may_still_win(book: str) -> None:
    played = play(
        book,
        """
        seats 2
        1: bets 10 10, trips 5
        2: bets 10 10
        deal As Ks / Ah Kh / 2c 7d / 9c 9d 9h 5h Jc
        all: check
        all: check
        1: fold -> ante lost 10, blind lost 10, not seat 1 racked, not trips
        2: play 1x
        reveal dealer
        settle  -> seat 2 ante won 10
        settle  -> seat 1 As Ks, trips won 15, seat 1 racked
        1: net -5
        """,
    )
    assert played.table.rounds == 1
    hidden = play(
        book,
        """
        seats 2
        1: bets 10 10, trips 5
        2: bets 10 10
        deal
        all: check
        all: check
        1: fold
        """,
    )
    seen = view(hidden.table, player("player 2"))["round"]["positions"][0]
    assert seen["cards"] == [BACK, BACK]  # face down under the wager


@both_books
@pytest.mark.clause("NJ 19:47-32.10(i)", "MA UTH 10(i)")
@pytest.mark.twins("NJ 19:47-32.10(f)", "NJ 19:47-32.10(h)")
@pytest.mark.ruling("K4")
def test_hands_are_settled_one_by_one_from_the_right_and_racked_in_order(book: str) -> None:
    one_by_one = at(book, "32.10(h)")
    before = "burned 1, burned 1, stub 37"
    play(
        book,
        f"""
        seats 3
        all: bets 10 10
        deal Ah Ad / Kh Kd / 8h 6d / Qh Qd / 2c 4c 5s 9d Ts
        1: play 4x
        2: play 4x
        3: play 4x
        reveal dealer -> Qh Qd [{at(book, "32.10(f)")}]
        settle 1 -> refused: NOT_THIS_SEATS_TURN [{one_by_one}]
        settle 3 -> 8h 6d, ante lost 10, play lost 40, blind lost 10, seat 3 racked [{one_by_one}]
        settle 2 -> Kh Kd, ante won 10, play won 40, blind pushed, seat 2 racked
        settle 1 -> Ah Ad, ante won 10, play won 40, blind pushed, seat 1 racked
        clear    -> community racked [{at(book, "32.10(i)")}], dealer racked, round over
        discard rack {before}, seat 3 2, seat 2 2, seat 1 2, community 5, dealer 2
        """,
    )


@both_books
@pytest.mark.twins("NJ 19:47-32.10(g)", "NJ 19:47-32.10(h)1", "NJ 19:47-32.10(h)2")
@pytest.mark.ruling("U1", "U2", "K4")
def test_a_dealer_below_a_pair_returns_every_ante_and_the_rest_is_settled(book: str) -> None:
    back, lower, higher = (at(book, number) for number in ("32.10(g)", "32.10(h)1", "32.10(h)2"))
    play(
        book,
        f"""
        seats 2
        all: bets 10 10
        deal 3h 6d / Ah 8c / Kd Qh / 2c 4c 7s 9d Ts
        all: play 3x
        reveal dealer -> not qualified
        settle 2 -> ante pushed [{back}], play won 30, blind pushed [{higher}]
        settle 1 -> ante pushed [{back}], play lost 30 [{lower}], blind lost 10
        1: net -40
        2: net +30
        """,
    )


@both_books
@pytest.mark.twins("NJ 19:47-32.10(h)3", 'NJ 19:47-32.1 "Push"')
def test_equal_hands_push(book: str) -> None:
    tied = at(book, "32.10(h)3")
    play(
        book,
        f"""
        bets 10 10
        deal 2h 3d / 2d 3h / As Ks Qd Jd Tc
        play 4x
        settle -> ante pushed [{tied}], play pushed [{tied}], blind pushed [{tied}]
        net 0
        """,
    )


@both_books
@pytest.mark.clause('NJ 19:47-32.1 "Round of play"', 'MA UTH 1 "Round of play"')
def test_a_round_ends_when_every_wager_is_settled_and_the_table_cleared(book: str) -> None:
    ended = at(book, '32.1 "Round of play"')
    play(
        book,
        f"""
        bets 10 10, trips 5
        deal
        check
        check
        clear -> refused: NOT_THIS_STEP
        play 1x
        reveal dealer
        auto off
        clear -> refused: NOT_THIS_STEP
        settle
        clear -> round over [{ended}]
        clear -> refused: NO_ROUND [{ended}]
        check -> refused: NO_ROUND
        """,
    )


@both_books
@pytest.mark.ruling("K5")
def test_a_coupon_goes_to_the_drop_box_on_win_or_loss_and_stays_on_a_push(book: str) -> None:
    start = "set match_play = true\nbets 10 10, coupon 10\n"
    play(
        book,
        f"""
        {start}
        deal Ah Ad / Kh Kd / 2c 4c 7s 9d Ts
        play 4x
        settle -> ante won 20, coupon drop box
        net +60
        drop box 10
        """,
    )
    play(
        book,
        f"""
        {start}
        deal Kh Kd / Ah Ad / 2c 4c 7s 9d Ts
        check
        check
        fold   -> ante lost 10, coupon drop box
        net -20
        drop box 10
        """,
    )
    play(
        book,
        f"""
        {start}
        deal 2h 3d / 2d 3h / As Ks Qd Jd Tc
        play 4x
        settle -> ante pushed, coupon kept
        drop box 0
        """,
    )


@both_books
@pytest.mark.twins("NJ 19:47-32.11(b)")
@pytest.mark.ruling("H8")
def test_a_payment_the_inventory_cannot_make_waits_for_a_fill(book: str) -> None:
    play(
        book,
        f"""
        set inventory = 100
        bets 10 10
        deal As Ks / Kh Kd / Qs Js Ts 9d 9c
        play 4x
        reveal dealer
        auto off
        settle -> refused: INVENTORY_NEEDS_A_FILL [{at(book, "32.11(b)")}]
        dealer: fill 5000 -> refused: NOT_THIS_ROLE
        fill 0 -> refused: AMOUNT_MUST_BE_POSITIVE
        fill 4949.99
        settle -> refused: INVENTORY_NEEDS_A_FILL
        fill 0.01
        settle -> ante won 10, play won 40, blind won 5000
        inventory 0
        """,
    )
