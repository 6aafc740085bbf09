"""A submission with words that cannot be read: each with its key, all at once."""

from __future__ import annotations

import datetime

import pytest

from croupier.house.check import check
from croupier.house.submission import House, Malformed, Violation, read_data

NJ = "nj-ultimate-texas-holdem"
MA = "ma-ultimate-texas-holdem"
CARIBBEAN = "nj-caribbean-stud"
RIDE = "nj-let-it-ride"
PIK_IT = "nj-pik-it-poker"


def malformed(data: dict[str, object]) -> tuple[list[Violation], House | None]:
    with pytest.raises(Malformed) as wrong:
        read_data(data)
    return wrong.value.violations, wrong.value.house


NO_KEY = "there is no such key; there are "


@pytest.mark.parametrize(
    ("book", "changes", "key", "value", "says"),
    [
        (NJ, {"name": 5}, "name", 5, "a word or two in quotes"),
        (NJ, {"name": "  "}, "name", "  ", "a word or two in quotes"),
        (NJ, {"name": datetime.date(2008, 4, 21)}, "name", datetime.date(2008, 4, 21), "a word"),
        (NJ, {"offered": "trips"}, "offered", "trips", "a list of names"),
        (NJ, {"offered": [1]}, "offered", [1], "a list of names"),
        (NJ, {"dealing": "shoe"}, "dealing", "shoe", "manual shoe, hand, automated shoe"),
        (NJ, {"dealing": 1}, "dealing", 1, "one of: "),
        (NJ, {"shuffling": "by hand"}, "shuffling", "by hand", "manual, automated"),
        (NJ, {"counting": "yes"}, "counting", "yes", "true or false"),
        (NJ, {"preshuffled": 1}, "preshuffled", 1, "true or false"),
        (NJ, {"decks": "red"}, "decks", "red", "a list of names"),
        (NJ, {"decks": [1, 2]}, "decks", [1, 2], "a list of names"),
        (NJ, {"alternate": "no"}, "alternate", "no", "true or false"),
        (NJ, {"positions": "six"}, "positions", "six", "a whole number"),
        (NJ, {"positions": 6.0}, "positions", 6.0, "a whole number"),
        (NJ, {"positions": True}, "positions", True, "a whole number"),
        (RIDE, {"adjacent": "2"}, "adjacent", "2", "a whole number"),
        (PIK_IT, {"qualifier": 0}, "qualifier", 0, "true or false"),
        (PIK_IT, {"settlement": "1"}, "settlement", "1", "a whole number"),
        (PIK_IT, {"dealer_stack": None}, "dealer_stack", None, "a whole number"),
        (NJ, {"match_play": "on"}, "match_play", "on", "true or false"),
        (NJ, {"payout_limit": 50_000.0}, "payout_limit", 50_000.0, "it must be dollars"),
        (NJ, {"payout_limit": "lots"}, "payout_limit", "lots", "not a sum in dollars"),
        (NJ, {"payout_limit": -1}, "payout_limit", -1, "not a sum in dollars"),
        (NJ, {"payout_limit": "0.005"}, "payout_limit", "0.005", "whole cents"),
        (NJ, {"payout_limit": True}, "payout_limit", True, "it must be dollars"),
        (NJ, {"limits": 5}, "limits", 5, "a table of keys"),
        (NJ, {"limits": {"ante": 5}}, "limits.ante", 5, "such as [5, 500]"),
        (NJ, {"limits": {"ante": [5]}}, "limits.ante", [5], "such as [5, 500]"),
        (NJ, {"limits": {"ante": [5, "x"]}}, "limits.ante", [5, "x"], "not a sum in dollars"),
        (NJ, {"limits": {"blind": [5, 6]}}, "limits.blind", [5, 6], NO_KEY + "ante, trips"),
        (RIDE, {"limits": {"bet 1": [5, 6]}}, "limits.bet 1", [5, 6], NO_KEY + "main, three-card."),
        (RIDE, {"limits": {"bonus": [1, 1]}}, "limits.bonus", [1, 1], NO_KEY),  # exactly $1
        (NJ, {"pay": "A"}, "pay", "A", "a table of keys"),
        (NJ, {"pay": {"trips": "Z"}}, "pay.trips", "Z", "no such table; there are A, B, C, D."),
        (NJ, {"pay": {"trips": 5}}, "pay.trips", 5, "no such table"),
        (NJ, {"pay": {"ante": "A"}}, "pay.ante", "A", NO_KEY + "blind, trips"),
        (MA, {"pay": {"progressive": {}}}, "pay.progressive", {}, NO_KEY),  # not offered
        (NJ, {"pay": {"trips": {"table": "Z"}}}, "pay.trips.table", "Z", NO_KEY + "A, B, C, D."),
        (NJ, {"pay": {"trips": {"quads": "9"}}}, "pay.trips.quads", "9", NO_KEY + "royal-flush"),
        (NJ, {"pay": {"trips": {"flush": "x"}}}, "pay.trips.flush", "x", "is no award"),
        (NJ, {"pay": {"trips": {"flush": "7 for 1"}}}, "pay.trips.flush", "7 for 1", "is no award"),
        (NJ, {"pay": {"trips": {"flush": "7 to 0"}}}, "pay.trips.flush", "7 to 0", "is no award"),
        (NJ, {"pay": {"trips": {"flush": ","}}}, "pay.trips.flush", ",", "is no award"),
        (
            CARIBBEAN,
            {"pay": {"progressive": {"flush": "101 %"}}},
            "pay.progressive.flush",
            "101 %",
            "more than the whole meter",
        ),
        (MA, {"pay": {"cover-all": "7"}}, "pay.cover-all", "7", "there"),  # one for each number
        (MA, {"pay": {"cover-all": {"8": {}}}}, "pay.cover-all.8", {}, "there are 2, 3, 4, 5, 6"),
        (MA, {"pay": {"cover-all": {"7": "A"}}}, "pay.cover-all.7", "A", NO_KEY),
        (NJ, {"multiples": {"turn": 2}}, "multiples.turn", 2, NO_KEY + "blind, before-flop"),
        (RIDE, {"multiples": {"bet": 2}}, "multiples.bet", 2, "this game has none"),
        (PIK_IT, {"multiples": {"play-3": []}}, "multiples.play-3", [], "at least one multiple"),
        (PIK_IT, {"multiples": {"play-3": 1.5}}, "multiples.play-3", 1.5, "a whole number"),
        (CARIBBEAN, {"progressive": {"jackpot": 1}}, "progressive.jackpot", 1, NO_KEY + "meter"),
        (CARIBBEAN, {"progressive": {"meter": "x"}}, "progressive.meter", "x", "not a sum"),
        (CARIBBEAN, {"progressive": 10}, "progressive", 10, "a table of keys"),
        (NJ, {"dealer": "Ann"}, "dealer", "Ann", NO_KEY + "rulebook, name, offered"),
    ],
)
def test_a_value_that_cannot_be_read_is_named_with_its_key(
    book: str, changes: dict[str, object], key: str, value: object, says: str
) -> None:
    violations, house = malformed({"rulebook": book, **changes})
    assert [(v.key, v.value) for v in violations] == [(key, value)]
    assert says in violations[0].sentence
    assert violations[0].sentence.endswith(".")
    assert violations[0].clause is None
    assert house is not None
    assert house.book.id == book


@pytest.mark.parametrize("book", [None, "", "nj-baccarat", "nj-caribbean-stud-supplied", 5])
def test_a_submission_must_name_its_rulebook(book: object) -> None:
    violations, house = malformed({} if book is None else {"rulebook": book})
    assert [(v.key, v.value) for v in violations] == [("rulebook", book)]
    assert "there are nj-ultimate-texas-holdem" in violations[0].sentence
    assert house is None


def test_everything_malformed_is_said_at_once_and_the_rest_is_still_judged() -> None:
    violations, house = malformed(
        {"rulebook": NJ, "positions": "six", "pay": {"trips": "Z"}, "tips": 1, "adjacent": 2}
    )
    assert sorted(v.key for v in violations) == ["pay.trips", "positions", "tips"]
    assert house is not None
    assert house.positions == 6  # as if left out
    assert [v.key for v in check(house).violations] == ["adjacent"]


def test_a_violation_prints_key_value_sentence_and_clause() -> None:
    violations, house = malformed({"rulebook": NJ, "positions": "six", "adjacent": 2})
    assert house is not None
    assert str(violations[0]) == "positions = 'six': it must be a whole number."
    (second,) = check(house).violations
    assert str(second) == "adjacent = 2: a player may hold one position only. [NJ 19:47-32.12]"
