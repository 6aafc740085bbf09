"""Put two files into the wheel: the matrix of clauses, code and tests, since a wheel has no tests
to read, and the manifest with the hash of every file."""

from __future__ import annotations

import json
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
            from croupier.ledger.manifest import MANIFEST_FILE, manifest_of
        finally:
            sys.path.pop(0)
        self.made_in = tempfile.TemporaryDirectory()
        matrix = Path(self.made_in.name) / MATRIX_FILE
        matrix.write_text(read_matrix(root).to_json(), "utf-8")
        files = {
            each.distribution_path.removeprefix("croupier/"): Path(each.path)
            for each in self.build_config.builder.recurse_included_files()
        }
        files[f"law/{MATRIX_FILE}"] = matrix
        manifest = Path(self.made_in.name) / MANIFEST_FILE
        manifest.write_text(json.dumps(manifest_of(files), indent=1), "utf-8")
        build_data["force_include"][str(matrix)] = f"croupier/law/{MATRIX_FILE}"
        build_data["force_include"][str(manifest)] = f"croupier/{MANIFEST_FILE}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            self.made_in.cleanup()
