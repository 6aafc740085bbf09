"""Refusals as the ledger keeps them: few, chained, and without what the sender wrote.

A row holds the code and the clause, the command's name and fingerprint, and who asked. Each row
carries the hash of the one before it at the table, and checkpoints sign the last one, so that rows
cannot be deleted, altered or given to somebody else unseen.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from hashlib import sha256

from msgspec.structs import astuple, replace

from croupier.ledger.chain import RefusalHead
from croupier.ledger.entry import canonical
from croupier.ledger.store import Remembered, Store
from croupier.rules.refusals import Refusal

AT_ONCE = 30  # refusals of one actor at one table that are kept at once
SECONDS_EACH = 10  # after which one more is kept
MOST_ACTORS = 1_000  # counted one by one at a table; all others are counted together
MOST_WAITING = 100  # refusals that wait for the next commit


def refusal_digest(refusal: Remembered) -> str:
    """SHA-256 over the canonical JSON of every field but the hash."""
    content = dict(zip(refusal.__struct_fields__[:-1], astuple(refusal)[:-1], strict=True))
    return sha256(canonical(content)).hexdigest()


def after(head: RefusalHead, refusal: Remembered) -> Remembered:
    """The refusal as the next row of the chain."""
    row = replace(refusal, number=head.number + 1, previous=head.hash, hash="")
    return replace(row, hash=refusal_digest(row))


class Waiting:
    """The refusals of one keeper that are not written yet, and the end of the stored chain as far
    as the keeper knows it. Another process may have written more: then the store fences."""

    def __init__(self) -> None:
        self.head = RefusalHead()
        self._rows: dict[str, Remembered] = {}
        self._quota = Quota()
        self._omitted = 0

    def __contains__(self, command_id: str) -> bool:
        return command_id in self._rows

    def get(self, command_id: str) -> Remembered | None:
        return self._rows.get(command_id)

    def admits(self, actor: str, now: datetime) -> bool:
        """Whether one more refusal of this actor is to be kept; if not, it is counted."""
        if len(self._rows) < MOST_WAITING and self._quota.take(actor, now):
            return True
        self._omitted += 1
        return False

    def add(self, refusal: Remembered) -> None:
        self._rows[refusal.command_id] = replace(refusal, omitted=self._omitted)
        self._omitted = 0

    def rows(self) -> tuple[Remembered, ...]:
        """Those that wait, chained behind the head."""
        if not self._rows:
            return ()
        return tuple(self._chained())

    def _chained(self) -> Iterator[Remembered]:
        head = self.head
        for each in self._rows.values():
            row = after(head, each)
            head = RefusalHead(row.number, row.hash)
            yield row

    def written(self, rows: tuple[Remembered, ...]) -> None:
        for row in rows:
            self._rows.pop(row.command_id, None)
            self.head = RefusalHead(row.number, row.hash)

    def look(self, store: Store, table: str) -> None:
        """Read where the stored chain stands. What another process wrote waits no more."""
        self.head = store.last_refusal(table)
        for command_id in list(self._rows):
            if isinstance(store.find(table, command_id), Remembered):
                del self._rows[command_id]


class Quota:
    """A token bucket for each actor, so that a flood of refusals does not fill the disk."""

    def __init__(self) -> None:
        self._buckets: dict[str, tuple[float, float]] = {}  # tokens, and when they were counted

    def take(self, actor: str, now: datetime) -> bool:
        moment = now.timestamp()
        if actor not in self._buckets and len(self._buckets) >= MOST_ACTORS:
            self._forget(moment)
        if actor not in self._buckets and len(self._buckets) >= MOST_ACTORS:
            actor = ""  # the bucket of everybody else
        tokens = self._tokens(actor, moment)
        if tokens < 1:
            return False
        self._buckets[actor] = (tokens - 1, moment)
        return True

    def _tokens(self, actor: str, moment: float) -> float:
        tokens, counted = self._buckets.get(actor, (float(AT_ONCE), moment))
        passed = max(0.0, moment - counted)  # the clock may be put back
        return min(float(AT_ONCE), tokens + passed / SECONDS_EACH)

    def _forget(self, moment: float) -> None:
        """A full bucket is as good as none."""
        full = [each for each in self._buckets if self._tokens(each, moment) >= AT_ONCE]
        for each in full:
            del self._buckets[each]


def sentence_of(refusal: Remembered) -> str:
    """What a repeated command is told. Rows of older stores hold the first answer's sentence."""
    return refusal.sentence or SENTENCES.get(refusal.code, OTHERWISE)


OTHERWISE = "The table refused this command."
SENTENCES: dict[str, str] = {
    Refusal.TABLE_IS_CLOSED: "This table is closed.",
    Refusal.OUT_OF_BOUNDS: "The number is larger than this command allows.",
    Refusal.TOO_MANY_CHIPS: "The chips on this layout would exceed what a table can hold.",
    Refusal.TABLE_IS_FULL: "The wagers of this round would exceed what a table can hold.",
    Refusal.PLAYERS_ARE_SEATED: "A table with seated players is not closed.",
    Refusal.NOT_THIS_ROLE: "This command is for somebody with another role.",
    Refusal.NO_SUCH_SEAT: "There is no such seat at this table.",
    Refusal.NOT_YOUR_SEAT: "This is not your seat.",
    Refusal.SEAT_IS_TAKEN: "The seat is taken.",
    Refusal.ONE_POSITION_EACH: "Each player plays one position here.",
    Refusal.POSITIONS_MUST_BE_ADJACENT: "A player's positions must be next to each other.",
    Refusal.MUST_REMAIN_SEATED: "A player with a wager in play stays seated.",
    Refusal.ONLY_SEATED_PLAYERS_WAGER: "Only seated players wager.",
    Refusal.NOT_ENOUGH_CHIPS: "There were not enough chips for this.",
    Refusal.AMOUNT_MUST_BE_POSITIVE: "The amount must be above zero.",
    Refusal.NO_SUCH_DECK: "There is no such deck at this table.",
    Refusal.DECK_ALREADY_HERE: "The deck is at the table already.",
    Refusal.BACKS_MUST_DIFFER: "The backs of the two decks must differ.",
    Refusal.PRESHUFFLED_NOT_ALLOWED: "Pre-shuffled decks are not allowed here.",
    Refusal.DECK_NOT_AT_THIS_STEP: "The deck was not at this step.",
    Refusal.NO_PLAYER_HAS_ARRIVED: "No player had arrived.",
    Refusal.NOT_A_PERMUTATION: "The order must hold each card of the deck once.",
    Refusal.NOT_THIS_SHUFFLING: "The cards are not shuffled in this way here.",
    Refusal.DEVICE_NOT_HERE: "The device is not at this table.",
    Refusal.DEVICE_MUST_BE_REMOVED_FIRST: "The device must be removed first.",
    Refusal.CUT_AT_LEAST_TEN: "A cut takes at least ten cards from either end.",
    Refusal.NOTHING_TO_RECUT: "There was no cut to repeat.",
    Refusal.TABLE_IS_NOT_IDLE: "This can be done only between rounds.",
    Refusal.DECK_MUST_BE_READY: "A deck must be ready first.",
    Refusal.DECKS_MUST_ALTERNATE: "The two decks are used in turn.",
    Refusal.OTHER_DECK_MUST_BE_IN_SHUFFLER: "The other deck must be in the shuffler.",
    Refusal.RACK_HOLDS_ANOTHER_DECK: "The discard rack held another deck.",
    Refusal.NO_ROUND: "There was no round in progress.",
    Refusal.ROUND_IN_PROGRESS: "A round was in progress.",
    Refusal.NO_MORE_BETS: "No more bets were accepted.",
    Refusal.BETS_ARE_STILL_OPEN: "Bets were still open.",
    Refusal.NOBODY_HAS_WAGERED: "Nobody had wagered.",
    Refusal.WAGERS_ALREADY_PLACED: "The wagers of this seat were placed already.",
    Refusal.NOT_THIS_STEP: "This was not the step of the round for it.",
    Refusal.NOT_THIS_SEATS_TURN: "It was not this seat's turn.",
    Refusal.NOT_A_CHOICE_HERE: "This choice was not offered here.",
    Refusal.BET_3_MUST_RIDE: "The third bet cannot be withdrawn.",
    Refusal.PICK_THREE_OF_FIVE: "A player picks three of the five cards.",
    Refusal.STUB_COUNT_IS_DUE: "The remaining cards must be counted first.",
    Refusal.COUNT_MUST_MATCH_THE_LIGHTS: "The count must match the lights.",
    Refusal.NO_ACCEPTOR_WAGER: "There is no wager of this kind in the acceptor.",
    Refusal.INVENTORY_NEEDS_A_FILL: "The table's inventory had to be filled first.",
    Refusal.WAGER_UNKNOWN: "This game has no such wager.",
    Refusal.WAGER_NOT_OFFERED: "This wager is not offered at this table.",
    Refusal.WAGER_NEEDS_ANOTHER: "This wager needs another one beside it.",
    Refusal.WAGER_REQUIRED: "A required wager was missing.",
    Refusal.AMOUNT_IS_FIXED: "The amount of this wager is fixed.",
    Refusal.WITHIN_POSTED_LIMITS: "The wager must be within the posted limits.",
    Refusal.WAGERS_MUST_BE_EQUAL: "These wagers must be equal.",
    Refusal.MUST_BE_PAYABLE_EXACTLY: "The wager must be an amount that can be paid exactly.",
    Refusal.MULTIPLE_NOT_ALLOWED: "This multiple is not allowed.",
    Refusal.MATCH_PLAY_NOT_OFFERED: "Match play coupons are not taken here.",
    Refusal.MATCH_PLAY_ON_EVEN_MONEY_ONLY: "A match play coupon goes with an even-money wager.",
    Refusal.MATCH_PLAY_NEEDS_CHIPS: "A match play coupon needs chips of the same value.",
    Refusal.ONE_COUPON_A_ROUND: "Each player uses one coupon a round.",
    Refusal.NOT_AN_IRREGULARITY_NOW: "This irregularity was not possible at this step.",
}
