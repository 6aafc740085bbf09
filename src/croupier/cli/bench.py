"""croupier bench: what was measured here and now, with the peers beside it."""

from __future__ import annotations

from typing import Annotated

import typer

from croupier.cli.options import plain

app = plain()

Seconds = Annotated[float, typer.Option("--seconds", min=0.01, help="About what each row takes.")]


@app.callback()
def bench() -> None:
    """Measure Croupier beside its peers, in one run."""


@app.command()
def evaluator(
    hands: Annotated[
        int, typer.Option("--hands", min=1, help="Random seven-card hands.")
    ] = 5_000_000,
) -> None:
    """Seven-card hands per second, beside the packages a user would pick instead."""
    from croupier.bench import evaluator as measure

    measure.run(hands)


@app.command()
def table(
    seconds: Seconds = 5.0,
    rounds: Annotated[
        int, typer.Option("--rounds", min=1, help="Rounds of the long evening.")
    ] = 5_000,
) -> None:
    """Whole rounds per second at every table, beside PokerKit's hold'em."""
    from croupier.bench import table as measure

    measure.run(seconds, rounds)


@app.command()
def solve(
    turns: Annotated[int, typer.Option("--turns", min=1, help="Turns; the median counts.")] = 3,
    cold: Annotated[
        bool, typer.Option("--cold", help="Also with no kernel compiled before.")
    ] = False,
) -> None:
    """Seconds of an exact solution, game by game, and a plain draft beside it."""
    from croupier.bench import solve as measure

    measure.run(turns, cold)


@app.command()
def simulate(
    seconds: Seconds = 3.0,
) -> None:
    """Simulated rounds per second at every table, beside Python loops with good evaluators."""
    from croupier.bench import simulate as measure

    measure.run(seconds)


@app.command()
def ledger(
    seconds: Seconds = 5.0,
    events: Annotated[
        int, typer.Option("--events", min=1, help="Events behind the table that is opened.")
    ] = 100_000,
) -> None:
    """Commands and rounds made durable, beside the machine's own write and sync."""
    from croupier.bench import ledger as measure

    measure.run(seconds, events)


@app.command()
def room(
    seconds: Seconds = 5.0,
    tables: Annotated[
        list[int] | None, typer.Option("--tables", min=1, help="Again for more; else 1, 10, 100.")
    ] = None,
    watching: Annotated[int, typer.Option("--watching", min=0, help="Idle spectators.")] = 500,
    hostile: Annotated[
        bool, typer.Option("--hostile", help="One player next to hostile clients instead.")
    ] = False,
    kinds: Annotated[
        list[str] | None,
        typer.Option("--kinds", help="With --hostile: a kind of client; again for more; else all."),
    ] = None,
) -> None:
    """Acts until everyone is told, over real sockets, with the room on one core."""
    from croupier.law.refused import Refused

    try:
        from croupier.bench import hostile as attacked
        from croupier.bench import room as measure
    except ImportError as missing:
        raise Refused(f"The room needs {missing.name}: pip install 'croupier[room]'.") from None

    if kinds and not hostile:
        raise Refused("--kinds is for --hostile.")
    if hostile:
        attacked.run(seconds, attacked.chosen(kinds or ()))
    else:
        measure.run(seconds, tuple(tables or measure.TABLES), watching)
