"""Everything done once more: the engine decides on each stored command, and must come to exactly
the stored events; from these follow every payment, every movement and the state of the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from croupier.law.refused import Refused
from croupier.ledger import snapshot
from croupier.ledger.accounts import standing, transfers
from croupier.ledger.audit_money import Money, Moved
from croupier.ledger.discrepancy import Discrepancies
from croupier.ledger.entry import Entry
from croupier.ledger.kept import Kept, evolve, fold, judge
from croupier.ledger.records import Happening, OpenTable, ShuffleCommitted, secrets_of
from croupier.ledger.seal import Sealer
from croupier.ledger.shuffles import due, promise
from croupier.ledger.store import Snapshot
from croupier.table import refused as at_table
from croupier.table.commands import Command, ReceiveDeck, ShuffleDeck
from croupier.table.events import TableOpened

NO_SEED = bytes(32)
SEALED = (ReceiveDeck, ShuffleDeck)  # commands with secrets


class Batch(Struct):
    """The entries one command brought about, and what they say, secrets sealed."""

    command_id: str
    entries: list[Entry]
    happened: list[Happening]


class Replay:
    """One table, folded and judged again. Where an entry cannot be read the fold has no footing;
    it finds it again at the next snapshot."""

    def __init__(
        self,
        table: str,
        sealer: Sealer,
        snapshots: Iterable[Snapshot],
        money: Money,
        wrong: Discrepancies,
    ) -> None:
        self.table = table
        self.sealer = sealer
        self.money = money
        self.wrong = wrong
        self.locked = ""  # which sealing key is missing
        self.snapshots = 0  # compared with the replay
        self._kept: Kept | None = None
        self._begun = False
        self._snapshots = {each.sequence: each for each in snapshots}

    def see(self, batch: Batch) -> None:
        """A command and its entries, in order."""
        last = batch.entries[-1]
        derived = None
        if self._kept or not self._begun:
            self._begun = True
            derived = self._again(batch)
        self.money.see(batch.entries, derived)
        if self._kept and derived and any(derived):  # where nothing moved, nothing can have changed
            self.money.compare(standing(self._kept.table), last.sequence)
        if last.sequence in self._snapshots:
            self._compare(self._snapshots.pop(last.sequence), last)

    def lose_footing(self) -> None:
        """Nothing can be decided from here on."""
        self._kept, self._begun = None, True

    def end(self) -> None:
        for sequence in self._snapshots:
            self.wrong.add(sequence, "A snapshot was taken where no command ends.")

    # --- one command --------------------------------------------------------------------------

    def _again(self, batch: Batch) -> list[Moved] | None:
        """Decide, compare, evolve; what each must have moved. None where that failed."""
        first = batch.entries[0]
        try:
            request = first.request()
            if request is None:
                raise ValueError("no command stands here")
            return self._decided(batch, *self._opened(batch, request))
        except Refused as altered:
            if not self._locked(batch):
                self.wrong.add(first.sequence, str(altered))
        except Exception as error:  # history that was never lived may break anything
            sentence = f"This cannot have happened ({type(error).__name__}: {error})."
            self.wrong.add(first.sequence, sentence)
        self.lose_footing()
        return None

    def _locked(self, batch: Batch) -> bool:
        """Whether a key is missing for what is sealed there."""
        for thing in (batch.entries[0].request(), *batch.happened):
            for name in secrets_of(type(thing)) if thing else ():
                _, _, rest = getattr(thing, name).partition(":")
                try:
                    self.sealer.keys.cipher(rest.partition(":")[0])
                except Refused as missing:
                    self.locked = str(missing)
                    return True
        return False

    def _opened(self, batch: Batch, request: Command) -> tuple[Command, tuple[Happening, ...]]:
        """The command and its events in the clear."""
        opened, first = self.sealer.opened, batch.entries[0].sequence
        happened = [
            opened(each, self.table, sequence, "event") if each.secret else each
            for sequence, each in enumerate(batch.happened, first)
        ]
        if type(request) in SEALED:
            request = opened(request, self.table, first, "command")
        return request, tuple(happened)

    def _decided(
        self, batch: Batch, request: Command, happened: tuple[Happening, ...]
    ) -> list[Moved]:
        """Only the seed of the next promise cannot be known; it is taken from what stands there,
        and the promise must be of that seed."""
        answer = self._answer(request, happened)
        kept, moved = self._folded(answer)
        records = tuple(due(kept.shuffles, kept.table, lambda _: _seed(happened)))
        expected = (*answer, *records)
        if happened == expected:
            self._kept = fold(records, kept)
            moved += [()] * len(records)
        else:
            self._differ(batch, expected, happened)
            self._kept, moved = self._folded(happened)
        return moved

    def _answer(self, request: Command, happened: tuple[Happening, ...]) -> tuple[Happening, ...]:
        """What the keeper must have answered."""
        if isinstance(request, OpenTable):
            opened = TableOpened(self.table, request.house, request.inventory)
            if request.physical:
                return (opened,)
            return (opened, promise(self.table, 1, lambda _: _seed(happened)))
        assert self._kept, "the table is not open"
        answer = judge(self._kept, request)
        if isinstance(answer, at_table.Refused):
            raise ValueError(f"the table refuses it: {answer}")
        return answer

    def _differ(
        self, batch: Batch, expected: Sequence[Happening], happened: Sequence[Happening]
    ) -> None:
        for at, entry in enumerate(batch.entries):
            if at >= len(expected):
                self.wrong.add(entry.sequence, "By the rules nothing more happens here.")
            elif expected[at] != happened[at]:
                self.wrong.add(entry.sequence, _otherwise(expected[at], happened[at]))
        for missing in expected[len(happened) :]:
            what = type(missing).__name__
            self.wrong.add(batch.entries[-1].sequence, f"By the rules {what} comes next.")

    def _folded(self, happened: tuple[Happening, ...]) -> tuple[Kept, list[Moved]]:
        """The state these lead to, and what each of them moves."""
        kept, moved = self._kept, []
        for each in happened:
            moved.append(transfers(kept.table if kept else None, each))
            kept = evolve(kept, each)
        assert kept
        return kept, moved

    # --- snapshots ----------------------------------------------------------------------------

    def _compare(self, taken: Snapshot, entry: Entry) -> None:
        if taken.hash != entry.hash:
            self.wrong.add(entry.sequence, "A snapshot was taken of another entry.")
            return
        try:
            kept = snapshot.opened(self.sealer, taken)
        except Refused as altered:
            if not self.locked:
                self.wrong.add(entry.sequence, f"The snapshot: {altered}")
            return
        if kept is None:
            return  # of older declarations; nobody reads it any more
        self.snapshots += 1
        if self._kept is None:
            self._kept = kept
            self.money.carry_on(standing(kept.table))
        elif kept != self._kept:
            self.wrong.add(entry.sequence, "The snapshot is not the table as it was.")


def _seed(happened: Sequence[Happening]) -> bytes:
    seeds = [each.seed for each in happened if isinstance(each, ShuffleCommitted)]
    return bytes.fromhex(seeds[-1]) if seeds else NO_SEED


def _otherwise(expected: Happening, found: Happening) -> str:
    """What differs, without telling a secret."""
    kind = type(expected).__name__
    if type(found) is not type(expected):
        return f"By the rules this is {kind}, not {type(found).__name__}."
    for name in expected.__struct_fields__:
        ours, theirs = getattr(expected, name), getattr(found, name)
        if ours != theirs:
            if name in expected.secret:
                return f"By the rules {name} of {kind} is another."
            return f"By the rules {name} of {kind} is {ours!r}, not {theirs!r}."
    return f"By the rules {kind} is another."
