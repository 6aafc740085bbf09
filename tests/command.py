"""The command run within the tests' own process, where the kernels are loaded already."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from typing import NamedTuple

from croupier.cli.main import main


class Ran(NamedTuple):
    code: int
    out: str
    err: str

    # The same by the names that a process has for them.
    @property
    def returncode(self) -> int:
        return self.code

    @property
    def stdout(self) -> str:
        return self.out

    @property
    def stderr(self) -> str:
        return self.err


def croupier(*args: str) -> Ran:
    """What ``croupier`` with these arguments exits with and prints."""
    out, err = StringIO(), StringIO()
    with _arguments(*args), redirect_stdout(out), redirect_stderr(err):
        try:
            main()
            code = 0
        except SystemExit as leaving:
            code = leaving.code if isinstance(leaving.code, int) else 0
    return Ran(code, out.getvalue(), err.getvalue())


@contextmanager
def _arguments(*args: str) -> Iterator[None]:
    before, sys.argv = sys.argv, ["croupier", *args]
    try:
        yield
    finally:
        sys.argv = before
