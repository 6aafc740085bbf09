"""An evening at one seat: who sits where, what repeats, and what the purse says."""

from __future__ import annotations

from fractions import Fraction

import pytest
from helpers import ALL_BOOKS, MA_UTH, NJ_UTH, RIDE, house

from croupier.law.refused import Refused
from croupier.rules.money import dollars
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.bots import bot_choice, bot_wagers
from croupier.table.view import view
from croupier.terminal.evening import ME, Batch, Evening
from croupier.terminal.words import history, summary


def play(evening: Evening, rounds: int) -> list[Batch]:
    """Play as a bot would; all that happened."""
    happened = []
    while len(evening.purse.rounds) < rounds:
        batch = evening.advance()
        if not batch and evening.waits_for == "bet":
            wagers = bot_wagers(evening.table, evening.seat)
            batch = evening.do(
                c.PlaceWagers(evening.me, evening.seat, wagers)
                if wagers
                else c.BuyChips(evening.me, evening.chips)
            )
        elif not batch:
            seen = view(evening.table, evening.me)
            batch = evening.do(bot_choice(evening.table, evening.seat, seen))
        assert batch
        happened.append(batch)
    return happened


@pytest.mark.parametrize(
    ("seats", "taken"),
    [
        (1, {3: ME}),
        (2, {3: ME, 4: "Ada"}),
        (3, {2: "Ada", 3: ME, 4: "Ben"}),
        (6, {1: "Ada", 2: "Ben", 3: ME, 4: "Cleo", 5: "Dan", 6: "Eve"}),
    ],
)
def test_the_seats_taken_are_in_the_middle_and_mine_in_the_middle_of_them(
    seats: int, taken: dict[int, str]
) -> None:
    evening = Evening(house(NJ_UTH), seats=seats, seed="1")
    assert evening.table.seats == tuple(taken.get(n, "") for n in range(1, 7))
    assert evening.seat == 3


@pytest.mark.parametrize("seats", [0, 7])
def test_no_more_seats_than_the_table_has(seats: int) -> None:
    with pytest.raises(Refused, match="This table seats 1 to 6"):
        Evening(house(NJ_UTH), seats=seats)


@pytest.mark.parametrize(("seats", "refused"), [(9, False), (10, True)])
def test_no_more_seats_than_the_screen_can_show(seats: int, refused: bool) -> None:
    wide = house(NJ_UTH, positions=15)
    if refused:
        with pytest.raises(Refused, match="This table seats 1 to 9, not 10"):
            Evening(wide, seats=seats)
    else:
        assert sum(map(bool, Evening(wide, seats=seats).table.seats)) == 9


@pytest.mark.parametrize("book", ALL_BOOKS)
def test_the_same_seed_deals_the_same_evening(book: str) -> None:
    rate = Fraction(1, 10)
    first = play(Evening(house(book), seed="blue", faults=rate), 12)
    assert play(Evening(house(book), seed="blue", faults=rate), 12) == first
    assert play(Evening(house(book), seed="green", faults=rate), 12) != first


def test_without_a_seed_no_two_evenings_are_dealt_alike() -> None:
    assert play(Evening(house(RIDE)), 2) != play(Evening(house(RIDE)), 2)


def test_the_cards_are_ready_before_the_first_bet_and_shuffled_after_the_next() -> None:
    evening = Evening(house(MA_UTH), seed="1")
    assert evening.waits_for == ""
    opening = []
    while batch := evening.advance():
        opening += [type(event) for event in batch]
    assert opening.count(e.DeckShuffled) == 2
    assert evening.waits_for == "bet"
    play(evening, 1)
    assert evening.advance() == ()
    assert evening.waits_for == "bet"


@pytest.mark.parametrize("book", ALL_BOOKS)
def test_the_nets_of_the_rounds_add_up_to_what_the_evening_cost(book: str) -> None:
    evening = Evening(house(book), seats=4, chips=dollars(60), seed="5", faults=Fraction(1, 10))
    play(evening, 40)
    evening.leave()
    purse = evening.purse
    assert purse.cashed == purse.bought + purse.net
    assert ME not in evening.table.seats
    assert len(history(evening)) == 41
    assert summary(evening)[-1].endswith("Good night.")


def test_a_command_of_mine_that_is_refused_changes_nothing_and_is_kept() -> None:
    evening = Evening(house(NJ_UTH), seed="1")
    before = evening.table
    assert evening.do(c.PlaceWagers(evening.me, evening.seat, {"ante": 500})) == ()
    assert evening.table is before
    assert evening.refusal is not None
    assert evening.refusal.code == "WAGER_REQUIRED"
    evening.do(c.BuyChips(evening.me, 100))
    assert evening.refusal is None
