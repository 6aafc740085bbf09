"""Options that several commands share."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from croupier.house.submission import House

HouseFile = Annotated[
    Path | None, typer.Option("--house", help="A licensee's submission, a TOML file.")
]
Rulebook = Annotated[
    str, typer.Option("--rulebook", help="Use the preset of this rulebook, e.g. nj-let-it-ride.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, money in cents.")]


def plain() -> typer.Typer:
    """Commands that explain themselves in plain text."""
    return typer.Typer(
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )


def chosen_house(game_name: str, file: Path | None, rulebook_id: str) -> House:
    """The house a command runs under: a file, a rulebook's preset, or New Jersey's preset."""
    from croupier.games.registry import game_named
    from croupier.house.check import check
    from croupier.house.submission import default_house, load
    from croupier.law.refused import Refused

    game = game_named(game_name)
    if file and rulebook_id:
        raise Refused("Give --house or --rulebook, not both.")
    house = load(file) if file else default_house(rulebook_id or game.books[0].id)
    if house.game is not game:
        raise Refused(f"{house.book.id} regulates {house.game.title}, not {game.title}.")
    if violations := check(house).violations:
        first = violations[0]
        raise Refused(f"This house is not legal: {first.key}: {first.sentence}", first.clause)
    return house


def warn_of_code(strategy: str) -> None:
    """Say on standard error that a strategy in Python is a program, before it is run."""
    if Path(strategy).suffix == ".py":
        print(f"Warning: {strategy} is run as a program, with all your rights.", file=sys.stderr)
