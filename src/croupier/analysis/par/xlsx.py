"""The PAR sheet as a workbook: numbers as numbers, charts that Excel draws itself."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from io import BytesIO
from math import ceil, floor, log10

import xlsxwriter
from xlsxwriter.format import Format
from xlsxwriter.workbook import Workbook
from xlsxwriter.worksheet import Worksheet

from croupier.analysis.par.cells import Cell, Chart, Kind, Row, Section, Table
from croupier.analysis.par.opening import Start
from croupier.analysis.par.pages import pages
from croupier.analysis.par.sheet import CONFIDENCE, ROUNDS, Bet, Sheet
from croupier.cards.card import RANK_LETTERS

MADE = datetime(2000, 1, 1)  # always the same, so that the file is
MOST_DIGITS = 10**15  # beyond them a spreadsheet would round
WIDEST = 60  # characters
WORDS_STAY_WORDS = {"strings_to_formulas": False, "strings_to_urls": False}
LONGEST_NAME = 31
ROWS_A_CHART = 18

NUMBERS = {
    Kind.COUNT: "#,##0",
    Kind.PERCENT: "0.0000%",
    Kind.PROBABILITY: "0.0000000000",
    Kind.NUMBER: "#,##0.0000",
    Kind.NET: "#,##0.####",
    Kind.ONE_IN: "#,##0.00",
    Kind.MONEY: "$#,##0.00",
}
BANDS = {"90 %": "#1d6fa5", "95 %": "#6fa8cc", "99 %": "#b4c9d8"}
PLAYED = ("#F3F1EA", "#F2C879", "#7FB28C")  # check, the smaller multiple, the largest


def workbook(sheet: Sheet) -> bytes:
    out = BytesIO()
    book = xlsxwriter.Workbook(out, WORDS_STAY_WORDS | {"in_memory": True})
    book.set_properties(
        {
            "title": f"PAR sheet: {sheet.house.game.title}",
            "company": sheet.house.name,
            "comments": f"Croupier {sheet.version}, configuration {sheet.fingerprint}",
            "created": MADE,
        }
    )
    formats = _Formats(book)
    for section in pages(sheet):
        _Page(book, formats, section).fill(sheet)
    book.close()
    return out.getvalue()


class _Formats:
    """A cell's look by its kind, plain or in a row of totals."""

    def __init__(self, book: Workbook) -> None:
        self.book = book
        self.title = book.add_format({"bold": True, "font_size": 15, "font_color": "#1d5f8a"})
        self.heading = book.add_format({"bold": True})
        self.note = book.add_format({"italic": True, "font_color": "#5d6973"})
        self.first = book.add_format({"bold": True, "bottom": 1})
        self.words = book.add_format({"bold": True, "bottom": 1, "indent": 1})
        self.figures = book.add_format({"bold": True, "bottom": 1, "align": "right"})
        self.made: dict[tuple[Kind, bool, bool], Format] = {}

    def of(self, kind: Kind, *, total: bool, first: bool) -> Format:
        if (kind, total, first) not in self.made:
            look: dict[str, object] = {"bold": total}
            if total:
                look |= {"top": 1}
            if kind in NUMBERS:
                look |= {"num_format": NUMBERS[kind], "align": "right"}
            if kind in (Kind.EXACT, Kind.CODE):
                look |= {"font_name": "Consolas", "font_size": 9}
            if kind not in NUMBERS and not first:
                look |= {"indent": 1}  # away from a number on its left
            self.made[kind, total, first] = self.book.add_format(look)
        return self.made[kind, total, first]


class _Page:
    """One section on a worksheet: its tables below each other, its charts beside them."""

    def __init__(self, book: Workbook, formats: _Formats, section: Section) -> None:
        self.book, self.formats, self.section = book, formats, section
        self.name = section.title[:LONGEST_NAME].rstrip(", ")
        self.page: Worksheet = book.add_worksheet(self.name)
        self.row = 0
        self.tops: dict[str, int] = {}  # the first row of figures, by the table's title
        tables = [block for block in section.blocks if isinstance(block, Table)]
        self.beside = max(len(table.columns) for table in tables) + 1
        self.widths = [0] * self.beside

    def fill(self, sheet: Sheet) -> None:
        self.page.hide_gridlines(2)
        self.page.write(0, 0, self.section.title, self.formats.title)
        self.page.freeze_panes(1, 0)
        self.row = 1
        if self.section.note:
            self.page.write(1, 0, self.section.note, self.formats.note)
            self.row = 2
        charts = 0
        for block in self.section.blocks:
            if isinstance(block, Table):
                self.table(block)
            elif block.kind == "opening":
                self.opening(sheet.opening)
            else:
                self.chart(block, 1 + charts * ROWS_A_CHART)
                charts += 1
        for column, width in enumerate(self.widths):
            self.page.set_column(column, column, min(max(width + 2, 8), WIDEST))
        self.page.fit_to_pages(1, 0)
        self.page.set_paper(9)
        if self.beside > 6:
            self.page.set_landscape()

    def table(self, table: Table) -> None:
        self.row += 1
        if table.title:
            self.page.write(self.row, 0, table.title, self.formats.heading)
            self.row += 1
        if any(table.columns):
            for column, (title, cell) in enumerate(zip(table.columns, table.rows[0], strict=True)):
                words = self.formats.words if column else self.formats.first
                look = self.formats.figures if cell.kind in NUMBERS else words
                self.page.write(self.row, column, title, look)
                self.widths[column] = max(self.widths[column], len(title))
            self.row += 1
            if len(self.section.blocks) == 1:
                self.page.freeze_panes(self.row, 0)
        self.tops[table.title] = self.row
        for row in table.rows:
            self.cells(row, total=False)
        if table.total:
            self.cells(table.total, total=True)
        if table.note:
            self.page.write(self.row, 0, table.note, self.formats.note)
            self.row += 1

    def cells(self, row: Row, *, total: bool) -> None:
        for column, cell in enumerate(row):
            runs_on = column == len(row) - 1 < self.beside - 2  # over empty cells beside it
            if cell.kind in NUMBERS or not runs_on:
                self.widths[column] = max(self.widths[column], len(cell.shown))
            look = self.formats.of(cell.kind, total=total, first=column == 0)
            number = _number(cell)
            if number is None:
                self.page.write_string(self.row, column, cell.shown, look)
            else:
                self.page.write_number(self.row, column, number, look)
        self.row += 1

    def chart(self, chart: Chart, at: int) -> None:
        made = (
            self.distribution(chart.bet) if chart.kind == "distribution" else self.funnel(chart.bet)
        )
        made.set_title({"name": chart.title, "name_font": {"size": 11}})
        made.set_size({"width": 720, "height": 340})
        self.page.insert_chart(at, self.beside, made)

    def distribution(self, bet: Bet) -> xlsxwriter.chart.Chart:
        named = "Lines" in self.tops
        top, net = self.tops["Lines" if named else "Nets"], 2 if named else 0
        last = top + len(bet.lines) - 1
        chart = self.book.add_chart({"type": "column"})
        chart.add_series(
            {
                "name": "probability",
                "categories": [self.name, top, net, last, net],
                "values": [self.name, top, net + 2, last, net + 2],
                "fill": {"color": BANDS["90 %"]},
                "gap": 60,
            }
        )
        least = min(line.count for line in bet.lines) / bet.book.combinations
        bottom = 10.0 ** floor(log10(least))
        chart.set_x_axis({"name": f"net, in units of {bet.unit}", "label_position": "low"})
        chart.set_y_axis(
            {"log_base": 10, "min": bottom, "max": 1, "crossing": bottom, "num_format": "0E+0"}
        )
        chart.set_legend({"none": True})
        return chart

    def funnel(self, bet: Bet) -> xlsxwriter.chart.Chart:
        top = self.tops["Return by number of rounds"]
        last = top + len(ROUNDS) - 1
        chart = self.book.add_chart({"type": "scatter", "subtype": "smooth"})
        for number, level in enumerate(CONFIDENCE):
            for column in (1 + 2 * number, 2 + 2 * number):
                chart.add_series(
                    {
                        "name": level,
                        "categories": [self.name, top, 0, last, 0],
                        "values": [self.name, top, column, last, column],
                        "line": {"color": BANDS[level], "width": 1.75},
                    }
                )
        low = {"min": ROUNDS[0], "max": ROUNDS[-1]}
        chart.set_x_axis({"name": "rounds", "log_base": 10, "num_format": "#,##0", **low})
        least, most = bet.interval(ROUNDS[0], "99 %")
        chart.set_y_axis(
            {
                "name": "return per initial wager",
                "num_format": "0%",
                "min": floor(10 * least) / 10,
                "max": ceil(10 * most) / 10,
                "crossing": "min",
            }
        )
        chart.set_legend({"position": "bottom", "delete_series": [1, 3, 5]})
        return chart

    def opening(self, starts: tuple[Start, ...]) -> None:
        """13 by 13: what playing gains over a check, in antes; the colour says what to do."""
        self.row += 1
        self.page.write(self.row, 0, "Before the flop", self.formats.heading)
        top, left = self.row + 1, 1
        looks = self.looks({start.times for start in starts})
        centred = self.book.add_format({"bold": True, "align": "center"})
        for at, rank in enumerate(reversed(RANK_LETTERS)):
            self.page.write(top, left + at, rank, centred)
            self.page.write(top + 1 + at, 0, rank, centred)
        for start in starts:
            place = top + 1 + start.row, left + start.column
            self.page.write_number(*place, float(start.gain), looks[start.times])
            self.page.write_comment(*place, start.name)
        self.row = top + 14
        for times, look in looks.items():
            words = f"play {times} times the ante" if times else "check"
            self.page.write(self.row, 1, "", look)
            self.page.write(self.row, 2, words)
            self.row += 1
        note = "What the play wager gains over a check, in antes. Suited hands stand on the right."
        self.page.write(self.row, 0, note, self.formats.note)
        self.row += 1

    def looks(self, times: set[int]) -> Mapping[int, Format]:
        played = sorted(times - {0}, reverse=True)
        colours = {0: PLAYED[0]} | dict(zip(played, reversed(PLAYED), strict=False))
        return {
            n: self.book.add_format(
                {"bg_color": colour, "num_format": "+0.00;-0.00", "align": "center"}
            )
            for n, colour in colours.items()
        }


def _number(cell: Cell) -> float | None:
    """What a spreadsheet can reckon with; None for words and for more digits than it keeps."""
    value = cell.value
    if isinstance(value, str) or cell.kind is Kind.EXACT:
        return None
    if isinstance(value, int):
        if cell.kind is Kind.MONEY:
            return value / 100
        return value if abs(value) < MOST_DIGITS else None
    return float(value)
