"""Settling a reported hand: what cannot have happened is refused, in one sentence by its clause."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from croupier.house import finished_hand
from croupier.house.finished_hand import Finished
from croupier.house.submission import House, default_house, read_data
from croupier.law.refused import Refused

NJ = "nj-ultimate-texas-holdem"
MA = "ma-ultimate-texas-holdem"
CARIBBEAN = "nj-caribbean-stud"
RIDE = "nj-let-it-ride"
PIK_IT = "nj-pik-it-poker"

TEN = 1_000  # dollars, in cents

HOLDEM = {
    "player": "As Kd",
    "dealer": "Qh Qs",
    "board": "Ac 7d 2s 9h 4c",
    "ante": TEN,
    "play": 4,
    "fold": False,
}
STUD = {
    "player": "Ah Kc Jd 8s 3h",
    "dealer": "Ks Qd 9h 8c 2d",
    "ante": TEN,
    "bet": True,
    "fold": False,
}
LETTING = {"player": "Td 4c 9h", "community": "Ts 2h", "bets": TEN}
PICKING = {
    "player": "Ah Kh Qh 2c 2d",
    "dealer": "Kc Ks 9d 8h 3s",
    "ante": TEN,
    "play": 3,
    "fold": False,
}
SETTLE: dict[str, tuple[Callable[..., Finished], dict[str, object]]] = {
    NJ: (finished_hand.ultimate_texas_holdem, HOLDEM),
    MA: (finished_hand.ultimate_texas_holdem, HOLDEM),
    CARIBBEAN: (finished_hand.caribbean, STUD),
    RIDE: (finished_hand.ride, LETTING),
    PIK_IT: (finished_hand.pikit, PICKING),
}


def settle(book: str, house: House | None = None, **changes: object) -> Finished:
    function, report = SETTLE[book]
    return function(house or default_house(book), **{**report, **changes})


def results(finished: Finished) -> list[tuple[str, str, int]]:
    return [(s.wager, str(s.result), s.win) for s in finished.settlements]


DUPLICATE = "The As is there twice; a deck holds each card once."


@pytest.mark.parametrize(
    ("book", "changes", "sentence", "cite"),
    [
        # cards
        (NJ, {"player": "As"}, "The player holds 2 cards, not 1 (As).", '32.1 "Hand"'),
        (NJ, {"player": ""}, "The player holds 2 cards, not 0 (none).", '32.1 "Hand"'),
        (NJ, {"dealer": "Qh Qs Qd"}, "The dealer holds 2 cards, not 3 (Qh Qs Qd).", '32.1 "Hand"'),
        (
            NJ,
            {"board": "Ac 7d 2s 9h"},
            "The board has 5 cards, not 4 (Ac 7d 2s 9h).",
            '32.1 "Hand"',
        ),
        (NJ, {"others": ["2c"]}, "Another player holds 2 cards, not 1 (2c).", '32.1 "Hand"'),
        (NJ, {"player": "As As"}, DUPLICATE, None),
        (NJ, {"dealer": "Qh As"}, DUPLICATE, None),
        (NJ, {"others": ["2c As"]}, DUPLICATE, None),
        (NJ, {"player": "As 1d"}, "'1d' is not a card; write rank and suit, ", None),
        (MA, {"player": "As"}, "The player holds 2 cards, not 1 (As).", '1 "Hand"'),
        (CARIBBEAN, {"player": "Ah"}, "The player holds 5 cards, not 1 (Ah).", "16.7(d)"),
        (CARIBBEAN, {"dealer": "Ah"}, "The dealer holds 5 cards, not 1 (Ah).", "16.7(d)"),
        (CARIBBEAN, {"dealer": "Ah Qd 9h 8c 2d"}, "The Ah is there twice; ", None),
        (RIDE, {"player": "Td"}, "The player holds 3 cards, not 1 (Td).", '18.1 "Hand"'),
        (RIDE, {"community": "Ts 2h 3h"}, "The hand is completed by 2 cards, ", '18.1 "Hand"'),
        (RIDE, {"community": "Td 2h"}, "The Td is there twice; ", None),
        (PIK_IT, {"player": "Ah"}, "The player holds 5 cards, not 1 (Ah).", "39.7(c)"),
        (PIK_IT, {"dealer": "Ac"}, "The dealer holds 5 cards, not 1 (Ac).", "39.7(c)"),
        # wagers before the deal
        (NJ, {"ante": None}, "The ante wager must be made to be dealt in.", '32.1 "Ante"'),
        (NJ, {"ante": 499}, "The ante wager of $4.99 is outside the posted ", '32.1 "Ante"'),
        (NJ, {"ante": 50_001}, "The ante wager of $500.01 is outside the ", '32.1 "Ante"'),
        (NJ, {"trips": 99}, "The trips wager of $0.99 is outside the ", '32.1 "Trips wager"'),
        (NJ, {"ante": 501}, "A blind wager of $5.01 could not be paid 3 to 2 ", "32.11(c)"),
        (NJ, {"ante": None, "trips": 500}, "The trips wager is made only beside ", "32.6(c)"),
        (MA, {"ante": None, "trips": 500}, "The trips wager is made only beside ", "6(c)"),
        (MA, {"ante": None, "cover_all": 500}, "The cover all wager is made only ", "13(a)"),
        (MA, {"progressive": True}, "This table does not offer the progressive ", "14(a)"),
        (CARIBBEAN, {"ante": None}, "The ante wager must be made to be dealt in.", "16.6(b)"),
        (CARIBBEAN, {"ante": None, "progressive": True}, "The progressive wager is ", "16.6(c)"),
        (RIDE, {"bets": None}, "The bet 1 wager must be made to be dealt in.", "18.6(d)"),
        (RIDE, {"bets": None, "bonus": True}, "The let it ride bonus wager is ", "18.6A(b)"),
        (RIDE, {"bets": None, "three_card": 500}, "The three card bonus wager is ", "18.6B(b)"),
        (PIK_IT, {"ante": None}, "The ante wager must be made to be ", '39.1 "Ante wager"'),
        (PIK_IT, {"ante": None, "three_card_bonus": 500}, "The 3 card bonus wager ", "39.3(a)"),
        # decisions
        (NJ, {"play": None}, "Say either how the hand was played ", "32.10(e)"),
        (NJ, {"fold": True}, "Say either how the hand was played ", "32.10(e)"),
        (NJ, {"play": 5}, "The before flop wager is 3 or 4 times the ante, not 5 ", "32.10(a)"),
        (NJ, {"play": 0}, "The after river wager is 1 times the ante, not 0 ", "32.10(e)"),
        (MA, {"play": None}, "Say either how the hand was played ", "10(e)"),
        (MA, {"play": 5}, "The before flop wager is 3 or 4 times the ante, not 5 ", "10(a)"),
        (CARIBBEAN, {"bet": False}, "Say either bet or fold.", "16.10(a)"),
        (CARIBBEAN, {"fold": True}, "Say either bet or fold.", "16.10(a)"),
        (CARIBBEAN, {"sharing": 0}, "From one hand to 6 share the meter here.", "8(c)"),
        (RIDE, {"withdraw": [3]}, "Only bet 1 and bet 2 may be withdrawn.", "18.6(d)"),
        (RIDE, {"withdraw": [1, 4]}, "Only bet 1 and bet 2 may be withdrawn.", "18.6(d)"),
        (PIK_IT, {"play": None}, "Say either play 3, play 5 or fold.", "39.3(b)"),
        (PIK_IT, {"fold": True}, "Say either play 3, play 5 or fold.", "39.3(b)"),
        (PIK_IT, {"play": 4}, "A hand is played as 3 or 5 cards, not 4.", "39.3(b)"),
        (PIK_IT, {"picked": "Ah Kh Qh"}, "A 3 card bonus goes with three picked ", "39.10(b)"),
        (PIK_IT, {"three_card_bonus": 500}, "A 3 card bonus goes with three ", "39.10(b)"),
        (
            PIK_IT,
            {"picked": "Ah Kh", "three_card_bonus": 500},
            "The player picks 3 cards, not 2 (Ah Kh).",
            "39.10(b)",
        ),
        (
            PIK_IT,
            {"picked": "Ah Kh Jh", "three_card_bonus": 500},
            "The picked cards must be among the player's five.",
            "39.10(b)",
        ),
        # coupons
        (NJ, {"match_play": TEN}, "This house takes no match play coupons.", "32.6(a)"),
        (MA, {"match_play": TEN}, "This house takes no match play coupons.", "6(a)"),
        (CARIBBEAN, {"match_play": TEN}, "This house takes no match play coupons.", "16.6(a)"),
        (PIK_IT, {"match_play": TEN}, "This house takes no match play coupons.", "39.3(c)"),
    ],
)
def test_a_hand_that_cannot_have_happened_is_refused_in_one_sentence(
    book: str, changes: dict[str, Any], sentence: str, cite: str | None
) -> None:
    with pytest.raises(Refused) as refused:
        settle(book, **changes)
    assert refused.value.sentence.startswith(sentence)
    assert refused.value.sentence.endswith(".")
    assert "\n" not in refused.value.sentence
    found = refused.value.clause
    if cite is None:
        assert found is None
    else:
        assert found is not None
        prefix = {
            NJ: "NJ 19:47-",
            MA: "MA UTH ",
            CARIBBEAN: "SUPPLIED S2." if cite == "8(c)" else "NJ 19:47-",
            RIDE: "NJ 19:47-",
            PIK_IT: "NJ 13:69F-",
        }[book]
        assert found.id == prefix + cite


def test_a_wager_of_another_state_is_not_offered() -> None:
    with pytest.raises(Refused, match="This table does not offer the cover all wager") as refused:
        settle(NJ, cover_all=500)
    assert refused.value.clause is not None


@pytest.mark.clause("MA UTH 13(k)")
@pytest.mark.ruling("M2")
def test_ma_13_k__seven_hands_with_the_dealers_are_the_most_at_six_positions() -> None:
    others = ["2c 3c", "3d 5d", "6c 8c", "Tc Jd", "Jc Kc", "5h 6h"]
    finished = settle(MA, others=others[:5], cover_all=500)
    assert finished.hands[-1] == "Hands dealt, the dealer's included: 7"
    with pytest.raises(Refused, match="This table has 6 positions"):
        settle(MA, others=others, cover_all=500)


@pytest.mark.clause("MA UTH 14(a)", "MA UTH 14(b)")
@pytest.mark.ruling("M5")
def test_ma_14_b__the_progressive_is_5_dollars_and_made_only_beside_trips() -> None:
    house = read_data(
        {
            "rulebook": MA,
            "offered": ["trips", "progressive"],
            "progressive": {"meter": 10_000, "seed": 10_000, "contribution": 4},
            "pay": {"progressive": {"royal-flush": "100 %", "pair": "$20"}},
        }
    )
    with pytest.raises(Refused, match="made only beside ante and blind and trips") as refused:
        settle(MA, house, progressive=True)
    assert refused.value.clause is not None
    assert refused.value.clause.id == "MA UTH 14(b)"
    finished = settle(MA, house, progressive=True, trips=500)
    (progressive,) = [s for s in finished.settlements if s.wager == "progressive"]
    assert (progressive.amount, progressive.win) == (500, 2_000)  # a pair in hole cards and flop


@pytest.mark.clause("NJ 19:47-32.6(a)", "MA UTH 6(a)", "NJ 19:47-16.6(a)", "NJ 13:69F-39.3(c)")
@pytest.mark.ruling("K5")
@pytest.mark.parametrize("book", [NJ, MA, CARIBBEAN, PIK_IT])
def test_32_6_a__a_coupon_beside_at_least_its_value_in_chips_wins_its_value_too(book: str) -> None:
    house = read_data({"rulebook": book, "match_play": True})
    plain, with_coupon = settle(book, house), settle(book, house, match_play=TEN)
    assert with_coupon.net == plain.net + TEN
    ante = next(s for s in with_coupon.settlements if s.wager == "ante")
    assert (ante.amount, ante.win) == (TEN, 2 * TEN)
    assert "A match play coupon adds $10" in ante.reason
    with pytest.raises(Refused, match=r"A match play coupon of \$10.01 needs chips") as refused:
        settle(book, house, match_play=TEN + 1)
    assert refused.value.clause is not None


@pytest.mark.ruling("K5")
@pytest.mark.parametrize("book", [NJ, MA, CARIBBEAN, PIK_IT])
def test_32_6_a__a_coupon_on_a_folded_ante_wins_nothing(book: str) -> None:
    house = read_data({"rulebook": book, "match_play": True})
    change = {"bet": False} if book == CARIBBEAN else {"play": None}
    folded = settle(book, house, match_play=TEN, fold=True, **change)
    assert ("ante", "lost", 0) in results(folded)


@pytest.mark.clause("SUPPLIED S2.8(a)", "SUPPLIED S2.8(c)")
@pytest.mark.ruling("S5", "H2")
@pytest.mark.parametrize(
    ("changes", "win", "cite"),
    [
        ({}, 1_000_000, "SUPPLIED S2.8(a)"),  # the house's meter of $10,000, one winner
        ({"meter": 2_000_001}, 2_000_001, "SUPPLIED S2.8(a)"),
        ({"meter": 2_000_001, "sharing": 2}, 1_000_000, "SUPPLIED S2.8(c)"),  # a cent stays
    ],
)
def test_s2_8__a_royal_flush_wins_the_meter_and_two_share_it(
    changes: dict[str, Any], win: int, cite: str
) -> None:
    royal: dict[str, Any] = {"player": "Ah Kh Qh Jh Th", "progressive": True}
    progressive = settle(CARIBBEAN, **royal, **changes).settlements[-1]
    assert (progressive.wager, progressive.win, progressive.clause.id) == ("progressive", win, cite)


@pytest.mark.clause("NJ 13:69F-39.10(d)")
@pytest.mark.parametrize(
    ("qualifier", "dealer", "words"),
    [
        (True, "Ks Kc 9d 8h 3s", "a pair of kings, qualifies; three cards: a pair of kings"),
        (True, "Ks Qc 9d 8h 3s", "king-high, does not qualify; three cards: "),
        (False, "Ks Kc 9d 8h 3s", "a pair of kings; three cards: a pair of kings"),
        (False, "Ks Qc 9d 8h 3s", "king-high; three cards: "),
    ],
)
def test_39_10_d__pik_its_dealer_announces_both_hands_and_whether_they_qualify_if_they_must(
    qualifier: bool, dealer: str, words: str
) -> None:
    house = read_data({"rulebook": PIK_IT, "qualifier": qualifier})
    finished = settle(PIK_IT, house, dealer=dealer)
    assert finished.hands[1].startswith(f"Dealer: {words}")


@pytest.mark.ruling("P10")
@pytest.mark.parametrize("played", [3, 5])
def test_39_10_e__both_alternatives_of_pik_it_pay_the_same_money(played: int) -> None:
    first, second = (
        settle(PIK_IT, read_data({"rulebook": PIK_IT, "settlement": n}), play=played)
        for n in (1, 2)
    )
    expected = {
        3: [("5 card bonus", "lost", 0), ("ante", "won", TEN), ("play 3", "won", 2 * TEN)],
        5: [("5 card bonus", "lost", 0), ("ante", "lost", 0), ("play 5", "lost", 0)],
    }[played]
    assert results(first) == results(second) == expected
