"""The books themselves: whole, one line a clause, and in agreement with the rulings."""

from __future__ import annotations

import pytest

from croupier.law.clause import (
    BOOK_IDS,
    Clause,
    Disposition,
    Rulebook,
    books,
    clause,
    rulebook,
    rulings,
)

CLAUSES = {
    "nj-ultimate-texas-holdem": 135,
    "ma-ultimate-texas-holdem": 152,
    "nj-caribbean-stud": 66,
    "nj-pik-it-poker": 151,
    "nj-let-it-ride": 142,
}
NEEDS_REASON = {Disposition.PHYSICAL, Disposition.NOTICE, Disposition.OUT_OF_SCOPE}
RULING_IDS = (
    [f"K{n}" for n in range(1, 13)]
    + [f"U{n}" for n in range(1, 11)]
    + [f"M{n}" for n in range(1, 9)]
    + [f"S{n}" for n in range(1, 7)]
    + [f"P{n}" for n in range(1, 14)]
    + [f"L{n}" for n in range(1, 11)]
    + [f"H{n}" for n in range(1, 10)]
)


def every_clause() -> list[Clause]:
    return [c for book in books() for c in book]


@pytest.mark.parametrize(("book_id", "number"), CLAUSES.items())
def test_a_book_has_every_clause_of_its_regulation(book_id: str, number: int) -> None:
    assert len(rulebook(book_id).clauses) == number


def test_the_five_regulations_have_646_clauses_and_the_supplied_rules_stand_apart() -> None:
    quoted = [c for c in every_clause() if not c.supplied]
    assert len(quoted) == 646
    assert {c.book for c in quoted} == set(CLAUSES)
    assert set(BOOK_IDS) - set(CLAUSES) == {"nj-caribbean-stud-supplied"}


def test_no_two_clauses_share_an_id_in_any_book() -> None:
    ids = [c.id for c in every_clause()]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("book", books(), ids=lambda book: book.id)
def test_every_clause_is_said_in_one_line_of_our_own(book: Rulebook) -> None:
    for c in book:
        assert c.says == c.says.strip()
        assert 10 <= len(c.says) <= 160, c.id
        assert "\n" not in c.says, c.id
        assert c.says.endswith((".", '."')), c.id


@pytest.mark.parametrize("book", books(), ids=lambda book: book.id)
def test_a_clause_no_program_can_keep_has_a_reason_and_no_other_does(book: Rulebook) -> None:
    for c in book:
        assert bool(c.reason.strip()) == (c.disposition in NEEDS_REASON), c.id


@pytest.mark.parametrize("book", books(), ids=lambda book: book.id)
def test_every_id_starts_with_a_prefix_of_its_book(book: Rulebook) -> None:
    assert all(c.id.startswith(book.prefixes) for c in book)
    assert all(c.book == book.id for c in book)


def test_a_twin_names_a_clause_of_another_book_that_is_no_twin_itself() -> None:
    twins = [c for c in every_clause() if c.twin]
    assert twins
    for c in twins:
        original = clause(c.twin)
        assert original.book != c.book, c.id
        assert original.twin == "", c.id


def test_no_book_has_two_clauses_for_one_twin() -> None:
    for book in books():
        twins = [c.twin for c in book if c.twin]
        assert len(twins) == len(set(twins)), book.id


def test_twins_share_their_disposition() -> None:
    for c in every_clause():
        if c.twin:
            assert clause(c.twin).disposition is c.disposition, c.id


def test_every_ruling_is_there_in_order() -> None:
    assert list(rulings()) == RULING_IDS


def test_a_ruling_decides_a_question_for_a_reason() -> None:
    for ruling in rulings().values():
        assert ruling.question.strip(), ruling.id
        assert ruling.ruling.strip(), ruling.id
        assert ruling.reason.strip(), ruling.id
        assert ruling.clauses, ruling.id


def test_each_clause_a_ruling_touches_names_that_ruling() -> None:
    for ruling in rulings().values():
        for touched in ruling.clauses:
            assert ruling.id in clause(touched).rulings, (ruling.id, touched)


def test_each_ruling_a_clause_names_touches_that_clause() -> None:
    for c in every_clause():
        for ruling_id in c.rulings:
            assert c.id in rulings()[ruling_id].clauses, (c.id, ruling_id)


def test_only_the_supplied_book_is_cited_as_supplied() -> None:
    for c in rulebook("nj-caribbean-stud-supplied"):
        assert c.id.startswith("SUPPLIED "), c.id
        assert {"S2", "S5", "H1"} & set(c.rulings), c.id
