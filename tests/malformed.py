"""Messages nobody could have meant: random, cut short, bent, nested, far too large, of wrong kinds.

Every one is wrong whatever the table's state: numbers of seats and amounts are beyond any table,
so that not even a lucky change of one letter makes a lawful command of them.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

Data = dict[str, Any]

NO_SEAT, NO_SUM = 999_999_999, 10**15
ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    0.5,
    -0.0,
    1e308,
    10**18,
    10**19,
    -(10**40),
    "",
    "\0",
    "\ud800",
    "\U0001f0cf",
    "' OR 1=1 --",
    "<script>",
    "../../etc",
    "x" * 300,
    [],
    {},
    [[]],
    {"": None},
    ["name"],
)


BODIES: list[Data] = [
    {"house": {"rulebook": "nowhere"}, "id": "nowhere", "inventory": NO_SUM},
    {"house": {"rulebook": "nj-let-it-ride", "decks": "red"}, "betting_seconds": NO_SUM},
    {"name": "nobody at all", "password": "nothing at all"},
    {"name": "nobody at all", "password": "short", "role": "owner"},
    {"old": "nothing at all", "new": "nothing"},
    {"table": "nowhere at all", "seat": NO_SEAT},
    {"game": "nothing", "hand": "Ah Ah", "board": "", "dealer": "", "seen": "??"},
]


def messages(table: str) -> list[Data]:
    """What may be said on the socket, none of which any table would do for a player."""
    do: list[Data] = [
        {"name": "SitDown", "seat": NO_SEAT, "chips": NO_SUM},
        {"name": "StandUp", "seat": NO_SEAT},
        {"name": "BuyChips", "amount": NO_SUM},
        {"name": "PlaceWagers", "seat": NO_SEAT, "wagers": {"ante": NO_SUM, "blind": NO_SUM}},
        {"name": "TakeBackWagers", "seat": NO_SEAT, "wagers": ["ante", "blind"]},
        {"name": "Choose", "seat": NO_SEAT, "verb": "bet", "wager": "", "times": 4, "cards": []},
        {"name": "AddEntropy", "entropy": "words" * 60, "shuffle": 0},
        {"name": "RemoveDeck", "colour": "red"},
        {"name": "FillInventory", "amount": NO_SUM},
        {"name": "DealHands"},
    ]
    said = [{"type": "command", "id": "x", "table": table, "do": each} for each in do]
    other: list[Data] = [
        {"type": "hello", "ticket": "again"},
        {"type": "preview", "id": "x", "table": table, "do": do[0]},
        {"type": "watch", "table": "nowhere at all", "after": NO_SUM},
        {"type": "unwatch", "table": "nowhere at all"},
        {"type": "ready", "table": "nowhere at all"},
        {"type": "pause", "table": table, "at": "shoe"},
        {"type": "resume", "table": table},
    ]
    return said + other


class Malformed:
    """One source of wrong messages; the same seed gives the same."""

    def __init__(self, seed: int, lawful: list[Data]) -> None:
        self.rng = random.Random(seed)
        self.lawful = lawful
        self.kinds: list[Callable[[], str | bytes]] = [
            self.noise,
            self.binary,
            self.cut_short,
            self.bent,
            self.nested,
            self.far_too_large,
            self.odd_field,
            self.extra_field,
            self.lacking,
            self.no_object,
        ]

    def next(self) -> str | bytes:
        return self.rng.choice(self.kinds)()

    def _some(self) -> Data:
        message: Data = json.loads(json.dumps(self.rng.choice(self.lawful)))
        if message.get("type") == "command":
            message["id"] = f"{self.rng.getrandbits(64):x}"
        return message

    def _inner(self, message: Data) -> Data:
        """The message, or what it holds."""
        inside = [each for each in message.values() if isinstance(each, dict) and each]
        return self.rng.choice([message, *inside])

    def noise(self) -> str:
        count = self.rng.randrange(1, 60)
        return "".join(chr(self._letter()) for _ in range(count))

    def _letter(self) -> int:
        letter = self.rng.choice((self.rng.randrange(32, 127), self.rng.randrange(0x10FFFF)))
        return letter if not 0xD800 <= letter < 0xE000 else ord("{")

    def binary(self) -> bytes:
        return self.rng.randbytes(self.rng.randrange(1, 60))

    def cut_short(self) -> str:
        text = json.dumps(self._some())
        return text[: self.rng.randrange(1, len(text))]

    def bent(self) -> str:
        """Some letters are others, and no longer what they were."""
        text = list(json.dumps(self._some()))
        for _ in range(self.rng.randrange(1, 4)):
            at = self.rng.randrange(len(text))
            text[at] = self.rng.choice(("", chr(self._letter()), text[at] * 2, "\\u0000", '"'))
        return "".join(text)

    def nested(self) -> str:
        deep = self.rng.choice((10, 200, 1_500, 4_000))
        opening, closing = self.rng.choice((("[", "]"), ('{"a":', "}")))
        inside = opening * min(deep, 8_000 // len(opening)) + "1"
        if self.rng.random() < 0.5:
            inside += closing * inside.count(opening)
        text = json.dumps(self._some())
        return text[:-1] + f',"deep":{inside}}}'

    def far_too_large(self) -> str:
        message = self._some()
        inner = self._inner(message)
        inner[self.rng.choice([*inner])] = "NUMBER"
        digits = self.rng.choice("123456789") + "".join(
            self.rng.choices("0123456789", k=self.rng.choice((30, 400, 4_000)))
        )
        number = self.rng.choice((digits, f"-{digits}", f"1e{digits[:5]}", f"0.{digits}"))
        return json.dumps(message).replace('"NUMBER"', number, 1)

    def odd_field(self) -> str:
        message = self._some()
        inner = self._inner(message)
        inner[self.rng.choice([*inner])] = self.rng.choice(ODD)
        return json.dumps(message)

    def extra_field(self) -> str:
        message = self._some()
        name = self.rng.choice(("by", "role", "player", "__class__", "constructor", "", "\0", "é"))
        self._inner(message)[name] = self.rng.choice((*ODD, {"role": "supervisor", "player": ""}))
        return json.dumps(message)

    def lacking(self) -> str:
        message = self._some()
        inner = self._inner(message)
        del inner[self.rng.choice([*inner])]
        return json.dumps(message)

    def no_object(self) -> str:
        return json.dumps(self.rng.choice((*ODD, [self._some()], json.dumps(self._some()))))
