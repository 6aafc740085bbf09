"""A round of play written down, with the answers it should give: for tests, and for disputes.

The notation is described in docs/SCRIPT.md. ``run`` plays a text through decide and evolve like
any other client of the table; it has no rules of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from croupier.cards.card import Card
from croupier.script import deal as dealt
from croupier.script.checks import is_of_the_round, looked_at
from croupier.script.commands import command
from croupier.script.expect import Happened, missing, refusal_differs, told
from croupier.script.read import Header, Line, read
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.dealer import Dealer
from croupier.table.decide import decide
from croupier.table.evolve import evolve, fold
from croupier.table.procedure import Kind, current, turn
from croupier.table.refused import Refused
from croupier.table.state import Table

SILENT_CUT = 26


@dataclass(frozen=True, slots=True)
class Played:
    """A line and what came of it: so many events from the first on, what was done silently
    among them; or a refusal, before the event ``first``."""

    line: Line
    first: int
    events: int
    refused: Refused | None = None


@dataclass(frozen=True, slots=True)
class ScriptRun:
    table: Table
    events: tuple[e.Event, ...]
    lines: tuple[Played, ...]


class Failed(Exception):
    """A line whose expectation did not come true; what was played until there comes along."""

    def __init__(self, line: Line, expected: str, got: str, so_far: ScriptRun) -> None:
        super().__init__(f"Line {line.number}, {line.words}: expected {expected}; got {got}.")
        self.line = line
        self.expected = expected
        self.got = got
        self.so_far = so_far


def run(text: str) -> ScriptRun:
    """Play a script. Malformed text is refused; an expectation that fails raises Failed."""
    header, lines = read(text)
    runner = _Runner(header)
    for line in lines:
        runner.play(line)
    return runner.so_far()


# Asked of the table as it stands: nobody does anything silently before.
_AS_IT_STANDS = (
    c.SitDown,
    c.BuyChips,
    c.TakeBackWagers,
    c.LightAcceptor,
    c.FillInventory,
    c.RemoveDeck,
    c.RemoveDevice,
    c.InstallDevice,
    c.ChangeMethod,
    c.ReportExposedCard,
    c.ReportFaceUpCard,
    c.ReportCardDrawnInError,
    c.ReportWrongNumber,
    c.ReportJam,
)
# Between rounds: the round under way is finished first, but no new one is begun.
_BETWEEN_ROUNDS = (
    c.PlaceWagers,
    c.StandUp,
    c.ReceiveDeck,
    c.InspectDeck,
    c.VerifyDeck,
    c.SpreadDeck,
    c.TurnFaceUp,
    c.WashDeck,
    c.LoadShuffler,
    c.ShuffleDeck,
    c.CutDeck,
    c.OrderRecut,
    c.CloseTable,
)
_STUB = (c.RackStub, c.CountStub)


def _alike(one: c.Command, other: c.Command) -> bool:
    """Whether two commands are of one kind, and about one deck where they name it."""
    if isinstance(one, _STUB) and isinstance(other, _STUB):
        return True
    if type(one) is not type(other):
        return False
    preparing = not isinstance(one, c.AnnounceNoMoreBets)
    return not preparing or getattr(one, "colour", "") == getattr(other, "colour", "")


def _in_sequence(cards: Sequence[Card]) -> Sequence[Card]:
    return sorted(cards)


class _Runner:
    def __init__(self, header: Header) -> None:
        self.header = header
        self.dealer = Dealer(_in_sequence, lambda: SILENT_CUT)
        self.automatic = True
        opened = e.TableOpened("script", header.house, header.inventory)
        self.events: list[e.Event] = [opened]
        self.table = evolve(None, opened)
        self.happened: list[Happened] = []
        self.lines: list[Played] = []
        for seat in range(1, header.seats + 1):
            self.sit(seat)

    def so_far(self) -> ScriptRun:
        return ScriptRun(self.table, tuple(self.events), tuple(self.lines))

    def fail(self, line: Line, expected: str, got: str) -> Failed:
        return Failed(line, expected, got, self.so_far())

    # --- one line ---------------------------------------------------------------------------

    def play(self, line: Line) -> None:
        first = len(self.events)
        self.happened = []
        refused = None
        for each in self.said_by_all(line):
            refused = refused or self.play_one(each)
        if refused is not None:
            self.lines.append(Played(line, len(self.events), 0, refused))
            if refusal_differs(line.expected, refused):
                expected = ", ".join(line.expected) or "no refusal"
                sentence = refused.sentence.rstrip(".")
                raise self.fail(
                    line, expected, f"refused: {refused.code} [{refused.clause}] ({sentence})"
                )
            return
        self.lines.append(Played(line, first, len(self.events) - first))
        if absent := missing(line.expected, self.happened):
            raise self.fail(line, absent, told(self.happened))

    def said_by_all(self, line: Line) -> Iterator[Line]:
        """``all:`` says a line for every seat; at a betting point for each whose turn comes."""
        if line.who != "all":
            yield line
            return
        taken = [str(n) for n, name in enumerate(self.table.seats, 1) if name]
        if not taken:
            raise line.wrong("nobody is seated; write seats 2 above, say.")
        first = replace(line, who=taken[0])
        if looked_at(self.table, first, self.events) or not self.is_choice(first):
            yield from (replace(line, who=seat) for seat in taken)
            return
        self.silently(line, close_bets=True)
        step = current(self.table)
        while step and current(self.table) == step and (waiting := turn(self.table, step)):
            before = self.table
            yield replace(line, who=str(waiting.seat))
            if self.table is before:
                return

    def is_choice(self, line: Line) -> bool:
        return isinstance(command(self.table, line), c.Choose)

    def play_one(self, line: Line) -> Refused | None:
        word, _, rest = line.words.partition(" ")
        if word == "auto":
            self.auto(line, rest)
            return None
        if word == "top":
            self.silently(line, until=c.DealHands(c.DEALER), close_bets=True)
            self.stack(line, rest, dealt.in_order(line, rest))
            return None
        if is_of_the_round(line):
            self.silently(line, close_bets=False, to_the_end=True)
        if found := looked_at(self.table, line, self.events):
            if found[0] != found[1]:
                raise self.fail(line, found[0] or line.words, found[1] or "that not to be so")
            return None
        return self.ask(line, rest)

    def ask(self, line: Line, rest: str) -> Refused | None:
        asked = command(self.table, line)
        if not isinstance(asked, _AS_IT_STANDS):
            between = isinstance(asked, _BETWEEN_ROUNDS)
            before = self.table, list(self.events)
            self.silently(line, until=asked, close_bets=not between)
            if not between and before[0].round and self.table.round is None:
                self.table, self.events = before  # nothing of the kind was left in that round
            if isinstance(asked, c.PlaceWagers) and self.automatic:
                self.sit(asked.seat, only=asked.by.player)
            asked = command(self.table, line)
        if isinstance(asked, c.DealHands) and rest and self.step is Kind.DEAL:
            self.stack(line, rest, dealt.by_place(self.table, line, rest))
        return self.do(asked, seen=True)

    @property
    def step(self) -> Kind | None:
        step = current(self.table)
        return step.kind if step else None

    def do(self, asked: c.Command, *, seen: bool) -> Refused | None:
        answer = decide(self.table, asked)
        if isinstance(answer, Refused):
            return answer
        for event in answer:
            self.events.append(event)
            self.table = evolve(self.table, event)
            if seen:
                self.happened.append((event, self.table))
        return None

    # --- what is done silently --------------------------------------------------------------

    def sit(self, seat: int, only: str = "") -> None:
        """A seat that wagers is taken first, by a player with enough chips."""
        name = f"player {seat}"
        free = 1 <= seat <= len(self.table.seats) and not self.table.seats[seat - 1]
        if free and only in ("", name):
            self.do(c.SitDown(c.player(name), seat, self.header.chips), seen=False)

    def silently(
        self,
        line: Line,
        *,
        until: c.Command | None = None,
        close_bets: bool,
        to_the_end: bool = False,
        seen: bool = False,
    ) -> None:
        """Let the dealer go on until it would do the like of ``until``, or waits for a player."""
        if not self.automatic and not seen:
            return
        while self.table.round is not None or not to_the_end:
            coming = self.dealer.next_command(self.table, close_bets=close_bets)
            if coming is None or (until is not None and _alike(coming, until)):
                return
            if refused := self.do(coming, seen=seen):
                raise self.fail(line, "the dealer to go on", f"refused: {refused}")

    def auto(self, line: Line, how: str) -> None:
        if how in ("on", "off"):
            self.automatic = how == "on"
        elif how:
            raise line.wrong("write auto, auto on or auto off.")
        else:
            over = self.table.round is not None
            self.silently(line, close_bets=True, to_the_end=over, seen=True)

    def stack(self, line: Line, text: str, top: list[Card | None]) -> None:
        if self.step is not Kind.DEAL:
            raise line.wrong("cards are written down for a round that is about to be dealt.")
        if not text:
            raise line.wrong("write the cards.")
        self.events = dealt.stacked(self.table, self.events, top, line)
        self.table = fold(self.events)
