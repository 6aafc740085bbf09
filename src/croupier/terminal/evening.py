"""One evening at one seat: the table, its dealer, the other players, and what it came to.

It knows nothing of screens. ``advance`` lets the dealer's side or another seat do one thing, and
does nothing when the table waits for the person; ``do`` is the person's own command.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from fractions import Fraction

from croupier.house.submission import House
from croupier.law.refused import Refused as Wrong
from croupier.rules.money import Cents, dollars
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.bots import bot_choice, bot_wagers, names
from croupier.table.dealer import Dealer
from croupier.table.decide import decide
from croupier.table.evolve import evolve
from croupier.table.faults import FaultyDealer, evenly
from croupier.table.options import options
from croupier.table.procedure import Kind, current, turn
from croupier.table.refused import Refused
from croupier.table.state import DeckAt, Position
from croupier.table.view import view
from croupier.terminal.picture import Picture

ME = "you"
INVENTORY = dollars(100_000)
CHIPS = dollars(1_000)
MOST_SEATS = 9  # as many as the screen can show
Batch = tuple[e.Event, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """One round of the evening."""

    number: int
    net: Cents
    void: bool


@dataclass
class Purse:
    """What came from the pocket and what each round did to it."""

    bought: Cents = 0
    cashed: Cents = 0
    rounds: list[Played] = field(default_factory=list)
    before: Cents = 0  # chips before this round's wagers, and those bought since

    @property
    def net(self) -> Cents:
        return sum(each.net for each in self.rounds)


class Evening:
    def __init__(
        self,
        house: House,
        *,
        seats: int = 3,
        chips: Cents = CHIPS,
        seed: str | None = None,
        faults: Fraction = Fraction(0),
    ) -> None:
        most = min(house.positions, MOST_SEATS)
        if not 1 <= seats <= most:
            raise Wrong(f"This table seats 1 to {most}, not {seats}.")
        if chips <= 0:
            raise Wrong("Sit down with chips: name a sum above zero.")
        self.chips = chips
        self.me = c.player(ME)
        rng = random.SystemRandom() if seed is None else random.Random(seed)
        trouble = random.SystemRandom() if seed is None else random.Random(f"{seed}, faults")
        dealer = Dealer(lambda cards: rng.sample(list(cards), len(cards)), lambda: cut(rng))
        self.dealer = FaultyDealer(dealer, trouble, evenly(faults)) if faults else dealer
        self.purse = Purse()
        self.picture = self.last_round = Picture()
        self.refusal: Refused | None = None
        self.table = evolve(None, e.TableOpened("the table", dict(house.source), INVENTORY))
        first = (house.positions - seats) // 2 + 1
        self.seat = first + (seats - 1) // 2
        named = names()
        for seat in range(first, first + seats):
            mine = seat == self.seat
            self.do(c.SitDown(self.me if mine else c.player(next(named)), seat, chips))
        self.purse.bought = chips

    # --- what there is to see -----------------------------------------------------------------

    @property
    def position(self) -> Position | None:
        return self.table.position(self.seat)

    @property
    def bankroll(self) -> Cents:
        return self.table.chips_free(ME)

    @property
    def playing(self) -> bool:
        """Whether my cards keep me in my seat."""
        return self.table.round is not None and self.table.now.closed

    @property
    def waits_for(self) -> str:
        """ "bet" or "choice" when the table waits for me, else nothing."""
        step = current(self.table)
        if step is None or step.kind is Kind.BETS:
            return "bet" if self.position is None and not self._opening() else ""
        waiting = turn(self.table, step)
        mine = waiting is not None and waiting.seat == self.seat
        return "choice" if mine and self.choices() else ""

    def options(self) -> list[c.Command]:
        return options(self.table, self.me)

    def choices(self) -> list[c.Choose]:
        return [each for each in self.options() if isinstance(each, c.Choose)]

    # --- what happens -------------------------------------------------------------------------

    def do(self, command: c.Command) -> Batch:
        """Ask it of the table; a refusal is kept to be shown, and nothing happens."""
        answer = decide(self.table, command)
        if isinstance(answer, Refused):
            if command.by != self.me:
                raise AssertionError(f"{command} was refused: {answer}")
            self.refusal = answer
            return ()
        if command.by == self.me:
            self.refusal = None
        for event in answer:
            self._before(event)
            self.table = evolve(self.table, event)
            self.picture.take_in(event)
        self.picture.look_at(view(self.table, self.me)["round"])
        return answer

    def _before(self, event: e.Event) -> None:
        """Keep the purse, and clear the picture of the last round when a new one begins."""
        match event:
            case e.WagersPlaced(seat=self.seat):
                self.last_round, self.picture = self.picture, Picture()
                self.purse.before = self.bankroll
            case e.ChipsBought(player=str(who)) if who == ME:
                self.purse.bought += event.amount
                self.purse.before += event.amount
            case e.RoundEnded() if self.position:
                net = self.bankroll - self.purse.before
                self.purse.rounds.append(Played(event.number, net, self.table.now.void))
            case e.PlayerLeft(player=str(who)) if who == ME:
                self.purse.cashed = event.chips

    def advance(self) -> Batch:
        """One act of the dealer, the floor, a device or another player; none when I am to act."""
        if self.waits_for:
            return ()
        command = self._next()
        return self.do(command) if command else ()

    def _opening(self) -> bool:
        """The cards are brought and prepared before the first bet of the evening."""
        if self.table.rounds or self.table.round:
            return False
        house = self.table.house
        wanted = len(house.decks) if self.table.shuffling == "automated" else 1
        ready = [deck for deck in self.table.decks if deck.at is DeckAt.READY]
        return len(ready) < wanted

    def _next(self) -> c.Command | None:
        step = current(self.table)
        if step is None or step.kind is Kind.BETS:
            if self.position is None:
                return self.dealer.next_command(self.table, close_bets=False)
            if bet := self._others_bet():
                return bet
        command = self.dealer.next_command(self.table, close_bets=True)
        if command is not None or step is None:
            return command
        waiting = turn(self.table, step)
        assert waiting is not None, f"the dealer does not know how to go on at {step.kind}"
        return bot_choice(self.table, waiting.seat, view(self.table, c.player(waiting.player)))

    def _others_bet(self) -> c.Command | None:
        for seat, name in enumerate(self.table.seats, 1):
            if name and name != ME and not self.table.position(seat):
                if wagers := bot_wagers(self.table, seat):
                    return c.PlaceWagers(c.player(name), seat, wagers)
                return c.BuyChips(c.player(name), self.chips)
        return None

    # --- leaving ------------------------------------------------------------------------------

    def leave(self) -> list[Batch]:
        """Wagers that may be taken back are; a hand in play is given up as cheaply as the game
        allows, for a player with cards stays seated until the round is over."""
        happened: list[Batch] = []
        if self.position and not self.playing:
            happened.append(self.do(c.TakeBackWagers(self.me, self.seat)))
        while self.position:
            happened.append(self.advance() or self.do(self._cheapest()))
        if ME in self.table.seats:
            happened.append(self.do(c.StandUp(self.me, self.seat)))
        return happened

    def _cheapest(self) -> c.Choose:
        order = ("check", "withdraw", "fold", "pick")
        return min(self.choices(), key=lambda o: order.index(o.verb) if o.verb in order else 9)


def cut(rng: random.Random) -> int:
    return rng.randint(10, 42)
