"""Random deals: what settle pays is what a slow, separate statement of each rule says.

Hands are ranked by the plain ranker of helpers, and who gets what is written out here once
more, as plain ifs over dollars and odds typed from the texts.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from helpers import (
    CARIBBEAN,
    FIVE_KINDS,
    PIK_IT,
    RIDE,
    THREE_KINDS,
    UTH_BOOKS,
    ace_king_or_better,
    deals,
    plain_best_of_seven,
    plain_best_three,
    plain_five,
    plain_kind,
    plain_three,
    progressive_terms,
    terms_of,
    texts,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.cards.card import Card
from croupier.games import caribbean_stud, let_it_ride, pik_it
from croupier.games import ultimate_texas_holdem as uth
from croupier.rules.settlement import total

Odds = dict[str, Fraction | int]
EVEN_CENTS = st.integers(250, 1_000).map(lambda half: 2 * half)  # up to 20 dollars: no limit near

BLIND: Odds = {
    "straight": 1,
    "flush": Fraction(3, 2),
    "full-house": 3,
    "four-of-a-kind": 10,
    "straight-flush": 50,
    "royal-flush": 500,
}
TRIPS: Odds = {
    "three-of-a-kind": 3,
    "straight": 4,
    "flush": 7,
    "full-house": 9,
    "four-of-a-kind": 30,
    "straight-flush": 40,
    "royal-flush": 50,
}
COVER_ALL = {
    "full-house": (12, 8, 6, 5, 4, 4),
    "four-of-a-kind": (70, 50, 40, 35, 30, 20),
    "straight-flush": (100, 80, 70, 40, 40, 30),
    "royal-flush": (200, 150, 125, 100, 80, 70),
}


def side_bet(amount: int, kind: str, odds: Odds) -> Fraction | int:
    """Paid by its line, lost where there is none."""
    return amount * odds[kind] if kind in odds else -amount


# --- Ultimate Texas Hold'em ------------------------------------------------------------------


def uth_net(
    player: list[str], dealer: list[str], board: list[str], ante: int, times: int
) -> Fraction | int:
    """Ante, blind and play; ``times`` is 0 for a fold."""
    if times == 0:
        return -2 * ante
    mine, theirs = plain_best_of_seven(player + board), plain_best_of_seven(dealer + board)
    net: Fraction | int = 0
    if theirs[0] > 0:  # at least a pair: the ante is in play
        net += ante if mine > theirs else -ante if mine < theirs else 0
    if mine > theirs:
        net += times * ante + ante * BLIND.get(FIVE_KINDS[mine[0]], 0)
    if mine < theirs:
        net -= times * ante + ante
    return net


@pytest.mark.twins(
    "NJ 19:47-32.10(g)",
    "NJ 19:47-32.10(h)1",
    "NJ 19:47-32.10(h)2",
    "NJ 19:47-32.10(h)3",
    "NJ 19:47-32.10(h)4",
    "NJ 19:47-32.10(e)2",
)
@pytest.mark.ruling("U1", "U2", "U3", "U4")
@pytest.mark.parametrize("book", UTH_BOOKS)
@settings(max_examples=200)
@given(
    dealt=deals(9),
    ante=EVEN_CENTS,
    trips=st.integers(100, 1_000),
    times=st.sampled_from([0, 1, 2, 3, 4]),
)
def test_uth__any_deal_nets_what_the_slow_statement_says(
    book: str, dealt: tuple[Card, ...], ante: int, trips: int, times: int
) -> None:
    player, dealer, board = dealt[:2], dealt[2:4], dealt[4:]
    outcome = uth.outcome(player, dealer, board, folded=times == 0)
    wagers = {"ante": ante, "blind": ante, "trips": trips}
    if times:
        wagers["play"] = times * ante
    settled = uth.settle(outcome, wagers, terms_of(book))
    kind = FIVE_KINDS[plain_best_of_seven(texts(player + board))[0]]
    expected = uth_net(texts(player), texts(dealer), texts(board), ante, times)
    assert total(settled) == expected + side_bet(trips, kind, TRIPS)


@pytest.mark.clause("MA UTH 13(b)", "MA UTH 13(g)", "MA UTH 13(k)", "MA UTH 14(c)")
@pytest.mark.ruling("M1", "M2", "M3", "M5")
@settings(max_examples=200)
@given(dealt=deals(19), seats=st.integers(1, 6), amount=st.integers(100, 1_000), fold=st.booleans())
def test_cover_all_and_progressive__any_deal_nets_what_the_slow_statement_says(
    dealt: tuple[Card, ...], seats: int, amount: int, fold: bool
) -> None:
    board = dealt[:5]
    holes = [dealt[5 + 2 * n : 7 + 2 * n] for n in range(seats + 1)]  # players, then the dealer
    mine, *others, dealer = holes
    outcome = uth.outcome(mine, dealer, board, folded=fold, others=tuple(others))
    wagers = {"ante": 500, "blind": 500, "play": 500, "cover all": amount, "progressive": 500}
    settled = {s.wager: s.net for s in uth.settle(outcome, wagers, progressive_terms())}
    best = FIVE_KINDS[max(plain_best_of_seven(texts(hole + board)) for hole in holes)[0]]
    column: Odds = {kind: odds[len(holes) - 2] for kind, odds in COVER_ALL.items()}
    assert settled["cover all"] == side_bet(amount, best, column)
    on_the_flop = plain_kind(texts(mine + board[:3]))[0]
    sums = {"royal-flush": 10_000_000, "straight-flush": 1_000_000, "flush": 5_000}
    assert settled["progressive"] == sums.get(on_the_flop, -500)


# --- Caribbean Stud --------------------------------------------------------------------------

BET: Odds = dict(zip(FIVE_KINDS, (1, 1, 2, 3, 4, 5, 7, 20, 50, 100), strict=True))
METER_SUMS = {
    "flush": 5_000,
    "full-house": 10_000,
    "four-of-a-kind": 50_000,
    "straight-flush": 100_000,
    "royal-flush": 1_000_000,
}


@pytest.mark.clause("SUPPLIED S2.4(a)", "SUPPLIED S2.4(b)", "SUPPLIED S2.4(c)", "SUPPLIED S2.4(d)")
@pytest.mark.ruling("S2", "S5")
@settings(max_examples=200)
@given(dealt=deals(10), ante=st.integers(500, 2_000), fold=st.booleans(), lit=st.booleans())
def test_caribbean__any_deal_nets_what_the_slow_statement_says(
    dealt: tuple[Card, ...], ante: int, fold: bool, lit: bool
) -> None:
    player, dealer = dealt[:5], dealt[5:]
    mine, theirs = plain_five(texts(player)), plain_five(texts(dealer))
    if fold:
        expected: Fraction | int = -ante
    elif not ace_king_or_better(theirs):
        expected = ante
    elif mine < theirs:
        expected = -3 * ante
    elif mine == theirs:
        expected = 0
    else:
        expected = ante + 2 * ante * BET[FIVE_KINDS[mine[0]]]
    if lit:
        expected += (0 if fold else METER_SUMS.get(FIVE_KINDS[mine[0]], 0)) - 100
    wagers = {"ante": ante, "bet": 2 * ante} | ({"progressive": 100} if lit else {})
    outcome = caribbean_stud.outcome(player, dealer, folded=fold)
    assert total(caribbean_stud.settle(outcome, wagers, terms_of(CARIBBEAN))) == expected


# --- Let It Ride -----------------------------------------------------------------------------

MAIN = {
    "two-pair": 2,
    "three-of-a-kind": 3,
    "straight": 5,
    "flush": 8,
    "full-house": 11,
    "four-of-a-kind": 50,
    "straight-flush": 200,
    "royal-flush": 1_000,
}
BONUS = {
    "three-of-a-kind": 500,
    "straight": 2_500,
    "flush": 5_000,
    "full-house": 20_000,
    "four-of-a-kind": 40_000,
    "straight-flush": 250_000,
    "royal-flush": 2_500_000,
}
THREE_CARD: Odds = {
    "pair": 1,
    "flush": 4,
    "straight": 6,
    "three-of-a-kind": 30,
    "straight-flush": 40,
    "royal-flush": 40,
}


@pytest.mark.clause("NJ 19:47-18.10(g)2", "NJ 19:47-18.11(b)", "NJ 19:47-18.11(d)")
@pytest.mark.ruling("L5", "L8", "K3")
@settings(max_examples=200)
@given(
    dealt=deals(5),
    bet=st.integers(500, 50_000),
    side=st.integers(100, 10_000),
    withdrawn=st.sets(st.sampled_from(["bet 1", "bet 2"])),
)
def test_let_it_ride__any_deal_nets_what_the_slow_statement_says(
    dealt: tuple[Card, ...], bet: int, side: int, withdrawn: set[str]
) -> None:
    kind, word = plain_kind(texts(dealt))
    riding = 3 - len(withdrawn)
    if kind in MAIN:
        expected: Fraction | int = riding * bet * MAIN[kind]
    elif kind == "pair" and word[0] in "ijklm":  # tens, jacks, queens, kings, aces
        expected = riding * bet
    else:
        expected = -riding * bet
    expected += BONUS.get(kind, 0) - 100
    expected += side_bet(side, plain_kind(texts(dealt[:3]))[0], THREE_CARD)
    outcome = let_it_ride.outcome(dealt[:3], dealt[3:], withdrawn=frozenset(withdrawn))
    wagers = {"bet 1": bet, "bet 2": bet, "bet 3": bet}
    wagers |= {"let it ride bonus": 100, "three card bonus": side}
    assert total(let_it_ride.settle(outcome, wagers, terms_of(RIDE))) == expected


# --- Pik-It ----------------------------------------------------------------------------------

FIVE_CARD_BONUS: Odds = {
    "two-pair": 1,
    "three-of-a-kind": 2,
    "straight": 5,
    "flush": 8,
    "full-house": 10,
    "four-of-a-kind": 50,
    "straight-flush": 250,
    "royal-flush": 1_000,
}
THREE_CARD_BONUS: Odds = dict(zip(THREE_KINDS[1:], (1, 3, 6, 30, 40, 200), strict=True))


@pytest.mark.clause("NJ 13:69F-39.10(f)", "NJ 13:69F-39.11(a)", "NJ 13:69F-39.4(d)")
@pytest.mark.ruling("P5", "P6", "P7")
@settings(max_examples=200)
@given(
    dealt=deals(10),
    ante=st.integers(500, 50_000),
    side=st.integers(100, 10_000),
    played=st.sampled_from(["", "play 3", "play 5"]),
    times=st.sampled_from([1, 2]),
    qualifier=st.booleans(),
)
def test_pik_it__any_deal_nets_what_the_slow_statement_says(
    dealt: tuple[Card, ...], ante: int, side: int, played: str, times: int, qualifier: bool
) -> None:
    player, dealer = dealt[:5], dealt[5:]
    mine, theirs = plain_five(texts(player)), plain_five(texts(dealer))
    if played == "play 3":
        three, dealers = plain_best_three(texts(player)), plain_best_three(texts(dealer))
        sign = (three > dealers) - (three < dealers)
        expected: Fraction | int = sign * (ante + times * ante)
    elif played == "play 5":
        sign = (mine > theirs) - (mine < theirs)
        live = ace_king_or_better(theirs) or not qualifier
        expected = sign * (ante + (times * ante if live else 0))
    else:
        expected = -ante
    expected += side_bet(ante, FIVE_KINDS[mine[0]], FIVE_CARD_BONUS)
    expected += side_bet(side, THREE_KINDS[plain_three(texts(dealt[:3]))[0]], THREE_CARD_BONUS)
    terms = terms_of(PIK_IT, qualifier=qualifier, multiples={"play-3": times, "play-5": times})
    outcome = pik_it.outcome(player, dealer, played=played, picked=dealt[:3])
    wagers = {"ante": ante, "5 card bonus": ante, "3 card bonus": side, played: times * ante}
    assert total(pik_it.settle(outcome, wagers, terms)) == expected


def test_the_tables_typed_above_are_those_of_the_default_houses() -> None:
    assert {terms_of(book).pay["trips"].name for book in UTH_BOOKS} == {"A"}
    assert terms_of(RIDE).pay["three-card"].name == "A"
    assert {terms_of(PIK_IT).pay[key].name for key in ("five-card-bonus", "three-card-bonus")} == {
        "1"
    }
