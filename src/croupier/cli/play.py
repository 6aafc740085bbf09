"""croupier play: sit down at a table."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.options import HouseFile, Rulebook, chosen_house

if TYPE_CHECKING:
    from fractions import Fraction

    from croupier.house.submission import House
    from croupier.terminal.evening import Evening

    SitDown = Callable[[str], Evening]

DUMB = ("", "dumb")


def play(
    game: Annotated[
        str, typer.Argument(help="uth, caribbean, ride or pik-it; asked for when left out.")
    ] = "",
    house: HouseFile = None,
    rulebook: Rulebook = "",
    seats: Annotated[int, typer.Option("--seats", help="Seats taken, yours among them.")] = 3,
    seed: Annotated[
        str, typer.Option("--seed", help="Repeat an evening: the same cards for the same keys.")
    ] = "",
    chips: Annotated[
        str, typer.Option("--chips", help="What you sit down with, in dollars.")
    ] = "1000",
    faults: Annotated[
        str, typer.Option("--faults", help="How often each irregularity happens, such as 0.05.")
    ] = "0",
    plain: Annotated[
        bool, typer.Option("--plain", help="Line by line, without taking over the screen.")
    ] = False,
) -> None:
    """Sit down at a table and play; the other seats are bots."""
    from croupier.rules.bounds import read_amount
    from croupier.terminal.evening import Evening

    rate = _rate(faults)
    sum_ = read_amount(chips, "The sum")
    chosen = _house(game, house, rulebook)

    def sit_down(book: str) -> Evening:
        at = chosen or _house("", None, book)
        assert at is not None
        return Evening(at, seats=seats, chips=sum_, seed=seed or None, faults=rate)

    first = sit_down("") if chosen else None
    if plain or not _full_screen():
        evening = _line_by_line(sit_down, first)
    else:
        evening = _on_a_screen(sit_down, first)
    if evening:
        from croupier.terminal.words import summary

        print("\n".join(summary(evening)))


def _rate(text: str) -> Fraction:
    from fractions import Fraction

    from croupier.law.refused import Refused
    from croupier.rules.bounds import LONGEST_SAID, said

    plain = len(text) <= LONGEST_SAID and "e" not in text.lower()  # no powers without end
    try:
        rate = Fraction(text if plain else "")
    except (ValueError, ZeroDivisionError):
        rate = Fraction(-1)
    if not 0 <= rate <= 1:
        raise Refused(f"The rate of faults {said(text)!r} is not a number from 0 to 1.")
    return rate


def _house(game: str, file: Path | None, rulebook_id: str) -> House | None:
    """The house to play at; None when the person is to be asked."""
    from croupier.games.registry import game_under
    from croupier.house.submission import load

    if not game and file and not rulebook_id:
        game = load(file).game.id
    elif not game and rulebook_id:
        game = game_under(rulebook_id).id
    return chosen_house(game, file, rulebook_id) if game else None


def _full_screen() -> bool:
    """Whether there is a terminal on both sides, and one that can move its cursor."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM", "") in DUMB:
        return False
    return os.name == "posix"


def _on_a_screen(sit_down: SitDown, evening: Evening | None) -> Evening | None:
    from croupier.terminal.console import run
    from croupier.terminal.screen import Screen

    screen = Screen(sit_down, evening)
    run(screen)
    return screen.evening


def _line_by_line(sit_down: SitDown, evening: Evening | None) -> Evening | None:
    from croupier.terminal.plain import Plain, ask_rulebook

    if evening is None:
        book = ask_rulebook(_read, _write)
        if book is None:
            return None
        evening = sit_down(book)
    try:
        Plain(evening, _read, _write).run()
    except KeyboardInterrupt:
        evening.leave()
    return evening


def _read(prompt: str) -> str | None:
    """A line without its end; None at the end of the input or at Ctrl-C."""
    print(prompt, end="", flush=True)
    try:
        line = sys.stdin.readline()
    except KeyboardInterrupt:
        line = ""
    if not sys.stdin.isatty() or not line:
        print(line.rstrip("\n"))  # what a terminal would have shown
    return line.strip().lower() if line else None


def _write(text: str) -> None:
    print(text)
