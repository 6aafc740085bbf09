"""What may be placed during play: multiples of the ante, at their betting points."""

from __future__ import annotations

from typing import Any

import pytest
from helpers import CARIBBEAN, MA_UTH, NJ_UTH, PIK_IT, UTH_BOOKS, house

from croupier.house.check import check
from croupier.law.refused import Refused
from croupier.rules.placing import verify_multiple

AT = {(NJ_UTH, letter): f"NJ 19:47-32.10({letter})" for letter in "ace"} | {
    (MA_UTH, letter): f"MA UTH 10({letter})" for letter in "ace"
}


def allowed(book: str, point: str, cite: str, **changes: Any) -> list[int]:
    """The multiples from 0 to 6 that may be placed at this point; this clause refuses others."""
    table = house(book, **changes)
    found, refusals = [], set()
    for times in range(7):
        try:
            verify_multiple(table.game, point, times, table.terms())
            found.append(times)
        except Refused as refused:
            refusals.add(f"{refused.code} {refused.clause}")
    assert refusals == {f"MULTIPLE_NOT_ALLOWED {cite}"}
    return found


@pytest.mark.twins("NJ 19:47-32.10(a)")
@pytest.mark.ruling("U6")
@pytest.mark.parametrize("book", UTH_BOOKS)
def test_32_10_a__before_the_flop_the_play_wager_is_exactly_3_or_4_antes(book: str) -> None:
    assert allowed(book, "before-flop", AT[book, "a"]) == [3, 4]


@pytest.mark.twins("NJ 19:47-32.10(c)")
@pytest.mark.parametrize("book", UTH_BOOKS)
def test_32_10_c__after_the_flop_the_play_wager_is_exactly_2_antes(book: str) -> None:
    assert allowed(book, "after-flop", AT[book, "c"]) == [2]


@pytest.mark.twins("NJ 19:47-32.10(e)")
@pytest.mark.parametrize("book", UTH_BOOKS)
def test_32_10_e__after_the_river_the_play_wager_is_exactly_1_ante(book: str) -> None:
    assert allowed(book, "after-river", AT[book, "e"]) == [1]


@pytest.mark.clause(
    "NJ 19:47-32.6(d)",
    "MA UTH 6(d)",
    "NJ 19:47-16.6(d)",
    'NJ 19:47-32.1 "Play wager"',
    'MA UTH 1 "Play wager"',
)
@pytest.mark.parametrize("book", [*UTH_BOOKS, CARIBBEAN])
def test_32_6_d__play_and_bet_are_made_during_play_never_before_the_deal(book: str) -> None:
    game = house(book).game
    during = {w.name: w.multiple_of for w in game.wagers if not w.before_the_deal}
    assert during == ({"bet": "ante"} if book == CARIBBEAN else {"play": "ante"})
    points = {"bet"} if book == CARIBBEAN else {"before-flop", "after-flop", "after-river"}
    assert points <= set(game.multiples)


@pytest.mark.clause("SUPPLIED S2.1(a)")
@pytest.mark.ruling("S2")
def test_s2_1_a__the_bet_is_exactly_twice_the_ante() -> None:
    assert allowed(CARIBBEAN, "bet", "SUPPLIED S2.1(a)") == [2]


@pytest.mark.clause(
    "NJ 13:69F-39.3(b)",
    'NJ 13:69F-39.1 "Play 3 wager"',
    'NJ 13:69F-39.1 "Play 5 wager"',
)
@pytest.mark.ruling("P1")
@pytest.mark.parametrize("times_3", [1, 2])
@pytest.mark.parametrize("times_5", [1, 2])
def test_p1__the_house_picks_once_or_twice_the_ante_for_play_3_and_for_play_5_apart(
    times_3: int, times_5: int
) -> None:
    chosen = {"play-3": times_3, "play-5": times_5}
    assert allowed(PIK_IT, "play-3", "NJ 13:69F-39.3(b)", multiples=chosen) == [times_3]
    assert allowed(PIK_IT, "play-5", "NJ 13:69F-39.3(b)", multiples=chosen) == [times_5]
    assert check(house(PIK_IT, multiples=chosen)).legal


@pytest.mark.clause("NJ 13:69F-39.3(b)")
@pytest.mark.ruling("P1")
@pytest.mark.parametrize("times", [0, 3, [1, 2]])
def test_p1__a_house_that_picks_neither_once_nor_twice_is_illegal(times: int | list[int]) -> None:
    (violation,) = check(house(PIK_IT, multiples={"play-5": times})).violations
    assert violation.clause is not None
    assert (violation.key, violation.clause.id) == ("multiples.play-5", "NJ 13:69F-39.3(b)")


def test_a_refused_multiple_says_what_is_allowed() -> None:
    table = house(UTH_BOOKS[0])
    with pytest.raises(Refused) as refused:
        verify_multiple(table.game, "before-flop", 2, table.terms())
    assert str(refused.value) == (
        "The before flop wager is 3 or 4 times the ante, not 2 times. [NJ 19:47-32.10(a)]"
    )
