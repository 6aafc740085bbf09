"""The terminal itself: single keys in, pages out, and everything put back as it was."""

from __future__ import annotations

import os
import select
import shutil
import signal
import sys
import termios
import tty
from types import FrameType, TracebackType
from typing import Any

from croupier.terminal.canvas import HEIGHT, WIDTH, Canvas
from croupier.terminal.screen import Screen

KEYS = {
    "\r": "enter",
    "\n": "enter",
    " ": "space",
    "\t": "tab",
    "\x7f": "backspace",
    "\x08": "backspace",
    "\x03": "ctrl-c",
    "\x04": "ctrl-c",
    "\x1b": "esc",
    "\x1b[A": "up",
    "\x1b[B": "down",
    "\x1b[C": "right",
    "\x1b[D": "left",
    "\x1bOA": "up",
    "\x1bOB": "down",
    "\x1bOC": "right",
    "\x1bOD": "left",
    "\x1b[5~": "page up",
    "\x1b[6~": "page down",
}
LOOK_AGAIN = 0.5  # seconds, after which the size of the window is looked at again


def decode(read: str) -> list[str]:
    """The keys in what was read; unknown sequences are one unknown key, not many letters."""
    keys = []
    while read:
        size = _sequence(read)
        keys.append(KEYS.get(read[:size], read[:size]))
        read = read[size:]
    return [key.lower() if len(key) == 1 else key for key in keys]


def _sequence(read: str) -> int:
    """How many characters the first key takes."""
    if read[0] != "\x1b" or len(read) == 1 or read[1] not in "[O":
        return 1
    for at in range(2, len(read)):
        if "@" <= read[at] <= "~":
            return at + 1
    return len(read)


class Console:
    """Use as a context: on leaving, however that comes about, the terminal is as before."""

    def __init__(self) -> None:
        self.colour = not os.environ.get("NO_COLOR")
        self.input = sys.stdin.fileno()
        self.shown: list[str] = []
        self.size = shutil.get_terminal_size()
        self.waiting: list[str] = []  # keys read and not yet given out

    def __enter__(self) -> Console:
        self.before = termios.tcgetattr(self.input)
        tty.setraw(self.input, termios.TCSANOW)
        self.terminated = signal.signal(signal.SIGTERM, _stop)
        self.hung_up = signal.signal(signal.SIGHUP, _stop)
        self._write("\x1b[?1049h\x1b[?25l\x1b[2J")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._write("\x1b[0m\x1b[?25h\x1b[?1049l")
        termios.tcsetattr(self.input, termios.TCSADRAIN, self.before)
        signal.signal(signal.SIGTERM, self.terminated)
        signal.signal(signal.SIGHUP, self.hung_up)

    def _write(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()

    def show(self, canvas: Canvas) -> None:
        """Draw the page in the middle of the window; only rows that changed are sent."""
        size = shutil.get_terminal_size()
        if size != self.size or not self.shown:
            self.size, self.shown = size, []
            self._write("\x1b[0m\x1b[2J")
        if size.columns < WIDTH or size.lines < HEIGHT:
            words = f"{WIDTH} x {HEIGHT} needed, {size.columns} x {size.lines} here."
            self._write(f"\x1b[2J\x1b[1;1H{words[: size.columns]}")
            self.shown = []
            return
        top, left = (size.lines - HEIGHT) // 2 + 1, (size.columns - WIDTH) // 2 + 1
        rows = canvas.painted(self.colour)
        out = ""
        for at, row in enumerate(rows):
            if not self.shown or self.shown[at] != row:
                out += f"\x1b[{top + at};{left}H{row}"
        self.shown = rows
        self._write(out)

    def key(self, seconds: float | None) -> str | None:
        """The next key, or None when the time is up or the window changed its size."""
        if not self.waiting:
            wait = LOOK_AGAIN if seconds is None else seconds
            ready, _, _ = select.select([self.input], [], [], wait)
            if not ready:
                return None
            read = os.read(self.input, 1024)
            self.waiting = decode(read.decode("utf-8", "replace")) if read else ["ctrl-c"]
        return self.waiting.pop(0)


def _stop(number: int, frame: FrameType | None) -> Any:
    raise SystemExit(128 + number)


def run(screen: Screen) -> None:
    """Play until the person leaves. Space hurries a slow dealer on; Enter does not, for a second
    Enter would be the next bet."""
    with Console() as console:
        hurried = False
        while not screen.done:
            pause = screen.tick()
            if pause is None:
                hurried = False
            if not (pause is not None and hurried):
                console.show(screen.draw())
            key = console.key(0 if hurried and pause is not None else pause)
            if key == "space" and pause is not None:
                hurried = True
            elif key is not None:
                screen.key(key)
