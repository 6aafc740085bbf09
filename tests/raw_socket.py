"""Clients that speak HTTP and WebSocket byte by byte, to do what no library would."""

from __future__ import annotations

import json
import socket
import ssl
import time
from collections.abc import Callable
from typing import Any

from room_driver import PATIENCE, Player, Running
from websockets.frames import Frame, Opcode

KEY = "dGhlIHNhbXBsZSBub25jZQ=="


def raw(running: Running, receive_buffer: int = 0) -> socket.socket:
    host, _, port = running.at.rpartition(":")
    made = socket.socket()
    if receive_buffer:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    made.settimeout(PATIENCE)
    made.connect((host, int(port)))
    return made


def ask(running: Running, request: str) -> bytes:
    """Everything that comes back until the server closes the connection."""
    with raw(running) as line:
        line.sendall(request.replace("\n", "\r\n").encode("latin-1"))
        return everything(line)


def everything(line: socket.socket) -> bytes:
    found = b""
    try:
        while more := line.recv(65_536):
            found += more
    except (ConnectionResetError, ssl.SSLError):
        pass
    return found


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


def is_closed(line: socket.socket) -> bool:
    """Whether the server has closed it; what it sent before is thrown away."""
    line.setblocking(False)
    try:
        while line.recv(65_536):
            pass
        return True
    except BlockingIOError:
        return False
    except OSError:
        return True
    finally:
        line.settimeout(PATIENCE)


class RawSocket:
    """A WebSocket without a library: it reads only when told to."""

    def __init__(self, running: Running, receive_buffer: int = 0, **headers: str) -> None:
        self.line = raw(running, receive_buffer)
        usual = {
            "Host": running.at,
            "Origin": running.origin,
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Key": KEY,
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Protocol": "croupier.1",
        }
        lines = [f"{name}: {value}" for name, value in {**usual, **headers}.items()]
        self.line.sendall("\r\n".join(["GET /ws HTTP/1.1", *lines, "", ""]).encode())
        self.answer = self.line.recv(4096)

    def hello(self, player: Player) -> RawSocket:
        self.say("hello", ticket=player.ticket())
        return self

    def say(self, type: str, **fields: Any) -> None:
        self.send(Opcode.TEXT, json.dumps({"type": type, **fields}).encode())

    def send(self, opcode: Opcode, data: bytes, *, fin: bool = True) -> None:
        self.line.sendall(Frame(opcode, data, fin).serialize(mask=True))

    def close(self) -> None:
        self.line.close()


def eventually(true: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + 3 * PATIENCE
    while not true():
        assert time.monotonic() < deadline, what
        time.sleep(0.02)
