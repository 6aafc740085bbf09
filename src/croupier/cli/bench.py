"""croupier bench: what was measured here and now, with the peers beside it."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(help="Measure Croupier beside its peers.", no_args_is_help=True)


@app.callback()
def bench() -> None:
    """Measure Croupier beside its peers, in one run."""


@app.command()
def evaluator(
    hands: Annotated[int, typer.Option("--hands", help="Random seven-card hands.")] = 5_000_000,
) -> None:
    """Seven-card hands per second, beside the packages a user would pick instead."""
    from croupier.bench import evaluator as measure

    measure.run(hands)


@app.command()
def table(
    seconds: Annotated[float, typer.Option("--seconds", help="About what each row takes.")] = 5.0,
    rounds: Annotated[int, typer.Option("--rounds", help="Rounds of the long evening.")] = 5_000,
) -> None:
    """Whole rounds per second at every table, beside PokerKit's hold'em."""
    from croupier.bench import table as measure

    measure.run(seconds, rounds)
