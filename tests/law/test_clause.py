"""Citing: a book is called with a clause number, and a citation that names nothing fails."""

from __future__ import annotations

import pytest

from croupier.law.clause import (
    BOOK_IDS,
    Disposition,
    UnknownClause,
    books,
    clause,
    rulebook,
    rulings,
)
from croupier.law.coverage import find_clauses, twins_of
from croupier.law.refused import Refused

NJ = rulebook("nj-ultimate-texas-holdem")
MA = rulebook("ma-ultimate-texas-holdem")
CARIBBEAN = rulebook("nj-caribbean-stud")
SUPPLIED = rulebook("nj-caribbean-stud-supplied")
RIDE = rulebook("nj-let-it-ride")
PIK_IT = rulebook("nj-pik-it-poker")


@pytest.mark.parametrize(
    ("book", "number", "full_id"),
    [
        (NJ, "32.10(h)2", "NJ 19:47-32.10(h)2"),
        (NJ, "NJ 19:47-32.10(h)2", "NJ 19:47-32.10(h)2"),
        (NJ, '32.1 "Ante"', 'NJ 19:47-32.1 "Ante"'),
        (MA, "10(e)(2)(i)", "MA UTH 10(e)(2)(i)"),
        (CARIBBEAN, "16.10(a)", "NJ 19:47-16.10(a)"),
        (SUPPLIED, "2(a)", "SUPPLIED S2.2(a)"),
        (RIDE, "18.6A(d)", "NJ 19:47-18.6A(d)"),
        (PIK_IT, "39.10(e)1ii", "NJ 13:69F-39.10(e)1ii"),
        (PIK_IT, "1.13Y(d)2ii", "NJ 13:69E-1.13Y(d)2ii"),
    ],
)
def test_a_book_is_cited_by_number_or_full_id(book: object, number: str, full_id: str) -> None:
    assert callable(book)
    cited = book(number)
    assert cited.id == full_id
    assert str(cited) == full_id
    assert clause(full_id) is cited


@pytest.mark.parametrize("number", ["32.99", "", "18.6(d)", "32.10(H)2", "MA UTH 14(a)"])
def test_a_citation_that_names_nothing_fails_and_says_where(number: str) -> None:
    with pytest.raises(UnknownClause) as failed:
        NJ(number)
    assert str(failed.value) == f"{number!r} is no clause of nj-ultimate-texas-holdem"


def test_an_unknown_book_fails_and_names_the_books_there_are() -> None:
    with pytest.raises(UnknownClause, match="'nj-baccarat' is no book of law") as failed:
        rulebook("nj-baccarat")
    assert all(book_id in str(failed.value) for book_id in BOOK_IDS)


def test_an_unknown_full_id_fails() -> None:
    with pytest.raises(UnknownClause, match="is no clause of any book"):
        clause("NJ 19:47-99.1")


def test_a_book_is_read_once_and_keeps_the_order_of_the_text() -> None:
    assert rulebook("nj-let-it-ride") is RIDE
    assert [c.id for c in RIDE][:3] == [
        "NJ 19:47-18.1",
        'NJ 19:47-18.1 "Community card"',
        'NJ 19:47-18.1 "Hand"',
    ]
    assert repr(RIDE) == "rulebook('nj-let-it-ride')"


@pytest.mark.parametrize(
    ("cited", "book", "there"),
    [
        ("NJ 19:47-32.10(h)2", MA, "MA UTH 10(h)(2)"),  # from the original to its twin
        ("MA UTH 10(h)(2)", NJ, "NJ 19:47-32.10(h)2"),  # and back
        ("MA UTH 10(h)(2)", MA, "MA UTH 10(h)(2)"),
        ("NJ 19:47-32.2(b)", RIDE, "NJ 19:47-18.2(b)"),
        ("NJ 19:47-18.2(b)", PIK_IT, "NJ 13:69F-39.2(b)"),  # from one twin to another
        ("NJ 19:47-32.12", CARIBBEAN, "NJ 19:47-16.6(e)"),
        ("MA UTH 14(a)", NJ, "MA UTH 14(a)"),  # a rule New Jersey does not have stays itself
        ("NJ 19:47-32.10(g)", PIK_IT, "NJ 19:47-32.10(g)"),
    ],
)
def test_a_clause_under_another_book_is_its_twin_there_or_itself(
    cited: str, book: object, there: str
) -> None:
    assert clause(cited).under(book).id == there  # type: ignore[arg-type]


@pytest.mark.ruling("H1")
@pytest.mark.parametrize(
    ("cited", "there"),
    [
        ("NJ 19:47-32.2(a)", "SUPPLIED S2.11(a)"),
        ("NJ 19:47-32.2(b)4", "SUPPLIED S2.11(e)"),
        ("MA UTH 2(b)(2)", "SUPPLIED S2.11(c)"),
        ("NJ 19:47-32.11(a)", "SUPPLIED S2.10(a)"),
        ("NJ 19:47-32.3(b)", "SUPPLIED S2.12(b)"),
        ("NJ 19:47-32.6(a)", "NJ 19:47-16.6(a)"),  # where the text speaks, the text is cited
        ("NJ 19:47-32.8(b)1", "NJ 19:47-16.8(b)1"),
    ],
)
def test_where_caribbean_studs_text_is_silent_the_supplied_rules_go_on(
    cited: str, there: str
) -> None:
    assert CARIBBEAN.continued_by == "nj-caribbean-stud-supplied"
    found = clause(cited).under(CARIBBEAN)
    assert found.id == there
    assert found.supplied is there.startswith("SUPPLIED")


def test_twins_of_a_clause_are_all_the_clauses_that_say_the_same() -> None:
    assert twins_of("NJ 19:47-32.2(b)2") == [
        "MA UTH 2(b)(2)",
        "SUPPLIED S2.11(c)",
        "NJ 19:47-18.2(b)2",
        "NJ 13:69F-39.2(b)2",
    ]
    assert twins_of("MA UTH 2(b)(2)") == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("NJ 19:47-32.10(h)2", ["NJ 19:47-32.10(h)2"]),
        ("32.10(h)2", ["NJ 19:47-32.10(h)2"]),
        ("2(a)", ["MA UTH 2(a)", "SUPPLIED S2.2(a)"]),
        ("1.13Y(c)", ["NJ 13:69E-1.13Y(c)"]),
        ("no such", []),
    ],
)
def test_clauses_are_found_by_number_alone_in_every_book_that_has_it(
    text: str, found: list[str]
) -> None:
    assert [c.id for c in find_clauses(text)] == found


def test_a_clause_carries_what_became_of_it_and_its_rulings() -> None:
    ante = clause("NJ 19:47-32.10(g)")
    assert ante.book == "nj-ultimate-texas-holdem"
    assert ante.disposition is Disposition.IMPLEMENTED
    assert ante.rulings == ("K4", "U1")
    assert not ante.supplied
    assert rulings()["U1"].clauses[0] == "NJ 19:47-32.10(g)"


def test_a_refusal_prints_its_clause_where_it_has_one() -> None:
    assert str(Refused("No.", clause("MA UTH 12"))) == "No. [MA UTH 12]"
    assert str(Refused("No.")) == "No."


def test_the_books_stand_in_order_and_only_one_is_supplied() -> None:
    assert tuple(book.id for book in books()) == BOOK_IDS
    assert [book.id for book in books() if book.supplied] == ["nj-caribbean-stud-supplied"]
    assert all(c.supplied == book.supplied for book in books() for c in book)
