"""What a line expects, held against what happened.

Every event has a few short phrasings, the fullest first; a phrase in a script is one of them,
with the clause behind it in brackets where that is to be checked too.
"""

from __future__ import annotations

import re

from croupier.rules.money import Cents, in_dollars
from croupier.table import events as e
from croupier.table.refused import Refused
from croupier.table.state import Table

_CITED = re.compile(r"(.*?)\s*\[(.+)\]")
_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")

Happened = tuple[e.Event, Table]  # with the table after it


def plain(cents: Cents) -> str:
    """A sum as scripts write it: 10, 0.71, -5."""
    return in_dollars(cents).replace("$", "").replace(",", "")


def phrasings(event: e.Event, after: Table) -> list[str]:
    """The ways to say this event in a script, the fullest first."""
    named = _WORDS.sub(" ", type(event).__name__).lower()
    return [*_short(event, after), named]


def _short(event: e.Event, after: Table) -> list[str]:
    match event:
        case e.WagerSettled():
            return _settled(event)
        case e.FoldedWagerReturned():
            bare = f"folded {event.wager} returned"
            return _at(event.seat, f"{bare} {plain(event.amount)}", bare)
        case e.ChoiceMade():
            return _chosen(event)
        case e.MeterMoved():
            return [f"meter {'+' if event.amount > 0 else ''}{plain(event.amount)}", "meter"]
        case e.ChipsSwept():
            return [f"swept {len(event.seats)}", "swept"]
        case e.DeckRemoved():
            return [f"{event.colour} removed"]
        case e.DeckCut():
            return [f"cut {event.cards}"]
        case e.NoMoreBetsAnnounced():
            return [f"{event.colour} in play"]
        case e.HandVoided():
            return _at(event.seat, "void")[:1]
        case e.AllHandsVoided():
            return ["all hands void", *(["trips stay"] if event.trips_stay else ["trips go too"])]
        case e.IrregularityReported():
            return [f"{event.kind} {event.place}", event.kind]
        case e.DealersHandRepaired():
            return [f"repaired {event.cards}", "repaired"]
        case e.RoundEnded():
            return ["round over"]
        case _:
            return _cards(event, after)


def _cards(event: e.Event, after: Table) -> list[str]:
    match event:
        case e.HandsDealt():
            return [" ".join(event.places)]
        case e.CardBurned():
            return [f"burned {after.rack[-1]}", str(after.rack[-1])]
        case e.CommunityDealt():
            return [event.cards]
        case e.CommunityRevealed() | e.UpCardExposed():
            return [event.card]
        case e.HandRevealed() | e.PickedCardsRevealed():
            return _at(event.seat, event.cards)
        case e.HandAnnounced():
            return _at(event.seat, event.hand)
        case e.CoverAllPosted():
            return [f"cover all for {event.hands} hands"]
        case e.DealerRevealed():
            said = {True: ["qualified"], False: ["not qualified"], None: []}[event.qualified]
            return [event.cards, *said, event.hand]
        case e.StubRacked():
            way = "counted" if event.counted else "racked"
            return [f"stub {way} {event.cards}", f"stub {way}"]
        case e.CardsRacked():
            return [f"{event.place} racked {event.cards}", f"{event.place} racked"]
        case e.HandLeftExposed():
            return [f"{event.place} stays"]
        case e.FaceUpCardRacked():
            return [f"{event.card} racked"]
    return []


def _settled(event: e.WagerSettled) -> list[str]:
    bare = f"{event.wager} {event.result}"
    full = f"{bare} {plain(event.win if event.result == 'won' else event.amount)}"
    said = [full, bare, event.wager]
    if event.from_meter:
        said.append(f"{plain(event.from_meter)} from the meter")
    if event.withheld:
        said.append(f"withheld {plain(event.withheld)}")
    if event.coupon:
        said.append(f"coupon {event.coupon}")
    return _at(event.seat, *said)


def _chosen(event: e.ChoiceMade) -> list[str]:
    if event.verb == "pick":
        return _at(event.seat, f"pick {' '.join(str(n) for n in event.cards)}")
    if event.verb in ("withdraw", "ride"):
        return _at(event.seat, f"{event.verb} {event.wager}")
    if event.amount:
        return _at(event.seat, f"{event.verb} {plain(event.amount)}", event.verb)
    return _at(event.seat, event.verb)


def _at(seat: int, *said: str) -> list[str]:
    return [f"seat {seat} {each}" for each in said] + list(said)


# --- holding one against the other ----------------------------------------------------------


def says(phrase: str, event: e.Event, after: Table) -> bool:
    """Whether a phrase tells of this event, by this clause where it names one."""
    words, clause = phrase, ""
    if found := _CITED.fullmatch(phrase):
        words, clause = found[1], found[2]
    if clause and getattr(event, "clause", "") != clause:
        return False
    said = words.lower().replace("$", "")
    return said in (each.lower() for each in phrasings(event, after))


def missing(expected: tuple[str, ...], happened: list[Happened]) -> str:
    """The first phrase that did not come true, in the order written; nothing when all did."""
    at, used = 0, ""
    for phrase in expected:
        if phrase.startswith("not "):
            if any(says(phrase.removeprefix("not "), *each) for each in happened):
                return phrase
            continue
        start = at + 1 if phrase == used else at  # one event may bear out two phrases
        found = next((n for n in range(start, len(happened)) if says(phrase, *happened[n])), None)
        if found is None:
            return phrase
        at, used = found, phrase
    return ""


def refusal_differs(expected: tuple[str, ...], refused: Refused) -> bool:
    """Whether a refusal is another than the line expects."""
    if len(expected) != 1 or not expected[0].startswith("refused"):
        return True
    code, clause = expected[0].removeprefix("refused").removeprefix(":").strip(), ""
    if found := _CITED.fullmatch(code):
        code, clause = found[1], found[2]
    return bool((code and code != refused.code) or (clause and clause != refused.clause))


def told(happened: list[Happened]) -> str:
    """What did happen, in the same words."""
    said = []
    for event, after in happened:
        clause = getattr(event, "clause", "")
        said.append(phrasings(event, after)[0] + (f" [{clause}]" if clause else ""))
    return ", ".join(said) or "nothing"
