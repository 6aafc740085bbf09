"""The audit report in print, set by Typst with the fonts it brings along."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import typst
from msgspec import to_builtins

from croupier.ledger.report import Document

FULL, SMALL, SMALLEST = 9.5, 8.2, 7.2  # points; wide tables are set smaller
WIDE, WIDEST = 5, 8  # columns


def pdf(document: Document) -> bytes:
    data: dict[str, Any] = to_builtins(document)
    for section in data["sections"]:
        for block in section["blocks"]:
            columns = len(block["columns"])
            block["size"] = FULL if columns < WIDE else SMALL if columns < WIDEST else SMALLEST
    template = (files("croupier.ledger") / "data" / "report.typ").read_bytes()
    given = {"main.typ": template, "report.json": json.dumps(data).encode()}
    set_in_type: Any = typst.compile  # its stub does not know of several files
    made: bytes = set_in_type(given, format="pdf", ignore_system_fonts=True)
    return made
