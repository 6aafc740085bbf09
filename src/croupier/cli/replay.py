"""croupier replay: a round as it happened."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.ledger_options import Beside, StoreAt, TableId, looking_at
from croupier.cli.options import Json

if TYPE_CHECKING:
    from croupier.ledger.replay import Step, Story


def replay(
    number: Annotated[int, typer.Argument(metavar="ROUND", help="The number of the round.")],
    store: StoreAt = "",
    table: TableId = "",
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter after each step.")] = False,
    from_opening: Annotated[
        bool,
        typer.Option(
            "--from-opening",
            help="With --json: all entries since the table opened, so that no state is stated.",
        ),
    ] = False,
    beside: Beside = None,
    as_json: Json = False,
) -> None:
    """Tell a round as it happened, with times, actors and clauses; its hands once it is over. With
    --json it is the file that croupier verify checks."""
    from croupier.ledger.reading import legible
    from croupier.ledger.replay import only_table, story

    with looking_at(store, beside) as ledger, legible():
        told = story(ledger, only_table(ledger, table), number, whole=from_opening)
    if as_json:
        from msgspec import to_builtins

        print(json.dumps(to_builtins(told), ensure_ascii=False))
    else:
        _show(told, wait=step and sys.stdin.isatty())


def _show(told: Story, *, wait: bool) -> None:
    print(f"Table {told.table}, round {told.round}")
    for step in told.steps:
        _show_step(step)
        if wait and not _go_on():
            return
    if not told.over:
        print("The round is under way; only what anybody has seen is shown.")
        return
    from croupier.table.narrate import pretty

    print("Hands, from the discard rack:")
    for place, cards in told.hands.items():
        print(f"  {place:10}{pretty(cards)}")


def _show_step(step: Step) -> None:
    print(f"{step.time}  {step.actor}")
    for line in step.lines:
        print(f"{line.sequence:>8}  {line.sentence}" + (f" [{line.clause}]" if line.clause else ""))


def _go_on() -> bool:
    try:
        input()
    except (EOFError, KeyboardInterrupt):
        return False
    return True
