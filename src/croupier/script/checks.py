"""Looking at the table in a script: a line that asks nothing and must only be true."""

from __future__ import annotations

from collections.abc import Callable

from croupier.cards.card import spell
from croupier.script.commands import Asked
from croupier.script.expect import plain
from croupier.script.read import Line
from croupier.table import events as e
from croupier.table.dealing import count_due
from croupier.table.procedure import current, turn
from croupier.table.reconstruct import reconstruct
from croupier.table.state import Table

Check = Callable[[Asked, list[e.Event]], str]

# Before these the dealer brings the round to its end; the others look at the table as it stands.
OF_THE_ROUND = ("net", "chips", "inventory", "meter", "drop box", "rebuilt")


def looked_at(table: Table, line: Line, events: list[e.Event]) -> tuple[str, str] | None:
    """What a check expects and what there is; None when the line is no check."""
    for words, look in _CHECKS.items():
        if line.words == words or line.words.startswith(words + " "):
            asked = Asked(table, line, line.words[len(words) :].strip())
            if line.expected:
                raise line.wrong(f"write what {words!r} should be after it, without an arrow.")
            return _tidy(asked.rest), look(asked, events)
    return None


def is_of_the_round(line: Line) -> bool:
    return any(line.words == each or line.words.startswith(each + " ") for each in OF_THE_ROUND)


def _tidy(text: str) -> str:
    return ", ".join(" ".join(part.split()) for part in text.replace("$", "").split(","))


def _net(asked: Asked, events: list[e.Event]) -> str:
    """What the wagers of a seat came to, this round or, between rounds, the last."""
    cents = 0
    seat = asked.seat()
    for event in reversed(events):
        match event:
            case e.NoMoreBetsAnnounced():
                break
            case e.WagerSettled(seat=n) if n == seat:
                gone = event.result == "lost" or (event.swept and event.result != "returned")
                cents += event.win - (event.amount if gone else 0)
            case e.FoldedWagerReturned(seat=n) if n == seat:
                cents += event.amount
    return f"{'+' if cents > 0 else ''}{plain(cents)}"


def _chips(asked: Asked, events: list[e.Event]) -> str:
    seat = asked.seat()
    if not 1 <= seat <= len(asked.table.seats):
        raise asked.line.wrong(f"there is no seat {seat}.")
    return plain(asked.table.chips_free(asked.table.seats[seat - 1]))


def _rack(asked: Asked, events: list[e.Event]) -> str:
    """A number: all cards in the rack. Places: what went in, in order."""
    if asked.rest.isdecimal():
        return str(len(asked.table.rack))
    return ", ".join(f"{place} {cards}" for place, cards in asked.table.rack_log)


def _rebuilt(asked: Asked, events: list[e.Event]) -> str:
    """rebuilt seat 1 As Ks: a hand of the finished round, from the discard rack alone."""
    hands = reconstruct(asked.table.rack, asked.table.rack_log)
    place = next((p for p in hands if asked.rest == p or asked.rest.startswith(p + " ")), "")
    if not place:
        raise asked.line.wrong(f"the rack has cards of {', '.join(hands) or 'nobody'}.")
    return f"{place} {spell(hands[place])}"


def _void(asked: Asked, events: list[e.Event]) -> str:
    """``void`` or ``void all``: all hands; ``void seat 2``: that one; ``void nobody``."""
    if asked.table.round is None:
        return "nobody"
    if asked.table.now.void:
        return "" if not asked.rest else "all"
    hands = [f"seat {p.seat}" for p in asked.table.now.positions if p.void]
    return ", ".join(hands) or "nobody"


def _deck(asked: Asked, events: list[e.Event]) -> str:
    colour = asked.rest.split(" ")[0]
    deck = asked.table.deck(colour)
    return f"{colour} {deck.at}" if deck else f"{colour} gone"


def _hand(asked: Asked, events: list[e.Event]) -> str:
    """hand seat 1 As Ks; hand dealer ...; hand community ..."""
    words = asked.rest.split()
    if words[:1] == ["seat"] and len(words) > 1:
        position = asked.table.position(asked.whole(words[1]))
        return f"seat {words[1]} {spell(position.cards) if position else ''}".strip()
    if words[:1] not in (["dealer"], ["community"]):
        raise asked.line.wrong("write whose hand: seat 1, dealer or community.")
    held = asked.table.round
    cards = (held.dealer if words[0] == "dealer" else held.community) if held else ()
    return f"{words[0]} {spell(cards)}".strip()


def _turn(asked: Asked, events: list[e.Event]) -> str:
    step = current(asked.table)
    waiting = turn(asked.table, step) if step else None
    return f"seat {waiting.seat}" if waiting else "nobody"


def _step(asked: Asked, events: list[e.Event]) -> str:
    step = current(asked.table)
    return str(step.kind) if step else "no round"


_CHECKS: dict[str, Check] = {
    "net": _net,
    "chips": _chips,
    "inventory": lambda asked, events: plain(asked.table.inventory),
    "meter": lambda asked, events: plain(asked.table.meter),
    "drop box": lambda asked, events: plain(asked.table.drop_box),
    "discard rack": _rack,
    "rebuilt": _rebuilt,
    "void": _void,
    "deck": _deck,
    "hand": _hand,
    "turn": _turn,
    "step": _step,
    "due": lambda asked, events: "yes" if count_due(asked.table) else "no",
}
