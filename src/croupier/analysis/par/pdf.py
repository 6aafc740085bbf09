"""The PAR sheet in print, set by Typst with the fonts it brings along."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import typst

from croupier.analysis.par import charts
from croupier.analysis.par.cells import Cell, Chart, Kind, Section, Table
from croupier.analysis.par.pages import pages
from croupier.analysis.par.sheet import Sheet

FULL, SMALL = 9.5, 8.2  # points; wide tables are set smaller
WIDE = 7  # columns


def document(sheet: Sheet) -> bytes:
    drawings: dict[str, bytes] = {}
    data = {
        "title": f"PAR sheet: {sheet.house.game.title}",
        "subtitle": f"{sheet.house.name} \N{MIDDLE DOT} {sheet.house.book.source}",
        "maker": f"Croupier {sheet.version}",
        "fingerprint": sheet.fingerprint,
        "unlawful": sheet.solution.unlawful,
        "sections": [_section(sheet, each, drawings) for each in pages(sheet)],
    }
    template = (files("croupier.analysis.par") / "data" / "par.typ").read_bytes()
    given = {"main.typ": template, "sheet.json": json.dumps(data).encode(), **drawings}
    set_in_type: Any = typst.compile  # its stub does not know of several files
    made: bytes = set_in_type(given, format="pdf", ignore_system_fonts=True)
    return made


def _section(sheet: Sheet, section: Section, drawings: dict[str, bytes]) -> dict[str, Any]:
    blocks = []
    for block in section.blocks:
        if isinstance(block, Table):
            blocks.append(_table(block))
        else:
            blocks.append({"title": block.title, "chart": _chart(sheet, block, drawings)})
    return {"title": section.title, "note": section.note, "blocks": blocks}


def _chart(sheet: Sheet, chart: Chart, drawings: dict[str, bytes]) -> str:
    """Its name among the files that are handed to Typst."""
    name = f"chart{len(drawings)}.svg"
    drawings[name] = charts.drawn(sheet, chart).encode()
    return name


def _table(table: Table) -> dict[str, Any]:
    kinds = [cell.kind for cell in table.rows[0]]
    return {
        "title": table.title,
        "note": table.note,
        "columns": table.columns,
        "kinds": kinds,
        "widths": [_width(kind, at) for at, kind in enumerate(kinds)],
        "size": SMALL if len(kinds) >= WIDE else FULL,
        "rows": [[_cell(cell) for cell in row] for row in table.rows],
        "total": [_cell(cell) for cell in table.total],
    }


def _width(kind: Kind, at: int) -> int:
    """In shares of what is left over; 0 is as wide as its words."""
    if kind is Kind.EXACT:
        return 2
    return 0 if kind in (Kind.CODE, Kind.COUNT) or (kind is Kind.TEXT and at == 0) else 1


def _cell(cell: Cell) -> dict[str, str]:
    return {"kind": cell.kind, "shown": cell.shown}
