"""A table as the ledger keeps it: the table itself and its shuffles, judged and folded together."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from croupier.ledger.records import AddEntropy, EntropyAdded, Happening, Record
from croupier.ledger.shuffle import checked_entropy
from croupier.ledger.shuffles import FOLLOWED, Shuffles, follow
from croupier.rules.refusals import Refusal
from croupier.table import evolve as table_evolve
from croupier.table.betting import SEATED
from croupier.table.commands import Command, Role
from croupier.table.decide import decide
from croupier.table.equipment import CUT_AFTER_HAND, SHUFFLE
from croupier.table.events import DeckCut, DeckReceived, DeckShuffled, Event
from croupier.table.refused import Refused, refuse
from croupier.table.state import Table


class Kept(Struct, frozen=True, gc=False):
    table: Table
    shuffles: Shuffles = Shuffles()


def evolve(kept: Kept | None, happening: Happening) -> Kept:
    """The fold; like the table's own it never judges."""
    if kept is None:
        assert isinstance(happening, Event)
        return Kept(table_evolve.evolve(None, happening))
    shuffles = follow(kept.shuffles, kept.table.id, happening)
    if isinstance(happening, Record):
        return Kept(kept.table, shuffles)
    return Kept(table_evolve.evolve(kept.table, happening), shuffles)


def fold(happenings: Iterable[Happening], kept: Kept | None = None) -> Kept:
    for happening in happenings:
        kept = evolve(kept, happening)
    assert kept is not None
    return kept


def judge(kept: Kept, request: Command) -> tuple[Happening, ...] | Refused:
    """The table's own judgement; and a shuffle or cut must be the promised one."""
    if isinstance(request, AddEntropy):
        return _entropy(kept, request)
    answer = decide(kept.table, request)
    if isinstance(answer, Refused):
        return answer
    for event in answer:
        if type(event) in FOLLOWED and (wrong := _broken_promise(kept, event)):
            return wrong
    return answer


def _broken_promise(kept: Kept, event: Event) -> Refused | None:
    table, promised = kept.table, kept.shuffles.promised
    if promised is None:
        return None
    match event:
        case DeckShuffled(order=order) | DeckReceived(cards=order, preshuffled=True):
            if order != promised.order():
                sentence = "This is not the order that was committed to."
                return refuse(table, Refusal.NOT_THIS_SHUFFLING, sentence, SHUFFLE)
        case DeckCut(colour=colour, cards=cards):
            if cards != kept.shuffles.lying[colour].cut():
                sentence = "This is not the cut that was committed to."
                return refuse(table, Refusal.NOT_THIS_SHUFFLING, sentence, CUT_AFTER_HAND)
    return None


def _entropy(kept: Kept, request: AddEntropy) -> tuple[Happening, ...] | Refused:
    """Every seated player may add to a promised shuffle, once."""
    table, promised, by = kept.table, kept.shuffles.promised, request.by
    checked_entropy(request.entropy.encode())
    if by.role is not Role.PLAYER:
        sentence = f"AddEntropy is for the player, not the {by.role}."
        return refuse(table, Refusal.NOT_THIS_ROLE, sentence, SEATED)
    if not by.player or not table.seats_of(by.player):
        sentence = "Only a seated player adds to the shuffle."
        return refuse(table, Refusal.NOT_YOUR_SEAT, sentence, SEATED)
    if promised is None:
        sentence = "The cards are shuffled by hands and devices here; nothing can be added."
        return refuse(table, Refusal.NOT_THIS_SHUFFLING, sentence, SHUFFLE)
    if any(player == by.player for player, _ in promised.entropy):
        sentence = "You have added to the next shuffle already."
        return refuse(table, Refusal.NOT_THIS_STEP, sentence, SHUFFLE)
    return (EntropyAdded(promised.number, by.player, request.entropy),)
