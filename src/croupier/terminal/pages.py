"""Pages to read away from the table: why, rules and pay tables, history; and the menu."""

from __future__ import annotations

from croupier.games.registry import RULEBOOKS
from croupier.house.submission import House
from croupier.law.clause import rulebook
from croupier.terminal import words
from croupier.terminal.canvas import HEIGHT, WIDTH, Canvas, Style
from croupier.terminal.evening import Evening
from croupier.terminal.felt import Span, folded

ROWS = HEIGHT - 5  # of text on a page
COLUMN = 38
BESIDE = "\t"  # parts the two columns of a row


class Pages:
    """A text laid out in pages of one screen each."""

    def __init__(self, title: str, pages: list[list[str]]) -> None:
        self.title = title
        self.pages = pages
        self.at = 0

    def turn(self, by: int) -> bool:
        """To another page; False past the last."""
        if self.at + by >= len(self.pages):
            return False
        self.at = max(0, self.at + by)
        return True

    def draw(self) -> Canvas:
        canvas = Canvas()
        canvas.put(0, 1, self.title, Style.TITLE)
        if len(self.pages) > 1:
            canvas.right(0, f"page {self.at + 1} of {len(self.pages)}", Style.DIM)
        canvas.line(1)
        for at, text in enumerate(self.pages[self.at], 2):
            for column, part in enumerate(text.split(BESIDE)):
                bold = part and part[0] != " "
                style = Style.BOLD if bold else Style.PLAIN
                canvas.put(at, 1 + column * (COLUMN + 2), part, style)
        canvas.line(HEIGHT - 2)
        more = self.at + 1 < len(self.pages)
        spans: list[Span] = [("[space] ", Style.KEY), ("next page   ", Style.DIM)] if more else []
        at = 1
        for text, style in (*spans, ("[Enter] ", Style.KEY), ("back to the table", Style.DIM)):
            at = canvas.put(HEIGHT - 1, at, text, style)
        return canvas


def _paged(rows: list[str]) -> list[list[str]]:
    return [rows[at : at + ROWS] for at in range(0, len(rows), ROWS)] or [[]]


def why(evening: Evening) -> Pages:
    rows: list[str] = []
    for line in words.why(evening):
        indent = "  " if line.startswith("  ") else ""
        rows += [indent + text for text in folded(line.strip(), WIDTH - 4)] if line else [""]
    return Pages("Why?", _paged(rows))


def history(evening: Evening) -> Pages:
    rows = [f" {line}" for line in words.history(evening)]
    pages = Pages("The evening so far", _paged(rows))
    pages.at = len(pages.pages) - 1
    return pages


def rules(house: House) -> Pages:
    """The course of the round in one column, then the pay tables in two."""
    rows = [text for line in words.rules(house) for text in folded(line)]
    rows = [f" {row}" for row in rows]
    columns: list[list[str]] = [[]]
    for title, lines in words.pays(house):
        block = folded(title, COLUMN)
        for line in lines:
            block += [f"  {text}" for text in folded(line, COLUMN - 2)]
        if len(columns[-1]) + len(block) > ROWS:
            columns.append([])
        columns[-1] += block
    if len(columns) % 2:
        columns.append([])
    tables = [
        [
            f"{left}{BESIDE}{right}"
            for left, right in zip(_filled(columns[at]), _filled(columns[at + 1]), strict=True)
        ]
        for at in range(0, len(columns), 2)
    ]
    return Pages(f"{house.game.title}: the round and what it pays", [*_paged(rows), *tables])


def _filled(column: list[str]) -> list[str]:
    return column + [""] * (ROWS - len(column))


# --- the menu -------------------------------------------------------------------------------

MENU: tuple[tuple[str, str], ...] = tuple((str(n), book) for n, book in enumerate(RULEBOOKS, 1))


def menu() -> Canvas:
    """Which table to sit down at."""
    canvas = Canvas()
    canvas.put(4, 16, "♣  ♦  ♥  ♠", Style.LINE)
    canvas.put(4, 31, "C R O U P I E R", Style.TITLE)
    canvas.put(4, 51, "♠  ♥  ♦  ♣", Style.LINE)
    canvas.put(6, 21, "Casino poker tables, run by the book.", Style.DIM)
    for at, (key, book) in enumerate(MENU):
        canvas.put(9 + 2 * at, 16, f"[{key}]", Style.KEY)
        canvas.put(9 + 2 * at, 21, rulebook(book).title, Style.BOLD)
    canvas.line(HEIGHT - 2)
    canvas.put(HEIGHT - 1, 1, "Press a number to sit down, or", Style.DIM)
    end = canvas.put(HEIGHT - 1, 32, "[q]", Style.KEY)
    canvas.put(HEIGHT - 1, end + 1, "to leave.", Style.DIM)
    return canvas
