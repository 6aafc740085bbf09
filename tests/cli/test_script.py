"""croupier script: a dispute is written down, and ruled on."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from croupier.cli.main import app
from croupier.law.refused import Refused
from croupier.script.commands import BUILDERS
from croupier.script.run import Failed, run
from croupier.table.commands import Command
from croupier.table.decide import HANDLERS

DOC = Path(__file__).resolve().parents[2] / "docs" / "SCRIPT.md"
EXAMPLES = re.findall(r"^```\n(.*?)^```", DOC.read_text("utf-8"), re.MULTILINE | re.DOTALL)

RIDE = """
game let-it-ride
bets 10 10 10
deal Td 4c 9h / 2s Ts 2h
withdraw 1    -> bet 1 returned 10
withdraw 3    -> refused: BET_3_MUST_RIDE [NJ 19:47-18.6(d)]
ride 2
settle        -> bet 2 won 10, bet 3 won 10
net +20
"""


def called(tmp_path: Path, text: str, *options: str) -> tuple[int, str, str]:
    file = tmp_path / "round.txt"
    file.write_text(text, "utf-8")
    result = CliRunner().invoke(app, ["script", str(file), *options])
    if isinstance(result.exception, Refused):
        return 2, result.stdout, str(result.exception)
    return result.exit_code, result.stdout, result.stderr


def test_a_script_tells_what_happened_each_with_its_clause(tmp_path: Path) -> None:
    code, out, _ = called(tmp_path, RIDE)
    assert code == 0
    assert "Seat 1: bet 2 $10 wins $10. Tens or better pays 1 to 1.  [NJ 19:47-18.11(b)]" in out
    assert "Line 6 is refused: Bet 3 always rides.  [NJ 19:47-18.6(d)]" in out
    lines = out.splitlines()
    assert lines.index("Line 6 is refused: Bet 3 always rides.  [NJ 19:47-18.6(d)]") < lines.index(
        "Seat 1 lets bet 2 ride.  [NJ 19:47-18.10(e)1]"
    )


def test_with_clauses_each_event_is_followed_by_what_its_clause_asks(tmp_path: Path) -> None:
    from croupier.law.clause import clause

    _, out, _ = called(tmp_path, RIDE, "--clauses")
    assert f"[NJ 19:47-18.10(e)1]\n    {clause('NJ 19:47-18.10(e)1').says}\n" in out


def test_json_gives_the_events_without_the_order_of_the_deck(tmp_path: Path) -> None:
    _, out, _ = called(tmp_path, RIDE, "--json")
    events = [json.loads(line) for line in out.splitlines()]
    assert events[0]["event"] == "TableOpened"
    shuffled = [each for each in events if each["event"] == "DeckShuffled"]
    assert shuffled
    assert all("order" not in each for each in shuffled)
    _, out, _ = called(tmp_path, RIDE, "--json", "--secrets")
    told = [json.loads(line) for line in out.splitlines()]
    assert [each["event"] for each in told] == [each["event"] for each in events]
    assert all(len(e["order"].split()) == 52 for e in told if e["event"] == "DeckShuffled")


def test_an_answer_that_differs_exits_1_with_the_line_what_was_expected_and_what_came(
    tmp_path: Path,
) -> None:
    code, out, err = called(tmp_path, RIDE.replace("net +20", "net +30"))
    assert code == 1
    assert err == "Line 9, net +30: expected +30; got +20.\n"
    assert "Round 1 is over." in out


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "A script says first which game is played, such as: game let-it-ride"),
        ("bets 10", "Line 1: say first which game is played, such as: game let-it-ride"),
        ("game whist", "Line 1: "),
        ("game uth\ngame uth", "Line 2: the game is named already."),
        ("game uth\nbets 5 5\nset dealing = hand", "Line 3: 'set' belongs above the first act."),
        ("game uth\nset dealing", "Line 2: write a house's choice as: set key = value"),
        ("game uth\nset dealing = hand", "This house is not legal: dealing: "),
        ("game uth\nset dealing = spoon", "dealing = 'spoon': it must be one of: "),
        ("game uth\nset chips = many", "Line 2: The amount of chips 'many' is not a sum"),
        ("game uth\nseats many", "Line 2: 'many' is not a number of seats."),
        ("game uth\nseats 7", "This table has 6 seats, not 7."),
        ("game uth\nshout", "Line 2: 'shout' is no command of a script."),
        ("game uth\n1:", "Line 2: there is no command."),
        ("game uth\ncheck ->", "Line 2: nothing is expected after the arrow."),
        ("game uth\nbets 5 5 5", "Line 2: the wagers without a name are ante, blind."),
        ("game uth\nbets ante", "Line 2: 'ante' is no wager with its sum."),
        ("game uth\nbets ante x", "Line 2: The amount 'x' is not a sum"),
        ("game uth\nreceive red twice over", "Line 2: write: receive red"),
        ("game uth\nshuffle to", "Line 2: write: shuffle red"),
        ("game uth\ncut", "Line 2: '' is not a whole number."),
        ("game uth\nmethod manual", "Line 2: write shuffling and dealing"),
        ("game uth\nreport wrong number 3", "Line 2: write a place and its cards"),
        ("game uth\nburn twice", "Line 2: 'twice' is too much here."),
        ("game uth\nauto maybe", "Line 2: write auto, auto on or auto off."),
        ("game uth\nall: check", "Line 2: nobody is seated"),
        ("game uth\nbets 5 5\ndeal As As", "Line 3: The As is there twice"),
        ("game uth\nbets 5 5\ndeal Xx", "Line 3: 'Xx' is not a card"),
        ("game uth\nbets 5 5\ndeal As Ks Qs", "Line 3: seat 1 gets 2 cards, no more."),
        ("game uth\nbets 5 5\ndeal seat 2 As", "Line 3: no cards go to seat 2 here."),
        ("game uth\nbets 5 5\ndeal As / Ks / Qs / Js / Ts", "Line 3: there is no place left"),
        ("game uth\nbets 5 5\ntop", "Line 3: write the cards."),
        ("game uth\nauto off\ntop As", "Line 3: cards are written down for a round"),
        ("game uth\nnet 5 -> 5", "Line 2: write what 'net' should be after it"),
        ("game uth\n9: chips 5", "Line 2: there is no seat 9."),
        ("game uth\nhand mine As", "Line 2: write whose hand: seat 1, dealer or community."),
    ],
)
def test_what_cannot_be_read_exits_2_with_one_sentence_and_the_line(
    tmp_path: Path, text: str, sentence: str
) -> None:
    code, _, err = called(tmp_path, text)
    assert code == 2
    assert err.startswith(sentence), err
    assert "\n" not in err


def test_a_file_that_is_not_there_or_is_no_text_is_refused(tmp_path: Path) -> None:
    missing = CliRunner().invoke(app, ["script", str(tmp_path / "none.txt")])
    assert isinstance(missing.exception, Refused)
    (tmp_path / "photo").write_bytes(b"\xff\xfe\x00")
    photo = CliRunner().invoke(app, ["script", str(tmp_path / "photo")])
    assert isinstance(photo.exception, Refused)
    assert "is not a text" in str(photo.exception)


@pytest.mark.parametrize("text", EXAMPLES)
def test_every_example_of_the_documentation_plays(text: str) -> None:
    assert run(text).events


def test_the_documentation_shows_every_game_and_every_command() -> None:
    assert len(EXAMPLES) == 5
    text = DOC.read_text("utf-8")
    assert [words for words in BUILDERS if f"`{words}" not in text] == []


def test_every_command_of_the_table_can_be_written() -> None:
    """Each written once, in no order: whether the table takes it is another question."""
    lines = (
        *("receive red", "inspect red", "verify red", "spread red", "face up red", "wash red"),
        *("load red", "shuffle red", "cut red 20", "recut red", "remove red", "remove shoe"),
        *("install shoe", "method manual / manual shoe", "fill 5", "sit 5", "buy 5", "stand"),
        "close",
        *("bets 5 5", "take back", "light", "check", "no more bets", "lock out", "sweep 1"),
        *("deal", "burn", "community", "deliver", "up-card", "reveal", "reveal seat 1"),
        *("reveal dealer", "settle 1", "rack stub", "count stub 40", "clear", "report exposed"),
        *("report face-up", "report drawn in error", "report wrong number seat 1 3", "jam shoe"),
    )
    written = set()
    from croupier.house.submission import read_data
    from croupier.script.commands import command
    from croupier.script.read import Line
    from croupier.table import events as e
    from croupier.table.evolve import evolve

    data = {"rulebook": "nj-ultimate-texas-holdem"}
    assert read_data(data)
    table = evolve(None, e.TableOpened("t", data, 0))
    for words in lines:
        asked = command(table, Line(1, words, "", words))
        assert isinstance(asked, Command)
        written.add(type(asked))
    assert written == set(HANDLERS)


def test_nothing_is_done_silently_once_auto_is_off() -> None:
    with pytest.raises(Failed) as failed:
        run("game let-it-ride\nauto off\nbets 10 10 10")
    assert "ONLY_SEATED_PLAYERS_WAGER" in failed.value.got
    assert len(failed.value.so_far.events) == 1


@pytest.mark.parametrize(
    "dealing",
    [
        "set dealing = manual shoe",
        'set dealing = hand\nset shuffling = automated\nset decks = ["red"]',
        'set dealing = automated shoe\nset shuffling = automated\nset decks = ["red", "blue"]',
    ],
)
def test_the_cards_written_are_the_cards_dealt_by_any_procedure_and_after_any_cut(
    dealing: str,
) -> None:
    cut = "cut 11\nrecut\ncut 40" if "manual" in dealing else ""
    run(
        f"""
        game uth
        {dealing}
        seats 3
        {cut}
        1: bets 5 5
        3: bets 5 5
        deal As Ks / Qh Qd / 2c 7d / Qs Js Ts 3h 4d / 9c 9d
        hand seat 1 As Ks
        hand seat 3 Qh Qd
        hand dealer 2c 7d
        all: check
        community -> Qs Js Ts
        all: check
        burn -> 9d
        community -> 3h 4d
        """
    )


def test_a_phrase_said_twice_needs_two_events_and_order_counts() -> None:
    text = RIDE.replace("-> bet 2 won 10, bet 3 won 10", "-> bet 3 won 10, bet 2 won 10")
    with pytest.raises(Failed, match="expected bet 2 won 10"):
        run(text)
    text = RIDE.replace("-> bet 2 won 10, bet 3 won 10", "-> bet 2 won 10, bet 2 won 10")
    with pytest.raises(Failed, match="expected bet 2 won 10"):
        run(text)
    text = RIDE.replace("-> bet 2 won 10, bet 3 won 10", "-> not bet 3")
    with pytest.raises(Failed, match="expected not bet 3"):
        run(text)


def test_a_clause_in_brackets_is_held_to() -> None:
    right = RIDE.replace("bet 2 won 10,", "bet 2 won 10 [NJ 19:47-18.11(b)],")
    assert run(right).table.rounds == 1
    wrong = RIDE.replace("bet 2 won 10,", "bet 2 won 10 [NJ 19:47-18.11(a)],")
    with pytest.raises(Failed):
        run(wrong)
    wrong = RIDE.replace("[NJ 19:47-18.6(d)]", "[NJ 19:47-18.6(a)]")
    with pytest.raises(Failed, match=re.escape("got refused: BET_3_MUST_RIDE")):
        run(wrong)
