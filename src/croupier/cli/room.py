"""croupier room: tables in the browser."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from croupier.room.floor import Room


def room(
    host: Annotated[str, typer.Option("--host", help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=1, max=65535)] = 8700,
    store: Annotated[
        str,
        typer.Option(
            "--store", metavar="URL", help="A SQLite file or postgresql://...; else in the data."
        ),
    ] = "",
    data: Annotated[
        Path, typer.Option("--data", help="Where keys and everything else is kept.")
    ] = Path("croupier-data"),
    processes: Annotated[
        int,
        typer.Option(
            "--processes", min=1, max=64, help="That share the tables: for a SQLite file."
        ),
    ] = 1,
    origin: Annotated[
        list[str] | None,
        typer.Option("--origin", help="Another address browsers may come from, https://..."),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            "--proxy",
            metavar="ADDRESS",
            help="A proxy, by address or network, whose X-Forwarded headers are trusted.",
        ),
    ] = None,
    tls_cert: Annotated[
        Path | None, typer.Option("--tls-cert", help="Serve https with this certificate, in PEM.")
    ] = None,
    tls_key: Annotated[Path | None, typer.Option("--tls-key", help="Its key, in PEM.")] = None,
    tls_local: Annotated[
        bool,
        typer.Option("--tls-local", help="Serve https with a certificate made for this network."),
    ] = False,
    metrics_port: Annotated[
        int,
        typer.Option(
            "--metrics-port",
            min=0,
            max=65535,
            help="Serve /metrics on 127.0.0.1 at this port without a session; 0: do not.",
        ),
    ] = 0,
    betting_seconds: Annotated[
        int, typer.Option(min=0, max=600, help="From the first wager to no more bets; 0: no clock.")
    ] = 20,
    decision_seconds: Annotated[
        int,
        typer.Option(min=0, max=600, help="For each decision while others wait; 0: no clock."),
    ] = 45,
    absent_seconds: Annotated[
        int,
        typer.Option(
            min=0, max=3600, help="That a player who went away is waited for; 0: for ever."
        ),
    ] = 120,
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"],
        typer.Option("--log-level", help="What is written to stderr, a line of JSON each."),
    ] = "warning",
    witness: Annotated[
        list[str] | None,
        typer.Option(
            "--witness",
            metavar="FILE|URL",
            help="Send every checkpoint there too: a file on another disk, or another room at "
            "https://HOST/api/witness/NAME.",
        ),
    ] = None,
    witness_for: Annotated[
        list[str] | None,
        typer.Option(
            "--witness-for",
            metavar="NAME=KEY",
            help="Keep the checkpoints of another room, signed by this public key.",
        ),
    ] = None,
    open_browser: Annotated[
        bool, typer.Option("--open-browser/--no-browser", help="Show the room at once.")
    ] = True,
) -> None:
    """Open a room with tables anyone can sit down at in a browser."""
    try:
        from croupier.room.serve import serve
        from croupier.room.settings import Settings
    except ImportError as missing:
        from croupier.law.refused import Refused

        raise Refused(f"The room needs {missing.name}: pip install 'croupier[room]'.") from None

    settings = Settings(
        data=data,
        store=store,
        host=host,
        port=port,
        processes=processes,
        origins=tuple(origin or ()),
        proxies=tuple(proxy or ()),
        tls_cert=tls_cert,
        tls_key=tls_key,
        tls_local=tls_local,
        metrics_port=metrics_port,
        betting_seconds=betting_seconds,
        decision_seconds=decision_seconds,
        absent_seconds=absent_seconds,
        log_level=log_level,
        witnesses=tuple(witness or ()),
        witness_for=tuple(witness_for or ()),
    )
    if code := serve(settings, partial(_announce, open_browser)):
        raise typer.Exit(code)


def _announce(open_browser: bool, room: Room) -> None:
    import webbrowser

    from croupier.room import tls
    from croupier.room.reach import EVERYWHERE

    address, *others = (f"{each}/" for each in room.settings.allowed())
    print(f"The room is open at {address}", flush=True)
    if room.settings.host in EVERYWHERE:
        print(f"Also at {', '.join(others)}", flush=True)
    if room.settings.tls:
        print(
            f"The certificate's SHA-256 fingerprint is {tls.fingerprint(room.settings)}", flush=True
        )
    if room.password:
        print(f"The owner logs in as owner, password {room.password}", flush=True)
        print("Write it down: it is not shown again.", flush=True)
    room.study.start()  # the first question to the coach finds a warm worker
    if open_browser:
        webbrowser.open(address)
