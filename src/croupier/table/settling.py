"""From the cards on the felt to what each wager gets: the games' own settlement, read off the
state of the table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from msgspec import Struct

from croupier.cards.card import Card
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


def settlements(table: Table, p: Position) -> tuple[e.WagerSettled, ...]:
    """What becomes of every wager of this hand, as the cards and choices now stand."""
    return _BY_GAME[table.house.game.id](table, p)


def _uth(table: Table, p: Position) -> tuple[e.WagerSettled, ...]:
    round = table.now
    others: list[tuple[Card, ...]] = []
    if cover_all := "cover all" in p.placed:
        dealt = [q for q in round.positions if q.cards and not q.void]
        others = [q.cards for q in dealt if q.seat != p.seat]
    outcome = uth.outcome(
        p.cards,
        round.dealer,
        round.community,
        folded=p.folded or round.trips_only,
        others=tuple(others),
        hands=len(round.positions) + 1 if cover_all else 0,  # fixed at the deal (ruling M4)
        cover_all=cover_all,
        progressive="progressive" in p.placed,
        ranker=QUICK,
    )
    if "progressive" not in p.placed:
        return _of_class(table, p, outcome)
    terms, sharing = _meter(table, p, outcome.flop)
    settled = uth.settle(outcome, p.placed, terms, sharing=sharing, coupon=p.coupon)
    return _as_events(table, p, settled)


def _caribbean(table: Table, p: Position) -> tuple[e.WagerSettled, ...]:
    outcome = caribbean_stud.outcome(p.cards, table.now.dealer, folded=p.folded, ranker=QUICK)
    if "progressive" not in p.placed or p.folded:
        return _of_class(table, p, outcome)
    terms, sharing = _meter(table, p, outcome.hand)
    settled = caribbean_stud.settle(outcome, p.placed, terms, sharing=sharing, coupon=p.coupon)
    return _as_events(table, p, settled)


def _ride(table: Table, p: Position) -> tuple[e.WagerSettled, ...]:
    points = (("bet-1", "bet 1"), ("bet-2", "bet 2"))
    withdrawn = frozenset([bet for point, bet in points if p.choices.get(point) == "withdraw"])
    outcome = let_it_ride.outcome(p.cards, table.now.community, withdrawn=withdrawn, ranker=QUICK)
    return _of_class(table, p, outcome)


def _pik_it(table: Table, p: Position) -> tuple[e.WagerSettled, ...]:
    """Remembered by seat: the first alternative asks about all hands again at each of its acts."""
    round = table.now
    known = _last_found.get(p.seat)
    if known and known[0] is p and known[1] is round.dealer and known[2] is table.terms:
        return known[3]
    # The bonuses are settled before the dealer's stack may be on the table; they need none of it.
    dealer = round.dealer or p.cards
    picked = tuple([p.cards[n - 1] for n in p.picked])
    outcome = pik_it.outcome(p.cards, dealer, played=p.played, picked=picked, ranker=QUICK)
    found = _of_class(table, p, outcome)
    _last_found[p.seat] = (p, round.dealer, table.terms, found)
    return found


_last_found: dict[int, tuple[Position, tuple[Card, ...], Terms, tuple[e.WagerSettled, ...]]] = {}


_BY_GAME = {
    "ultimate-texas-holdem": _uth,
    "caribbean-stud": _caribbean,
    "let-it-ride": _ride,
    "pik-it": _pik_it,
}


def _of_class(table: Table, p: Position, outcome: Struct) -> tuple[e.WagerSettled, ...]:
    """Hands of one class with the same wagers come to the same, so the game is asked once."""
    terms = table.terms
    key = (outcome, p.seat, p.coupon, *p.placed.items())
    known: tuple[e.WagerSettled, ...] | None = terms.known.get(key)
    if known is None:
        coupon = {"coupon": p.coupon} if p.coupon else {}
        settled = table.house.game.settle(outcome, p.placed, terms, **coupon)
        known = terms.remember(key, _as_events(table, p, settled))
    return known


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
    if progressive is None:
        return 0
    taken = sum(s.from_meter for s in settled)
    if not taken:
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


def _as_events(
    table: Table, p: Position, settled: Iterable[Settlement]
) -> tuple[e.WagerSettled, ...]:
    return tuple([_as_event(table, p, each) for each in settled])


def _as_event(table: Table, p: Position, s: Settlement) -> e.WagerSettled:
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
