"""Clause to code to test: the reader on a small tree, then the promise on the whole of ours."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from croupier.law.clause import UnknownClause, books, clause, rulings
from croupier.law.coverage import (
    Matrix,
    Place,
    coverage,
    matrix,
    read_matrix,
    untested_rulings,
)

CODE = """\
law = rulebook("nj-let-it-ride")
other: str = "not a citation"
BET = Wager(law("18.6(d)"))
ALIAS = OTHER = law("18.7(f)")
TYPED: Clause = law("18.6A(a)")


class Settling:
    def settle(self) -> None:
        return law("18.11(b)"), other("18.11(c)"), law(number)


def limit() -> None:
    return rulebook("ma-ultimate-texas-holdem")("14(d)")
"""
DATA = """\
[[paytable]]
wager = "main"
cite = "NJ 19:47-18.11(b)"

[[paytable]]
wager = "ante"
cite = 'NJ 13:69F-39.1 "Ante wager"'
# cite = "NJ 19:47-18.11(d)"
"""
TESTS = """\
import pytest


@pytest.mark.clause("NJ 19:47-18.6(d)", 'NJ 13:69F-39.1 "Ante wager"')
@pytest.mark.ruling("L5", "K3")
def test_one():
    pass


@pytest.mark.twins("NJ 19:47-18.7(f)")
@pytest.mark.parametrize("clause", ["NJ 19:47-18.11(e)"])
class TestTwo:
    @pytest.mark.clause("NJ 19:47-18.6(d)")
    def test_inside(self):
        pass
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in {
        "src/croupier/games/ride.py": CODE,
        "src/croupier/games/data/ride.toml": DATA,
        "src/croupier/law/books/ride.toml": 'cite = "NJ 19:47-18.12(a)"\n',
        "tests/games/test_ride.py": TESTS,
        "tests/helpers.py": '@pytest.mark.clause("NJ 19:47-18.12(b)")\ndef test_x(): pass\n',
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return tmp_path


def test_code_cites_a_clause_by_calling_a_book_and_is_found_with_its_place(tree: Path) -> None:
    code = read_matrix(tree).code
    ride = "src/croupier/games/ride.py"
    assert code["NJ 19:47-18.6(d)"] == [Place(ride, 3, "BET")]
    assert code["NJ 19:47-18.7(f)"] == [Place(ride, 4, "ALIAS, OTHER")]
    assert code["NJ 19:47-18.6A(a)"] == [Place(ride, 5, "TYPED")]
    assert code["MA UTH 14(d)"] == [Place(ride, 14, "limit")]
    assert str(code["MA UTH 14(d)"][0]) == f"{ride}:14 limit"


def test_a_data_file_cites_with_a_key_and_books_do_not_cite_themselves(tree: Path) -> None:
    code = read_matrix(tree).code
    data = "src/croupier/games/data/ride.toml"
    assert code["NJ 19:47-18.11(b)"] == [
        Place("src/croupier/games/ride.py", 10, "Settling.settle"),
        Place(data, 3, "main"),
    ]
    assert code['NJ 13:69F-39.1 "Ante wager"'] == [Place(data, 7, "ante")]
    assert "NJ 19:47-18.12(a)" not in code
    assert "NJ 19:47-18.11(d)" not in code  # a comment


def test_what_is_no_citation_is_not_read_as_one(tree: Path) -> None:
    assert "NJ 19:47-18.11(c)" not in read_matrix(tree).code


def test_code_that_cites_a_clause_serves_its_twins(tree: Path) -> None:
    code = read_matrix(tree).code
    assert code["NJ 13:69F-39.7(f)"] == code["NJ 19:47-18.7(f)"]
    assert code["NJ 19:47-16.9(f)"] == code["NJ 19:47-18.7(f)"]
    assert set(code) == {
        "NJ 19:47-18.6(d)",
        "NJ 19:47-18.7(f)",
        "NJ 13:69F-39.7(f)",
        "NJ 19:47-16.9(f)",
        "NJ 19:47-18.6A(a)",
        "NJ 19:47-18.11(b)",
        "MA UTH 14(d)",
        'NJ 13:69F-39.1 "Ante wager"',
    }


def test_a_citation_of_nothing_stops_the_reader(tree: Path) -> None:
    (tree / "src/croupier/wrong.py").write_text('rulebook("nj-let-it-ride")("18.99")\n', "utf-8")
    with pytest.raises(UnknownClause, match=r"'18\.99' is no clause of nj-let-it-ride"):
        read_matrix(tree)


def test_tests_name_clauses_twins_and_rulings_with_marks(tree: Path) -> None:
    found = read_matrix(tree)
    path = "tests/games/test_ride.py"
    one, two, inside = (
        Place(path, 6, "test_one"),
        Place(path, 12, "TestTwo"),
        Place(path, 14, "test_inside"),
    )
    assert found.tests == {
        "NJ 19:47-18.6(d)": [one, inside],
        'NJ 13:69F-39.1 "Ante wager"': [one],
        "NJ 19:47-18.7(f)": [two],
        "NJ 19:47-16.9(f)": [two],
        "NJ 13:69F-39.7(f)": [two],
    }
    assert found.rulings == {"L5": [one], "K3": [one]}


def test_the_matrix_survives_being_written_and_read(tree: Path) -> None:
    found = read_matrix(tree)
    assert Matrix.from_json(found.to_json()) == found
    assert set(json.loads(found.to_json())) == {"code", "tests", "rulings"}


def test_a_clause_is_covered_only_when_code_cites_it_and_a_test_names_it(tree: Path) -> None:
    counted = coverage(read_matrix(tree))["nj-let-it-ride"]
    assert counted.clauses == 142
    assert counted.cited == 4  # 18.6(d), 18.7(f), 18.6A(a), 18.11(b)
    assert counted.tested == 2  # 18.6(d), 18.7(f)
    assert "NJ 19:47-18.6(d)" not in counted.missing
    assert "NJ 19:47-18.6A(a)" in counted.missing  # cited, not tested
    assert "NJ 19:47-18.11(c)" in counted.missing  # neither
    assert len(counted.missing) == counted.implemented - 2


def test_a_ruling_is_untested_until_a_test_names_it(tree: Path) -> None:
    untested = untested_rulings(read_matrix(tree))
    assert "L5" not in untested
    assert "L6" in untested
    assert len(untested) == len(rulings()) - 2


@pytest.fixture(scope="module")
def ours() -> Matrix:
    return matrix()


@pytest.mark.parametrize("book_id", [book.id for book in books()])
def test_dispositions_add_up_to_every_clause(book_id: str, ours: Matrix) -> None:
    c = coverage(ours)[book_id]
    assert c.implemented + c.pending + c.physical + c.notice + c.out_of_scope == c.clauses


# --- the promise ----------------------------------------------------------------------------


@pytest.mark.parametrize("book_id", [book.id for book in books()])
def test_every_implemented_clause_is_cited_by_code_and_held_by_a_test(
    book_id: str, ours: Matrix
) -> None:
    assert coverage(ours)[book_id].missing == ()


def test_every_ruling_is_held_by_a_test(ours: Matrix) -> None:
    assert untested_rulings(ours) == []


def test_no_clause_waits_any_more(ours: Matrix) -> None:
    assert [book for book, counted in coverage(ours).items() if counted.pending] == []


def test_every_mark_on_a_test_names_a_clause_or_ruling_there_is(ours: Matrix) -> None:
    assert set(ours.tests) >= {"NJ 19:47-32.2(b)"}
    for full_id in ours.tests:
        assert clause(full_id).id == full_id
    assert set(ours.rulings) <= set(rulings())
