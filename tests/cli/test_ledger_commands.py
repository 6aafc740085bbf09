"""The commands that look into a ledger, as an auditor, a player and an analyst run them."""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pypdf
import pytest
from command import Ran, croupier
from engine_driver import ONE_DECK
from helpers import RIDE
from ledger_driver import at, opened

import croupier as package_of
from croupier.ledger.manifest import fingerprint
from croupier.ledger.report_data import named_store

HOUSE = {"rulebook": RIDE, **ONE_DECK}


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two finished rounds and one under way."""
    path: Path = tmp_path_factory.mktemp("ledger") / "evening.db"
    ledger = at(path, path)
    opened(ledger, HOUSE).rounds(2).until("choose")
    ledger.close()
    return path


@pytest.fixture
def store(honest: Path, tmp_path: Path) -> Path:
    shutil.copytree(honest.parent, tmp_path, dirs_exist_ok=True)
    return tmp_path / honest.name


def tamper(store: Path, statement: str) -> None:
    with closing(sqlite3.connect(store)) as file, file:
        file.execute(statement)


# --- audit ----------------------------------------------------------------------------------


def test_a_clean_audit_sums_up(honest: Path) -> None:
    ran = croupier("audit", "--store", str(honest))
    assert (ran.code, ran.err) == (0, "")
    key, first, second, third, last = ran.out.splitlines()
    assert re.search(r"^The first signing key .* [0-9a-f]{8}( [0-9a-f]{8}){7}", key)
    assert first.startswith("1 table, ")
    assert ", 2 rounds, $" in first
    assert second == "4 shuffles promised, 2 revealed, 2 outstanding"
    assert third.endswith(" 0 snapshots, 0 refusals")
    assert last == "Everything agrees."


def test_an_audit_names_what_does_not_agree_and_exits_1(store: Path) -> None:
    tamper(store, "UPDATE entries SET actor = 'Eve' WHERE sequence = 9")
    tamper(store, "UPDATE entries SET moved = replace(moved, ']]', '0]]') WHERE sequence = 4")
    ran = croupier("audit", "--store", f"sqlite:///{store}", "--table", "t1")
    assert (ran.code, ran.err) == (1, "")
    lines = ran.out.splitlines()
    assert any(line.startswith("Table t1, entry 4: The store moves") for line in lines)
    assert "Table t1, entry 9: In the chain its hash is not that of its content." in lines
    assert lines[-1] == "3 discrepancies."
    as_data = json.loads(croupier("audit", "--store", str(store), "--json").out)
    assert as_data["agrees"] is False
    # Of the whole ledger too: the balance kept for the player is no longer the sum of entry 4.
    assert {each["sequence"] for each in as_data["discrepancies"]} == {0, 4, 9}


def test_an_audit_without_the_sealing_key_says_what_it_left_out(store: Path) -> None:
    for key in store.with_name(f"{store.name}.keys").glob("sealing*"):
        key.unlink()
    ran = croupier("audit", "--store", str(store))
    assert ran.code == 0
    assert "Table t1 was not replayed. The sealing key " in ran.out
    assert ran.out.splitlines()[-1] == "All that was checked agrees."


def test_drift_compares_each_wager_and_reconciles_each_table(honest: Path) -> None:
    ran = croupier("audit", "--store", str(honest), "--drift", "--json")
    told = json.loads(ran.out)
    assert (ran.code, told["alarm"], told["balances"]) == (0, 3.5, True)
    (table,) = told["tables"]
    against = {each["wager"]: each["against"] for each in table["wagers"]}
    assert against["main"] == "optimal play"
    assert against["three-card"] == "exact odds"
    assert {each["hands_compared"] for each in table["wagers"] if each["wager"] == "main"} == {6}
    for each in table["wagers"]:
        assert each["actual_win"] == each["collected_from_players"] - each["paid_to_players"]
    assert table["actual_win"] == sum(each["actual_win"] for each in table["wagers"])
    inventory = table["accounts"][0]
    assert inventory["account"] == "inventory"
    assert sum(inventory["lines"].values()) == inventory["held_by_movements"]
    assert inventory["difference"] == 0
    shown = croupier("audit", "--store", str(honest), "--drift").out
    assert "three-card" in shown
    assert "optimal play" in shown
    for words in ("collected from players", "paid to players", "actual win", "theoretical win"):
        assert words in shown
    assert "Table t1 balances to the cent." in shown


def test_a_table_that_does_not_balance_exits_1(store: Path) -> None:
    tamper(
        store,
        "UPDATE entries SET moved = replace(moved, '\"inventory\",', '\"inventory\",1') "
        "WHERE sequence = (SELECT max(sequence) FROM entries WHERE moved LIKE '%\"inventory\",%')",
    )
    ran = croupier("audit", "--store", str(store), "--drift")
    assert ran.code == 1
    assert "Table t1 DOES NOT BALANCE: inventory by " in ran.out
    as_data = json.loads(croupier("audit", "--store", str(store), "--drift", "--json").out)
    assert as_data["balances"] is False


def test_drift_beyond_the_alarm_exits_1(honest: Path) -> None:
    """At no tolerance some side bet is always alarming."""
    ran = croupier("audit", "--store", str(honest), "--drift", "--alarm", "0.000001")
    assert ran.code == 1
    assert "ALARM" in ran.out


# --- reports --------------------------------------------------------------------------------


class Words(HTMLParser):
    """The text of a page, and every address it would load something from."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text = ""
        self.loads: list[str] = []
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.loads += [str(value) for name, value in attributes if name in ("src", "href")]
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def report_of(store: Path, file: Path) -> tuple[Ran, str]:
    ran = croupier("audit", "--store", str(store), "--report", str(file))
    if file.suffix == ".pdf":
        return ran, "\n".join(page.extract_text() for page in pypdf.PdfReader(file).pages)
    found = Words(file.read_text("utf-8"))
    assert (found.loads, found.open) == ([], [])
    return ran, found.text


@pytest.mark.parametrize("form", ["html", "pdf"])
def test_a_report_says_what_was_audited_and_how_it_came_out(
    honest: Path, tmp_path: Path, form: str
) -> None:
    ran, text = report_of(honest, tmp_path / f"report.{form}")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[-1].endswith("every table balances to the cent.")
    key = bytes.fromhex(public_key(honest).read_text("ascii"))
    flat = "".join(text.replace("\u200b", "").split())
    for words in (
        *("What was audited", "Findings", "What was not checked", "Signing keys"),
        *("Reconciliation", "Win of each wager", "evening.db", "Croupier 0.1.0"),
        *("First entry", "2025-03-14 20:00:02 UTC", "None.", "Opening inventory"),
        *("$1,000,000.00", "it balances", "Theoretical win", "three-card"),
        *("Whether a public key is the house", sha256(key).hexdigest()),
    ):
        assert "".join(words.split()) in flat, words
    package = Path(str(package_of.__file__)).parent
    assert fingerprint(package) in flat


@pytest.mark.parametrize("form", ["html", "pdf"])
def test_a_report_names_every_finding_and_what_was_not_checked(
    store: Path, tmp_path: Path, form: str
) -> None:
    tamper(store, "UPDATE entries SET actor = '<b>Eve</b>' WHERE sequence = 9")
    for sealing in store.with_name(f"{store.name}.keys").glob("sealing*"):
        sealing.unlink()
    ran, text = report_of(store, tmp_path / f"report.{form}")
    assert ran.code == 1
    assert "1 finding" in ran.out.splitlines()[-1]
    assert "In the chain its hash is not that of its content." in text
    assert "Table t1 was not replayed. The sealing key" in text


def test_a_report_of_history_that_cannot_be_read_says_so(store: Path, tmp_path: Path) -> None:
    tamper(store, "UPDATE entries SET event = '[' WHERE sequence = 9")
    ran, text = report_of(store, tmp_path / "report.html")
    assert ran.code == 1
    assert "The money of table t1: What the ledger says there cannot be read" in text


def test_a_report_tells_no_password(tmp_path: Path) -> None:
    assert named_store("postgresql://ann:secret@db:5432/casino?password=secret") == (
        "postgresql://db:5432/casino"
    )
    assert named_store("sqlite:///evening.db") == "evening.db"


def test_a_report_nobody_writes_is_refused(
    honest: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_store = ("audit", "--store", str(honest), "--report")
    refused(croupier(*at_store, "report.docx"), "written as .html or .pdf")
    refused(croupier(*at_store, str(tmp_path / "no" / "r.html")), "cannot be written")
    monkeypatch.delitem(sys.modules, "croupier.ledger.report_pdf", raising=False)
    monkeypatch.setitem(sys.modules, "typst", None)
    refused(croupier(*at_store, "report.pdf"), 'pip install "croupier[par]"')


# --- replay ---------------------------------------------------------------------------------


def test_a_round_is_told_in_words_with_clauses(honest: Path) -> None:
    ran = croupier("replay", "2", "--store", str(honest))
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "Table t1, round 2"
    assert any(
        "No more bets. Round 2, dealt from the red deck. [NJ 19:47-18.7(b)]" in line
        for line in lines
    )
    assert "Hands, from the discard rack:" in lines
    assert any(line.startswith("  seat 1    ") for line in lines)


def test_a_round_under_way_is_told_without_hands(honest: Path) -> None:
    ran = croupier("replay", "3", "--store", str(honest))
    assert ran.code == 0
    assert ran.out.splitlines()[-1].startswith("The round is under way")
    assert "discard rack:" not in ran.out


def test_step_by_step_waits_for_a_key_at_a_terminal(honest: Path) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "croupier", "replay", "1", "--step", "--store", str(honest)]
    with subprocess.Popen(
        command, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdout
        os.write(ours, b"\n\n\x04")  # two steps, and away
        told = running.stdout.read().decode()
        assert running.wait(timeout=60) == 0
    os.close(ours)
    os.close(theirs)
    whole = croupier("replay", "1", "--step", "--store", str(honest)).out  # no terminal: no wait
    assert whole.startswith(told)
    steps = [line for line in told.splitlines() if line.startswith("2025-")]
    assert len(steps) == 3


# --- verify ---------------------------------------------------------------------------------


@pytest.fixture
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user who has verified nothing yet; gives where keys are pinned."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "croupier" / "known-keys"


@pytest.fixture
def round_1(honest: Path, tmp_path: Path) -> Path:
    file = tmp_path / "round.json"
    file.write_text(croupier("replay", "1", "--store", str(honest), "--json").out, "utf-8")
    return file


def public_key(store: Path) -> Path:
    (key,) = store.with_name(f"{store.name}.keys").glob("signing*.pub")
    return key


def result_of(ran: Ran, name: str) -> str:
    (check,) = [each for each in json.loads(ran.out)["checks"] if each["name"] == name]
    return f"{check['result']}: {check['sentence']}"


def test_a_player_verifies_a_round_from_a_file_and_a_key(
    honest: Path, round_1: Path, at_home: Path
) -> None:
    key = public_key(honest)
    for given in (str(key), key.read_text("ascii"), key.read_text("ascii").upper()):
        ran = croupier("verify", str(round_1), "--key", given)
        assert (ran.code, ran.err) == (0, "")
        lines = ran.out.splitlines()
        assert lines[0] == "Table t1, round 1"
        assert all(line.split()[1] == "agrees" for line in lines[1:-1])
        assert lines[-1].startswith("All checks agree")
    assert not at_home.exists()


def test_a_round_of_the_ledger_is_verified_with_the_keys_beside_it(
    honest: Path, at_home: Path
) -> None:
    ran = croupier("verify", "1", "--store", str(honest), "--json")
    assert (ran.code, json.loads(ran.out)["verdict"]) == (0, "agrees")
    assert "beside the ledger" in result_of(ran, "Key")
    assert not at_home.exists()


def test_a_key_is_pinned_on_first_use_and_shown(round_1: Path, at_home: Path) -> None:
    first = croupier("verify", str(round_1), "--json")
    assert first.code == 0
    (shown,) = json.loads(first.out)["keys"].values()
    assert len(shown.replace(" ", "")) == 64
    assert result_of(first, "Key").startswith("pinned now: This is the first file from 'room'")
    assert shown in result_of(first, "Key")
    assert at_home.stat().st_mode & 0o777 == 0o600
    words = croupier("verify", str(round_1)).out
    assert f"{shown} is pinned for 'room' since " in words
    assert len(at_home.read_text().splitlines()) == 1


def test_a_pinned_key_that_changes_is_an_alarm(
    honest: Path, round_1: Path, at_home: Path, tmp_path: Path
) -> None:
    """Also for another table, and for a file in which everything else agrees."""
    croupier("verify", str(round_1))
    path = tmp_path / "other.db"
    ledger = at(path, path, seed=2)
    opened(ledger, HOUSE, name="t2").rounds(1)
    ledger.close()
    file = tmp_path / "other.json"
    file.write_text(croupier("replay", "1", "--store", str(path), "--json").out, "utf-8")
    ran = croupier("verify", str(file), "--json")
    assert (ran.code, json.loads(ran.out)["verdict"]) == (1, "does not agree")
    alarm = result_of(ran, "Key")
    assert alarm.startswith("does not agree: The file is signed with a key you do not know: ")
    assert "Another key is pinned for 'room'" in alarm
    assert [c["name"] for c in json.loads(ran.out)["checks"] if c["result"] != "agrees"] == ["Key"]
    assert len(at_home.read_text().splitlines()) == 1  # nothing was pinned
    wrong = croupier("verify", str(file), "--accept-key", "00" * 32)
    refused(wrong, "not signed with a key of that fingerprint")
    (fingerprint,) = json.loads(ran.out)["keys"].values()
    assert croupier("verify", str(file), "--accept-key", fingerprint).code == 0
    assert croupier("verify", str(file)).code == 0
    assert croupier("verify", str(round_1)).code == 0  # both are pinned
    given = ("--key", str(public_key(honest)))
    assert croupier("verify", str(file), *given).code == 1


def test_rooms_have_keys_of_their_own(round_1: Path, at_home: Path) -> None:
    assert "'Atlantic'" in croupier("verify", str(round_1), "--room", "Atlantic").out
    assert "first file from 'room'" in croupier("verify", str(round_1)).out
    assert len(at_home.read_text().splitlines()) == 2


def test_a_file_that_does_not_agree_pins_nothing(round_1: Path, at_home: Path) -> None:
    told = json.loads(round_1.read_text("utf-8"))
    told["checkpoint"]["signature"] = "00" * 64
    round_1.write_text(json.dumps(told), "utf-8")
    ran = croupier("verify", str(round_1))
    assert ran.code == 1
    assert ran.out.splitlines()[-1].startswith("This round does not agree: signature")
    assert not at_home.exists()


def test_pins_that_cannot_be_read_are_never_dropped(round_1: Path, at_home: Path) -> None:
    croupier("verify", str(round_1))
    at_home.write_text("not a pin\n")
    refused(croupier("verify", str(round_1)), "known-keys is damaged")


@pytest.mark.parametrize("change", ["payment", "signature", "no proof"])
def test_what_was_once_called_dealt_as_promised_is_named(
    honest: Path, round_1: Path, change: str
) -> None:
    told = json.loads(round_1.read_text("utf-8"))
    if change == "payment":
        settled = [x["seen"] for s in told["steps"] for x in s["lines"] if "win" in x["seen"]]
        settled[0]["win"] += 5_00
    elif change == "signature":
        told["checkpoint"]["signature"] = "0" * 128
    else:
        told |= {"entries": [], "checkpoint": None, "keys": {}}
        told["vouched"] = {"key": "", "signature": ""}
    round_1.write_text(json.dumps(told), "utf-8")
    ran = croupier("verify", str(round_1), "--key", str(public_key(honest)))
    assert ran.code == 1
    assert "dealt as promised" not in ran.out


def test_a_file_of_version_1_is_verified_in_part(round_1: Path, at_home: Path) -> None:
    told = json.loads(round_1.read_text("utf-8"))
    for name in ("entries", "checkpoint", "keys", "start", "order", "vouched"):
        del told[name]
    told["format"] = "croupier round 1"
    round_1.write_text(json.dumps(told), "utf-8")
    ran = croupier("verify", str(round_1))
    assert ran.code == 3
    last = ran.out.splitlines()[-1]
    assert last.startswith("What was checked agrees. Not checked: chain, signature, ")
    assert "payments" in last
    assert croupier("verify", str(round_1), "--allow-partial").code == 0
    assert not at_home.exists()


def test_a_file_from_the_opening_needs_no_statement(
    honest: Path, tmp_path: Path, at_home: Path
) -> None:
    file = tmp_path / "whole.json"
    ran = croupier("replay", "2", "--store", str(honest), "--json", "--from-opening")
    file.write_text(ran.out, "utf-8")
    assert json.loads(ran.out)["entries"][0]["sequence"] == 1
    assert "begin with the opening" in result_of(croupier("verify", str(file), "--json"), "Start")


@pytest.mark.parametrize("key", ["12", "none.pub", "zz" * 32])
def test_a_key_that_is_none_is_refused(round_1: Path, key: str) -> None:
    refused(croupier("verify", str(round_1), "--key", key), "neither a public key")
    file = round_1.with_name("words.pub")
    file.write_text("words")
    refused(croupier("verify", str(round_1), "--key", str(file)), "does not hold a public key")


# --- export ---------------------------------------------------------------------------------


@pytest.mark.parametrize("column", ["event", "moved", "command"])
def test_history_that_cannot_be_read_is_told_in_a_sentence(
    store: Path, tmp_path: Path, column: str
) -> None:
    """Nobody but the audit goes on behind it."""
    tamper(store, f"UPDATE entries SET {column} = '[' WHERE sequence = 9")
    at = ("--store", str(store))
    told = {
        "event": (["replay", "1"], ["audit", "--drift"], ["export", "--out", str(tmp_path / "o")]),
        "moved": (["export", "--out", str(tmp_path / "o")],),
        "command": (["export", "--out", str(tmp_path / "o")],),
    }
    for arguments in told[column]:
        ran = croupier(*arguments, *at)
        assert (ran.code, ran.out) == (2, "")
        sentence = "Refused: What the ledger says there cannot be read; an audit tells why.\n"
        assert ran.err == sentence
    assert croupier("audit", *at).code == 1


def test_an_export_says_what_it_wrote(honest: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    ran = croupier("export", "--store", str(honest), "--out", str(out), "--what", "rounds")
    assert (ran.code, ran.out) == (0, f"{out / 'rounds.jsonl'}: 2 rows\n")
    assert len((out / "rounds.jsonl").read_text("utf-8").splitlines()) == 2


# --- bad input ------------------------------------------------------------------------------

COMMANDS = (["audit"], ["audit", "--drift"], ["replay", "1"], ["verify", "1"])
EXPORT = ["export", "--out", "exported"]


def refused(ran: Ran, sentence: str) -> None:
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("Refused: ")
    assert sentence in ran.err
    assert ran.err.count("\n") == 1


@pytest.fixture
def away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    yield tmp_path
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("command", [*COMMANDS, EXPORT])
def test_a_store_that_cannot_be_looked_at_is_refused(away: Path, command: list[str]) -> None:
    (away / "words.db").write_text("no database " * 500)
    sqlite3.connect(away / "empty.db").close()
    (away / "empty.db").touch()
    nobody = "postgresql://nobody@127.0.0.1:1/none"
    refused(croupier(*command), "There is no ledger at ")
    refused(croupier(*command, "--store", "none.db"), "There is no ledger at none.db.")
    refused(croupier(*command, "--store", "sqlite:///none.db"), "There is no ledger at none.db.")
    refused(croupier(*command, "--store", "words.db"), "words.db cannot be read: ")
    refused(croupier(*command, "--store", "empty.db"), "empty.db holds no ledger.")
    refused(croupier(*command, "--store", nobody), "The database cannot be opened: ")


@pytest.mark.parametrize("command", [*COMMANDS, EXPORT])
def test_a_ledger_without_tables_or_without_this_one_is_refused(
    away: Path, honest: Path, command: list[str]
) -> None:
    at(away / "new.db", away / "new.db").close()
    refused(croupier(*command, "--store", "new.db"), "This ledger has no tables.")
    there = ("--store", str(honest), "--table", "t9")
    refused(croupier(*command, *there), "There is no table t9 in this ledger.")


def test_rounds_and_files_that_are_not_there_are_refused(away: Path, honest: Path) -> None:
    there = ("--store", str(honest))
    (away / "words.json").write_text("words")
    (away / "other.json").write_text('{"format": "other"}')
    refused(croupier("replay", "9", *there), "Table t1 has not come to round 9.")
    refused(croupier("verify", "9", *there), "Table t1 has not come to round 9.")
    refused(croupier("verify", "3", *there), "Round 3 is not over")
    refused(croupier("verify", "none.json"), "none.json cannot be read: No such file")
    refused(croupier("verify", "words.json"), "words.json is not a round of play")
    refused(croupier("verify", "other.json"), "other.json is not a round of play")
    refused(croupier("export", "--out", "x", "--format", "xml", *there), "The formats are")


def test_a_checkout_has_no_manifest_to_verify() -> None:
    refused(croupier("verify-install"), "There is no manifest at ")
