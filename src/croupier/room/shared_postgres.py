"""One room served by several processes, or machines, over one PostgreSQL database.

Each table has an owner: the process that holds its advisory lock, which the database lets go when
that process dies. Whoever writes to a table announces it with the commit; the others read what was
written and tell their own viewers. All of this hangs on one connection: a process that loses it
stops dealing. Should it still write, the ledger's sequence fences it off.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic

import psycopg
from psycopg import AsyncConnection, Notify, sql
from psycopg.rows import TupleRow

from croupier.law.refused import Refused
from croupier.ledger.postgres import CHANNEL as LEDGERS
from croupier.ledger.postgres import TABLE_LOCKS, said
from croupier.room.door.register import Register
from croupier.room.hosts import TableHost
from croupier.room.shared import ANSWERED, TICK, Shared
from croupier.room.words import AnyWord, Bye, Hello, heard

SILENT = 5  # seconds after which an owner that does nothing is taken for dead
AGAIN = 0.5  # seconds before a lost connection is tried again

# Kinds of advisory locks; within a kind, the room and a name make the key.
OPENING, TABLES, SPENDING = 7265012, TABLE_LOCKS, 7265014
ROOM = "hashtext(current_schema())"
NAMED = "hashtext(current_schema() || ' ' || ?)"

CHANNEL = "'croupier_room_' || md5(current_schema())"
SAID = f"SELECT pg_notify({CHANNEL}, ?)"
OPEN = f"SELECT pg_advisory_lock({OPENING}, {ROOM})"
OPENED = f"SELECT pg_advisory_unlock({OPENING}, {ROOM})"
HOLD = f"SELECT pg_try_advisory_lock({SPENDING}, {NAMED})"
RELEASE = f"SELECT pg_advisory_unlock({SPENDING}, {NAMED})"
TAKE = f"""SELECT name, pg_try_advisory_lock({TABLES}, {NAMED.replace("?", "name")})
    FROM unnest(%s::text[]) AS name"""
DROP = f"""SELECT pg_advisory_unlock({TABLES}, {NAMED.replace("?", "name")})
    FROM unnest(%s::text[]) AS name"""
# A process that was frozen, or whose machine was lost, may hold its locks for hours.
LET_GO = f"""SELECT pg_terminate_backend(pid) FROM (
    SELECT DISTINCT pid FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND classid = {TABLES} AND objsubid = 2 AND granted
    AND datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
    AND state_change < clock_timestamp() - make_interval(secs => {SILENT})
) AS silent"""

log = logging.getLogger("croupier.room.owners")

Line = AsyncConnection[TupleRow]


class SharedInPostgres(Shared):
    def __init__(self, dsn: str, register: Register) -> None:
        super().__init__(secrets.token_hex(8))
        self._dsn = dsn
        self._register = register
        self._hurry = False  # to look for tables nobody owns
        self._retired: list[str] = []  # closed tables whose locks this process holds
        self._lost = False  # whether the connection is, and the log says so

    @contextmanager
    def opening(self) -> Iterator[None]:
        self._register.look(OPEN)
        try:
            yield
        finally:
            self._register.look(OPENED)

    def hosted(self, host: TableHost) -> None:
        self._hurry = True

    def unhosted(self, host: TableHost) -> None:
        if host.owned:
            self._retired.append(host.name)

    async def _hold(self, name: str) -> bool:
        return bool((await asyncio.to_thread(self._register.look, HOLD, name))[0][0])

    async def _let_go(self, name: str) -> None:
        with suppress(Refused):  # a broken connection has let go already
            await asyncio.to_thread(self._register.look, RELEASE, name)

    async def _speak(self, words: list[str]) -> None:
        try:
            said = [(SAID, (word,)) for word in words]
            await asyncio.to_thread(self._register.change, *said)
        except Refused as trouble:  # what matters is said again every second
            if not self._lost:
                log.warning("nothing was said: %s", trouble)

    # --- hearing --------------------------------------------------------------------------------

    async def _listen(self) -> None:
        while True:
            try:
                connected = AsyncConnection.connect(
                    self._dsn, autocommit=True, connect_timeout=SILENT
                )
                async with await connected as line:
                    await self._attend(line)
            except (psycopg.Error, Refused, OSError, TimeoutError) as trouble:
                if not self._lost:
                    why = said(trouble) if isinstance(trouble, psycopg.Error) else trouble
                    log.warning("the database is lost, and every table with it: %s", why)
                self._lost = True
            finally:
                for host in self._hosts:
                    host.own(False)
            await asyncio.sleep(AGAIN)

    async def _attend(self, line: Line) -> None:
        assert self._floor
        ((ledgers, ours),) = await _rows(line, f"SELECT {LEDGERS}, {CHANNEL}")
        for channel in (ledgers, ours):
            await line.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
        await self._floor.catch_up()
        self.say(Hello(self.me))
        self._hurry = False
        await self._hear(line, ledgers, ANSWERED)
        while True:
            self._hurry = False
            async with asyncio.timeout(SILENT):
                await self._tick(line)
            if self._lost:
                log.warning("the database is back")
                self._lost = False
            await self._hear(line, ledgers, TICK)

    async def _hear(self, line: Line, ledgers: str, seconds: float) -> None:
        until = monotonic() + seconds
        while not self._hurry and (left := until - monotonic()) > 0:
            for notice in [each async for each in line.notifies(timeout=left, stop_after=1)]:
                if notice.channel == ledgers:
                    await self._wrote(notice)
                elif (word := heard(notice.payload)) and word.by != self.me:
                    await self._told(word)

    async def _tick(self, line: Line) -> None:
        """Take what nobody owns, and let go of closed tables; others see that we are alive."""
        retired, self._retired = self._retired, []
        if retired:
            await _rows(line, DROP, retired)
        wanted = {host.name: host for host in self._hosts if not host.owned}
        taken = [name for name, got in await _rows(line, TAKE, list(wanted)) if got]
        for name in taken:
            log.info("table %s is ours", name)
            wanted[name].own(True)
        if len(taken) < len(wanted) and await _rows(line, LET_GO):
            self._hurry = True
        self._say_who_is_here()
        await self._keep_up()

    async def _wrote(self, notice: Notify) -> None:
        assert self._floor
        version, _, table = notice.payload.partition(" ")
        await self._floor.wrote(table, int(version))

    async def _told(self, word: AnyWord) -> None:
        self._hurry |= isinstance(word, Bye)
        await super()._told(word)


async def _rows(line: Line, statement: str, *values: object) -> list[TupleRow]:
    return await (await line.execute(statement.encode(), values or None)).fetchall()
