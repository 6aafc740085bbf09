"""The finite classes of outcome: each settles consistently, and every deal falls into one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from helpers import CARIBBEAN, NJ_UTH, PIK_IT, RIDE, UTH_BOOKS, deals, terms_of
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.cards.card import Card
from croupier.games import caribbean_stud, let_it_ride, pik_it
from croupier.games import ultimate_texas_holdem as uth
from croupier.rules.settlement import Result, Settlement


def settled_classes(book: str) -> Iterator[tuple[Settlement, ...]]:
    """Every class of a book's game, settled on wagers at the house's maximum."""
    terms = terms_of(book)
    if book in UTH_BOOKS:
        wagers = {"ante": 50_000, "blind": 50_000, "trips": 10_000, "play": 200_000}
        yield from (uth.settle(o, wagers, terms) for o in uth.classes())
    elif book == CARIBBEAN:
        wagers = {"ante": 50_000, "bet": 100_000, "progressive": 100}
        yield from (caribbean_stud.settle(o, wagers, terms) for o in caribbean_stud.classes())
    elif book == RIDE:
        wagers = {"bet 1": 50_000, "bet 2": 50_000, "bet 3": 50_000}
        wagers |= {"let it ride bonus": 100, "three card bonus": 10_000}
        yield from (let_it_ride.settle(o, wagers, terms) for o in let_it_ride.classes())
    else:
        wagers = {"ante": 50_000, "5 card bonus": 50_000, "3 card bonus": 10_000}
        wagers |= {"play 3": 100_000, "play 5": 100_000}
        yield from (pik_it.settle(o, wagers, terms) for o in pik_it.classes())


@pytest.mark.parametrize(
    ("book", "count"),
    [
        (UTH_BOOKS[0], 11 * 3 * 2 * 2),
        (UTH_BOOKS[1], 11 * 3 * 2 * 2),
        (CARIBBEAN, 11 * 3 * 2 + 1),
        (RIDE, 11 * 7),
        (PIK_IT, 11 * 3 * 3 * 2 * 3 * 7),
    ],
)
def test_every_class_settles_each_wager_once_and_consistently(book: str, count: int) -> None:
    everything = list(settled_classes(book))
    assert len(everything) == count
    for settled in everything:
        assert len({s.wager for s in settled}) == len(settled)
        assert {s.clause.book for s in settled} <= {book, "nj-caribbean-stud-supplied"}
        for each in settled:
            assert each.reason.endswith((".", "]."))
            match each.result:
                case Result.WON:
                    assert each.win > 0 or each.withheld > 0
                    assert each.line or "pays" in each.reason
                case Result.LOST:
                    assert (each.win, each.withheld, each.net) == (0, 0, -each.amount)
                case Result.PUSHED | Result.RETURNED:
                    assert (each.win, each.withheld, each.net) == (0, 0, 0)


@pytest.mark.parametrize("book", [*UTH_BOOKS, CARIBBEAN])
def test_no_class_wins_more_than_the_payout_limit(book: str) -> None:
    (limit, *_) = terms_of(book).payout_limits
    wins = [
        sum(s.win for s in settled if s.wager in limit.covers) for settled in settled_classes(book)
    ]
    assert max(wins) == limit.cents  # reached at the maximum, and never passed


@given(dealt=deals(13), seats=st.integers(0, 2), fold=st.booleans())
def test_uth__every_deal_is_in_a_class_apart_from_what_cover_all_and_progressive_add(
    dealt: tuple[Card, ...], seats: int, fold: bool
) -> None:
    others = tuple(dealt[9 + 2 * n : 11 + 2 * n] for n in range(seats))
    found = uth.outcome(dealt[:2], dealt[2:4], dealt[4:9], folded=fold, others=others)
    assert found.hands == seats + 2
    assert replace(found, highest="", hands=0, flop="") in set(uth.classes())


@given(dealt=deals(10))
def test_caribbean__every_deal_is_in_a_class_and_all_folds_settle_alike(
    dealt: tuple[Card, ...],
) -> None:
    assert caribbean_stud.outcome(dealt[:5], dealt[5:]) in set(caribbean_stud.classes())
    (fold,) = (o for o in caribbean_stud.classes() if o.folded)
    folded = caribbean_stud.outcome(dealt[:5], dealt[5:], folded=True)
    wagers, terms = {"ante": 500, "progressive": 100}, terms_of(CARIBBEAN)
    assert caribbean_stud.settle(folded, wagers, terms) == caribbean_stud.settle(
        fold, wagers, terms
    )


@given(dealt=deals(5), withdrawn=st.sets(st.sampled_from(["bet 1", "bet 2"])))
def test_let_it_ride__every_deal_is_in_a_class_apart_from_what_was_withdrawn(
    dealt: tuple[Card, ...], withdrawn: set[str]
) -> None:
    found = let_it_ride.outcome(dealt[:3], dealt[3:], withdrawn=frozenset(withdrawn))
    assert found.withdrawn == withdrawn
    assert replace(found, withdrawn=frozenset()) in set(let_it_ride.classes())


@given(dealt=deals(10), played=st.sampled_from(["", "play 3", "play 5"]))
def test_pik_it__every_deal_with_three_cards_picked_is_in_a_class(
    dealt: tuple[Card, ...], played: str
) -> None:
    found = pik_it.outcome(dealt[:5], dealt[5:], played=played, picked=dealt[:3])
    assert found in set(pik_it.classes())
    assert pik_it.outcome(dealt[:5], dealt[5:], played=played) == replace(found, picked="")


def test_a_pair_is_two_classes_and_only_let_it_ride_pays_them_differently() -> None:
    """Elsewhere tens or better and lower pairs settle to the same money."""
    terms = terms_of(NJ_UTH)
    wagers = {"ante": 500, "blind": 500, "play": 500, "trips": 500}
    for o in uth.classes():
        if o.hand == "tens-or-better":
            lower = uth.settle(replace(o, hand="pair"), wagers, terms)
            assert [s.net for s in uth.settle(o, wagers, terms)] == [s.net for s in lower]
