"""Seats, chips and wagers before the deal: 32.6 and its twins."""

from __future__ import annotations

import pytest
from scenario import ALL_BOOKS, BETS, CARIBBEAN, GIVE_UP, MA_UTH, NJ_UTH, PIK_IT, RIDE, cited, play

each_book = pytest.mark.parametrize("book", ALL_BOOKS)


@each_book
@pytest.mark.clause("NJ 13:69F-39.3(d)")
@pytest.mark.twins("NJ 19:47-32.6(e)")
def test_only_a_seated_player_wagers_and_stays_until_the_round_is_over(book: str) -> None:
    clause = cited(book, "NJ 19:47-32.6(e)")
    play(
        book,
        f"""
        anna at 1: {BETS[book]} -> refused: ONLY_SEATED_PLAYERS_WAGER [{clause}]
        anna at 1: buy 100      -> refused: ONLY_SEATED_PLAYERS_WAGER [{clause}]
        anna at 9: sit 100      -> refused: NO_SUCH_SEAT
        anna at 1: sit 1000
        ben at 1: sit 100       -> refused: SEAT_IS_TAKEN
        ben at 1: {BETS[book]}  -> refused: ONLY_SEATED_PLAYERS_WAGER [{clause}]
        ben at 1: stand         -> refused: NOT_YOUR_SEAT
        anna: {BETS[book]}
        auto off
        anna: stand             -> refused: WAGERS_ALREADY_PLACED [{clause}]
        anna: take back
        anna: stand
        anna at 1: sit 1000
        auto on
        anna: {BETS[book]}
        deal
        auto off
        anna: stand             -> refused: MUST_REMAIN_SEATED [{clause}]
        auto on
        {GIVE_UP[book]}
        auto                    -> round over
        anna: stand             -> player left
        """,
    )


CLOSED = {
    NJ_UTH: "NJ 19:47-32.6(b)",
    MA_UTH: "MA UTH 6(b)",
    CARIBBEAN: "NJ 19:47-16.6(b)",
    RIDE: "NJ 19:47-18.6(c)",
    PIK_IT: "NJ 13:69F-39.3(a)",
}


@each_book
@pytest.mark.clause(
    "NJ 19:47-32.6(b)", "MA UTH 6(b)", "NJ 19:47-16.6(b)", "NJ 19:47-18.6(c)", "NJ 13:69F-39.3(a)"
)
def test_after_no_more_bets_nothing_is_made_raised_or_withdrawn(book: str) -> None:
    clause = CLOSED[book]
    play(
        book,
        f"""
        seats 2
        1: take back     -> refused: NOBODY_HAS_WAGERED
        1: {BETS[book]}
        1: {BETS[book]}  -> refused: WAGERS_ALREADY_PLACED [{clause}]
        1: take back     -> wagers taken back
        1: chips 10000
        1: {BETS[book]}
        no more bets
        auto off
        1: take back     -> refused: NO_MORE_BETS [{clause}]
        1: {BETS[book]}  -> refused: NO_MORE_BETS [{clause}]
        2: {BETS[book]}  -> refused: NO_MORE_BETS [{clause}]
        """,
    )


@each_book
@pytest.mark.twins("NJ 19:47-32.6(a)")
def test_wagers_are_made_in_chips_the_player_has(book: str) -> None:
    clause = cited(book, "NJ 19:47-32.6(a)")
    needed = 10 * len(BETS[book].split()[1:])
    play(
        book,
        f"""
        1: sit {needed - 1}
        {BETS[book]} -> refused: NOT_ENOUGH_CHIPS [{clause}]
        buy 0        -> refused: AMOUNT_MUST_BE_POSITIVE
        buy 1        -> chips bought
        {BETS[book]} -> wagers placed [{clause}]
        """,
    )


@pytest.mark.parametrize(
    ("book", "choice", "more"),
    [
        (NJ_UTH, "play 3x", 30),
        (MA_UTH, "play 4x", 40),
        (CARIBBEAN, "bet", 20),
        (PIK_IT, "play 5", 20),
    ],
)
@pytest.mark.twins("NJ 19:47-32.6(d)")
def test_a_play_wager_too_is_made_in_chips_the_player_has(
    book: str, choice: str, more: int
) -> None:
    needed = 10 * len(BETS[book].split()[1:])
    play(
        book,
        f"""
        1: sit {needed + more - 1}
        {BETS[book]}
        deal {"2c 4d 6h 8s Tc" if book == PIK_IT else ""}
        {choice} -> refused: NOT_ENOUGH_CHIPS
        buy 1
        {choice} -> choice made
        auto off
        chips 0
        """,
    )


def test_at_let_it_ride_nothing_is_added_after_the_three_bets() -> None:
    play(RIDE, "1: sit 30\nbets 10 10 10\nride\nride\nauto -> round over")


# --- the wagers of each game ----------------------------------------------------------------


@pytest.mark.parametrize("book", [NJ_UTH, MA_UTH])
@pytest.mark.twins('NJ 19:47-32.1 "Ante"', 'NJ 19:47-32.1 "Blind"', "NJ 19:47-32.6(c)")
@pytest.mark.ruling("U10")
def test_uth_ante_and_blind_are_equal_and_trips_is_free_within_its_own_limits(book: str) -> None:
    ante, blind, trips = (
        cited(book, f"NJ 19:47-{number}") for number in ('32.1 "Ante"', '32.1 "Blind"', "32.6(c)")
    )
    play(
        book,
        f"""
        seats 1
        bets blind 10           -> refused: WAGER_REQUIRED [{ante}]
        bets ante 10            -> refused: WAGER_REQUIRED [{blind}]
        bets 10 15              -> refused: WAGERS_MUST_BE_EQUAL [{blind}]
        bets 4 4                -> refused: WITHIN_POSTED_LIMITS
        bets 501 501            -> refused: WITHIN_POSTED_LIMITS
        bets trips 5            -> refused: WAGER_NEEDS_ANOTHER [{trips}]
        bets 10 10, play 30     -> refused: WAGER_UNKNOWN
        bets 10 10, trips 100.5 -> refused: WITHIN_POSTED_LIMITS
        bets 10 10, trips 100   -> wagers placed
        """,
    )


@pytest.mark.clause("NJ 19:47-16.6(c)")
@pytest.mark.ruling("S5")
def test_the_caribbean_progressive_is_exactly_a_dollar_beside_an_ante() -> None:
    play(
        CARIBBEAN,
        """
        seats 1
        bets progressive 1       -> refused: WAGER_NEEDS_ANOTHER [NJ 19:47-16.6(c)]
        bets 10, progressive 2   -> refused: AMOUNT_IS_FIXED [NJ 19:47-16.6(c)]
        bets 10, progressive 0.5 -> refused: AMOUNT_IS_FIXED [NJ 19:47-16.6(c)]
        bets 10, progressive 1   -> wagers placed
        """,
    )


@pytest.mark.clause(
    "NJ 19:47-18.6(d)",
    "NJ 19:47-18.6A(a)",
    "NJ 19:47-18.6A(b)",
    "NJ 19:47-18.6B(a)",
    "NJ 19:47-18.6B(b)",
)
def test_let_it_ride_needs_three_equal_bets_and_its_bonuses_stand_beside_all_three() -> None:
    play(
        RIDE,
        """
        seats 1
        bets 10 10                               -> refused: WAGER_REQUIRED [NJ 19:47-18.6(d)]
        bets 10 10 20                            -> refused: WAGERS_MUST_BE_EQUAL [NJ 19:47-18.6(d)]
        bets let it ride bonus 1                 -> refused: WAGER_NEEDS_ANOTHER [NJ 19:47-18.6A(b)]
        bets 10 10 10, let it ride bonus 2       -> refused: AMOUNT_IS_FIXED [NJ 19:47-18.6A(b)]
        bets 10 10, three card bonus 5           -> refused: WAGER_NEEDS_ANOTHER [NJ 19:47-18.6B(b)]
        bets 10 10 10, three card bonus 101      -> refused: WITHIN_POSTED_LIMITS
        bets 10 10 10, let it ride bonus 1, three card bonus 5
        """,
    )
    play(
        RIDE,
        """
        set offered = []
        seats 1
        bets 10 10 10, let it ride bonus 1       -> refused: WAGER_NOT_OFFERED [NJ 19:47-18.6A(a)]
        bets 10 10 10, three card bonus 5        -> refused: WAGER_NOT_OFFERED [NJ 19:47-18.6B(a)]
        """,
    )


@pytest.mark.clause(
    "NJ 13:69F-39.3(a)",
    'NJ 13:69F-39.1 "5 card bonus wager"',
    'NJ 13:69F-39.1 "3 card bonus wager"',
)
def test_pik_it_needs_ante_and_5_card_bonus_of_one_size() -> None:
    play(
        PIK_IT,
        """
        seats 1
        bets ante 10               -> refused: WAGER_REQUIRED
        bets 10 5                  -> refused: WAGERS_MUST_BE_EQUAL
        bets 3 card bonus 5        -> refused: WAGER_NEEDS_ANOTHER [NJ 13:69F-39.3(a)]
        bets 10 10, 3 card bonus 5 -> wagers placed
        """,
    )
