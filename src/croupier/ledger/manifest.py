"""The release manifest: the SHA-256 of every file of the package, made with the wheel.

Whoever has the manifest of a release from its makers can see that what is installed is what they
released, file by file. The build reads this module too, so it needs nothing but Python.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from croupier.law.refused import Refused

MANIFEST_FILE = "manifest.json"
CACHES = "__pycache__"  # what Python and numba compile


@dataclass(frozen=True, slots=True)
class Installed:
    """A package beside its manifest."""

    files: int  # that were released
    altered: tuple[str, ...]
    missing: tuple[str, ...]
    unknown: tuple[str, ...]

    @property
    def genuine(self) -> bool:
        return not (self.altered or self.missing or self.unknown)


def manifest_of(files: Mapping[str, Path]) -> dict[str, str]:
    """The hash of each file, by its path within the package."""
    return {name: sha256(files[name].read_bytes()).hexdigest() for name in sorted(files)}


def verify_install(package: Path, manifest: Path | None = None) -> Installed:
    """Compare a package with its own manifest, or with one that came another way."""
    released = _read(manifest or package / MANIFEST_FILE)
    found = manifest_of(_files(package))
    both = released.keys() & found.keys()
    return Installed(
        files=len(released),
        altered=tuple(sorted(name for name in both if found[name] != released[name])),
        missing=tuple(sorted(released.keys() - found.keys())),
        unknown=tuple(sorted(found.keys() - released.keys())),
    )


def fingerprint(package: Path) -> str:
    """One SHA-256 for all files of a package: that of its manifest, made anew."""
    made = manifest_of(_files(package))
    return sha256(json.dumps(made, sort_keys=True).encode()).hexdigest()


def _files(package: Path) -> dict[str, Path]:
    """Every file but caches and the manifest itself."""
    files = {path.relative_to(package): path for path in package.rglob("*") if path.is_file()}
    return {
        name.as_posix(): path
        for name, path in files.items()
        if CACHES not in name.parts and name.as_posix() != MANIFEST_FILE
    }


def _read(path: Path) -> dict[str, str]:
    if not path.is_file():
        raise Refused(f"There is no manifest at {path}; one is made with every wheel.")
    try:
        released = json.loads(path.read_bytes())
    except ValueError:
        released = None
    if not isinstance(released, dict) or not all(isinstance(v, str) for v in released.values()):
        raise Refused(f"{path} is no manifest.")
    return released
