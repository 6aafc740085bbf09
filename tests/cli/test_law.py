"""croupier law: the books, a clause with its code and tests, the count of everything."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from command import Ran, croupier

BOOKS = {
    "nj-ultimate-texas-holdem": 135,
    "ma-ultimate-texas-holdem": 152,
    "nj-caribbean-stud": 66,
    "nj-caribbean-stud-supplied": 38,
    "nj-let-it-ride": 142,
    "nj-pik-it-poker": 151,
}


@cache
def law(*args: str) -> Ran:
    return croupier("law", *args)


def read(*args: str) -> Any:
    ran = law(*args, "--json")
    assert (ran.returncode, ran.stderr) == (0, "")
    return json.loads(ran.stdout)


def test_the_books_are_listed_with_their_clauses_and_the_supplied_one_is_marked() -> None:
    lines = law().stdout.splitlines()
    assert [(line.split()[0], int(line.split()[1])) for line in lines] == list(BOOKS.items())
    supplied = [line for line in lines if line.endswith("(supplied, not quoted law)")]
    assert [line.split()[0] for line in supplied] == ["nj-caribbean-stud-supplied"]
    listed = read()
    assert [book["id"] for book in listed] == list(BOOKS)
    assert all(list(book) == ["id", "title", "source"] for book in listed)


def test_a_book_is_listed_clause_by_clause_in_its_order() -> None:
    ran = law("nj-caribbean-stud")
    assert ran.stdout.startswith("Caribbean Stud Poker: N.J.A.C. 19:47-16\nNJ 19:47-16.4 ")
    clauses = read("nj-caribbean-stud")
    assert len(clauses) == 66
    assert clauses[-1]["id"] == "NJ 19:47-16.10(a)"
    assert {"id", "book", "says", "disposition", "reason", "rulings", "twin", "supplied"} == set(
        clauses[0]
    )
    assert all(line["id"] in ran.stdout for line in clauses)


def test_a_clause_is_shown_with_its_rulings_its_code_and_its_tests() -> None:
    ran = law("NJ 19:47-32.10(h)2")
    assert ran.returncode == 0
    lines = ran.stdout.splitlines()
    assert lines[0] == "NJ 19:47-32.10(h)2  (implemented)"
    assert any(line.startswith("  ruling U2: ") for line in lines)
    code = "  code  src/croupier/games/ultimate_texas_holdem.py:"
    assert any(line.startswith(code) and line.endswith(" HIGHER") for line in lines)
    found = read("NJ 19:47-32.10(h)2")
    assert list(found) == [
        *("id", "book", "supplied", "says", "disposition", "reason"),
        *("twin", "rulings", "code", "tests"),
    ]
    assert [ruling["id"] for ruling in found["rulings"]] == ["U1", "U2"]
    assert found["code"]


def test_a_twin_names_the_clause_it_repeats_and_shares_its_code() -> None:
    twin, original = read("MA UTH 10(h)(2)"), read("NJ 19:47-32.10(h)2")
    assert twin["twin"] == original["id"] == "NJ 19:47-32.10(h)2"
    assert original["twin"] == ""
    assert set(original["code"]) <= set(twin["code"])


def test_a_supplied_twin_is_marked_as_no_quoted_law() -> None:
    lines = law("SUPPLIED S2.11(a)").stdout.splitlines()
    assert lines[0] == "SUPPLIED S2.11(a)  (implemented, supplied, not quoted law)"
    assert "  The same rule as NJ 19:47-32.2(a)." in lines


def test_a_number_alone_finds_every_book_that_has_it() -> None:
    assert [found["id"] for found in read("2(a)")] == ["MA UTH 2(a)", "SUPPLIED S2.2(a)"]


def test_a_ruling_is_shown_with_its_question_its_reason_and_its_tests() -> None:
    lines = law("H6").stdout.splitlines()
    assert lines[0].startswith("Ruling H6: Match play at Let It Ride")
    assert lines[2].startswith("  Because: ")
    assert lines[3] == "  Touches: NJ 19:47-18.6(a)"
    found = read("H6")
    assert list(found) == ["id", "clauses", "question", "ruling", "reason", "tests"]
    path = "tests/house/test_check_wagers.py:"
    test = " test_18_6_a__let_it_ride_has_no_wager_for_a_coupon"
    assert any(place.startswith(path) and place.endswith(test) for place in found["tests"])
    assert any(line.startswith(f"  test  {path}") for line in lines)


def test_what_is_neither_book_clause_nor_ruling_is_refused_in_one_line() -> None:
    ran = law("19:47-99")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == (
        "Refused: '19:47-99' is neither a book, a clause nor a ruling; see croupier law.\n"
    )


@pytest.fixture(scope="module")
def counted() -> Any:
    return read("--coverage")


def test_coverage_counts_every_book(counted: Any) -> None:
    assert list(counted) == ["books"]
    assert {book: count["clauses"] for book, count in counted["books"].items()} == BOOKS


def test_coverage_has_the_same_numbers_for_each_book(counted: Any) -> None:
    kinds = ("implemented", "pending", "physical", "notice", "out_of_scope")
    for count in counted["books"].values():
        assert list(count) == ["clauses", *kinds, "cited", "tested", "missing"]
        assert sum(count[kind] for kind in kinds) == count["clauses"]
        assert count["cited"] <= count["implemented"]
        assert count["tested"] <= count["implemented"]
        assert isinstance(count["missing"], list)


def test_coverage_in_words_lists_the_same_numbers_and_what_is_missing(counted: Any) -> None:
    ran = law("--coverage")
    assert (ran.returncode, ran.stderr) == (0, "")
    lines = ran.stdout.splitlines()
    for line, (book, count) in zip(lines[1:7], counted["books"].items(), strict=True):
        assert line.split() == [
            book,
            *(
                str(count[name])
                for name in ("clauses", "implemented", "cited", "tested", "pending")
            ),
            *(str(count[name]) for name in ("physical", "notice", "out_of_scope")),
        ]
    missing = [line.split(": ", 1)[1] for line in lines if line.startswith("missing: ")]
    expected = [
        f"{full_id} ({book}) is implemented, but has no code or no test"
        for book, count in counted["books"].items()
        for full_id in count["missing"]
    ]
    assert missing == expected
    pending = sum(count["pending"] for count in counted["books"].values())
    assert sum(line.startswith("pending: ") for line in lines) == pending
