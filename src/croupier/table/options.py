"""options(table, who): the commands that decide would accept now.

There is one verifier, decide itself: candidates are made from what is on the table and each is
asked of it. Where an amount is free, the option stands for all amounts the posted limits allow
and carries the least.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from croupier.cards.card import DECK, spell
from croupier.table import commands as c
from croupier.table.commands import Actor
from croupier.table.decide import HANDLERS, decide
from croupier.table.procedure import current
from croupier.table.refused import Refused
from croupier.table.state import Table

LEAST_CHIPS = 1

Maker = Callable[[Table, Actor], Iterator[c.Command]]


def options(table: Table, who: Actor) -> list[c.Command]:
    """Everything ``who`` may do now."""
    return [
        command
        for command in candidates(table, who)
        if not isinstance(decide(table, command), Refused)
    ]


def candidates(table: Table, who: Actor) -> Iterator[c.Command]:
    """Every command worth asking about, lawful or not."""
    for kind, (roles, _) in HANDLERS.items():
        if who.role in roles:
            yield from _MAKERS.get(kind, _bare(kind))(table, who)


def _bare(kind: type[c.Command]) -> Maker:
    """A command that says everything by its name."""
    return lambda table, who: iter((kind(who),))


def _colours(kind: type[c.Command]) -> Maker:
    return lambda t, who: (kind(who, d.colour) for d in t.decks)  # type: ignore[call-arg]


def _seats(kind: type[c.Command]) -> Maker:
    return lambda t, who: (kind(who, n) for n in range(1, len(t.seats) + 1))  # type: ignore[call-arg]


def _devices(kind: type[c.Command]) -> Maker:
    return lambda t, who: (kind(who, d) for d in ("shuffler", "shoe"))  # type: ignore[call-arg]


def _receive(t: Table, who: Actor) -> Iterator[c.Command]:
    for colour in t.house.decks:
        yield c.ReceiveDeck(who, colour, spell(DECK))
        yield c.ReceiveDeck(who, colour, spell(DECK), preshuffled=True)


def _spread(t: Table, who: Actor) -> Iterator[c.Command]:
    for deck in t.decks:
        yield c.SpreadDeck(who, deck.colour, True)
        yield c.SpreadDeck(who, deck.colour, False)


def _shuffle(t: Table, who: Actor) -> Iterator[c.Command]:
    for deck in t.decks:
        cards = t.cards_of(deck)
        yield c.ShuffleDeck(who, deck.colour, spell(sorted(cards)))  # says nothing of the rack


def _cut(t: Table, who: Actor) -> Iterator[c.Command]:
    for deck in t.decks:
        yield from (c.CutDeck(who, deck.colour, n) for n in range(10, 52))


def _method(t: Table, who: Actor) -> Iterator[c.Command]:
    for shuffling in ("manual", "automated"):
        for dealing in t.house.game.procedures:
            yield c.ChangeMethod(who, shuffling, dealing)


def _wagers(t: Table, who: Actor) -> Iterator[c.Command]:
    """The required wagers at their minimum, alone and with each lawful set of optional ones."""
    game = t.house.game
    least = {
        w.name: w.exactly or t.terms.posted[w.key if w.key in t.terms.posted else "ante"].minimum
        for w in game.wagers_under(t.house.book)
        if w.before_the_deal and (w.required or w.key in t.terms.offered)
    }
    required = [w.name for w in game.wagers if w.required]
    optional = [name for name in least if name not in required]
    for seat in t.seats_of(who.player):
        for count in range(len(optional) + 1):
            for chosen in combinations(optional, count):
                placed = {name: least[name] for name in (*required, *chosen)}
                yield c.PlaceWagers(who, seat, placed)


def _choices(t: Table, who: Actor) -> Iterator[c.Command]:
    step = current(t)
    if step is None:
        return
    for seat in t.seats_of(who.player):
        for choice in step.choices.values():
            if choice.verb == "pick":
                for three in combinations(range(1, 6), 3):
                    yield c.Choose(who, seat, "pick", cards=three)
            elif choice.multiples:
                for times in choice.multiples:
                    yield c.Choose(who, seat, choice.verb, choice.wager, times)
            else:
                yield c.Choose(who, seat, choice.verb, choice.wager)


def _sweep(t: Table, who: Actor) -> Iterator[c.Command]:
    return (c.SweepChips(who, n) for n in range(len(t.seats) + 1))


def _count(t: Table, who: Actor) -> Iterator[c.Command]:
    """The count that is right; a wrong one is accepted too, and ruled on."""
    yield c.CountStub(who, len(t.round.stub) if t.round else 0)


def _face_up(t: Table, who: Actor) -> Iterator[c.Command]:
    yield c.ReportFaceUpCard(who, 0)


def _wrong_number(t: Table, who: Actor) -> Iterator[c.Command]:
    right = t.house.game.cards_each
    places = [f"seat {n}" for n in range(1, len(t.seats) + 1)]
    for place in (*places, "dealer", "community"):
        for cards in (right - 1, right + 1):
            yield c.ReportWrongNumber(who, place, cards)


def _no_more_bets(t: Table, who: Actor) -> Iterator[c.Command]:
    return (c.AnnounceNoMoreBets(who, deck.colour) for deck in t.decks)


_MAKERS: dict[type[c.Command], Maker] = {
    c.ReceiveDeck: _receive,
    c.InspectDeck: _colours(c.InspectDeck),
    c.VerifyDeck: _colours(c.VerifyDeck),
    c.SpreadDeck: _spread,
    c.TurnFaceUp: _colours(c.TurnFaceUp),
    c.WashDeck: _colours(c.WashDeck),
    c.LoadShuffler: _colours(c.LoadShuffler),
    c.ShuffleDeck: _shuffle,
    c.CutDeck: _cut,
    c.OrderRecut: _colours(c.OrderRecut),
    c.RemoveDeck: _colours(c.RemoveDeck),
    c.RemoveDevice: _devices(c.RemoveDevice),
    c.InstallDevice: _devices(c.InstallDevice),
    c.ChangeMethod: _method,
    c.FillInventory: lambda t, who: iter((c.FillInventory(who, LEAST_CHIPS),)),
    c.SitDown: _seats(c.SitDown),
    c.BuyChips: lambda t, who: iter((c.BuyChips(who, LEAST_CHIPS),)),
    c.StandUp: _seats(c.StandUp),
    c.PlaceWagers: _wagers,
    c.TakeBackWagers: _seats(c.TakeBackWagers),
    c.LightAcceptor: _seats(c.LightAcceptor),
    c.Choose: _choices,
    c.AnnounceNoMoreBets: _no_more_bets,
    c.SweepChips: _sweep,
    c.RevealHand: _seats(c.RevealHand),
    c.Settle: _seats(c.Settle),
    c.CountStub: _count,
    c.ReportFaceUpCard: _face_up,
    c.ReportWrongNumber: _wrong_number,
    c.ReportJam: _devices(c.ReportJam),
}
