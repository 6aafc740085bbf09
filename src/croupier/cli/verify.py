"""croupier verify and verify-install: what a player and a regulator can check themselves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.ledger_options import Beside, StoreAt, TableId, looking_at
from croupier.cli.options import Json

if TYPE_CHECKING:
    from croupier.ledger.replay import Story


def verify(
    target: Annotated[
        str,
        typer.Argument(
            metavar="ROUND|FILE", help="A round of the ledger, or a file of replay --json."
        ),
    ],
    store: StoreAt = "",
    table: TableId = "",
    beside: Beside = None,
    as_json: Json = False,
) -> None:
    """Compute the deck of a finished round again, from promise, seed and the players' words. Exits
    1 where a step does not agree."""
    from croupier.ledger.proof import proof

    told = _told(target, store, table, beside)
    checks = list(proof(told))
    agrees = all(check.agrees for check in checks)
    if as_json:
        steps = [{"says": check.sentence, "agrees": check.agrees} for check in checks]
        answer = {"table": told.table, "round": told.round, "agrees": agrees, "steps": steps}
        print(json.dumps(answer, ensure_ascii=False))
    else:
        print(f"Table {told.table}, round {told.round}")
        for number, check in enumerate(checks, 1):
            print(f"{number}. {check.sentence} {'Agrees.' if check.agrees else 'DOES NOT AGREE.'}")
        print("The round was dealt as promised." if agrees else "The round does not agree.")
    if not agrees:
        raise typer.Exit(1)


def _told(target: str, store: str, table: str, beside: Path | None) -> Story:
    from croupier.ledger.proof import read_story
    from croupier.ledger.replay import only_table, story

    if not target.isdecimal():
        return read_story(Path(target))
    with looking_at(store, beside) as ledger:
        return story(ledger, only_table(ledger, table), int(target))


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
