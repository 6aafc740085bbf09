"""How decks and devices change; the part of evolve that comes before and between rounds, and
what an irregularity does to cards."""

from __future__ import annotations

from dataclasses import replace as with_changes

from msgspec.structs import replace

from croupier.cards.card import Card, read_exact
from croupier.table import events as e
from croupier.table.changes import (
    decks_with,
    pay,
    racked,
    with_deck,
    with_position,
    with_round,
)
from croupier.table.state import Deck, DeckAt, Table

# --- cards and devices ----------------------------------------------------------------------


def deck_received(t: Table, ev: e.DeckReceived) -> Table:
    if ev.preshuffled:
        deck = Deck(ev.colour, DeckAt.SHUFFLED, cards=read_exact(ev.cards))
    else:
        deck = Deck(ev.colour, DeckAt.RECEIVED, received=ev.cards)
    return replace(t, decks=(*t.decks, deck))


def deck_inspected(t: Table, ev: e.DeckInspected) -> Table:
    deck = t.deck(ev.colour)
    assert deck is not None
    return with_deck(
        t, ev.colour, at=DeckAt.INSPECTED, cards=read_exact(deck.received), received=""
    )


def deck_verified(t: Table, ev: e.DeckVerified) -> Table:
    return with_deck(t, ev.colour, at=DeckAt.VERIFIED)


def deck_spread(t: Table, ev: e.DeckSpread) -> Table:
    deck = t.deck(ev.colour)
    assert deck is not None
    at = DeckAt.SPREAD if ev.face_up else DeckAt.SPREAD_DOWN
    return _gathered(t, deck, at, tuple(sorted(t.cards_of(deck))))


def deck_washed(t: Table, ev: e.DeckWashed) -> Table:
    return with_deck(t, ev.colour, at=DeckAt.WASHED)


def _gathered(t: Table, deck: Deck, at: DeckAt, cards: tuple[Card, ...]) -> Table:
    """The deck lies elsewhere, in this order; a used one leaves the rack whole."""
    decks = decks_with(t, deck.colour, at=at, cards=cards, cut=False)
    if deck.at is not DeckAt.USED:
        return replace(t, decks=decks)
    return replace(t, decks=decks, rack=(), rack_log=(), rack_colour="")


def shuffler_loaded(t: Table, ev: e.ShufflerLoaded) -> Table:
    deck = t.deck(ev.colour)
    assert deck is not None
    return _gathered(t, deck, DeckAt.IN_SHUFFLER, t.cards_of(deck))


def deck_shuffled(t: Table, ev: e.DeckShuffled) -> Table:
    deck = t.deck(ev.colour)
    assert deck is not None
    at = DeckAt.READY if ev.automated else DeckAt.SHUFFLED
    return _gathered(t, deck, at, read_exact(ev.order))


def deck_cut(t: Table, ev: e.DeckCut) -> Table:
    """The cards cut from the top end below the rest."""
    deck = t.deck(ev.colour)
    assert deck is not None
    cards = deck.cards[ev.cards :] + deck.cards[: ev.cards]
    return with_deck(t, ev.colour, at=DeckAt.READY, cards=cards, cut=True)


def recut_ordered(t: Table, ev: e.RecutOrdered) -> Table:
    return with_deck(t, ev.colour, at=DeckAt.SHUFFLED, cut=False)


def deck_removed(t: Table, ev: e.DeckRemoved) -> Table:
    decks = tuple(d for d in t.decks if d.colour != ev.colour)
    t = replace(t, decks=decks)
    if t.rack_colour == ev.colour:
        t = replace(t, rack=(), rack_log=(), rack_colour="")
    return t


def device_removed(t: Table, ev: e.DeviceRemoved) -> Table:
    return replace(t, devices=t.devices - {ev.device}, jammed=t.jammed - {ev.device})


def device_installed(t: Table, ev: e.DeviceInstalled) -> Table:
    return replace(t, devices=t.devices | {ev.device})


def method_changed(t: Table, ev: e.MethodChanged) -> Table:
    return replace(t, shuffling=ev.shuffling, dealing=ev.dealing)


def inventory_filled(t: Table, ev: e.InventoryFilled) -> Table:
    return replace(t, inventory=t.inventory + ev.amount, cage=t.cage - ev.amount)


def table_closed(t: Table, ev: e.TableClosed) -> Table:
    return replace(
        t,
        closed=True,
        inventory=t.inventory - ev.inventory,
        drop_box=t.drop_box - ev.drop_box,
        meter=t.meter - ev.meter,
        terms=with_changes(t.terms, meter=t.meter - ev.meter),
        cage=t.cage + ev.inventory + ev.drop_box + ev.meter,
    )


# --- irregularities -------------------------------------------------------------------------


def irregularity_reported(t: Table, ev: e.IrregularityReported) -> Table:
    if ev.kind in ("shuffler jam", "shoe jam"):
        device = ev.kind.removesuffix(" jam")
        t = replace(t, jammed=t.jammed | {device})
        if device == "shuffler":
            for deck in t.decks:
                if deck.at is DeckAt.IN_SHUFFLER:
                    t = with_deck(t, deck.colour, at=DeckAt.WASHED)
    elif ev.kind == "wrong number":
        t = _as_found(t, ev.place, ev.count)
    return t


def _as_found(t: Table, place: str, count: int) -> Table:
    """A hand with too many cards has those next in the deck; one with too few left them there.
    Once the stub is in the rack nothing is moved: the hand is void as it lies (ruling H9)."""
    if t.now.stub_gone:
        return t
    hand = _hand(t, place)
    lying = hand + t.now.stub
    return _with_hand(with_round(t, stub=lying[count:]), place, lying[:count])


def _hand(t: Table, place: str) -> tuple[Card, ...]:
    if place == "dealer":
        return t.now.dealer
    if place == "community":
        return t.now.community
    position = t.position(int(place.removeprefix("seat ")))
    assert position is not None
    return position.cards


def _with_hand(t: Table, place: str, cards: tuple[Card, ...]) -> Table:
    if place == "dealer":
        return with_round(t, dealer=cards)
    if place == "community":
        return with_round(t, community=cards)
    return with_position(t, int(place.removeprefix("seat ")), cards=cards)


def dealers_hand_repaired(t: Table, ev: e.DealersHandRepaired) -> Table:
    r = t.now
    return with_round(t, dealer=r.dealer + r.stub[: ev.cards], stub=r.stub[ev.cards :])


def face_up_card_racked(t: Table, ev: e.FaceUpCardRacked) -> Table:
    r = t.now
    stub = r.stub[: ev.ahead] + r.stub[ev.ahead + 1 :]
    found = replace(r, stub=stub, face_up_found=r.face_up_found + 1)
    return racked(t, "face up", (r.stub[ev.ahead],), found)


def hand_voided(t: Table, ev: e.HandVoided) -> Table:
    return with_position(t, ev.seat, void=True)


def all_hands_voided(t: Table, ev: e.AllHandsVoided) -> Table:
    return with_round(t, void=True, trips_only=ev.trips_stay)


def folded_wager_returned(t: Table, ev: e.FoldedWagerReturned) -> Table:
    position = t.position(ev.seat)
    assert position is not None
    t = replace(
        t,
        inventory=t.inventory - ev.amount,
        players=pay(t, position.player, ev.amount),
    )
    if ev.wager == "ante" and position.coupon:
        t = replace(t, drop_box=t.drop_box - position.coupon, cage=t.cage + position.coupon)
    return with_position(t, ev.seat, settled={**position.settled, ev.wager: "returned"})
