"""A PAR sheet and a comparison as data for a page: what to show, and the exact value beside it."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from msgspec import Struct

from croupier.analysis.par import cells
from croupier.analysis.par.cells import Kind, rounded
from croupier.analysis.par.compare import Comparison, Figure
from croupier.analysis.par.pages import pages
from croupier.analysis.par.settings import Setting
from croupier.analysis.par.sheet import CONFIDENCE, ROUNDS, Bet, Sheet
from croupier.analysis.report import fraction, percent
from croupier.rules.money import in_dollars

FINE = 12  # digits of a probability that is drawn


class Cell(Struct, frozen=True, omit_defaults=True):
    kind: Kind
    shown: str
    exact: str = ""  # the fraction, where what is shown is rounded


class Table(Struct, frozen=True, tag_field="block", tag="table"):
    title: str
    columns: list[str]
    rows: list[list[Cell]]
    note: str
    total: list[Cell]


class Bar(Struct, frozen=True):
    """One net of a wager and how likely it is, as decimals to draw by."""

    net: str
    probability: str
    one_in: str


class Distribution(Struct, frozen=True, tag_field="block", tag="distribution"):
    title: str
    bars: list[Bar]


class Interval(Struct, frozen=True):
    confidence: str
    low: str
    high: str


class Funnel(Struct, frozen=True, tag_field="block", tag="funnel"):
    title: str
    mean: str
    rounds: list[tuple[int, list[Interval]]]


class Start(Struct, frozen=True):
    """Two cards of Ultimate Texas Hold'em, and what is done with them first."""

    name: str
    hands: int
    best: str
    check: str  # in antes, rounded
    play: str
    check_exact: str
    play_exact: str


class Opening(Struct, frozen=True, tag_field="block", tag="opening"):
    title: str
    starts: list[Start]


Block = Table | Distribution | Funnel | Opening


class Section(Struct, frozen=True):
    title: str
    note: str
    blocks: list[Block]


class Par(Struct, frozen=True):
    game: str
    title: str
    house: str
    law: str
    rulebook: str
    fingerprint: str
    sections: list[Section]


def par(sheet: Sheet) -> Par:
    house = sheet.house
    return Par(
        house.game.id,
        house.game.title,
        house.name,
        house.book.title,
        house.book.id,
        sheet.fingerprint,
        [
            Section(each.title, each.note, [_block(sheet, block) for block in each.blocks])
            for each in pages(sheet)
        ],
    )


def _block(sheet: Sheet, block: cells.Table | cells.Chart) -> Block:
    if isinstance(block, cells.Table):
        rows = [[_cell(cell) for cell in row] for row in block.rows]
        total = [_cell(cell) for cell in block.total]
        return Table(block.title, list(block.columns), rows, block.note, total)
    match block.kind:
        case "distribution":
            return Distribution(block.title, _bars(block.bet))
        case "funnel":
            return _funnel(block)
    return Opening(block.title, _starts(sheet))


def _cell(cell: cells.Cell) -> Cell:
    exactly = isinstance(cell.value, Fraction) and cell.kind is not Kind.EXACT
    return Cell(cell.kind, cell.shown, fraction(Fraction(cell.value)) if exactly else "")


def _bars(bet: Bet) -> list[Bar]:
    """Lines that net the same are one bar."""
    counts: dict[Fraction, int] = {}
    for line in bet.lines:
        counts[line.net] = counts.get(line.net, 0) + line.count
    deals = bet.book.combinations
    return [
        Bar(
            rounded(net, 4).replace(",", ""),
            rounded(Fraction(count, deals), FINE),
            rounded(Fraction(deals, count), 2),
        )
        for net, count in sorted(counts.items())
        if count
    ]


def _funnel(chart: cells.Chart) -> Funnel:
    bet = chart.bet
    found: list[tuple[int, list[Interval]]] = []
    for rounds in ROUNDS:
        ends = [(level, *bet.interval(rounds, level)) for level in CONFIDENCE]
        found.append((rounds, [Interval(name, _plain(a), _plain(b)) for name, a, b in ends]))
    return Funnel(chart.title, _plain(bet.returns), found)


def _plain(value: Fraction | Decimal) -> str:
    return rounded(value, 6).replace(",", "")


def _starts(sheet: Sheet) -> list[Start]:
    return [
        Start(
            each.name,
            each.hands,
            f"{each.times}x" if each.times else "check",
            rounded(each.check, 4),
            rounded(each.play, 4),
            fraction(each.check),
            fraction(each.play),
        )
        for each in sheet.opening
    ]


# --- two tables side by side ----------------------------------------------------------------


class Set(Struct, frozen=True):
    value: str
    clause: str | None


class Difference(Struct, frozen=True):
    key: str
    first: Set | None
    second: Set | None


class Compared(Struct, frozen=True):
    """One figure of both tables; what one of them does not have is None."""

    name: str
    first: str | None
    second: str | None
    change: str | None
    differs: bool
    exact_first: str | None
    exact_second: str | None
    exact_change: str | None


class Group(Struct, frozen=True):
    title: str
    figures: list[Compared]


class SideBySide(Struct, frozen=True):
    first: str
    second: str
    differences: list[Difference]
    wagers: list[Group]
    exposure: list[Compared]


def side_by_side(found: Comparison) -> SideBySide:
    return SideBySide(
        found.first.name,
        found.second.name,
        [Difference(each.key, _set(each.first), _set(each.second)) for each in found.differences],
        [
            Group(title, [_compared(figure) for figure in figures])
            for title, figures in found.wagers.items()
        ],
        [_compared(figure) for figure in found.exposure],
    )


def _set(setting: Setting | None) -> Set | None:
    if setting is None:
        return None
    return Set(setting.value, setting.clause.id if setting.clause else None)


def _compared(figure: Figure) -> Compared:
    values = figure.first, figure.second, figure.change
    first, second, change = (_shown(figure.kind, value) for value in values)
    exact = [_exact(figure.kind, value) for value in values]
    differs = figure.change is None or figure.change != 0
    return Compared(figure.name, first, second, change, differs, *exact)


def _shown(kind: str, value: Fraction | None) -> str | None:
    if value is None:
        return None
    if kind == "cents":
        return in_dollars(int(value))
    return percent(value) if kind == "percent" else rounded(value, 6)


def _exact(kind: str, value: Fraction | None) -> str | None:
    """A root has no fraction, and money is shown to the cent."""
    return fraction(value) if value is not None and kind in ("percent", "number") else None
