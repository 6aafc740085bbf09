"""A refusal as a value: which, in a sentence, by which clause."""

from __future__ import annotations

from msgspec import Struct

from croupier.law import refused as law
from croupier.law.clause import Clause
from croupier.rules.refusals import Refusal
from croupier.table.state import Table


class Refused(Struct, frozen=True):
    code: Refusal
    sentence: str
    clause: str

    def __str__(self) -> str:
        return f"{self.sentence} [{self.clause}]"


def refuse(table: Table, code: Refusal, sentence: str, cite: Clause) -> Refused:
    return Refused(code, sentence, cite.under(table.house.book).id)


def as_value(wrong: law.Refused) -> Refused:
    """What the rules' own verifiers raise, as the value the table returns."""
    assert wrong.clause is not None
    return Refused(Refusal(wrong.code), wrong.sentence, wrong.clause.id)
