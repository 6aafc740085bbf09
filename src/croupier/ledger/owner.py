"""One process of the simulated casino: the ledger opened, its keepers, and the power it runs on."""

from __future__ import annotations

from pathlib import Path

from croupier.ledger.checkpoint import Witness
from croupier.ledger.faulty import FaultyDisk, FaultyStore, Gremlin, Stepped
from croupier.ledger.group import Alone
from croupier.ledger.keeper import Keeper
from croupier.ledger.keys import Keys
from croupier.ledger.ledger import Ledger
from croupier.ledger.outside import Clock

CHECKPOINT_EVERY, SNAPSHOT_EVERY = 5, 60  # entries; often, so that both are met with


class Owner:
    """It believes that all tables are its own. ``grouped``, it commits when told to."""

    def __init__(self, path: Path, gremlin: Gremlin, clock: Clock, *, grouped: bool) -> None:
        self.gremlin = gremlin
        disk, entropy = FaultyDisk(gremlin), gremlin.rng.randbytes
        witness = Witness(path.with_name(f"{path.name}.checkpoints"), disk)
        store = FaultyStore(path, witness, gremlin, clock=clock)
        try:
            keys = Keys(path.with_name(f"{path.name}.keys"), entropy=entropy, disk=disk)
        except BaseException:
            store.close()
            raise
        self.writer = Stepped(store) if grouped else Alone(store)
        self.ledger = Ledger(
            store,
            keys,
            witness,
            writer=self.writer,
            clock=clock,
            entropy=entropy,
            checkpoint_every=CHECKPOINT_EVERY,
            snapshot_every=SNAPSHOT_EVERY,
        )
        self.keepers: dict[str, Keeper] = {}

    def keeper(self, table: str) -> Keeper:
        if table not in self.keepers:
            self.keepers[table] = Keeper.resume(self.ledger, table)
        return self.keepers[table]

    def sync(self) -> None:
        if isinstance(self.writer, Stepped):
            self.writer.sync()

    def die(self) -> None:
        """Whoever waits for this process hears that it is gone."""
        self.gremlin.dead = True
        self.sync()
        self.ledger.store.close()
