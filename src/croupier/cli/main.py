"""The ``croupier`` command."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from croupier.cli.options import plain

if TYPE_CHECKING:
    from typer import _click as click

# Each with where it lives in this package; only the one that is asked for is imported.
COMMANDS = {
    "law": ("law:law", "The books of law, the clauses of one, or one clause."),
    "check": ("house:check", "Is a table legal? Every violation with its clause."),
    "sign": ("house:sign", "The notices that must stand at a table."),
    "play": ("play:play", "Sit down and play in the terminal."),
    "room": ("room:room", "Open a room with tables in the browser."),
    "accounts": ("accounts:app", "The accounts of a room: create, reset, disable and more."),
    "script": ("script:script", "Play a script: what happened, with clauses."),
    "solve": ("solve:solve", "A game's exact house edge and outcomes."),
    "advise": ("advise:advise", "What each option is worth with these cards."),
    "simulate": ("simulate:simulate", "Deal many rounds beside the exact solution."),
    "risk": ("risk:risk", "How a session's results spread."),
    "par": ("par:par", "Write the PAR sheet."),
    "compare": ("compare:compare", "What differs between two tables."),
    "audit": ("audit:audit", "Verify a ledger and replay every round in it."),
    "replay": ("replay:replay", "A round as it happened, in words."),
    "verify": ("verify:verify", "Compute the deck of a finished round again."),
    "export": ("export:export", "Events, rounds, wagers and movements to files."),
    "backup": ("backup:backup", "Write a room's database to one file during play."),
    "restore": ("restore:restore", "Put a backup back, and audit it."),
    "doctor": ("doctor:doctor", "Is a room's place in order? Modes, keys, disk, clock."),
    "torture": ("torture:torture", "Casinos whose disks, power and clocks fail."),
    "verify-install": ("verify:verify_install", "Compare this installation with its release."),
    "version": ("main:version", "Print the version."),
    "settle": ("settle:app", "Settle a finished hand."),
    "rng": ("rng:app", "The shuffle in the laboratory."),
    "bench": ("bench:app", "Measure Croupier beside its peers."),
}


class Lazily(Mapping[str, "click.Command"]):
    """The commands by name, each made when it is looked up."""

    def __getitem__(self, name: str) -> click.Command:
        module, _, attribute = COMMANDS[name][0].partition(":")
        found = getattr(import_module(f"croupier.cli.{module}"), attribute)
        if isinstance(found, typer.Typer):
            return get_command(found)
        alone = plain()
        alone.command(name)(found)
        return get_command(alone)

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


class Croupier(TyperGroup):
    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = Lazily()  # type: ignore[assignment]  # nobody adds to them

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


app = plain()


@app.callback(cls=Croupier, no_args_is_help=True)
def croupier() -> None:
    """Casino poker tables run by the book."""


def version() -> None:
    """Print the version."""
    from croupier import __version__

    print(f"croupier {__version__}")


def main() -> None:
    """Run the command; bad input is one sentence and a non-zero exit, never a traceback."""
    from croupier.law.refused import Refused

    try:
        app()
    except Refused as refused:
        print(f"Refused: {refused}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:  # the reader of our output went away
        sys.stderr.close()
        sys.exit(1)
