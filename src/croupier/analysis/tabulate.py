"""The games' own settlement, tabulated over its classes. The only place where money enters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import lcm

import numpy as np
from numpy.typing import NDArray

from croupier.cards.ranking import FIVE_CARD_LINES, FiveCard
from croupier.games import caribbean_stud, let_it_ride, pik_it
from croupier.games import ultimate_texas_holdem as uth
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


def holdem_nets(terms: Terms, times: Iterable[int]) -> NDArray[np.int64]:
    """nets[kind, versus + 1, qualified, times] of ante, blind and play, in cents on unit antes."""
    terms, ante = unlimited(terms), unit(terms)
    nets = np.zeros((10, 3, 2, 1 + max(times)), np.int64)
    for kind in FiveCard:
        for versus in Versus:
            for qualified in (False, True):
                for n in range(nets.shape[3]):
                    outcome = uth.Outcome(FIVE_CARD_LINES[kind], versus, qualified, folded=n == 0)
                    wagers = {"ante": ante, "blind": ante, "play": n * ante}
                    net = total(uth.settle(outcome, wagers, terms))
                    nets[kind, versus + 1, int(qualified), n] = net
    return nets


def caribbean_nets(terms: Terms, times: int) -> NDArray[np.int64]:
    """nets[kind, versus + 1, qualified, bet or fold] of ante and bet."""
    terms, ante = unlimited(terms), unit(terms)
    nets = np.zeros((10, 3, 2, 2), np.int64)
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
    return nets


def pik_it_nets(terms: Terms) -> dict[str, NDArray[np.int64]]:
    """nets[versus + 1, qualified] of ante and play, by how the hand is played."""
    terms, ante = unlimited(terms), unit(terms)
    found = {}
    for played in ("", "play 3", "play 5"):
        nets = np.zeros((3, 2), np.int64)
        for versus in Versus:
            for qualified in (False, True):
                outcome = pik_it.Outcome("high-card", versus, versus, qualified, played)
                wagers = {"ante": ante, "5 card bonus": 0}
                if played:
                    wagers[played] = ante * terms.multiples[played.replace(" ", "-")][0]
                settled = pik_it.settle(outcome, wagers, terms)
                nets[versus + 1, int(qualified)] = total(settled)
        found[played] = nets
    return found


def ride_nets(terms: Terms, hands: Iterable[str]) -> dict[str, int]:
    """What one bet that rides nets on each class of hand, on a unit bet."""
    terms, bet = unlimited(terms), unit(terms)
    nets = {}
    for hand in hands:
        outcome = let_it_ride.Outcome(hand, "high-card")
        settled = let_it_ride.settle_bet(outcome, let_it_ride.BET_3, bet, terms)
        nets[hand] = settled.net
    return nets
