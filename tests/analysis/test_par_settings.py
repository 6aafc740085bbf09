"""The settings of a table with their clauses, and the hash that stands for them."""

from __future__ import annotations

import hashlib
import json

import pytest
from helpers import ALL_BOOKS, MA_UTH, NJ_UTH, PIK_IT, RIDE, house

from croupier.analysis.par.settings import fingerprint, listed, settings
from croupier.law.clause import rulebook


def of(book: str, **changes: object) -> dict[str, str]:
    return {each.key: each.value for each in settings(house(book, **changes))}


@pytest.mark.parametrize("book", ALL_BOOKS)
def test_every_setting_but_the_name_has_a_clause_of_its_own_book(book: str) -> None:
    here = {book, rulebook(book).continued_by}
    found = settings(house(book))
    assert len({each.key for each in found}) == len(found) > 30
    for each in found:
        if each.clause is None:
            assert each.key in ("rulebook", "name")
        else:
            assert each.clause.book in here, each.key


def test_a_file_that_says_what_the_preset_says_has_the_same_settings() -> None:
    said = house(NJ_UTH, dealing="manual shoe", pay={"trips": {"royal-flush": "50 to 1"}})
    assert said.pay["trips"].name == "custom"
    assert settings(said) == settings(house(NJ_UTH))


def test_one_line_paid_otherwise_is_another_configuration() -> None:
    before, after = of(NJ_UTH), of(NJ_UTH, pay={"trips": {"flush": "8 to 1"}})
    changed = {key: value for key, value in after.items() if before[key] != value}
    assert changed == {"pay.trips": "the house's own lines", "pay.trips.flush": "8 to 1"}
    prints = {fingerprint(settings(house(NJ_UTH, pay=pay))) for pay in ({}, {"trips": "B"})}
    assert len(prints) == 2


def test_the_hash_can_be_made_again_from_what_the_sheet_shows() -> None:
    shown = json.dumps(of(RIDE), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert fingerprint(settings(house(RIDE))) == hashlib.sha256(shown.encode()).hexdigest()


def test_what_is_not_offered_has_neither_limits_nor_pay_lines() -> None:
    without = of(RIDE, offered=["bonus"])
    assert without["offered.three-card"] == "not offered"
    assert not any(key.startswith(("limits.three", "pay.three")) for key in without)
    assert (without["limits.bonus"], without["pay.bonus.flush"]) == ("exactly $1", "$50")


def test_a_chosen_table_is_known_by_the_name_the_law_prints() -> None:
    assert of(MA_UTH, pay={"trips": "C"})["pay.trips"] == "table C"
    assert of(MA_UTH)["pay.cover-all.7.full-house"] == "4 to 1"


def test_choices_of_pik_it_stand_only_on_its_sheet() -> None:
    found = of(PIK_IT, settlement=2, multiples={"play-3": 1})
    assert found["settlement"] == "alternative 2"
    assert found["multiples.play-3"] == "equal to the ante"
    assert found["multiples.play-5"] == "2 times the ante"
    assert found["payout_limit"] == "none"
    assert "settlement" not in of(NJ_UTH)


def test_words_are_listed_as_they_are_spoken() -> None:
    assert listed(["ante"]) == "ante"
    assert listed(["ante", "blind", "play"]) == "ante, blind and play"
