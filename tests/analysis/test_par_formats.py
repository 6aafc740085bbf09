"""The PAR sheet as HTML, PDF and workbook: what is written is what was computed."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from html.parser import HTMLParser
from io import BytesIO
from math import comb
from typing import Any
from zipfile import ZipFile

import openpyxl
import pypdf
import pytest
from helpers import CARIBBEAN, MA_UTH, RIDE, house

from croupier.analysis.par import charts
from croupier.analysis.par.cells import Cell, Kind, Table
from croupier.analysis.par.html import page
from croupier.analysis.par.pages import pages
from croupier.analysis.par.pdf import document
from croupier.analysis.par.sheet import ROUNDS, Sheet, sheet
from croupier.analysis.par.xlsx import workbook
from croupier.analysis.report import fraction, percent

BOOKS = (RIDE, CARIBBEAN, MA_UTH)
VOID = {"meta", "br", "img", "link", "use", "path"}


@cache
def sheet_of(book: str) -> Sheet:
    if book != MA_UTH:
        return sheet(house(book))
    return sheet(
        house(
            book,
            name="Cards & <Chips>",
            offered=["trips", "cover-all", "progressive"],
            pay={"progressive": {"royal-flush": "100 %", "straight-flush": "10 %"}},
            progressive={"meter": 10_000, "seed": 10_000, "contribution": 1},
        ),
        "2026-01-31",
    )


# --- cells ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "value", "shown"),
    [
        (Kind.COUNT, 27_813_810_024_000, "27,813,810,024,000"),
        (Kind.PERCENT, Fraction(1, 3), "33.3333 %"),
        (Kind.PROBABILITY, Fraction(4, 2_598_960), "0.0000015391"),
        (Kind.ONE_IN, Fraction(2_598_960, 4), "649,740.00"),
        (Kind.NET, Fraction(3, 2), "1.5"),
        (Kind.NET, Fraction(-2), "-2"),
        (Kind.NET, Fraction(500), "500"),
        (Kind.NUMBER, Fraction(-1, 20_000), "0.0000"),
        (Kind.NUMBER, Fraction(3, 20_000), "0.0002"),
        (Kind.MONEY, 1_250_50, "$1,250.50"),
        (Kind.EXACT, Fraction(301_629, 33_446_140), "301629/33446140"),
    ],
)
def test_a_cell_is_rounded_half_up_from_its_exact_value(
    kind: Kind, value: int | Fraction, shown: str
) -> None:
    assert Cell(kind, value).shown == shown


@pytest.mark.parametrize("book", BOOKS)
def test_every_row_has_a_cell_for_every_column(book: str) -> None:
    for section in pages(sheet_of(book)):
        for table in section.blocks:
            if isinstance(table, Table):
                rows = (*table.rows, *([table.total] if table.total else []))
                assert {len(row) for row in rows} == {len(table.columns)}


# --- HTML -----------------------------------------------------------------------------------


class Reader(HTMLParser):
    """The words of a page by section, its ids and what it points at; closes what it opens."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.targets: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name == "id" and value:
                self.ids.append(value)
            if name in ("src", "href", "xlink:href") and value:
                self.targets.append(value)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data.strip())


@cache
def read(book: str) -> Reader:
    reader = Reader()
    reader.feed(page(sheet_of(book)).decode())
    reader.close()
    return reader


@pytest.mark.parametrize("book", BOOKS)
def test_the_page_is_well_formed_and_points_only_into_itself(book: str) -> None:
    reader = read(book)
    assert reader.open == []
    assert len(reader.ids) == len(set(reader.ids))
    assert {target[1:] for target in reader.targets} <= set(reader.ids)
    assert all(target.startswith("#") for target in reader.targets)
    text = page(sheet_of(book)).decode()
    assert "@import" not in text
    assert not re.search(r"url\((?!#)", text)


@pytest.mark.parametrize("book", BOOKS)
def test_the_page_shows_every_wager_with_its_edge_exactly(book: str) -> None:
    words = set(read(book).words)
    for bet in sheet_of(book).bets:
        assert {bet.title, percent(bet.edge), fraction(bet.edge)} <= words
        for line in bet.lines:
            assert f"{line.count:,}" in words
    assert sheet_of(book).fingerprint in words


def test_a_name_with_markup_in_it_is_only_a_name() -> None:
    assert "Cards & <Chips>" in read(MA_UTH).words
    assert "2026-01-31" in read(MA_UTH).words


def test_every_clause_of_the_configuration_is_on_the_page() -> None:
    words = set(read(CARIBBEAN).words)
    cited = {each.clause.id for each in sheet_of(CARIBBEAN).settings if each.clause}
    assert "SUPPLIED S2.5(b)" in cited
    assert cited <= words


def test_the_meter_is_worth_its_hands() -> None:
    """4 royal flushes take all of it, 36 straight flushes a tenth, on a wager of $5 that comes
    back beside the win."""
    hands = comb(52, 5)
    share = Fraction(4, hands) + Fraction(36, 10 * hands)
    words = set(read(MA_UTH).words)
    assert fraction(share * 10_000 / 5) in words
    assert fraction(5 * (1 - Fraction(40, hands)) / share) in words
    assert "Return with the meter at $10,000" in words
    assert "The meter" not in read(RIDE).words


def test_a_table_the_law_would_refuse_says_so_at_the_top() -> None:
    refused = sheet(house(RIDE, pay={"main": {"flush": "7 to 1"}}))
    text = page(refused).decode()
    head = text[: text.index("<section")]
    assert "the law pays no less than 8 to 1" in head


# --- PDF ------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", BOOKS)
def test_the_print_holds_every_wager_with_its_edge(book: str) -> None:
    made = document(sheet_of(book))
    assert made.startswith(b"%PDF-")
    reader = pypdf.PdfReader(BytesIO(made))
    assert len(reader.pages) > 3
    assert reader.metadata is not None
    assert reader.metadata.title == f"PAR sheet: {sheet_of(book).house.game.title}"
    text = "".join(part.extract_text() for part in reader.pages).replace("\n", " ")
    for bet in sheet_of(book).bets:
        assert bet.title in text
        assert percent(bet.edge).removesuffix(" %") in text


# --- the workbook ---------------------------------------------------------------------------


@cache
def opened(book: str) -> Any:
    return openpyxl.load_workbook(BytesIO(workbook(sheet_of(book))))


def rows_of(book: str, page_name: str) -> list[tuple[Any, ...]]:
    return list(opened(book)[page_name].iter_rows(values_only=True))


def below(rows: list[tuple[Any, ...]], heading: str) -> list[tuple[Any, ...]]:
    """The rows of a table by its heading, down to the next empty one."""
    start = next(at for at, row in enumerate(rows) if row[0] == heading) + 2
    found = rows[start:]
    return found[: next((at for at, row in enumerate(found) if row[0] is None), len(found))]


@pytest.mark.parametrize("book", BOOKS)
def test_the_summary_of_the_workbook_can_be_reckoned_with(book: str) -> None:
    rows = {row[0]: row for row in below(rows_of(book, "Summary"), "Wagers")}
    for bet in sheet_of(book).bets:
        row = rows[bet.title]
        assert row[1] == pytest.approx(float(bet.edge), rel=1e-14)
        assert row[3] == pytest.approx(float(bet.returns), rel=1e-14)
        assert row[5] == pytest.approx(float(bet.book.standard_deviation), rel=1e-11)


def test_words_are_no_formulas_in_the_workbook() -> None:
    """Neither in the cells nor in titles and notes, which are written another way."""
    made = workbook(sheet(house(RIDE, name='=HYPERLINK("http://x","y")')))
    book = openpyxl.load_workbook(BytesIO(made))
    cells = [cell for page in book for row in page.iter_rows() for cell in row]
    assert '=HYPERLINK("http://x","y")' in {cell.value for cell in cells}
    archive = ZipFile(BytesIO(made))
    pages_ = [archive.read(name) for name in archive.namelist() if "worksheets/sheet" in name]
    assert pages_
    assert not [page for page in pages_ if b"<f>" in page]


def test_the_lines_of_a_wager_are_numbers_that_agree() -> None:
    bet = next(each for each in sheet_of(RIDE).bets if each.key == "bonus")
    rows = below(rows_of(RIDE, "Let it ride bonus"), "Lines")
    for line, row in zip(bet.lines, rows, strict=False):
        assert row[:2] == (line.name.capitalize(), line.pays)
        assert (row[2], row[3]) == (float(line.net), line.count)
        assert row[4] == pytest.approx(line.count / bet.book.combinations, rel=1e-14)
    total = rows[len(bet.lines)]
    assert total[:1] + total[3:5] == ("Total", 2_598_960, 1)
    intervals = below(rows_of(RIDE, "Let it ride bonus"), "Return by number of rounds")
    assert [row[0] for row in intervals[: len(ROUNDS)]] == list(ROUNDS)
    assert intervals[0][1] == pytest.approx(float(bet.interval(1_000, "90 %")[0]), rel=1e-14)


def test_counts_with_more_digits_than_a_spreadsheet_keeps_are_written_out() -> None:
    bet = next(each for each in sheet_of(MA_UTH).bets if each.key == "cover-all, 7 hands")
    rows = below(rows_of(MA_UTH, bet.title), "Lines")
    assert [row[3] for row in rows[: len(bet.lines)]] == [f"{line.count:,}" for line in bet.lines]


@pytest.mark.parametrize("book", BOOKS)
def test_each_wager_made_by_itself_has_its_two_charts(book: str) -> None:
    for bet in sheet_of(book).bets:
        found = opened(book)[bet.title[:31]]
        assert len(found._charts) == (2 if bet.alone else 0)
        assert found.freeze_panes is not None


def test_the_opening_chart_is_a_coloured_square_of_gains() -> None:
    rows = rows_of(MA_UTH, "Optimal play")
    top = next(at for at, row in enumerate(rows) if row[0] == "Before the flop") + 1
    assert rows[top][1:14] == tuple("AKQJT98765432")
    square = [row[1:14] for row in rows[top + 1 : top + 14]]
    for start in sheet_of(MA_UTH).opening:
        gain = square[start.row][start.column]
        assert gain == pytest.approx(float(start.gain), abs=1e-15)
    page_ = opened(MA_UTH)["Optimal play"]
    colours = {
        page_.cell(top + 2 + start.row, 2 + start.column).fill.fgColor.rgb: start.times
        for start in sheet_of(MA_UTH).opening
    }
    assert sorted(colours.values()) == [0, 4]


# --- the same bytes -------------------------------------------------------------------------


@pytest.mark.parametrize("write", [page, document, workbook])
def test_a_sheet_is_the_same_to_the_byte_whenever_it_is_written(write: Any) -> None:
    first = write(sheet_of(CARIBBEAN))
    charts.distribution.cache_clear()
    charts.funnel.cache_clear()
    assert write(sheet(house(CARIBBEAN))) == first
