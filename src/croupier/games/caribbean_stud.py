"""Caribbean Stud: NJ 19:47-16, and where that text breaks off, the supplied rules (ruling S2).
Reads in the order of the chapter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from msgspec import Struct

from croupier.cards.card import Card, Rank
from croupier.cards.ranking import READABLE, FiveCard, Ranker, Strength
from croupier.games.procedures import CARIBBEAN
from croupier.law.clause import Clause, rulebook
from croupier.rules.game import Comparison, Game, Multiples, Versus
from croupier.rules.limits import PayoutLimit, capped
from croupier.rules.money import Cents, dollars
from croupier.rules.paytable import FIVE_CARD_CLASSES, a_hand, hand_class, printed_tables
from croupier.rules.settlement import (
    Settlement,
    lost,
    returned,
    with_match_play,
    won,
    won_line,
)
from croupier.rules.stage import (
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

law = rulebook("nj-caribbean-stud")
supplied = rulebook("nj-caribbean-stud-supplied")

# --- wagers ---------------------------------------------------------------------------------

ANTE = Wager(
    "ante",
    "ante",
    law("16.6(b)"),
    required=True,
    even_money=True,
    paid_by=supplied("4(d)"),
)
BET = Wager("bet", "bet", law("16.6(d)"), multiple_of="ante")
PROGRESSIVE = Wager(
    "progressive",
    "progressive",
    law("16.6(c)"),
    exactly=dollars(1),
    needs=("ante",),
    needs_cite=law("16.6(c)"),
    swept=True,
)

DEFINITIONS = {"qualifying hand": supplied("2(a)")}

MULTIPLES = {"bet": Multiples("ante", (2,), supplied("1(a)"))}

# --- the round ------------------------------------------------------------------------------

ROUND = (
    NoMoreBets(law("16.7(b)")),
    Deal(5, (Place.PLAYERS, Place.DEALER), Face.DOWN, law("16.7(d)")),
    Reveal("dealer's up-card", law("16.7(d)")),  # ruling S3
    Choose(
        "after-deal",
        (
            Choice("fold", cite=law("16.10(a)")),
            Choice("bet", "bet", (2,), supplied("1(a)")),
        ),
        law("16.10(a)"),
    ),
    Reveal("dealer", supplied("3(a)")),
    Settle(("ante", "bet", "progressive"), supplied("3(b)")),
)

# --- what settlement looks at ---------------------------------------------------------------


class Outcome(Struct, frozen=True, gc=False):
    """A finished hand, reduced to the finite classes that its settlement depends on."""

    hand: str
    versus: Versus
    qualified: bool
    folded: bool = False


QUALIFYING = Strength(FiveCard.HIGH_CARD, (Rank.ACE, Rank.KING, Rank.FOUR, Rank.THREE, Rank.TWO))


def qualifies(dealer: Strength) -> bool:
    return dealer >= QUALIFYING


def outcome(
    player: tuple[Card, ...],
    dealer: tuple[Card, ...],
    *,
    folded: bool = False,
    ranker: Ranker = READABLE,
) -> Outcome:
    mine, dealers = ranker.five(player), ranker.five(dealer)
    return Outcome(hand_class(mine), Versus.of(mine, dealers), qualifies(dealers), folded)


def classes() -> Iterator[Outcome]:
    """Every class that settlement tells apart; some can never be dealt."""
    for hand, versus, qualified in product(FIVE_CARD_CLASSES, Versus, (True, False)):
        yield Outcome(hand, versus, qualified)
    yield Outcome("high-card", Versus.LOWER, True, folded=True)


# --- settlement: 16.10(a), then as supplied -------------------------------------------------

FORFEITED = law("16.10(a)")
NOT_QUALIFIED = supplied("4(a)")
LOWER = supplied("4(b)")
EQUAL = supplied("4(c)")
EVEN_ODDS = supplied("5(a)")
BET_ODDS = supplied("5(b)")
PROGRESSIVE_LINES = supplied("8(a)")
PROGRESSIVE_FORFEITED = supplied("8(b)")
METER_SHARED = supplied("8(c)")

COMPARED = Comparison(LOWER, EQUAL, EVEN_ODDS)
NO_QUALIFIER = "The dealer does not qualify"


def settle_ante(o: Outcome, amount: Cents) -> Settlement:
    if o.folded:
        return lost(ANTE, amount, FORFEITED, "The player folded")
    if not o.qualified:
        return won(ANTE, amount, NOT_QUALIFIED, NO_QUALIFIER)
    return COMPARED.settle(ANTE, amount, o.versus)


def settle_bet(o: Outcome, amount: Cents, terms: Terms) -> Settlement:
    if not o.qualified:
        return returned(BET, amount, NOT_QUALIFIED, NO_QUALIFIER)
    if o.versus is not Versus.HIGHER:
        return COMPARED.settle(BET, amount, o.versus)
    line = terms.pay["bet"].line_for(o.hand)
    assert line is not None, "the bet table has a line for every hand"
    return won_line(BET, amount, line, BET_ODDS)


def settle_progressive(o: Outcome, amount: Cents, terms: Terms, sharing: int) -> Settlement:
    """Ruling S5: a fold forfeits it, and royal flushes of one round share the meter."""
    if o.folded:
        return lost(PROGRESSIVE, amount, PROGRESSIVE_FORFEITED, "The player folded")
    if line := terms.pay["progressive"].line_for(o.hand):
        sharing = sharing if o.hand == "royal-flush" else 1
        cite = METER_SHARED if sharing > 1 else PROGRESSIVE_LINES
        return won_line(PROGRESSIVE, amount, line, cite, meter=terms.meter, sharing=sharing)
    why = f"{a_hand(o.hand)} has no line"
    return lost(PROGRESSIVE, amount, PROGRESSIVE_LINES, why)


def settle(
    o: Outcome,
    wagers: Mapping[str, Cents],
    terms: Terms,
    *,
    sharing: int = 1,
    coupon: Cents = 0,
) -> tuple[Settlement, ...]:
    """Settle one hand in the order of the law, within its payout limit."""
    settled = [with_match_play(settle_ante(o, wagers["ante"]), coupon, terms.coupons)]
    if not o.folded:
        settled.append(settle_bet(o, wagers["bet"], terms))
    if "progressive" in wagers:
        settled.append(settle_progressive(o, wagers["progressive"], terms, sharing))
    return capped(settled, terms.payout_limits)


# --- payout limit: supplied -----------------------------------------------------------------

LIMIT = supplied("6(a)")
NEVER_BELOW = supplied("6(b)")
LEAST_LIMIT = dollars(5_000)


def least_payout_limit(terms: Terms) -> tuple[Cents, Clause]:
    """$5,000, or the best round at the table minimum where that is more: 201 antes as printed."""
    ante = terms.posted["ante"].minimum
    best = terms.best_round({"ante": ante, "bet": 2 * ante})
    return (best, NEVER_BELOW) if best > LEAST_LIMIT else (LEAST_LIMIT, LIMIT)


def payout_limits(terms: Terms, posted: Cents | None) -> tuple[PayoutLimit, ...]:
    least, cite = least_payout_limit(terms)
    limit = PayoutLimit(max(least, posted or 0), ("ante", "bet"), cite, supplied("6(c)"))
    return (limit,)


GAME = Game(
    id="caribbean-stud",
    alias="caribbean",
    title="Caribbean Stud",
    books=(law,),
    wagers=(ANTE, BET, PROGRESSIVE),
    multiples=MULTIPLES,
    tables=printed_tables("caribbean-stud"),
    round=ROUND,
    cards_each=5,
    cards_beside=5,
    payout_limits=payout_limits,
    least_payout_limit=least_payout_limit,
    settle=settle,
    procedures=CARIBBEAN,
    definitions=DEFINITIONS,
)
