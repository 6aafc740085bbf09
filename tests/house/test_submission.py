"""Reading a submission: what it says, over the preset of its rulebook."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.house.check import check
from croupier.house.submission import (
    House,
    Malformed,
    Progressive,
    default_house,
    load,
    preset,
    read_data,
)
from croupier.law.refused import Refused
from croupier.rules.odds import Share, Sum, to
from croupier.rules.wager import Posted

NJ = "nj-ultimate-texas-holdem"
MA = "ma-ultimate-texas-holdem"
CARIBBEAN = "nj-caribbean-stud"
RIDE = "nj-let-it-ride"
PIK_IT = "nj-pik-it-poker"
RULEBOOKS = (NJ, MA, CARIBBEAN, RIDE, PIK_IT)


def read(book: str, **changes: object) -> House:
    return read_data({"rulebook": book, **changes})


def pays(house: House, key: str) -> dict[str, str]:
    return {line.name: str(line.award) for line in house.pay[key]}


@pytest.mark.parametrize("book", RULEBOOKS)
def test_the_preset_of_every_rulebook_is_legal(book: str) -> None:
    assert preset(book)["rulebook"] == book
    house = default_house(book)
    assert house.book.id == book
    assert check(house).violations == ()


@pytest.mark.parametrize("book", ["nj-caribbean-stud-supplied", "nj-baccarat", ""])
def test_there_is_no_preset_of_a_book_that_regulates_no_table(book: str) -> None:
    with pytest.raises(Refused, match=f"There is no rulebook '{book}'; there are {NJ}, {MA}"):
        preset(book)


def test_what_a_submission_leaves_out_comes_from_the_preset() -> None:
    house = read(NJ, limits={"ante": [10, 200]}, name="Corner Table")
    assert house.name == "Corner Table"
    assert house.posted == {"ante": Posted(1_000, 20_000), "trips": Posted(100, 10_000)}
    assert house.offered == ("trips",)
    assert (house.dealing, house.shuffling) == ("manual shoe", "manual")
    assert (house.decks, house.alternate) == (("red",), False)
    assert (house.positions, house.adjacent) == (6, 1)
    assert (house.counting, house.preshuffled, house.match_play) == (False, False, False)
    assert (house.qualifier, house.settlement, house.dealer_stack) == (True, 1, 1)
    assert house.payout_limit is None
    assert house.progressive is None


def test_two_decks_alternate_unless_the_submission_says_otherwise() -> None:
    assert default_house(MA).decks == ("red", "blue")
    assert default_house(MA).alternate is True
    assert read(MA, alternate=False).alternate is False
    assert read(MA, decks=["red"]).alternate is False


@pytest.mark.parametrize(
    ("written", "cents"),
    [(60_000, 6_000_000), ("60,000", 6_000_000), ("$60,000.50", 6_000_050), ("0.70", 70)],
)
def test_money_is_whole_dollars_or_text_with_cents(written: object, cents: int) -> None:
    assert read(NJ, payout_limit=written).payout_limit == cents


def test_a_progressive_is_merged_key_by_key() -> None:
    assert default_house(CARIBBEAN).progressive == Progressive(1_000_000, 1_000_000, 70)
    house = read(CARIBBEAN, progressive={"meter": "25,000.01"})
    assert house.progressive == Progressive(2_500_001, 1_000_000, 70)
    assert house.terms().meter == 2_500_001


@pytest.mark.parametrize(
    ("book", "key", "table", "lines"),
    [
        (NJ, "trips", "D", {"four-of-a-kind": "20 to 1", "full-house": "7 to 1"}),
        (RIDE, "three-card", "E", {"mini-royal": "50 to 1", "straight": "5 to 1"}),
        (PIK_IT, "five-card-bonus", "2", {"royal-flush": "750 to 1", "flush": "6 to 1"}),
        (PIK_IT, "three-card-bonus", 3, {"royal-flush": "80 to 1", "flush": "4 to 1"}),
    ],
)
def test_a_printed_pay_table_is_chosen_by_name(
    book: str, key: str, table: object, lines: dict[str, str]
) -> None:
    house = read(book, pay={key: table})
    assert house.pay[key].name == str(table)
    assert lines.items() <= pays(house, key).items()
    assert check(house).legal


def test_a_custom_table_is_the_printed_one_it_names_with_some_lines_paid_otherwise() -> None:
    house = read(NJ, pay={"trips": {"table": "B", "flush": "13 to 2", "pair": "1/2"}})
    assert pays(house, "trips") == {
        "royal-flush": "50 to 1",
        "straight-flush": "40 to 1",
        "four-of-a-kind": "30 to 1",
        "full-house": "8 to 1",
        "flush": "13 to 2",
        "straight": "5 to 1",
        "three-of-a-kind": "3 to 1",
        "pair": "1 to 2",
    }
    assert house.pay["trips"].name == "custom"
    assert list(pays(house, "trips"))[-1] == "pair"  # highest line first


def test_a_custom_table_that_names_none_starts_from_the_first_printed_one() -> None:
    house = read(NJ, pay={"trips": {"straight": "6"}})
    assert pays(house, "trips")["full-house"] == "9 to 1"  # table A
    assert pays(house, "trips")["straight"] == "6 to 1"


def test_cover_all_has_one_table_for_each_number_of_hands() -> None:
    house = read(MA, pay={"cover-all": {"7": {"full-house": "5 to 1"}}})
    assert pays(house, "cover-all 7")["full-house"] == "5 to 1"
    assert pays(house, "cover-all 7")["royal-flush"] == "70 to 1"
    assert pays(house, "cover-all 6")["full-house"] == "4 to 1"
    assert house.pay["cover-all 6"].name == "6"


@pytest.mark.ruling("M5")
def test_a_massachusetts_progressive_has_the_houses_own_lines_and_no_others() -> None:
    lines = {"royal-flush": "100 %", "straight-flush": "10%", "flush": "$250", "pair": "1 to 1"}
    house = read(MA, offered=["trips", "progressive"], pay={"progressive": lines})
    assert [(line.name, line.award) for line in house.pay["progressive"]] == [
        ("royal-flush", Share(100)),
        ("straight-flush", Share(10)),
        ("flush", Sum(25_000)),
        ("pair", to(1)),
    ]
    assert "progressive" not in default_house(MA).pay


@pytest.mark.clause("NJ 13:69F-39.3(b)")
@pytest.mark.ruling("P1")
def test_39_3_b__play_3_and_play_5_are_two_choices_of_the_house() -> None:
    assert default_house(PIK_IT).multiples["play-3"] == (2,)
    house = read(PIK_IT, multiples={"play-5": 1})
    assert (house.multiples["play-3"], house.multiples["play-5"]) == ((2,), (1,))
    assert check(house).legal


def test_a_file_is_read_as_toml(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text(f'rulebook = "{RIDE}"\npositions = 5\n[limits]\nmain = [10, 20]\n', "utf-8")
    house = load(path)
    assert (house.book.id, house.positions) == (RIDE, 5)
    assert house.posted["main"] == Posted(1_000, 2_000)


def test_a_file_that_is_missing_or_a_folder_is_refused_in_one_sentence(tmp_path: Path) -> None:
    missing = tmp_path / "none.toml"
    with pytest.raises(Refused) as refused:
        load(missing)
    assert refused.value.sentence == f"{missing} cannot be read: No such file or directory."
    with pytest.raises(Refused) as refused:
        load(tmp_path)
    assert refused.value.sentence == f"{tmp_path} cannot be read: Is a directory."


@pytest.mark.parametrize("content", [b"rulebook = ", b"[[", b"\xff\xfe", b"a = 1\na = 2\n"])
def test_a_file_that_is_not_toml_is_refused_in_one_sentence(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_bytes(content)
    with pytest.raises(Refused, match=r"house\.toml is not TOML: ") as refused:
        load(path)
    assert not isinstance(refused.value, Malformed)
    assert "\n" not in str(refused.value)
