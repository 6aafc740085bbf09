"""The ranking of hands: 32.5 and its twins for five cards, 39.4 for three."""

from __future__ import annotations

from itertools import combinations, pairwise, permutations

import pytest
from helpers import deals, plain_five, plain_three, texts
from hypothesis import given
from hypothesis import strategies as st

from croupier.cards.card import DECK, Card, cards
from croupier.cards.ranking import (
    FIVE_CARD_RANKING,
    THREE_CARD_RANKING,
    FiveCard,
    Strength,
    ThreeCard,
    best_five,
    best_three,
    rank_five,
    rank_three,
    words,
)


def five(text: str) -> Strength:
    return rank_five(cards(text))


def three(text: str) -> Strength:
    return rank_three(cards(text))


def falls(*hands: str) -> bool:
    """Whether each five-card hand ranks above the next."""
    return all(five(high) > five(low) for high, low in pairwise(hands))


def falls_3(*hands: str) -> bool:
    return all(three(high) > three(low) for high, low in pairwise(hands))


# --- five cards: 32.5 and its twins ---------------------------------------------------------


@pytest.mark.twins("NJ 19:47-32.5(a)")
@pytest.mark.clause("NJ 13:69F-39.4(a)")
def test_32_5_a__aces_are_high_and_twos_low_and_an_ace_stands_below_a_two_only() -> None:
    lone = [f"{rank}s 5d 4c 3h 2h" for rank in "KQJT987"]
    assert falls("As 6d 4c 3h 2h", *lone)
    assert five("As 5d 4c 3h 2h").kind is FiveCard.STRAIGHT
    assert five("As 5s 4s 3s 2s").kind is FiveCard.STRAIGHT_FLUSH
    assert three("As 2d 3c").kind is ThreeCard.STRAIGHT
    for wrapped in ("Ks As 2d 3c 4h", "Qs Ks Ad 2c 3h", "Js Qs Kd Ac 2h"):
        assert five(wrapped).kind is FiveCard.HIGH_CARD


@pytest.mark.twins("NJ 19:47-32.5(b)")
@pytest.mark.clause('NJ 19:47-32.1 "Rank"', 'MA UTH 1 "Rank"')
def test_32_5_b__the_nine_kinds_rank_in_the_order_listed() -> None:
    assert falls(
        "As Ks Qs Js Ts",  # royal flush
        "5d 4d 3d 2d Ad",  # the lowest straight flush
        "2s 2h 2d 2c 3s",  # the lowest four-of-a-kind
        "2s 2h 2d 3c 3s",  # the lowest full house
        "7c 5c 4c 3c 2c",  # the lowest flush
        "5s 4d 3d 2d Ad",  # the lowest straight
        "2s 2h 2d 4c 3s",  # the lowest three-of-a-kind
        "3s 3h 2d 2c 4s",  # the lowest two pairs
        "2s 2h 5d 4c 3s",  # the lowest pair
        "As Kh Qd Jc 9s",  # nothing
    )


@pytest.mark.twins("NJ 19:47-32.5(b)1")
def test_32_5_b_1__a_royal_flush_is_ten_to_ace_in_one_suit_and_all_four_are_equal() -> None:
    royals = [five(" ".join(rank + suit for rank in "TJQKA")) for suit in "cdhs"]
    assert {royal.kind for royal in royals} == {FiveCard.ROYAL_FLUSH}
    assert len(set(royals)) == 1
    assert five("Ts Js Qs Ks Ad").kind is FiveCard.STRAIGHT
    assert five("9s Ts Js Qs Ks").kind is FiveCard.STRAIGHT_FLUSH


@pytest.mark.twins("NJ 19:47-32.5(b)2")
@pytest.mark.ruling("K2")
def test_32_5_b_2__straight_flushes_run_from_king_high_down_to_five_high() -> None:
    runs = [" ".join(f"{rank}h" for rank in "KQJT98765432"[i : i + 5]) for i in range(8)]
    assert all(five(run).kind is FiveCard.STRAIGHT_FLUSH for run in runs)
    assert falls("Ah Kh Qh Jh Th", *runs, "5h 4h 3h 2h Ah", "Ks Kh Kd Kc As")


@pytest.mark.twins("NJ 19:47-32.5(b)3")
def test_32_5_b_3__four_of_a_kind_ranks_by_the_four_then_the_fifth() -> None:
    assert falls("As Ah Ad Ac 2s", "Ks Kh Kd Kc As", "2s 2h 2d 2c As", "2s 2h 2d 2c 3s")
    assert falls("2s 2h 2d 2c 3s", "As Ah Ad Kc Ks")
    assert five("2s 2h 2d 2c 3s").kind is FiveCard.FOUR_OF_A_KIND


@pytest.mark.twins("NJ 19:47-32.5(b)4")
@pytest.mark.ruling("K1")
def test_32_5_b_4__full_houses_rank_by_the_three_from_aces_over_kings_to_twos_over_threes() -> None:
    assert falls("As Ah Ad Kc Ks", "As Ah Ad Qc Qs", "Ks Kh Kd Ac As", "2s 2h 2d Ac As")
    assert falls("2s 2h 2d Ac As", "2s 2h 2d 3c 3s")
    assert five("2s 2h 2d 3c 3s").kind is FiveCard.FULL_HOUSE


@pytest.mark.twins("NJ 19:47-32.5(b)5")
@pytest.mark.ruling("K2")
def test_32_5_b_5__a_flush_is_one_suit_and_no_sequence_from_akqj9_to_75432() -> None:
    assert falls("As Ks Qs Js 9s", "As Ks Qs Js 8s", "Ad Kd Qd 3d 2d", "7s 5s 4s 3s 2s")
    assert five("7s 5s 4s 3s 2s").kind is FiveCard.FLUSH
    assert five("6s 5s 4s 3s 2s").kind is FiveCard.STRAIGHT_FLUSH  # one card nearer
    assert five("7s 5s 4s 3s 2d").kind is FiveCard.HIGH_CARD


@pytest.mark.twins("NJ 19:47-32.5(b)6")
@pytest.mark.ruling("K1", "K2")
def test_32_5_b_6__straights_run_from_ace_high_to_five_high_and_never_round_the_ace() -> None:
    ranks = "AKQJT98765432"
    runs = [
        " ".join(r + s for r, s in zip(ranks[i : i + 5], "shhdc", strict=True)) for i in range(9)
    ]
    assert all(five(run).kind is FiveCard.STRAIGHT for run in runs)
    assert falls(*runs, "5s 4h 3h 2d Ac", "As Ah Ad Kc Qs")
    assert five("Qs Kh Ah 2d 3c").kind is FiveCard.HIGH_CARD


@pytest.mark.twins("NJ 19:47-32.5(b)7")
def test_32_5_b_7__three_of_a_kind_ranks_from_aces_to_twos_then_by_both_kickers() -> None:
    assert falls("As Ah Ad 3c 2s", "Ks Kh Kd Ac Qs", "2s 2h 2d Ac Ks", "2s 2h 2d Ac Qs")
    assert falls("2s 2h 2d Ac Qs", "2s 2h 2d 4c 3s", "As Ah Kd Kc Qs")
    assert five("2s 2h 2d 4c 3s").kind is FiveCard.THREE_OF_A_KIND


@pytest.mark.twins("NJ 19:47-32.5(b)8")
def test_32_5_b_8__two_pairs_rank_by_the_higher_pair_then_the_lower_then_the_fifth() -> None:
    assert falls("As Ah Kd Kc 2s", "As Ah Qd Qc Ks", "As Ah 2d 2c Ks", "Ks Kh Qd Qc As")
    assert falls("3s 3h 2d 2c As", "3s 3h 2d 2c 4s", "As Ah Kd Qc Js")
    assert five("3s 3h 2d 2c 4s").kind is FiveCard.TWO_PAIR


@pytest.mark.twins("NJ 19:47-32.5(b)9")
def test_32_5_b_9__one_pair_ranks_from_aces_to_twos_then_by_three_kickers() -> None:
    assert falls("As Ah 4d 3c 2s", "Ks Kh Ad Qc Js", "2s 2h Ad Kc Qs", "2s 2h Ad Kc Js")
    assert falls("2s 2h Ad Kc Js", "2s 2h Ad Qc Js", "2s 2h 5d 4c 3s", "As Kh Qd Jc 9s")
    assert five("2s 2h 5d 4c 3s").kind is FiveCard.ONE_PAIR


@pytest.mark.twins("NJ 19:47-32.5(c)")
@pytest.mark.ruling("K1")
def test_32_5_c__the_group_decides_before_any_kicker_and_equal_hands_tie() -> None:
    assert falls("Ks Kh Qd 4c 3s", "2s 2h Ad 4d 3h")  # the literal text would turn this round
    assert falls("6s 5h 4d 3c 2s", "5d 4h 3d 2c As")
    assert falls("As Ah Ad Kc Ks", "Kd Kh Kc Ac As")
    assert falls("As Kh 9d 5c 3s", "Ad Kc 9h 5s 2s")  # the last card decides
    assert five("As Kh 9d 5c 3s") == five("Ad Kc 9h 5s 3h")
    assert five("As Ah 9d 5c 3s") == five("Ad Ac 9h 5s 3h")


@pytest.mark.twins('NJ 19:47-32.1 "Suit"')
@given(hand=deals(5), order=st.permutations(range(4)))
def test_no_suit_ranks_above_another(hand: tuple[Card, ...], order: list[int]) -> None:
    """Whichever suits change places, the strength is the same."""
    moved = tuple(Card((each >> 2) * 4 + order[each & 3]) for each in hand)
    assert rank_five(hand) == rank_five(moved)
    assert rank_three(hand[:3]) == rank_three(moved[:3])


# --- three cards: 39.4 ----------------------------------------------------------------------


@pytest.mark.clause("NJ 13:69F-39.4(c)")
def test_39_4_c__the_six_kinds_of_three_rank_in_the_order_listed() -> None:
    assert falls_3(
        "As Ks Qs",  # royal flush
        "3d 2d Ad",  # the lowest straight flush
        "2s 2h 2d",  # three-of-a-kind beats a straight here
        "3s 2d Ad",  # a straight beats a flush here
        "5c 3c 2c",
        "2s 2h 3d",
        "As Kh Jd",
    )


@pytest.mark.clause("NJ 13:69F-39.4(c)1")
def test_39_4_c_1__only_suited_ace_king_queen_is_the_royal_flush_of_three() -> None:
    assert {three(f"A{s} K{s} Q{s}").kind for s in "cdhs"} == {ThreeCard.ROYAL_FLUSH}
    assert three("As Ks Qd").kind is ThreeCard.STRAIGHT
    assert three("Ks Qs Js").kind is ThreeCard.STRAIGHT_FLUSH


@pytest.mark.clause("NJ 13:69F-39.4(c)2")
@pytest.mark.ruling("P13", "K2")
def test_39_4_c_2__suited_runs_of_three_go_from_kqj_to_32a_and_king_ace_two_is_only_a_flush() -> (
    None
):
    runs = [" ".join(f"{rank}h" for rank in "KQJT98765432"[i : i + 3]) for i in range(10)]
    assert all(three(run).kind is ThreeCard.STRAIGHT_FLUSH for run in runs)
    assert falls_3("Ah Kh Qh", *runs, "3h 2h Ah", "As Ah Ad")
    assert three("Kh Ah 2h").kind is ThreeCard.FLUSH


@pytest.mark.clause("NJ 13:69F-39.4(c)3")
def test_39_4_c_3__three_alike_rank_from_aces_to_twos_above_every_straight() -> None:
    assert falls_3(*(f"{rank}s {rank}h {rank}d" for rank in "AKQJT98765432"), "As Kd Qs")
    assert three("2s 2h 2d").kind is ThreeCard.THREE_OF_A_KIND


@pytest.mark.clause("NJ 13:69F-39.4(c)4")
@pytest.mark.ruling("P13", "K1", "K2")
def test_39_4_c_4__straights_of_three_go_from_akq_to_32a_and_king_ace_two_is_none() -> None:
    ranks = "AKQJT98765432"
    runs = [f"{ranks[i]}s {ranks[i + 1]}h {ranks[i + 2]}h" for i in range(11)]
    assert all(three(run).kind is ThreeCard.STRAIGHT for run in runs)
    assert falls_3(*runs, "3s 2h Ah", "As Ks Js")
    assert three("Ks Ah 2h").kind is ThreeCard.HIGH_CARD


@pytest.mark.clause("NJ 13:69F-39.4(c)5")
@pytest.mark.ruling("K2")
def test_39_4_c_5__a_flush_of_three_is_suited_and_no_sequence_and_beats_a_pair() -> None:
    assert falls_3("As Ks Js", "As Ks Ts", "5s 3s 2s", "As Ah Kd")
    assert three("5s 3s 2s").kind is ThreeCard.FLUSH
    assert three("4s 3s 2s").kind is ThreeCard.STRAIGHT_FLUSH


@pytest.mark.clause("NJ 13:69F-39.4(c)6")
def test_39_4_c_6__a_pair_of_three_ranks_from_aces_to_twos_then_by_the_third_card() -> None:
    assert falls_3("As Ah 2d", "Ks Kh Ad", "2s 2h Ad", "2s 2h 3d", "As Kh Jd")
    assert three("2s 2h 3d").kind is ThreeCard.PAIR


@pytest.mark.clause("NJ 13:69F-39.4(d)")
@pytest.mark.ruling("K1")
def test_39_4_d__of_one_kind_the_higher_card_decides_and_equal_threes_tie() -> None:
    assert falls_3("Ks Kh 3d", "2s 2h Ad")
    assert falls_3("As Kh 3d", "As Kh 2d", "As Qh Jd")
    assert three("As Kh 3d") == three("Ad Ks 3c")


def test_the_best_of_more_cards_is_found_wherever_it_lies() -> None:
    assert best_five(cards("2c As 7d Ks Qs Js Ts")) == five("As Ks Qs Js Ts")
    assert best_three(cards("2c As 7d Ks Qs")) == three("As Ks Qs")
    assert best_three(cards("9c 9d 4h 5h Kh")) == three("4h 5h Kh")  # a flush over the pair


# --- the whole order against a ranker written otherwise -------------------------------------


@given(hand=deals(5))
def test_five_cards_rank_as_a_ranker_written_otherwise_ranks_them(hand: tuple[Card, ...]) -> None:
    plain = plain_five(texts(hand))
    assert rank_five(hand).kind == plain[0]
    assert rank_five(hand) == max(rank_five(each) for each in permutations(hand))


@given(both=deals(10))
def test_five_cards_compare_as_a_ranker_written_otherwise_does(both: tuple[Card, ...]) -> None:
    mine, yours = both[:5], both[5:]
    plain, other = plain_five(texts(mine)), plain_five(texts(yours))
    assert (rank_five(mine) > rank_five(yours)) == (plain > other)
    assert (rank_five(mine) == rank_five(yours)) == (plain == other)


def test_all_22_100_threes_stand_in_the_same_order_as_under_the_other_ranker() -> None:
    threes = list(combinations(DECK, 3))
    pairs = {(rank_three(each), plain_three(texts(each))) for each in threes}
    ordered = sorted(pairs)
    assert len(threes) == 22_100
    assert len({mine for mine, _ in pairs}) == len({plain for _, plain in pairs}) == len(pairs)
    assert [plain for _, plain in ordered] == sorted(plain for _, plain in pairs)


def test_each_kind_carries_the_clause_that_defines_it() -> None:
    assert [cite.id for _, _, cite in FIVE_CARD_RANKING.kinds] == [
        f"NJ 19:47-32.5(b){n}" for n in range(1, 10)
    ]
    assert [cite.id for _, _, cite in THREE_CARD_RANKING.kinds] == [
        f"NJ 13:69F-39.4(c){n}" for n in range(1, 7)
    ]


@pytest.mark.parametrize(
    ("hand", "said"),
    [
        ("As Ks Qs Js Ts", "a royal flush"),
        ("8s 7s 6s 5s 4s", "an eight-high straight flush"),
        ("6s 6h 6d 6c 2s", "four sixes"),
        ("Ks Kh Kd 2c 2s", "a full house, kings over twos"),
        ("As 9s 5s 4s 3s", "an ace-high flush"),
        ("5s 4h 3d 2c As", "a five-high straight"),
        ("Js Jh Jd 3c 2s", "three jacks"),
        ("As Ah 8d 8c 2s", "two pair, aces and eights"),
        ("Ts Th 4d 3c 2s", "a pair of tens"),
        ("Qs 9h 4d 3c 2s", "queen-high"),
    ],
)
def test_a_dealer_announces_each_kind_of_hand(hand: str, said: str) -> None:
    assert words(five(hand)) == said


@pytest.mark.parametrize(
    ("hand", "said"),
    [
        ("As Ks Qs", "a royal flush"),
        ("Ks Qs Js", "a king-high straight flush"),
        ("6s 6h 6d", "three sixes"),
        ("As 2h 3d", "a three-high straight"),
        ("Ks As 2s", "an ace-high flush"),
        ("9s 9h 2d", "a pair of nines"),
        ("As Kh 2d", "ace-high"),
    ],
)
def test_a_dealer_announces_each_kind_of_three(hand: str, said: str) -> None:
    assert words(three(hand)) == said


def test_a_hand_of_three_and_one_of_five_never_share_their_words() -> None:
    """Their kinds share numbers: a straight of five is 4, and so is three-of-a-kind of three."""
    straight = rank_five(cards("3s 4d 5c 6h 7h"))
    three = rank_three(cards("7s 7d 7c"))
    for _ in range(2):
        assert words(straight) == "a seven-high straight"
        assert words(three) == "three sevens"
