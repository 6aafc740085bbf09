"""croupier par: the PAR sheet of a table, as a page, in print or as a workbook."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.options import Rulebook

if TYPE_CHECKING:
    from croupier.analysis.par.sheet import Sheet
    from croupier.house.submission import House

FORMATS = (".html", ".pdf", ".xlsx")


def par(
    file: Annotated[
        Path | None, typer.Argument(help="A licensee's submission, a TOML file.")
    ] = None,
    out: Annotated[
        list[Path] | None,
        typer.Option("--out", help="Where to: a name in .html, .pdf or .xlsx; repeatable."),
    ] = None,
    game: Annotated[
        str, typer.Option("--game", help="A game's preset instead: uth, caribbean, ride, pikit.")
    ] = "",
    rulebook: Rulebook = "",
    date: Annotated[
        str, typer.Option("--date", help="A date for the sheet, as 2026-01-31; else it has none.")
    ] = "",
) -> None:
    """Write the PAR sheet: configuration with clauses, every wager's mathematics, exposure."""
    from croupier.law.refused import Refused

    if not out:
        raise Refused("Say where the sheet goes, such as --out sheet.html, .pdf or .xlsx.")
    house = _house(file, game, rulebook)
    _verify(date)
    writers = {path: _writer(path) for path in out}
    from croupier.analysis.par.sheet import sheet

    made = sheet(house, date)
    for path, write in writers.items():
        try:
            path.write_bytes(write(made))
        except OSError as error:
            raise Refused(f"{path} cannot be written: {error.strerror or error}.") from None
        print(f"{path}: {house.game.title}, configuration {made.fingerprint}")


def _writer(path: Path) -> Callable[[Sheet], bytes]:
    """What writes this kind of file, found before anything is solved."""
    from croupier.law.refused import Refused

    try:
        match path.suffix.lower():
            case ".html":
                from croupier.analysis.par.html import page

                return page
            case ".pdf":
                from croupier.analysis.par.pdf import document

                return document
            case ".xlsx":
                from croupier.analysis.par.xlsx import workbook

                return workbook
    except ModuleNotFoundError as missing:
        raise Refused(
            f'A sheet in {path.suffix} needs {missing.name}: pip install "croupier[par]".'
        ) from None
    raise Refused(f"A sheet is written in {', '.join(FORMATS)}, not as {path.name!r}.")


def _house(file: Path | None, game: str, rulebook: str) -> House:
    from croupier.games.registry import game_named
    from croupier.house.submission import default_house, load
    from croupier.law.refused import Refused

    if sum(map(bool, (file, game, rulebook))) != 1:
        raise Refused("Give one of: a house file, --game or --rulebook.")
    if file:
        return load(file)
    return default_house(rulebook or game_named(game).books[0].id)


def _verify(date: str) -> None:
    from datetime import date as day

    from croupier.law.refused import Refused

    try:
        if date:
            day.fromisoformat(date)
    except ValueError:
        raise Refused(f"{date!r} is no date; write it as 2026-01-31.") from None
