"""croupier doctor: is a room's place in order?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from croupier.cli.options import Json
from croupier.cli.place_options import DATA, RoomData, RoomStore, place_of


def doctor(
    store: RoomStore = "",
    data: RoomData = DATA,
    host: Annotated[str, typer.Option("--host", help="Where the room is to listen.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=1, max=65535)] = 8700,
    tls_cert: Annotated[
        Path | None, typer.Option("--tls-cert", metavar="FILE", help="The room's certificate.")
    ] = None,
    tls_key: Annotated[
        Path | None, typer.Option("--tls-key", metavar="FILE", help="Its private key.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Check versions, file modes, disk, store, keys, clock, lock and port; nothing is changed.
    Exits 1 if there is a problem."""
    from msgspec import to_builtins

    from croupier.ledger.doctor import Checkup

    place, found = place_of(store, data), []
    checkup = Checkup(place, host, port, certificate=tls_cert, private_key=tls_key)
    for each in checkup.findings():
        found.append(each)
        if not as_json:
            print(each)
    problems = sum(each.level == "problem" for each in found)
    if as_json:
        print(json.dumps({"well": not problems, "findings": to_builtins(found)}))
    if problems:
        raise typer.Exit(1)
