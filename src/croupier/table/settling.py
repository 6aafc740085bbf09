"""From the cards on the felt to what each wager gets: the games' own settlement, read off the
state of the table."""

from __future__ import annotations

from dataclasses import replace
from operator import is_

from croupier.cards.quick import QUICK
from croupier.games import caribbean_stud, let_it_ride, pik_it
from croupier.games import ultimate_texas_holdem as uth
from croupier.rules.money import Cents
from croupier.rules.odds import Share
from croupier.rules.paytable import hand_class
from croupier.rules.settlement import Result, Settlement
from croupier.rules.terms import Terms
from croupier.table import events as e
from croupier.table.state import Position, Table

# What a fold costs at once.
FOLD_COLLECTS = {
    "ultimate-texas-holdem": ("ante", "blind"),
    "caribbean-stud": ("ante", "progressive"),
    "let-it-ride": (),
    "pik-it": ("ante",),
}


def settlements(table: Table, p: Position) -> tuple[Settlement, ...]:
    """What becomes of every wager of this hand, as the cards and choices now stand."""
    return _BY_GAME[table.house.game.id](table, p)


def _uth(table: Table, p: Position) -> tuple[Settlement, ...]:
    round = table.round
    assert round is not None
    others = tuple(q.cards for q in round.positions if q.seat != p.seat and q.cards and not q.void)
    outcome = uth.outcome(
        p.cards,
        round.dealer,
        round.community,
        folded=p.folded or round.trips_only,
        others=others if "cover all" in p.placed else (),
        hands=len(round.positions) + 1,  # fixed at the deal (ruling M4)
        progressive="progressive" in p.placed,
        ranker=QUICK,
    )
    if "progressive" in p.placed:
        terms, sharing = _meter(table, p, outcome.flop)
        return uth.settle(outcome, p.placed, terms, sharing=sharing, coupon=p.coupon)
    return uth.settle(outcome, p.placed, table.terms, coupon=p.coupon)


def _caribbean(table: Table, p: Position) -> tuple[Settlement, ...]:
    outcome = caribbean_stud.outcome(p.cards, table.now.dealer, folded=p.folded, ranker=QUICK)
    if "progressive" in p.placed and not p.folded:
        terms, sharing = _meter(table, p, outcome.hand)
        return caribbean_stud.settle(outcome, p.placed, terms, sharing=sharing, coupon=p.coupon)
    return caribbean_stud.settle(outcome, p.placed, table.terms, coupon=p.coupon)


def _ride(table: Table, p: Position) -> tuple[Settlement, ...]:
    points = (("bet-1", "bet 1"), ("bet-2", "bet 2"))
    withdrawn = frozenset(bet for point, bet in points if p.choices.get(point) == "withdraw")
    outcome = let_it_ride.outcome(p.cards, table.now.community, withdrawn=withdrawn, ranker=QUICK)
    return let_it_ride.settle(outcome, p.placed, table.terms)


_found: dict[int, tuple[tuple[object, ...], tuple[Settlement, ...]]] = {}


def _pik_it(table: Table, p: Position) -> tuple[Settlement, ...]:
    """Remembered by seat: the first alternative asks about all hands again at each of its acts."""
    asked = (p.cards, p.placed, p.settled, p.played, p.picked, table.now.dealer, table.terms)
    known = _found.get(p.seat)
    if known is not None and all(map(is_, known[0], asked)):
        return known[1]
    found = _settle_pik_it(table, p)
    _found[p.seat] = (asked, found)
    return found


def _settle_pik_it(table: Table, p: Position) -> tuple[Settlement, ...]:
    # The bonuses are settled before the dealer's stack may be on the table; they need none of it.
    dealer = table.now.dealer or p.cards
    picked = tuple(p.cards[n - 1] for n in p.picked)
    outcome = pik_it.outcome(p.cards, dealer, played=p.played, picked=picked, ranker=QUICK)
    left = {name: amount for name, amount in p.placed.items() if name not in p.settled}
    return pik_it.settle(outcome, left, table.terms, coupon=p.coupon)


_BY_GAME = {
    "ultimate-texas-holdem": _uth,
    "caribbean-stud": _caribbean,
    "let-it-ride": _ride,
    "pik-it": _pik_it,
}


# --- the progressive meter ------------------------------------------------------------------


def _line_of(table: Table, p: Position) -> str:
    """The class of hand the progressive looks at."""
    if table.house.game.id == "ultimate-texas-holdem":
        return hand_class(QUICK.five((*p.cards, *table.now.community[:3])))
    return hand_class(QUICK.five(p.cards))


def _meter(table: Table, p: Position, hand: str) -> tuple[Terms, int]:
    """The meter this hand is paid from, and how many share it (rulings S5, H7).

    Royal flushes of one round share the meter as it stood before the first was paid; once it is,
    what is theirs is set aside from any other line.
    """
    royals = [
        q
        for q in table.now.positions
        if "progressive" in q.placed
        and not q.void
        and (not q.folded or table.house.game.id == "ultimate-texas-holdem")
        and _line_of(table, q) == "royal-flush"
    ]
    paid = [q.wins["progressive"] for q in royals if "progressive" in q.settled]
    if hand == "royal-flush":
        before = table.meter + sum(paid)
        return replace(table.terms, meter=before), max(1, len(royals))
    aside = (len(royals) - len(paid)) * paid[0] if paid else 0
    return replace(table.terms, meter=table.meter - aside), 1


def reset(table: Table, settled: list[e.WagerSettled]) -> Cents:
    """What brings the meter back to its seed after these payments; 0 while another royal flush of
    the round still waits for its share."""
    progressive = table.house.progressive
    taken = sum(s.from_meter for s in settled)
    if progressive is None or not taken:
        return 0
    waiting = [
        q
        for q in (table.now.positions if table.round else ())
        if "progressive" in q.unsettled()
        and all(q.seat != s.seat for s in settled)
        and q.live
        and _line_of(table, q) == "royal-flush"
    ]
    left = table.meter - taken
    return 0 if waiting else max(0, progressive.seed - left)


# --- as events ------------------------------------------------------------------------------


def as_event(table: Table, p: Position, s: Settlement) -> e.WagerSettled:
    coupon = ""
    if s.wager == "ante" and p.coupon:
        coupon = "drop box" if s.result in (Result.WON, Result.LOST) else "kept"
    share = s.wager == "progressive" and s.win and _is_share(table, s.line)
    return e.WagerSettled(
        seat=p.seat,
        wager=s.wager,
        amount=s.amount,
        result=str(s.result),
        win=s.win,
        clause=s.clause.id,
        reason=s.reason,
        line=s.line,
        swept=not s.stake_back,
        from_meter=s.win if share else 0,
        withheld=s.withheld,
        coupon=coupon,
    )


def _is_share(table: Table, line: str) -> bool:
    return any(
        each.name == line and isinstance(each.award, Share)
        for each in table.terms.pay["progressive"]
    )
