"""croupier verify and verify-install: what a player and a regulator can check themselves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.ledger_options import Beside, StoreAt, TableId, looking_at
from croupier.cli.options import Json

if TYPE_CHECKING:
    from croupier.ledger.known_keys import KnownKeys
    from croupier.ledger.proof_result import Check, Result
    from croupier.ledger.replay import Story

ROOM = "room"  # what a room is called whose name nobody gave
INCOMPLETE = 3  # the exit code where nothing differs, but not everything could be checked


def verify(
    target: Annotated[
        str,
        typer.Argument(
            metavar="ROUND|FILE",
            help="A round of the ledger, or a file of replay --json or of the room's audit page.",
        ),
    ],
    key: Annotated[
        list[str] | None,
        typer.Option(
            "--key",
            metavar="HEX|FILE",
            help="The house's public key; repeatable. Without it the key pinned for the room.",
        ),
    ] = None,
    room: Annotated[
        str, typer.Option("--room", help="Your name for the room the file is from.")
    ] = ROOM,
    accept_key: Annotated[
        str,
        typer.Option(
            "--accept-key",
            metavar="FINGERPRINT",
            help="Pin a further key of the room, by the fingerprint the room told you.",
        ),
    ] = "",
    allow_partial: Annotated[
        bool,
        typer.Option("--allow-partial", help="Exit 0 even if something could not be checked."),
    ] = False,
    store: StoreAt = "",
    table: TableId = "",
    beside: Beside = None,
    as_json: Json = False,
) -> None:
    """Check a finished round: chain, signature, key, shuffle, cards, every rule and payment.

    Exits 0 if all agrees, 1 if something does not, 3 if something could not be checked."""
    if target.isdecimal():
        told, checks = _from_ledger(int(target), store, table, beside)
    else:
        told, checks = _from_file(Path(target), key or [], room, accept_key)
    from croupier.ledger.proof_result import Result, verdict

    came_to = verdict(checks)
    (_print_json if as_json else _show)(told, checks, came_to)
    if came_to is Result.DIFFERS:
        raise typer.Exit(1)
    if came_to is Result.UNCHECKED and not allow_partial:
        raise typer.Exit(INCOMPLETE)


def _from_ledger(
    number: int, store: str, table: str, beside: Path | None
) -> tuple[Story, list[Check]]:
    """With the keys that lie beside the ledger."""
    from croupier.ledger.proof import prove
    from croupier.ledger.reading import legible
    from croupier.ledger.replay import only_table, story

    with looking_at(store, beside) as ledger:
        name = only_table(ledger, table)
        with legible():
            told = story(ledger, name, number)
        ours = {public.hex(): "beside the ledger" for public in ledger.keys.public.values()}
    return told, prove(told, ours)


def _from_file(path: Path, keys: list[str], room: str, accepted: str) -> tuple[Story, list[Check]]:
    """With keys that were given; else with those pinned for the room, which the first file of it
    pins."""
    from croupier.ledger.known_keys import KnownKeys, default_path, given_key
    from croupier.ledger.proof import prove
    from croupier.ledger.round_file import read_story

    given = {given_key(each): "the key you gave" for each in keys}
    told = read_story(path)
    if given:
        return told, prove(told, given)
    known = KnownKeys(default_path())
    pins = known.of(room)
    trusted = {pin.key: f"pinned for {room!r} since {pin.since[:10]}" for pin in pins}
    if accepted:
        trusted[_accepted(told, accepted)] = "the key you accepted"
    checks = prove(told, trusted)
    if accepted or not pins:
        return told, _pinned(told, checks, known, room)
    return told, [_alarmed(check, room, known) for check in checks]


def _accepted(told: Story, fingerprint: str) -> str:
    """The key of the file that has this fingerprint."""
    from croupier.law.refused import Refused
    from croupier.ledger.known_keys import fingerprint as print_of

    digits = "".join(fingerprint.split()).lower()
    for public in told.keys.values():
        try:
            if print_of(bytes.fromhex(public)).replace(" ", "") == digits:
                return public
        except ValueError:
            continue
    raise Refused("The file is not signed with a key of that fingerprint.")


def _pinned(told: Story, checks: list[Check], known: KnownKeys, room: str) -> list[Check]:
    """Pin the keys of a file in which nothing differs."""
    from croupier.ledger.entry import stamp
    from croupier.ledger.outside import utc
    from croupier.ledger.proof_result import Check, Result

    signed = {check.name: check.result for check in checks}
    sound = Result.DIFFERS not in signed.values() and signed["Signature"] is Result.AGREES
    if not sound:
        return checks
    known.pin(room, told.keys.values(), stamp(utc()))
    return [
        Check(
            "Key",
            Result.PINNED,
            f"This is the first file from {room!r}, so its key was compared with nothing. "
            f"It is pinned in {known.path}. Ask the room for its fingerprint and compare: "
            f"{_prints(told)}.",
        )
        if check.name == "Key" and check.result is Result.UNCHECKED
        else check
        for check in checks
    ]


def _prints(told: Story) -> str:
    from croupier.ledger.known_keys import fingerprint

    return " and ".join(fingerprint(bytes.fromhex(public)) for public in told.keys.values())


def _alarmed(check: Check, room: str, known: KnownKeys) -> Check:
    from croupier.ledger.proof_result import Check, Result

    if check.name != "Key" or check.result is not Result.DIFFERS:
        return check
    return Check(
        check.name,
        check.result,
        f"{check.sentence} Another key is pinned for {room!r} in {known.path}. Either the file is "
        "not from that room, or the room has a new key. If it is another room, name it with "
        "--room; if the room itself tells you of the new key, use --accept-key.",
    )


def _print_json(told: Story, checks: list[Check], came_to: Result) -> None:
    from croupier.ledger.known_keys import fingerprint
    from croupier.ledger.proof_result import Result

    named = [
        {"name": check.name, "result": check.result, "sentence": check.sentence} for check in checks
    ]
    try:
        keys = {key: fingerprint(bytes.fromhex(public)) for key, public in told.keys.items()}
    except ValueError:
        keys = {}
    answer = {
        "format": told.format,
        "table": told.table,
        "round": told.round,
        "agrees": came_to is Result.AGREES,
        "verdict": came_to,
        "checks": named,
        "keys": keys,
    }
    print(json.dumps(answer, ensure_ascii=False))


def _show(told: Story, checks: list[Check], came_to: Result) -> None:
    from croupier.ledger.proof_result import Result

    print(f"Table {told.table}, round {told.round}")
    widest = max(len(check.result) for check in checks)
    for check in checks:
        print(f"{check.name:10} {check.result:{widest}}  {check.sentence}")
    names = ", ".join(check.name.lower() for check in checks if check.result is came_to)
    if came_to is Result.DIFFERS:
        print(f"This round does not agree: {names}.")
    elif came_to is Result.UNCHECKED:
        print(f"What was checked agrees. Not checked: {names}.")
    elif any(check.result is Result.PINNED for check in checks):
        print("All checks agree. Whose key it is was not checked: it was pinned just now.")
    else:
        print("All checks agree: the round was dealt as promised and paid by the rules.")


def verify_install(
    manifest: Annotated[
        Path | None,
        typer.Option("--manifest", help="A manifest you have from elsewhere, not the package's."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Compare every file of this installation with the manifest of its release."""
    import croupier
    from croupier.ledger.manifest import verify_install as compare

    assert croupier.__file__
    found = compare(Path(croupier.__file__).parent, manifest)
    wrong = {"altered": found.altered, "missing": found.missing, "unknown": found.unknown}
    if as_json:
        print(json.dumps({"genuine": found.genuine, "files": found.files, **wrong}))
    else:
        for how, names in wrong.items():
            for name in names:
                print(f"{how}: {name}")
        verdict = "all as they were released" if found.genuine else "not as it was released"
        print(f"{found.files} files, {verdict}.")
    if not found.genuine:
        raise typer.Exit(1)
