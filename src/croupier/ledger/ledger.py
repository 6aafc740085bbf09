"""A ledger opened: its store, who writes to it, its keys, and what it takes from outside."""

from __future__ import annotations

from pathlib import Path

from croupier.law.refused import Refused
from croupier.ledger.checkpoint import Checkpoint, Witness, genuine
from croupier.ledger.entry import stamp
from croupier.ledger.group import Alone, Group, Writer
from croupier.ledger.keys import Keys
from croupier.ledger.outside import DISK, ENTROPY, Clock, Disk, Entropy, utc
from croupier.ledger.seal import Sealer
from croupier.ledger.second_witness import SecondWitness, target
from croupier.ledger.store import Store

CHECKPOINT_EVERY = 100  # entries; and at the end of each round
SNAPSHOT_EVERY = 2_000  # entries
SQLITE, POSTGRES = "sqlite:///", ("postgresql://", "postgres://")


class Ledger:
    """Everything a keeper needs. ``Ledger.at`` opens one where it lies."""

    def __init__(
        self,
        store: Store,
        keys: Keys,
        witness: Witness | None = None,
        *,
        writer: Writer | None = None,
        clock: Clock = utc,
        entropy: Entropy = ENTROPY,
        checkpoint_every: int = CHECKPOINT_EVERY,
        snapshot_every: int = SNAPSHOT_EVERY,
    ) -> None:
        self.store = store
        self.keys = keys
        self.witness = witness
        self.writer: Writer = writer or Alone(store)
        self.sealer = Sealer(keys, entropy)
        self.clock = clock
        self.entropy = entropy
        self.checkpoint_every = checkpoint_every
        self.snapshot_every = snapshot_every
        self.second_witnesses: list[SecondWitness] = []

    @classmethod
    def at(
        cls,
        where: str | Path,
        *,
        beside: Path | None = None,
        group: bool = False,
        queue: bool = False,
        clock: Clock = utc,
        entropy: Entropy = ENTROPY,
        disk: Disk = DISK,
        checkpoint_every: int = CHECKPOINT_EVERY,
        snapshot_every: int = SNAPSHOT_EVERY,
    ) -> Ledger:
        """Open the ledger in a SQLite file (a path, or ``sqlite:///path``) or in PostgreSQL
        (``postgresql://...``). Keys and checkpoints lie at ``beside`` with ``.keys`` and
        ``.checkpoints`` added: the SQLite file itself unless said otherwise. With ``group``, many
        tables share a sync; with ``queue``, busy processes write to a SQLite file in turn."""
        path, dsn = _where(str(where))
        base = beside or path
        if base is None:
            raise Refused("A ledger in PostgreSQL needs a place on disk for its keys.")
        witness = Witness(base.with_name(f"{base.name}.checkpoints"), disk)
        store = _open(path, dsn, witness, clock, queue)
        try:
            keys = Keys(base.with_name(f"{base.name}.keys"), entropy=entropy, disk=disk)
        except OSError as error:
            store.close()
            raise Refused(f"The keys cannot be read or made: {error}.") from None
        return cls(
            store,
            keys,
            witness,
            writer=Group(store) if group else None,
            clock=clock,
            entropy=entropy,
            checkpoint_every=checkpoint_every,
            snapshot_every=snapshot_every,
        )

    def also_tell(self, where: str) -> SecondWitness:
        """Send every checkpoint to a second witness too: a file, or the address of another room."""
        second = SecondWitness(self.store, target(where))
        if self.witness:
            self.witness.followers.append(second.heard)
        self.second_witnesses.append(second)
        second.start()
        return second

    def made_id(self, who: str) -> str:
        """An id for a command of the house's own. Those of one moment begin alike: the store finds
        them side by side."""
        return f"{who} {stamp(self.clock())} {self.entropy(6).hex()}"

    def witnessed(self, table: str, head: int) -> None:
        """See that the witness knows nothing the store has lost, and tell it what it missed."""
        if self.witness is None:
            return
        last = self.witness.latest(table)
        if last and genuine(self.keys, last) and not self._holds(last):
            raise Refused(
                f"A signed checkpoint of table {table} stands at entry {last.sequence}, but the "
                f"ledger ends at {head}: it was cut off, or an old copy was put back. If that is "
                "accepted, `croupier restore --accept-loss` records it."
            )
        self.store.tell(list(self.store.checkpoints(table, last.sequence if last else 0)))

    def _holds(self, checkpoint: Checkpoint) -> bool:
        entry = self.store.entry(checkpoint.table, checkpoint.sequence)
        return entry is not None and entry.hash == checkpoint.hash

    def close(self) -> None:
        self.writer.close()
        for each in self.second_witnesses:
            each.close()
        self.store.close()


def _where(text: str) -> tuple[Path | None, str]:
    if text.startswith(POSTGRES):
        return None, text
    return Path(text.removeprefix(SQLITE)), ""


def _open(path: Path | None, dsn: str, witness: Witness, clock: Clock, queue: bool) -> Store:
    if path is not None:
        from croupier.ledger.sqlite import SqliteStore

        return SqliteStore(path, witness, clock=clock, queue=queue)
    try:
        from croupier.ledger.postgres import PostgresStore
    except ImportError:
        raise Refused("PostgreSQL needs its driver: pip install 'croupier[postgres]'.") from None
    return PostgresStore(dsn, witness, clock=clock)
