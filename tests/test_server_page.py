"""docs/SERVER.md: its commands are ones there are, and those that can run here do what it says."""

from __future__ import annotations

import configparser
import re
import shlex
from pathlib import Path

from command import croupier
from helpers import NJ_UTH
from ledger_driver import opened

from croupier.cli.main import COMMANDS
from croupier.ledger.ledger import Ledger

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "SERVER.md").read_text("utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def commands() -> list[list[str]]:
    """Every line that calls us, without the program."""
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    split = [shlex.split(line) for line in lines]
    return [words[1:] for words in split if words and words[0].endswith("croupier")]


def test_every_command_and_option_is_one_there_is() -> None:
    assert len(commands()) > 12
    for name, *words in commands():
        assert name in COMMANDS
        told = croupier(name, "--help").out
        for option in words:
            if option.startswith("--"):
                known = re.search(rf"{option}\b(?!-)", told)
                assert known, f"croupier {name} {option}"


def test_what_is_backed_up_is_restored_as_the_page_says(tmp_path: Path) -> None:
    """The commands of the page in their order, with its folders somewhere else."""
    place = tmp_path / "croupier" / "data"
    place.mkdir(parents=True, mode=0o700)
    (tmp_path / "backup").mkdir()
    ledger = Ledger.at(place / "croupier.db")
    opened(ledger, {"rulebook": NJ_UTH}).rounds(1)
    ledger.close()
    ran = []
    for words in commands():
        if words[0] not in ("doctor", "backup", "restore"):
            continue
        if "--accept-loss" in words and "/srv/backup/room.backup" in words:
            continue  # nothing is lost here, and the place is no longer empty
        done = croupier(*(word.replace("/srv", str(tmp_path)) for word in words))
        assert done.code == 0, (words, done.out, done.err)
        ran.append(words[0])
    assert ran == ["doctor", "backup", "backup", "restore", "restore"]
    assert (tmp_path / "restored" / "data" / "croupier.db").is_file()


def test_the_unit_is_one_systemd_can_read() -> None:
    (text,) = blocks("ini")
    unit = configparser.ConfigParser(interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read_string(text)
    assert unit["Service"]["ExecStart"].startswith("/srv/croupier/venv/bin/croupier room ")
    assert unit["Service"]["UMask"] == "0077"
