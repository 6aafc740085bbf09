"""Charts: every cell, and what they add up to."""

from __future__ import annotations

from fractions import Fraction

import pytest
from helpers import CARIBBEAN, NJ_UTH, PIK_IT, RIDE, house

from croupier.analysis.advice.advise import Situation, advise
from croupier.analysis.advice.chart import Cell, charts, opening_chart
from croupier.analysis.solve import solve
from croupier.cards.card import RANK_LETTERS, cards

Rows = tuple[tuple[Cell, ...], ...]


@pytest.fixture(scope="module")
def opening() -> Rows:
    return opening_chart(house(NJ_UTH))


def test_the_opening_chart_has_aces_first_and_suited_hands_above_the_diagonal(
    opening: Rows,
) -> None:
    ranks = RANK_LETTERS[::-1]
    for row, across in enumerate(opening):
        for column, cell in enumerate(across):
            high, low = ranks[min(row, column)], ranks[max(row, column)]
            suffix, hands = ("s", 4) if row < column else ("o", 12) if row > column else ("", 6)
            assert (cell.name, cell.hands) == (high + low + suffix, hands)


def test_each_cell_is_the_advice_for_its_cards(opening: Rows) -> None:
    suits = {"s": "cc", "o": "cd", "": "cd"}
    for row, column in ((0, 1), (1, 0), (1, 9), (9, 1), (12, 12), (3, 4)):
        cell = opening[row][column]
        first, second = suits[cell.name[2:]]
        hole = cards(f"{cell.name[0]}{first} {cell.name[1]}{second}")
        assert cell.advice == advise(house(NJ_UTH), Situation(hole))


def test_the_opening_chart_adds_up_to_the_edge(opening: Rows) -> None:
    cells = [cell for row in opening for cell in row]
    assert sum(cell.hands for cell in cells) == 1_326
    total = sum(cell.hands * cell.advice.best.value for cell in cells)
    assert total / 1_326 == solve(house(NJ_UTH)).main.net


def test_suits_and_high_cards_never_hurt(opening: Rows) -> None:
    for row in range(13):
        for column in range(row + 1, 13):
            suited, unsuited = opening[row][column], opening[column][row]
            assert suited.advice.best.value > unsuited.advice.best.value
    pairs = [opening[at][at].advice.best.value for at in range(13)]
    assert pairs == sorted(pairs, reverse=True)


@pytest.mark.parametrize("book", [CARIBBEAN, PIK_IT])
def test_a_chart_of_one_decision_adds_up_to_the_edge(book: str) -> None:
    (chart,) = charts(house(book))
    assert sum(row.share for row in chart.rows) == 1
    assert all(sum(row.options.values()) == 1 for row in chart.rows)
    solution = solve(house(book)).main
    assert sum(row.share * row.value for row in chart.rows) == solution.net
    for option, share in solution.actions().items():
        assert sum(row.share * row.options[option] for row in chart.rows) == share


def test_the_rows_of_five_cards_are_the_kinds_of_hands() -> None:
    rows = {row.hands: row for row in charts(house(CARIBBEAN))[0].rows}
    assert rows["flush"].share == Fraction(5_108, 2_598_960)
    assert rows["pair"].share == Fraction(1_098_240, 2_598_960)
    assert rows["pair"].options == {"bet": 1, "fold": 0}
    assert rows["below ace-king"].options == {"bet": 0, "fold": 1}
    assert rows["below ace-king"].value == -1
    # A-K with three lower ranks that are not queen, jack and ten: 4^5 suits less four flushes.
    ace_king = [row.share for name, row in rows.items() if name.startswith("ace-king-")]
    assert sum(ace_king) == Fraction((165 - 1) * (4**5 - 4), 2_598_960)


def test_three_bets_of_let_it_ride_add_up_to_the_edge() -> None:
    """The third bet always rides: a pair of tens or better among all hands of five."""
    paid = {4: 1_000, 36: 200, 624: 50, 3_744: 11, 5_108: 8, 10_200: 5, 54_912: 3, 123_552: 2}
    paid[5 * 84_480] = 1
    won = sum(hands * odds for hands, odds in paid.items())
    third = Fraction(won - (2_598_960 - sum(paid)), 2_598_960)
    found = charts(house(RIDE))
    assert [chart.decision for chart in found] == ["bet-1", "bet-2"]
    first, second = (sum(row.share * row.value for row in chart.rows) for chart in found)
    assert first + second + third == solve(house(RIDE)).main.net


def test_the_rows_of_let_it_ride_are_what_a_player_sees() -> None:
    rows = {row.hands: row for row in charts(house(RIDE))[0].rows}
    # Trips, 13 x 4; a pair of tens or better, 5 x 6 x 48.
    assert rows["a hand that pays already"].share == Fraction(52 + 1_440, 22_100)
    # 3-4-5 to T-J-Q in a suit, eight runs of four suits.
    assert rows["three suited, three straights possible"].share == Fraction(32, 22_100)
    assert rows["three suited, three straights possible"].options == {"ride": 1, "withdraw": 0}
