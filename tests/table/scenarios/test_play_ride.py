"""Playing and settling Let It Ride: 18.10; rulings L3 to L8."""

from __future__ import annotations

import pytest
from scenario import RIDE, play

from croupier.table.events import WagerSettled


@pytest.mark.clause("NJ 19:47-18.10(b)", "NJ 19:47-18.10(b)1", "NJ 19:47-18.10(b)2")
@pytest.mark.ruling("K4")
def test_bet_1_is_withdrawn_or_rides_seat_by_seat_from_the_left() -> None:
    play(
        RIDE,
        """
        seats 3
        all: bets 10 10 10
        deal
        auto
        turn seat 1
        2: ride 1     -> refused: NOT_THIS_SEATS_TURN [NJ 19:47-18.10(b)]
        1: ride 2     -> refused: NOT_A_CHOICE_HERE [NJ 19:47-18.10(b)]
        1: fold       -> refused: NOT_A_CHOICE_HERE [NJ 19:47-18.10(b)]
        1: withdraw 1 -> withdraw bet 1 [NJ 19:47-18.10(b)2], bet 1 returned 10
        1: withdraw 1 -> refused: NOT_THIS_SEATS_TURN
        2: ride 1     -> ride bet 1 [NJ 19:47-18.10(b)1], not bet 1
        burn          -> refused: NOT_THIS_STEP [NJ 19:47-18.10(b)]
        3: withdraw 1
        auto off
        1: chips 9980
        2: chips 9970
        """,
    )


@pytest.mark.clause("NJ 19:47-18.10(c)", "NJ 19:47-18.10(d)", "NJ 19:47-18.10(f)")
@pytest.mark.ruling("L4")
def test_the_card_at_the_dealers_left_is_burned_then_the_next_shown_then_the_last() -> None:
    play(
        RIDE,
        """
        bets 10 10 10
        deal Td 4c 9h / 2s Ts 2h
        ride
        auto off
        reveal -> refused: NOT_THIS_STEP [NJ 19:47-18.10(c)]
        burn   -> 2s [NJ 19:47-18.10(c)]
        discard rack stub 46, burned 1
        ride   -> refused: NOT_THIS_STEP [NJ 19:47-18.10(d)]
        reveal -> Ts [NJ 19:47-18.10(d)]
        reveal -> refused: NOT_THIS_STEP [NJ 19:47-18.10(e)]
        ride
        settle -> refused: NOT_THIS_STEP [NJ 19:47-18.10(f)]
        reveal -> 2h [NJ 19:47-18.10(f)]
        hand community Ts 2h
        """,
    )


@pytest.mark.clause("NJ 19:47-18.10(e)", "NJ 19:47-18.10(e)1", "NJ 19:47-18.10(e)2")
@pytest.mark.ruling("L8", "K4")
def test_bet_2_is_decided_from_the_left_whatever_happened_to_bet_1() -> None:
    play(
        RIDE,
        """
        seats 4
        all: bets 10 10 10
        deal
        1: withdraw 1
        2: withdraw 1
        3: ride 1
        4: ride 1
        reveal
        2: ride 2     -> refused: NOT_THIS_SEATS_TURN [NJ 19:47-18.10(e)]
        1: withdraw 1 -> refused: NOT_A_CHOICE_HERE [NJ 19:47-18.10(e)]
        1: withdraw 2 -> withdraw bet 2 [NJ 19:47-18.10(e)2], bet 2 returned 10
        2: ride 2     -> ride bet 2 [NJ 19:47-18.10(e)1]
        3: withdraw 2 -> bet 2 returned 10
        4: ride 2
        reveal
        """,
    )


@pytest.mark.clause("NJ 19:47-18.6(d)")
def test_bet_3_always_rides() -> None:
    refused = "withdraw 3 -> refused: BET_3_MUST_RIDE [NJ 19:47-18.6(d)]"
    play(RIDE, f"bets 10 10 10\n{refused}\nride\n{refused}\nride\n{refused}\nreveal\n{refused}")


@pytest.mark.clause("NJ 19:47-18.10(b)", "NJ 19:47-18.10(e)")
@pytest.mark.ruling("L3")
def test_once_bet_2_is_decided_no_player_does_anything_more() -> None:
    play(
        RIDE,
        """
        bets 10 10 10
        deal
        ride
        ride
        auto off
        withdraw 2 -> refused: NOT_THIS_STEP
        withdraw 1 -> refused: NOT_THIS_STEP
        reveal
        ride 2     -> refused: NOT_THIS_STEP
        """,
    )


@pytest.mark.clause("NJ 19:47-18.10(g)", "NJ 19:47-18.10(g)1", "NJ 19:47-18.10(g)4")
@pytest.mark.ruling("K4")
def test_hands_are_settled_from_the_right_and_stay_face_up_until_all_are() -> None:
    played = play(
        RIDE,
        """
        seats 2
        all: bets 10 10 10
        deal Td 4c 9h / Jd 5c 8h / 2s Ts 2h
        all: ride
        all: ride
        reveal
        settle 1 -> refused: NOT_THIS_SEATS_TURN [NJ 19:47-18.10(g)]
        settle 2 -> Jd 5c 8h [NJ 19:47-18.10(g)1], bet 1 lost 10, not seat 2 racked
        auto off
        clear    -> refused: NOT_THIS_STEP
        settle 1 -> Td 4c 9h, bet 1 won 10, not seat 1 racked
        """,
    )
    assert [(p.seat, p.shown, p.racked) for p in played.table.now.positions] == [
        (1, True, False),
        (2, True, False),
    ]


@pytest.mark.clause("NJ 19:47-18.10(h)", 'NJ 19:47-18.1 "Round of play"', 'NJ 19:47-18.1 "Stub"')
def test_then_all_cards_are_picked_up_in_order() -> None:
    play(
        RIDE,
        """
        seats 2
        all: bets 10 10 10
        deal Td 4c 9h / Jd 5c 8h / 2s Ts 2h
        rack stub -> stub racked 43
        all: ride
        all: ride
        settle
        settle
        clear -> seat 2 racked [NJ 19:47-18.10(h)], round over [NJ 19:47-18.1 "Round of play"]
        discard rack stub 43, burned 1, seat 2 3, seat 1 3, community 2
        """,
    )


@pytest.mark.clause("NJ 19:47-18.10(g)2", "NJ 19:47-18.10(g)3")
def test_losing_wagers_of_a_hand_are_collected_before_the_winning_ones_are_paid() -> None:
    """A pair of tens wins the bets; three cards without a pair lose both bonuses."""
    played = play(
        RIDE,
        """
        bets 10 10 10, let it ride bonus 1, three card bonus 5
        deal Td 4c 9h / 2s Ts 2h
        ride
        ride
        settle -> three card bonus lost 5, bet 1 won 10, bet 2 won 10, bet 3 won 10
        net +24
        """,
    )
    settled = [ev for ev in played.events if isinstance(ev, WagerSettled)]
    results = [ev.result for ev in settled]
    assert results == ["lost", "lost", "won", "won", "won"]


@pytest.mark.clause("NJ 19:47-18.10(g)2")
def test_below_a_pair_of_tens_every_bet_that_rides_is_lost() -> None:
    play(
        RIDE,
        """
        bets 10 10 10
        deal 9d 4c 3h / 2s 9s 2h
        withdraw 1
        ride 2
        settle -> bet 2 lost 10 [NJ 19:47-18.10(g)2], bet 3 lost 10 [NJ 19:47-18.10(g)2]
        net -20
        """,
    )


@pytest.mark.clause("NJ 19:47-18.7(b)", "NJ 19:47-18.6A(b)", "NJ 19:47-18.6A(d)")
@pytest.mark.ruling("L5", "K3")
def test_the_dollar_bonus_is_swept_before_the_deal_and_pays_fixed_sums() -> None:
    """The chip is gone either way; the three card bonus stays on the layout."""
    play(
        RIDE,
        """
        seats 2
        all: bets 10 10 10, let it ride bonus 1, three card bonus 5
        sweep -> swept 2
        auto off
        inventory 100002
        """,
    )
    play(
        RIDE,
        """
        bets 10 10 10, let it ride bonus 1
        deal Td Tc Th / 2s Ts 2h
        ride
        ride
        settle -> let it ride bonus won
        """,
    )


@pytest.mark.clause("NJ 19:47-18.6A(b)", "NJ 19:47-18.7(b)")
def test_a_bonus_chip_the_device_did_not_acknowledge_goes_back() -> None:
    play(
        RIDE,
        """
        seats 2
        all: bets 10 10 10, let it ride bonus 1
        2: light     -> acceptor lit [NJ 19:47-18.6A(b)]
        2: light     -> refused: NO_ACCEPTOR_WAGER [NJ 19:47-18.6A(b)]
        auto off
        no more bets
        1: light     -> refused: NO_MORE_BETS [NJ 19:47-18.6A(b)]
        sweep 2      -> refused: COUNT_MUST_MATCH_THE_LIGHTS
        sweep 1      -> seat 1 let it ride bonus returned 1 [NJ 19:47-18.6A(b)], swept 1
        1: chips 9970
        2: chips 9969
        inventory 100001
        """,
    )
