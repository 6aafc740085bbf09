"""croupier risk: what a session may bring, and how odd a result was."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from croupier.cli.options import HouseFile, Json, Rulebook, warn_of_code
from croupier.cli.simulate import Game, Pay, Setting, Strategy
from croupier.cli.solve import configured

if TYPE_CHECKING:
    from croupier.analysis.simulation.risk import OneRound
    from croupier.analysis.solution import Book
    from croupier.house.submission import House

QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
ALARM = 0.01  # a result less likely than this, either way, is worth a look at the table


def risk(
    game: Game,
    house: HouseFile = None,
    rulebook: Rulebook = "",
    pay: Pay = None,
    setting: Setting = None,
    strategy: Strategy = "optimal",
    bet: Annotated[
        str, typer.Option("--bet", help="The ante, or each bet of Let It Ride; else the minimum.")
    ] = "",
    bankroll: Annotated[str, typer.Option("--bankroll", help="What the player brings.")] = "",
    hours: Annotated[float, typer.Option("--hours", min=0.0, max=1e6, help="How long.")] = 0.0,
    rounds_per_hour: Annotated[
        int, typer.Option("--rounds-per-hour", min=1, max=10**6, help="How fast.")
    ] = 40,
    rounds: Annotated[
        int, typer.Option("--rounds", min=0, max=10**12, help="Instead of hours.")
    ] = 0,
    actual: Annotated[
        str, typer.Option("--actual", help="What the house won, negative where it lost.")
    ] = "",
    as_json: Json = False,
) -> None:
    """Say how the results of a session spread, how likely a bankroll is lost, what the house wins
    in the long run, and how odd an actual result was. Amounts are dollars; all required wagers are
    placed every round."""
    from croupier.analysis.simulation.risk import one_round
    from croupier.analysis.solve import plan_for, solve
    from croupier.cli.progress import bar

    count = _rounds(hours, rounds_per_hour, rounds)
    chosen = configured(game, house, rulebook, pay or [], setting or [])
    base = _bet(chosen, bet)
    money = _bankroll(bankroll) if bankroll else None
    won = _signed(actual, "The actual win") if actual else None
    warn_of_code(strategy)
    with bar() as tell:
        solution = solve(chosen, plan_for(chosen, strategy, tell), tell)
    book = solution.whole or solution.main
    one = one_round(book, base)
    data: dict[str, Any] = {
        "game": chosen.game.id,
        "rulebook": chosen.book.id,
        "strategy": strategy,
        "bet": base,
        "rounds": count,
        **_session(one, book, base, count, money),
    }
    if won is not None:
        data["actual"] = _actual(one, count, won)
    if as_json:
        print(json.dumps(data))
    else:
        show(data)


def _rounds(hours: float, per_hour: int, rounds: int) -> int:
    from math import isfinite

    from croupier.law.refused import Refused

    if not isfinite(hours):
        raise Refused("--hours must be a number of hours.")
    if bool(hours) == bool(rounds):
        raise Refused("Say how long: either --hours or --rounds.")
    count = rounds or round(hours * per_hour)
    if not count:
        raise Refused("In so short a time not one round is played.")
    return count


def _bet(house: House, text: str) -> int:
    from croupier.law.refused import Refused
    from croupier.rules.bounds import MOST_STAKE, read_amount

    base = next(wager for wager in house.game.wagers if wager.required)
    bet = read_amount(text, f"The {base}", MOST_STAKE) if text else house.posted[base.key].minimum
    if not bet:
        raise Refused(f"The {base} must be more than nothing.")
    return bet


def _bankroll(text: str) -> int:
    from croupier.law.refused import Refused

    bankroll = _signed(text, "The bankroll")
    if bankroll <= 0:
        raise Refused("A bankroll must be more than nothing.")
    return bankroll


def _signed(text: str, what: str) -> int:
    from croupier.rules.bounds import read_amount

    sign = -1 if text.strip().startswith("-") else 1
    return sign * read_amount(text.strip().removeprefix("-"), what)


def _session(
    one: OneRound, book: Book, bet: int, rounds: int, bankroll: int | None
) -> dict[str, Any]:
    from croupier.analysis.report import fraction
    from croupier.analysis.simulation.risk import results, ruin

    found = results(one, rounds)
    data: dict[str, Any] = {
        "wagered": fraction(rounds * bet * book.average_wager),
        "theoretical_win": fraction(-rounds * one.mean),
        "mean": fraction(rounds * one.mean),
        "variance": fraction(rounds * one.variance),
        "standard_deviation": one.deviation(rounds),
        "quantiles": {str(share): found.quantile(share) for share in QUANTILES},
        "ahead": found.at_least(1),
        "behind": found.at_most(-1),
    }
    if bankroll is not None:
        lost = ruin(one, bankroll, rounds)
        data["ruin"] = {
            "bankroll": bankroll,
            "chance": lost.chance,
            "method": lost.method,
            "standard_error": lost.error,
        }
    return data


def _actual(one: OneRound, rounds: int, won: int) -> dict[str, Any]:
    """The house's side of it: its win is the players' loss."""
    from croupier.analysis.report import fraction
    from croupier.analysis.simulation.risk import surprise

    odd = surprise(one, rounds, -won)
    return {
        "win": won,
        "theoretical_win": fraction(-odd.expected),
        "z": -odd.z,
        "chance_of_no_more": odd.at_least,
        "chance_of_no_less": odd.at_most,
        "chance_as_far_off": odd.tail,
        "alarm": odd.tail < ALARM,
    }


def show(data: dict[str, Any]) -> None:
    from fractions import Fraction

    from rich.console import Console
    from rich.table import Table

    from croupier.rules.money import in_dollars

    def money(text: str | float) -> str:
        return in_dollars(round(Fraction(text)))

    console = Console(highlight=False)
    console.print(
        f"{data['game']}, {data['rulebook']}: {data['rounds']:,} rounds at "
        f"{in_dollars(data['bet'])}, {data['strategy']} play"
    )
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column("what")
    table.add_column("how much", justify="right")
    table.add_row("wagered on average", money(data["wagered"]))
    table.add_row("theoretical win of the house", money(data["theoretical_win"]))
    table.add_row("standard deviation", money(data["standard_deviation"]))
    for share, cents in data["quantiles"].items():
        table.add_row(f"player's result, {100 * float(share):g} % are no better", money(cents))
    table.add_row("player ahead", _percent(data["ahead"]))
    table.add_row("player behind", _percent(data["behind"]))
    if ruin := data.get("ruin"):
        how = ", exact" if ruin["method"] == "lattice" else f" ± {_percent(ruin['standard_error'])}"
        words = f"loses {in_dollars(ruin['bankroll'])} on the way"
        table.add_row(words, _percent(ruin["chance"]) + how)
    if actual := data.get("actual"):
        table.add_row("actual win of the house", money(actual["win"]))
        table.add_row("standard deviations above theory", f"{actual['z']:+.2f}")
        table.add_row("chance of a win no higher", _percent(actual["chance_of_no_more"]))
        table.add_row("chance of a win no lower", _percent(actual["chance_of_no_less"]))
    console.print(table)
    if actual and actual["alarm"]:
        words = _percent(actual["chance_as_far_off"])
        console.print(f"ALARM: chance alone is as far off in {words} of cases; look at the table.")


def _percent(chance: float) -> str:
    return f"{100 * chance:.4f} %" if chance >= 1e-6 or not chance else f"{100 * chance:.2e} %"
