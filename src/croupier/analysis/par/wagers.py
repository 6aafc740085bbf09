"""The wagers of the main game one by one: what each of them wins and loses in the same deals.

A solution settles them together. Each of its outcomes is settled here once more by the game's
own rules, so the parts add up to the whole.
"""

from __future__ import annotations

from fractions import Fraction

from croupier.analysis.solution import Book, Outcome, Solution, merged
from croupier.analysis.tabulate import unit, unlimited
from croupier.games import caribbean_stud, let_it_ride, pik_it
from croupier.games import ultimate_texas_holdem as uth
from croupier.house.submission import House
from croupier.rules.game import Versus
from croupier.rules.money import Cents
from croupier.rules.settlement import Result, Settlement
from croupier.rules.terms import Terms

NOT_MADE = "not made"


def parts(house: House, solution: Solution) -> dict[str, Book]:
    """A book for each wager of the main game, per unit of its base wager."""
    terms = unlimited(house.terms())
    base = unit(terms)
    found: dict[str, list[Outcome]] = {}
    for o in solution.main.outcomes:
        settled = {s.wager: s for s in SETTLE[house.game.id](o, base, terms)}
        for name in names(house):
            found.setdefault(name, []).append(_part(o, settled.get(name), base))
    return {name: merged(outcomes) for name, outcomes in found.items()}


def names(house: House) -> tuple[str, ...]:
    """The wagers that a solution calls the main game."""
    return tuple(
        w.name
        for w in house.game.wagers
        if (w.required or w.multiple_of) and w is not pik_it.FIVE_CARD_BONUS
    )


def _part(o: Outcome, settled: Settlement | None, base: Cents) -> Outcome:
    if settled is None:
        return Outcome(Fraction(0), o.count, o.action, NOT_MADE, o.qualified, Fraction(0))
    # A bet taken back was not at risk; one returned because the dealer did not qualify was.
    withdrawn = settled.result is Result.RETURNED and "withdraw" in o.action
    return Outcome(
        Fraction(settled.net, base),
        o.count,
        o.action,
        settled.line or settled.result.value,
        o.qualified,
        Fraction(0 if withdrawn else settled.amount, base),
    )


def _versus(o: Outcome) -> Versus:
    """A hand that was played nets more than nothing exactly where it is the higher."""
    return Versus((o.net > 0) - (o.net < 0))


def _uth(o: Outcome, ante: Cents, terms: Terms) -> tuple[Settlement, ...]:
    outcome = uth.Outcome(o.line, _versus(o), bool(o.qualified), o.action == "fold")
    wagers = {"ante": ante, "blind": ante, "play": _cents(ante, o.wagered - 2)}
    return uth.settle(outcome, wagers, terms)


def _caribbean(o: Outcome, ante: Cents, terms: Terms) -> tuple[Settlement, ...]:
    outcome = caribbean_stud.Outcome(o.line, _versus(o), bool(o.qualified), o.action == "fold")
    wagers = {"ante": ante, "bet": _cents(ante, o.wagered - 1)}
    return caribbean_stud.settle(outcome, wagers, terms)


def _ride(o: Outcome, bet: Cents, terms: Terms) -> tuple[Settlement, ...]:
    chosen = zip(("bet 1", "bet 2"), o.action.split(", "), strict=True)
    withdrawn = frozenset(name for name, verb in chosen if verb == "withdraw")
    outcome = let_it_ride.Outcome(o.line, "high-card", withdrawn)
    return let_it_ride.settle(outcome, {each.name: bet for each in let_it_ride.BETS}, terms)


def _pik_it(o: Outcome, ante: Cents, terms: Terms) -> tuple[Settlement, ...]:
    played = "" if o.action == "fold" else o.action
    versus = _versus(o)
    outcome = pik_it.Outcome(o.line, versus, versus, bool(o.qualified), played)
    wagers = {"ante": ante, played: _cents(ante, o.wagered - 1)}
    return pik_it.settle(outcome, wagers, terms)


def _cents(base: Cents, times: Fraction) -> Cents:
    return int(base * times)


SETTLE = {
    uth.GAME.id: _uth,
    caribbean_stud.GAME.id: _caribbean,
    let_it_ride.GAME.id: _ride,
    pik_it.GAME.id: _pik_it,
}
