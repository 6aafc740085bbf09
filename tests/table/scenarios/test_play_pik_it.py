"""Playing and settling Pik-It: 39.10; rulings P1 to P11."""

from __future__ import annotations

import pytest
from scenario import PIK_IT, play

from croupier.table.commands import player
from croupier.table.events import CardsRacked, HandAnnounced, WagerSettled
from croupier.table.view import BACK, RAILBIRD, view


@pytest.mark.clause("NJ 13:69F-39.10(a)", "NJ 13:69F-39.10(b)")
@pytest.mark.ruling("P2", "K4")
def test_whoever_wagered_the_3_card_bonus_picks_three_unseen_from_the_right() -> None:
    played = play(
        PIK_IT,
        """
        seats 3
        1: bets 10 10, 3 card bonus 5
        2: bets 10 10
        3: bets 10 10, 3 card bonus 5
        deal 2c 2d 2h 9s Kd / As Qd Jh 7c 3s / 4c 4d 8h 9h Ts
        auto
        turn seat 3
        1: pick 1 2 3   -> refused: NOT_THIS_SEATS_TURN [NJ 13:69F-39.10(b)]
        3: pick 1 2     -> refused: PICK_THREE_OF_FIVE [NJ 13:69F-39.10(b)]
        3: pick 1 2 2   -> refused: PICK_THREE_OF_FIVE [NJ 13:69F-39.10(b)]
        3: pick 1 2 6   -> refused: PICK_THREE_OF_FIVE [NJ 13:69F-39.10(b)]
        3: pick 1 2 3 4 -> refused: PICK_THREE_OF_FIVE [NJ 13:69F-39.10(b)]
        settle 3        -> refused: NOT_THIS_STEP [NJ 13:69F-39.10(b)]
        3: pick 5 1 2   -> pick 1 2 5 [NJ 13:69F-39.10(a)], 4c 4d Ts [NJ 13:69F-39.10(a)]
        auto off
        3: pick 1 2 3   -> refused: NOT_THIS_STEP
        1: pick 1 2 3   -> refused: NOT_THIS_SEATS_TURN
        settle 3        -> 3 card bonus won 5
        turn seat 1
        1: pick 1 2 3   -> 2c 2d 2h
        reveal seat 3   -> refused: NOT_THIS_STEP
        settle 1        -> 3 card bonus won 150
        reveal seat 3   -> 4c 4d 8h 9h Ts
        """,
    )
    assert played.table.now.positions[1].picked == ()


@pytest.mark.clause("NJ 13:69F-39.10(a)")
@pytest.mark.ruling("P2")
def test_the_player_picks_without_having_seen_the_cards() -> None:
    played = play(PIK_IT, "bets 10 10, 3 card bonus 5\ndeal 2c 2d 2h 9s Kd")
    own = view(played.table, player("player 1"))["round"]["positions"][0]["cards"]
    assert own == [BACK] * 5
    picked = play(PIK_IT, "bets 10 10, 3 card bonus 5\ndeal 2c 2d 2h 9s Kd\npick 1 3 5\nauto off")
    seen = view(picked.table, RAILBIRD)["round"]["positions"][0]["cards"]
    assert seen == ["2c", BACK, "2h", BACK, "Kd"]


@pytest.mark.clause(
    "NJ 13:69F-39.10(c)", "NJ 13:69F-39.10(c)1", "NJ 13:69F-39.10(c)2", "NJ 13:69F-39.10(c)3"
)
@pytest.mark.ruling("P8", "K4")
def test_seat_by_seat_from_the_right_reveal_settle_the_5_card_bonus_decide() -> None:
    turned = "NJ 13:69F-39.10(c)1"
    play(
        PIK_IT,
        f"""
        seats 2
        all: bets 10 10
        deal 2c 2d 2h 9s Kd / As Qd Jh 7c 3s / Ac Kh 8d 6s 5c
        rack stub
        auto off
        1: play 5     -> refused: NOT_THIS_SEATS_TURN [NJ 13:69F-39.10(c)3]
        2: play 5     -> refused: NOT_THIS_STEP
        settle 2      -> refused: NOT_THIS_STEP [NJ 13:69F-39.10(c)2]
        reveal seat 1 -> refused: NOT_THIS_SEATS_TURN [NJ 13:69F-39.10(c)]
        reveal seat 2 -> As Qd Jh 7c 3s [{turned}]
        reveal seat 2 -> refused: NOT_THIS_STEP [{turned}]
        2: fold       -> refused: NOT_THIS_STEP
        settle 2      -> 5 card bonus lost 10 [NJ 13:69F-39.10(c)2]
        settle 2      -> refused: NOT_THIS_STEP [NJ 13:69F-39.10(c)2]
        reveal seat 1 -> refused: NOT_THIS_SEATS_TURN
        2: check      -> refused: NOT_A_CHOICE_HERE [NJ 13:69F-39.10(c)3]
        2: play 3     -> play 3 20 [NJ 13:69F-39.10(c)3]
        reveal dealer -> refused: NOT_THIS_STEP
        reveal seat 1 -> 2c 2d 2h 9s Kd [{turned}]
        settle 1      -> 5 card bonus won 20
        1: play 5     -> play 5 20 [NJ 13:69F-39.10(c)3]
        reveal dealer -> qualified
        """,
    )


@pytest.mark.clause("NJ 13:69F-39.10(c)")
@pytest.mark.ruling("P8")
def test_later_seats_see_the_hands_before_theirs() -> None:
    played = play(
        PIK_IT,
        """
        seats 2
        all: bets 10 10
        deal 2c 2d 2h 9s Kd / As Qd Jh 7c 3s
        reveal seat 2
        """,
    )
    seen = view(played.table, player("player 1"))["round"]["positions"]
    assert seen[1]["cards"] == ["As", "Qd", "Jh", "7c", "3s"]
    assert seen[0]["cards"] == [BACK] * 5


@pytest.mark.clause("NJ 13:69F-39.10(c)3", "NJ 13:69F-39.3(b)")
@pytest.mark.ruling("P1")
def test_the_house_fixes_the_multiple_of_each_play_wager() -> None:
    play(
        PIK_IT,
        """
        set multiples.play-3 = 1
        set multiples.play-5 = 2
        seats 2
        all: bets 10 10
        deal
        2: play 3 2x -> refused: MULTIPLE_NOT_ALLOWED [NJ 13:69F-39.3(b)]
        2: play 3    -> play 3 10
        1: play 5 1x -> refused: MULTIPLE_NOT_ALLOWED [NJ 13:69F-39.3(b)]
        1: play 5 2x -> play 5 20
        """,
    )


@pytest.mark.clause("NJ 13:69F-39.10(c)4", 'NJ 13:69F-39.1 "Fold"')
@pytest.mark.ruling("P9")
def test_a_fold_sends_chips_to_the_inventory_and_cards_to_the_rack() -> None:
    play(
        PIK_IT,
        """
        bets 10 10
        deal As Qd Jh 7c 3s / Ac Kh 8d 6s 5c
        fold -> fold, ante lost 10, seat 1 racked 5 [NJ 13:69F-39.10(c)4]
        discard rack stub 42, seat 1 5
        inventory 100020
        net -20
        """,
    )


# --- the two alternatives of 39.10(e) -------------------------------------------------------

# Seats 1 and 3 lose on five cards, seat 2 wins on three.
HANDS = """
seats 3
all: bets 10 10
deal 2c 4d 6h 8s Td / Qc Qd 3h 5s 7s / Kc Jd 9h 7c 4h / Ac Kh 8d 6s 5c
3: play 5
2: play 3
1: play 5
reveal dealer -> qualified [NJ 13:69F-39.10(d)]
"""


def trail(text: str) -> list[str]:
    """What was done after the dealer's reveal, seat by seat."""
    played = play(PIK_IT, text)
    told = []
    for event in played.events:
        if isinstance(event, HandAnnounced):
            told.append(f"{event.seat} announced")
        elif isinstance(event, WagerSettled) and event.wager in ("ante", "play 3", "play 5"):
            told.append(f"{event.seat} {event.wager} {event.result}")
        elif isinstance(event, CardsRacked):
            told.append(f"{event.place} racked")
    return told


@pytest.mark.clause(
    "NJ 13:69F-39.10(e)1",
    "NJ 13:69F-39.10(e)1i",
    "NJ 13:69F-39.10(e)1ii",
    "NJ 13:69F-39.10(e)1iii",
    "NJ 13:69F-39.10(e)1iv",
    "NJ 13:69F-39.10(g)",
)
@pytest.mark.ruling("P10", "K4")
def test_the_first_alternative_finishes_each_procedure_for_all_seats() -> None:
    assert trail(f"set settlement = 1\n{HANDS}\nauto -> round over") == [
        "3 announced",
        "2 announced",
        "1 announced",
        "3 ante lost",
        "3 play 5 lost",
        "1 ante lost",
        "1 play 5 lost",
        "2 ante won",
        "2 play 3 won",
        "seat 3 racked",
        "seat 2 racked",
        "seat 1 racked",
        "dealer racked",
    ]


@pytest.mark.clause(
    "NJ 13:69F-39.10(e)2",
    "NJ 13:69F-39.10(e)2i",
    "NJ 13:69F-39.10(e)2ii",
    "NJ 13:69F-39.10(e)2iii",
    "NJ 13:69F-39.10(g)",
)
@pytest.mark.ruling("P10", "K4")
def test_the_second_alternative_finishes_each_seat_before_the_next() -> None:
    assert trail(f"set settlement = 2\n{HANDS}\nauto -> round over") == [
        "3 announced",
        "3 ante lost",
        "3 play 5 lost",
        "seat 3 racked",
        "2 announced",
        "2 ante won",
        "2 play 3 won",
        "seat 2 racked",
        "1 announced",
        "1 ante lost",
        "1 play 5 lost",
        "seat 1 racked",
        "dealer racked",
    ]


@pytest.mark.clause("NJ 13:69F-39.10(e)")
@pytest.mark.ruling("P10")
@pytest.mark.parametrize("alternative", [1, 2])
def test_the_money_is_the_same_by_either_alternative(alternative: int) -> None:
    play(
        PIK_IT,
        f"""
        set settlement = {alternative}
        {HANDS}
        auto -> round over
        1: net -40
        2: net +20
        3: net -40
        """,
    )


@pytest.mark.clause("NJ 13:69F-39.10(e)1i", "NJ 13:69F-39.10(e)2i", "NJ 13:69F-39.10(e)")
@pytest.mark.parametrize("alternative", [1, 2])
def test_settlement_starts_at_the_right_under_both_alternatives(alternative: int) -> None:
    play(
        PIK_IT,
        f"""
        set settlement = {alternative}
        {HANDS}
        settle 2 -> refused: NOT_THIS_SEATS_TURN [NJ 13:69F-39.10(e)]
        settle 3 -> hand announced [NJ 13:69F-39.10(e){alternative}i]
        auto off
        clear    -> refused: NOT_THIS_STEP
        """,
    )


@pytest.mark.clause("NJ 13:69F-39.10(f)", "NJ 13:69F-39.10(d)")
@pytest.mark.ruling("P5", "P6")
def test_a_dealer_who_does_not_qualify_pushes_play_5_but_settles_play_3() -> None:
    play(
        PIK_IT,
        """
        seats 2
        all: bets 10 10
        deal 2c 4d 6h 8s Td / Qc Qd 3h 5s 7s / Kc Jh 8d 6s 5c
        2: play 5
        1: play 3
        reveal dealer -> not qualified
        auto -> seat 2 ante won 10, play 5 pushed, round over
        2: net 0
        """,
    )


@pytest.mark.clause('NJ 13:69F-39.1 "Round of play"', 'NJ 13:69F-39.1 "Stub"')
def test_a_round_ends_when_every_wager_is_settled_and_the_table_cleared() -> None:
    play(
        PIK_IT,
        """
        bets 10 10
        rack stub -> stub racked 42
        play 5
        reveal dealer
        auto off
        clear  -> refused: NOT_THIS_STEP
        settle
        settle
        settle
        clear  -> dealer racked [NJ 13:69F-39.10(g)], round over [NJ 13:69F-39.1 "Round of play"]
        """,
    )
