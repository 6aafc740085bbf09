"""Somebody with access to the database, and sometimes to the keys, who writes what they like."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
from msgspec.structs import asdict, astuple, replace

from croupier.ledger.chain import Head
from croupier.ledger.checkpoint import Checkpoint, signed
from croupier.ledger.entry import GENESIS, Entry, canonical, digest
from croupier.ledger.keys import Keys
from croupier.ledger.schema import IN_POSTGRES, IN_SQLITE, MIGRATIONS

ENTRY_COLUMNS = (
    *("table_id", "sequence", "time", "actor"),
    *("command_id", "command", "event", "previous", "hash", "moved"),
)
CHECKPOINT = f"INSERT INTO checkpoints VALUES ({', '.join('?' * 8)})"
ENTRY = f"INSERT INTO entries VALUES ({', '.join('?' * len(ENTRY_COLUMNS))})"


def hashed(entry: Entry) -> Entry:
    return replace(entry, hash=digest(entry))


def sql(where: str | Path, statement: str, *values: Any) -> list[tuple[Any, ...]]:
    """One statement, in whichever kind of database."""
    if str(where).startswith("postgres"):
        with psycopg.connect(str(where)) as connection:
            ran = connection.execute(statement.replace("?", "%s").encode(), values)
            return ran.fetchall() if ran.description else []
    with closing(sqlite3.connect(where)) as file, file:
        return file.execute(statement, values).fetchall()


def entries_of(where: str | Path) -> list[Entry]:
    return [Entry(*row) for row in sql(where, "SELECT * FROM entries ORDER BY table_id, sequence")]


def put(where: Path, entries: Iterable[Entry]) -> None:
    """These and no others."""
    with closing(sqlite3.connect(where)) as file, file:
        file.execute("DELETE FROM entries")
        file.executemany(ENTRY, [astuple(entry) for entry in entries])


def made_older(where: str | Path, version: int, beside: Path) -> None:
    """A ledger as an earlier version of the schema, 1 to 4, kept it."""
    postgres = str(where).startswith("postgres")
    dialect = IN_POSTGRES if postgres else IN_SQLITE
    movements = sql(where, "SELECT * FROM movements") if version < 4 else []
    kept: dict[str, list[tuple[Any, ...]]] = {"movements": movements}
    for name, columns in (("entries", 9 if version < 4 else 10), ("refusals", 9)):
        kept[name] = [row[:columns] for row in sql(where, f"SELECT * FROM {name}")]
    keys = Keys(beside.with_name(f"{beside.name}.keys"))
    found = [Checkpoint(*row) for row in sql(where, "SELECT * FROM checkpoints")]
    older = [in_format_1(keys, each) for each in found]
    beside.with_name(f"{beside.name}.checkpoints").write_bytes(_lines(older))
    kept["checkpoints"] = [astuple(each)[:6] for each in older]
    for gone in ("VIEW movements", *(f"TABLE {name}" for name in (*kept, "purses"))):
        if gone != "TABLE movements":
            sql(where, f"DROP {gone}")
    for statement in MIGRATIONS[0]:
        if "snapshots" not in statement:
            sql(where, statement)
    for number in range(2, version + 1):
        for statement in () if number in dialect.without else MIGRATIONS[number - 1]:
            sql(where, statement.format(**asdict(dialect)))
    for name, rows in kept.items():
        for row in rows:
            sql(where, f"INSERT INTO {name} VALUES ({', '.join('?' * len(row))})", *row)
    sql(where, "DELETE FROM migrations WHERE version > ?", version)


def in_format_1(keys: Keys, checkpoint: Checkpoint) -> Checkpoint:
    """A checkpoint as it was signed before refusals were chained."""
    names = ("hash", "sequence", "table", "time")
    message = b"croupier checkpoint 1\n" + canonical(
        {name: getattr(checkpoint, name) for name in names}
    )
    signature = keys.sign(message).hex()
    return replace(checkpoint, key=keys.signing, signature=signature, refusals=0, refusal="")


def _lines(checkpoints: Iterable[Checkpoint]) -> bytes:
    return b"".join(canonical(each) + b"\n" for each in checkpoints)


def chained(entries: Iterable[Entry]) -> list[Entry]:
    """The same with hashes that fit."""
    last, found = GENESIS, []
    for entry in entries:
        found.append(hashed(replace(entry, previous=last)))
        last = found[-1].hash
    return found


def signed_again(where: Path, beside: Path) -> None:
    """What only who has the signing key can do: every checkpoint made to fit, in both places."""
    keys = Keys(beside.with_name(f"{beside.name}.keys"))
    stood = [row[0] for row in sql(where, "SELECT sequence FROM checkpoints ORDER BY sequence")]
    fitting = [
        signed(keys, entry.table, Head.of(entry))
        for entry in entries_of(where)
        if entry.sequence in stood
    ]
    sql(where, "DELETE FROM checkpoints")
    for each in fitting:
        sql(where, CHECKPOINT, *astuple(each))
    beside.with_name(f"{beside.name}.checkpoints").write_bytes(_lines(fitting))
