"""croupier rng, as a laboratory runs it."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.cards.card import DECK, cards

SEED = "00" * 31 + "07"


def rng(*args: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "croupier", "rng", *args]
    return subprocess.run(command, capture_output=True, timeout=60, check=False)


def test_final_outcomes_are_whole_decks_a_line_each_and_never_the_same() -> None:
    ran = rng("collect", "--final", "--count", "50")
    assert ran.returncode == 0
    lines = ran.stdout.decode("ascii").splitlines()
    assert len(set(lines)) == len(lines) == 50
    assert all(sorted(cards(line)) == list(DECK) for line in lines)


def test_raw_output_is_so_many_bytes() -> None:
    one, two = (rng("collect", "--raw", "--count", "70000").stdout for _ in range(2))
    assert len(one) == len(two) == 70_000
    assert one != two


def test_either_goes_to_a_file(tmp_path: Path) -> None:
    raw, final = tmp_path / "raw", tmp_path / "final"
    assert rng("collect", "--raw", "--count", "100", "--out", str(raw)).stdout == b""
    assert rng("collect", "--final", "--count", "3", "--out", str(final)).stdout == b""
    assert len(raw.read_bytes()) == 100
    assert len(final.read_text("ascii").splitlines()) == 3


def test_a_file_that_cannot_be_written_is_refused_in_a_sentence(tmp_path: Path) -> None:
    ran = rng("collect", "--final", "--count", "3", "--out", str(tmp_path / "no" / "file"))
    assert ran.returncode == 2
    assert ran.stderr.decode().endswith("cannot be written: No such file or directory.\n")
    assert ran.stderr.count(b"\n") == 1


def test_raw_bytes_are_not_written_to_a_terminal() -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "croupier", "rng", "collect", "--raw", "--count", "100"]
    ran = subprocess.run(command, stdout=theirs, stderr=subprocess.PIPE, timeout=60, check=False)
    os.close(theirs)
    os.close(ours)
    assert ran.returncode == 2
    assert ran.stderr == b"Refused: Raw bytes are not for a terminal; give --out FILE or a pipe.\n"


@pytest.mark.parametrize(
    "args", [["--count", "3"], ["--raw"], ["--raw", "--count", "0"], ["--final", "--count", "x"]]
)
def test_what_to_collect_must_be_said(args: list[str]) -> None:
    ran = rng("collect", *args)
    assert ran.returncode == 2
    assert b"Traceback" not in ran.stderr


def test_the_seven_tests_in_words() -> None:
    ran = rng("test", "--decks", "2000", "--seed", SEED)
    assert ran.returncode == 0
    lines = ran.stdout.decode().splitlines()
    assert len(lines) == 9
    assert all(line.endswith("  passed") for line in lines[1:8])
    assert "chi-square 2601" in lines[1]
    assert lines[8] == "2,000 decks, together at 99 % confidence (Holm, both tails): passed"


def test_the_seven_tests_as_data_and_again() -> None:
    one, two = (rng("test", "--decks", "2000", "--seed", SEED, "--json") for _ in range(2))
    assert one.stdout == two.stdout
    report = json.loads(one.stdout)
    assert report["passed"] is True
    assert len(report["tests"]) == 7
    assert all(test["passed"] and 0 < test["p"] <= 1 for test in report["tests"])
    assert report["tests"][0]["parameter"] == 2_601


def test_the_three_tests_on_raw_output() -> None:
    ran = rng("test", "--raw", "--bytes", "100000", "--seed", SEED, "--alone", "--json")
    report = json.loads(ran.stdout)
    assert ran.returncode == 0
    assert [test["test"] for test in report["tests"]] == ["chi-square", "mono-bit", "runs"]
    assert (report["tested"], report["programs"]) == ("100,000 bytes", [])


def test_a_failed_test_exits_with_1(tmp_path: Path) -> None:
    """A program that condemns everything stands in for bad output; ours is good."""
    program = tmp_path / "dieharder"
    program.write_text('#!/bin/sh\necho "test $4| FAILED"\n', "utf-8")
    program.chmod(0o755)
    command = [sys.executable, "-m", "croupier", "rng", "test", "--raw", "--bytes", "10000"]
    ran = subprocess.run(
        [*command, "--seed", SEED],
        env={**os.environ, "PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ran.returncode == 1
    assert "test 15| FAILED" in ran.stdout
    assert ran.stdout.endswith(": failed\n")


@pytest.mark.parametrize(
    ("seed", "sentence"),
    [
        ("xyz", "Refused: The seed 'xyz' is not hexadecimal.\n"),
        ("00" * 31, "Refused: A seed has 32 bytes, not 31.\n"),
        ("00" * 33, "Refused: A seed has 32 bytes, not 33.\n"),
    ],
)
def test_a_seed_that_is_none_is_refused(seed: str, sentence: str) -> None:
    ran = rng("test", "--seed", seed)
    assert ran.returncode == 2
    assert ran.stderr.decode() == sentence


@pytest.mark.parametrize("decks", ["999", "1000001"])
def test_too_few_decks_and_too_many_are_refused(decks: str) -> None:
    ran = rng("test", "--decks", decks)
    assert ran.returncode == 2
    assert b"Traceback" not in ran.stderr
