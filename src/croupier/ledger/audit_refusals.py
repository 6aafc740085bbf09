"""The refusals of a table against their chain, and against the checkpoints that signed it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from hashlib import sha256
from typing import get_args

from croupier.ledger.chain import RefusalHead
from croupier.ledger.checkpoint import Checkpoint
from croupier.ledger.discrepancy import Discrepancies
from croupier.ledger.records import AnyRequest
from croupier.ledger.refusals import refusal_digest
from croupier.ledger.store import Remembered
from croupier.rules.refusals import Refusal

_CODES = {str(code) for code in Refusal}
_COMMANDS = {kind.__name__ for kind in get_args(AnyRequest)}


class Refusals:
    """Those of one table, in order. Older stores do not chain them."""

    def __init__(self, table: str, wrong: Discrepancies, *, chained: bool) -> None:
        self.table = table
        self.wrong = wrong
        self.kept = self.omitted = 0
        self._chained = chained
        self._head = RefusalHead()
        self._hashes: dict[int, str] = {}

    def see(self, rows: Iterable[Remembered]) -> None:
        for each in rows:
            self.kept += 1
            if isinstance(each.omitted, int):
                self.omitted += each.omitted
            if not _sane(each):
                sentence = f"The refusal of command {each.command_id!r} is none the table gives."
                self.wrong.add(0, sentence)
            if self._chained:
                self._follow(each)

    def _follow(self, each: Remembered) -> None:
        due = self._head.number + 1
        number = each.number if isinstance(each.number, int) else due
        if number > due:
            self.wrong.add(0, f"{_missing(due, number - 1)}: deleted, or moved elsewhere.")
        elif number < due:
            self.wrong.add(0, f"There is a refusal {number} that does not belong there.")
        elif each.previous != self._head.hash:
            self.wrong.add(0, f"Refusal {number} does not follow the one before it.")
        if each.hash != refusal_digest(each):
            self.wrong.add(
                0,
                f"Refusal {number} (command {each.command_id!r} of {each.actor}) was altered: "
                "its hash is not that of its content.",
            )
        self._hashes[number] = each.hash
        self._head = RefusalHead(number, each.hash)

    def compare(self, checkpoints: Iterable[tuple[str, Checkpoint]]) -> None:
        """With what genuine checkpoints say of them; format 1 says nothing."""
        if not self._chained:
            return
        last, where = 0, ""
        for source, each in checkpoints:
            if not each.refusal or not each.refusals:
                continue
            if self._hashes.get(each.refusals, each.refusal) != each.refusal:
                sentence = f"{source} says that refusal {each.refusals} was another."
                self.wrong.add(each.sequence, sentence)
            if each.refusals > last:
                last, where = each.refusals, source
        if last > self._head.number:
            sentence = f"{where} counts {last} refusals, but only {self._head.number} are kept"
            self.wrong.add(0, f"{sentence}: the last ones were deleted.")


def _missing(first: int, last: int) -> str:
    if first == last:
        return f"Refusal {first} is missing"
    return f"Refusals {first} to {last} are missing"


def _sane(each: Remembered) -> bool:
    try:
        datetime.fromisoformat(each.time)
        return (
            each.code in _CODES
            and each.command in _COMMANDS
            and len(bytes.fromhex(each.fingerprint)) == sha256().digest_size
            and each.omitted >= 0
            and bool(each.command_id and each.actor and each.clause)
        )
    except (TypeError, ValueError):
        return False
