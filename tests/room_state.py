"""All that a wrong or forged message might change in a room."""

from __future__ import annotations

from typing import Any

from room_driver import Running

REGISTER = ("people", "grants", "sessions")


def everything(room: Running) -> dict[str, Any]:
    """Tables and where their ledgers end, people, sessions, and what everybody has. When a session
    was last seen does not count."""
    here = room.room
    rows = {each: sorted(here.register.look(f"SELECT * FROM {each}")) for each in REGISTER}
    names = [name for _, name, *_ in rows["people"]]
    return {
        "heads": {name: host.keeper.head for name, host in here.hosts.items()},
        "tables": {name: host.table for name, host in here.hosts.items()},
        "paused": {name: host.pace.paused for name, host in here.hosts.items()},
        "banks": {name: here.bank.holds(name) for name in names},
        **{each: [row[:4] for row in rows[each]] for each in REGISTER},
    }
