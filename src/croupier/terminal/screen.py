"""The full screen as a machine: keys in, pages out. It neither reads nor writes a terminal and
never sleeps, so whoever runs it gives it its pace."""

from __future__ import annotations

from collections.abc import Callable

from croupier.rules.money import in_dollars
from croupier.table import commands as c
from croupier.table import events as e
from croupier.terminal import pages
from croupier.terminal.canvas import Canvas, Style
from croupier.terminal.evening import Batch, Evening
from croupier.terminal.felt import Felt, Span, draw
from croupier.terminal.pages import MENU, Pages
from croupier.terminal.slip import Slip
from croupier.terminal.words import Told, actions, question, recap, told

KEPT_LINES = 40  # of what happened; the screen shows the last few
OTHERS_PAUSE = 0.25

# How long a person wants to look at it, in seconds.
PAUSES: dict[type[e.Event], float] = {
    e.NoMoreBetsAnnounced: 0.7,
    e.HandsDealt: 0.9,
    e.UpCardExposed: 0.6,
    e.CommunityDealt: 1.1,
    e.CommunityRevealed: 1.1,
    e.ChoiceMade: 0.6,
    e.HandRevealed: 0.5,
    e.PickedCardsRevealed: 0.9,
    e.DealerRevealed: 1.5,
    e.IrregularityReported: 2.0,
    e.WagersPlaced: 0.25,
    e.CardsRacked: 0.0,
    e.AcceptorLit: 0.0,
}


class Screen:
    def __init__(self, sit_down: Callable[[str], Evening], evening: Evening | None = None) -> None:
        self.sit_down = sit_down
        self.evening = evening
        self.slip = Slip(evening.table.house) if evening else None
        self.log: list[Told] = []
        self.page: Pages | None = None
        self.picks: list[int] = []
        self.leaving = False  # asked once with cards in hand
        self.done = False

    # --- time ---------------------------------------------------------------------------------

    def tick(self) -> float | None:
        """Let one thing happen; how long to look at it, or None when a key is awaited."""
        if self.done or self.page or self.leaving or self.evening is None:
            return None
        batch = self.evening.advance()
        if not batch:
            return None
        self._tell(batch)
        return sum(self._pause(event) for event in batch)

    def _tell(self, batch: Batch) -> None:
        assert self.evening is not None
        self.log += told(batch, self.evening.seat)
        if any(isinstance(event, e.RoundEnded) for event in batch):
            self.log = recap(self.evening)
        self.log = self.log[-KEPT_LINES:]

    def _pause(self, event: e.Event) -> float:
        assert self.evening is not None
        if isinstance(event, e.WagerSettled):
            return 0.9 if event.seat == self.evening.seat else OTHERS_PAUSE
        return PAUSES.get(type(event), 0.35)

    # --- keys ---------------------------------------------------------------------------------

    def key(self, key: str) -> None:
        """A key was pressed. One that means nothing here does nothing."""
        if self.done:
            return
        if key == "ctrl-c":
            self.leave()
        elif self.evening is None:
            self._menu_key(key)
        elif self.page:
            self._page_key(key)
        elif self.leaving and key != "q":
            self.leaving = False
        elif not self._always(key):
            waits = self.evening.waits_for
            if waits == "bet":
                self._bet_key(key)
            elif waits == "choice":
                self._choice_key(key)

    def _menu_key(self, key: str) -> None:
        for number, book in MENU:
            if key == number:
                self.evening = self.sit_down(book)
                self.slip = Slip(self.evening.table.house)
        if key in ("q", "esc"):
            self.done = True

    def _page_key(self, key: str) -> None:
        assert self.page is not None
        if key in ("space", "right", "down", "page down"):
            self.page.turn(1)
        elif key in ("left", "up", "page up"):
            self.page.turn(-1)
        elif key in ("enter", "esc", "q", "w", "?", "p", "h"):
            self.page = None

    def _always(self, key: str) -> bool:
        """Keys that mean the same at every moment."""
        assert self.evening is not None
        match key:
            case "w" | "?":
                self.page = pages.why(self.evening)
            case "p":
                self.page = pages.rules(self.evening.table.house)
            case "h":
                self.page = pages.history(self.evening)
            case "m":
                self._ask(c.BuyChips(self.evening.me, self.evening.chips))
            case "q" if self.evening.playing and not self.leaving:
                self.leaving = True
            case "q":
                self.leave()
            case _:
                return False
        return True

    def leave(self) -> None:
        if self.evening is not None:
            self.evening.leave()
        self.done = True

    def _ask(self, command: c.Command) -> None:
        assert self.evening is not None
        batch = self.evening.do(command)
        if batch:
            self._tell(batch)
        elif refusal := self.evening.refusal:
            line = Told(f"Refused: {refusal}", "refused")
            if self.log[-1:] != [line]:
                self.log.append(line)

    def _bet_key(self, key: str) -> None:
        assert self.evening is not None
        assert self.slip is not None
        match key:
            case "enter":
                self.slip.entry = ""
                wagers = self.slip.wagers()
                self._ask(c.PlaceWagers(self.evening.me, self.evening.seat, wagers))
            case "left" | "right" | "tab":
                self.slip.move(-1 if key == "left" else 1)
            case "up" | "+" | "down" | "-":
                self.slip.raise_by(1 if key in ("up", "+") else -1)
            case "space":
                self.slip.toggle()
            case "backspace":
                self.slip.rub_out()
            case _ if key in "0123456789." and len(key) == 1:
                self.slip.type(key)

    def _choice_key(self, key: str) -> None:
        assert self.evening is not None
        for action in actions(self.evening):
            if action.key == key:
                self._ask(action.command)
                return
        if not self._picking():
            return
        if key in "12345" and len(key) == 1:
            self.picks = _toggled(self.picks, int(key))
        elif key == "enter":
            for choice in self.evening.choices():
                if choice.cards == tuple(sorted(self.picks)):
                    self.picks = []
                    self._ask(choice)
                    return

    def _picking(self) -> bool:
        assert self.evening is not None
        return any(choice.verb == "pick" for choice in self.evening.choices())

    # --- what is shown ------------------------------------------------------------------------

    def draw(self) -> Canvas:
        if self.evening is None:
            return pages.menu()
        if self.page:
            return self.page.draw()
        waits = self.evening.waits_for
        felt = Felt(
            log=self.log,
            prompt=self._prompt(waits),
            hints=_keys(*ALWAYS, style=Style.DIM),
            slip=self.slip if waits == "bet" and not self.leaving else None,
            picks=self.picks,
            picking=waits == "choice" and self._picking(),
        )
        return draw(self.evening, felt)

    def _prompt(self, waits: str) -> list[Span]:
        assert self.evening is not None
        if self.leaving:
            words = "Give up this hand and leave?  "
            return [(words, Style.BOLD), *_keys(("q", "yes"), ("any other key", "stay"))]
        if waits == "bet":
            return self._bet_prompt()
        if waits == "choice":
            return self._choice_prompt()
        return _keys(("space", "hurry on"))

    def _bet_prompt(self) -> list[Span]:
        assert self.slip is not None
        keys = [("Enter", f"bet {in_dollars(self.slip.total)}"), ("↑↓ 0-9", "amount")]
        if len(self.slip.areas) > 1:
            keys += [("←→", "area"), ("space", "on or off")]
        return _keys(*keys)

    def _choice_prompt(self) -> list[Span]:
        assert self.evening is not None
        asked: list[Span] = [(question(self.evening) + ":  ", Style.BOLD)]
        if self._picking():
            ready = len(self.picks) == 3
            keys = [("1 to 5", "choose"), *([("Enter", "turn them up")] if ready else [])]
            return asked + _keys(*keys)
        return asked + _keys(*((a.key, a.label) for a in actions(self.evening)))


ALWAYS = (
    *(("w", "why"), ("p", "pays and rules"), ("h", "history")),
    *(("m", "more chips"), ("q", "leave")),
)


def _toggled(picks: list[int], n: int) -> list[int]:
    """On or off; a fourth takes the place of the first."""
    if n in picks:
        return [each for each in picks if each != n]
    return [*picks, n][-3:]


def _keys(*keys: tuple[str, str], style: Style = Style.PLAIN) -> list[Span]:
    spans: list[Span] = []
    for key, label in keys:
        spans += [(f"[{key}] ", Style.KEY), (f"{label}   ", style)]
    spans[-1] = (spans[-1][0].rstrip(), spans[-1][1])
    return spans
