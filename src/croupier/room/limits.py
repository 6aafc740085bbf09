"""Every limit a client can run into. docs/LIMITS.md says what happens at each of them.

The defaults are far above what a person with a browser needs. Limits are counted by each process.
"""

from __future__ import annotations

from msgspec import Struct

from croupier.room.door.buckets import Rate

KIB = 1024


class Limits(Struct, frozen=True):
    # HTTP requests
    address: Rate = Rate(50, 400)  # requests per address; a page is some dozens of files
    session: Rate = Rate(20, 100)  # API requests per session
    costly: Rate = Rate(0.2, 20)  # log-ins and new guests per address
    too_fast_seconds: float = 1  # delay of the answer to a request above its rate
    body_bytes: int = 64 * KIB
    body_seconds: float = 10

    # TCP connections
    connections_address: int = 200
    connections: int = 6_000  # of the process; always below its number of open files
    header_seconds: float = 10  # to send a request's headers, or to finish the TLS handshake
    keep_alive_seconds: int = 5  # an idle connection between two requests
    stalled_seconds: float = 15  # a client that reads nothing of what was written
    ping_seconds: float = 20  # between WebSocket pings, and for the answer to each
    control_frames: Rate = Rate(5, 50)  # WebSocket pings and pongs from a client
    fragments: int = 64  # frames of one WebSocket message

    # WebSockets
    sockets_session: int = 16
    sockets_address: int = 100
    sockets: int = 5_000  # of the process
    hello_seconds: float = 5
    watched_player: int = 20  # tables watched over one socket
    watched_staff: int = 500
    messages_player: Rate = Rate(20, 200)  # tokens per session; COSTS has the prices
    messages_staff: Rate = Rate(100, 2_000)
    delayed_seconds: float = 30  # of delay without a pause end the socket
    replays: Rate = Rate(10, 150)  # missed moments per session; above it, the current state
    replay_moments: int = 64  # at most in one replay; a round at a full table has up to 51
    replay_bytes: int = 256 * KIB
    queued_socket: int = 512 * KIB  # bytes waiting for a client that reads slowly
    queued_room: int = 64 * KIB * KIB  # the same, of all sockets of the process

    # tables
    tables_address: int = 10  # that players have open, by the address they opened them from

    # the log
    log_bytes: int = 2 * KIB  # of a line, without the traceback
    log_traceback: int = 6 * KIB  # the end of it is kept
    log_kind: Rate = Rate(1, 20)  # lines of one kind about one address
    log_all: Rate = Rate(20, 200)  # lines of one level

    def messages(self, staff: bool) -> Rate:
        return self.messages_staff if staff else self.messages_player

    def watched(self, staff: bool) -> int:
        return self.watched_staff if staff else self.watched_player


# Tokens that a message takes, by its type.
COSTS = {"ping": 1, "ready": 1, "unwatch": 1, "pause": 2, "resume": 2, "command": 2}
COSTS |= {"watch": 4, "preview": 4, "act": 2}
