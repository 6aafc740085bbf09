"""croupier accounts: the accounts of a room, managed on the machine itself.

It works while the room is running. Passwords are read from the terminal or from standard input,
never from the command line, which other users of the machine can see.
"""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from enum import StrEnum
from getpass import getpass, getuser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from croupier.cli.options import plain

if TYPE_CHECKING:
    from croupier.room.door.links import Links
    from croupier.room.door.logins import Logins, Seen
    from croupier.room.door.people import People, Person

LONGEST_LINE = 1_024  # characters read as a password
HEADINGS = ("name", "role", "state", "since", "last seen", "failed", "wait", "sessions")

app = plain()

Name = Annotated[str, typer.Argument(metavar="NAME")]
Store = Annotated[
    str,
    typer.Option(
        "--store", metavar="URL", help="A SQLite file or postgresql://...; else in the data."
    ),
]
Data = Annotated[Path, typer.Option("--data", help="The room's data directory.")]
Address = Annotated[
    str, typer.Option("--address", metavar="URL", help="Where browsers find the room.")
]
DATA, ADDRESS = Path("croupier-data"), "http://127.0.0.1:8700"


class AccountRole(StrEnum):
    PLAYER = "player"
    SUPERVISOR = "supervisor"
    AUDITOR = "auditor"
    OWNER = "owner"


class NewPassword(StrEnum):
    ASK = "ask"
    RANDOM = "random"
    LINK = "link"


RoleOption = Annotated[AccountRole, typer.Option("--role")]
PasswordOption = Annotated[
    NewPassword,
    typer.Option(
        "--password",
        help="Ask for it (or read a line of standard input), make a random one, or give a "
        "one-time link.",
    ),
]


class Opened(NamedTuple):
    people: People
    logins: Logins
    links: Links
    by: str  # as the administration chain names who did it


@app.callback()
def accounts() -> None:
    """The accounts of a room."""


@app.command("list")
def show(
    store: Store = "",
    data: Data = DATA,
    like: Annotated[str, typer.Option("--like", help="The beginning of a name.")] = "",
    guests: Annotated[bool, typer.Option("--guests", help="The newest guests instead.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Accounts, with role, state, last visit and failed log-ins."""
    with _opened(store, data) as room:
        people = room.people.listed(like, guests=guests)
        seen = room.logins.seen(*(each.name for each in people))
    rows = [_row(each, seen[each.name]) for each in people]
    if as_json:
        print(json.dumps([dict(zip(HEADINGS, row, strict=True)) for row in rows], indent=2))
    else:
        _print([HEADINGS, *([str(cell) for cell in row] for row in rows)])


def _row(person: Person, seen: Seen) -> tuple[str | int, ...]:
    return (
        *(person.name, str(person.role), str(person.state), person.came[:10]),
        *(seen.seen[:16].replace("T", " "), seen.failed, seen.wait, seen.sessions),
    )


def _print(rows: Sequence[Sequence[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print("  ".join(map(str.ljust, row, widths)).rstrip())


@app.command()
def create(
    name: Name,
    role: RoleOption = AccountRole.PLAYER,
    password: PasswordOption = NewPassword.ASK,
    store: Store = "",
    data: Data = DATA,
    address: Address = ADDRESS,
) -> None:
    """A new account."""
    from croupier.room.door.roles import Role

    with _opened(store, data) as room:
        if password is NewPassword.LINK:
            person = room.people.add_without_password(name, Role(role), by=room.by)
            print(
                f"{person.name} is {person.role.one} and sets a password here, once, within a day:"
            )
            print(address + room.links.make(person))
            return
        chosen = _chosen(password)
        person = room.people.add(name, chosen, Role(role), by=room.by)
        print(f"{person.name} is {person.role.one}.")
        _tell(password, chosen)


@app.command()
def reset(
    name: Name,
    password: PasswordOption = NewPassword.RANDOM,
    store: Store = "",
    data: Data = DATA,
    address: Address = ADDRESS,
) -> None:
    """A new password: the old one stops working and every session ends."""
    with _opened(store, data) as room:
        if password is NewPassword.LINK:
            link = room.links.reset(name, by=room.by)
            print(f"{name} sets a password here, once, within a day:")
            print(address + link)
            return
        chosen = _chosen(password)
        person = room.people.set_password(name, chosen, by=room.by)
        room.logins.unlock(person.name, by=room.by)
        print(f"{person.name} has a new password.")
        _tell(password, chosen)


@app.command("role")
def change_role(
    name: Name,
    role: Annotated[AccountRole, typer.Argument()],
    store: Store = "",
    data: Data = DATA,
    address: Address = ADDRESS,
) -> None:
    """Another role: every session ends. A player who joins the staff needs a new password."""
    from croupier.room.door.roles import STAFF, Role

    with _opened(store, data) as room:
        before = room.people.there(name)
        person = room.people.change_role(name, Role(role), by=room.by)
        print(f"{person.name} is {person.role.one}.")
        if before.role is Role.PLAYER and person.role in STAFF:
            print("A new password is set here, once, within a day:")
            print(address + room.links.make(person))


@app.command()
def disable(name: Name, store: Store = "", data: Data = DATA) -> None:
    """Log a person out and let nobody log in with this name."""
    with _opened(store, data) as room:
        print(f"{room.people.disable(name, by=room.by).name} is disabled.")


@app.command()
def enable(name: Name, store: Store = "", data: Data = DATA) -> None:
    """Undo disable."""
    with _opened(store, data) as room:
        print(f"{room.people.enable(name, by=room.by).name} is enabled.")


@app.command()
def delete(
    name: Name,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    store: Store = "",
    data: Data = DATA,
) -> None:
    """Delete an account for ever. The name stays taken, because the history is under it."""
    from croupier.law.refused import Refused

    with _opened(store, data) as room:
        person = room.people.there(name)
        if not yes and not sys.stdin.isatty():
            raise Refused("Deleting cannot be undone: give --yes.")
        if yes or typer.confirm(f"Delete {person.name} for ever?"):
            room.people.delete(person.name, by=room.by)
            print(f"{person.name} is deleted.")


@app.command()
def unlock(name: Name, store: Store = "", data: Data = DATA) -> None:
    """Clear the waits after failed log-ins."""
    with _opened(store, data) as room:
        print(f"Nobody has to wait to log in as {room.logins.unlock(name, by=room.by).name}.")


@app.command("end-sessions")
def end_sessions(name: Name, store: Store = "", data: Data = DATA) -> None:
    """Log a person out everywhere."""
    with _opened(store, data) as room:
        print(f"{room.people.end_sessions(name, by=room.by).name} is logged out.")


@contextmanager
def _opened(store: str, data: Path) -> Iterator[Opened]:
    """The accounts of a room that is there."""
    from croupier.law.refused import Refused

    try:
        from croupier.room.door.links import Links
        from croupier.room.door.logins import Logins
        from croupier.room.door.people import People
        from croupier.room.door.register import open_register
        from croupier.room.settings import Settings
    except ImportError as missing:
        raise Refused(f"Accounts need {missing.name}: pip install 'croupier[room]'.") from None
    from croupier.ledger.administration import Administration
    from croupier.ledger.ledger import Ledger

    settings = Settings(data=data, store=store)
    keys = Path(f"{settings.beside or settings.file('')}.keys")
    if not keys.is_dir():
        raise Refused(f"There is no room here: {keys} is missing; give --data or --store.")
    with (
        closing(Ledger.at(settings.where, beside=settings.beside)) as ledger,
        closing(open_register(settings.where)) as register,
    ):
        register.witness = ledger.witness
        chain = Administration(register, ledger.keys, clock=ledger.clock, entropy=ledger.entropy)
        people = People(register, chain)
        yield Opened(people, Logins(people), Links(people), _machine())


def _machine() -> str:
    with suppress(KeyError, OSError, ImportError):  # not every system knows its users
        return f"machine {getuser()}"
    return "machine"


def _chosen(how: NewPassword) -> str:
    from croupier.law.refused import Refused

    if how is NewPassword.RANDOM:
        return secrets.token_urlsafe(15)
    if not sys.stdin.isatty():
        return sys.stdin.readline(LONGEST_LINE).rstrip("\r\n")
    password = getpass("Password: ")
    if getpass("Again: ") != password:
        raise Refused("The two passwords differ.")
    return password


def _tell(how: NewPassword, password: str) -> None:
    if how is NewPassword.RANDOM:
        print(f"The password is {password}")
        print("Write it down: it is not shown again.")
