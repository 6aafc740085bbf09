"""Signed checkpoints against the entries: those in the store, and those the witness took down."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.ledger.checkpoint import Checkpoint, Witness, genuine
from croupier.ledger.discrepancy import Discrepancies
from croupier.ledger.entry import Entry
from croupier.ledger.keys import Keys

SIGNED = "A signed checkpoint"


class Signatures:
    """Every checkpoint of one table, waiting for its entry."""

    def __init__(
        self,
        keys: Keys,
        stored: Iterable[Checkpoint],
        witnessed: Iterable[Checkpoint],
        wrong: Discrepancies,
    ) -> None:
        self.keys = keys
        self.wrong = wrong
        self.stored = set(stored)
        self.witnessed = set(witnessed)
        self._strangers: dict[str, int] = {}  # keys we do not have, and how often they signed
        self._waiting: dict[int, list[Checkpoint]] = {}
        for each in self.stored | self.witnessed:
            self._waiting.setdefault(each.sequence, []).append(each)

    def see(self, entry: Entry) -> None:
        if entry.sequence not in self._waiting:
            return
        for checkpoint in self._waiting.pop(entry.sequence):
            if self._trusted(checkpoint) and (checkpoint.hash, checkpoint.time) != (
                entry.hash,
                entry.time,
            ):
                self.wrong.add(entry.sequence, f"{SIGNED} says that another entry stood here.")

    def _trusted(self, checkpoint: Checkpoint) -> bool:
        if checkpoint.key not in self.keys.public:
            self._strangers[checkpoint.key] = self._strangers.get(checkpoint.key, 0) + 1
            return False
        try:
            good = genuine(self.keys, checkpoint)
        except TypeError:  # a damaged file may hold anything
            good = False
        if not good:
            where = "store" if checkpoint in self.stored else "witness file"
            sentence = f"The signature of a checkpoint in the {where} is not genuine."
            self.wrong.add(checkpoint.sequence, sentence)
            return False
        return True

    def end(self, head: int, witness: Witness | None) -> None:
        for sequence, left in self._waiting.items():
            if [each for each in left if self._trusted(each)]:
                cut = isinstance(sequence, int) and sequence > head
                gone = f"the ledger ends at {head}" if cut else "there is no such entry"
                self.wrong.add(sequence, f"{SIGNED} stands here, but {gone}.")
        for key, times in self._strangers.items():
            sentence = f"{times:,} checkpoints are signed by {key}, a key that is not ours to check"
            self.wrong.add(0, f"{sentence} ({self.keys.folder}).")
        if witness:
            self._compare(witness)

    def _compare(self, witness: Witness) -> None:
        """The witness has every checkpoint of the store, and no other."""
        for each in self.witnessed - self.stored:
            self.wrong.add(each.sequence, "The store lacks a checkpoint the witness file has.")
        lacking = self.stored - self.witnessed
        if lacking:  # unless a table at work has told the witness meanwhile
            lacking -= set(witness.all())
        if lacking and not self.witnessed:
            self.wrong.add(0, f"{witness.path} knows none of its {len(lacking):,} checkpoints.")
            return
        for each in lacking:
            self.wrong.add(each.sequence, "The witness file lacks a checkpoint the store has.")
