"""What the person has seen of the round, kept until the next one begins.

Cards go to the discard rack and chips leave the felt while the dealer settles; a person wants
to look at them a little longer.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from croupier.rules.money import Cents
from croupier.table import events as e


def net(event: e.WagerSettled) -> Cents:
    """What this wager leaves the player up or down."""
    if event.result == "lost":
        return -event.amount
    return event.win - (event.amount if event.swept and event.result == "won" else 0)


@dataclass
class Picture:
    dealer: list[str] = field(default_factory=list)
    community: list[str] = field(default_factory=list)
    hands: dict[int, list[str]] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)  # "dealer", "seat 3": what was announced
    said: dict[int, str] = field(default_factory=dict)  # the last choice of each seat
    wagers: dict[int, dict[str, Cents]] = field(default_factory=dict)  # still on the felt
    paid: dict[int, dict[str, e.WagerSettled]] = field(default_factory=dict)
    rulings: list[e.IrregularityReported] = field(default_factory=list)
    void: bool = False

    def take_in(self, event: e.Event) -> None:
        """Remember what was said and shown."""
        match event:
            case e.DealerRevealed():
                self.dealer = event.cards.split()
                quality = {True: ", qualified", False: ", not qualified", None: ""}
                self.words["dealer"] = event.hand + quality[event.qualified]
            case e.HandRevealed():
                self.hands[event.seat] = event.cards.split()
                self.words[f"seat {event.seat}"] = event.hand
            case e.HandAnnounced():
                self.words[f"seat {event.seat}"] = event.hand
            case e.ChoiceMade():
                self.said[event.seat] = _said(event)
            case e.WagerSettled():
                self.paid.setdefault(event.seat, {})[event.wager] = event
                self.wagers.get(event.seat, {}).pop(event.wager, None)
            case e.FoldedWagerReturned():
                self.paid.get(event.seat, {}).pop(event.wager, None)
            case e.HandVoided():
                self.said[event.seat] = "void"
            case e.AllHandsVoided():
                self.void = True
            case e.IrregularityReported():
                self.rulings.append(event)

    def look_at(self, round: dict[str, Any] | None) -> None:
        """The cards and chips on the felt; what has left it stays in the picture."""
        if round is None:
            return
        self.dealer = round["dealer"] or self.dealer
        self.community = round["community"] or self.community
        for position in round["positions"]:
            seat = position["seat"]
            self.hands[seat] = position["cards"] or self.hands.get(seat, [])
            self.wagers[seat] = position["wagers"]

    def net(self, seat: int) -> Cents:
        return sum(net(event) for event in self.paid.get(seat, {}).values())


def _said(event: e.ChoiceMade) -> str:
    match event.verb:
        case "withdraw":
            return f"takes {event.wager}"
        case "ride":
            return f"rides {event.wager}"
        case "pick":
            return "picks"
        case "play":
            return f"plays {event.times}x"
        case "play 3" | "play 5":
            return event.verb.replace("play", "plays")
    return event.verb + "s"
