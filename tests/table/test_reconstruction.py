"""Every hand of a finished round can be rebuilt from the discard rack."""

from __future__ import annotations

import pytest
from engine_driver import HOUSES, Evening
from helpers import ALL_BOOKS, MA_UTH, NJ_UTH

from croupier.cards.card import Card, card, spell
from croupier.law import refused as law
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.commands import DEALER, SUPERVISOR
from croupier.table.reconstruct import RECONSTRUCT, reconstruct
from croupier.table.refused import Refused


class Eye:
    """Surveillance: knows the deck as it was when bets closed, and follows every single card."""

    def __init__(self, deck: tuple[Card, ...], let_it_ride: bool, stacks: bool) -> None:
        self.deck = list(deck)
        self.let_it_ride = let_it_ride
        self.stacks = stacks
        self.hands: dict[str, list[Card]] = {}

    def takes(self, place: str, count: int = 1, at: int = 0) -> None:
        taken, self.deck[at : at + count] = self.deck[at : at + count], []
        self.hands.setdefault(place, []).extend(taken)

    def sees(self, event: e.Event) -> None:
        match event:
            case e.HandsDealt():
                for place in event.places:
                    self.takes(place)
                if self.stacks and self.let_it_ride:  # the bottom of the stack lies leftmost
                    self.hands["community"].reverse()
            case e.DealersStackDelivered():
                self.takes("dealer", 5)
            case e.CardBurned() if self.let_it_ride:
                self.hands["burned"] = [self.hands["community"].pop(0)]
            case e.CardBurned():
                self.takes("burned")
            case e.CommunityDealt():
                self.takes("community", len(event.cards.split()))
            case e.DealersHandRepaired():
                self.takes("dealer", event.cards)
            case e.FaceUpCardRacked():
                assert self.deck[event.ahead] == card(event.card)
                self.takes("face up", 1, event.ahead)
            case e.IrregularityReported(kind="wrong number") if "stub" in self.hands:
                pass  # too late to draw or give back a card
            case e.IrregularityReported(kind="wrong number", place=place, count=count):
                hand = self.hands.setdefault(place, [])
                if count > len(hand):
                    self.takes(place, count - len(hand))
                else:
                    self.deck[:0] = hand[count:]
                    del hand[count:]
            case e.StubRacked():
                self.takes("stub", len(self.deck))

    @property
    def saw(self) -> dict[str, tuple[Card, ...]]:
        return {place: tuple(cards) for place, cards in self.hands.items() if cards}


class Watched(Evening):
    """An evening with an eye above; sometimes something goes wrong."""

    def watch(self, rounds: int, trouble: float = 0.0) -> Watched:
        self.arrive()
        for _ in range(rounds):
            while self.table.round is None or not self.table.now.closed:
                self.step()
            game = self.table.house.game
            stacks = game.procedures[self.table.dealing].stacks
            eye = Eye(self.table.now.stub, game.id == "let-it-ride", stacks)
            removed = False
            while self.table.round is not None:
                command = self.trouble() if self.rng.random() < trouble else self.next()
                if isinstance(answer := self.ask(command), Refused):
                    continue
                for event in answer:
                    if isinstance(event, e.DeckRemoved):  # the rack goes with its deck
                        removed = True
                        self.compare(eye)
                    self.happens(event)
                    eye.sees(event)
            if not removed:
                self.compare(eye)
            for device in self.table.jammed:
                self.do(c.RemoveDevice(SUPERVISOR, device))
                self.do(c.InstallDevice(SUPERVISOR, device))
        return self

    def trouble(self) -> c.Command:
        rng, each = self.rng, self.table.house.game.cards_each
        place = rng.choice(("seat 1", "seat 2", "seat 4", "dealer", "community"))
        return rng.choice(
            (
                c.ReportFaceUpCard(DEALER, rng.randint(0, 8)),
                c.ReportExposedCard(DEALER),
                c.ReportWrongNumber(DEALER, place, each + rng.choice((-1, 1, 2))),
                c.ReportJam(DEALER, "shoe"),
                c.CountStub(DEALER, rng.randint(0, 52), rng.random() < 0.5),
            )
        )

    def compare(self, eye: Eye) -> None:
        rebuilt = reconstruct(self.table.rack, self.table.rack_log)
        assert {place: cards for place, cards in rebuilt.items() if cards} == eye.saw


@pytest.mark.twins("NJ 19:47-32.10(i)")
@pytest.mark.clause("NJ 19:47-18.10(h)")
@pytest.mark.parametrize("name", sorted(HOUSES))
def test_every_hand_can_be_rebuilt_from_the_rack(name: str) -> None:
    """Players fold, withdraw and cover all at random here."""
    Watched(HOUSES[name], seed=3).watch(15)


@pytest.mark.twins("NJ 19:47-32.10(i)")
@pytest.mark.clause("NJ 19:47-18.10(h)")
@pytest.mark.parametrize("name", sorted(HOUSES))
def test_also_when_hands_were_void(name: str) -> None:
    evening = Watched(HOUSES[name], seed=4).watch(25, trouble=0.1)
    assert any(isinstance(event, e.AllHandsVoided) for event in evening.log)


def test_with_cover_all_up_the_rack_still_tells_every_hand_apart() -> None:
    evening = Watched({"rulebook": MA_UTH}, seats=range(1, 7), rich=True).watch(40)
    left = [event for event in evening.log if isinstance(event, e.HandLeftExposed)]
    assert len(left) > 10


@pytest.mark.parametrize("book", ALL_BOOKS)
def test_a_rack_that_lost_a_card_is_refused(book: str) -> None:
    table = Evening({"rulebook": book}).arrive().rounds(1).table
    assert len(table.rack) == 52
    with pytest.raises(law.Refused) as wrong:
        reconstruct(table.rack[:-1], table.rack_log)
    assert wrong.value.clause == RECONSTRUCT
    assert wrong.value.sentence == "The rack holds 51 cards, but 52 were put into it."


def test_a_round_reads_back_place_by_place() -> None:
    table = Evening({"rulebook": NJ_UTH}, seats=(2,)).arrive().until("clear").table
    dealer, board = table.now.dealer, table.now.community
    evening = Evening({"rulebook": NJ_UTH}, seats=(2,)).arrive().rounds(1)
    hands = reconstruct(evening.table.rack, evening.table.rack_log)
    assert set(hands) == {"seat 2", "dealer", "community", "burned", "stub"}
    assert (hands["dealer"], hands["community"]) == (dealer, board)
    assert spell(hands["seat 2"]) != spell(dealer)
    assert [len(hands[place]) for place in ("seat 2", "burned", "stub")] == [2, 2, 41]
