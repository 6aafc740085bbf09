"""A ledger as tables for other programs: what happened, round by round, wager by wager.

Everything comes from one view of the store, row after row, so that a long history is never in
memory whole and tables may go on meanwhile. Sealed fields are left out: a seed is exported when
it is revealed, and the order of its deck follows from it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path

from croupier.law.refused import Refused
from croupier.ledger.accounts import Transfer
from croupier.ledger.chronicle import Chronicle, Played
from croupier.ledger.columns import TABLES
from croupier.ledger.entry import Entry
from croupier.ledger.outside import make_private, private_folder, sync
from croupier.ledger.replay import line_of
from croupier.ledger.sheets import Row, maker
from croupier.ledger.store import Store
from croupier.ledger.whole_file import part_of

ALL = "all"


def export(
    store: Store, tables: Iterable[str], folder: Path, form: str, what: str
) -> dict[str, int]:
    """Write the files into a folder; how many rows went into each. They are written under other
    names, synced and renamed at the end: an export that was interrupted leaves the older one."""
    make = maker(form)
    if what not in (*TABLES, ALL):
        raise Refused(f"What can be exported: {', '.join(TABLES)}, or {ALL}; not {what!r}.")
    names = list(TABLES) if what == ALL else [what]
    parts = {name: part_of(folder / f"{name}.{form}") for name in names}
    written = dict.fromkeys(names, 0)
    try:
        private_folder(folder)
        for name in names:  # players' names are in them
            make_private(parts[name])
        with ExitStack() as stack:
            sheets = {
                name: stack.enter_context(closing(make(parts[name], TABLES[name])))
                for name in names
            }
            for table in tables:
                for name, row in _rows(store, table):
                    if name in sheets:
                        sheets[name].add(row)
                        written[name] += 1
        for part in parts.values():
            sync(part)
        for name, part in parts.items():
            part.replace(folder / f"{name}.{form}")
        sync(folder)
    except OSError as error:
        raise Refused(f"{folder} cannot be written: {error.strerror}.") from None
    finally:
        for part in parts.values():
            with suppress(OSError):
                part.unlink(missing_ok=True)
    return written


def _rows(store: Store, table: str) -> Iterator[tuple[str, Row]]:
    """Every row of one table, in the order things happened."""
    chronicle = Chronicle()
    for entry in store.read(table):
        over = chronicle.see(entry, entry.happening())
        if over:
            yield from _round(table, chronicle, over)
        number = chronicle.now.number
        yield "events", _event(entry, number)
        for place, moved in enumerate(entry.transfers(), 1):
            yield "movements", _movement(entry, number, place, moved)
    over = chronicle.end()
    if over:
        yield from _round(table, chronicle, over)


def _event(entry: Entry, number: int) -> Row:
    line, request = line_of(entry), entry.request()
    data = dict(line.seen)
    event = data.pop("event")
    return (
        entry.table,
        entry.sequence,
        entry.time,
        number,
        entry.actor,
        entry.command_id,
        type(request).__name__ if request else "",
        event,
        data.get("seat"),
        line.sentence,
        line.clause,
        json.dumps(data, ensure_ascii=False),
        entry.hash,
    )


def _round(table: str, chronicle: Chronicle, over: Played) -> Iterator[tuple[str, Row]]:
    yield (
        "rounds",
        (
            table,
            over.number,
            chronicle.house.book.id if chronicle.house else "",
            over.began,
            over.closed,
            over.ended,
            over.first,
            over.last,
            over.colour,
            over.hands,
            " ".join(over.community),
            over.dealer,
            over.dealer_hand,
            over.qualified,
            over.void,
            sum(each.amount for each in over.wagers),
            over.net,
            over.meter,
            over.shuffle,
            over.commitment,
            over.seed,
        ),
    )
    for each in over.wagers:
        yield (
            "wagers",
            (
                table,
                over.number,
                each.seat,
                each.player,
                each.wager,
                each.amount,
                each.coupon,
                each.result,
                each.win,
                each.net,
                each.from_meter,
                each.withheld,
                each.line,
                each.clause,
                each.reason,
                each.sequence,
                each.time,
            ),
        )


def _movement(entry: Entry, number: int, place: int, moved: Transfer) -> Row:
    where = (entry.table, entry.sequence, place)
    return (*where, entry.time, number, moved.source, moved.target, moved.cents)
