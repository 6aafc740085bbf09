"""Values of a submission, as they are read: each reader takes what stands there or says what is
wrong with it. Numbers are held to what can be represented; ``bounded`` judges the whole house."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from croupier.law.refused import Refused
from croupier.rules.bounds import LONGEST_SAID, MOST_COUNT, MOST_MULTIPLE, MOST_MULTIPLES
from croupier.rules.money import Cents, read_dollars
from croupier.rules.odds import Award, read_award
from croupier.rules.wager import Posted

Reader = Callable[[Any], Any]


class Wrong(Exception):
    pass


def text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise Wrong("it must be a word or two in quotes")
    return value


def flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise Wrong("it must be true or false")
    return value


def whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise Wrong("it must be a whole number")
    if abs(value) > MOST_COUNT:
        raise Wrong(f"it must be a whole number, at most {MOST_COUNT:,}")
    return value


def one_of(choices: tuple[str, ...]) -> Reader:
    def read(value: Any) -> str:
        if value not in choices:
            raise Wrong(f"it must be one of: {', '.join(choices)}")
        return str(value)

    return read


def texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise Wrong("it must be a list of names in quotes")
    return tuple(value)


def money(value: Any) -> Cents:
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise Wrong("it must be dollars: a whole number, or text such as '0.70'")
    if isinstance(value, int) and abs(value) >= 10**LONGEST_SAID:
        raise Wrong("it is more than can be paid")
    try:
        return read_dollars(str(value))
    except Refused as refused:
        raise Wrong(refused.sentence) from None


def limits(value: Any) -> Posted:
    if not isinstance(value, list) or len(value) != 2:
        raise Wrong("it must be a minimum and a maximum, such as [5, 500]")
    return Posted(money(value[0]), money(value[1]))


def multiples(value: Any) -> tuple[int, ...]:
    values = value if isinstance(value, list) else [value]
    if not values:
        raise Wrong("it must name at least one multiple")
    if len(values) > MOST_MULTIPLES:
        raise Wrong(f"it may name at most {MOST_MULTIPLES} multiples")
    found = tuple(whole(v) for v in values)
    if not all(0 <= n <= MOST_MULTIPLE for n in found):
        raise Wrong(f"a multiple must be from 0 to {MOST_MULTIPLE}")
    return found


def award(value: Any) -> Award:
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise Refused("Write odds such as '3 to 2' or 500, a sum '$500' or '10 %'.")
    if isinstance(value, int) and abs(value) >= 10**LONGEST_SAID:
        raise Refused("These odds are more than can be paid.")
    return read_award(str(value))


def table(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise Wrong("it must be a table of keys")
    return value
