"""Pik-It Poker: 39.3, 39.4 and 39.10 to 39.11, with and without the dealer's qualifier."""

from __future__ import annotations

from itertools import permutations

import pytest
from helpers import PIK_IT, cited, house, only, pikit, terms_of, told

from croupier.cards.card import cards
from croupier.cards.ranking import rank_five
from croupier.games import pik_it
from croupier.games.pik_it import ALTERNATIVES
from croupier.house.check import check
from croupier.rules.settlement import total

NO_QUALIFY = "Ah Qd Jc Ts 9h"  # the best hand that does not qualify
QUALIFIED = "Ah Kd 4c 3s 2h"  # the lowest that does


def main(
    player: str, dealer: str, played: str, *, qualifier: bool = True, alternative: int = 1
) -> str:
    """What became of ante and play, without the bonus."""
    terms = terms_of(PIK_IT, qualifier=qualifier, settlement=alternative)
    return told(pikit(player, dealer, played=played, terms=terms)[1:])


# --- the dealer's hand -----------------------------------------------------------------------


@pytest.mark.clause('NJ 13:69F-39.1 "Qualifying hand"')
@pytest.mark.parametrize(
    ("dealer", "qualified"),
    [
        (NO_QUALIFY, False),
        (QUALIFIED, True),
        ("Ah Kd 5c 3s 2h", True),
        ("Kh Qd Jc Ts 6h", False),
        ("2h 2d 3c 4s 6h", True),
        ("Ah 2d 3c 4s 5h", True),
    ],
)
def test_39_1__the_dealer_qualifies_with_at_least_ace_king_four_three_two(
    dealer: str, qualified: bool
) -> None:
    assert pik_it.qualifies(rank_five(cards(dealer))) is qualified
    play = "play 5 won 10" if qualified else "play 5 pushed"
    assert main("8s 8h 8d 8c 7s", dealer, "play 5") == f"ante won 5, {play}"


# --- play 5 ----------------------------------------------------------------------------------


@pytest.mark.clause("NJ 13:69F-39.10(f)", "NJ 13:69F-39.11(a)")
@pytest.mark.ruling("P5")
@pytest.mark.parametrize(
    ("player", "ante"),
    [
        ("2s 2c 3d 4d 6s", "ante won 5"),
        ("As Qs Jd Td 9s", "ante pushed"),
        ("As Qs Jd Td 8s", "ante lost"),
    ],
)
def test_p5__without_a_qualifier_play_5_pushes_and_the_ante_follows_the_five_cards(
    player: str, ante: str
) -> None:
    settled = pikit(player, NO_QUALIFY, played="play 5")
    assert told(settled[1:]) == f"{ante}, play 5 pushed"
    assert cited(settled, "play 5") == "NJ 13:69F-39.10(f)"


@pytest.mark.clause("NJ 13:69F-39.11(a)", "NJ 13:69F-39.4(d)", "NJ 13:69F-39.10(e)1ii")
@pytest.mark.ruling("P7", "K3")
@pytest.mark.parametrize(
    ("player", "expected", "clause"),
    [
        ("2s 2c 3d 4d 6s", "ante won 5, play 5 won 10", "NJ 13:69F-39.11(a)"),
        ("As Ks 4d 3d 2s", "ante pushed, play 5 pushed", "NJ 13:69F-39.4(d)"),
        ("As Qs Jd Td 9s", "ante lost, play 5 lost", "NJ 13:69F-39.10(e)1ii"),
    ],
)
def test_p7__against_a_qualified_dealer_five_cards_win_push_or_lose_ante_and_play_5(
    player: str, expected: str, clause: str
) -> None:
    settled = pikit(player, QUALIFIED, played="play 5")
    assert told(settled[1:]) == expected
    assert {s.clause.id for s in settled[1:]} == {clause}


@pytest.mark.clause("NJ 13:69F-39.10(f)", "NJ 13:69F-39.11(a)")
@pytest.mark.parametrize("player", ["2s 2c 3d 4d 6s", "As Qs Jd Td 8s"])
def test_39_10_f__a_house_that_plays_without_a_qualifier_pays_and_takes_play_5_always(
    player: str,
) -> None:
    result = "won" if player.startswith("2") else "lost"
    paid = {"won": "ante won 5, play 5 won 10", "lost": "ante lost, play 5 lost"}[result]
    assert main(player, NO_QUALIFY, "play 5", qualifier=False) == paid


# --- play 3 ----------------------------------------------------------------------------------


@pytest.mark.clause("NJ 13:69E-1.13Y(d)2ii", 'NJ 13:69F-39.1 "Play 3 wager"', "NJ 13:69F-39.11(a)")
@pytest.mark.ruling("P6", "P7")
@pytest.mark.parametrize("qualifier", [True, False])
@pytest.mark.parametrize("dealer", ["Ah Qd Jc 6h 4c", "Ah Kd Jc 6h 4c"])  # no, yes
@pytest.mark.parametrize(
    ("player", "expected"),
    [
        ("2s 2h 7d 5c 3s", "ante won 5, play 3 won 10"),  # a pair over ace-high
        ("Ks Qh Jd 9c 8s", "ante won 5, play 3 won 10"),  # a straight of three
        ("Ts 9s 7d 5c 2s", "ante won 5, play 3 won 10"),  # a flush of three, no hand of five
        ("As Td 8d 5c 4s", "ante lost, play 3 lost"),
    ],
)
def test_p6__play_3_and_its_ante_are_settled_by_three_cards_whether_or_not_the_dealer_qualifies(
    qualifier: bool, dealer: str, player: str, expected: str
) -> None:
    assert main(player, dealer, "play 3", qualifier=qualifier) == expected


@pytest.mark.ruling("P6", "P7")
@pytest.mark.parametrize("qualifier", [True, False])
def test_p7__equal_best_threes_push_ante_and_play_3_though_the_fives_differ(
    qualifier: bool,
) -> None:
    expected = "ante pushed, play 3 pushed"
    assert main("As Qh Jd 6c 2s", "Ah Qd Jc 5h 3c", "play 3", qualifier=qualifier) == expected
    assert main("As Kh Td 6c 2s", "Ah Kd Tc 5h 3c", "play 3", qualifier=qualifier) == expected


@pytest.mark.clause(
    'NJ 13:69F-39.1 "Hand"', 'NJ 13:69F-39.1 "Play 3 wager"', 'NJ 13:69F-39.1 "Play 5 wager"'
)
def test_39_1_hand__the_same_cards_may_lose_as_five_and_win_as_three() -> None:
    player, dealer = "Ts 9s 7d 5c 2s", "Ah Ad Jc 6h 4c"  # a flush of three; a pair of aces
    assert main(player, dealer, "play 3") == "ante won 5, play 3 won 10"
    assert main(player, dealer, "play 5") == "ante lost, play 5 lost"


@pytest.mark.ruling("P13")
def test_p13__king_ace_two_is_no_straight_for_player_or_dealer() -> None:
    assert main("Ks Ah 2d 9c 7s", "8s 8d 5c 3h Jh", "play 3") == "ante lost, play 3 lost"
    assert main("8s 8d 4c Th 6h", "Ks Ah 2d 9c 7s", "play 3") == "ante won 5, play 3 won 10"


@pytest.mark.clause(
    "NJ 13:69F-39.3(b)", 'NJ 13:69F-39.1 "Play 3 wager"', 'NJ 13:69F-39.1 "Play 5 wager"'
)
@pytest.mark.ruling("P1")
@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("played", ["play 3", "play 5"])
def test_p1__a_play_wager_of_once_or_twice_the_ante_is_paid_1_to_1(times: int, played: str) -> None:
    terms = terms_of(PIK_IT, multiples={"play-3": times, "play-5": times})
    settled = pikit("9s 9h 9d 5c 7s", QUALIFIED, played=played, terms=terms)
    assert only(settled, played).win == 500 * times


# --- folds and procedure ---------------------------------------------------------------------


@pytest.mark.clause("NJ 13:69F-39.3(b)", "NJ 13:69F-39.10(c)3", 'NJ 13:69F-39.1 "Fold"')
@pytest.mark.parametrize("dealer", [QUALIFIED, NO_QUALIFY])
def test_39_3_b__a_fold_forfeits_the_ante_but_no_bonus_already_settled(dealer: str) -> None:
    settled = pikit("8s 8h 8d 5c 7s", dealer, picked="8s 8h 8d", bonus=1)
    assert told(settled) == "3 card bonus won 30, 5 card bonus won 10, ante lost"
    assert cited(settled, "ante") == "NJ 13:69F-39.3(b)"


@pytest.mark.clause("NJ 13:69F-39.10(e)1", "NJ 13:69F-39.10(e)2")
@pytest.mark.ruling("P10")
@pytest.mark.parametrize("played", ["play 3", "play 5"])
@pytest.mark.parametrize("dealer", [QUALIFIED, NO_QUALIFY, "Kh Kd Kc 3h 2c"])
def test_p10__both_alternatives_are_legal_and_the_money_is_the_same(
    played: str, dealer: str
) -> None:
    assert {number: cite.id for number, cite in ALTERNATIVES.items()} == {
        1: "NJ 13:69F-39.10(e)1",
        2: "NJ 13:69F-39.10(e)2",
    }
    legal = [check(house(PIK_IT, settlement=number)).legal for number in (0, 1, 2, 3)]
    assert legal == [False, True, True, False]
    first, second = (main("8s 8h 7d 6c 2s", dealer, played, alternative=n) for n in (1, 2))
    assert first == second


@pytest.mark.clause("NJ 13:69F-39.10(e)1ii", "NJ 13:69F-39.10(e)2ii")
@pytest.mark.ruling("P10")
@pytest.mark.parametrize("alternative", [1, 2])
def test_p10__a_lost_wager_cites_the_alternative_the_house_named(alternative: int) -> None:
    terms = terms_of(PIK_IT, settlement=alternative)
    settled = pikit("As Qs Jd Td 9s", QUALIFIED, played="play 5", terms=terms)
    assert told(settled[1:]) == "ante lost, play 5 lost"
    assert {s.clause.id for s in settled[1:]} == {f"NJ 13:69F-39.10(e){alternative}ii"}


@pytest.mark.clause("NJ 13:69F-39.4(e)", "NJ 13:69F-39.10(d)")
@pytest.mark.parametrize("played", ["", "play 3", "play 5"])
def test_39_4_e__the_cards_speak_in_whatever_order_they_lie(played: str) -> None:
    """Best five and best three are found for player and dealer alike."""
    player, dealer = cards("Ts Td 7d 5c 2s"), cards("Ah Kd 8c 6h 4h")  # three hearts
    expected = pik_it.outcome(player, dealer, played=played)
    assert (expected.versus_3, expected.versus_5) == (-1, 1)
    for shuffled in permutations(player):
        assert pik_it.outcome(shuffled, dealer, played=played) == expected
    for shuffled in permutations(dealer):
        assert pik_it.outcome(player, shuffled, played=played) == expected


# --- the bonuses -----------------------------------------------------------------------------

FIVES = {
    "two pair": "9s 9h 5d 5c 7s",
    "three-of-a-kind": "9s 9h 9d 5c 7s",
    "straight": "9s 8h 7d 6c 5s",
    "flush": "Qs 9s 7s 6s 2s",
    "full house": "9s 9h 9d 5c 5s",
    "four-of-a-kind": "9s 9h 9d 9c 5s",
    "straight flush": "9s 8s 7s 6s 5s",
    "royal flush": "As Ks Qs Js Ts",
}
FIVE_CARD = {"1": (1, 2, 5, 8, 10, 50, 250, 1_000), "2": (1, 2, 4, 6, 10, 50, 250, 750)}
THREES = {
    "pair": "9s 9h 2c",
    "flush": "Ks As 2s",
    "straight": "As 2h 3d",
    "three-of-a-kind": "9s 9h 9d",
    "straight flush": "Ks Qs Js",
    "royal flush": "As Ks Qs",
}
THREE_CARD = {
    "1": (1, 3, 6, 30, 40, 200),
    "2": (1, 3, 6, 30, 50, 100),
    "3": (1, 4, 6, 25, 35, 80),
}


@pytest.mark.clause("NJ 13:69F-39.11(b)", "NJ 13:69F-39.10(c)2")
@pytest.mark.ruling("P3", "K3")
@pytest.mark.parametrize("table", FIVE_CARD)
@pytest.mark.parametrize("played", ["", "play 3", "play 5"])
def test_39_11_b__the_5_card_bonus_pays_every_line_of_both_tables_once(
    table: str, played: str
) -> None:
    terms = terms_of(PIK_IT, pay={"five-card-bonus": table})
    for hand, odds in zip(FIVES.values(), FIVE_CARD[table], strict=True):
        settled = pikit(hand, "Kh Kd Jc 3h 3c", terms=terms, ante=7, played=played)
        bonus = only(settled, "5 card bonus")
        assert (bonus.win, bonus.clause.id) == (700 * odds, "NJ 13:69F-39.11(b)")


@pytest.mark.clause("NJ 13:69F-39.10(c)2", 'NJ 13:69F-39.1 "5 card bonus wager"')
@pytest.mark.parametrize("table", FIVE_CARD)
@pytest.mark.parametrize("hand", ["As Ad Kc 5c 7s", "As Kd Qc 5c 7s"])
def test_39_10_c_2__the_5_card_bonus_loses_below_two_pair(table: str, hand: str) -> None:
    terms = terms_of(PIK_IT, pay={"five-card-bonus": table})
    settled = pikit(hand, "Kh Qd Jc 3h 2c", terms=terms, played="play 5")
    assert told(settled[:1]) == "5 card bonus lost"
    assert cited(settled, "5 card bonus") == "NJ 13:69F-39.10(c)2"


@pytest.mark.clause("NJ 13:69F-39.11(c)", "NJ 13:69F-39.10(b)")
@pytest.mark.ruling("K3")
@pytest.mark.parametrize("table", THREE_CARD)
@pytest.mark.parametrize("kind", THREES)
def test_39_11_c__the_3_card_bonus_pays_every_line_of_all_three_tables(
    table: str, kind: str
) -> None:
    odds = dict(zip(THREES, THREE_CARD[table], strict=True))[kind]
    terms = terms_of(PIK_IT, pay={"three-card-bonus": table})
    settled = pikit(
        f"{THREES[kind]} 7c 5d", "Kh Kd Jc 3h 3c", terms=terms, picked=THREES[kind], bonus=7
    )
    assert told(settled[:1]) == f"3 card bonus won {7 * odds}"
    assert cited(settled, "3 card bonus") == "NJ 13:69F-39.11(c)"


@pytest.mark.clause('NJ 13:69F-39.1 "3 card bonus wager"', "NJ 13:69F-39.10(b)")
@pytest.mark.ruling("P2", "P13")
@pytest.mark.parametrize(
    ("hand", "picked", "expected"),
    [
        ("9s 9h 9d Kc Ah", "9s 9h 9d", "won 30"),
        ("9s 9h 9d Kc Ah", "9s Kc Ah", "lost"),  # three nines were there, and not picked
        ("9s 9h 9d Kc Ah", "9s 9h Kc", "won 1"),
        ("Ks Ah 2h 7c 5d", "Ks Ah 2h", "lost"),  # king-ace-two
    ],
)
def test_39_10_b__the_3_card_bonus_is_judged_on_the_cards_the_player_picked(
    hand: str, picked: str, expected: str
) -> None:
    settled = pikit(hand, "Qh Qd Jc 3h 3c", picked=picked, bonus=1)
    assert told(settled[:1]) == f"3 card bonus {expected}"


def test_pik_it_knows_no_payout_limit() -> None:
    terms = terms_of(PIK_IT)
    assert terms.payout_limits == ()
    settled = pikit("As Ks Qs Js Ts", "Kh Kd Jc 3h 3c", ante=500, played="play 5")
    assert total(settled) == 100 * (500_000 + 500 + 1_000)
