"""Whatever a table says, it says by the clauses of its own book."""

import pytest
from engine_driver import HOUSES, Evening
from helpers import ALL_BOOKS, MA_UTH, PIK_IT

from croupier.law.clause import clause, rulebook
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.commands import DEALER
from croupier.table.refused import Refused
from croupier.table.view import view


def own_books(book_id: str) -> set[str]:
    book = rulebook(book_id)
    return {book.id, book.continued_by} - {""}


@pytest.mark.twins('NJ 19:47-32.1 "Round of play"')
@pytest.mark.parametrize("name", sorted(HOUSES))
def test_every_event_cites_the_tables_own_book(name: str) -> None:
    evening = Evening(HOUSES[name], seed=5).arrive().rounds(6)
    allowed = own_books(evening.table.house.book.id)
    for event in evening.log:
        cited = getattr(event, "clause", "")
        assert not cited or clause(cited).book in allowed, event
    ended = next(event for event in evening.log if isinstance(event, e.RoundEnded))
    assert "round" in clause(ended.clause).says.lower()


@pytest.mark.twins('NJ 19:47-32.1 "Stub"')
@pytest.mark.parametrize("name", sorted(HOUSES))
def test_a_refusal_cites_the_tables_own_book(name: str) -> None:
    evening = Evening(HOUSES[name], seed=6).arrive()
    allowed = own_books(evening.table.house.book.id)
    answer = evening.ask(c.RackStub(DEALER))
    assert isinstance(answer, Refused)
    assert clause(answer.clause).book in allowed
    assert "stub" in clause(answer.clause).says.lower()


@pytest.mark.twins("NJ 19:47-32.4(c)1i", "NJ 19:47-32.4(c)1iv", "NJ 19:47-32.4(c)2")
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_a_cut_names_each_of_its_acts_in_order_by_its_own_book(book: str) -> None:
    by_hand = {"rulebook": book, "shuffling": "manual", "dealing": "manual shoe", "decks": ["red"]}
    if book == MA_UTH:
        by_hand["offered"] = ["trips"]
    evening = Evening(by_hand, seed=7).arrive().rounds(1)
    cut = next(event for event in evening.log if isinstance(event, e.DeckCut))
    assert len(cut.steps) == 5
    assert {clause(step).book for step in cut.steps} <= own_books(book)
    acts = [clause(step).says.lower() for step in cut.steps]
    assert "cover card" in acts[0]
    assert "ten" in acts[1]
    assert "cover card" in acts[3]


@pytest.mark.clause("NJ 13:69E-1.13Y(b)1vi", "NJ 13:69E-1.13Y(b)2")
def test_1_13y_b__a_pik_it_layout_marks_every_wager_and_both_places_for_cards() -> None:
    table = Evening({"rulebook": PIK_IT}, seed=8).arrive().table
    areas = view(table, DEALER)["areas"]
    assert areas == {
        "ante": "NJ 13:69E-1.13Y(b)1i",
        "5 card bonus": "NJ 13:69E-1.13Y(b)1ii",
        "3 card bonus": "NJ 13:69E-1.13Y(b)1iii",
        "play 3": "NJ 13:69E-1.13Y(b)1iv",
        "play 5": "NJ 13:69E-1.13Y(b)1v",
        "player's cards": "NJ 13:69E-1.13Y(b)1vi",
        "dealer's cards": "NJ 13:69E-1.13Y(b)2",
    }
