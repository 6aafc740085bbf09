"""How a round changes the table: players, wagers, cards on the felt, settlement."""

from __future__ import annotations

from dataclasses import replace as with_changes

from msgspec.structs import replace

from croupier.cards.card import Card, card
from croupier.table import events as e
from croupier.table.changes import (
    decks_with,
    pay,
    racked,
    round_with,
    with_position,
    with_round,
)
from croupier.table.state import DeckAt, Position, Round, Table, place_of

# --- players and wagers ---------------------------------------------------------------------


def player_sat(t: Table, ev: e.PlayerSat) -> Table:
    seats = tuple(ev.player if n == ev.seat else name for n, name in enumerate(t.seats, 1))
    players = {**t.players, ev.player: t.players.get(ev.player, 0) + ev.chips}
    return replace(t, seats=seats, players=players, cage=t.cage - ev.chips)


def chips_bought(t: Table, ev: e.ChipsBought) -> Table:
    return replace(t, players=pay(t, ev.player, ev.amount), cage=t.cage - ev.amount)


def player_left(t: Table, ev: e.PlayerLeft) -> Table:
    seats = tuple("" if n == ev.seat else name for n, name in enumerate(t.seats, 1))
    players = t.players
    if ev.player not in seats:
        players = {name: chips for name, chips in players.items() if name != ev.player}
    return replace(t, seats=seats, players=players, cage=t.cage + ev.chips)


def wagers_placed(t: Table, ev: e.WagersPlaced) -> Table:
    player = t.seats[ev.seat - 1]
    position = Position(seat=ev.seat, player=player, placed=ev.wagers, coupon=ev.coupon)
    current = t.round or Round()
    positions = tuple(sorted((*current.positions, position), key=lambda p: p.seat))
    return replace(
        t,
        round=replace(current, positions=positions),
        players=pay(t, player, -sum(ev.wagers.values())),
        cage=t.cage - ev.coupon,
    )


def wagers_taken_back(t: Table, ev: e.WagersTakenBack) -> Table:
    position = t.position(ev.seat)
    assert position is not None
    players = pay(t, position.player, sum(position.placed.values()))
    positions = tuple(p for p in t.now.positions if p.seat != ev.seat)
    left = replace(t.now, positions=positions) if positions else None
    return replace(t, round=left, players=players, cage=t.cage + position.coupon)


def acceptor_lit(t: Table, ev: e.AcceptorLit) -> Table:
    return with_position(t, ev.seat, lit=True)


def no_more_bets_announced(t: Table, ev: e.NoMoreBetsAnnounced) -> Table:
    deck = t.deck(ev.colour)
    assert deck is not None
    closed = replace(t.now, closed=True, number=ev.number, colour=ev.colour, stub=deck.cards)
    return replace(t, round=closed, decks=decks_with(t, ev.colour, at=DeckAt.IN_PLAY, cards=()))


def locked_out(t: Table, ev: e.LockedOut) -> Table:
    return with_round(t, locked=True)


def chips_swept(t: Table, ev: e.ChipsSwept) -> Table:
    return with_round(replace(t, inventory=t.inventory + ev.amount), swept=True)


def meter_moved(t: Table, ev: e.MeterMoved) -> Table:
    meter = t.meter + ev.amount
    terms = with_changes(t.terms, meter=meter)
    return replace(t, meter=meter, terms=terms, inventory=t.inventory - ev.amount)


def choice_made(t: Table, ev: e.ChoiceMade) -> Table:
    p = t.position(ev.seat)
    assert p is not None
    choices = {**p.choices, ev.point: ev.verb}
    if ev.verb == "fold":
        p = replace(p, choices=choices, folded=True)
    elif ev.verb == "pick":
        p = replace(p, choices=choices, picked=ev.cards)
    elif ev.amount and ev.verb not in ("withdraw", "ride"):
        placed = {**p.placed, ev.wager: ev.amount}
        p = replace(p, choices=choices, played=ev.wager, times=ev.times, placed=placed)
        players = pay(t, p.player, -ev.amount)
        return replace(t, players=players, round=round_with(t.now, p))
    else:
        p = replace(p, choices=choices)
    return replace(t, round=round_with(t.now, p))


# --- dealing --------------------------------------------------------------------------------


def hands_dealt(t: Table, ev: e.HandsDealt) -> Table:
    r = t.now
    hands: dict[str, list[Card]] = {place: [] for place in ev.places}
    for place, dealt in zip(ev.places, r.stub, strict=False):
        hands[place].append(dealt)
    positions = [replace(p, cards=tuple(hands.get(place_of(p.seat), ()))) for p in r.positions]
    return with_round(
        t,
        dealt=True,
        stub=r.stub[len(ev.places) :],
        positions=tuple(positions),
        dealer=tuple(hands.get("dealer", ())),
        community=_row(t, hands.get("community", [])),
        dealer_delivered="dealer" in hands or "community" in hands,
    )


def _row(t: Table, community: list[Card]) -> tuple[Card, ...]:
    """From the dealer's left: the first dealt singly, or the bottom of a stack (ruling L4)."""
    stacked = t.house.game.procedures[t.dealing].stacks
    return tuple(reversed(community)) if stacked else tuple(community)


def dealers_stack_delivered(t: Table, ev: e.DealersStackDelivered) -> Table:
    stub, beside = t.now.stub, t.house.game.cards_beside
    return with_round(t, dealer=stub[:beside], stub=stub[beside:], dealer_delivered=True)


def card_burned(t: Table, ev: e.CardBurned) -> Table:
    r = t.now
    burned = r.burned + 1
    if t.house.game.id == "let-it-ride":  # the community card at the dealer's left
        left = replace(r, burned=burned, community=r.community[1:])
        return racked(t, "burned", r.community[:1], left)
    return racked(t, "burned", r.stub[:1], replace(r, burned=burned, stub=r.stub[1:]))


def community_dealt(t: Table, ev: e.CommunityDealt) -> Table:
    r = t.now
    count = len(ev.cards.split())
    community = r.community + r.stub[:count]
    return with_round(t, community=community, community_shown=community, stub=r.stub[count:])


def up_card_exposed(t: Table, ev: e.UpCardExposed) -> Table:
    return with_round(t, up_cards=1)


def community_revealed(t: Table, ev: e.CommunityRevealed) -> Table:
    return with_round(t, community_shown=(*t.now.community_shown, card(ev.card)))


def hand_revealed(t: Table, ev: e.HandRevealed) -> Table:
    return with_position(t, ev.seat, shown=True)


def hand_announced(t: Table, ev: e.HandAnnounced) -> Table:
    return with_position(t, ev.seat, announced=True)


def nothing_moves(t: Table, ev: e.Event) -> Table:
    """Said aloud; no card or chip has moved."""
    return t


def dealer_revealed(t: Table, ev: e.DealerRevealed) -> Table:
    return with_round(t, dealer_shown=True)


def stub_racked(t: Table, ev: e.StubRacked) -> Table:
    r = t.now
    return racked(t, "stub", r.stub, replace(r, stub=(), stub_gone=True, counted=ev.counted))


def cards_racked(t: Table, ev: e.CardsRacked) -> Table:
    r = t.now
    if ev.place == "dealer":
        return racked(t, ev.place, r.dealer, replace(r, dealer=()))
    if ev.place == "community":
        return racked(t, ev.place, r.community, replace(r, community=()))
    p = t.position(int(ev.place.removeprefix("seat ")))
    assert p is not None
    after = round_with(r, replace(p, racked=True))
    if r.exposed == ev.place:
        after = replace(after, exposed="")
    return racked(t, ev.place, p.cards, after)


def hand_left_exposed(t: Table, ev: e.HandLeftExposed) -> Table:
    return with_round(t, exposed=ev.place)


# --- settlement -----------------------------------------------------------------------------


def wager_settled(t: Table, ev: e.WagerSettled) -> Table:
    p = t.position(ev.seat)
    assert p is not None
    to_player = ev.win
    inventory = t.inventory - (ev.win - ev.from_meter)
    if ev.result == "lost":
        inventory += 0 if ev.swept else ev.amount
    elif ev.swept:
        returned = ev.amount if ev.result == "returned" else 0
        to_player += returned
        inventory -= returned
    else:
        to_player += ev.amount
    settled = {**p.settled, ev.wager: ev.result}
    after = replace(p, settled=settled, wins={**p.wins, ev.wager: ev.win})
    t = replace(
        t,
        inventory=inventory,
        players=pay(t, p.player, to_player) if to_player else t.players,
        round=round_with(t.now, after),
    )
    if ev.from_meter:
        meter = t.meter - ev.from_meter
        t = replace(t, meter=meter, terms=with_changes(t.terms, meter=meter))
    if ev.coupon == "drop box":
        t = replace(t, drop_box=t.drop_box + p.coupon)
    elif ev.coupon == "kept":
        t = replace(t, cage=t.cage + p.coupon)
    return t


def round_ended(t: Table, ev: e.RoundEnded) -> Table:
    r = t.now
    return replace(
        t,
        round=None,
        rounds=ev.number,
        since_count=0 if r.counted else t.since_count + 1,
        last_colour=r.colour,
        decks=decks_with(t, r.colour, at=DeckAt.USED),
    )
