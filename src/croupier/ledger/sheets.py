"""The files of an export: lines of JSON, CSV, or Parquet."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

from croupier.law.refused import Refused
from croupier.ledger.columns import Column

Row = tuple[Any, ...]


class Sheet(Protocol):
    """A file that takes rows."""

    def add(self, row: Row) -> None: ...

    def close(self) -> None: ...


class Lines:
    """JSON, one object a line."""

    def __init__(self, path: Path, columns: Iterable[Column]) -> None:
        self._names = [each.name for each in columns]
        self._file = path.open("w", encoding="utf-8", newline="\n")

    def add(self, row: Row) -> None:
        told = dict(zip(self._names, row, strict=True))
        self._file.write(json.dumps(told, ensure_ascii=False) + "\n")

    def close(self) -> None:
        self._file.close()


class Commas:
    """CSV with a header; true and false are 1 and 0, and nothing is empty."""

    def __init__(self, path: Path, columns: Iterable[Column]) -> None:
        self._file = path.open("w", encoding="utf-8", newline="")
        self._writer = csv.writer(self._file)
        self._writer.writerow([each.name for each in columns])

    def add(self, row: Row) -> None:
        self._writer.writerow(int(each) if isinstance(each, bool) else each for each in row)

    def close(self) -> None:
        self._file.close()


Maker = Callable[[Path, Sequence[Column]], Sheet]


def maker(form: str) -> Maker:
    """What writes files of this format."""
    match form:
        case "jsonl":
            return Lines
        case "csv":
            return Commas
        case "parquet":
            try:
                from croupier.ledger.sheets_parquet import Parquet
            except ImportError:
                sentence = "Parquet needs pyarrow: pip install 'croupier[export]'."
                raise Refused(sentence) from None
            return Parquet
    raise Refused(f"The formats are jsonl, csv and parquet, not {form!r}.")
