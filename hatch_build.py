"""Put the matrix of clauses, code and tests into the wheel, which has no tests to read."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class MatrixHook(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return  # a checkout reads its own source
        root = Path(self.root)
        sys.path.insert(0, str(root / "src"))
        try:
            from croupier.law.coverage import MATRIX_FILE, read_matrix
        finally:
            sys.path.pop(0)
        self.made_in = tempfile.TemporaryDirectory()
        made = Path(self.made_in.name) / MATRIX_FILE
        made.write_text(read_matrix(root).to_json(), "utf-8")
        build_data["force_include"][str(made)] = f"croupier/law/{MATRIX_FILE}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            self.made_in.cleanup()
