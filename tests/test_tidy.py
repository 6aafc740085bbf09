"""Style is a test: direction of imports, citations, types, no floats, no dead files."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest

from croupier.cli.main import COMMANDS
from croupier.law.clause import BOOK_IDS, rulings
from croupier.law.coverage import read_matrix

ROOT = Path(__file__).resolve().parents[1]
SRC = ROOT / "src"
PACKAGE = SRC / "croupier"
MODULES = sorted(PACKAGE.rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))

ORDER = (
    *("law", "cards", "rules", "games", "house", "table", "script", "terminal"),
    *("analysis", "ledger", "room", "bench", "cli"),
)
MAY_IMPORT = {name: set(ORDER[: place + 1]) for place, name in enumerate(ORDER)}
MAY_IMPORT["analysis"] -= {"table", "script", "terminal"}  # it asks games, never the table
FREE = {"croupier", "croupier.law.refused"}
ENTRY_POINTS = {"croupier.__main__", "croupier.cli.main"}
NO_FLOATS = ("rules", "games", "house", "table")


def name_of(path: Path) -> str:
    parts = path.relative_to(SRC).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT))


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


NAMES = {name_of(path): path for path in MODULES}


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Every module of ours that a file imports, with the line."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "croupier":
                    yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{shown(path)}:{node.lineno} imports relatively"
            if node.module and node.module.split(".")[0] == "croupier":
                for alias in node.names:
                    inner = f"{node.module}.{alias.name}"
                    yield node.lineno, inner if inner in NAMES else node.module


def test_every_import_of_ours_names_a_module_there_is() -> None:
    wrong = [
        f"{shown(path)}:{line} {name}"
        for path in MODULES
        for line, name in imports(path)
        if name not in NAMES
    ]
    assert wrong == []


def test_every_package_has_its_place_in_the_order() -> None:
    packages = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").is_file()}
    assert packages <= set(ORDER)


def test_each_package_imports_only_from_itself_and_those_before_it() -> None:
    wrong = []
    for path in MODULES:
        parts = path.relative_to(PACKAGE).parts
        if len(parts) == 1:  # the top-level package is free
            continue
        for line, name in imports(path):
            if name not in FREE and name.split(".")[1] not in MAY_IMPORT[parts[0]]:
                wrong.append(f"{shown(path)}:{line} {name}")
    assert wrong == []


def test_every_module_is_imported_by_another_or_is_an_entry_point() -> None:
    imported = {name for path in MODULES for _, name in imports(path) if name != name_of(path)}
    imported |= ENTRY_POINTS
    imported |= {f"croupier.cli.{where.partition(':')[0]}" for where, _ in COMMANDS.values()}
    orphans = [
        shown(path)
        for path in MODULES
        if path.name != "__init__.py" and name_of(path) not in imported
    ]
    assert orphans == []


def test_every_entry_point_is_there_and_the_command_leads_to_one() -> None:
    assert set(NAMES) >= ENTRY_POINTS
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["scripts"] == {"croupier": "croupier.cli.main:main"}


def test_every_data_file_is_named_by_code() -> None:
    """Pages name each other's scripts and styles. py.typed is named by nobody: type checkers look
    for it."""
    named = {
        node.value
        for path in MODULES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    data = [
        path
        for path in PACKAGE.rglob("*")
        if path.is_file()
        and "__pycache__" not in path.parts
        and path.suffix != ".py"
        and path.name != "py.typed"
    ]
    assert len(data) > 10
    pages = [path for path in data if "static" in path.parts]
    linked = {
        path
        for path in pages
        for other in pages
        if other != path and path.name in other.read_text("utf-8")
    }
    unnamed = [
        shown(path) for path in data if path not in linked and not {path.name, path.stem} & named
    ]
    assert unnamed == []


# --- citations ------------------------------------------------------------------------------


def books_bound(path: Path) -> dict[str, str]:
    """Names bound to a book at the top of a module."""
    bound: dict[str, str] = {}
    for statement in tree_of(path).body:
        if isinstance(statement, ast.Assign) and (book := book_called(statement.value)):
            bound |= {t.id: book for t in statement.targets if isinstance(t, ast.Name)}
    return bound


def book_called(node: ast.expr) -> str:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
        book = node.args[0]
        if node.func.id == "rulebook" and isinstance(book, ast.Constant):
            return str(book.value)
    return ""


def calls(path: Path) -> Iterator[ast.Call]:
    yield from (node for node in ast.walk(tree_of(path)) if isinstance(node, ast.Call))


def test_every_citation_resolves() -> None:
    """The reader itself stops at a citation of nothing; it finds hundreds."""
    assert len(read_matrix(ROOT).code) > 200
    for path in MODULES:
        assert set(books_bound(path).values()) <= set(BOOK_IDS), shown(path)


def test_every_citation_is_a_literal_that_can_be_read_without_running() -> None:
    wrong = []
    for path in MODULES:
        bound = books_bound(path)
        for call in calls(path):
            by_name = isinstance(call.func, ast.Name) and call.func.id in bound
            if by_name or book_called(call.func):
                literal = len(call.args) == 1 and isinstance(call.args[0], ast.Constant)
                if not literal or call.keywords:
                    wrong.append(f"{shown(path)}:{call.lineno} {ast.unparse(call)}")
    assert wrong == []


def test_every_citation_is_made_through_a_book_bound_at_the_top_of_its_module() -> None:
    """Else the coverage reader cannot see it, and nothing fails when the import does not."""
    words = {name for path in MODULES for name in books_bound(path)}
    wrong = []
    for path in MODULES:
        bound = books_bound(path)
        for call in calls(path):
            name = getattr(call.func, "attr", getattr(call.func, "id", ""))
            literal = (
                len(call.args) == 1
                and isinstance(call.args[0], ast.Constant)
                and isinstance(call.args[0].value, str)
            )
            seen = isinstance(call.func, ast.Name) and name in bound
            if name in words and literal and not seen:
                wrong.append(f"{shown(path)}:{call.lineno} {ast.unparse(call)}")
    assert wrong == []


# --- code -----------------------------------------------------------------------------------


def public_functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    nodes = list(tree_of(path).body)
    for node in nodes:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            nodes += node.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            dunder = node.name.startswith("__") and node.name.endswith("__")
            if dunder or not node.name.startswith("_"):
                yield node


@pytest.mark.parametrize("path", MODULES, ids=shown)
def test_every_public_function_says_what_it_takes_and_gives(path: Path) -> None:
    untyped = []
    for function in public_functions(path):
        a = function.args
        taken = [*a.posonlyargs, *a.args, *a.kwonlyargs]
        taken += [each for each in (a.vararg, a.kwarg) if each]
        bare = [each.arg for each in taken if not each.annotation]
        if function.returns is None or set(bare) - {"self", "cls"}:
            untyped.append(f"{function.name}:{function.lineno} {bare}")
    assert untyped == []


@pytest.mark.parametrize(
    "path",
    [path for path in MODULES if path.relative_to(PACKAGE).parts[0] in NO_FLOATS],
    ids=shown,
)
def test_no_float_comes_near_money(path: Path) -> None:
    floats = [
        node.lineno
        for node in ast.walk(tree_of(path))
        if (isinstance(node, ast.Constant) and isinstance(node.value, float))
        or (isinstance(node, ast.Name) and node.id == "float")
        or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and not a_path(node))
    ]
    assert floats == []


def a_path(division: ast.BinOp) -> bool:
    """folder / "file" and folder / f"{name}.toml" divide nothing."""
    name = division.right
    return isinstance(name, ast.JoinedStr) or (
        isinstance(name, ast.Constant) and isinstance(name.value, str)
    )


@pytest.mark.parametrize("path", TESTS, ids=shown)
def test_a_mark_stands_on_a_test_and_no_test_is_skipped(path: Path) -> None:
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Attribute):
            assert node.attr not in ("skip", "skipif", "xfail", "importorskip"), node.lineno
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            held = {
                mark.func.attr
                for mark in node.decorator_list
                if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Attribute)
            } & {"clause", "twins", "ruling"}
            assert not held or node.name.lower().startswith("test"), node.name


# --- the repository -------------------------------------------------------------------------


def texts() -> Iterator[tuple[Path, str]]:
    """Every text file that is not ignored."""
    ignored = [
        line.strip().rstrip("/")
        for line in (ROOT / ".gitignore").read_text("utf-8").splitlines()
        if line.strip() and not line.startswith("#")
    ] + [".git"]
    for path in sorted(ROOT.rglob("*")):
        parts = path.relative_to(ROOT).parts
        if any(fnmatch(part, pattern) for part in parts for pattern in ignored):
            continue
        if path.is_file():
            try:
                yield path, path.read_text("utf-8")
            except UnicodeDecodeError:
                continue  # no text


# Joined here, so that this file does not hold what it looks for.
MACHINE = re.compile(
    "|".join(
        [
            *(rf"(?<![\w.])/{folder}/" for folder in ("work", "root", "home", "Users", "opt")),
            *(rf"/tmp/{name}" for name in ("venv", "bash")),
            *(
                rf"\b{host}\.{domain}\b"
                for host, domain in (
                    ("pypi", "org"),
                    ("pythonhosted", "org"),
                    ("npmjs", "org"),
                    ("jfrog", "io"),
                )
            ),
            rf"--{'index'}-url|{'extra'}-index",
        ]
    )
)


def test_no_text_names_a_machine_or_a_registry() -> None:
    found = [
        f"{shown(path)}: {match[0]}" for path, text in texts() for match in MACHINE.finditer(text)
    ]
    assert found == []


def test_the_readme_starts_with_the_two_commands_that_matter() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    fenced = re.findall(r"^```[a-z]*\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    lines = [line for block in fenced for line in block.splitlines()]
    commands = [line.split("#")[0].strip().removeprefix("$ ") for line in lines if line.strip()]
    assert commands[:2] == ["make table", "make test"]
    targets = (ROOT / "Makefile").read_text("utf-8")
    assert re.search(r"^table:", targets, re.MULTILINE)
    assert re.search(r"^test:", targets, re.MULTILINE)


def test_the_glossary_is_there() -> None:
    assert (ROOT / "docs" / "GLOSSARY.md").read_text("utf-8").startswith("# ")


def test_every_ruling_is_in_the_docs() -> None:
    text = (ROOT / "docs" / "RULINGS.md").read_text("utf-8")
    unnamed = [each for each in rulings() if not re.search(rf"\b{each}\b", text)]
    assert unnamed == []


def test_a_citation_is_never_kept_under_a_name_that_nobody_uses() -> None:
    """Else a clause would count as enforced by a line that does nothing."""
    texts = [path.read_text("utf-8") for path in PACKAGE.rglob("*.py")]
    source = "\n".join(texts)
    idle = []
    for text in texts:
        for node in ast.parse(text).body:
            if isinstance(node, ast.Assign) and _cites(node.value):
                names = [target.id for target in node.targets if isinstance(target, ast.Name)]
                idle += [name for name in names if len(re.findall(rf"\b{name}\b", source)) == 1]
    assert idle == []


def _cites(value: ast.expr) -> bool:
    """Whether a call in the expression names a clause such as 32.4(c)1ii."""
    calls = [node for node in ast.walk(value) if isinstance(node, ast.Call)]
    constants = [arg for call in calls for arg in call.args if isinstance(arg, ast.Constant)]
    return any(re.match(r"[\d.]+[A-Z]?\(", str(each.value)) for each in constants)
