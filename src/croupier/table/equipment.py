"""Decks, shuffler, shoe: opening the table, shuffle and cut, the idle table, devices.

32.2 to 32.4 and their twins; ruling K12: every step is an event.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

from croupier.cards.card import DECK, card, read_exact
from croupier.house.check import one_deck
from croupier.law import refused as law_refused
from croupier.law.clause import Clause, Rulebook, rulebook
from croupier.rules.bounds import MOST_COUNT, said
from croupier.rules.refusals import Refusal
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.refused import Refused, refuse
from croupier.table.state import Deck, DeckAt, Table

law = rulebook("nj-ultimate-texas-holdem")
massachusetts = rulebook("ma-ultimate-texas-holdem")
caribbean = rulebook("nj-caribbean-stud")
let_it_ride = rulebook("nj-let-it-ride")
pik_it = rulebook("nj-pik-it-poker")

SECOND_DECK = law("32.2(b)")
DIFFERENT_BACKS = law("32.2(b)2")
SHUFFLE_ONE_DEAL_THE_OTHER = law("32.2(b)3")
ALTERNATE = law("32.2(b)4")
ONE_DECK_IN_THE_RACK = law("32.2(b)5")
RECEIVE = law("32.3(a)")
SPREAD = law("32.3(b)")
WASH = law("32.3(c)")
EACH_DECK_BY_ITSELF = law("32.3(d)")
SHUFFLE = law("32.4(a)")
NO_CUT_AFTER_DEVICE = law("32.4(b)1")
CUT_AFTER_HAND = law("32.4(b)2")
CUT_AT_LEAST_TEN = law("32.4(c)1ii")
CUT_REST_ON_TOP = law("32.4(c)1iii")
CUT_STEPS = (
    law("32.4(c)1i"),  # the cover card is laid down
    CUT_AT_LEAST_TEN,
    CUT_REST_ON_TOP,
    law("32.4(c)1iv"),  # the cover card is taken away
    law("32.4(c)2"),  # and the cards may be dealt
)
RECUT = law("32.4(d)")
IDLE = law("32.4(e)")
HAND_NEEDS_SHUFFLER = law("32.8(b)1")
DEVICE_REMOVED_FIRST = law("32.13(g)")
COUNTING = {
    "caribbean-stud": caribbean("16.9(f)"),
    "let-it-ride": let_it_ride("18.7(f)"),
    "pik-it": pik_it("39.7(f)"),
}
LEAST_CUT = 10

Answer = tuple[e.Event, ...] | Refused


def cite(t: Table, clause: Clause) -> str:
    """The id of a clause in this table's own book."""
    book = t.house.book
    return book.cited.get(clause.id) or book.cite(clause)


@cache
def _cut_steps(book: Rulebook) -> tuple[str, ...]:
    return tuple(each.under(book).id for each in CUT_STEPS)


def _wrong_step(t: Table, deck: Deck, clause: Clause) -> Refused:
    sentence = f"The {deck.colour} deck is {deck.at}."
    return refuse(t, Refusal.DECK_NOT_AT_THIS_STEP, sentence, clause)


def _no_deck(t: Table, colour: str) -> Refused:
    return refuse(
        t, Refusal.NO_SUCH_DECK, f"There is no {said(colour)} deck at the table.", RECEIVE
    )


def receive_deck(t: Table, cmd: c.ReceiveDeck) -> Answer:
    if t.deck(cmd.colour):
        sentence = f"A {cmd.colour} deck is at the table; backs must differ in colour."
        return refuse(t, Refusal.BACKS_MUST_DIFFER, sentence, DIFFERENT_BACKS)
    allowed = len(t.house.decks) if t.shuffling == "automated" else 1
    if len(t.decks) >= allowed:
        clause = SECOND_DECK if t.shuffling != "automated" else one_deck(t.house)
        return refuse(t, Refusal.DECK_ALREADY_HERE, "The table has its cards.", clause)
    if cmd.colour not in t.house.decks:
        words = " and ".join(t.house.decks)
        sentence = f"This house plays with {words} backs."
        return refuse(t, Refusal.NO_SUCH_DECK, sentence, one_deck(t.house))
    if cmd.preshuffled:
        if not t.house.preshuffled:
            sentence = "This table takes no pre-shuffled cards."
            return refuse(t, Refusal.PRESHUFFLED_NOT_ALLOWED, sentence, RECEIVE)
        if faults(cmd.cards):
            sentence = "Pre-shuffled cards must be a whole deck."
            return refuse(t, Refusal.NOT_A_PERMUTATION, sentence, RECEIVE)
    return (e.DeckReceived(cmd.colour, cmd.cards, cmd.preshuffled, cite(t, RECEIVE)),)


def faults(cards: str) -> str:
    """What is wrong with a deck, in words; nothing when it is whole."""
    counts: Counter[str] = Counter()
    foreign = []
    for text in cards.split():
        try:
            counts[str(card(text))] += 1
        except law_refused.Refused:
            foreign.append(text)
    found = [f"the {text} does not belong" for text in foreign]
    found += [f"the {text} is doubled" for text, n in sorted(counts.items()) if n > 1]
    found += [f"the {each} is missing" for each in DECK if not counts[str(each)]]
    return ", ".join(found)


def inspect_deck(t: Table, cmd: c.InspectDeck) -> Answer:
    if not (deck := t.deck(cmd.colour)):
        return _no_deck(t, cmd.colour)
    if deck.at is not DeckAt.RECEIVED:
        return _wrong_step(t, deck, RECEIVE)
    if wrong := faults(deck.received):
        return (e.DeckRemoved(cmd.colour, f"On inspection {wrong}.", cite(t, RECEIVE)),)
    return (e.DeckInspected(cmd.colour, cite(t, EACH_DECK_BY_ITSELF)),)


def verify_deck(t: Table, cmd: c.VerifyDeck) -> Answer:
    if not (deck := t.deck(cmd.colour)):
        return _no_deck(t, cmd.colour)
    if deck.at is not DeckAt.INSPECTED:
        return _wrong_step(t, deck, SPREAD)
    return (e.DeckVerified(cmd.colour, cite(t, SPREAD)),)


def spread_deck(t: Table, cmd: c.SpreadDeck) -> Answer:
    """At the opening face up; at an idle table either way."""
    if not (deck := t.deck(cmd.colour)):
        return _no_deck(t, cmd.colour)
    if deck.at is DeckAt.VERIFIED:
        if not cmd.face_up:
            sentence = "A new deck is spread face up for the first player."
            return refuse(t, Refusal.DECK_NOT_AT_THIS_STEP, sentence, SPREAD)
        return (e.DeckSpread(cmd.colour, True, cite(t, SPREAD)),)
    if t.round is not None:
        return refuse(t, Refusal.TABLE_IS_NOT_IDLE, "There is gaming at the table.", IDLE)
    if deck.at not in (DeckAt.USED, DeckAt.READY, DeckAt.SHUFFLED):
        return _wrong_step(t, deck, IDLE)
    return (e.DeckSpread(cmd.colour, cmd.face_up, cite(t, IDLE)),)


def turn_face_up(t: Table, cmd: c.TurnFaceUp) -> Answer:
    if not (deck := t.deck(cmd.colour)):
        return _no_deck(t, cmd.colour)
    if deck.at is not DeckAt.SPREAD_DOWN:
        return _wrong_step(t, deck, IDLE)
    if not any(t.seats):
        return refuse(t, Refusal.NO_PLAYER_HAS_ARRIVED, "No player has arrived.", IDLE)
    return (e.DeckSpread(cmd.colour, True, cite(t, IDLE)),)


def wash_deck(t: Table, cmd: c.WashDeck) -> Answer:
    if not (deck := t.deck(cmd.colour)):
        return _no_deck(t, cmd.colour)
    if deck.at is not DeckAt.SPREAD:
        return _wrong_step(t, deck, WASH)
    if not any(t.seats):
        sentence = "The first player has not seen the cards yet."
        return refuse(t, Refusal.NO_PLAYER_HAS_ARRIVED, sentence, WASH)
    return (e.DeckWashed(cmd.colour, cite(t, WASH)),)


def load_shuffler(t: Table, cmd: c.LoadShuffler) -> Answer:
    if not (deck := t.deck(cmd.colour)):
        return _no_deck(t, cmd.colour)
    if t.shuffling != "automated":
        sentence = "The cards are shuffled by hand at this table."
        return refuse(t, Refusal.NOT_THIS_SHUFFLING, sentence, SHUFFLE)
    if "shuffler" not in t.devices:
        return refuse(t, Refusal.DEVICE_NOT_HERE, "There is no shuffler here.", SHUFFLE)
    if deck.at not in (DeckAt.WASHED, DeckAt.USED):
        return _wrong_step(t, deck, SHUFFLE)
    return (e.ShufflerLoaded(cmd.colour, cite(t, SHUFFLE)),)


def shuffle_deck(t: Table, cmd: c.ShuffleDeck) -> Answer:
    """By the dealer's hands or by the device; the order comes in with the command (K12)."""
    if not (deck := t.deck(cmd.colour)):
        return _no_deck(t, cmd.colour)
    automated = cmd.by.role is c.Role.DEVICE
    if automated != (t.shuffling == "automated"):
        way = "device" if t.shuffling == "automated" else "dealer"
        sentence = f"At this table the {way} shuffles."
        return refuse(t, Refusal.NOT_THIS_SHUFFLING, sentence, SHUFFLE)
    allowed = (DeckAt.IN_SHUFFLER,) if automated else (DeckAt.WASHED, DeckAt.USED)
    if deck.at not in allowed:
        return _wrong_step(t, deck, SHUFFLE)
    if not 0 <= cmd.counted <= MOST_COUNT:
        sentence = f"A shuffler counts from 0 to {MOST_COUNT:,} cards."
        return refuse(t, Refusal.OUT_OF_BOUNDS, sentence, SHUFFLE)
    if t.house.counting and cmd.counted != 52:
        clause = COUNTING.get(t.house.game.id, SHUFFLE)
        reason = f"The shuffler counts {cmd.counted} cards."
        return (e.DeckRemoved(cmd.colour, reason, cite(t, clause)),)
    try:
        after = read_exact(cmd.order)
    except KeyError:
        after = ()
    # What was inspected is the 52 cards, so any 52 different ones are those that went in.
    if len(after) != len(DECK) or len(set(after)) != len(DECK):
        sentence = "A shuffle returns exactly the cards that went in."
        return refuse(t, Refusal.NOT_A_PERMUTATION, sentence, SHUFFLE)
    clause = NO_CUT_AFTER_DEVICE if automated else SHUFFLE
    return (e.DeckShuffled(cmd.colour, cmd.order, automated, cite(t, clause)),)


def cut_deck(t: Table, cmd: c.CutDeck) -> Answer:
    if not (deck := t.deck(cmd.colour)):
        return _no_deck(t, cmd.colour)
    if deck.at is not DeckAt.SHUFFLED:
        return _wrong_step(t, deck, CUT_AFTER_HAND)
    if not LEAST_CUT <= cmd.cards < len(deck.cards):
        sentence = f"A cut takes at least {LEAST_CUT} cards from the top, not {said(cmd.cards)}."
        return refuse(t, Refusal.CUT_AT_LEAST_TEN, sentence, CUT_AT_LEAST_TEN)
    steps = _cut_steps(t.house.book)
    return (e.DeckCut(cmd.colour, cmd.cards, cite(t, CUT_REST_ON_TOP), steps),)


def order_recut(t: Table, cmd: c.OrderRecut) -> Answer:
    if not (deck := t.deck(cmd.colour)):
        return _no_deck(t, cmd.colour)
    if deck.at is not DeckAt.READY or not deck.cut:
        sentence = "A recut follows a cut, before any card is dealt."
        return refuse(t, Refusal.NOTHING_TO_RECUT, sentence, RECUT)
    return (e.RecutOrdered(cmd.colour, cite(t, RECUT)),)


def remove_deck(t: Table, cmd: c.RemoveDeck) -> Answer:
    if not (deck := t.deck(cmd.colour)):
        return _no_deck(t, cmd.colour)
    if deck.at is DeckAt.IN_PLAY:
        sentence = "The deck is being played with."
        return refuse(t, Refusal.ROUND_IN_PROGRESS, sentence, RECEIVE)
    reason = "Removed by the supervisor."
    return (e.DeckRemoved(cmd.colour, reason, cite(t, RECEIVE)),)


def close_table(t: Table, cmd: c.CloseTable) -> Answer:
    """The texts say how a table opens and nothing of its close: between rounds, with no players."""
    if t.round is not None:
        sentence = "A table closes between rounds."
        return refuse(t, Refusal.ROUND_IN_PROGRESS, sentence, RECEIVE)
    if seated := [name for name in t.seats if name]:
        sentence = f"A table closes when all players have left; {seated[0]} is still seated."
        return refuse(t, Refusal.PLAYERS_ARE_SEATED, sentence, RECEIVE)
    return (e.TableClosed(t.inventory, t.drop_box, t.meter),)


# --- devices --------------------------------------------------------------------------------


def _between_rounds(t: Table) -> bool:
    return t.round is None or not t.now.closed


def remove_device(t: Table, cmd: c.RemoveDevice) -> Answer:
    if cmd.device not in t.devices:
        sentence = f"There is no {said(cmd.device)} at the table."
        return refuse(t, Refusal.DEVICE_NOT_HERE, sentence, DEVICE_REMOVED_FIRST)
    if not _between_rounds(t):
        sentence = "Devices are changed between rounds."
        return refuse(t, Refusal.ROUND_IN_PROGRESS, sentence, DEVICE_REMOVED_FIRST)
    return (e.DeviceRemoved(cmd.device, cite(t, DEVICE_REMOVED_FIRST)),)


def install_device(t: Table, cmd: c.InstallDevice) -> Answer:
    if cmd.device not in ("shuffler", "shoe") or cmd.device in t.devices:
        sentence = f"The table cannot take another {said(cmd.device)}."
        return refuse(t, Refusal.DEVICE_MUST_BE_REMOVED_FIRST, sentence, DEVICE_REMOVED_FIRST)
    if not _between_rounds(t):
        sentence = "Devices are changed between rounds."
        return refuse(t, Refusal.ROUND_IN_PROGRESS, sentence, DEVICE_REMOVED_FIRST)
    return (e.DeviceInstalled(cmd.device, cite(t, DEVICE_REMOVED_FIRST)),)


def change_method(t: Table, cmd: c.ChangeMethod) -> Answer:
    """Another way of shuffling or dealing, once the device of the old way is gone."""
    if not _between_rounds(t):
        sentence = "Methods are changed between rounds."
        return refuse(t, Refusal.ROUND_IN_PROGRESS, sentence, DEVICE_REMOVED_FIRST)
    known = cmd.shuffling in ("manual", "automated") and cmd.dealing in t.house.game.procedures
    if not known or (cmd.shuffling, cmd.dealing) == (t.shuffling, t.dealing):
        sentence = "Name another way of shuffling or dealing."
        return refuse(t, Refusal.NOT_THIS_STEP, sentence, DEVICE_REMOVED_FIRST)
    for device, stays in (
        ("shuffler", cmd.shuffling == "automated"),
        ("shoe", cmd.dealing == "automated shoe"),
    ):
        if not stays and device in t.devices:
            sentence = f"The {device} must be removed before another method is used."
            code = Refusal.DEVICE_MUST_BE_REMOVED_FIRST
            return refuse(t, code, sentence, DEVICE_REMOVED_FIRST)
        if stays and device not in t.devices:
            sentence = f"There is no {device} at the table."
            return refuse(t, Refusal.DEVICE_NOT_HERE, sentence, DEVICE_REMOVED_FIRST)
    if cmd.dealing == "hand" and cmd.shuffling != "automated":
        sentence = "Dealing from the hand needs an automated shuffler."
        return refuse(t, Refusal.NOT_THIS_SHUFFLING, sentence, HAND_NEEDS_SHUFFLER)
    if cmd.shuffling == "manual" and len(t.decks) > 1:
        sentence = "A second deck needs an automated shuffler; remove one deck."
        return refuse(t, Refusal.NOT_THIS_SHUFFLING, sentence, SECOND_DECK)
    clause = cite(t, DEVICE_REMOVED_FIRST)
    return (e.MethodChanged(cmd.shuffling, cmd.dealing, clause),)


def deck_to_deal(t: Table, colour: str) -> Deck | Refused:
    """The deck the next round is dealt from, or why none can be."""
    ready = [d for d in t.decks if d.at is DeckAt.READY]
    wanted = [d for d in ready if d.colour == colour] if colour else ready
    if not wanted:
        sentence = "No deck is shuffled and ready to deal."
        return refuse(t, Refusal.DECK_MUST_BE_READY, sentence, SHUFFLE)
    if len(t.decks) == 1:
        return wanted[0]
    fresh = [d for d in wanted if d.colour != t.last_colour]
    if not fresh:
        sentence = f"The {t.last_colour} deck was dealt last round; the decks alternate."
        return refuse(t, Refusal.DECKS_MUST_ALTERNATE, sentence, ALTERNATE)
    deck = fresh[0]
    others = [d for d in t.decks if d is not deck]
    if any(d.at is DeckAt.USED for d in others):
        sentence = "The other deck still lies in the discard rack."
        return refuse(t, Refusal.RACK_HOLDS_ANOTHER_DECK, sentence, ONE_DECK_IN_THE_RACK)
    if any(d.at not in (DeckAt.IN_SHUFFLER, DeckAt.READY) for d in others):
        sentence = "One deck is shuffled by the device while the other is dealt."
        code = Refusal.OTHER_DECK_MUST_BE_IN_SHUFFLER
        return refuse(t, code, sentence, SHUFFLE_ONE_DEAL_THE_OTHER)
    return deck
