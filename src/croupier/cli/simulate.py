"""croupier simulate: rounds by the million under any plan, beside the exact values."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from croupier.cli.options import HouseFile, Json, Rulebook, warn_of_code
from croupier.cli.solve import configured

if TYPE_CHECKING:
    from croupier.analysis.simulation.simulate import Simulation, Tally
    from croupier.analysis.simulation.simulate_report import Figures

Game = Annotated[str, typer.Argument(help="uth, caribbean, ride or pikit.")]
Pay = Annotated[
    list[str] | None,
    typer.Option("--pay", help="Odds of a wager, e.g. blind=royal-flush:500,flush:3/2."),
]
Setting = Annotated[
    list[str] | None, typer.Option("--set", help="A key of the house file, KEY=VALUE.")
]
Strategy = Annotated[
    str,
    typer.Option("--strategy", help="How the players play: a name, or a file. FILE.py is run."),
]

STOPPED = 130  # what a shell expects of a command that was interrupted


def simulate(
    game: Game,
    rounds: Annotated[
        int, typer.Option("--rounds", min=1, max=10**12, help="Rounds of the table.")
    ],
    house: HouseFile = None,
    rulebook: Rulebook = "",
    pay: Pay = None,
    setting: Setting = None,
    seed: Annotated[
        int | None,
        typer.Option("--seed", min=0, max=2**64 - 1, help="The same seed, the same rounds."),
    ] = None,
    seats: Annotated[int, typer.Option("--seats", help="Players at the table.")] = 1,
    strategy: Strategy = "optimal",
    workers: Annotated[
        int, typer.Option("--workers", min=0, max=1024, help="Threads; 0 for every core.")
    ] = 0,
    cluster: Annotated[
        str,
        typer.Option("--cluster", help="A Dask scheduler you trust, e.g. tcp://10.0.0.5:8786."),
    ] = "",
    as_json: Json = False,
) -> None:
    """Deal and play rounds, and set what they came to beside the exact values."""
    import secrets

    from croupier.analysis.simulation.simulate import Simulation
    from croupier.analysis.simulation.simulate_report import as_data, figures
    from croupier.analysis.solve import plan_for, solve
    from croupier.cli.progress import bar
    from croupier.law.refused import Refused

    if workers and cluster:
        raise Refused("Give --workers or --cluster, not both.")
    chosen = configured(game, house, rulebook, pay or [], setting or [])
    warn_of_code(strategy)
    seed = secrets.randbits(63) if seed is None else seed
    with bar() as tell:
        plan = plan_for(chosen, strategy, tell)
        simulation = Simulation(chosen, plan, seats)
        solution = solve(chosen, plan, tell)
    started = time.perf_counter()
    total, stopped = _added(
        simulation, rounds, _tallies(simulation, seed, rounds, workers, cluster)
    )
    seconds = time.perf_counter() - started
    if not total.rounds:
        print("Stopped before the first rounds were whole.", file=sys.stderr)
        raise typer.Exit(STOPPED)
    found = figures(simulation, total, solution)
    if as_json:
        head = {
            "game": chosen.game.id,
            "rulebook": chosen.book.id,
            "strategy": strategy,
            "seed": seed,
            "seats": seats,
            "rounds": total.rounds,
            "stopped": stopped,
            "seconds": round(seconds, 3),
        }
        print(json.dumps({**head, "wagers": as_data(found)}))
    else:
        words = "stopped after " if stopped else ""
        at = f"{seats} seats" if seats > 1 else "1 seat"
        print(f"{chosen.game.id}, {chosen.book.id}: {words}{total.rounds:,} rounds, {at}")
        print(f"seed {seed}, {strategy} play, {total.rounds / seconds:,.0f} rounds per second")
        show(found)
    if stopped:
        raise typer.Exit(STOPPED)


def _tallies(
    simulation: Simulation, seed: int, rounds: int, workers: int, cluster: str
) -> Iterator[Tally]:
    if cluster:
        from croupier.analysis.simulation.cluster import on_cluster

        return on_cluster(simulation, seed, rounds, cluster)
    from croupier.analysis.many import cores
    from croupier.analysis.simulation.simulate import on_threads

    return on_threads(simulation, seed, rounds, workers or cores())


def _added(simulation: Simulation, rounds: int, tallies: Iterator[Tally]) -> tuple[Tally, bool]:
    """All tallies together, and whether an interruption cut them short: then they are those of the
    first rounds, as if only these had been asked for."""
    total = simulation.nothing()
    try:
        with _progress(rounds) as advance:
            for tally in tallies:
                total += tally
                advance(tally.rounds)
    except KeyboardInterrupt:
        return total, True
    return total, False


@contextmanager
def _progress(rounds: int) -> Iterator[Callable[[int], None]]:
    """A bar with rate and time left, on standard error if that is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda played: None
        return
    started = time.perf_counter()
    with Progress(
        TextColumn("{task.completed:,.0f} rounds"),
        BarColumn(),
        TextColumn("{task.description}"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    ) as progress:
        task = progress.add_task("", total=rounds)

        def advance(played: int) -> None:
            done = progress.tasks[0].completed + played
            rate = f"{done / (time.perf_counter() - started):,.0f} per second"
            progress.update(task, advance=played, description=rate)

        yield advance


def show(found: list[Figures]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    table = Table(box=None, pad_edge=False)
    table.add_column("wager")
    for column in ("mean net", "error", "exactly", "z"):
        table.add_column(column, justify="right")
    for each in found:
        z = "" if each.z is None else f"{each.z:+.2f}"
        numbers = float(each.mean), each.error, float(each.exact)
        table.add_row(each.name, *(f"{number:.6f}" for number in numbers), z)
    console.print(table)
    for each in found:
        console.print(_histogram(each))


def _histogram(each: Figures) -> Any:
    from rich.table import Table

    from croupier.analysis.report import percent

    table = Table(title=f"\n{each.name}", title_justify="left", box=None, pad_edge=False)
    for column in ("net", "how often", "share", "exactly"):
        table.add_column(column, justify="right")
    for net, count, share, exactly in each.rows():
        table.add_row(str(net), f"{count:,}", percent(share), percent(exactly))
    return table
