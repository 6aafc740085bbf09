"""One recorded round of every game in every dealing procedure, byte for byte.

A difference means that history would be told otherwise from now on. When that is meant, write
the records again and read the diff before committing it:

    PYTHONPATH=src:tests python tests/table/test_golden.py --write
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from difflib import unified_diff
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from engine_driver import (
    AUTOMATED_SHOE,
    FROM_THE_HAND,
    ONE_DECK,
    PROGRESSIVE,
    SECOND_ALTERNATIVE,
    STACK_LAST,
    Evening,
    Submission,
)
from helpers import ALL_BOOKS, MA_UTH, PIK_IT

from croupier.cards.card import Card
from croupier.table import commands as c
from croupier.table.commands import Actor, player
from croupier.table.events import AnyEvent
from croupier.table.evolve import fold
from croupier.table.procedure import Step
from croupier.table.state import Position

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
WAYS = {"shoe": ONE_DECK, "hand": FROM_THE_HAND, "automated": AUTOMATED_SHOE}
ROUNDS: dict[str, Submission] = {
    f"{book}-{name}": {"rulebook": book, **way} for book in ALL_BOOKS for name, way in WAYS.items()
} | {
    f"{MA_UTH}-progressive": {"rulebook": MA_UTH, **AUTOMATED_SHOE, **PROGRESSIVE},
    f"{PIK_IT}-second-alternative": {"rulebook": PIK_IT, **ONE_DECK, **SECOND_ALTERNATIVE},
    f"{PIK_IT}-stack-last": {"rulebook": PIK_IT, **AUTOMATED_SHOE, **STACK_LAST},
}


class Recorded(Evening):
    """The same round on every machine and Python: chance comes from a hash, not from random."""

    def __init__(self, name: str) -> None:
        super().__init__(ROUNDS[name])
        self.name = name
        self.drawn = 0

    def number(self, below: int, word: object = "") -> int:
        text = f"{self.name} {self.drawn} {word}"
        return int.from_bytes(sha256(text.encode()).digest()[:8], "big") % below

    def pick(self, things: Sequence[object]) -> int:
        self.drawn += 1
        return self.number(len(things))

    def shuffle(self, cards: Sequence[Card]) -> list[Card]:
        self.drawn += 1
        return sorted(cards, key=lambda each: self.number(1 << 60, each))

    def cut(self) -> int:
        return 26

    def wagers(self, seat: int, who: Actor) -> c.Command:
        """Every wager the house offers, so that the record shows them all."""
        house = self.table.house
        placed = {
            wager.name: wager.exactly or 10_00
            for wager in house.game.wagers_under(house.book)
            if wager.before_the_deal and (wager.required or wager.key in house.offered)
        }
        if self.table.shuffling != "automated":
            placed.pop("cover all", None)
        return c.PlaceWagers(who, seat, placed)

    def choice(self, step: Step, p: Position) -> c.Command:
        who = player(p.player)
        choices = [*step.choices.values()]
        choice = choices[self.pick(choices)]
        if choice.verb == "pick":
            return c.Choose(who, p.seat, "pick", cards=(1, 3, 4))
        times = choice.multiples[-1] if step.point == "before-flop" and choice.multiples else 0
        return c.Choose(who, p.seat, choice.verb, choice.wager, times)


def recorded(name: str) -> str:
    """The events of one round, one to a line."""
    log = Recorded(name).arrive().rounds(1).log
    return "".join(msgspec.json.encode(event, order="sorted").decode() + "\n" for event in log)


def path_of(name: str) -> Path:
    return GOLDEN / f"{name}.jsonl"


@pytest.mark.parametrize("name", sorted(ROUNDS))
def test_a_round_happens_as_it_was_recorded(name: str) -> None:
    then = path_of(name).read_text("utf-8")
    now = recorded(name)
    changed = unified_diff(then.splitlines(), now.splitlines(), "recorded", "now", lineterm="", n=1)
    assert then == now, "\n" + "\n".join(changed)


@pytest.mark.parametrize("name", sorted(ROUNDS))
def test_a_recorded_round_can_be_read_back(name: str) -> None:
    lines = path_of(name).read_text("utf-8").splitlines()
    events = [msgspec.json.decode(line, type=AnyEvent) for line in lines]
    table = fold(events)
    assert table.rounds == 1
    assert table.accounts() == 0
    again = [msgspec.json.encode(event, order="sorted").decode() for event in events]
    assert again == lines


def test_there_is_no_record_without_its_round() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == set(ROUNDS)


NOT_IN_AN_ORDINARY_ROUND = {
    *("ChipsBought", "InventoryFilled", "PlayerLeft", "TableClosed", "WagersTakenBack"),
    *("DeckRemoved", "DeviceInstalled", "DeviceRemoved", "MethodChanged", "RecutOrdered"),
    *("IrregularityReported", "HandVoided", "AllHandsVoided", "FoldedWagerReturned"),
    *("DealersHandRepaired", "FaceUpCardRacked", "HandLeftExposed"),
}


def test_every_event_of_an_ordinary_round_is_in_some_record() -> None:
    kinds = {
        msgspec.json.decode(line)["type"]
        for name in ROUNDS
        for line in path_of(name).read_text("utf-8").splitlines()
    }
    known = {kind.__name__ for kind in AnyEvent.__args__}
    assert known - kinds == NOT_IN_AN_ORDINARY_ROUND


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    GOLDEN.mkdir(exist_ok=True)
    for each in ROUNDS:
        path_of(each).write_text(recorded(each), "utf-8")
