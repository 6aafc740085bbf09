"""Whatever is said at a table, chips and cards stay the same in number.

A random driver plays rounds of every house and puts all sorts of commands in between: lawful
ones out of turn, unlawful ones, and every irregularity. After each single event nothing has come
from nowhere. A failure names the seed and the last commands.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import product

import pytest
from engine_driver import FROM_THE_HAND, HOUSES, Evening, player
from helpers import CARIBBEAN, NJ_UTH, PIK_IT

from croupier.cards.card import DECK, Card, card, spell
from croupier.rules.refusals import Refusal
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.commands import DEALER, DEVICE, SUPERVISOR, Actor, Command
from croupier.table.options import candidates
from croupier.table.refused import Refused
from croupier.table.state import DeckAt, Table

ROUNDS = 100  # of each house and seed
SEEDS = (1, 2)
RARELY = (c.RemoveDeck, c.RemoveDevice, c.ChangeMethod, c.SpreadDeck, c.OrderRecut, c.StandUp)


def nothing_lost(table: Table) -> None:
    """Chips and coupons add up; nobody owes; every card is in one place."""
    assert table.accounts() == 0
    for name, amount in (
        ("inventory", table.inventory),
        ("meter", table.meter),
        ("drop box", table.drop_box),
        *table.players.items(),
    ):
        assert amount >= 0, f"{name} is at {amount}"
    if table.round is not None and table.round.closed:
        in_play = table.deck(table.round.colour)
        assert in_play is not None
        assert in_play.at is DeckAt.IN_PLAY
        r = table.round
        found = [*in_play.cards, *r.stub, *table.rack, *r.dealer, *r.community]
        for p in r.positions:
            if not p.racked:
                found += p.cards
        assert len(found) == 52
        assert len(set(found)) == 52
        assert table.rack == () or table.rack_colour == r.colour
    assert sum(count for _, count in table.rack_log) == len(table.rack)
    for deck in table.decks:
        if deck.at is DeckAt.USED:
            assert len({*deck.cards, *table.rack}) == len(deck.cards) + len(table.rack) == 52
        elif deck.at not in (DeckAt.IN_PLAY, DeckAt.RECEIVED):
            assert len(set(deck.cards)) == len(deck.cards) == 52


class Unruly(Evening):
    """An evening at which anybody may say anything; every event is looked at."""

    def __init__(self, name: str, seed: int) -> None:
        rng = random.Random(seed)
        inventory = rng.choice((0, 50_00, 1_000_000_00))
        chips = rng.choice((120_00, 20_000_00))
        super().__init__(
            HOUSES[name], seed=seed, rich=seed % 2 == 0, inventory=inventory, chips=chips
        )
        self.happened: Counter[str] = Counter()
        self.refused: Counter[Refusal] = Counter()

    def happens(self, event: e.Event) -> None:
        super().happens(event)
        self.happened[type(event).__name__] += 1
        if isinstance(event, e.IrregularityReported):
            self.happened[event.kind] += 1
        if not isinstance(event, e.DeckReceived | e.PlayerSat):
            nothing_lost(self.table)

    def play(self, rounds: int) -> None:
        while self.table.rounds < rounds:
            if self.rng.random() < 0.15:
                self.try_(self.anything())
                continue
            command = self.next()
            if (refused := self.try_(command)) is not None:
                self.help(command, refused)

    def try_(self, command: Command) -> Refused | None:
        answer = self.ask(command)
        if isinstance(answer, Refused):
            self.refused[answer.code] += 1
            return answer
        self.do(command)
        return None

    def anything(self) -> Command:
        """Something that somebody might say now, lawful or not."""
        rng = self.rng
        seated = [player(name) for name in self.table.seats if name]
        who = rng.choice([DEALER, DEALER, SUPERVISOR, DEVICE, player("p9"), *seated])
        if rng.random() < 0.4:
            return rng.choice(self.odd(rng))
        made = [x for x in candidates(self.table, who) if not isinstance(x, c.CloseTable)]
        kinds = sorted({type(command).__name__ for command in made})
        kind = rng.choice(kinds)
        command = rng.choice([each for each in made if type(each).__name__ == kind])
        if isinstance(command, RARELY) and rng.random() < 0.9:
            return self.anything()
        return command

    def odd(self, rng: random.Random) -> list[Command]:
        """What no option would offer."""
        red = self.table.house.decks[0]
        short = self.table.house.game.cards_each + rng.choice((-2, -1, -1, 1, 2, 3))
        broken = spell((*DECK[:-1], DECK[0]))
        return [
            c.CountStub(DEALER, rng.randint(0, 52)),
            c.CountStub(DEALER, rng.randint(0, 52), misdealt=True),
            c.ReportFaceUpCard(DEALER, rng.randint(-1, 52)),
            c.ReportFaceUpCard(DEALER, 0),
            c.ReportExposedCard(DEALER),
            c.ReportCardDrawnInError(DEALER),
            c.ReportJam(DEALER, rng.choice(("shuffler", "shoe"))),
            c.ReportWrongNumber(SUPERVISOR, rng.choice(("seat 1", "seat 2", "seat 4")), short),
            c.ReportWrongNumber(SUPERVISOR, "dealer", short),
            c.ReportWrongNumber(SUPERVISOR, "community", short),
            c.ReceiveDeck(DEALER, red, broken),
            c.ShuffleDeck(DEALER, red, broken),
            c.ShuffleDeck(DEVICE, red, broken),
            c.ShuffleDeck(DEVICE, red, spell(DECK), counted=51),
            c.SitDown(player("p9"), rng.randint(0, 7), 500_00),
            c.StandUp(player("p9"), rng.randint(1, 6)),
            c.PlaceWagers(player("p1"), 1, {"ante": -500, "blind": -500}),
            c.PlaceWagers(player("p1"), 1, {"ante": 5_00, "blind": 5_00}, coupon=5_00),
            c.BuyChips(player("p1"), -5),
        ]

    def help(self, command: Command, refused: Refused) -> None:
        """Put right what keeps the dealer from going on, as a floor supervisor would."""
        devices = []
        if self.table.shuffling == "automated":
            devices.append("shuffler")
        if self.table.dealing == "automated shoe":
            devices.append("shoe")
        if refused.code is Refusal.DEVICE_NOT_HERE:
            for device in devices:
                if device in self.table.jammed:
                    self.do(c.RemoveDevice(SUPERVISOR, device))
                if device not in self.table.devices:
                    self.do(c.InstallDevice(SUPERVISOR, device))
        elif refused.code is Refusal.INVENTORY_NEEDS_A_FILL:
            self.do(c.FillInventory(SUPERVISOR, 10_000_00))
        elif refused.code is Refusal.NOT_ENOUGH_CHIPS:
            self.do(c.BuyChips(command.by, self.chips))


@cache
def unruly(name: str, seed: int) -> tuple[Unruly, str]:
    """The evening, and what went wrong with it: the seed, the last commands, the assertion."""
    evening = Unruly(name, seed)
    try:
        evening.arrive()
        evening.play(ROUNDS)
    except Exception as error:
        last = "\n".join(str(command) for command in evening.commands[-12:])
        return evening, f"seed {seed}\n{last}\n{evening.log[-2:]}\n{error!r}"
    return evening, ""


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", sorted(HOUSES))
def test_no_chip_and_no_card_comes_from_nowhere(name: str, seed: int) -> None:
    _, wrong = unruly(name, seed)
    assert wrong == ""


def test_the_evenings_were_unruly_enough() -> None:
    """Every irregularity was ruled on, and most of what can be refused was."""
    happened: Counter[str] = Counter()
    refused: Counter[Refusal] = Counter()
    for name, seed in product(HOUSES, SEEDS):
        evening, _ = unruly(name, seed)
        happened.update(evening.happened)
        refused.update(evening.refused)
    known = {kind.__name__ for kind in e.AnyEvent.__args__}
    assert known - happened.keys() == {"TableOpened", "TableClosed"}
    kinds = ("card exposed", "card face up", "card drawn in error", "wrong number")
    for kind in (*kinds, "wrong stub count", "shuffler jam", "shoe jam"):
        assert happened[kind] > 0, kind
    assert happened["RoundEnded"] > 5_000
    assert refused.total() > 10_000
    assert len(refused) > 30


class ThreeAces(Evening):
    """Pik-It at an empty table: seat 2 has nothing, seat 1 three aces."""

    def __init__(self) -> None:
        house = {"rulebook": PIK_IT, **FROM_THE_HAND, "offered": []}
        super().__init__(house, seats=(1, 2), inventory=0)

    def shuffle(self, cards: Sequence[Card]) -> list[Card]:
        hands = ("Ac Ad Ah Kc 3h", "2c 3d 5s 7h 9c", "4c 4d 6h 8s Tc")
        dealt = [card(text) for row in zip(*map(str.split, hands), strict=True) for text in row]
        return [*dealt, *(each for each in DECK if each not in dealt)]

    def wagers(self, seat: int, who: Actor) -> Command:
        return c.PlaceWagers(who, seat, {"ante": 5_00, "5 card bonus": 5_00})


@pytest.mark.ruling("K8")
def test_what_a_fold_cost_comes_back_only_from_chips_that_are_there() -> None:
    """Seat 2 loses its bonus and ante; both pay seat 1's bonus, 2 to 1; then all hands are void."""
    evening = ThreeAces().arrive().until("play by seat", seat=2)
    for command in (
        c.RevealHand(DEALER, 2),
        c.Settle(DEALER, 2),
        c.Choose(player("p2"), 2, "fold"),
        c.RevealHand(DEALER, 1),
        c.Settle(DEALER, 1),
    ):
        evening.do(command)
    assert evening.table.inventory == 0
    refused = evening.ask(c.ReportExposedCard(DEALER))
    assert isinstance(refused, Refused), "the ante of seat 2 would come from nowhere"
    assert refused.code is Refusal.INVENTORY_NEEDS_A_FILL
    evening.do(c.FillInventory(SUPERVISOR, 5_00))
    evening.do(c.ReportExposedCard(DEALER))
    assert evening.table.inventory == 0
    nothing_lost(evening.table)


class Strict(Evening):
    """An evening at an empty table, looked at after every event."""

    def happens(self, event: e.Event) -> None:
        super().happens(event)
        nothing_lost(self.table)


def test_a_meter_gives_back_before_the_chip_that_fed_it_goes_back() -> None:
    """All that is in the inventory is the 30 cents of the dollar that did not feed the meter."""
    evening = Strict({"rulebook": CARIBBEAN}, seats=(1,), inventory=0).arrive()
    evening.do(c.PlaceWagers(player("p1"), 1, {"ante": 5_00, "progressive": 1_00}))
    evening.until("choose")
    assert evening.table.inventory == 30
    meter = evening.table.meter
    evening.do(c.ReportExposedCard(DEALER))
    assert (evening.table.inventory, evening.table.meter) == (0, meter - 70)


def test_an_empty_table_collects_a_hand_s_losers_before_it_pays_its_winners() -> None:
    """Or is filled first; over many hands both a win and a loss on one hand do come up."""
    mixed = 0
    for seed in range(40):
        evening = Strict({"rulebook": NJ_UTH}, seats=(1,), seed=seed, inventory=0).arrive()
        wagers = {"ante": 5_00, "blind": 5_00, "trips": 10_00}
        evening.do(c.PlaceWagers(player("p1"), 1, wagers))
        evening.rounds(1)
        results = {event.result for event in evening.log if isinstance(event, e.WagerSettled)}
        mixed += {"won", "lost"} <= results
    assert mixed > 3


def test_a_progressive_feeds_its_meter_only_from_chips_that_are_there() -> None:
    """Massachusetts leaves the wager on the layout, so the inventory must have the contribution."""
    house = HOUSES["ma-ultimate-texas-holdem, progressive"]
    evening = Evening(house, seats=(1,), inventory=99).arrive()
    wagers = {"ante": 5_00, "blind": 5_00, "trips": 5_00, "progressive": 5_00}
    while (command := evening.dealer.next_command(evening.table, close_bets=False)) is not None:
        evening.do(command)
    evening.do(c.PlaceWagers(player("p1"), 1, wagers))
    refused = evening.ask(c.AnnounceNoMoreBets(DEALER))
    assert isinstance(refused, Refused), "the meter would be fed from nowhere"
    assert refused.code is Refusal.INVENTORY_NEEDS_A_FILL
    evening.do(c.FillInventory(SUPERVISOR, 1))
    evening.do(c.AnnounceNoMoreBets(DEALER))
    assert evening.table.inventory == 0
