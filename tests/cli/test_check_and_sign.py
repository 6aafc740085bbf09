"""croupier check and croupier sign, on files as a licensee would write them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import croupier

pytestmark = pytest.mark.usefixtures("solved_once")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "house.toml"


LEGAL = 'rulebook = "nj-let-it-ride"\npayout_limit = 50_000\n[limits]\nmain = [5, 16]\n'
WARNED = 'rulebook = "nj-let-it-ride"\n'
ILLEGAL = """\
rulebook = "nj-ultimate-texas-holdem"
dealing = "hand"
payout_limit = "49,999.99"
"""
MALFORMED = 'rulebook = "nj-ultimate-texas-holdem"\npositions = "six"\nadjacent = 2\n'


def test_a_legal_house_exits_0_and_names_its_book(file: Path) -> None:
    file.write_text(LEGAL)
    ran = croupier("check", str(file), "--no-edge")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == "Legal under Let It Ride Poker (N.J.A.C. 19:47-18).\n"
    ran = croupier("check", str(file), "--json", "--no-edge")
    assert ran.returncode == 0
    assert json.loads(ran.stdout) == {"legal": True, "violations": [], "warnings": []}


def test_a_warning_leaves_a_house_legal(file: Path) -> None:
    file.write_text(WARNED)
    ran = croupier("check", str(file), "--json", "--no-edge")
    assert ran.returncode == 0
    assert json.loads(ran.stdout) == {
        "legal": True,
        "violations": [],
        "warnings": [
            {
                "key": "payout_limit",
                "value": None,
                "sentence": "without a limit the best hand at the maximum wins $1,500,000.",
                "clause": "NJ 19:47-18.11(c)",
            }
        ],
    }
    lines = croupier("check", str(file), "--no-edge").stdout.splitlines()
    assert lines[0].startswith("warning: payout_limit = None: ")
    assert lines[0].endswith("[NJ 19:47-18.11(c)]")
    assert lines[1].startswith("Legal under ")


def test_a_legal_house_may_be_for_staff_only(file: Path) -> None:
    file.write_text(WARNED)
    assert croupier("check", str(file), "--player", "--no-edge").returncode == 0
    file.write_text(LEGAL)
    ran = croupier("check", str(file), "--player", "--no-edge")
    assert (ran.returncode, ran.stderr) == (1, "")
    assert ran.stdout.splitlines() == [
        "violation: payout_limit = 50000: Only staff may set payout_limit; "
        "player-opened tables use the room's.",
        "Only staff may open this table: 1 violation.",
    ]


def test_a_legal_house_is_told_its_edges(file: Path) -> None:
    """The main game's is the published one; the other two are held where they are computed."""
    file.write_text(LEGAL)
    ran = croupier("check", str(file))
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.splitlines() == [
        "Legal under Let It Ride Poker (N.J.A.C. 19:47-18).",
        "edge, main: 3.5057 % (37963/1082900)",
        "edge, bonus: 24.0712 % (460/1911)",
        "edge, three-card: 2.3167 % (128/5525)",
    ]
    found = json.loads(croupier("check", str(file), "--json").stdout)
    assert found["edge"] == {"main": "37963/1082900", "bonus": "460/1911", "three-card": "128/5525"}
    assert found["warnings"] == []


@pytest.mark.ruling("P1")
def test_a_legal_house_that_favours_the_player_is_warned_and_stays_legal(file: Path) -> None:
    file.write_text('rulebook = "nj-pik-it-poker"\nqualifier = false\n')
    ran = croupier("check", str(file), "--json")
    assert ran.returncode == 0
    found = json.loads(ran.stdout)
    assert found["legal"]
    assert found["edge"]["main"].startswith("-")
    (warning,) = found["warnings"]
    assert warning["key"] == "multiples"
    assert warning["value"] == {"play-3": 2, "play-5": 2}
    assert warning["clause"] == "NJ 13:69F-39.3(b)"
    assert f"({found['edge']['main'][1:]}) of the ante." in warning["sentence"]
    lines = croupier("check", str(file)).stdout.splitlines()
    assert lines[0].startswith("warning: multiples = {'play-3': 2, 'play-5': 2}: without a ")
    assert lines[2].startswith("edge, main: -")


def test_an_illegal_house_has_no_edge(file: Path) -> None:
    file.write_text(ILLEGAL)
    assert "edge" not in json.loads(croupier("check", str(file), "--json").stdout)


def test_an_illegal_house_exits_1_with_every_violation_and_its_clause(file: Path) -> None:
    file.write_text(ILLEGAL)
    ran = croupier("check", str(file))
    assert (ran.returncode, ran.stderr) == (1, "")
    assert ran.stdout.splitlines() == [
        "violation: dealing = 'hand': dealing from the hand needs an automated card shuffling "
        "device. [NJ 19:47-32.8(b)1]",
        "violation: payout_limit = '$49,999.99': the payout limit is at least $50,000 here. "
        "[NJ 19:47-32.11(e)]",
        "Not legal: 2 violations.",
    ]
    ran = croupier("check", str(file), "--json")
    assert ran.returncode == 1
    found = json.loads(ran.stdout)
    assert (found["legal"], found["warnings"]) == (False, [])
    assert [(v["key"], v["value"], v["clause"]) for v in found["violations"]] == [
        ("dealing", "hand", "NJ 19:47-32.8(b)1"),
        ("payout_limit", "$49,999.99", "NJ 19:47-32.11(e)"),
    ]


def test_a_malformed_house_exits_1_and_its_other_violations_are_found_too(file: Path) -> None:
    file.write_text(MALFORMED)
    ran = croupier("check", str(file), "--json")
    assert ran.returncode == 1
    assert [(v["key"], v["clause"]) for v in json.loads(ran.stdout)["violations"]] == [
        ("positions", None),
        ("adjacent", "NJ 19:47-32.12"),
    ]


@pytest.mark.parametrize(
    ("content", "key"),
    [
        ("", "rulebook"),
        ('rulebook = "nj-poker"', "rulebook"),
        ('rulebook = "nj-let-it-ride"\nname = 2007-10-15', "name"),
        ('rulebook = "nj-let-it-ride"\npositions = nan', "positions"),
        ('rulebook = "nj-let-it-ride"\n[pay.main]\nflush = ","', "pay.main.flush"),
    ],
)
def test_json_is_printed_whatever_the_file_says(file: Path, content: str, key: str) -> None:
    file.write_text(content)
    ran = croupier("check", str(file), "--json")
    assert ran.stderr == ""
    assert ran.returncode == 1

    def no_such_number(name: str) -> object:
        raise AssertionError(f"{name} is no JSON")

    found = json.loads(ran.stdout, parse_constant=no_such_number)
    assert [v["key"] for v in found["violations"]] == [key]


@pytest.mark.parametrize(
    ("command", "content", "says"),
    [
        ("check", None, "No such file or directory."),
        ("sign", "rulebook = ", "is not TOML: "),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_in_one_line(
    file: Path, command: str, content: str | None, says: str
) -> None:
    if content is not None:
        file.write_text(content)
    ran = croupier(command, str(file))
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith(f"Refused: {file} ")
    assert says in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_a_sign_is_printed_with_or_without_the_clauses_that_ask_for_it(file: Path) -> None:
    file.write_text(LEGAL + '[pay]\nthree-card = "D"\n')
    ran = croupier("sign", str(file))
    assert (ran.returncode, ran.stderr) == (0, "")
    lines = ran.stdout.splitlines()
    assert lines[:2] == ["The Croupier Room", "    Let It Ride"]
    assert "    Mini-royal: 50 to 1" in lines
    assert "    Royal flush: win $25,000" in lines
    assert "    Bet 1, bet 2 and bet 3 together win at most $50,000" in lines
    assert "[" not in ran.stdout
    with_clauses = croupier("sign", str(file), "--clauses").stdout.splitlines()
    assert "Bonus  [NJ 19:47-18.11(d)]" in with_clauses
    assert [line.split("  [")[0] for line in with_clauses] == lines


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (ILLEGAL, "No sign for a house that is not legal: dealing: "),
        (MALFORMED, "positions = 'six': it must be a whole number."),
    ],
)
def test_there_is_no_sign_for_a_house_that_is_not_legal(
    file: Path, content: str, says: str
) -> None:
    file.write_text(content)
    ran = croupier("sign", str(file))
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith(f"Refused: {says}")
    assert ran.stderr.count("\n") == 1
