"""One thing wrong with a submission."""

from __future__ import annotations

from dataclasses import dataclass

from croupier.law.clause import Clause

LONGEST = 200  # characters of a value in a sentence


@dataclass(frozen=True, slots=True)
class Violation:
    """Where, what the submission says there, why not, and by which clause."""

    key: str
    value: object
    sentence: str
    clause: Clause | None = None

    def __str__(self) -> str:
        cite = f" [{self.clause.id}]" if self.clause else ""
        return f"{self.key} = {shown(self.value)}: {self.sentence}{cite}"


def shown(value: object) -> str:
    """A value as it was written, cut where it is long. Python itself refuses to write out integers
    of thousands of digits."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        return "(too long to show)"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
