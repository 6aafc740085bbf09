"""croupier script: play a round that was written down, and hold it to what it should give."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.options import Json

if TYPE_CHECKING:
    from croupier.script.run import ScriptRun
    from croupier.table.events import Event

Script = Annotated[
    Path, typer.Argument(help="A script, as docs/SCRIPT.md describes it.", show_default=False)
]
Clauses = Annotated[
    bool, typer.Option("--clauses", help="Say under each event what its clause asks for.")
]
Secrets = Annotated[bool, typer.Option("--secrets", help="With --json: the order of the deck too.")]


def script(
    file: Script, as_json: Json = False, clauses: Clauses = False, secrets: Secrets = False
) -> None:
    """Play a script: what happened, each with its clause. Exits 1 where it gives another answer
    than the one written down."""
    from croupier.law.refused import Refused
    from croupier.script.run import Failed, run

    try:
        text = file.read_text("utf-8")
    except OSError as error:
        raise Refused(f"{file} cannot be read: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise Refused(f"{file} is not a text.") from None
    failed = None
    try:
        played = run(text)
    except Failed as failure:
        failed, played = failure, failure.so_far
    if as_json:
        for event in played.events:
            print(json.dumps(_as_data(event, secrets)))
    else:
        _tell(played, clauses)
    if failed:
        print(failed, file=sys.stderr)
        raise typer.Exit(1)


def _as_data(event: Event, secrets: bool) -> dict[str, object]:
    from msgspec.structs import asdict

    from croupier.table.view import seen_event

    if secrets:
        return {"event": type(event).__name__, **asdict(event)}
    return seen_event(event)


def _tell(played: ScriptRun, clauses: bool) -> None:
    """The events in words; a refusal stands where it was given."""
    from croupier.table.narrate import sentence

    for at, event in enumerate((*played.events, None)):
        for each in played.lines:
            if each.refused and each.first == at:
                said = f"Line {each.line.number} is refused: {each.refused.sentence}"
                _say(said, each.refused.clause, clauses)
        if event is not None:
            _say(sentence(event), getattr(event, "clause", ""), clauses)


def _say(said: str, clause: str, clauses: bool) -> None:
    from croupier.law.clause import clause as cited

    print(said + (f"  [{clause}]" if clause else ""))
    if clauses and clause:
        print(f"    {cited(clause).says}")
