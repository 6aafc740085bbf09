"""The command itself: quick to answer, light to import, quiet when its reader leaves."""

from __future__ import annotations

import subprocess
import sys

import pytest
from typer.testing import CliRunner

import croupier
from croupier.cli.main import COMMANDS, app

COMMAND = [sys.executable, "-m", "croupier"]


def run(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *args], capture_output=True, text=True, timeout=60, check=False
    )


def printed(script: str) -> str:
    """By a Python of its own."""
    return subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    ).stdout


def test_help_lists_the_commands() -> None:
    ran = run("--help")
    assert ran.returncode == 0
    for command in ("law", "check", "sign", "settle", "bench", "version"):
        assert f"\n  {command} " in ran.stdout


def test_help_imports_nothing_but_the_command_line() -> None:
    """Other packages take longer to import than the help takes to print."""
    script = (
        "import sys; from croupier.cli.main import app; app(['--help'], standalone_mode=False);"
        "print(*sorted(sys.modules))"
    )
    imported = printed(script).splitlines()[-1].split()
    assert [each for each in imported if each.startswith("croupier")] == [
        "croupier",
        "croupier.cli",
        "croupier.cli.main",
        "croupier.cli.options",
    ]
    heavy = {"cryptography", "msgspec", "numba", "numpy", "rich", "starlette", "uvicorn"}
    assert heavy.isdisjoint(imported)


def test_every_command_is_listed_in_a_line_of_its_own_and_can_be_asked_for() -> None:
    for name, (_, line) in COMMANDS.items():
        assert len(line) <= 80 - 2 - len("verify-install") - 2
        ran = CliRunner().invoke(app, [name, "--help"])
        assert (ran.exit_code, ran.stderr) == (0, "")
        assert ran.stdout.startswith(f"Usage: root {name} ")
        assert "--help" in ran.stdout


def test_a_command_that_is_not_asked_for_is_not_imported() -> None:
    script = (
        "import sys; from croupier.cli.main import app; app(['version'], standalone_mode=False);"
        "print(sorted(m for m in sys.modules if m.startswith('croupier.cli.')))"
    )
    assert printed(script).splitlines()[1:] == ["['croupier.cli.main', 'croupier.cli.options']"]


def test_a_misspelled_command_is_guessed() -> None:
    assert "Did you mean 'solve'?" in run("sove").stderr


def test_importing_the_command_line_imports_nothing_heavy() -> None:
    script = (
        "import sys, croupier.cli.main;"
        "print([m for m in ('numba', 'numpy', 'rich', 'pokerkit') if m in sys.modules])"
    )
    assert printed(script) == "[]\n"


@pytest.mark.parametrize("command", [["settle", "uth"], ["law"], ["check"], ["sign"]])
def test_every_command_explains_itself(command: list[str]) -> None:
    ran = run(*command, "--help")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert f"Usage: python -m croupier {' '.join(command)} " in ran.stdout


def test_the_version_is_the_packages() -> None:
    assert run("version").stdout == f"croupier {croupier.__version__}\n"


def test_an_unknown_command_exits_2_without_a_traceback() -> None:
    ran = run("shuffle")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "Error: No such command 'shuffle'" in ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize("args", [["version"], ["law", "ma-ultimate-texas-holdem", "--json"]])
def test_a_reader_that_goes_away_leaves_no_traceback(args: list[str]) -> None:
    """As in ``croupier law nj-let-it-ride | true``, with little to say and with much."""
    with subprocess.Popen(
        [*COMMAND, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        said = running.stderr.read()
        assert running.wait(timeout=60) == 1
    assert said == ""
