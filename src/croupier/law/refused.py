"""What a user did that the law, the house or plain arithmetic forbids."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from croupier.law.clause import Clause


class Refused(Exception):
    """One sentence for the user, the clause that says so where one does, and a code to match."""

    def __init__(self, sentence: str, clause: Clause | None = None, code: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.clause = clause
        self.code = code

    def __str__(self) -> str:
        return f"{self.sentence} [{self.clause.id}]" if self.clause else self.sentence
