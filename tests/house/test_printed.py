"""What a player may choose for a table of their own, and what only staff may set."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from croupier.games.registry import RULEBOOKS
from croupier.house.printed import BOUNDED_KEYS, PLAYERS_KEYS, ROOMS_KEYS, printed_only
from croupier.house.submission import _SCALARS, _TABLES, House, default_house, read_data

NJ, MA = "nj-ultimate-texas-holdem", "ma-ultimate-texas-holdem"
CARIBBEAN, RIDE, PIK_IT = "nj-caribbean-stud", "nj-let-it-ride", "nj-pik-it-poker"


def refused(book: str, **changes: Any) -> list[str]:
    return [each.key for each in printed_only(read_data({"rulebook": book, **changes}))]


@pytest.mark.parametrize("book", RULEBOOKS)
def test_a_player_may_open_every_preset(book: str) -> None:
    assert printed_only(default_house(book)) == []


@pytest.mark.parametrize(
    ("book", "changes"),
    [
        (NJ, {"name": "Corner Table", "positions": 1, "offered": []}),
        (NJ, {"shuffling": "automated", "dealing": "hand", "decks": ["red", "blue"]}),
        (NJ, {"pay": {"trips": "B"}, "limits": {"ante": [25, 500], "trips": [1, 1]}}),
        (NJ, {"pay": {"trips": {"table": "C"}}}),
        (MA, {"offered": ["cover-all"]}),
        (CARIBBEAN, {"offered": []}),
        (RIDE, {"adjacent": 2, "pay": {"three-card": "F"}}),
        (PIK_IT, {"dealing": "automated shoe", "dealer_stack": 2, "pay": {"five-card-bonus": 2}}),
    ],
)
def test_a_player_chooses_how_a_table_is_run(book: str, changes: dict[str, Any]) -> None:
    assert refused(book, **changes) == []


@pytest.mark.parametrize(
    ("book", "changes", "key"),
    [
        (RIDE, {"pay": {"bonus": {"high-card": "$90,000,000"}}}, "pay.bonus"),
        (NJ, {"pay": {"trips": {"pair": "1 to 1"}}}, "pay.trips"),
        (NJ, {"pay": {"blind": {"straight": "2 to 1"}}}, "pay.blind"),
        (MA, {"pay": {"cover-all": {"7": {"royal-flush": "9,999 to 1"}}}}, "pay.cover-all.7"),
        (CARIBBEAN, {"pay": {"progressive": {"flush": "$51"}}}, "pay.progressive"),
        (NJ, {"match_play": True}, "match_play"),
        (RIDE, {"payout_limit": 75_000}, "payout_limit"),
        (CARIBBEAN, {"progressive": {"meter": 1_000_000}}, "progressive"),
        (PIK_IT, {"multiples": {"play-3": 1}}, "multiples"),
        (PIK_IT, {"qualifier": False}, "qualifier"),
        (PIK_IT, {"settlement": 2}, "settlement"),
        (NJ, {"limits": {"ante": [4, 500]}}, "limits.ante"),
        (NJ, {"limits": {"ante": [5, "500.01"]}}, "limits.ante"),
    ],
)
def test_what_moves_money_is_the_rooms(book: str, changes: dict[str, Any], key: str) -> None:
    assert refused(book, **changes) == [key]


def test_a_refusal_names_the_key_and_says_who_may() -> None:
    [wrong] = printed_only(read_data({"rulebook": NJ, "match_play": True}))
    assert str(wrong) == (
        "match_play = True: Only staff may set match_play; player-opened tables use the room's."
    )


def test_a_progressive_without_the_rooms_meter_is_the_staffs() -> None:
    lines = {"royal-flush": "100 %"}
    asked = {"offered": ["trips", "progressive"], "pay": {"progressive": lines}}
    meter = {"meter": 10_000, "seed": 10_000, "contribution": "0.70"}
    assert refused(MA, **asked, progressive=meter) == ["progressive", "offered", "pay.progressive"]


def test_the_rooms_own_house_widens_what_a_player_may_choose() -> None:
    own = {"limits": {"ante": [5, 5_000]}, "match_play": True, "pay": {"trips": {"pair": "1 to 1"}}}
    room = read_data({"rulebook": NJ, **own})
    assert printed_only(room, room) == []
    assert [each.key for each in printed_only(default_house(NJ), room)] == ["match_play"]


def test_every_key_of_a_submission_has_an_owner() -> None:
    keys = ("rulebook", *_SCALARS, *_TABLES)
    assert sorted((*PLAYERS_KEYS, *BOUNDED_KEYS, *ROOMS_KEYS)) == sorted(keys)
    assert set(ROOMS_KEYS) <= {each.name for each in fields(House)}
