"""The clocks of one table: when bets close, and when the house acts for a player who does not.

A clock runs only while somebody waits. The decision clock runs while another player is seated and
connected; the betting clock runs while two players are. A player alone at a table is never timed.

Bets close when every wagering player is ready and every other seated player sits out, or when the
betting clock ends. When the decision clock ends, the house does what is posted: it checks, lets the
bet ride, picks the first three cards, or else folds the hand. It does the same for a player who is
not connected for some time. A player who stays away, or who holds a seat without wagering while no
seat is free, gives the seat up.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from croupier.ledger.records import Happening
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.options import options
from croupier.table.procedure import current, turn
from croupier.table.state import Position, Table

LATE = ("check", "ride", "pick", "fold")  # what the house does, the first that is possible
PICKED = (1, 2, 3)
SEAT_HELD = 5  # times absent_seconds, before an absent player's seat is free
IDLE_SECONDS = 600  # without a wager, before a seat is given up where none is free

Now = Callable[[], float]
Present = Callable[[str], bool]


class Stand(Struct, frozen=True):
    """How the clocks stand: what no event tells a process that comes later."""

    ready: list[str]
    passed: list[str]
    paused: bool
    betting: float | None  # seconds left
    decision: float | None
    stops_at: str = ""


class Pace:
    def __init__(
        self,
        betting_seconds: int,
        decision_seconds: int,
        absent_seconds: int = 0,
        *,
        idle_seconds: int = IDLE_SECONDS,
        now: Now = time.monotonic,
    ) -> None:
        self.betting_seconds = betting_seconds
        self.decision_seconds = decision_seconds
        self.absent_seconds = absent_seconds
        self.idle_seconds = idle_seconds
        self.ready: set[str] = set()
        self.passed: set[str] = set()  # seated, and let the last round go by
        self._now = now
        self._betting: float | None = None  # when it ends
        self._decision: float | None = None
        self._asked: tuple[object, ...] = ()  # the pending decision; its last part is the seat
        self._here: frozenset[str] = frozenset()  # seated and connected
        self._idle: dict[str, float] = {}  # seated, and without a wager since
        self._paused: float | None = None  # since when
        self.stops_at = ""  # the device before whose next work the table stands still
        self._gone: dict[str, float] = {}  # seated and not there, since when
        self._looked = 0.0  # when ``absent`` was last asked
        self._no_seat = False  # when ``idle`` was last asked

    # --- what happens ---------------------------------------------------------------------------

    def begin(self, table: Table, asked: Position | None) -> None:
        """Start from the table's state, without its history."""
        self.ready = set()
        self.passed = _seated(table) - _wagering(table) if dealt(table) else set()
        self._betting, self._decision, self._asked = None, None, ()
        self.follow((), table, asked)

    def follow(self, happened: Iterable[Happening], table: Table, asked: Position | None) -> None:
        """``asked`` is the position whose decision is pending, if any."""
        for each in happened:
            match each:
                case e.WagersPlaced() | e.WagersTakenBack():
                    self.ready.discard(table.seats[each.seat - 1])
                case e.PlayerSat() | e.PlayerLeft():
                    self.ready.discard(each.player)
                    self.passed.discard(each.player)
                    self._idle.pop(each.player, None)
                case e.NoMoreBetsAnnounced():
                    self.ready.clear()
                    self.passed = _seated(table) - _wagering(table)
        self._idle = {
            name: self._idle.get(name, self._time()) for name in _seated(table) - _wagering(table)
        }
        if (key := _what(table, asked)) != self._asked:
            self._asked, self._decision = key, None
        self._run(table)

    def attend(self, table: Table, present: Present) -> bool:
        """Note which seated players are connected. Returns whether a clock started or stopped."""
        seated = _seated(table)
        self._here = frozenset(name for name in seated if present(name))
        self._gone = {name: self._gone.get(name, self._time()) for name in seated - self._here}
        return self._run(table)

    def _run(self, table: Table) -> bool:
        """Start and stop the clocks. A clock that starts again has its full time."""
        before = (self._betting is None, self._decision is None)
        betting = bool(table.round) and not table.now.closed and len(self._here) > 1
        self._betting = self._until(self._betting, self.betting_seconds, betting)
        deciding = bool(self._asked) and bool(self._here - {table.seats[self._seat - 1]})
        self._decision = self._until(self._decision, self.decision_seconds, deciding)
        return before != (self._betting is None, self._decision is None)

    def _until(self, ends: float | None, seconds: int, running: bool) -> float | None:
        if not running or not seconds:
            return None
        return ends if ends is not None else self._time() + seconds

    def _time(self) -> float:
        """The clocks stand still while the table is paused."""
        return self._now() if self._paused is None else self._paused

    # --- pauses ---------------------------------------------------------------------------------

    @property
    def paused(self) -> bool:
        return self._paused is not None

    def pause(self) -> None:
        if self._paused is None:
            self._paused = self._now()

    def resume(self) -> None:
        if self._paused is None:
            return
        lost = self._now() - self._paused
        self._paused = None
        self._betting = None if self._betting is None else self._betting + lost
        self._decision = None if self._decision is None else self._decision + lost
        self._gone = {name: since + lost for name, since in self._gone.items()}
        self._idle = {name: since + lost for name, since in self._idle.items()}

    # --- from one process to another ------------------------------------------------------------

    def stand(self) -> Stand:
        betting, decision = (
            None if ends is None else ends - self._time()
            for ends in (self._betting, self._decision)
        )
        ready, passed = sorted(self.ready), sorted(self.passed)
        return Stand(ready, passed, self.paused, betting, decision, self.stops_at)

    def stand_still(self) -> tuple[object, ...]:
        """Everything that ``shown`` depends on, but for the time that goes by."""
        return self._betting, self._decision, self.paused, self.stops_at

    def take_over(self, stand: Stand) -> bool:
        """At the same version; somebody may have said that he is ready meanwhile. Whether a viewer
        would notice."""
        before = self.stand()
        self.ready, self.passed = self.ready | set(stand.ready), set(stand.passed)
        self._paused = self._now() if stand.paused else None
        self.stops_at = stand.stops_at
        self._betting, self._decision = (
            None if left is None else self._now() + left for left in (stand.betting, stand.decision)
        )
        return _noticed(before, self.stand())

    # --- what is due ----------------------------------------------------------------------------

    def closes(self, table: Table, present: Present) -> bool:
        """Whether bets close now."""
        if self.paused or table.round is None or table.now.closed:
            return False
        if self._betting is not None and self._time() >= self._betting:
            return True
        wagering = _wagering(table)
        out = {
            name
            for name in _seated(table) - wagering
            if name in self.ready | self.passed or not present(name)
        }
        settled = self.ready | {name for name in wagering if self._away(name)}
        return wagering <= settled and _seated(table) - wagering <= out

    def late(self, table: Table) -> c.Choose | None:
        """What the house decides for a player whose time ran out."""
        if self.paused or self._decision is None or self._time() < self._decision:
            return None
        return house_choice(table, self._seat)

    def absent(self, table: Table) -> c.Choose | c.StandUp | None:
        """What the house does for a player who is not connected."""
        self._looked = self._now()
        if self.paused:
            return None
        if self._asked and self._away(table.seats[self._seat - 1]):
            return house_choice(table, self._seat)
        for name in self._gone:
            for seat in table.seats_of(name) if self._away(name, SEAT_HELD) else ():
                if not table.position(seat):
                    return c.StandUp(c.player(name), seat)
        return None

    def _away(self, name: str, times: int = 1) -> bool:
        """Whether somebody has been away for as long as the house waits, so many times over."""
        since = self._gone.get(name)
        if since is None or not self.absent_seconds:
            return False
        return self._time() >= since + times * self.absent_seconds

    def idle(self, table: Table) -> c.StandUp | None:
        """The seat of the player who has been without a wager for longest, where none is free."""
        if self.paused or not self._full(table) or not self._idle:
            return None
        name = min(self._idle, key=lambda each: (self._idle[each], table.seats_of(each)))
        if self._time() < self._idle[name] + self.idle_seconds:
            return None
        free = [seat for seat in table.seats_of(name) if not table.position(seat)]
        return c.StandUp(c.player(name), free[0]) if free else None

    def _full(self, table: Table) -> bool:
        """Whether several players hold all the seats; one player alone is never timed."""
        self._no_seat = "" not in table.seats and len(_seated(table)) > 1
        return self._no_seat and bool(self.idle_seconds)

    @property
    def _seat(self) -> int:
        """The seat whose decision is pending."""
        seat = self._asked[-1]
        assert isinstance(seat, int)
        return seat

    def wait(self) -> float | None:
        """Seconds until a clock runs out; None where none runs."""
        now = self._now()
        ends = [each for each in (self._betting, self._decision) if each is not None]
        if self.absent_seconds:
            waited = [self.absent_seconds * times for times in (1, SEAT_HELD)]
            moments = [since + each for since in self._gone.values() for each in waited]
            ends += [each for each in moments if each > self._looked]
        if self._no_seat and self.idle_seconds:
            ends += [since + self.idle_seconds for since in self._idle.values()]
        if self.paused or not ends:
            return None
        return max(0.0, min(ends) - now)

    def posted(self) -> list[str]:
        """What the house posts about its clocks."""
        acts = "The house then checks, lets bets ride, picks cards 1, 2 and 3, or folds the hand."
        lines = []
        if self.betting_seconds:
            lines.append(
                f"Bets close {self.betting_seconds} seconds after the first wager while two or "
                "more players are seated."
            )
        if self.decision_seconds:
            lines.append(
                f"A decision may take {self.decision_seconds} seconds while others wait. {acts} "
                "A player alone at the table is not timed."
            )
        if self.absent_seconds:
            lines.append(
                f"A player who is not connected is waited for {self.absent_seconds} seconds. "
                f"{acts} After {SEAT_HELD * self.absent_seconds} seconds the seat is given up, and "
                "the chips are the player's."
            )
        if self.idle_seconds:
            lines.append(
                f"A player who has not wagered for {self.idle_seconds // 60} minutes gives up the "
                "seat when no other seat is free; the chips are the player's."
            )
        return lines

    def shown(self) -> dict[str, Any]:
        """The clocks as a viewer sees them; ends are in seconds since 1970."""
        return {
            "betting_seconds": self.betting_seconds,
            "decision_seconds": self.decision_seconds,
            "absent_seconds": self.absent_seconds,
            "betting_ends": self._shown(self._betting),
            "decision_ends": self._shown(self._decision),
            "paused": self.paused,
            "stops_at": self.stops_at,
        }

    def _shown(self, ends: float | None) -> float | None:
        if ends is None or self.paused:
            return None
        return round(time.time() + ends - self._now(), 3)


def house_choice(table: Table, seat: int) -> c.Choose | None:
    """What the house decides for this seat, where its decision is pending."""
    possible = [
        each
        for each in options(table, c.player(table.seats[seat - 1]))
        if isinstance(each, c.Choose) and each.seat == seat
    ]
    for verb in LATE:
        for each in possible:
            if each.verb == verb and (verb != "pick" or each.cards == PICKED):
                return each
    return None


def _noticed(before: Stand, after: Stand) -> bool:
    """Less than a second does not show."""
    clocks = ((before.betting, after.betting), (before.decision, after.decision))
    return (before.paused, before.stops_at) != (after.paused, after.stops_at) or any(
        (one is None) != (other is None) or abs((one or 0) - (other or 0)) >= 1
        for one, other in clocks
    )


def dealt(table: Table) -> bool:
    """Whether bets are closed in the current round."""
    return table.round is not None and table.now.closed


def _seated(table: Table) -> set[str]:
    return {name for name in table.seats if name}


def _wagering(table: Table) -> set[str]:
    return {position.player for position in table.now.positions} if table.round else set()


def _what(table: Table, asked: Position | None) -> tuple[object, ...]:
    step = current(table)
    if asked is None or step is None:
        return ()
    return (table.now.number, step.kind, step.point, len(asked.choices), asked.seat)


def to_decide(table: Table) -> Position | None:
    """The position whose decision is pending, where the dealer has nothing to do."""
    step = current(table)
    return turn(table, step) if step and table.now.closed else None
