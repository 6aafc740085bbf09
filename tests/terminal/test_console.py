"""The real thing in a pseudo-terminal: it takes the screen over and gives it back."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from croupier.terminal.console import decode

OPENED, CLOSED = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"


class Seat:
    """Somebody at a terminal of a given size."""

    def __init__(self, process: int, terminal: int) -> None:
        self.process = process
        self.terminal = terminal
        self.seen = ""

    def wait_for(self, text: str, seconds: float = 30) -> str:
        """Until this has been shown since the last time something was awaited; what came before
        it."""
        end = time.monotonic() + seconds
        while text not in self.seen:
            assert time.monotonic() < end, f"{text!r} did not come: {self.seen[-3000:]!r}"
            if select.select([self.terminal], [], [], 0.1)[0]:
                try:
                    self.seen += os.read(self.terminal, 65536).decode("utf-8", "replace")
                except OSError:  # the other side is closed
                    assert text in self.seen
        before, _, self.seen = self.seen.partition(text)
        return before

    def press(self, keys: str) -> None:
        os.write(self.terminal, keys.encode())

    def resize(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def leaves(self) -> int:
        _, status = os.waitpid(self.process, 0)
        self.process = 0
        return os.waitstatus_to_exitcode(status)


@contextmanager
def seat(*args: str, columns: int = 80, lines: int = 24, **environment: str) -> Iterator[Seat]:
    process, terminal = pty.fork()
    if process == 0:
        command = [sys.executable, "-m", "croupier", "play", *args]
        env = {**os.environ, "TERM": "xterm-256color", "PYTHONUTF8": "1", **environment}
        for name in ("COLUMNS", "LINES"):
            env.pop(name, None)
        os.execvpe(command[0], command, env)
    here = Seat(process, terminal)
    here.resize(columns, lines)
    try:
        yield here
    finally:
        if here.process:
            os.kill(here.process, signal.SIGKILL)
            os.waitpid(here.process, 0)
        os.close(terminal)


def test_a_round_is_played_and_the_terminal_given_back_with_the_evenings_summary() -> None:
    with seat("--seed", "1") as here:
        here.wait_for(OPENED)
        here.wait_for("Press a number to sit down")
        here.press("3")
        here.wait_for("hurry on")
        here.press(" ")
        here.wait_for("bet $5")
        here.press("\r")
        here.wait_for("hurry on")
        here.press(" ")
        here.wait_for("fold")
        here.press("f")
        here.wait_for("hurry on")
        here.press(" ")
        here.wait_for("costs you $5")
        here.press("q")
        here.wait_for(CLOSED)
        here.wait_for("You bought chips for $1,000 and cash out $995. Good night.")
        assert here.leaves() == 0


@pytest.mark.parametrize("key", ["\x03", "\x04"])
def test_control_c_and_control_d_cash_out_from_the_middle_of_a_round(key: str) -> None:
    with seat("uth", "--seed", "1") as here:
        here.wait_for("hurry on")
        here.press(" ")
        here.wait_for("bet $10")
        here.press("\r")
        here.wait_for("hurry on")
        here.press(" ")
        here.wait_for("Before the flop:")
        here.press(key)
        here.wait_for(CLOSED)
        here.wait_for("cash out $990. Good night.")
        assert here.leaves() == 0


def test_a_terminated_table_still_gives_the_terminal_back() -> None:
    with seat("uth", "--seed", "1") as here:
        here.wait_for("hurry on")
        os.kill(here.process, signal.SIGTERM)
        here.wait_for(CLOSED)
        assert here.leaves() == 128 + signal.SIGTERM


@pytest.mark.parametrize("colour", [True, False])
def test_no_color_leaves_only_the_codes_that_move_the_cursor(colour: bool) -> None:
    with seat("uth", "--seed", "1", NO_COLOR="" if colour else "1") as here:
        here.wait_for(OPENED)
        seen = here.wait_for("hurry on")
        here.press("q")
        here.wait_for(CLOSED)
    painted = [code for code in re.findall(r"\x1b\[([\d;]*)m", seen) if code not in ("", "0")]
    assert bool(painted) is colour


def test_a_window_too_small_says_so_and_one_large_enough_again_shows_the_table() -> None:
    with seat("uth", "--seed", "1", columns=79) as here:
        here.wait_for("80 x 24 needed, 79 x 24 here.")
        here.resize(80, 23)
        here.wait_for("80 x 24 needed, 80 x 23 here.")
        here.resize(120, 40)
        here.wait_for("\x1b[9;21H")  # in the middle of the window
        here.press("q")
        here.wait_for(CLOSED)


@pytest.mark.parametrize(
    ("args", "environment"), [(["--plain"], {}), ([], {"TERM": "dumb"})], ids=["plain", "dumb"]
)
def test_a_terminal_may_be_played_line_by_line(
    args: list[str], environment: dict[str, str]
) -> None:
    with seat("uth", "--seed", "1", *args, **environment) as here:
        here.wait_for("Your bet [ante $5, blind $5]: ")
        here.press("\n")
        here.wait_for("Before the flop [")
        here.press("\x03")
        here.wait_for("cash out $990. Good night.")
        assert here.leaves() == 0


@pytest.mark.parametrize(
    ("read", "keys"),
    [
        ("c", ["c"]),
        ("C", ["c"]),
        ("\r", ["enter"]),
        ("\n", ["enter"]),
        (" ", ["space"]),
        ("\x7f", ["backspace"]),
        ("\x1b", ["esc"]),
        ("\x1b[A", ["up"]),
        ("\x1bOB", ["down"]),
        ("\x1b[5~", ["page up"]),
        ("\x1b[Aq", ["up", "q"]),
        ("\x1b[1;5C", ["\x1b[1;5C"]),  # unknown, and not the letters it is made of
        ("\x1b[q", ["\x1b[q"]),
        ("\x1b[", ["\x1b["]),
        ("\x1bq", ["esc", "q"]),
        ("25", ["2", "5"]),
        ("é", ["é"]),
    ],
)
def test_what_a_terminal_sends_is_read_as_keys(read: str, keys: list[str]) -> None:
    assert decode(read) == keys
