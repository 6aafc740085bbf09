"""How many whole rounds a second a table plays, beside PokerKit's hold'em hands.

Every act goes through the front door: at our table each command through decide and each event
through evolve; at PokerKit's each blind, deal, check, showdown and chip through its own methods,
with only those automations that stand for what no command of ours says either. A table of one seat
stands beside two players, one of six beside seven: the dealer holds a hand too. Both know before
what will be said: our commands were written down by the automatic dealer and by players who always
do the same. A second figure has the automatic dealer decide as the round goes. All are measured in
the same run, in turns, on one thread; the median of the turns counts.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np

import croupier
from croupier.bench.evaluator import NOT_INSTALLED, SEED, seconds_of, version_of
from croupier.games.registry import RULEBOOKS
from croupier.rules.money import dollars
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.commands import player
from croupier.table.dealer import Dealer
from croupier.table.decide import decide
from croupier.table.evolve import apply, evolve
from croupier.table.procedure import Step, current, turn
from croupier.table.refused import Refused
from croupier.table.state import Position, Table

SEATS = (1, 6)
TURNS = 5
WARM_UP = 50  # rounds before the clock starts; kernels are loaded and hands ranked by then
THOUSAND = 1_000
WRITTEN_DOWN = 200  # rounds of a scripted evening
PEER = "pokerkit"
NEVER = ("fold", "withdraw")  # what the players of this measurement never say
BANKROLL = dollars(1_000_000_000)


class Evening:
    """A table under a book's preset, its automatic dealer, and players with a fixed policy:
    the required wagers at their minimum, check where they can, never fold or withdraw."""

    def __init__(self, book: str, seats: int) -> None:
        rng = np.random.default_rng(SEED)
        self.dealer = Dealer(
            lambda cards: [cards[n] for n in rng.permutation(52).tolist()],
            lambda: int(rng.integers(10, 43)),
        )
        self.table: Table = evolve(None, e.TableOpened("bench", {"rulebook": book}, BANKROLL))
        self.happened = 0
        house = self.table.house
        required = [wager for wager in house.game.wagers if wager.required]
        least = house.posted[required[0].key].minimum
        self.wagers = {wager.name: least for wager in required}
        for seat in range(1, seats + 1):
            self.do(c.SitDown(player(f"p{seat}"), seat, BANKROLL))

    def do(self, command: c.Command) -> None:
        answer = decide(self.table, command)
        if isinstance(answer, Refused):
            raise RuntimeError(f"{command}: {answer}")
        self.table = apply(self.table, answer)
        self.happened += len(answer)

    def play(self) -> int:
        """One whole round; how many events it was."""
        before, until = self.happened, self.table.rounds + 1
        while self.table.rounds < until:
            self.do(self.next())
        return self.happened - before

    def next(self) -> c.Command:
        table = self.table
        command = self.dealer.next_command(table, close_bets=False)
        if command is not None:
            return command
        if table.round is None or not table.round.closed:
            for seat, name in enumerate(table.seats, 1):
                if name and table.position(seat) is None:
                    return c.PlaceWagers(player(name), seat, self.wagers)
            command = self.dealer.next_command(table, close_bets=True)
            assert command is not None
            return command
        step = current(table)
        waiting = turn(table, step) if step else None
        assert step is not None
        assert waiting is not None
        return _choice(step, waiting)


class Scripted:
    """The rounds of an evening with every command written down: only the referee is measured."""

    def __init__(self, evening: Evening) -> None:
        self.start = self.table = evening.table
        self.rounds: list[list[c.Command]] = []
        self.at = 0
        for number in range(evening.table.rounds + 1, evening.table.rounds + 1 + WRITTEN_DOWN):
            commands = []
            while evening.table.rounds < number:
                commands.append(evening.next())
                evening.do(commands[-1])
            self.rounds.append(commands)

    def play(self) -> int:
        """One whole round; how many events it was. After the last the evening begins again."""
        if self.at == len(self.rounds):
            self.table, self.at = self.start, 0
        table, happened = self.table, 0
        for command in self.rounds[self.at]:
            answer = decide(table, command)
            assert not isinstance(answer, Refused)
            table = apply(table, answer)
            happened += len(answer)
        self.table = table
        self.at += 1
        return happened


def _choice(step: Step, p: Position) -> c.Command:
    choice = next(each for each in step.choices.values() if each.verb not in NEVER)
    cards = (1, 2, 3) if choice.verb == "pick" else ()
    return c.Choose(player(p.player), p.seat, choice.verb, choice.wager, cards=cards)


# --- the peer -------------------------------------------------------------------------------


def peer(players: int = 2) -> Callable[[], int]:
    """No-limit hold'em checked down to the showdown; each hand on a new state, as the package
    means it. Gives the number of operations."""
    kit: Any = importlib.import_module(PEER)
    automatic = (
        kit.Automation.ANTE_POSTING,
        kit.Automation.BET_COLLECTION,
        kit.Automation.RUNOUT_COUNT_SELECTION,
        kit.Automation.HAND_KILLING,
    )

    def play() -> int:
        state = kit.NoLimitTexasHoldem.create_state(automatic, True, 0, (1, 2), 2, 200, players)
        for _ in range(2):
            state.post_blind_or_straddle()
        for _ in range(2 * players):
            state.deal_hole()
        for street in ("before the flop", "flop", "turn", "river"):
            if street != "before the flop":
                state.burn_card()
                state.deal_board()
            for _ in range(players):
                state.check_or_call()
        for _ in range(players):
            state.show_or_muck_hole_cards()
        state.push_chips()
        while state.status:  # once, or more often when the pot is split
            state.pull_chips()
        return len(state.operations)

    return play


# --- measuring ------------------------------------------------------------------------------


class Row:
    """One thing that is measured: rounds and events per second, turn by turn."""

    def __init__(self, play: Callable[[], int]) -> None:
        self.play = play
        self.rounds: list[float] = []
        self.events: list[float] = []
        self.batch = 1

    def warm_up(self, seconds: float) -> None:
        """Play a little, and see how many rounds fit into a turn."""
        seconds_of(lambda: [self.play() for _ in range(WARM_UP)])
        took = seconds_of(lambda: [self.play() for _ in range(WARM_UP)])
        self.batch = max(1, int(WARM_UP * seconds / took))

    def measure(self) -> None:
        happened: list[int] = []
        took = seconds_of(lambda: happened.extend(self.play() for _ in range(self.batch)))
        self.rounds.append(self.batch / took)
        self.events.append(sum(happened) / took)


def growth(book: str, rounds: int) -> tuple[float, float]:
    """Rounds per second at the beginning and at the end of one long evening."""
    evening = Evening(book, 1)
    part = min(THOUSAND, rounds)

    def played(count: int) -> float:
        return seconds_of(lambda: [evening.play() for _ in range(count)])

    first = played(part)
    played(rounds - 2 * part)
    return part / first, part / played(part)


def run(seconds: float = 5.0, rounds: int = 5_000) -> None:
    """Measure and print. ``seconds`` is about what each row takes in all its turns."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table as Sheet

    tables = [(book, seats) for book in RULEBOOKS for seats in SEATS]
    ours = {(book, seats): Row(Scripted(Evening(book, seats)).play) for book, seats in tables}
    dealt = {(book, seats): Row(Evening(book, seats).play) for book, seats in tables}
    theirs = {seats: Row(peer(seats + 1)) for seats in SEATS} if version_of(PEER) else {}
    rows = [*ours.values(), *dealt.values(), *theirs.values()]
    for row in rows:
        row.warm_up(seconds / TURNS)
    for _ in range(TURNS):
        for row in rows:
            row.measure()

    sheet = Sheet(title="Whole rounds, one thread", title_justify="left")
    sheet.add_column("table", no_wrap=True)
    sheet.add_column("seats", justify="right")
    sheet.add_column("rounds/s", justify="right")
    sheet.add_column("events/s", justify="right")
    sheet.add_column("PokerKit", justify="right", no_wrap=True)
    sheet.add_column("dealt", justify="right")
    for place, row in ours.items():
        book, seats = place
        ratio = f"{_ratio(row, theirs[seats]):,.1f} times" if theirs else ""
        sheet.add_row(book, str(seats), *_rates(row), ratio, _rates(dealt[place])[0])
    for seats, row in theirs.items():
        name = f"{PEER} {version_of(PEER)}, {seats + 1} players"
        sheet.add_row(name, "", *_rates(row), "", "")
    if not theirs:
        sheet.add_row(PEER, "", "not installed", "", "", "", style="dim")
    console = Console()
    console.print(sheet)
    if not theirs:
        console.print(escape(f"{PEER}: {NOT_INSTALLED}."))
    console.print(
        f"Croupier {croupier.__version__}; median of {TURNS} turns, taken in alternation. "
        "A round is everything from the shuffle to the cleared table; a hand of PokerKit, "
        "everything from the new state to the chips pulled in. Dealt: rounds per second "
        "when the automatic dealer thinks, too."
    )
    book = RULEBOOKS[0]
    first, last = growth(book, rounds)
    part = min(THOUSAND, rounds)
    console.print(
        f"An evening of {rounds:,} rounds ({book}, one seat): {first:,.0f} rounds per second in "
        f"the first {part:,}, {last:,.0f} in the last {part:,}."
    )


def _ratio(ours: Row, theirs: Row) -> float:
    return median(ours.rounds) / median(theirs.rounds)


def _rates(row: Row) -> tuple[str, str]:
    return f"{median(row.rounds):,.0f}", f"{median(row.events):,.0f}"
