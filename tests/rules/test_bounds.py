"""The worst cases that the bounds allow, computed from the bounds."""

from __future__ import annotations

from croupier.games.registry import RULEBOOKS
from croupier.house.check import MOST_ADJACENT
from croupier.house.submission import default_house
from croupier.ledger.accounts import MOST
from croupier.rules import bounds as b

HOUSES = [default_house(book) for book in RULEBOOKS]
POSITIONS = max(house.game.most_positions for house in HOUSES)
ADJACENT = max(most for most, _ in MOST_ADJACENT.values())
WAGERS = max(
    len([w for w in house.game.wagers_under(house.book) if w.name != "play 3"])  # or play 5
    for house in HOUSES
)
STAKES = WAGERS * b.MOST_STAKE * b.MOST_MULTIPLE  # of one hand, each taken for a play wager


def test_an_account_is_exact_wherever_the_ledger_is_read() -> None:
    assert b.MOST_IN_ACCOUNT == MOST < 2**53 < 2**63


def test_one_hand_wins_no_more_than_it_may() -> None:
    """Every wager at its most, a match play coupon, and the meter brought back to its seed."""
    assert WAGERS * b.MOST_SUM + b.MOST_STAKE + b.MOST_SUM <= b.MOST_HAND


def test_even_money_is_within_what_one_wager_may_win() -> None:
    assert b.MOST_STAKE * b.MOST_MULTIPLE <= b.MOST_SUM


def test_a_players_account_stays_within_the_ledgers_bound() -> None:
    """Chips with which wagers are still accepted, three positions that win all they can, and the
    whole meter."""
    player = b.MOST_CHIPS + ADJACENT * (b.MOST_HAND + STAKES) + b.MOST_INVENTORY
    assert player < MOST


def test_all_accounts_of_a_table_together_stay_within_it_so_the_cage_does_too() -> None:
    """Every seat taken by a player who may still wager, every hand winning all it can, the table
    full when the wagers were placed, and filled to the brim again afterwards."""
    players = POSITIONS * (b.MOST_CHIPS + STAKES + b.MOST_HAND)
    table = b.MOST_INVENTORY + POSITIONS * STAKES  # inventory, drop box and meter
    assert players + table + b.MOST_INVENTORY < MOST


def test_the_fill_that_a_settlement_needs_is_always_allowed() -> None:
    assert 2 * b.MOST_HAND <= b.MOST_INVENTORY


def test_the_users_words_are_cut_short() -> None:
    assert b.said("trips") == "trips"
    assert b.said("x" * 41) == "x" * 40 + "..."
    assert b.said(10**400) == "1" + "0" * 39 + "..."
    assert b.said(10**5_000) == "(too long to show)"
    assert b.said([10**5_000]) == "(too long to show)"
