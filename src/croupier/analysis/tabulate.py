"""The games' own settlement, tabulated over its classes. The only place where money enters.

Tables are made of Python's integers and become machine words only where every sum that a kernel
makes of them fits (``analysis.exact``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import lcm

import numpy as np
from numpy.typing import NDArray

from croupier.analysis import exact
from croupier.analysis.exact import Exact, must_fit
from croupier.cards.ranking import FIVE_CARD_LINES, FiveCard
from croupier.games import caribbean_stud, let_it_ride, pik_it
from croupier.games import ultimate_texas_holdem as uth
from croupier.law.refused import Refused
from croupier.rules.game import Versus
from croupier.rules.odds import Odds
from croupier.rules.settlement import total
from croupier.rules.terms import Terms


def unlimited(terms: Terms) -> Terms:
    """Theory pays every line in full; payout limits are for the table."""
    return replace(terms, payout_limits=())


def unit(terms: Terms) -> int:
    """A base wager, in cents, on which every line of every table pays whole cents."""
    stakes = [
        line.award.stake
        for table in terms.pay.values()
        for line in table
        if isinstance(line.award, Odds)
    ]
    return lcm(1, *stakes)


def _words(nets: Exact, deals: int) -> NDArray[np.int64]:
    """A table as kernels read it; refused where their sums over so many deals would not fit."""
    must_fit(nets.ravel().tolist(), deals)
    return nets.astype(np.int64)


def _played(times: Iterable[int]) -> None:
    if any(n < 1 for n in times):
        raise Refused("A play wager of no antes has no price; multiples begin at 1.")


def holdem_nets(terms: Terms, times: Iterable[int]) -> NDArray[np.int64]:
    """nets[kind, versus + 1, qualified, times] of ante, blind and play, in cents on unit antes."""
    _played(n for choices in terms.multiples.values() for n in choices)
    terms, ante = unlimited(terms), unit(terms)
    nets: Exact = np.zeros((10, 3, 2, 1 + max(times)), object)
    for kind in FiveCard:
        for versus in Versus:
            for qualified in (False, True):
                for n in range(nets.shape[3]):
                    outcome = uth.Outcome(FIVE_CARD_LINES[kind], versus, qualified, folded=n == 0)
                    wagers = {"ante": ante, "blind": ante, "play": n * ante}
                    net = total(uth.settle(outcome, wagers, terms))
                    nets[kind, versus + 1, int(qualified), n] = net
    return _words(nets, exact.HOLDEM)


def caribbean_nets(terms: Terms, times: int) -> NDArray[np.int64]:
    """nets[kind, versus + 1, qualified, bet or fold] of ante and bet."""
    _played((times,))
    terms, ante = unlimited(terms), unit(terms)
    nets: Exact = np.zeros((10, 3, 2, 2), object)
    for kind in FiveCard:
        for versus in Versus:
            for qualified in (False, True):
                for folded in (False, True):
                    outcome = caribbean_stud.Outcome(
                        FIVE_CARD_LINES[kind], versus, qualified, folded
                    )
                    wagers = {"ante": ante, "bet": times * ante}
                    net = total(caribbean_stud.settle(outcome, wagers, terms))
                    nets[kind, versus + 1, int(qualified), int(not folded)] = net
    return _words(nets, exact.CARIBBEAN)


def pik_it_nets(terms: Terms) -> dict[str, NDArray[np.int64]]:
    """nets[versus + 1, qualified] of ante and play, by how the hand is played."""
    _played(n for times in terms.multiples.values() for n in times)
    terms, ante = unlimited(terms), unit(terms)
    found = {}
    for played in ("", "play 3", "play 5"):
        nets: Exact = np.zeros((3, 2), object)
        for versus in Versus:
            for qualified in (False, True):
                outcome = pik_it.Outcome("high-card", versus, versus, qualified, played)
                wagers = {"ante": ante, "5 card bonus": 0}
                if played:
                    wagers[played] = ante * terms.multiples[played.replace(" ", "-")][0]
                settled = pik_it.settle(outcome, wagers, terms)
                nets[versus + 1, int(qualified)] = total(settled)
        found[played] = _words(nets, exact.PIK_IT)
    return found


def ride_nets(terms: Terms, hands: Iterable[str]) -> dict[str, int]:
    """What one bet that rides nets on each class of hand, on a unit bet."""
    terms, bet = unlimited(terms), unit(terms)
    nets = {}
    for hand in hands:
        outcome = let_it_ride.Outcome(hand, "high-card")
        settled = let_it_ride.settle_bet(outcome, let_it_ride.BET_3, bet, terms)
        nets[hand] = settled.net
    must_fit(nets.values(), exact.RIDE)
    return nets
