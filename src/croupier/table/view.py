"""view(table, viewer): what this person may see, and no more, as plain data.

A face-down card is seen by nobody but the player who holds it and may look (at Pik-It not even
by that player before the dealer turns the hand up: ruling P2). The stub, the dealer's covered
cards and other hands are never in a view before they are turned.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict

from croupier.cards.card import Card
from croupier.law.clause import rulebook
from croupier.table import events as e
from croupier.table.commands import Actor, Role
from croupier.table.dealing import count_due
from croupier.table.procedure import current, turn
from croupier.table.state import Position, Round, Table

law = rulebook("nj-ultimate-texas-holdem")
caribbean = rulebook("nj-caribbean-stud")
let_it_ride = rulebook("nj-let-it-ride")
pik_it = rulebook("nj-pik-it-poker")

CARD_AREAS = {"player's cards": pik_it("1.13Y(b)1vi"), "dealer's cards": pik_it("1.13Y(b)2")}

# Where a player may look at the cards once they are dealt.
MAY_LOOK = {
    "ultimate-texas-holdem": law("32.10(a)"),
    "caribbean-stud": caribbean("16.10(a)"),
    "let-it-ride": let_it_ride("18.10(a)"),
}
# Where a cover card lies on the dealer's cards until they are turned.
COVERED = {
    "ultimate-texas-holdem": law("32.7(d)2"),
    "pik-it": pik_it("39.2(c)"),  # with the automated shoe
}

BACK = "??"  # a card whose face this viewer may not see
RAILBIRD = Actor(Role.PLAYER)  # somebody watching


def view(table: Table, viewer: Actor) -> dict[str, Any]:
    """The table as this viewer sees it."""
    step = current(table)
    waiting = turn(table, step) if step else None
    return {
        "table": table.id,
        "game": table.house.game.id,
        "rulebook": table.house.book.id,
        "house": table.house.name,
        "seats": list(table.seats),
        "chips": dict(table.players),
        "meter": table.meter,
        "rounds": table.rounds,
        "closed": table.closed,
        "areas": areas(table),
        "decks": [{"colour": deck.colour, "at": str(deck.at)} for deck in table.decks],
        "rack": len(table.rack),
        "stub_count_due": count_due(table),
        "step": str(step.kind) if step else "",
        "point": step.point if step else "",
        "turn": waiting.seat if waiting else 0,
        "round": _round(table, table.round, viewer) if table.round else None,
    }


def areas(table: Table) -> dict[str, str]:
    """What the layout shows, and the clause of each area: one for every wager a player may make
    here, one for the player's cards and one for the dealer's."""
    house = table.house
    marked = {
        w.name: house.game.areas.get(w.name, w.cite)
        for w in house.game.wagers_under(house.book)
        if w.required or w.multiple_of or w.key in house.offered
    }
    return {name: cite.under(house.book).id for name, cite in (marked | CARD_AREAS).items()}


def _round(table: Table, r: Round, viewer: Actor) -> dict[str, Any]:
    return {
        "number": r.number,
        "deck": r.colour,
        "closed": r.closed,
        "void": r.void,
        "trips_only": r.trips_only,
        "stub": len(r.stub) if r.dealt else 0,
        "dealer": dealers_cards(table, r),
        "covered": covered(table, r),
        "community": community_cards(r),
        "positions": [_position(table, p, viewer) for p in r.positions],
    }


def dealers_cards(table: Table, r: Round) -> list[str]:
    if r.dealer_shown:
        return faces(r.dealer)
    backs = [BACK] * len(r.dealer)
    at = 0 if table.house.game.procedures[table.dealing].stacks else 4
    if r.up_cards and at < len(r.dealer):  # the fifth dealt singly, the top of a stack (S3)
        backs[at] = str(r.dealer[at])
    return backs


def covered(table: Table, r: Round) -> bool:
    """Whether a cover card lies on the dealer's cards."""
    game = table.house.game.id
    used = game in COVERED and (game != "pik-it" or table.dealing == "automated shoe")
    return used and bool(r.dealer) and not r.dealer_shown


def community_cards(r: Round) -> list[str]:
    shown = faces(r.community_shown)
    return shown + [BACK] * (len(r.community) - len(shown))


def faces(cards: tuple[Card, ...]) -> list[str]:
    return [str(card) for card in cards]


def hand_seen(table: Table, p: Position, viewer: Actor) -> list[str]:
    """The cards of one hand as this viewer sees them."""
    own = viewer.role is Role.PLAYER and viewer.player == p.player and viewer.player != ""
    may_look = own and table.house.game.id in MAY_LOOK
    if p.shown or may_look:
        return faces(p.cards)
    return [str(card) if at in p.picked else BACK for at, card in enumerate(p.cards, 1)]


def _position(table: Table, p: Position, viewer: Actor) -> dict[str, Any]:
    return {
        "seat": p.seat,
        "player": p.player,
        "wagers": {name: p.placed[name] for name in p.unsettled()},
        "coupon": p.coupon,
        "lit": p.lit,
        "cards": hand_seen(table, p, viewer) if not p.racked else [],
        "choices": dict(p.choices),
        "times": p.times,
        "folded": p.folded,
        "void": p.void,
        "settled": dict(p.settled),
        "wins": dict(p.wins),
    }


def seen_event(event: e.Event) -> dict[str, Any]:
    """An event as anyone may see it: its secret fields are left out."""
    data = {name: value for name, value in asdict(event).items() if name not in event.secret}
    return {"event": type(event).__name__, **data}
