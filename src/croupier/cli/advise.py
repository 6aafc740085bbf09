"""croupier advise: what each option is worth, exactly, with the cards seen so far."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from croupier.cli.options import HouseFile, Json, Rulebook
from croupier.cli.progress import bar
from croupier.cli.solve import configured

if TYPE_CHECKING:
    from rich.table import Table

    from croupier.analysis.advice.advise import Situation
    from croupier.analysis.advice.chart import Cell, Chart
    from croupier.house.submission import House
    from croupier.rules.money import Cents


def advise(
    game: Annotated[str, typer.Argument(help="uth, caribbean, ride or pikit.")],
    hand: Annotated[str, typer.Argument(help="Your cards, e.g. 'Ah Kd'.")] = "",
    board: Annotated[
        str, typer.Option("--board", "--community", help="Community cards that lie open.")
    ] = "",
    dealer: Annotated[
        list[str] | None,
        typer.Option("--dealer", "--up", help="The up-card, or any card of the dealer's you know."),
    ] = None,
    coming: Annotated[
        str, typer.Option("--next", help="Community cards you know before they lie open, in order.")
    ] = "",
    seen: Annotated[
        str, typer.Option("--seen", help="Other players' cards and burned cards: out of the deck.")
    ] = "",
    ante: Annotated[
        str, typer.Option("--ante", help="The ante, or each of the three bets, in dollars.")
    ] = "",
    chart: Annotated[
        bool, typer.Option("--chart", help="How each kind of hand is best played.")
    ] = False,
    rules: Annotated[
        bool, typer.Option("--rules", help="Short rules, and what they miss and cost.")
    ] = False,
    house: HouseFile = None,
    rulebook: Rulebook = "",
    pay: Annotated[
        list[str] | None,
        typer.Option("--pay", help="Odds of a wager, e.g. blind=royal-flush:500,flush:3/2."),
    ] = None,
    setting: Annotated[
        list[str] | None, typer.Option("--set", help="A key of the house file, KEY=VALUE.")
    ] = None,
    as_json: Json = False,
) -> None:
    """What each option is worth with the cards seen so far, the best one, and what others cost."""
    from croupier.analysis.advice.advise import Situation
    from croupier.cards.card import cards
    from croupier.law.refused import Refused

    if bool(hand) + chart + rules != 1:
        raise Refused("Give the cards of your hand, or --chart, or --rules.")
    if not hand and (board or dealer or coming or seen or ante):
        raise Refused("--chart and --rules are about every hand, and take no cards and no ante.")
    chosen = configured(game, house, rulebook, pay or [], setting or [])
    if chart:
        _charts(chosen, as_json)
    elif rules:
        _rules(chosen, as_json)
    else:
        known = Situation(
            cards(hand), cards(board), cards(" ".join(dealer or [])), cards(coming), cards(seen)
        )
        _advice(chosen, known, _stake(chosen, ante), as_json)


# --- advice ---------------------------------------------------------------------------------


def _stake(house: House, ante: str) -> Cents:
    """The ante as given, or the least the house takes."""
    from croupier.law.refused import Refused
    from croupier.rules.bounds import MOST_STAKE, read_amount

    if not ante:
        return house.posted[house.game.wagers[0].key].minimum
    if not (cents := read_amount(ante, "The ante", MOST_STAKE)):
        raise Refused("The ante must be more than nothing.")
    return cents


def _advice(house: House, situation: Situation, ante: Cents, as_json: bool) -> None:
    from croupier.analysis.advice.advise import advise as advice_for
    from croupier.analysis.advice.advise_report import advice_data, rounded
    from croupier.analysis.report import fraction
    from croupier.rules.money import in_dollars

    with bar() as tell:
        advice = advice_for(house, situation, tell)
    if as_json:
        print(json.dumps(advice_data(house, situation, advice, ante)))
        return
    table = _table(advice.decision, "value", "exactly", "cost", f"at {in_dollars(ante)}")
    for option in advice.options:
        best = option is advice.best
        table.add_row(
            option.name,
            rounded(option.value),
            fraction(option.value),
            "best" if best else rounded(option.cost),
            "" if best else f"${rounded(option.cost * ante / 100, 4)}",
            style="bold" if best else "",
        )
    _print(table)


# --- charts and rules -----------------------------------------------------------------------


def _charts(house: House, as_json: bool) -> None:
    from croupier.analysis.advice.advise_report import charts_data, opening_data
    from croupier.analysis.advice.chart import charts, opening_chart

    with bar() as tell:
        opening = opening_chart(house, tell) if "before-flop" in house.multiples else ()
        found = () if opening else charts(house, tell)
    if as_json:
        print(json.dumps(opening_data(opening) if opening else charts_data(found)))
    elif opening:
        _print_opening(opening)
    else:
        _print_charts(found)


def _print_opening(rows: Sequence[Sequence[Cell]]) -> None:
    """Each cell has one line for each option; numbers of at most four signs fit 80 columns."""
    from rich.text import Text

    names = [option.name for option in rows[0][0].advice.options]
    table = _table("", *(row[at].name[0] for at, row in enumerate(rows)), padding=(0, 1, 0, 0))
    for at, row in enumerate(rows):
        cells = []
        for cell in row:
            best = cell.advice.best
            text = Text()
            for option in cell.advice.options:
                style = "" if option is not best else "bold" if best.name == "check" else "green"
                mark = "*" if option is best else " "
                text.append(f"{round(100 * option.value)}{mark}\n", style)
            cells.append(text)
        table.add_row(row[at].name[0], *cells)
    _print(
        "Before the flop, suited hands above the diagonal. From the top: "
        f"{', '.join(names)}, in hundredths of an ante; * is best.",
        table,
    )


def _print_charts(charts: Sequence[Chart]) -> None:
    from croupier.analysis.advice.advise_report import rounded
    from croupier.analysis.report import percent

    for chart in charts:
        table = _table(chart.decision, "dealt", *chart.rows[0].options, "value")
        for row in chart.rows:
            shares = (percent(share, 2) if share else "" for share in row.options.values())
            table.add_row(row.hands, percent(row.share), *shares, rounded(row.value, 4))
        _print(table, "")


def _rules(house: House, as_json: bool) -> None:
    from croupier.analysis.advice.advise_report import rules_data
    from croupier.analysis.advice.short_rules import short_rules
    from croupier.analysis.report import fraction, percent

    with bar() as tell:
        found = short_rules(house, tell)
    if as_json:
        print(json.dumps(rules_data(found)))
        return
    for rule in found:
        table = _table(rule.decision, "")
        for line in rule.lines:
            table.add_row(line.group, str(line))
        if rule.otherwise:
            table.add_row("anything else", rule.otherwise)
        _print(
            table,
            f"Asked in {percent(rule.asked, 2)} of all rounds; misses best play in "
            f"{percent(rule.misses)}, which costs {percent(rule.cost)} of the "
            f"{'ante' if 'ante' in house.posted else 'bet'} ({fraction(rule.cost)}).\n",
        )


def _table(first: str, *others: str, **options: Any) -> Table:
    """A plain table with words at the left and figures at the right."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, **options)
    table.add_column(first)
    for name in others:
        table.add_column(name, justify="right" if name else "left")
    return table


def _print(*things: object) -> None:
    from rich.console import Console

    console = Console(highlight=False)
    for thing in things:
        console.print(thing, soft_wrap=isinstance(thing, str))
