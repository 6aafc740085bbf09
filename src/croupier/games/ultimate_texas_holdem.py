"""Ultimate Texas Hold'em: NJ 19:47-32 and the Massachusetts rules, which are its twin and add
Cover All and a progressive. Reads in the order of the chapter.

Citations name New Jersey's clause; a settlement at a Massachusetts table carries the twin.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from msgspec import Struct

from croupier.cards.card import Card
from croupier.cards.ranking import READABLE, FiveCard, Ranker, Strength
from croupier.games.procedures import HOLDEM
from croupier.law.clause import Clause, rulebook
from croupier.rules.game import Comparison, Game, Multiples, Versus
from croupier.rules.limits import PayoutLimit, capped
from croupier.rules.money import Cents, dollars
from croupier.rules.paytable import FIVE_CARD_CLASSES, a_hand, hand_class, printed_tables
from croupier.rules.settlement import (
    Settlement,
    lost,
    pushed,
    under,
    with_match_play,
    won_line,
)
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

law = rulebook("nj-ultimate-texas-holdem")
massachusetts = rulebook("ma-ultimate-texas-holdem")

# --- wagers ---------------------------------------------------------------------------------

ANTE = Wager("ante", "ante", law('32.1 "Ante"'), required=True, even_money=True)
BLIND = Wager("blind", "blind", law('32.1 "Blind"'), required=True, equal_to="ante")
PLAY = Wager(
    "play",
    "play",
    law('32.1 "Play wager"'),
    multiple_of="ante",
    needs=("ante", "blind"),
    needs_cite=law("32.6(d)"),
    even_money=True,
)
TRIPS = Wager(
    "trips",
    "trips",
    law('32.1 "Trips wager"'),
    needs=("ante", "blind"),
    needs_cite=law("32.6(c)"),
)
COVER_ALL = Wager(
    "cover all",
    "cover-all",
    massachusetts("13(a)"),
    needs=("ante", "blind"),
    needs_cite=massachusetts("13(a)"),  # ruling M4
    only_in=massachusetts.id,
)
PROGRESSIVE = Wager(
    "progressive",
    "progressive",
    massachusetts("14(a)"),
    exactly=dollars(5),
    needs=("ante", "blind", "trips"),
    needs_cite=massachusetts("14(b)"),
    only_in=massachusetts.id,
)

MULTIPLES = {
    "blind": Multiples("ante", (1,), law('32.1 "Blind"')),
    "before-flop": Multiples("ante", (3, 4), law("32.10(a)")),  # ruling U6
    "after-flop": Multiples("ante", (2,), law("32.10(c)")),
    "after-river": Multiples("ante", (1,), law("32.10(e)")),
}

# --- the round ------------------------------------------------------------------------------

DEFINITIONS = {
    "check": law('32.1 "Check"'),  # waives only the present betting point (ruling U5)
    "fold": law('32.1 "Fold"'),
    "hand": law('32.1 "Hand"'),  # best five of seven
    "community card": law('32.1 "Community card"'),
    "push": law('32.1 "Push"'),
    "rank": law('32.1 "Rank"'),
    "suit": law('32.1 "Suit"'),
    "highest hand only": massachusetts("13(g)"),
}
CHECK, FOLD = DEFINITIONS["check"], DEFINITIONS["fold"]

ROUND = (
    NoMoreBets(law("32.7(b)")),
    Deal(2, (Place.PLAYERS, Place.DEALER), Face.DOWN, law("32.7(d)")),
    Choose(
        "before-flop",
        (Choice("check", cite=CHECK), Choice("play", "play", (3, 4), law("32.10(a)1"))),
        law("32.10(a)"),
    ),
    Burn("deck", law("32.10(b)")),
    Deal(3, (Place.COMMUNITY,), Face.UP, law("32.10(b)")),
    Choose(
        "after-flop",
        (Choice("check", cite=CHECK), Choice("play", "play", (2,), law("32.10(c)1"))),
        law("32.10(c)"),
    ),
    Burn("deck", law("32.10(d)")),
    Deal(2, (Place.COMMUNITY,), Face.UP, law("32.10(d)")),
    Choose(
        "after-river",
        (Choice("fold", cite=FOLD), Choice("play", "play", (1,), law("32.10(e)1"))),
        law("32.10(e)"),
    ),
    Reveal("dealer", law("32.10(f)")),
    Settle(("ante", "play", "blind", "trips", "progressive"), law("32.10(h)")),
    Settle(("cover all",), massachusetts("13(j)")),
)

# --- what settlement looks at ---------------------------------------------------------------


class Outcome(Struct, frozen=True, gc=False):
    """A finished hand, reduced to the finite classes that its settlement depends on."""

    hand: str  # class of the best five of seven
    versus: Versus
    qualified: bool
    folded: bool = False
    highest: str = ""  # Cover All: class of the highest hand at the table
    hands: int = 0  # Cover All: hands dealt, the dealer's included
    flop: str = ""  # progressive: class of hole cards and flop


def hand_of(hole: tuple[Card, ...], board: tuple[Card, ...], ranker: Ranker = READABLE) -> Strength:
    """The best five of seven, using two, one or none of the hole cards."""
    return ranker.best_five((*hole, *board))


def qualifies(dealer: Strength) -> bool:
    """Below a pair the antes go back: 32.10(g)."""
    return dealer.kind >= FiveCard.ONE_PAIR


def outcome(
    player: tuple[Card, ...],
    dealer: tuple[Card, ...],
    board: tuple[Card, ...],
    *,
    folded: bool = False,
    others: tuple[tuple[Card, ...], ...] = (),
    hands: int = 0,
    cover_all: bool = True,
    progressive: bool = True,
    ranker: Ranker = READABLE,
) -> Outcome:
    """Read a finished round from the cards; ``others`` are the hands at the other seats, and
    ``hands`` how many were dealt where that is more (one of them is void)."""
    mine, dealers = hand_of(player, board, ranker), hand_of(dealer, board, ranker)
    highest = ""
    if cover_all:
        best = max(mine, dealers, *(hand_of(hole, board, ranker) for hole in others))
        highest = hand_class(best)
        hands = hands or 2 + len(others)
    return Outcome(
        hand_class(mine),
        Versus.of(mine, dealers),
        qualifies(dealers),
        folded,
        highest,
        hands,
        hand_class(ranker.five((*player, *board[:3]))) if progressive else "",
    )


def classes() -> Iterator[Outcome]:
    """Every class that ante, blind, play and trips tell apart; some can never be dealt."""
    for hand, versus, qualified in product(FIVE_CARD_CLASSES, Versus, (True, False)):
        yield Outcome(hand, versus, qualified)
        yield Outcome(hand, versus, qualified, folded=True)


# --- settlement: 32.10(e)2, (g), (h); 32.11 -------------------------------------------------

COLLECTED_ON_FOLD = law("32.10(e)2")
TRIPS_AFTER_FOLD = law("32.10(e)2i")  # ruling U3
ANTE_RETURNED = law("32.10(g)")
LOWER = law("32.10(h)1")
HIGHER = law("32.10(h)2")
EQUAL = law("32.10(h)3")
TRIPS_STANDS_ALONE = law("32.10(h)4")
EVEN_ODDS = law("32.11(b)")
BLIND_ODDS = law("32.11(c)")
TRIPS_ODDS = law("32.11(d)")

COMPARED = Comparison(LOWER, EQUAL, EVEN_ODDS)


def settle_ante(o: Outcome, amount: Cents) -> Settlement:
    """Ruling U1: below a pair the dealer returns every ante, also a losing player's."""
    if o.folded:
        return lost(ANTE, amount, COLLECTED_ON_FOLD, "The player folded")
    if not o.qualified:
        return pushed(ANTE, amount, ANTE_RETURNED, "The dealer has less than a pair")
    return COMPARED.settle(ANTE, amount, o.versus)


def settle_play(o: Outcome, amount: Cents) -> Settlement:
    return COMPARED.settle(PLAY, amount, o.versus)


def settle_blind(o: Outcome, amount: Cents, terms: Terms) -> Settlement:
    """Ruling U2: a winning hand below a straight pushes the blind; a lower hand loses it."""
    if o.folded:
        return lost(BLIND, amount, COLLECTED_ON_FOLD, "The player folded")
    if o.versus is not Versus.HIGHER:
        return COMPARED.settle(BLIND, amount, o.versus)
    if line := terms.pay["blind"].line_for(o.hand):
        return won_line(BLIND, amount, line, BLIND_ODDS)
    return pushed(BLIND, amount, HIGHER, f"{COMPARED.above}, but is less than a straight")


def settle_trips(o: Outcome, amount: Cents, terms: Terms) -> Settlement:
    if line := terms.pay["trips"].line_for(o.hand):
        return won_line(TRIPS, amount, line, TRIPS_ODDS)
    cite = TRIPS_AFTER_FOLD if o.folded else TRIPS_STANDS_ALONE
    return lost(TRIPS, amount, cite, f"{a_hand(o.hand)} is below the lowest line")


def settle_progressive(o: Outcome, amount: Cents, terms: Terms, sharing: int) -> Settlement:
    """Ruling M5: judged on hole cards and flop; a fold does not forfeit it."""
    if line := terms.pay["progressive"].line_for(o.flop):
        cite = massachusetts("14(c)")
        sharing = sharing if o.flop == "royal-flush" else 1
        return won_line(PROGRESSIVE, amount, line, cite, meter=terms.meter, sharing=sharing)
    why = f"{a_hand(o.flop)} in hole cards and flop has no line"
    return lost(PROGRESSIVE, amount, massachusetts("14(c)"), why)


def settle_cover_all(o: Outcome, amount: Cents, terms: Terms) -> Settlement:
    """Ruling M1: the printed lines pay, from a full house up, and lower hands lose."""
    table = terms.pay[f"cover-all {o.hands}"]
    if line := table.line_for(o.highest):  # 13(g): the highest hand alone
        return won_line(COVER_ALL, amount, line, table.cite)
    why = f"{a_hand(o.highest)}, highest of {o.hands} hands, is below a full house"
    return lost(COVER_ALL, amount, massachusetts("13(b)"), why)


def settle(
    o: Outcome,
    wagers: Mapping[str, Cents],
    terms: Terms,
    *,
    sharing: int = 1,
    coupon: Cents = 0,
) -> tuple[Settlement, ...]:
    """Settle one hand in the order of the law, within its payout limits."""
    settled = [with_match_play(settle_ante(o, wagers["ante"]), coupon, terms.coupons)]
    if not o.folded:
        settled.append(settle_play(o, wagers["play"]))
    settled.append(settle_blind(o, wagers["blind"], terms))
    if "trips" in wagers:
        settled.append(settle_trips(o, wagers["trips"], terms))
    if "progressive" in wagers:
        settled.append(settle_progressive(o, wagers["progressive"], terms, sharing))
    if "cover all" in wagers:
        settled.append(settle_cover_all(o, wagers["cover all"], terms))
    return under(terms.book, capped(settled, terms.payout_limits))


# --- payout limits: 32.11(e), MA 14(d) ------------------------------------------------------

LIMIT = law("32.11(e)")
LIMITED = ("ante", "play", "blind", "trips")
LEAST_LIMIT = dollars(50_000)
ALL_BETS_LIMIT = dollars(75_000)


def least_payout_limit(terms: Terms) -> tuple[Cents, Clause]:
    """$50,000, or the best round at the table minimum where that is more (ruling K10)."""
    ante = terms.posted["ante"].minimum
    amounts = {"ante": ante, "play": 4 * ante, "blind": ante}
    if "trips" in terms.offered:
        amounts["trips"] = terms.posted["trips"].minimum
    return max(LEAST_LIMIT, terms.best_round(amounts)), LIMIT.under(terms.book)


def payout_limits(terms: Terms, posted: Cents | None) -> tuple[PayoutLimit, ...]:
    least, cite = least_payout_limit(terms)
    named = PayoutLimit(max(least, posted or 0), LIMITED, cite)
    if terms.book is massachusetts:  # ruling M6: then everything but the progressive
        return named, PayoutLimit(ALL_BETS_LIMIT, (*LIMITED, "cover all"), massachusetts("14(d)"))
    return (named,)


GAME = Game(
    id="ultimate-texas-holdem",
    alias="uth",
    title="Ultimate Texas Hold'em",
    books=(law, massachusetts),
    wagers=(ANTE, BLIND, PLAY, TRIPS, COVER_ALL, PROGRESSIVE),
    multiples=MULTIPLES,
    tables=printed_tables("ultimate-texas-holdem"),
    round=ROUND,
    cards_each=2,
    cards_beside=9,
    payout_limits=payout_limits,
    least_payout_limit=least_payout_limit,
    settle=settle,
    procedures=HOLDEM,
    definitions=DEFINITIONS,
)
