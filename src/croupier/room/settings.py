"""How a room is run: where its data lies, who may connect, and how fast it plays."""

from __future__ import annotations

import os
import socket
from ipaddress import ip_network
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from croupier.law.refused import Refused
from croupier.ledger.ledger import POSTGRES, SQLITE
from croupier.ledger.outside import private_folder
from croupier.ledger.place import FILE
from croupier.room.reach import hosts, is_host, origin, read_origin

DATA = Path("croupier-data")


class Settings(Struct, frozen=True):
    data: Path = DATA
    store: str = ""  # of the ledger; a SQLite file in the data directory if left out
    host: str = "127.0.0.1"
    port: int = 8700
    metrics_port: int = 0  # none
    processes: int = 1
    origins: tuple[str, ...] = ()  # allowed beside the room's own
    proxies: tuple[str, ...] = ()  # whose word on addresses is taken
    tls_cert: Path | None = None
    tls_key: Path | None = None
    tls_local: bool = False  # with a certificate made here
    betting_seconds: int = 20
    decision_seconds: int = 45  # while others wait; 0: no clock
    absent_seconds: int = 120  # that a player who went away is waited for; 0: for ever
    log_level: str = "warning"
    witnesses: tuple[str, ...] = ()  # files and addresses that are sent every checkpoint too
    witness_for: tuple[str, ...] = ()  # whose checkpoints this room keeps: NAME=PUBLIC KEY

    @property
    def where(self) -> str:
        return self.store or str(self.data / FILE)

    @property
    def tls(self) -> bool:
        return self.tls_local or self.tls_cert is not None

    @property
    def scheme(self) -> str:
        return "https" if self.tls else "http"

    @property
    def trusted(self) -> list[str]:
        """The proxies, also as a socket that listens on IPv6 writes IPv4 addresses."""
        found = [ip_network(each, strict=False) for each in self.proxies]
        mapped = [
            f"::ffff:{each.network_address}/{each.prefixlen + 96}"
            for each in found
            if each.version == 4
        ]
        return [*map(str, found), *mapped]

    def make_data(self) -> None:
        """The directory, for its owner alone."""
        try:
            private_folder(self.data)
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
        own = (origin(host, self.port, self.scheme) for host in hosts(self.host))
        return (*own, *self.origins)

    def checked(self) -> Settings:
        """These settings with every option verified, before anything is started."""
        self._check_host()
        self._check_store()
        self._check_files()
        if self.metrics_port and self.metrics_port == self.port:
            raise Refused("--metrics-port and --port are the same: give each its own.")
        return replace(
            self,
            origins=tuple(dict.fromkeys(map(read_origin, self.origins))),
            proxies=tuple(map(_network, self.proxies)),
        )

    def _check_host(self) -> None:
        """Whether one can listen there is seen when it is tried."""
        if not is_host(self.host):
            raise Refused(f"--host {self.host!r} is no address of a machine.")
        try:
            socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            raise Refused(f"--host {self.host!r} is not known to this machine.") from None

    def _check_store(self) -> None:
        if self.store.startswith(POSTGRES):
            if self.processes > 1:
                raise Refused(
                    "In PostgreSQL a room has as many processes as are started, each at a port of "
                    "its own; --processes is for a SQLite file."
                )
            return
        file = self.store.removeprefix(SQLITE)
        if "://" in file or (self.store and not file):
            raise Refused("--store is the path of a SQLite file, or postgresql://...")
        if self.store and Path(file).is_dir():
            raise Refused(f"--store {file} is a directory, not a file.")
        if self.store and not Path(file).absolute().parent.is_dir():
            raise Refused(f"--store {file} is in a directory that does not exist.")

    def _check_files(self) -> None:
        if self.data.exists() and not self.data.is_dir():
            raise Refused(f"--data {self.data} is not a directory.")
        if self.data.exists() and not os.access(self.data, os.W_OK | os.X_OK):
            raise Refused(f"--data {self.data} cannot be written to.")
        if (self.tls_cert is None) != (self.tls_key is None):
            raise Refused("--tls-cert and --tls-key are given together.")
        if self.tls_local and self.tls_cert:
            raise Refused("--tls-local makes a certificate: leave out --tls-cert and --tls-key.")


def _network(text: str) -> str:
    try:
        return str(ip_network(text, strict=False))
    except ValueError:
        raise Refused(
            f"--proxy {text!r} is no address or network, such as 10.0.0.5 or 10.0.0.0/24."
        ) from None
