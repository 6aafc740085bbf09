"""The manifest of a release: every byte of every file it ships is held by it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import croupier
from croupier.law.refused import Refused
from croupier.ledger.manifest import MANIFEST_FILE, Installed, manifest_of, verify_install

ROOT = Path(__file__).resolve().parents[2]
SOURCE = Path(croupier.__file__).parent


def must(*command: str | Path) -> None:
    ran = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, timeout=300, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel installed in it."""
    place = tmp_path_factory.mktemp("release")
    must(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", place, ROOT)
    (wheel,) = place.glob("croupier-*.whl")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--no-deps")
    must(*pip, "--no-index", "--target", place / "site", wheel)
    shutil.move(wheel, place / "site")
    return place / "site"


@pytest.fixture
def package(site: Path, tmp_path: Path) -> Path:
    """The installed package, to be tampered with."""
    shutil.copytree(site / "croupier", tmp_path / "croupier")
    return tmp_path / "croupier"


def released(package: Path) -> list[str]:
    return list(json.loads((package / MANIFEST_FILE).read_text("utf-8")))


# --- a release ------------------------------------------------------------------------------


def test_the_manifest_names_every_file_the_wheel_ships(site: Path) -> None:
    (wheel,) = site.glob("croupier-*.whl")
    with zipfile.ZipFile(wheel) as packed:
        names = {each for each in packed.namelist() if ".dist-info/" not in each}
    listed = {f"croupier/{name}" for name in released(site / "croupier")}
    assert names - listed == {f"croupier/{MANIFEST_FILE}"}
    assert listed - names == set()
    assert {"croupier/law/matrix.json", "croupier/py.typed"} <= listed


def test_what_was_installed_is_what_was_released(site: Path) -> None:
    found = verify_install(site / "croupier")
    assert found.genuine
    assert found.files > 150
    assert list(site.rglob("*.pyc"))  # what pip compiled is no part of it


def test_the_command_says_so_of_the_installation_it_runs_from(site: Path, tmp_path: Path) -> None:
    def run() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "croupier", "verify-install"],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(copy)},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    copy = tmp_path / "site"
    shutil.copytree(site, copy)
    ran = run()
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.endswith(" files, all as they were released.\n")
    with (copy / "croupier" / "games" / "pik_it.py").open("a") as file:
        file.write("\n")
    ran = run()
    assert (ran.returncode, ran.stderr) == (1, "")
    first, second = ran.stdout.splitlines()
    assert first == "altered: games/pik_it.py"
    assert second.endswith(" files, not as it was released.")


# --- tampered with --------------------------------------------------------------------------


def altered(whole: bytes, at: int) -> bytes:
    """One bit turned over; in an empty file, a byte put in."""
    at %= max(1, len(whole))
    return whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :] if whole else b" "


def test_a_byte_altered_in_any_file_is_found(package: Path) -> None:
    for number, name in enumerate(released(package)[::10]):
        path = package / name
        whole = path.read_bytes()
        path.write_bytes(altered(whole, 7919 * number))
        assert verify_install(package).altered == (name,)
        path.write_bytes(whole)
    assert verify_install(package).genuine


def test_a_byte_altered_in_every_file_is_found_in_each(package: Path) -> None:
    names = released(package)
    for number, name in enumerate(names):
        path = package / name
        path.write_bytes(altered(path.read_bytes(), 7919 * number))
    assert list(verify_install(package).altered) == names


def test_a_file_that_is_missing_is_found(package: Path) -> None:
    for name in released(package)[::10]:
        path = package / name
        path.rename(package.parent / "aside")
        found = verify_install(package)
        assert (found.genuine, found.missing, found.altered) == (False, (name,), ())
        (package.parent / "aside").rename(path)


@pytest.mark.parametrize("name", ["more.py", "law/more.toml", "new/__init__.py", ".hidden"])
def test_a_file_that_was_put_in_is_found(package: Path, name: str) -> None:
    (package / name).parent.mkdir(exist_ok=True)
    (package / name).write_text("")
    found = verify_install(package)
    assert (found.genuine, found.unknown) == (False, (name,))


def test_caches_are_no_part_of_a_release(package: Path) -> None:
    for folder in ("__pycache__", "cards/__pycache__"):
        (package / folder).mkdir(exist_ok=True)
        (package / folder / "evaluator.five-1.py311.nbi").write_bytes(b"compiled")
    assert verify_install(package).genuine


def test_a_manifest_from_elsewhere_sees_what_the_packages_own_would_hide(
    package: Path, tmp_path: Path
) -> None:
    """Whoever alters a file can alter the manifest beside it too."""
    theirs = tmp_path / "release.json"
    shutil.copy(package / MANIFEST_FILE, theirs)
    (package / "py.typed").write_text("altered")
    own = {name: package / name for name in released(package)}
    (package / MANIFEST_FILE).write_text(json.dumps(manifest_of(own)))
    assert verify_install(package).genuine
    assert verify_install(package, theirs).altered == ("py.typed",)


# --- no manifest ----------------------------------------------------------------------------


def test_a_checkout_has_no_manifest_and_says_so() -> None:
    with pytest.raises(Refused, match=r"There is no manifest at .*manifest\.json"):
        verify_install(SOURCE)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"py.typed": 1}', "\x00"])
def test_what_is_no_manifest_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / MANIFEST_FILE).write_text(text)
    with pytest.raises(Refused, match="is no manifest"):
        verify_install(tmp_path)


def test_an_empty_package_has_an_empty_manifest(tmp_path: Path) -> None:
    (tmp_path / MANIFEST_FILE).write_text("{}")
    assert verify_install(tmp_path) == Installed(0, (), (), ())
