"""The lock of a server's dependencies fits what the project asks for, and every file has a hash."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "requirements" / "room.lock"
EXTRAS = ("room", "postgres", "par")
SERVERS = [
    {"python_version": version, "python_full_version": f"{version}.5", "sys_platform": "linux"}
    for version in ("3.11", "3.12", "3.13")
]


def locked() -> list[tuple[Requirement, list[str]]]:
    """Each pinned library with the hashes of its files."""
    text = re.sub(r"^\s*#.*$", "", LOCK.read_text("utf-8"), flags=re.MULTILINE)
    lines = text.replace("\\\n", " ").splitlines()
    found = []
    for line in filter(str.strip, lines):
        asked, *hashes = re.split(r"\s+--hash=", line.strip())
        found.append((Requirement(asked), hashes))
    return found


def asked_for() -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    return [
        Requirement(each)
        for each in (*project["dependencies"], *(one for name in EXTRAS for one in extras[name]))
    ]


def test_every_library_is_pinned_and_every_file_has_a_hash() -> None:
    assert len(locked()) > 20
    for library, hashes in locked():
        (pinned,) = library.specifier
        assert pinned.operator == "=="
        assert hashes, library.name
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", each) for each in hashes), library.name


def test_the_lock_satisfies_what_the_project_asks_for() -> None:
    for environment in SERVERS:
        versions = {
            canonicalize_name(library.name): next(iter(library.specifier)).version
            for library, _ in locked()
            if not library.marker or library.marker.evaluate(dict(environment))
        }
        for asked in asked_for():
            if asked.marker and not asked.marker.evaluate(dict(environment)):
                continue
            name = canonicalize_name(asked.name)
            assert name in versions, f"{asked}: run make lock"
            assert versions[name] in asked.specifier, f"{asked}: run make lock"


def test_the_lock_names_no_place_to_download_from() -> None:
    text = LOCK.read_text("utf-8")
    assert "://" not in text
    assert not re.search(r"^\s*-", text.replace("    --hash", ""), re.MULTILINE)
