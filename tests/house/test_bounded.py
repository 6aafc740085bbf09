"""What in a submission is out of bounds: one sentence each, with key, value and bound."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from croupier.games.registry import RULEBOOKS
from croupier.house.bounded import beyond
from croupier.house.check import check
from croupier.house.submission import Malformed, default_house, load, read_data, recalled
from croupier.law.refused import Refused

NJ, MA = "nj-ultimate-texas-holdem", "ma-ultimate-texas-holdem"
CARIBBEAN, RIDE, PIK_IT = "nj-caribbean-stud", "nj-let-it-ride", "nj-pik-it-poker"
FINE = {"trips": {"pair": "9,999 to 10000"}}


def wrong(book: str, changes: dict[str, Any]) -> list[str]:
    with pytest.raises(Malformed) as malformed:
        read_data({"rulebook": book, **changes})
    return [str(each) for each in malformed.value.violations]


@pytest.mark.parametrize("book", RULEBOOKS)
def test_presets_are_within_bounds(book: str) -> None:
    assert beyond(default_house(book)) == []


@pytest.mark.parametrize(
    ("book", "changes", "sentence"),
    [
        (
            NJ,
            {"limits": {"ante": [5, 1_000_001]}},
            "limits.ante = ['$5', '$1,000,001']: no wager may be larger than $1,000,000.",
        ),
        (
            CARIBBEAN,
            {"pay": {"bet": {"royal-flush": 10**15}}},
            "pay.bet.royal-flush = '1,000,000,000,000,000 to 1': "
            "odds may be at most 1,000,000 to 1.",
        ),
        (
            NJ,
            {"pay": {"trips": {"pair": "1,000,001 to 1"}}},
            "pay.trips.pair = '1,000,001 to 1': odds may be at most 1,000,000 to 1.",
        ),
        (
            NJ,
            {"pay": {"trips": {"pair": "1 to 10001"}}},
            "pay.trips.pair = '1 to 10001': odds may be to 10,000 at most, not to a larger number.",
        ),
        (
            NJ,
            {"pay": {"trips": {"pair": "1 to 9999"}}},
            "pay = '1/19998': the fractions of all odds together divide a wager into 19,998 parts; "
            "10,000 is the most.",
        ),
        (
            MA,
            {"pay": {"cover-all": {"7": {"royal-flush": 10**7}}}},
            "pay.cover-all.7.royal-flush = '10,000,000 to 1': odds may be at most 1,000,000 to 1.",
        ),
        (
            RIDE,
            {"pay": {"bonus": {"high-card": "$10,000,000,000.01"}}},
            "pay.bonus.high-card = '$10,000,000,000.01': "
            "no sum in a submission may exceed $10,000,000,000.",
        ),
        (
            RIDE,
            {"payout_limit": 10**10 + 1},
            "payout_limit = '$10,000,000,001': no sum in a submission may exceed $10,000,000,000.",
        ),
        (
            CARIBBEAN,
            {"progressive": {"meter": 10**11, "seed": 10**11}},
            "progressive.meter = '$100,000,000,000': "
            "no sum in a submission may exceed $10,000,000,000.",
        ),
        (
            RIDE,
            {"limits": {"main": [5, 1_000_000]}, "pay": {"main": {"royal-flush": 10_001}}},
            "limits.main = '$1,000,000': at this maximum the bet 1 wager could win "
            "$10,001,000,000; one wager may win at most $10,000,000,000.",
        ),
    ],
)
def test_what_is_out_of_bounds_is_named(book: str, changes: dict[str, Any], sentence: str) -> None:
    assert wrong(book, changes)[0] == sentence


@pytest.mark.parametrize(
    ("book", "changes"),
    [
        (NJ, {"limits": {"ante": [5, 1_000_000]}, "pay": {"trips": {"pair": "9999/10000"}}}),
        (NJ, {"pay": {"trips": {"royal-flush": 1_000_000}}}),
        (RIDE, {"limits": {"main": [5, 1_000_000]}, "pay": {"main": {"royal-flush": 10_000}}}),
        (RIDE, {"pay": {"bonus": {"high-card": "$10,000,000,000"}}}),
        (CARIBBEAN, {"progressive": {"meter": 10**10, "seed": 10**10}}),
    ],
)
def test_a_bound_itself_is_accepted(book: str, changes: dict[str, Any]) -> None:
    assert beyond(read_data({"rulebook": book, **changes})) == []


HUGE = 10**400
MONSTER = 10**5_000  # Python does not write it out
VALUES = {
    "huge": HUGE,
    "monster": MONSTER,
    "negative": -1,
    "huge negative": -HUGE,
    "float": 1.5,
    "nan": math.nan,
    "inf": math.inf,
    "bool": True,
    "list": [],
    "table": {},
}


@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize(
    ("book", "keys"),
    [
        (NJ, ("positions",)),
        (NJ, ("payout_limit",)),
        (NJ, ("limits", "ante")),
        (NJ, ("pay", "trips")),
        (NJ, ("pay", "trips", "pair")),
        (RIDE, ("pay", "bonus", "flush")),
        (CARIBBEAN, ("progressive", "meter")),
        (CARIBBEAN, ("progressive", "contribution")),
        (PIK_IT, ("multiples", "play-3")),
        (PIK_IT, ("settlement",)),
        (MA, ("pay", "cover-all", "7", "royal-flush")),
        (NJ, ("rulebook",)),
    ],
)
def test_no_number_breaks_the_reader(book: str, keys: tuple[str, ...], kind: str) -> None:
    """Refused in sentences of a readable length, as malformed or as not legal."""
    changes: Any = VALUES[kind]
    for key in reversed(keys):
        changes = {key: changes}
    try:
        violations = list(check(read_data({"rulebook": book, **changes})).violations)
    except Malformed as malformed:
        violations = malformed.violations
    empty_table = (kind, keys[-1]) == ("table", "trips")  # the printed table, nothing changed
    assert violations or empty_table
    assert all(len(str(each)) < 600 for each in violations)


def test_a_limit_of_two_huge_numbers_is_refused() -> None:
    for value in ([5, HUGE], [MONSTER, MONSTER], ["1" * 50, 5], [5, math.nan]):
        assert all(len(each) < 600 for each in wrong(NJ, {"limits": {"ante": value}}))


def test_multiples_are_few_and_small() -> None:
    assert wrong(NJ, {"multiples": {"before-flop": [1, 2, 3, 4, 5]}}) == [
        "multiples.before-flop = [1, 2, 3, 4, 5]: it may name at most 4 multiples."
    ]
    assert wrong(NJ, {"multiples": {"before-flop": [11]}}) == [
        "multiples.before-flop = [11]: a multiple must be from 0 to 10."
    ]


def test_a_table_that_was_opened_before_there_were_bounds_still_loads() -> None:
    data = {"rulebook": CARIBBEAN, "limits": {"ante": [5, 10**12]}}
    assert wrong(CARIBBEAN, data)
    assert recalled(data).posted["ante"].maximum == 10**14


@pytest.mark.parametrize(
    "text",
    [
        f'rulebook = "{NJ}"\npositions = {"9" * 5_000}\n',
        f'rulebook = "{NJ}"\npositions = 0x{"f" * 5_000}\n',
        f'rulebook = "{NJ}"\n[limits]\nante = [5, 0x{"f" * 5_000}]\n',
        f'rulebook = "{NJ}"\n[pay.trips]\npair = 0x{"f" * 5_000}\n',
        f"rulebook = 0x{'f' * 5_000}\n",
        f'rulebook = "{NJ}"\ndecks = {"[" * 5_000}{"]" * 5_000}\n',
    ],
)
def test_a_file_with_a_number_without_end_is_refused_in_a_sentence(
    text: str, tmp_path: Path
) -> None:
    file = tmp_path / "house.toml"
    file.write_text(text)
    with pytest.raises(Refused) as refused:
        load(file)
    assert len(str(refused.value)) < 1_000
    for more in ((), ("--json",)):
        command = [sys.executable, "-m", "croupier", "check", str(file), "--no-edge", *more]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert ran.returncode in (1, 2)
        assert "Traceback" not in ran.stderr
        if ran.stdout and more:
            assert json.loads(ran.stdout)["legal"] is False
