"""The command itself: quick to answer, light to import, quiet when its reader leaves."""

from __future__ import annotations

import subprocess
import sys
from resource import RUSAGE_CHILDREN, getrusage

import pytest
from typer.testing import CliRunner

import croupier
from croupier.cli.main import COMMANDS, app

COMMAND = [sys.executable, "-m", "croupier"]


def run(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *args], capture_output=True, text=True, timeout=60, check=False
    )


def test_help_lists_the_commands_and_answers_in_under_300_milliseconds() -> None:
    """By the processor's clock, for other tests may have the processor meanwhile; it waits for
    nothing, so on a free machine that is the time on the wall. The best of five counts."""
    took: list[float] = []
    while len(took) < 5 and (not took or min(took) >= 0.3):
        before = getrusage(RUSAGE_CHILDREN)
        ran = run("--help")
        after = getrusage(RUSAGE_CHILDREN)
        took.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        assert ran.returncode == 0
        for command in ("law", "check", "sign", "settle", "bench", "version"):
            assert f"\n  {command} " in ran.stdout
    assert 0 < min(took) < 0.3


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
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    assert ran.stdout.splitlines()[1:] == ["['croupier.cli.main', 'croupier.cli.options']"]


def test_a_misspelled_command_is_guessed() -> None:
    assert "Did you mean 'solve'?" in run("sove").stderr


def test_importing_the_command_line_imports_nothing_heavy() -> None:
    script = (
        "import sys, croupier.cli.main;"
        "print([m for m in ('numba', 'numpy', 'rich', 'pokerkit') if m in sys.modules])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    assert ran.stdout == "[]\n"


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
