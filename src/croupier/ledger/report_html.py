"""The audit report as one HTML page that needs nothing else."""

from __future__ import annotations

from html import escape
from importlib.resources import files

from croupier.ledger.report import Column, Document, Section, Table

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}: {subtitle}</title>
<style>
{style}</style>
</head>
<body>
<header>
<h1>{title}</h1>
<p>{subtitle}</p>
<p class="verdict {state}">{verdict}</p>
</header>
<main>
{body}
</main>
<footer>{maker}</footer>
</body>
</html>
"""


def page(document: Document) -> bytes:
    style = (files("croupier.ledger") / "data" / "report.css").read_text("utf-8")
    made = PAGE.format(
        style=style,
        title=escape(document.title),
        subtitle=escape(document.subtitle),
        verdict=escape(document.verdict),
        state="good" if document.agrees else "bad",
        body="\n".join(map(_section, document.sections)),
        maker=escape(document.maker),
    )
    return made.encode("utf-8", "replace")


def _section(section: Section) -> str:
    points = "".join(f"<li>{escape(each)}</li>" for each in section.points)
    return "\n".join(
        (
            f"<section{_class('alarm' if section.alarm else '')}>",
            f"<h2>{escape(section.title)}</h2>",
            _note(section.note) + (f"<ul>{points}</ul>" if points else ""),
            *map(_table, section.blocks),
            "</section>",
        )
    )


def _note(words: str) -> str:
    return f'<p class="note">{escape(words)}</p>' if words else ""


def _table(table: Table) -> str:
    titled = any(column.title for column in table.columns)
    heads = _row(tuple(column.title for column in table.columns), table.columns, "th")
    head = f"<thead>{heads}</thead>" if titled else ""
    rows = "\n".join(_row(row, table.columns, "td") for row in table.rows)
    total = _row(table.total, table.columns, "td", "total") if table.total else ""
    title = f"<h3>{escape(table.title)}</h3>\n" if table.title else ""
    pair = _class("pair" if len(table.columns) == 2 and table.columns[1].right else "")
    body = f"{head}<tbody>\n{rows}\n{total}</tbody>"
    drawn = f'<div class="scroll"><table{pair}>{body}</table></div>\n'
    return title + drawn + _note(table.note)


def _row(cells: tuple[str, ...], columns: tuple[Column, ...], tag: str, name: str = "") -> str:
    made = "".join(
        f"<{tag}{_class(_look(column, tag))}>{escape(cell)}</{tag}>"
        for cell, column in zip(cells, columns, strict=True)
    )
    return f"<tr{_class(name)}>{made}</tr>"


def _look(column: Column, tag: str) -> str:
    return "r" if column.right else "code" if column.code and tag == "td" else ""


def _class(name: str) -> str:
    return f' class="{name}"' if name else ""
