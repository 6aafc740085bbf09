"""Clause to code to test, read from the source.

Code cites a clause by calling a book (``law("32.10(h)3")``) or with ``cite = "..."`` in a data
file. A test names clauses with ``@pytest.mark.clause(...)``; ``@pytest.mark.twins(...)`` names a
clause and all its twins in the other books, for tests that run under each of them. Code that
cites a clause serves its twins too, because citations are resolved to the table's own book.

An installed package carries the matrix made when it was built, since it has no tests to read.
Standard library only: the build runs this module.
"""

from __future__ import annotations

import ast
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path

from croupier.law.clause import Clause, Disposition, Rulebook, books, rulebook, rulings

MATRIX_FILE = "matrix.json"
KINDS = ("clause", "twins", "ruling")  # of marks on tests


@dataclass(frozen=True, slots=True)
class Place:
    """Where a clause is cited or named: file, line, and the function or constant around it."""

    file: str
    line: int
    name: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.name}"


Places = dict[str, list[Place]]


@dataclass(frozen=True, slots=True)
class Matrix:
    code: Places
    tests: Places
    rulings: Places

    def to_json(self) -> str:
        parts = {"code": self.code, "tests": self.tests, "rulings": self.rulings}
        return json.dumps(
            {
                part: {key: [asdict(place) for place in places] for key, places in found.items()}
                for part, found in parts.items()
            }
        )

    @classmethod
    def from_json(cls, text: str) -> Matrix:
        data = json.loads(text)
        return cls(
            *(
                {key: [Place(**place) for place in places] for key, places in data[part].items()}
                for part in ("code", "tests", "rulings")
            )
        )


def matrix() -> Matrix:
    """Read from the source where this runs in a checkout, else as made at build."""
    root = Path(__file__).resolve().parents[3]
    if (root / "pyproject.toml").is_file() and (root / "tests").is_dir():
        return read_matrix(root)
    return Matrix.from_json((files(__package__) / MATRIX_FILE).read_text("utf-8"))


def read_matrix(root: Path) -> Matrix:
    code: Places = defaultdict(list)
    for path in sorted((root / "src" / "croupier").rglob("*.py")):
        for cited, place in _citations(path, root):
            code[cited].append(place)
    for path in sorted((root / "src" / "croupier").rglob("*.toml")):
        for cited, place in _data_citations(path, root):
            code[cited].append(place)
    tests: Places = defaultdict(list)
    decided: Places = defaultdict(list)
    for path in sorted((root / "tests").rglob("test_*.py")):
        for kind, name, place in _marks(path, root):
            (decided if kind == "ruling" else tests)[name].append(place)
            if kind == "twins":
                for twin in twins_of(name):
                    tests[twin].append(place)
    for book in books():
        for each in book:
            if each.twin and each.twin in code:
                code[each.id].extend(code[each.twin])
    return Matrix(dict(code), dict(tests), dict(decided))


def twins_of(full_id: str) -> list[str]:
    return [c.id for book in books() for c in book if c.twin == full_id]


# --- reading source -------------------------------------------------------------------------


def _citations(path: Path, root: Path) -> Iterator[tuple[str, Place]]:
    text = path.read_text("utf-8")
    if "rulebook(" not in text:  # parsing takes long, and most files have no book
        return
    tree = ast.parse(text)
    bound: dict[str, Rulebook] = {}
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and (book := _rulebook_call(statement.value)):
            bound |= {t.id: book for t in statement.targets if isinstance(t, ast.Name)}
    for node, around in _walk(tree, ""):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        if isinstance(node.func, ast.Name) and node.func.id in bound:
            cited_book: Rulebook | None = bound[node.func.id]
        else:
            cited_book = _rulebook_call(node.func)
        number = node.args[0]
        if cited_book and isinstance(number, ast.Constant) and isinstance(number.value, str):
            place = Place(str(path.relative_to(root)), node.lineno, around)
            yield cited_book(number.value).id, place


def _rulebook_call(node: ast.expr) -> Rulebook | None:
    """The book, when the expression is rulebook("...")."""
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "rulebook"
        and node.args
        and isinstance(node.args[0], ast.Constant)
    ):
        return rulebook(str(node.args[0].value))
    return None


def _walk(node: ast.AST, around: str) -> Iterator[tuple[ast.AST, str]]:
    """Every node with the name of the function, class or constant it stands in."""
    for child in ast.iter_child_nodes(node):
        name = around
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            name = f"{around}.{child.name}" if around else child.name
        elif isinstance(child, ast.Assign) and not around:
            name = ", ".join(ast.unparse(t) for t in child.targets)
        elif isinstance(child, ast.AnnAssign) and not around:
            name = ast.unparse(child.target)
        yield child, name
        yield from _walk(child, name)


def _data_citations(path: Path, root: Path) -> Iterator[tuple[str, Place]]:
    if path.parent.name == "books":
        return
    wager = ""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if found := re.match(r'\s*wager = "(.*)"', line):
            wager = found[1]
        if found := re.match(r"""\s*cite = ["'](.*)["']$""", line):
            yield found[1], Place(str(path.relative_to(root)), number, wager)


def _marks(path: Path, root: Path) -> Iterator[tuple[str, str, Place]]:
    """(kind, clause or ruling id, place) of every mark on a test."""
    text = path.read_text("utf-8")
    if not any(f".{kind}(" in text for kind in KINDS):
        return
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.FunctionDef | ast.ClassDef):
            continue
        for mark in node.decorator_list:
            if not (isinstance(mark, ast.Call) and isinstance(mark.func, ast.Attribute)):
                continue
            if mark.func.attr in KINDS:
                place = Place(str(path.relative_to(root)), node.lineno, node.name)
                for arg in mark.args:
                    if isinstance(arg, ast.Constant) and isinstance(arg.value, str):
                        yield mark.func.attr, arg.value, place


# --- counting -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BookCoverage:
    clauses: int
    implemented: int
    pending: int
    physical: int
    notice: int
    out_of_scope: int
    cited: int
    tested: int
    missing: tuple[str, ...]  # implemented, but cited by no code or named by no test


def coverage(found: Matrix | None = None) -> dict[str, BookCoverage]:
    """Per book: how many clauses of each disposition, and which promises are not kept."""
    found = found or matrix()
    return {book.id: _count(book, found) for book in books()}


def _count(book: Rulebook, found: Matrix) -> BookCoverage:
    def count(disposition: Disposition) -> int:
        return sum(c.disposition is disposition for c in book)

    implemented = [c for c in book if c.disposition is Disposition.IMPLEMENTED]
    cited = [c for c in implemented if found.code.get(c.id)]
    tested = [c for c in implemented if found.tests.get(c.id)]
    return BookCoverage(
        clauses=len(book.clauses),
        implemented=len(implemented),
        pending=count(Disposition.PENDING),
        physical=count(Disposition.PHYSICAL),
        notice=count(Disposition.NOTICE),
        out_of_scope=count(Disposition.OUT_OF_SCOPE),
        cited=len(cited),
        tested=len(tested),
        missing=tuple(c.id for c in implemented if c not in cited or c not in tested),
    )


def untested_rulings(found: Matrix | None = None) -> list[str]:
    found = found or matrix()
    return [ruling_id for ruling_id in rulings() if ruling_id not in found.rulings]


def find_clauses(text: str) -> list[Clause]:
    """Clauses by full id, or by the number alone in whichever books have it."""
    exact = [c for book in books() for c in book if c.id == text]
    return exact or [
        c for book in books() for prefix in book.prefixes for c in book if c.id == prefix + text
    ]
