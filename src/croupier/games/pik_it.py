"""Pik-It Poker: NJ 13:69E-1.13Y and 13:69F-39. Reads in the order of the chapter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from msgspec import Struct

from croupier.cards.card import Card, Rank
from croupier.cards.ranking import READABLE, FiveCard, Ranker, Strength
from croupier.games.procedures import PIK_IT
from croupier.law.clause import Clause, rulebook
from croupier.rules.game import Comparison, Game, Multiples, Versus
from croupier.rules.limits import PayoutLimit
from croupier.rules.money import Cents
from croupier.rules.paytable import (
    FIVE_CARD_CLASSES,
    THREE_CARD_CLASSES,
    a_hand,
    hand_class,
    printed_tables,
)
from croupier.rules.settlement import (
    Settlement,
    lost,
    pushed,
    with_match_play,
    won_line,
)
from croupier.rules.stage import (
    Choice,
    Choose,
    Deal,
    Face,
    NoMoreBets,
    Order,
    Place,
    Reveal,
    Settle,
)
from croupier.rules.terms import Terms
from croupier.rules.wager import Wager

law = rulebook("nj-pik-it-poker")

# --- the layout and its wagers --------------------------------------------------------------

ANTE = Wager("ante", "ante", law('39.1 "Ante wager"'), required=True, even_money=True)
FIVE_CARD_BONUS = Wager(
    "5 card bonus",
    "five-card-bonus",
    law('39.1 "5 card bonus wager"'),
    required=True,
    equal_to="ante",
)
THREE_CARD_BONUS = Wager(
    "3 card bonus",
    "three-card-bonus",
    law('39.1 "3 card bonus wager"'),
    needs=("ante", "5 card bonus"),
    needs_cite=law("39.3(a)"),
)
PLAY_3 = Wager("play 3", "play-3", law('39.1 "Play 3 wager"'), multiple_of="ante", even_money=True)
PLAY_5 = Wager("play 5", "play-5", law('39.1 "Play 5 wager"'), multiple_of="ante", even_money=True)

AREAS = {
    ANTE.name: law("1.13Y(b)1i"),
    FIVE_CARD_BONUS.name: law("1.13Y(b)1ii"),
    THREE_CARD_BONUS.name: law("1.13Y(b)1iii"),
    PLAY_3.name: law("1.13Y(b)1iv"),
    PLAY_5.name: law("1.13Y(b)1v"),
}

# Ruling P1: two separate choices of the house, each once or twice the ante.
MULTIPLES = {
    "five-card-bonus": Multiples("ante", (1,), law('39.1 "5 card bonus wager"')),
    "play-3": Multiples("ante", (1, 2), law("39.3(b)"), house_picks=True),
    "play-5": Multiples("ante", (1, 2), law("39.3(b)"), house_picks=True),
}

DEFINITIONS = {
    "fold": law('39.1 "Fold"'),
    "hand": law('39.1 "Hand"'),  # five cards, or three of them
    "qualifying hand": law('39.1 "Qualifying hand"'),
    "suit": law('39.1 "Suit"'),
    "cards speak": law("39.4(e)"),
}

# --- the round ------------------------------------------------------------------------------

ROUND = (
    NoMoreBets(law("39.7(b)")),
    Deal(5, (Place.PLAYERS, Place.DEALER), Face.DOWN, law("39.7(c)")),
    # Ruling P2: the three cards are picked unseen.
    Choose(
        "pick",
        (Choice("pick", "3 card bonus", cite=law("39.10(a)")),),
        law("39.10(b)"),
        Order.FROM_THE_RIGHT,
    ),
    Settle(("3 card bonus",), law("39.10(b)")),
    # Ruling P8: seat by seat from the right: reveal, settle the 5 card bonus, decide.
    Reveal("player", law("39.10(c)1")),
    Settle(("5 card bonus",), law("39.10(c)2")),
    Choose(
        "play",
        (
            Choice("fold", cite=DEFINITIONS["fold"]),
            Choice("play 3", "play 3", (1, 2), law("39.10(c)3")),
            Choice("play 5", "play 5", (1, 2), law("39.10(c)3")),
        ),
        law("39.10(c)3"),
        Order.FROM_THE_RIGHT,
    ),
    Reveal("dealer", law("39.10(d)")),
    Settle(("ante", "play 3", "play 5"), law("39.10(e)")),
)

# 39.10(e): the house picks one; the money is the same (ruling P10).
ALTERNATIVES = {1: law("39.10(e)1"), 2: law("39.10(e)2")}

# --- what settlement looks at ---------------------------------------------------------------


class Outcome(Struct, frozen=True, gc=False):
    """A finished hand, reduced to the finite classes that its settlement depends on."""

    hand: str  # five cards
    versus_3: Versus  # best three against the dealer's best three
    versus_5: Versus
    qualified: bool
    played: str = ""  # "play 3", "play 5", or nothing: folded
    picked: str = ""  # the three cards chosen for the 3 card bonus


QUALIFYING = Strength(FiveCard.HIGH_CARD, (Rank.ACE, Rank.KING, Rank.FOUR, Rank.THREE, Rank.TWO))


def qualifies(dealer: Strength) -> bool:
    return dealer >= QUALIFYING


def outcome(
    player: tuple[Card, ...],
    dealer: tuple[Card, ...],
    *,
    played: str = "",
    picked: tuple[Card, ...] = (),
    ranker: Ranker = READABLE,
) -> Outcome:
    mine, dealers = ranker.five(player), ranker.five(dealer)
    return Outcome(
        hand=hand_class(mine),
        versus_3=Versus.of(ranker.best_three(player), ranker.best_three(dealer)),
        versus_5=Versus.of(mine, dealers),
        qualified=qualifies(dealers),
        played=played,
        picked=hand_class(ranker.three(picked)) if picked else "",
    )


def classes() -> Iterator[Outcome]:
    """Every class that ante, plays and both bonuses tell apart; some can never be dealt."""
    for hand, three, five, qualified, played, picked in product(
        FIVE_CARD_CLASSES,
        Versus,
        Versus,
        (True, False),
        ("", "play 3", "play 5"),
        THREE_CARD_CLASSES,
    ):
        yield Outcome(hand, three, five, qualified, played, picked)


# --- settlement: 39.10(b) to (f), 39.11 -----------------------------------------------------

FORFEITED = law("39.3(b)")
LOSERS = {1: law("39.10(e)1ii"), 2: law("39.10(e)2ii")}
NOT_QUALIFIED = law("39.10(f)")
EVEN_ODDS = law("39.11(a)")
FIVE_CARD_ODDS = law("39.11(b)")
THREE_CARD_ODDS = law("39.11(c)")
SETTLE_THREE = law("39.10(b)")
SETTLE_FIVE = law("39.10(c)2")
TIED = law("39.4(d)")  # ruling P7: a tie pushes
BY_THREE = {n: Comparison(lower, TIED, EVEN_ODDS, "three cards") for n, lower in LOSERS.items()}
BY_FIVE = {n: Comparison(lower, TIED, EVEN_ODDS, "five cards") for n, lower in LOSERS.items()}


def settle_three_card_bonus(o: Outcome, amount: Cents, terms: Terms) -> Settlement:
    if line := terms.pay["three-card-bonus"].line_for(o.picked):
        return won_line(THREE_CARD_BONUS, amount, line, THREE_CARD_ODDS)
    return lost(THREE_CARD_BONUS, amount, SETTLE_THREE, "The three cards are below a pair")


def settle_five_card_bonus(o: Outcome, amount: Cents, terms: Terms) -> Settlement:
    if line := terms.pay["five-card-bonus"].line_for(o.hand):
        return won_line(FIVE_CARD_BONUS, amount, line, FIVE_CARD_ODDS)
    why = f"{a_hand(o.hand)} is below two pair"
    return lost(FIVE_CARD_BONUS, amount, SETTLE_FIVE, why)


def settle_ante(o: Outcome, amount: Cents, terms: Terms) -> Settlement:
    """Rulings P5, P6: the ante follows the hand that was played, qualified or not."""
    if not o.played:
        return lost(ANTE, amount, FORFEITED, "The player folded")
    if o.played == "play 3":
        return BY_THREE[terms.alternative].settle(ANTE, amount, o.versus_3)
    return BY_FIVE[terms.alternative].settle(ANTE, amount, o.versus_5)


def settle_play(o: Outcome, amount: Cents, terms: Terms) -> Settlement:
    if o.played == "play 3":
        return BY_THREE[terms.alternative].settle(PLAY_3, amount, o.versus_3)
    if terms.qualifier and not o.qualified:
        return pushed(PLAY_5, amount, NOT_QUALIFIED, "The dealer does not qualify")
    return BY_FIVE[terms.alternative].settle(PLAY_5, amount, o.versus_5)


def settle(
    o: Outcome, wagers: Mapping[str, Cents], terms: Terms, *, coupon: Cents = 0
) -> tuple[Settlement, ...]:
    """Settle what still lies on one hand in the order of the law: the bonuses go before the
    dealer's hand is known. This game knows no payout limit."""
    settled = []
    if "3 card bonus" in wagers:
        settled.append(settle_three_card_bonus(o, wagers["3 card bonus"], terms))
    if "5 card bonus" in wagers:
        settled.append(settle_five_card_bonus(o, wagers["5 card bonus"], terms))
    if "ante" in wagers:
        ante = settle_ante(o, wagers["ante"], terms)
        settled.append(with_match_play(ante, coupon, terms.coupons))
    if o.played and o.played in wagers:
        settled.append(settle_play(o, wagers[o.played], terms))
    return tuple(settled)


def least_payout_limit(terms: Terms) -> tuple[Cents, Clause] | None:
    return None


def payout_limits(terms: Terms, posted: Cents | None) -> tuple[PayoutLimit, ...]:
    return ()


GAME = Game(
    id="pik-it",
    alias="pikit",
    title="Pik-It Poker",
    books=(law,),
    wagers=(ANTE, FIVE_CARD_BONUS, THREE_CARD_BONUS, PLAY_3, PLAY_5),
    multiples=MULTIPLES,
    tables=printed_tables("pik-it"),
    round=ROUND,
    cards_each=5,
    cards_beside=5,
    payout_limits=payout_limits,
    least_payout_limit=least_payout_limit,
    settle=settle,
    procedures=PIK_IT,
    definitions=DEFINITIONS,
    areas=AREAS,
)
