"""The edge of a legal table, and a warning where it is the player's (ruling P1)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from croupier.analysis.par.sheet import side_bets
from croupier.analysis.report import fraction, percent
from croupier.analysis.solution import Solution
from croupier.house.submission import House, Violation
from croupier.rules.money import in_dollars

MAIN = "main"  # all required wagers together


def edges(solution: Solution) -> dict[str, Fraction]:
    """Of the required wagers together, and of each side bet; a negative one is the player's."""
    whole = solution.whole or solution.main
    return {MAIN: -whole.net} | {name: -book.net for name, book in side_bets(solution).items()}


def unwise(house: House, found: dict[str, Fraction]) -> Iterator[Violation]:
    """A warning for each wager on which a player who plays well is ahead."""
    for name, edge in found.items():
        if edge < 0:
            yield _main(house, edge) if name == MAIN else _side_bet(house, name, edge)


def _main(house: House, edge: Fraction) -> Violation:
    """To blame are pay lines of the house's own; in Pik-It, whatever multiples it picked with the
    dealer qualifying, only those it picked without."""
    unit = "bet" if "main" in house.pay else "ante"
    sentence = f"the required wagers together favour the player by {_by(edge)} of the {unit}."
    picked = {key: rule for key, rule in house.game.multiples.items() if rule.house_picks}
    if picked and not house.qualifier:
        chosen = {key: house.multiples[key][0] for key in picked}
        cite = next(iter(picked.values())).cite
        return Violation("multiples", chosen, f"without a qualifier {sentence}", cite)
    key = next(w.key for w in house.game.wagers if w.required and w.key in house.pay)
    return _pay(house, key, sentence)


def _pay(house: House, key: str, sentence: str) -> Violation:
    table = house.pay[key]
    lines = {line.name: str(line.award) for line in table}
    where = f"pay.{key.replace(' ', '.')}"
    return Violation(where, lines, sentence, table.cite.under(house.book))


def _side_bet(house: House, name: str, edge: Fraction) -> Violation:
    key, _, hands = name.partition(", ")
    sentence = f"it favours the player by {_by(edge)} of the wager."
    if key == "progressive" and house.progressive:
        cite = house.game.wager("progressive").cite.under(house.book)
        return Violation("progressive.meter", in_dollars(house.progressive.meter), sentence, cite)
    return _pay(house, f"{key} {hands.split()[0]}" if hands else key, sentence)


def _by(edge: Fraction) -> str:
    return f"{percent(-edge)} ({fraction(-edge)})"
