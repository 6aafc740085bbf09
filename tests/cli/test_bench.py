"""croupier bench on the command line: what cannot be measured is told in a sentence."""

from __future__ import annotations

import re

import pytest
from command import croupier


@pytest.mark.parametrize(
    ("what", "option", "value"),
    [
        ("evaluator", "--hands", "0"),
        ("table", "--seconds", "0"),
        ("table", "--rounds", "0"),
        ("solve", "--turns", "0"),
        ("simulate", "--seconds", "-1"),
        ("ledger", "--seconds", "0"),
        ("ledger", "--events", "-3"),
        ("room", "--seconds", "0"),
        ("room", "--tables", "0"),
    ],
)
def test_nothing_is_not_measured(what: str, option: str, value: str) -> None:
    ran = croupier("bench", what, option, value)
    assert (ran.code, ran.out) == (2, "")
    least = "0.01" if option == "--seconds" else "1"
    assert re.search(rf"'{option}'.*\D{least}\b", ran.err.splitlines()[-1])


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--hostile", "--kinds", "polite"), "There are no hostile clients 'polite'; there are"),
        (("--kinds", "ping"), "--kinds is for --hostile."),
    ],
)
def test_a_kind_of_client_that_there_is_not_is_refused(
    options: tuple[str, ...], sentence: str
) -> None:
    ran = croupier("bench", "room", *options)
    assert (ran.code, ran.out) == (2, "")
    assert sentence in ran.err
