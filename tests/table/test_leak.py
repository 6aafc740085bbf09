"""Nobody sees a card before it is turned.

Two evenings with the same commands and decks that agree on all that a viewer may have seen, and
on nothing else, look the same to that viewer: byte for byte, at every step. What a viewer may
have seen is kept here by the rules of the games, not read from the views that are tested.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import msgspec
import pytest
from engine_driver import HOUSES, Evening, player
from helpers import ALL_BOOKS
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.cards.card import Card, card, spell
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.commands import DEALER, DEVICE, SUPERVISOR, Actor, Command
from croupier.table.options import options
from croupier.table.procedure import Kind, current, turn
from croupier.table.refused import Refused
from croupier.table.state import DeckAt, Table
from croupier.table.view import BACK, RAILBIRD, seen_event, view

NAMES = sorted(HOUSES)
SEATS = (1, 2, 4)
VIEWERS = (*(player(f"p{seat}") for seat in SEATS), DEALER, SUPERVISOR, DEVICE, RAILBIRD)


class Knowledge:
    """The faces each viewer has lawfully seen this round."""

    def __init__(self) -> None:
        self.public: set[Card] = set()
        self.own: dict[str, set[Card]] = {}

    def of(self, viewer: Actor) -> set[Card]:
        return self.public | self.own.get(viewer.player, set())

    def learn(self, before: Table, command: Command, after: Table) -> None:
        """Which faces this lawful command turned up, and for whom."""
        game = before.house.game.id
        r = after.round
        step = current(before)
        match command:
            case c.DealHands():
                assert r is not None
                if game != "pik-it":  # where nobody may look before the dealer turns it up
                    for p in r.positions:
                        self.own.setdefault(p.player, set()).update(p.cards)
                if game == "caribbean-stud" and after.dealing != "automated shoe":
                    self.public.add(r.dealer[4])
            case c.ExposeUpCard():
                assert r is not None
                self.public.add(r.dealer[0])
            case c.DealCommunity():
                assert r is not None
                self.public.update(r.community)
            case c.RevealCommunity():
                assert r is not None
                self.public.add(r.community[len(r.community_shown) - 1])
            case c.RevealDealer():
                self.public.update(before.now.dealer)
            case c.RevealHand(seat=seat):
                self.turn_up(before, seat)
            case c.Settle(seat=seat) if step is not None and step.kind is Kind.SETTLE:
                position = before.position(seat)
                if position is not None and not position.racked:
                    self.turn_up(before, seat)
            case c.Choose(verb="pick", seat=seat, cards=places):
                position = before.position(seat)
                assert position is not None
                self.public.update(position.cards[n - 1] for n in places)
            case c.ReportFaceUpCard(ahead=ahead):
                self.public.add(before.now.stub[ahead])

    def turn_up(self, table: Table, seat: int) -> None:
        position = table.position(seat)
        assert position is not None
        self.public.update(position.cards)


class Told(Evening):
    """An evening that remembers who knows what, one round from the first shuffle."""

    def __init__(self, name: str, seed: int) -> None:
        super().__init__(HOUSES[name], seats=SEATS, seed=seed)
        self.known = Knowledge()

    def do(self, command: Command) -> tuple[e.Event, ...]:
        before = self.table
        events = super().do(command)
        self.known.learn(before, command, self.table)
        return events

    def play(self, commands: int, trouble: int) -> Told:
        """So many commands from the closing of bets, or to the end of the round."""
        self.arrive()
        while self.table.round is None or not self.table.now.closed:
            self.step()
        for number in range(commands):
            if self.table.round is None:
                break
            self.trouble() if number == trouble else self.step()
        return self

    def trouble(self) -> None:
        reports: list[Command] = [
            c.ReportFaceUpCard(DEALER, self.rng.randint(0, 3)),
            c.ReportExposedCard(SUPERVISOR),
            c.ReportWrongNumber(DEALER, "seat 2", self.table.house.game.cards_each + 1),
            c.ReportWrongNumber(DEALER, "dealer", self.table.house.game.cards_each - 1),
        ]
        self.rng.shuffle(reports)
        for report in reports:
            if not isinstance(self.ask(report), Refused):
                self.do(report)
                return
        self.step()


def other_decks(evening: Told, viewer: Actor, rng: random.Random) -> Iterator[Command]:
    """The same commands, but all cards that the viewer has not seen lie elsewhere."""
    known = evening.known.of(viewer)
    closed = evening.table.now.colour if evening.table.round else evening.table.last_colour

    def moved(order: str, colour: str) -> str:
        kept = known if colour == closed else set()
        cards = [card(text) for text in order.split()]
        unseen = [each for each in cards if each not in kept]
        rng.shuffle(unseen)
        elsewhere = iter(unseen)
        return spell(each if each in kept else next(elsewhere) for each in cards)

    for command in evening.commands:
        match command:
            case c.ShuffleDeck():
                yield replace(command, order=moved(command.order, command.colour))
            case c.ReceiveDeck(preshuffled=True):
                yield replace(command, cards=moved(command.cards, command.colour))
            case _:
                yield command


def bytes_seen(table: Table, viewer: Actor) -> bytes:
    return msgspec.json.encode(view(table, viewer))


def stream(log: list[e.Event]) -> bytes:
    return msgspec.json.encode([seen_event(event) for event in log])


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=12)
@given(
    seed=st.integers(0, 10_000),
    commands=st.integers(0, 40),
    trouble=st.sampled_from([-1, -1, 0, 1, 3, 5, 8]),
)
def test_what_a_viewer_may_not_see_makes_no_difference(
    name: str, seed: int, commands: int, trouble: int
) -> None:
    told = Told(name, seed).play(commands, trouble)
    for viewer in VIEWERS:
        other = Evening(HOUSES[name], seats=SEATS)
        for command in other_decks(told, viewer, random.Random(seed)):
            other.do(command)
        assert bytes_seen(other.table, viewer) == bytes_seen(told.table, viewer), viewer
        assert stream(other.log) == stream(told.log), viewer
        if viewer not in (DEALER, DEVICE):  # who handle the deck
            assert options(other.table, viewer) == options(told.table, viewer)


def test_only_the_order_of_a_deck_is_secret() -> None:
    kinds = e.AnyEvent.__args__
    assert len(kinds) > 40
    secrets = {kind.__name__: kind.secret for kind in kinds if kind.secret}
    assert secrets == {"DeckReceived": ("cards",), "DeckShuffled": ("order",)}


@pytest.mark.parametrize("name", NAMES)
def test_no_secret_is_in_an_event_as_anyone_may_see_it(name: str) -> None:
    log = Evening(HOUSES[name]).arrive().rounds(2).log
    hidden = 0
    for event in log:
        seen = seen_event(event)
        assert not set(event.secret) & set(seen)
        assert set(seen) | set(event.secret) == {"event", *event.__struct_fields__}
        hidden += len(event.secret)
    assert hidden >= 2


NOBODY_LOOKS = "nj-pik-it-poker"


@pytest.mark.parametrize("book", [book for book in ALL_BOOKS if book != NOBODY_LOOKS])
def test_after_the_deal_a_player_sees_the_own_hand_and_backs_elsewhere(book: str) -> None:
    table = Evening({"rulebook": book, "dealing": "automated shoe"}).arrive().until("deal")
    table.step()
    for viewer in VIEWERS:
        shown = view(table.table, viewer)["round"]
        assert set(shown["dealer"]) <= {BACK}
        assert set(shown["community"]) <= {BACK}
        for p, position in zip(shown["positions"], table.table.now.positions, strict=True):
            own = viewer.player == p["player"]
            assert p["cards"] == [str(each) if own else BACK for each in position.cards]


@pytest.mark.ruling("P2")
def test_at_pik_it_nobody_sees_a_card_before_the_dealer_turns_it_up() -> None:
    evening = Evening({"rulebook": NOBODY_LOOKS}).arrive().until("deal")
    evening.step()
    for viewer in VIEWERS:
        for p in view(evening.table, viewer)["round"]["positions"]:
            assert p["cards"] == [BACK] * 5


@pytest.mark.ruling("P2", "P8")
def test_at_pik_it_picked_cards_and_hands_turned_up_are_seen_by_all() -> None:
    evening = Evening({"rulebook": NOBODY_LOOKS}).arrive()
    for seat in SEATS:
        wagers = {"ante": 5_00, "5 card bonus": 5_00, "3 card bonus": 5_00}
        evening.do(c.PlaceWagers(player(f"p{seat}"), seat, wagers))
    evening.until("pick")
    evening.do(c.Choose(player("p4"), 4, "pick", cards=(2, 3, 5)))
    cards = evening.table.now.positions[-1].cards
    for viewer in VIEWERS:
        seen = view(evening.table, viewer)["round"]["positions"][-1]["cards"]
        assert seen == [BACK, str(cards[1]), str(cards[2]), BACK, str(cards[4])]
    evening.until("play by seat")
    step = current(evening.table)
    assert step is not None
    first = turn(evening.table, step)
    assert first is not None
    assert first.seat == 4
    evening.do(c.RevealHand(DEALER, 4))
    for viewer in VIEWERS:
        shown = view(evening.table, viewer)["round"]["positions"]
        assert shown[-1]["cards"] == [str(each) for each in cards]
        assert shown[0]["cards"].count(BACK) == 2  # picked, but not turned up yet


def test_a_view_tells_how_many_cards_are_in_the_rack_and_in_the_stub_but_not_which() -> None:
    evening = Evening(HOUSES["nj-pik-it-poker, manual shoe"]).arrive().rounds(1)
    texts = [str(each) for each in evening.table.rack]
    assert len(texts) == 52
    for viewer in VIEWERS:
        seen = view(evening.table, viewer)
        assert seen["rack"] == 52
        assert not any(text in str(seen).split("'") for text in texts)
    evening.until("deal")
    assert evening.table.decks[0].at is DeckAt.IN_PLAY
    evening.step()
    assert view(evening.table, RAILBIRD)["round"]["stub"] == 52 - 5 * (len(SEATS) + 1)
