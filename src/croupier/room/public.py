"""What may be told to a client. Sentences from the store can hold paths or SQL: they are logged."""

from __future__ import annotations

import logging
import re

from croupier.law.refused import Refused
from croupier.ledger.store import StoreTrouble

BROKEN = "Something went wrong in the room, and it was logged. Look at the table before you go on."
_INTERNAL = re.compile(
    r"(?:/[A-Za-z_.~][\w.~-]*){2,}"  # a path
    r"|\b[A-Za-z]:\\"
    r"|\.(?:py|db|sqlite3?|keys)\b"
    r"|Traceback|sqlite|psycopg|postgresql://"
    r"|\b(?:SELECT|INSERT|UPDATE|DELETE)\b [\w*(]"
    r"|database|disk I/O",
)

log = logging.getLogger("croupier.room")


def sentence_of(refused: Refused) -> str:
    """The sentence of a refusal, unless it tells about the machine."""
    if isinstance(refused, StoreTrouble):  # it says in plain words what happened
        return refused.sentence
    if _INTERNAL.search(refused.sentence):
        # A client's own words can cause this line. It names no address, so that all clients share
        # one allowance of the log: however many they are, they hide no other error.
        log.error("not told to a client: %s", refused.sentence)
        return BROKEN
    return refused.sentence
