"""Examples arranged on purpose: what an evening seldom brings, or no event of it would cite.

A submission is put to the checker, a round is written down as docs/SCRIPT.md says and played by
the table itself, and one sentence says what is to be seen in it, read off what came of it. Where
the law's five books have twins, one arrangement serves them all.

Clauses are looked up here by their full id, not cited through their book: an example enforces
nothing, so the law's page must not name it among the places that do.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from msgspec import Struct

from croupier.games.registry import game_under
from croupier.house.check import check
from croupier.house.submission import read_data
from croupier.law.clause import Clause
from croupier.law.refused import Refused
from croupier.room.api.examples.told import Example, Line, line
from croupier.rules.money import in_dollars
from croupier.script.commands import command
from croupier.script.run import Failed, Played, ScriptRun, run
from croupier.table import events as e
from croupier.table.commands import Role
from croupier.table.evolve import fold
from croupier.table.state import Table

Kind = TypeVar("Kind", bound=e.Event)
Runs = tuple[ScriptRun, ...]
Seen = Callable[[Runs], str]

# What a hand is told by, unless an arrangement says otherwise.
HAND = (
    e.WagersPlaced,
    e.ChoiceMade,
    e.CommunityDealt,
    e.CommunityRevealed,
    e.DealerRevealed,
    e.HandRevealed,
    e.HandAnnounced,
    e.WagerSettled,
)


class Shown(Struct, frozen=True):
    """What shows a clause: submissions, rounds, and what is to be seen in them."""

    clause: Clause
    title: str
    scripts: tuple[str, ...] = ()
    seen: Seen | None = None  # None where the answers cite the clause themselves
    submitted: tuple[Mapping[str, Any], ...] = ()
    kinds: tuple[type[e.Event], ...] = HAND
    wagers: tuple[str, ...] = ()  # whose settlement is told; all of them where none is named


def example(shown: Shown, cite: str, book_id: str) -> Example | None:
    """As the checker and the table answer now; ``cite`` is the clause's id in this book.

    Nothing where the table no longer answers as it was asked to: then one clause has no example,
    and the others keep theirs.
    """
    told = [each for data in shown.submitted for each in _judged({"rulebook": book_id, **data})]
    try:
        runs = tuple(run(written(script, book_id)) for script in shown.scripts)
    except (Failed, Refused):
        return None
    for number, each in enumerate(runs):
        told += [Line("At another table:")] if number else []
        told += _played(each, shown)
    if shown.seen:
        told.append(Line(shown.seen(runs), cite))
    return Example(shown.title, told)


# --- a submission ---------------------------------------------------------------------------


def _judged(data: dict[str, Any]) -> Iterator[Line]:
    """What differs from the preset, and what the checker says of it."""
    keys = (f"{key} = {_value(value)}" for key, value in data.items() if key != "rulebook")
    yield Line(f"A house submits {', '.join(keys)}.")
    report = check(read_data(data))
    for wrong in report.violations:
        cite = wrong.clause.id if wrong.clause else None
        yield Line(f"Refused: {wrong.key}: {wrong.sentence}", cite)
    if report.legal:
        yield Line("Lawful.")


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_value(each)}" for key, each in value.items())
    return json.dumps(value)


# --- a round --------------------------------------------------------------------------------


def _played(played: ScriptRun, shown: Shown) -> Iterator[Line]:
    """The events of these kinds, and every refusal where it was given."""
    refusals = [each for each in played.lines if each.refused]
    for at in range(len(played.events) + 1):
        for each in refusals:
            if each.first == at:
                yield from _asked(played, each)
        if at < len(played.events) and _told(played.events[at], shown):
            yield line(played.events[at])


def _told(event: e.Event, shown: Shown) -> bool:
    if not isinstance(event, shown.kinds):
        return False
    if isinstance(event, e.WagerSettled) and shown.wagers:
        return event.wager in shown.wagers
    return True


def _asked(played: ScriptRun, each: Played) -> Iterator[Line]:
    assert each.refused is not None
    asked = command(fold(played.events[: each.first]), each.line)
    by = asked.by
    who = f"Seat {getattr(asked, 'seat', 0)}" if by.role is Role.PLAYER else f"The {by.role}"
    yield Line(f"{who} asks: {each.line.words}.")
    yield Line(f"Refused. {each.refused.sentence}", each.refused.clause)


# What the games say differently where they do the same.
WORDS: dict[str, dict[str, str]] = {
    "ultimate-texas-holdem": {
        "bets": "bets 10 10",
        "to_the_stub": "bets 10 10\ncheck\ncheck",
        "from_the_stub": "fold\nauto",
    },
    "caribbean-stud": {
        "bets": "bets 10",
        "to_the_stub": "bets 10",
        "from_the_stub": "fold\nauto",
    },
    "let-it-ride": {
        "bets": "bets 10 10 10",
        "to_the_stub": "bets 10 10 10",
        "from_the_stub": "withdraw 1\nwithdraw 2\nauto",
    },
    "pik-it": {
        "bets": "bets 10 10",
        "to_the_stub": "bets 10 10",
        "from_the_stub": "fold\nauto",
    },
}
# A house that deals so. No wager is on offer that would need a shuffler.
WAY = "set offered = []\nset dealing = {}\nset shuffling = {}\nset decks = {}\n"
WAYS = {
    "manual_shoe": WAY.format("manual shoe", "manual", '["red"]'),
    "hand": WAY.format("hand", "automated", '["red"]'),
    "automated_shoe": WAY.format("automated shoe", "automated", '["red"]'),
    "two_decks": WAY.format("automated shoe", "automated", '["red", "blue"]'),
}


def written(script: str, book_id: str) -> str:
    """The script as this book's game says it: {bets}, {hand} and the like are filled in."""
    words = WORDS[game_under(book_id).id]
    uncounted = f"{words['to_the_stub']}\nrack stub\n{words['from_the_stub']}"
    return f"rulebook {book_id}\n" + script.format(**words, **WAYS, uncounted=uncounted)


# --- what is to be seen ---------------------------------------------------------------------


def every(played: ScriptRun, kind: type[Kind], **fields: object) -> list[Kind]:
    """The events of a kind with these fields, in order."""
    return [
        each
        for each in played.events
        if isinstance(each, kind)
        and all(getattr(each, name) == value for name, value in fields.items())
    ]


def first(played: ScriptRun, kind: type[Kind], **fields: object) -> Kind:
    return every(played, kind, **fields)[0]


def settled(played: ScriptRun, wager: str, seat: int = 1) -> e.WagerSettled:
    return first(played, e.WagerSettled, wager=wager, seat=seat)


def outcome(one: e.WagerSettled) -> str:
    """What became of a wager: "ante lost $10", "trips won $15"."""
    return f"{one.wager} {one.result} {in_dollars(one.win or one.amount)}"


def beside(runs: Runs, one: str, other: str) -> str:
    """Two wagers that went different ways, table by table."""
    told = [f"{outcome(settled(each, one))}, {outcome(settled(each, other))}" for each in runs]
    return as_sentence("; ".join(told))


def just_after(played: ScriptRun, event: e.Event) -> Table:
    """The table as it stood when this had happened."""
    return fold(played.events[: played.events.index(event) + 1])


def when_refused(played: ScriptRun) -> Table:
    """The table as it stood when something was first refused."""
    return fold(played.events[: next(each.first for each in played.lines if each.refused)])


def listed(words: Iterable[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def as_sentence(words: str) -> str:
    """With a capital and a full stop; the rest stays as it is, cards above all."""
    return f"{words[:1].upper()}{words[1:]}."
