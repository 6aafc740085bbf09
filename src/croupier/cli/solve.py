"""croupier solve: what a game costs under optimal play or any other, exactly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from croupier.cli.options import HouseFile, Json, Rulebook

if TYPE_CHECKING:
    from croupier.analysis.solution import Book, Solution
    from croupier.house.submission import House


def solve(
    game: Annotated[str, typer.Argument(help="uth, caribbean, ride or pikit.")],
    house: HouseFile = None,
    rulebook: Rulebook = "",
    pay: Annotated[
        list[str] | None,
        typer.Option("--pay", help="Odds of a wager, e.g. blind=royal-flush:500,flush:3/2."),
    ] = None,
    setting: Annotated[
        list[str] | None, typer.Option("--set", help="A key of the house file, KEY=VALUE.")
    ] = None,
    strategy: Annotated[
        str,
        typer.Option(help="A name (see --strategy list), or a file of rules .toml or Python .py."),
    ] = "optimal",
    as_json: Json = False,
) -> None:
    """Solve a game exactly: house edge as a fraction, every outcome counted, under optimal play or
    another strategy and what that costs."""
    from croupier.analysis.report import as_data
    from croupier.analysis.solve import evaluate
    from croupier.cli.progress import bar

    configuration = configured(game, house, rulebook, pay or [], setting or [])
    if strategy == "list":
        _list_strategies(configuration, as_json)
        return
    with bar() as tell:
        solution = evaluate(configuration, strategy, tell)
    if as_json:
        print(json.dumps(as_data(solution)))
    else:
        show(solution)


def _list_strategies(house: House, as_json: bool) -> None:
    from rich.console import Console
    from rich.table import Table

    from croupier.analysis.strategies.strategy import strategies

    named = strategies(house.game.id)
    if as_json:
        print(json.dumps(named))
        return
    table = Table(box=None, pad_edge=False, show_header=False)
    for name, about in named.items():
        table.add_row(name, about)
    Console(highlight=False).print(table)


def configured(
    game_name: str, file: Path | None, rulebook_id: str, pay: list[str], settings: list[str]
) -> House:
    """The house a mathematician asks about; it may be one that the law would refuse."""
    import tomllib

    from croupier.games.registry import game_named
    from croupier.house.submission import load, read_data, read_toml
    from croupier.law.refused import Refused

    game = game_named(game_name)
    if file and rulebook_id:
        raise Refused("Give --house or --rulebook, not both.")
    data: dict[str, Any] = {"rulebook": rulebook_id or game.books[0].id}
    if file:
        data = dict(load(file).source)
    for text in settings:
        key, equals, value = text.partition("=")
        if not equals:
            raise Refused(f"--set {text!r} is not KEY=VALUE.")
        try:
            read = read_toml(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError:
            read = value
        _put(data, key.strip(), read)
    for text in pay:
        wager, equals, lines = text.partition("=")
        table = {}
        for entry in lines.split(","):
            line, colon, odds = entry.partition(":")
            if not equals or not colon:
                raise Refused(f"--pay {text!r} is not WAGER=LINE:ODDS,LINE:ODDS.")
            table[line.strip()] = odds.strip()
        _put(data, f"pay.{wager.strip()}", table)
    house = read_data(data)
    if house.game is not game:
        raise Refused(f"{house.book.id} regulates {house.game.title}, not {game.title}.")
    return house


def _put(data: dict[str, Any], key: str, value: Any) -> None:
    """Set a key of the house file, ``table.key`` where it stands in a table."""
    table, dot, name = key.partition(".")
    if dot:
        data[table] = {**data.get(table, {}), name: value}
    else:
        data[key] = value


def show(solution: Solution) -> None:
    from rich.console import Console
    from rich.table import Table

    from croupier.analysis.report import fraction, percent
    from croupier.rules.money import in_dollars

    console = Console(highlight=False)
    main, whole = solution.main, solution.whole or solution.main
    console.print(f"{solution.game}, {solution.rulebook}: {main.combinations:,} deals")
    for words in solution.unlawful:
        console.print(f"illegal: {words}")
    rows = Table(box=None, pad_edge=False, show_header=False)
    rows.add_row("strategy", solution.strategy, "")
    rows.add_row("house edge", percent(-main.net), fraction(-main.net))
    if solution.cost:
        rows.add_row("cost of the strategy", percent(solution.cost), fraction(solution.cost))
    rows.add_row("element of risk", percent(main.element_of_risk), fraction(main.element_of_risk))
    rows.add_row("average wager", f"{float(main.average_wager):.6f}", fraction(main.average_wager))
    rows.add_row("standard deviation", str(main.standard_deviation), "")
    if solution.whole:
        rows.add_row("edge of all required", percent(-whole.net), fraction(-whole.net))
    for name, share in main.actions().items():
        rows.add_row(name, percent(share), "")
    console.print(rows)
    console.print(_side_bets(solution.side_bets))
    for name, meter in solution.meters.items():
        console.print(
            f"{name}: {percent(meter.per_10000)} for each $10,000 on the meter; breaks even at "
            f"{in_dollars(meter.break_even_cents)}"
        )
    for name, deals in solution.ties.items():
        console.print(f"tie {name}: {deals:,} deals; {solution.tie_broken}, the edge is the same")
    console.print(f"solved in {solution.seconds:.2f} s")


def _side_bets(books: dict[str, Book]) -> Any:
    from rich.table import Table

    from croupier.analysis.report import fraction, percent

    table = Table(box=None, pad_edge=False)
    for column in ("side bet", "edge", "exactly", "hits", "deviation"):
        table.add_column(column)
    for name, book in books.items():
        table.add_row(
            name,
            percent(-book.net),
            fraction(-book.net),
            percent(book.hit_frequency),
            str(book.standard_deviation),
        )
    return table if books else ""
