"""Let It Ride: NJ 19:47-18. Reads in the order of the chapter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from msgspec import Struct

from croupier.cards.card import Card
from croupier.cards.ranking import READABLE, Ranker
from croupier.games.procedures import LET_IT_RIDE
from croupier.law.clause import Clause, rulebook
from croupier.rules.game import Game
from croupier.rules.limits import PayoutLimit, capped
from croupier.rules.money import Cents, dollars
from croupier.rules.paytable import (
    FIVE_CARD_CLASSES,
    THREE_CARD_CLASSES,
    a_hand,
    hand_class,
    printed_tables,
)
from croupier.rules.settlement import Result, Settlement, lost, returned, won_line
from croupier.rules.stage import (
    Burn,
    Choice,
    Choose,
    Deal,
    Face,
    NoMoreBets,
    Place,
    Reveal,
    Settle,
)
from croupier.rules.terms import Terms
from croupier.rules.wager import Wager

law = rulebook("nj-let-it-ride")

# --- wagers ---------------------------------------------------------------------------------

BET_1 = Wager("bet 1", "main", law("18.6(d)"), required=True, withdrawable=True)
BET_2 = Wager("bet 2", "main", law("18.6(d)"), required=True, equal_to="bet 1", withdrawable=True)
BET_3 = Wager("bet 3", "main", law("18.6(d)"), required=True, equal_to="bet 1")
BETS = (BET_1, BET_2, BET_3)
BONUS = Wager(
    "let it ride bonus",
    "bonus",
    law("18.6A(b)"),
    exactly=dollars(1),
    needs=("bet 1", "bet 2", "bet 3"),
    needs_cite=law("18.6A(b)"),
    swept=True,
    offered=law("18.6A(a)"),
    paid_by=law("18.6A(c)"),
    stands_alone=law("18.6A(d)"),
)
THREE_CARD = Wager(
    "three card bonus",
    "three-card",
    law("18.6B(b)"),
    needs=("bet 1", "bet 2", "bet 3"),
    needs_cite=law("18.6B(b)"),
    offered=law("18.6B(a)"),
    paid_by=law("18.6B(c)"),
    stands_alone=law("18.6B(d)"),
)

# --- the round ------------------------------------------------------------------------------

DEFINITIONS = {
    "community card": law('18.1 "Community card"'),
    "hand": law('18.1 "Hand"'),  # the player's three and two community cards
    "let it ride": law('18.1 "Let it ride"'),
    "suit": law('18.1 "Suit"'),
}
RIDE = DEFINITIONS["let it ride"]

# What the three card bonus may be paid on: a list, not a ranking (ruling L9). What the law
# calls a mini-royal is the three-card royal flush.
ELIGIBLE = law("18.3(c)")
ELIGIBLE_THREE_CARDS = {
    "royal-flush": law("18.3(c)1"),
    "straight-flush": law("18.3(c)2"),
    "flush": law("18.3(c)3"),
    "straight": law("18.3(c)4"),
    "three-of-a-kind": law("18.3(c)5"),
    "pair": law("18.3(c)6"),
}

ROUND = (
    NoMoreBets(law("18.7(b)")),
    Deal(3, (Place.PLAYERS, Place.COMMUNITY), Face.DOWN, law("18.7(c)")),
    Choose(
        "bet-1",
        (
            Choice("withdraw", "bet 1", cite=law("18.10(b)2")),
            Choice("ride", "bet 1", cite=RIDE),
        ),
        law("18.10(b)"),
    ),
    Burn("community, dealer's left", law("18.10(c)")),
    Reveal("community", law("18.10(d)")),
    Choose(
        "bet-2",
        (
            Choice("withdraw", "bet 2", cite=law("18.10(e)2")),
            Choice("ride", "bet 2", cite=RIDE),
        ),
        law("18.10(e)"),  # whatever happened to bet 1 (ruling L8)
    ),
    Reveal("community", law("18.10(f)")),
    Reveal("player", law("18.10(g)1")),
    Settle(
        ("bet 1", "bet 2", "bet 3", "let it ride bonus", "three card bonus"),
        law("18.10(g)"),
        within=law("18.10(g)3"),
    ),
)

# --- what settlement looks at ---------------------------------------------------------------


class Outcome(Struct, frozen=True, gc=False):
    """A finished hand, reduced to the finite classes that its settlement depends on."""

    hand: str  # three of the player's and two community cards
    three: str  # the player's three alone
    withdrawn: frozenset[str] = frozenset()


def outcome(
    player: tuple[Card, ...],
    community: tuple[Card, ...],
    *,
    withdrawn: frozenset[str] = frozenset(),
    ranker: Ranker = READABLE,
) -> Outcome:
    return Outcome(
        hand=hand_class(ranker.five((*player, *community))),
        three=hand_class(ranker.three(player)),
        withdrawn=withdrawn,
    )


def classes() -> Iterator[Outcome]:
    """Every class that settlement tells apart; some can never be dealt."""
    yield from (
        Outcome(hand, three) for hand, three in product(FIVE_CARD_CLASSES, THREE_CARD_CLASSES)
    )


# --- settlement: 18.10(g), 18.11 ------------------------------------------------------------

WITHDRAWN = {"bet 1": law("18.10(b)2"), "bet 2": law("18.10(e)2")}
BELOW_TENS = law("18.10(g)2")
BONUS_FROM_TRIPS = law("18.6A(a)")


def settle_bet(o: Outcome, wager: Wager, amount: Cents, terms: Terms) -> Settlement:
    if wager.name in o.withdrawn:
        return returned(wager, amount, WITHDRAWN[wager.name], "The player withdrew it")
    if line := terms.pay["main"].line_for(o.hand):
        return won_line(wager, amount, line, law("18.11(b)"))
    return lost(wager, amount, BELOW_TENS, "The hand is below a pair of tens")


def settle_bonus(o: Outcome, amount: Cents, terms: Terms) -> Settlement:
    """The chip was swept before the deal; its sum is the whole payment (rulings K3, L5)."""
    if line := terms.pay["bonus"].line_for(o.hand):
        return won_line(BONUS, amount, line, law("18.11(d)"))
    why = f"{a_hand(o.hand)} is below three-of-a-kind"
    return lost(BONUS, amount, BONUS_FROM_TRIPS, why)


def settle_three_card(o: Outcome, amount: Cents, terms: Terms) -> Settlement:
    if o.three not in ELIGIBLE_THREE_CARDS:
        return lost(THREE_CARD, amount, ELIGIBLE, "The three cards are below a pair")
    line = terms.pay["three-card"].line_for(o.three)
    assert line is not None, "every table has a line for each eligible hand"
    return won_line(THREE_CARD, amount, line, law("18.11(e)"))


def settle(o: Outcome, wagers: Mapping[str, Cents], terms: Terms) -> tuple[Settlement, ...]:
    """Settle one hand in the order of the law, within its payout limit."""
    settled = [settle_bet(o, bet, wagers[bet.name], terms) for bet in BETS]
    if "let it ride bonus" in wagers:
        settled.append(settle_bonus(o, wagers["let it ride bonus"], terms))
    if "three card bonus" in wagers:
        settled.append(settle_three_card(o, wagers["three card bonus"], terms))
    within = capped(settled, terms.payout_limits)
    order = (Result.RETURNED, Result.LOST, Result.WON)  # 18.10(g)3: losers before winners
    return tuple(sorted(within, key=lambda s: order.index(s.result)))


# --- payout limit: 18.11(c), optional (ruling L6) -------------------------------------------

LIMIT = law("18.11(c)")
LEAST_LIMIT = dollars(50_000)


def least_payout_limit(terms: Terms) -> tuple[Cents, Clause]:
    """$50,000, or three bets at the table minimum on the best line where that is more."""
    best = terms.best_round({"main": 3 * terms.posted["main"].minimum})
    return max(LEAST_LIMIT, best), LIMIT


def payout_limits(terms: Terms, posted: Cents | None) -> tuple[PayoutLimit, ...]:
    if posted is None:
        return ()
    return (PayoutLimit(posted, tuple(bet.name for bet in BETS), LIMIT),)


GAME = Game(
    id="let-it-ride",
    alias="ride",
    title="Let It Ride",
    books=(law,),
    wagers=(*BETS, BONUS, THREE_CARD),
    multiples={},
    tables=printed_tables("let-it-ride"),
    round=ROUND,
    cards_each=3,
    cards_beside=3,
    payout_limits=payout_limits,
    least_payout_limit=least_payout_limit,
    settle=settle,
    procedures=LET_IT_RIDE,
    definitions=DEFINITIONS,
)
