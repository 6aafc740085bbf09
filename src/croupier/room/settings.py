"""How a room is run: where its data lies, who may connect, and how fast it plays."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from croupier.law.refused import Refused
from croupier.ledger.ledger import POSTGRES, SQLITE
from croupier.ledger.place import FILE
from croupier.room.reach import hosts, origin

DATA = Path("croupier-data")


class Settings(Struct, frozen=True):
    data: Path = DATA
    store: str = ""  # of the ledger; a SQLite file in the data directory if left out
    host: str = "127.0.0.1"
    port: int = 8700
    processes: int = 1
    origins: tuple[str, ...] = ()  # allowed beside the room's own
    betting_seconds: int = 20
    decision_seconds: int = 0  # none
    absent_seconds: int = 120  # that a player who went away is waited for; 0: for ever
    log_level: str = "warning"
    witnesses: tuple[str, ...] = ()  # files and addresses that are sent every checkpoint too
    witness_for: tuple[str, ...] = ()  # whose checkpoints this room keeps: NAME=PUBLIC KEY

    @property
    def where(self) -> str:
        return self.store or str(self.data / FILE)

    def make_data(self) -> None:
        """The directory, for its owner alone."""
        try:
            self.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise Refused(
                f"The data directory {self.data} cannot be made: {error.strerror}."
            ) from None

    def file(self, ending: str) -> Path:
        """Beside a ledger that is in a file."""
        return Path(self.where.removeprefix(SQLITE) + ending)

    @property
    def beside(self) -> Path | None:
        """Where the keys lie when the ledger is not in a file."""
        return self.data / FILE if self.where.startswith(POSTGRES) else None

    def allowed(self) -> tuple[str, ...]:
        """The origins a browser may come from; the best for others first."""
        return (*(origin(host, self.port) for host in hosts(self.host)), *self.origins)
