"""Whatever a table says, it says by the clauses of its own book."""

import pytest
from engine_driver import HOUSES, Evening

from croupier.law.clause import clause, rulebook
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.commands import DEALER
from croupier.table.refused import Refused


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
