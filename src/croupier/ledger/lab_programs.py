"""Other people's programs on the generator's raw output, where they are installed."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable

import msgspec

FEW = (0, 15, 100)  # of dieharder's tests: birthdays, runs, mono-bit; the others take an hour


class Opinion(msgspec.Struct, frozen=True):
    """What a program says, in its own words."""

    program: str
    says: tuple[str, ...]
    failed: bool = False


def opinions(sample: bytes, stream: Iterable[bytes]) -> tuple[Opinion, ...]:
    """ent looks at the sample, dieharder at as much of the stream as it asks for."""
    found = []
    if shutil.which("ent"):
        found.append(Opinion("ent", _lines(_fed(["ent"], [sample]))))
    if shutil.which("dieharder"):
        rows = [line for test in FEW for line in _rows(test, stream)]
        found.append(Opinion("dieharder", tuple(rows), any("FAILED" in row for row in rows)))
    return tuple(found)


def _rows(test: int, stream: Iterable[bytes]) -> tuple[str, ...]:
    """One of dieharder's tests on raw standard input, its line without the headings."""
    told = _lines(_fed(["dieharder", "-g", "200", "-d", str(test)], stream))
    return tuple(line for line in told if line.endswith(("PASSED", "WEAK", "FAILED")))


def _fed(command: list[str], chunks: Iterable[bytes]) -> str:
    """What a program prints; it may stop listening before we stop talking."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        assert running.stdin
        assert running.stdout
        try:
            for chunk in chunks:
                running.stdin.write(chunk)
            running.stdin.close()
        except BrokenPipeError:
            pass
        return running.stdout.read().decode(errors="replace")


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.splitlines() if line.strip())
