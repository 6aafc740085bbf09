"""Is a house legal: decks, shuffling, dealing and positions, near misses beside violations."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from croupier.games.registry import game_under
from croupier.house.check import check
from croupier.house.submission import read_data

NJ = "nj-ultimate-texas-holdem"
MA = "ma-ultimate-texas-holdem"
CARIBBEAN = "nj-caribbean-stud"
RIDE = "nj-let-it-ride"
PIK_IT = "nj-pik-it-poker"
RULEBOOKS = (NJ, MA, CARIBBEAN, RIDE, PIK_IT)

MANUAL = {"shuffling": "manual", "dealing": "manual shoe", "decks": ["red"], "offered": []}
AUTOMATED = {**MANUAL, "shuffling": "automated"}
TWO_DECKS = {**AUTOMATED, "decks": ["red", "blue"]}

Found = list[tuple[str, object, str | None]]


def violations(book: str, *changes: Mapping[str, object]) -> Found:
    data: dict[str, object] = {"rulebook": book}
    for change in changes:
        data |= change
    found = check(read_data(data)).violations
    assert all(v.sentence.endswith(".") for v in found)
    return [(v.key, v.value, v.clause.id if v.clause else None) for v in found]


# --- decks: 32.2, MA 2, S2.11, 18.2, 39.2 ---------------------------------------------------

ONE_DECK = {
    NJ: "NJ 19:47-32.2(a)",
    MA: "MA UTH 2(a)",
    CARIBBEAN: "SUPPLIED S2.11(a)",
    RIDE: "NJ 19:47-18.2(a)",
    PIK_IT: "NJ 13:69F-39.2(a)",
}
SECOND_DECK = {
    NJ: "NJ 19:47-32.2(b)",
    MA: "MA UTH 2(b)",
    CARIBBEAN: "SUPPLIED S2.11(b)",
    RIDE: "NJ 19:47-18.2(b)",
    PIK_IT: "NJ 13:69F-39.2(b)",
}
DIFFERENT_BACKS = {
    NJ: "NJ 19:47-32.2(b)2",
    MA: "MA UTH 2(b)(2)",
    CARIBBEAN: "SUPPLIED S2.11(c)",
    RIDE: "NJ 19:47-18.2(b)2",
    PIK_IT: "NJ 13:69F-39.2(b)2",
}
ALTERNATE = {
    NJ: "NJ 19:47-32.2(b)4",
    MA: "MA UTH 2(b)(4)",
    CARIBBEAN: "SUPPLIED S2.11(e)",
    RIDE: "NJ 19:47-18.2(b)4",
    PIK_IT: "NJ 13:69F-39.2(b)4",
}


@pytest.mark.twins("NJ 19:47-32.2(a)", "NJ 19:47-18.2(a)")
@pytest.mark.ruling("H1")
@pytest.mark.parametrize("book", RULEBOOKS)
def test_32_2_a__one_deck_is_legal_none_or_three_are_not(book: str) -> None:
    assert violations(book, MANUAL) == []
    assert violations(book, AUTOMATED) == []
    assert violations(book, AUTOMATED, {"decks": []}) == [("decks", [], ONE_DECK[book])]
    three = ["red", "blue", "green"]
    assert violations(book, AUTOMATED, {"decks": three}) == [("decks", three, ONE_DECK[book])]


@pytest.mark.twins("NJ 19:47-32.2(b)")
@pytest.mark.ruling("H1")
@pytest.mark.parametrize("book", RULEBOOKS)
def test_32_2_b__a_second_deck_needs_an_automated_shuffler(book: str) -> None:
    assert violations(book, TWO_DECKS) == []
    assert violations(book, TWO_DECKS, {"shuffling": "manual"}) == [
        ("decks", ["red", "blue"], SECOND_DECK[book])
    ]


@pytest.mark.twins("NJ 19:47-32.2(b)2")
@pytest.mark.ruling("H1")
@pytest.mark.parametrize("book", RULEBOOKS)
@pytest.mark.parametrize("same", [["red", "red"], ["Red", "red"]])
def test_32_2_b_2__two_decks_have_backs_of_different_colour(book: str, same: list[str]) -> None:
    assert violations(book, TWO_DECKS, {"decks": same}) == [("decks", same, DIFFERENT_BACKS[book])]


@pytest.mark.twins("NJ 19:47-32.2(b)4")
@pytest.mark.ruling("H1")
@pytest.mark.parametrize("book", RULEBOOKS)
def test_32_2_b_4__two_decks_alternate_and_one_cannot(book: str) -> None:
    assert violations(book, TWO_DECKS, {"alternate": True}) == []
    assert violations(book, AUTOMATED, {"alternate": False}) == []
    assert violations(book, TWO_DECKS, {"alternate": False}) == [
        ("alternate", False, ALTERNATE[book])
    ]
    assert violations(book, AUTOMATED, {"alternate": True}) == [
        ("alternate", True, ALTERNATE[book])
    ]


# --- shuffling: 32.4(a), 18.5(a), 39.6(a), 16.9(f), 18.7(f), 39.7(f) ------------------------


@pytest.mark.parametrize("book", [RIDE, PIK_IT])
def test_18_5_a_39_6_a__preshuffled_cards_are_known_to_two_texts(book: str) -> None:
    assert violations(book, MANUAL, {"preshuffled": True}) == []


@pytest.mark.parametrize(
    ("book", "cite"),
    [(NJ, "NJ 19:47-32.4(a)"), (MA, "MA UTH 4(a)"), (CARIBBEAN, "NJ 19:47-16.4(a)")],
)
def test_32_4_a__preshuffled_cards_are_unknown_to_the_others(book: str, cite: str) -> None:
    assert violations(book, AUTOMATED, {"preshuffled": True}) == [("preshuffled", True, cite)]
    assert violations(book, AUTOMATED, {"preshuffled": False}) == []


@pytest.mark.twins("NJ 19:47-18.7(f)")
@pytest.mark.parametrize(
    ("book", "cite"),
    [
        (CARIBBEAN, "NJ 19:47-16.9(f)"),
        (RIDE, "NJ 19:47-18.7(f)"),
        (PIK_IT, "NJ 13:69F-39.7(f)"),
    ],
)
def test_18_7_f__only_an_automated_shuffler_counts_the_deck(book: str, cite: str) -> None:
    counting = {"counting": True}
    assert violations(book, AUTOMATED, counting) == []
    assert violations(book, MANUAL, counting) == [("counting", True, cite)]


@pytest.mark.parametrize("book", [NJ, MA])
def test_a_manual_shuffle_counts_nothing_at_ultimate_texas_holdem_either(book: str) -> None:
    found = violations(book, MANUAL, {"counting": True})
    assert [(key, value) for key, value, _ in found] == [("counting", True)]


# --- dealing: 32.7 to 32.9 and their sisters ------------------------------------------------

PROCEDURES = {
    NJ: ("NJ 19:47-32.7(a)", "NJ 19:47-32.8(a)", "NJ 19:47-32.9(a)"),
    MA: ("MA UTH 7(a)", "MA UTH 8(a)", "MA UTH 9(a)"),
    CARIBBEAN: ("NJ 19:47-16.7(a)", "NJ 19:47-16.8(a)", "NJ 19:47-16.9(a)"),
    RIDE: ("NJ 19:47-18.7(a)", "NJ 19:47-18.8(a)", "NJ 19:47-18.9(a)"),
    PIK_IT: ("NJ 13:69F-39.7(a)", "NJ 13:69F-39.8(a)", "NJ 13:69F-39.9(a)"),
}


@pytest.mark.twins("NJ 19:47-32.7(a)", "NJ 19:47-32.8(a)", "NJ 19:47-32.9(a)")
@pytest.mark.clause("NJ 19:47-16.9(a)", "NJ 19:47-18.9(a)", "NJ 13:69F-39.9(a)")
@pytest.mark.parametrize("book", RULEBOOKS)
@pytest.mark.parametrize("which", [0, 1, 2], ids=["manual shoe", "hand", "automated shoe"])
def test_32_7_to_32_9__a_house_chooses_any_of_three_ways_to_deal(book: str, which: int) -> None:
    way = ("manual shoe", "hand", "automated shoe")[which]
    assert violations(book, AUTOMATED, {"dealing": way}) == []
    house = read_data({"rulebook": book, **AUTOMATED, "dealing": way})
    procedure = game_under(book).procedures[house.dealing]
    assert procedure.chosen.under(house.book).id == PROCEDURES[book][which]
    assert procedure.stacks is (which == 2)


@pytest.mark.twins("NJ 19:47-32.8(b)1")
@pytest.mark.parametrize(
    ("book", "cite"),
    [
        (NJ, "NJ 19:47-32.8(b)1"),
        (MA, "MA UTH 8(b)(1)"),
        (CARIBBEAN, "NJ 19:47-16.8(b)1"),
        (RIDE, "NJ 19:47-18.8(b)1"),
        (PIK_IT, "NJ 13:69F-39.8(b)1"),
    ],
)
def test_32_8_b_1__dealing_from_the_hand_needs_an_automated_shuffler(book: str, cite: str) -> None:
    assert violations(book, AUTOMATED, {"dealing": "hand"}) == []
    assert violations(book, MANUAL, {"dealing": "hand"}) == [("dealing", "hand", cite)]
    assert violations(book, MANUAL, {"dealing": "automated shoe"}) == []


# --- positions: 32.12, MA 12, 16.6(e), 18.6(e), 39.3(e), 1.13Y(a) ---------------------------


@pytest.mark.twins("NJ 19:47-32.12")
@pytest.mark.clause("NJ 19:47-18.6(e)", "NJ 13:69F-39.3(e)")
@pytest.mark.parametrize(
    ("book", "most", "cite"),
    [
        (NJ, 1, "NJ 19:47-32.12"),
        (MA, 1, "MA UTH 12"),
        (CARIBBEAN, 1, "NJ 19:47-16.6(e)"),
        (RIDE, 2, "NJ 19:47-18.6(e)"),
        (PIK_IT, 3, "NJ 13:69F-39.3(e)"),
    ],
)
def test_a_player_holds_at_most_so_many_adjacent_positions(book: str, most: int, cite: str) -> None:
    for legal in range(1, most + 1):
        assert violations(book, {"adjacent": legal}) == []
    for illegal in (0, most + 1):
        assert violations(book, {"adjacent": illegal}) == [("adjacent", illegal, cite)]


@pytest.mark.clause("NJ 13:69E-1.13Y(a)")
@pytest.mark.parametrize(
    ("book", "most", "cite"),
    [
        (NJ, 21, "NJ 19:47-32.2(a)"),  # 21 x 2 cards, the dealer's 2, 5 on the board, 2 burned: 51
        (MA, 21, "MA UTH 2(a)"),
        (CARIBBEAN, 9, "SUPPLIED S2.11(a)"),  # 10 hands of five: 50
        (RIDE, 16, "NJ 19:47-18.2(a)"),  # 16 hands of three and three community cards: 51
        (PIK_IT, 9, "NJ 13:69E-1.13Y(a)"),  # 10 hands of five: 50
    ],
)
def test_1_13y_a__one_deck_serves_at_most_so_many_positions(
    book: str, most: int, cite: str
) -> None:
    for legal in (1, most):
        assert violations(book, MANUAL, {"positions": legal}) == []
    for illegal in (0, most + 1):
        assert violations(book, MANUAL, {"positions": illegal}) == [("positions", illegal, cite)]


# --- Pik-It's own choices: 39.9(c), 39.10(e), 39.1 "Qualifying hand" ------------------------


@pytest.mark.clause("NJ 13:69F-39.10(e)", "NJ 13:69F-39.10(e)1", "NJ 13:69F-39.10(e)2")
@pytest.mark.ruling("P10")
def test_39_10_e__pik_it_names_alternative_1_or_2_and_no_other() -> None:
    for legal in (1, 2):
        assert violations(PIK_IT, {"settlement": legal}) == []
    for illegal in (0, 3):
        assert violations(PIK_IT, {"settlement": illegal}) == [
            ("settlement", illegal, "NJ 13:69F-39.10(e)")
        ]


@pytest.mark.parametrize("book", [NJ, MA, CARIBBEAN, RIDE])
def test_39_10_e__no_other_game_has_a_second_alternative(book: str) -> None:
    assert violations(book, {"settlement": 1}) == []
    assert violations(book, {"settlement": 2}) == [("settlement", 2, "NJ 13:69F-39.10(e)")]


def test_39_9_c__pik_its_automated_shoe_delivers_the_dealers_stack_in_way_1_or_2() -> None:
    shoe = {**AUTOMATED, "dealing": "automated shoe"}
    for legal in (1, 2):
        assert violations(PIK_IT, shoe, {"dealer_stack": legal}) == []
    for illegal in (0, 3):
        assert violations(PIK_IT, shoe, {"dealer_stack": illegal}) == [
            ("dealer_stack", illegal, "NJ 13:69F-39.9(c)")
        ]


@pytest.mark.parametrize("book", [NJ, MA, CARIBBEAN, RIDE])
def test_39_9_c__no_other_shoe_has_a_second_way(book: str) -> None:
    assert violations(book, {"dealer_stack": 2}) == [("dealer_stack", 2, "NJ 13:69F-39.9(c)")]


@pytest.mark.clause('NJ 13:69F-39.1 "Qualifying hand"')
def test_39_1__pik_it_is_played_with_or_without_a_qualifier() -> None:
    assert violations(PIK_IT, {"qualifier": True}) == []
    assert violations(PIK_IT, {"qualifier": False}) == []


@pytest.mark.parametrize(
    ("book", "cite"),
    [(NJ, "NJ 19:47-32.10(g)"), (MA, "MA UTH 10(g)"), (CARIBBEAN, "SUPPLIED S2.2(a)")],
)
def test_the_other_dealers_must_qualify(book: str, cite: str) -> None:
    assert violations(book, {"qualifier": False}) == [("qualifier", False, cite)]
