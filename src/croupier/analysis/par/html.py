"""The PAR sheet as one HTML page with everything in it."""

from __future__ import annotations

from html import escape
from importlib.resources import files

from croupier.analysis.par import charts
from croupier.analysis.par.cells import Cell, Chart, Kind, Section, Table
from croupier.analysis.par.pages import pages
from croupier.analysis.par.sheet import Sheet

CLASSES = {Kind.TEXT: "", Kind.CODE: "code", Kind.EXACT: "exact"}


def page(sheet: Sheet) -> bytes:
    style = (files("croupier.analysis.par") / "data" / "par.css").read_text("utf-8")
    sections = pages(sheet)
    title = f"PAR sheet: {sheet.house.game.title}"
    links = "".join(
        f'<a href="#s{number}">{escape(section.title)}</a>'
        for number, section in enumerate(sections)
    )
    warning = "".join(f'<p class="warning">{escape(w)}</p>' for w in sheet.solution.unlawful)
    body = "\n".join(_section(sheet, number, each) for number, each in enumerate(sections))
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}, {escape(sheet.house.name)}</title>
<style>
{style}</style>
</head>
<body>
<header>
<h1>{escape(title)}</h1>
<p>{escape(sheet.house.name)} &middot; {escape(sheet.house.book.source)}</p>
{warning}<nav>{links}</nav>
</header>
{body}
<footer>Croupier {escape(sheet.version)} &middot; configuration {sheet.fingerprint[:16]}</footer>
</body>
</html>
""".encode()


def _section(sheet: Sheet, number: int, section: Section) -> str:
    blocks = [
        _table(block)
        if isinstance(block, Table)
        else _chart(sheet, block, f"s{number}-{block.kind}")
        for block in section.blocks
    ]
    return "\n".join(
        (
            f'<section id="s{number}">',
            f"<h2>{escape(section.title)}</h2>",
            _note(section.note) + "\n".join(blocks),
            "</section>",
        )
    )


def _note(words: str) -> str:
    return f'<p class="note">{escape(words)}</p>\n' if words else ""


def _table(table: Table) -> str:
    heads = "".join(
        f"<th{_class(cell, head=True)}>{escape(title)}</th>"
        for title, cell in zip(table.columns, table.rows[0], strict=True)
    )
    head = f"<thead><tr>{heads}</tr></thead>\n" if any(table.columns) else ""
    rows = "\n".join(f"<tr>{''.join(_cell(cell) for cell in row)}</tr>" for row in table.rows)
    if table.total:
        rows += f'\n<tr class="total">{"".join(_cell(cell) for cell in table.total)}</tr>'
    title = f"<h3>{escape(table.title)}</h3>\n" if table.title else ""
    return (
        f'{title}<div class="scroll"><table>\n{head}<tbody>\n{rows}\n</tbody></table></div>\n'
        + _note(table.note)
    )


def _cell(cell: Cell) -> str:
    return f"<td{_class(cell)}>{escape(cell.shown)}</td>"


def _class(cell: Cell, *, head: bool = False) -> str:
    name = CLASSES.get(cell.kind, "r")
    if head:
        name = "" if cell.kind in (Kind.TEXT, Kind.CODE) else "r"
    return f' class="{name}"' if name else ""


def _chart(sheet: Sheet, chart: Chart, name: str) -> str:
    svg = charts.inline(charts.drawn(sheet, chart), name, chart.title)
    return f"<h3>{escape(chart.title)}</h3>\n<figure>{svg}</figure>"
