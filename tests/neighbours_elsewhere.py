"""The processes of one room over one SQLite file, each at a port of its own, so that a test can
tell them apart. Run as a script: the data, then a port for each."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from functools import partial
from pathlib import Path

from croupier.room.floor import Room
from croupier.room.processes import Processes
from croupier.room.serve import listening, one_of_several
from croupier.room.settings import Settings


def tell(name: str, room: Room) -> None:
    print(name, os.getpid(), flush=True)


def one(data: Path, ports: list[int], name: str, line: socket.socket, first: bool) -> None:
    settings = Settings(data=data, port=ports[int(name) - 1], processes=len(ports))
    with listening(settings) as at:
        one_of_several(settings, partial(tell, name), at, name, line, True)


if __name__ == "__main__":
    from neighbours_elsewhere import one as elsewhere  # by a name that other processes know

    main = partial(elsewhere, Path(sys.argv[1]), [*map(int, sys.argv[2:])])
    sys.exit(asyncio.run(Processes(len(sys.argv) - 2, main).run()))
