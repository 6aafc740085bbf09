"""Exports are whole, read back the same in every format, and tell no secret; the page is true."""

from __future__ import annotations

import csv
import json
import re
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from errno import ENOSPC
from pathlib import Path
from typing import Any, cast

import pandas as pd
import pyarrow.parquet
import pytest
from engine_driver import HOUSES, ONE_DECK, TWO_DECKS
from forger import entries_of, sql
from helpers import CARIBBEAN, MA_UTH, NJ_UTH, PIK_IT, RIDE
from ledger_driver import at, happenings, opened, table_events

from croupier.law.refused import Refused
from croupier.ledger import sheets
from croupier.ledger.columns import TABLES, Column
from croupier.ledger.export import export
from croupier.ledger.ledger import Ledger
from croupier.ledger.reading import reading
from croupier.ledger.records import AddEntropy, ShuffleCommitted, ShuffleRevealed
from croupier.ledger.store import Store
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.commands import player

PAGE = Path(__file__).resolve().parents[2] / "docs" / "EXPORT.md"
KINDS = {str: "text", int: "integer", bool: "boolean"}
HOUSE = {"rulebook": RIDE, **ONE_DECK}
Rows = dict[str, list[dict[str, Any]]]


def written(where: str | Path, beside: Path, folder: Path, form: str, what: str = "all") -> Rows:
    ledger = reading(where, beside)
    try:
        counts = export(ledger.store, ledger.view.tables(), folder, form, what)
    finally:
        ledger.close()
    rows = {name: list(read_back(folder / f"{name}.{form}")) for name in counts}
    assert counts == {name: len(found) for name, found in rows.items()}
    return rows


def read_back(path: Path) -> Iterator[dict[str, Any]]:
    """With whatever others read such a file with; missing things as None."""
    if path.suffix == ".jsonl":
        yield from map(json.loads, path.read_text("utf-8").splitlines())
    elif path.suffix == ".parquet":
        yield from pyarrow.parquet.read_table(path).to_pylist()
    else:
        columns = {each.name: each.kind for each in TABLES[path.stem]}
        frame = pd.read_csv(path, dtype=str, keep_default_na=False)
        for row in frame.to_dict("records"):
            yield {
                name: sheets.as_written(value)
                if columns[name] is str
                else columns[name](int(value))
                if value
                else None
                for name, value in row.items()
            }


@pytest.fixture
def evening(where: str, beside: Path) -> str:
    """Three tables with a round under way at one of them."""
    ledger = at(where, beside)
    for seed, book in enumerate((NJ_UTH, CARIBBEAN)):
        opened(ledger, {"rulebook": book, **TWO_DECKS}, name=book, seed=seed).rounds(2)
    opened(ledger, {"rulebook": PIK_IT, **ONE_DECK}, name=PIK_IT).rounds(1).until("settle")
    ledger.close()
    return where


# --- what is in them ------------------------------------------------------------------------


def test_the_formats_say_the_same(evening: str, beside: Path, tmp_path: Path) -> None:
    lines, commas, parquet = (
        written(evening, beside, tmp_path / form, form) for form in ("jsonl", "csv", "parquet")
    )
    assert lines == commas == parquet
    assert {name: bool(rows) for name, rows in lines.items()} == dict.fromkeys(TABLES, True)
    for name, columns in TABLES.items():
        assert all(list(row) == [each.name for each in columns] for row in lines[name])


def test_events_are_the_entries_of_the_ledger(evening: str, beside: Path, tmp_path: Path) -> None:
    rows = written(evening, beside, tmp_path, "jsonl", "events")["events"]
    entries = sorted(entries_of(evening), key=lambda each: (each.table, each.sequence))
    assert [(row["table"], row["sequence"], row["hash"]) for row in rows] == [
        (each.table, each.sequence, each.hash) for each in entries
    ]
    for row, entry in zip(rows, entries, strict=True):
        stored = json.loads(entry.event)
        assert stored.pop("type") == row["event"]
        secret = {name for name, value in stored.items() if str(value).startswith("sealed:")}
        told = json.loads(row["data"])
        assert told.keys() <= stored.keys()  # what is as always is not stored
        assert stored.keys() - told.keys() == secret
        assert {name: stored[name] for name in told.keys() & stored.keys()} == {
            name: told[name] for name in told.keys() & stored.keys()
        }
        assert row["command"] == (json.loads(entry.command)["type"] if entry.command else "")


def test_rounds_and_wagers_add_up_to_the_movements(
    evening: str, beside: Path, tmp_path: Path
) -> None:
    """What players are up or down by the wagers is what their accounts gained in the rounds."""
    rows = written(evening, beside, tmp_path, "jsonl")
    assert len(rows["rounds"]) == 5
    for round in rows["rounds"]:
        at_ = (round["table"], round["round"])
        wagers = [w for w in rows["wagers"] if (w["table"], w["round"]) == at_]
        assert round["wagered"] == sum(wager["amount"] for wager in wagers)
        assert round["net"] == sum(wager["net"] for wager in wagers)
        gained = 0
        for moved in rows["movements"]:
            if (moved["table"], moved["round"]) == at_ and "cage" not in moved.values():
                gained += moved["cents"] * moved["target"].startswith("player:")
                gained -= moved["cents"] * moved["source"].startswith("player:")
        assert gained == round["net"]


def test_movements_are_those_of_the_store(evening: str, beside: Path, tmp_path: Path) -> None:
    rows = written(evening, beside, tmp_path, "csv", "movements")["movements"]
    stored = sql(evening, "SELECT table_id, sequence, number, source, target, cents FROM movements")
    names = ("table", "sequence", "number", "source", "target", "cents")
    assert sorted(tuple(row[name] for name in names) for row in rows) == sorted(stored)


@pytest.mark.parametrize("name", HOUSES)
def test_wagers_of_unruly_rounds_add_up_in_every_house(tmp_path: Path, name: str) -> None:
    """Void hands, coupons, progressives: what the accounts gained is what the wagers say."""
    path = tmp_path / "evening.db"
    ledger = at(path, path)
    opened(ledger, HOUSES[name]).unruly(5)
    ledger.close()
    rows = written(path, path, tmp_path, "jsonl")
    finished = {row["round"] for row in rows["rounds"]}
    gained = sum(
        moved["cents"] * (moved["target"].startswith("player:") or -1)
        for moved in rows["movements"]
        if "player:" in moved["source"] + moved["target"]
        and "cage" not in (moved["source"], moved["target"])
        and moved["round"] in finished
    )
    assert gained == sum(row["net"] for row in rows["wagers"])
    assert {row["result"] for row in rows["wagers"]} <= {"won", "lost", "pushed", "returned"}


def test_a_shuffle_is_told_with_its_round(beside: Path, in_file: Ledger, tmp_path: Path) -> None:
    opened(in_file, {"rulebook": MA_UTH, **TWO_DECKS}).rounds(3)
    promised = {x.shuffle: x for x in happenings(in_file) if isinstance(x, ShuffleCommitted)}
    rows = written(beside, beside, tmp_path, "parquet", "rounds")["rounds"]
    revealed = [each for each in happenings(in_file) if isinstance(each, ShuffleRevealed)]
    assert [(row["round"], row["shuffle"], row["seed"], row["commitment"]) for row in rows] == [
        (each.round, each.shuffle, each.seed, promised[each.shuffle].commitment)
        for each in revealed
    ]
    dealers = [each.cards for each in table_events(in_file) if isinstance(each, e.DealerRevealed)]
    assert [row["dealer"] for row in rows] == dealers


# --- secrets --------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_no_sealed_secret_and_no_unrevealed_seed_is_exported(
    beside: Path, in_file: Ledger, tmp_path: Path, form: str
) -> None:
    evening = opened(in_file, {"rulebook": CARIBBEAN, **TWO_DECKS}).rounds(1).until("choose")
    written(beside, beside, tmp_path / "out", form)
    text = "".join(each.read_text("utf-8") for each in (tmp_path / "out").iterdir())
    shuffles = evening.keeper.kept.shuffles
    assert shuffles.promised
    for each in (shuffles.promised, *shuffles.lying.values()):
        assert each.seed not in text
        assert each.order() not in text
    assert "sealed:" not in text
    (revealed,) = [x for x in happenings(in_file) if isinstance(x, ShuffleRevealed)]
    assert revealed.seed in text


# --- spreadsheets ---------------------------------------------------------------------------

HOSTILE = (
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    " =1",
    "'=1",
    '"=1',
    "''+1",
    "\uff1d1+1",
    '=cmd|"/c calc"!A1',
    "\n@x",
)
HARMLESS = ("", "p1", "a=b", "'quoted'", "1-2", "\u2212", "'", "O'Neil", "  spaced")


@pytest.mark.parametrize("text", [*HOSTILE, *HARMLESS])
def test_no_cell_begins_as_a_formula_and_every_cell_is_read_back(tmp_path: Path, text: str) -> None:
    """Negative numbers stay numbers."""
    columns = (Column("text", str, ""), Column("cents", int, ""))
    sheet = sheets.Commas(tmp_path / "x.csv", columns)
    sheet.add((text, -500))
    sheet.close()
    with (tmp_path / "x.csv").open(newline="", encoding="utf-8") as file:
        (_, (cell, cents)) = list(csv.reader(file))
    assert cents == "-500"
    assert cell == (f"'{text}" if text in HOSTILE else text)
    assert cell.lstrip(' "')[:1] not in ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d")
    assert sheets.as_written(cell) == text


def test_names_of_players_and_houses_run_no_formula(
    beside: Path, in_file: Ledger, tmp_path: Path
) -> None:
    """The engine takes any name; the door of a room is stricter."""
    house = {**HOUSE, "name": '=HYPERLINK("http://x","y")'}
    evening = opened(in_file, house)
    evening.do(c.StandUp(player("p1"), 1))
    evening.do(c.SitDown(player("=1+1"), 1, 9_000_00))
    evening.do(AddEntropy(player("=1+1"), "@SUM(A1)"))
    evening.rounds(2)
    rows = written(beside, beside, tmp_path, "csv")
    assert "=1+1" in {row["player"] for row in rows["wagers"]}
    assert any(row["net"] < 0 for row in rows["wagers"])
    for name in TABLES:
        with (tmp_path / f"{name}.csv").open(newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                for column in TABLES[name]:
                    cell = row[column.name]
                    assert column.kind is not str or cell[:1] not in tuple("=+-@")
    assert rows == written(beside, beside, tmp_path / "lines", "jsonl")


# --- interrupted ----------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet"])
@pytest.mark.parametrize(
    "wrong", [KeyboardInterrupt(), OSError(ENOSPC, "No space left on device"), ValueError("broken")]
)
def test_an_interrupted_export_leaves_the_older_one(
    beside: Path, in_file: Ledger, tmp_path: Path, form: str, wrong: BaseException
) -> None:
    opened(in_file, HOUSE).rounds(2)
    out = tmp_path / "out"
    whole = written(beside, beside, out, form)
    before = {each.name: each.read_bytes() for each in out.iterdir()}

    class Failing:
        """A store that is interrupted in the middle."""

        def read(self, table: str) -> Iterator[Any]:
            for at_, entry in enumerate(in_file.store.read(table)):
                if at_ == 40:
                    raise wrong
                yield entry

    with pytest.raises((type(wrong), Refused)):
        export(cast(Store, Failing()), ["t1"], out, form, "all")
    assert {each.name: each.read_bytes() for each in out.iterdir()} == before
    assert whole["events"]


def test_a_full_disk_leaves_no_truncated_file(tmp_path: Path, in_file: Ledger) -> None:
    """A real one: a process that may write only so many bytes to a file."""
    opened(in_file, HOUSE).rounds(3)
    out = tmp_path / "out"
    command = [sys.executable, "-m", "croupier", "export", "--store", str(tmp_path / "evening.db")]
    limits = (20_000, 20_000)
    ran = subprocess.run(
        [*command, "--out", str(out)],
        capture_output=True,
        text=True,
        preexec_fn=lambda: (
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN),  # then writing fails instead
            resource.setrlimit(resource.RLIMIT_FSIZE, limits),
        ),
        check=False,
    )
    assert ran.returncode == 2
    assert "cannot be written: File too large" in ran.stderr
    assert list(out.iterdir()) == []


# --- a live store, long histories, bad input ------------------------------------------------


def test_an_export_is_of_one_moment(where: str, beside: Path, tmp_path: Path) -> None:
    ledger = at(where, beside)
    evening = opened(ledger, HOUSE).rounds(1)
    entries = evening.keeper.head.sequence
    view = reading(where, beside)
    evening.rounds(1)
    assert export(view.store, ["t1"], tmp_path, "jsonl", "events") == {"events": entries}
    view.close()
    ledger.close()


def test_parquet_is_written_a_group_of_rows_at_a_time(
    evening: str, beside: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from croupier.ledger import sheets_parquet

    whole = written(evening, beside, tmp_path, "parquet", "events")
    monkeypatch.setattr(sheets_parquet, "ROWS", 7)
    assert written(evening, beside, tmp_path, "parquet", "events") == whole
    found = pyarrow.parquet.ParquetFile(tmp_path / "events.parquet")
    assert found.metadata.num_row_groups == -(-len(whole["events"]) // 7)


def test_parquet_without_its_library_is_refused_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(sys.modules, "croupier.ledger.sheets_parquet", raising=False)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(Refused, match="Parquet needs pyarrow"):
        sheets.maker("parquet")


@pytest.mark.parametrize(
    ("form", "what", "sentence"),
    [("xml", "all", "The formats are"), ("csv", "cards", "What can be exported")],
)
def test_what_nobody_exports_is_refused(
    beside: Path, in_file: Ledger, tmp_path: Path, form: str, what: str, sentence: str
) -> None:
    with pytest.raises(Refused, match=sentence):
        export(in_file.store, [], tmp_path, form, what)


def test_a_folder_that_cannot_be_written_is_refused(in_file: Ledger, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(Refused, match="cannot be written"):
        export(in_file.store, [], tmp_path / "file", "csv", "all")


# --- the page -------------------------------------------------------------------------------


def test_the_page_shows_every_column_as_it_is() -> None:
    page = PAGE.read_text("utf-8")
    shown: dict[str, list[tuple[str, str, str]]] = {}
    for part in page.split("\n### ")[1:]:
        name = part.split(":")[0]
        rows = re.findall(r"^\| (\w+) \| (\w+) \| (.+) \|$", part, re.MULTILINE)
        shown[name] = rows
    assert shown == {
        name: [(each.name, KINDS[each.kind], each.says) for each in columns]
        for name, columns in TABLES.items()
    }


def test_the_code_on_the_page_runs(
    beside: Path, in_file: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(in_file, HOUSE).rounds(6)
    monkeypatch.chdir(tmp_path)
    rows = written(beside, beside, tmp_path / "evening", "parquet")
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert len(blocks) == 4
    names: dict[str, Any] = {}
    for block in blocks:
        exec(block, names)  # the page's own code
    assert names["by_wager"]["made"].sum() == len(rows["wagers"])
    assert names["by_wager"]["house"].sum() == -sum(row["net"] for row in rows["rounds"])
    assert [name for name, *_ in names["players"]] == ["p1", "p2", "p4"]
    assert sum(net for *_, net in names["players"]) == sum(row["net"] for row in rows["rounds"])
    assert len(names["settled"]) == len(rows["wagers"])
    balances = dict(names["balances"])
    answer = names["duckdb"].sql(
        "SELECT sum(CASE target WHEN 'inventory' THEN cents ELSE 0 END) - "
        "sum(CASE source WHEN 'inventory' THEN cents ELSE 0 END) FROM 'evening/movements.parquet'"
    )
    assert [(balances["inventory"],)] == answer.fetchall()
