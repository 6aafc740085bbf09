"""croupier par, as a laboratory would run it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from command import croupier


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, timeout=120, check=False
    )


pytestmark = pytest.mark.usefixtures("solved_once")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "house.toml"
    path.write_text('rulebook = "nj-let-it-ride"\n[pay]\nthree-card = "B"\n')
    return path


def test_one_run_writes_every_format_and_another_writes_the_same_bytes(
    file: Path, tmp_path: Path
) -> None:
    names = ("sheet.html", "sheet.pdf", "sheet.xlsx")
    first, second = tmp_path / "first", tmp_path / "second"
    for folder, in_a_process in ((first, False), (second, True)):
        folder.mkdir()
        outs = [part for name in names for part in ("--out", str(folder / name))]
        args = ["par", str(file), *outs, "--date", "2026-01-31"]
        ran = run("-m", "croupier", *args) if in_a_process else croupier(*args)
        assert (ran.returncode, ran.stderr) == (0, "")
        lines = ran.stdout.splitlines()
        assert [line.partition(":")[0] for line in lines] == [str(folder / n) for n in names]
        assert len({line.rpartition(" ")[2] for line in lines}) == 1
    for name, start in zip(names, (b"<!doctype html>", b"%PDF-", b"PK"), strict=True):
        made = (first / name).read_bytes()
        assert made.startswith(start)
        assert made == (second / name).read_bytes()


def test_a_preset_needs_no_file_and_a_sheet_without_a_date_has_none(tmp_path: Path) -> None:
    out = tmp_path / "ride.html"
    ran = croupier("par", "--game", "ride", "--out", str(out))
    assert (ran.returncode, ran.stderr) == (0, "")
    text = out.read_text("utf-8")
    assert "37963/1082900" in text  # 1,822,224 of 51,979,200, as published
    assert "<td>Date</td>" not in text


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ([], "Say where the sheet goes, such as --out sheet.html, .pdf or .xlsx."),
        (["--out", "x.html"], "Give one of: a house file, --game or --rulebook."),
        (["--game", "uth", "--rulebook", "nj-let-it-ride", "--out", "x.html"], "Give one of: "),
        (["--game", "poker", "--out", "x.html"], "There is no game 'poker'; "),
        (["--rulebook", "nj-poker", "--out", "x.html"], "rulebook = 'nj-poker': There is "),
        (["--game", "ride", "--out", "x.doc"], "A sheet is written in .html, .pdf, .xlsx, not "),
        (["--game", "ride", "--out", "x.pdf", "--date", "today"], "'today' is no date; "),
        (["no-such.toml", "--out", "x.pdf"], "no-such.toml cannot be read: No such file"),
        (["--game", "ride", "--out", "no/such/x.html"], "no/such/x.html cannot be written: "),
    ],
)
def test_bad_input_is_refused_in_one_sentence(args: list[str], says: str) -> None:
    ran = croupier("par", *args)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith(f"Refused: {says}")
    assert ran.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("module", "out"),
    [("matplotlib", "x.html"), ("typst", "x.pdf"), ("xlsxwriter", "x.xlsx")],
)
def test_a_missing_package_is_named_with_the_way_to_get_it(module: str, out: str) -> None:
    script = (
        f"import sys; sys.modules['{module}'] = None;"
        f"sys.argv = ['croupier', 'par', '--game', 'ride', '--out', '{out}'];"
        "from croupier.cli.main import main; main()"
    )
    ran = run("-c", script)
    assert (ran.returncode, ran.stdout) == (2, "")
    needs = f'needs {module}: pip install "croupier[par]".'
    assert ran.stderr == f"Refused: A sheet in {Path(out).suffix} {needs}\n"
