"""A page of 80 by 24 characters, with a little colour where colour is wanted."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from unicodedata import east_asian_width

WIDTH = 80
HEIGHT = 24


class Style(StrEnum):
    """Calm colours that read on dark and on light; the value is the terminal's code."""

    PLAIN = ""
    BOLD = "1"
    DIM = "38;5;245"
    LINE = "38;5;65"
    TITLE = "1;38;5;136"
    KEY = "1;38;5;136"
    RED = "1;38;5;167"
    WON = "1;38;5;71"
    LOST = "38;5;174"
    TROUBLE = "38;5;172"


@lru_cache(4096)  # the same few lines are drawn again and again
def clean(text: str) -> str:
    """Only characters that fill exactly one column."""
    return "".join(
        each if each.isprintable() and east_asian_width(each) not in "WF" else "?" for each in text
    )


class Canvas:
    def __init__(self) -> None:
        self.cells = [[(" ", Style.PLAIN)] * WIDTH for _ in range(HEIGHT)]
        self.cut: list[str] = []  # what did not fit; nothing ever should be here

    def put(self, row: int, column: int, text: str, style: Style = Style.PLAIN) -> int:
        """Write, and return the column after it."""
        text = clean(text)
        end = column + len(text)
        if not (0 <= row < HEIGHT and column >= 0 and end <= WIDTH):
            self.cut.append(text)
        if 0 <= row < HEIGHT:
            for at, each in enumerate(text, column):
                if 0 <= at < WIDTH:
                    self.cells[row][at] = (each, style)
        return end

    def right(self, row: int, text: str, style: Style = Style.PLAIN) -> None:
        self.put(row, WIDTH - 1 - len(text), text, style)

    def line(self, row: int) -> None:
        self.put(row, 0, "─" * WIDTH, Style.LINE)

    def lines(self) -> list[str]:
        return ["".join(each for each, _ in row).rstrip() for row in self.cells]

    def painted(self, colour: bool) -> list[str]:
        """The rows as they are sent to the terminal."""
        if not colour:
            return ["".join(each for each, _ in row) for row in self.cells]
        return [_painted(row) for row in self.cells]


def _painted(row: list[tuple[str, Style]]) -> str:
    out, now = "", Style.PLAIN
    for each, style in row:
        if style is not now:
            out += "\x1b[0m" + (f"\x1b[{style.value}m" if style else "")
            now = style
        out += each
    return out + ("\x1b[0m" if now else "")
