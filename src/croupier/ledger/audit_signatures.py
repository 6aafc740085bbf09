"""Signed checkpoints against the entries: those in the store, those the room's own witness file
took down, and those of further witnesses.

The store and the room's own file must hold the same checkpoints. A further witness may be an older
copy: it is evidence for what it holds, and for nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from croupier.ledger.checkpoint import Checkpoint, Witness, genuine
from croupier.ledger.discrepancy import Discrepancies
from croupier.ledger.entry import Entry
from croupier.ledger.keys import Keys, PublicKeys

SIGNED = "A signed checkpoint"


class Signatures:
    """Every checkpoint of one table, waiting for its entry."""

    def __init__(
        self,
        keys: Keys | PublicKeys,
        stored: Iterable[Checkpoint],
        witnessed: Iterable[Checkpoint],
        wrong: Discrepancies,
        elsewhere: Mapping[str, Iterable[Checkpoint]] | None = None,
    ) -> None:
        """``elsewhere`` holds what further witnesses say, by their names."""
        self.keys = keys
        self.wrong = wrong
        self.stored = set(stored)
        self.witnessed = set(witnessed)
        self.elsewhere = {name: set(said) for name, said in (elsewhere or {}).items()}
        self.trusted: list[tuple[str, Checkpoint]] = []  # genuine ones, and where they are
        self._strangers: dict[str, int] = {}  # keys we do not have, and how often they signed
        self._waiting: dict[int, list[Checkpoint]] = {}
        for each in self.stored.union(self.witnessed, *self.elsewhere.values()):
            self._waiting.setdefault(each.sequence, []).append(each)

    def see(self, entry: Entry) -> None:
        if entry.sequence not in self._waiting:
            return
        for checkpoint in self._waiting.pop(entry.sequence):
            if self._trusted(checkpoint) and (checkpoint.hash, checkpoint.time) != (
                entry.hash,
                entry.time,
            ):
                what = self._named(checkpoint)
                self.wrong.add(entry.sequence, f"{what} says that another entry stood here.")

    def _trusted(self, checkpoint: Checkpoint) -> bool:
        if checkpoint.key not in self.keys.public:
            self._strangers[checkpoint.key] = self._strangers.get(checkpoint.key, 0) + 1
            return False
        try:
            good = genuine(self.keys, checkpoint)
        except TypeError:  # a damaged file may hold anything
            good = False
        if not good:
            sentence = f"The signature of a checkpoint in {self._place(checkpoint)} is not genuine."
            self.wrong.add(checkpoint.sequence, sentence)
            return False
        self.trusted.append((self._named(checkpoint), checkpoint))
        return True

    def _place(self, checkpoint: Checkpoint) -> str:
        if checkpoint in self.stored:
            return "the store"
        if checkpoint in self.witnessed:
            return "the witness file"
        return next(name for name, said in self.elsewhere.items() if checkpoint in said)

    def _named(self, checkpoint: Checkpoint) -> str:
        if checkpoint in self.stored or checkpoint in self.witnessed:
            return SIGNED
        return f"{SIGNED} in {self._place(checkpoint)}"

    def end(self, head: int, witness: Witness | None) -> None:
        for sequence, left in self._waiting.items():
            if found := [each for each in left if self._trusted(each)]:
                cut = isinstance(sequence, int) and sequence > head
                gone = f"the ledger ends at {head}" if cut else "there is no such entry"
                self.wrong.add(sequence, f"{self._named(found[0])} stands here, but {gone}.")
        for key, times in self._strangers.items():
            many = f"{times:,} checkpoints are" if times > 1 else "A checkpoint is"
            self.wrong.add(0, f"{many} signed by {key}, a key that is not ours to check.")
        if witness:
            self._compare(witness)

    def lag(self, name: str) -> int:
        """How many of the store's checkpoints a further witness has not got."""
        return len(self.stored - self.elsewhere.get(name, set()))

    def _compare(self, witness: Witness) -> None:
        """The room's own witness has every checkpoint of the store, and no other."""
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
