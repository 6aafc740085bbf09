"""Parquet, a group of rows at a time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as arrow
from pyarrow.parquet import ParquetWriter

from croupier.ledger.columns import Column
from croupier.ledger.sheets import Row

ROWS = 20_000  # of one group, held in memory
KINDS = {str: arrow.string(), int: arrow.int64(), bool: arrow.bool_()}


class Parquet:
    def __init__(self, path: Path, columns: Sequence[Column]) -> None:
        self._schema = arrow.schema([(each.name, KINDS[each.kind]) for each in columns])
        self._writer = ParquetWriter(path, self._schema)
        self._rows: list[Row] = []

    def add(self, row: Row) -> None:
        self._rows.append(row)
        if len(self._rows) == ROWS:
            self._write()

    def close(self) -> None:
        if self._rows:
            self._write()
        self._writer.close()

    def _write(self) -> None:
        columns = [list(values) for values in zip(*self._rows, strict=True)]
        self._writer.write_table(arrow.table(columns, schema=self._schema))
        self._rows.clear()
