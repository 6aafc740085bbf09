"""The wheel, built and installed away from the checkout: it runs, and carries all its data."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "croupier"


@dataclass(frozen=True)
class Installed:
    wheel: Path
    bin: Path
    away: Path  # a folder outside the checkout

    def run(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
        return subprocess.run(
            [str(part) for part in command],
            cwd=self.away,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def croupier(self, *args: str) -> subprocess.CompletedProcess[str]:
        return self.run(self.bin / "croupier", *args)


def must(*command: str | Path) -> None:
    ran = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, timeout=300, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """A fresh environment with our wheel, borrowing the running one's dependencies."""
    place = tmp_path_factory.mktemp("wheel")
    away = place / "away"
    away.mkdir()
    must(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", place, ROOT)
    (wheel,) = place.glob("croupier-*.whl")
    must(sys.executable, "-m", "venv", "--without-pip", place / "env")
    python = place / "env" / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check")
    must(*pip, "install", "--no-deps", "--no-index", wheel)
    (site,) = (place / "env" / "lib").glob("python*/site-packages")
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    return Installed(wheel, place / "env" / "bin", away)


def test_the_installed_package_is_the_wheels_and_not_the_checkouts(installed: Installed) -> None:
    ran = installed.run(installed.bin / "python", "-c", "import croupier; print(croupier.__file__)")
    found = Path(ran.stdout.strip())
    assert found.is_relative_to(installed.bin.parent)
    assert not found.is_relative_to(ROOT)


def test_the_wheel_carries_every_data_file_and_the_matrix(installed: Installed) -> None:
    with zipfile.ZipFile(installed.wheel) as wheel:
        packed = set(wheel.namelist())
    ours = {
        path.relative_to(PACKAGE.parent).as_posix()
        for path in PACKAGE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert ours >= {
        "croupier/py.typed",
        "croupier/law/books/nj-pik-it-poker.toml",
        "croupier/law/books/rulings.toml",
        "croupier/games/data/let-it-ride.toml",
        "croupier/house/presets/ma-ultimate-texas-holdem.toml",
    }
    assert ours - packed == set()
    packed_only = {name for name in packed - ours if ".dist-info/" not in name}
    assert packed_only == {"croupier/law/matrix.json", "croupier/manifest.json"}


def test_coverage_of_the_installed_package_is_the_checkouts(installed: Installed) -> None:
    ran = installed.croupier("law", "--coverage", "--json")
    assert (ran.returncode, ran.stderr) == (0, "")
    here = subprocess.run(
        [sys.executable, "-m", "croupier", "law", "--coverage", "--json"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert json.loads(ran.stdout) == json.loads(here.stdout)
    assert sum(book["clauses"] for book in json.loads(ran.stdout)["books"].values()) == 684


def test_a_clause_shows_its_code_and_tests_from_the_built_matrix(installed: Installed) -> None:
    ran = installed.croupier("law", "NJ 19:47-32.10(h)2")
    assert (ran.returncode, ran.stderr) == (0, "")
    lines = ran.stdout.splitlines()
    code = "  code  src/croupier/games/ultimate_texas_holdem.py:"
    assert any(line.startswith(code) for line in lines)
    assert any(line.startswith("  test  tests/") for line in lines)


def test_a_hand_is_settled(installed: Installed) -> None:
    ran = installed.croupier(
        *("settle", "uth", "--player", "As Kd", "--dealer", "Qh Qs", "--board", "Ac 7d 2s 9h 4c"),
        *("--ante", "10", "--play", "4x", "--trips", "5"),
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.splitlines()[-1] == "Net for the player: +$45"


def test_a_house_is_checked(installed: Installed) -> None:
    (installed.away / "house.toml").write_text('rulebook = "nj-pik-it-poker"\nadjacent = 4\n')
    ran = installed.croupier("check", "house.toml")
    assert (ran.returncode, ran.stderr) == (1, "")
    assert ran.stdout.splitlines() == [
        "violation: adjacent = 4: a player may hold at most 3 adjacent positions. "
        "[NJ 13:69F-39.3(e)]",
        "Not legal: 1 violation.",
    ]
