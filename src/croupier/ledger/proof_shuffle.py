"""Was the deck the promised one? The shuffle computed again from seed and words."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.cards.card import Card, read_exact
from croupier.law.refused import Refused
from croupier.ledger import commitment
from croupier.ledger.entry import Entry
from croupier.ledger.generator import SEED_BYTES
from croupier.ledger.known_keys import exact_hex
from croupier.ledger.proof_result import Check, agrees, check, differs, missing, unchecked
from croupier.ledger.replay import Story, Told
from croupier.ledger.round_start import MOST_CUTS
from croupier.ledger.shuffle import cut_depth, deck_order
from croupier.table import events as e


class ShuffleChecks:
    """``round`` are the entries of the round, ``written`` its shuffle as the entries have it."""

    def __init__(self, told: Story, round: Sequence[Entry], written: Told | None) -> None:
        self.told = told
        self.round = round
        self.written = written

    def _by_hand(self, name: str) -> Check | None:
        """Where no shuffle is told: real devices, or a file that hides one."""
        told = self.told
        if told.shuffle:
            if self.round and not self.written:
                return differs(name, "The entries reveal no shuffle for this round.")
            return None
        if self.written:
            return differs(name, "The entries reveal a shuffle that the file leaves out.")
        if not told.order:
            return differs(name, "The file has neither a shuffle nor the order of a deck.")
        return unchecked(
            name, "The cards were shuffled by hands and devices; nothing was promised."
        )

    def promise(self) -> Check:
        if other := self._by_hand("Promise"):
            return other
        told, shuffle, written = self.told, self.told.shuffle, self.written
        assert shuffle
        if not told.entries:
            return missing(self.told, "Promise", "entries")
        if written is None or not written.promised:
            sentence = f"Shuffle {shuffle.number} was promised before the entries in this file."
            return unchecked("Promise", sentence)
        wager = next(
            (x.sequence for x in self.round if isinstance(x.happening(), e.WagersPlaced)), 0
        )
        said = (shuffle.number, shuffle.promised, shuffle.commitment)
        kept = said == (written.number, written.promised, written.commitment)
        sentence = (
            f"Shuffle {shuffle.number} was promised at entry {shuffle.promised}, "
            f"before the first wager of round {told.round} at entry {wager}."
        )
        return check("Promise", kept and 0 < shuffle.promised < wager, sentence)

    def seed(self) -> Check:
        if other := self._by_hand("Seed"):
            return other
        shuffle = self.told.shuffle
        assert shuffle
        seed = exact_hex(shuffle.seed, SEED_BYTES)
        if seed is None:
            return differs("Seed", f"A seed is {2 * SEED_BYTES} lower-case hexadecimal digits.")
        kept = commitment.verify(shuffle.commitment, seed, self.told.table, shuffle.number)
        if self.written and self.written.seed != shuffle.seed:
            return differs("Seed", "The entries reveal another seed.")
        what = f"SHA-256 of seed {shuffle.seed} and the shuffle's name"
        return check("Seed", kept, f"{what} is {shuffle.commitment}.")

    def words(self) -> Check:
        if other := self._by_hand("Words"):
            return other
        shuffle, written = self.told.shuffle, self.written
        assert shuffle
        if not self.told.entries:
            return missing(self.told, "Words", "entries")
        if written is None or not written.promised:
            return unchecked("Words", "What players added stands before the entries in this file.")
        added = ", ".join(f"{player} {words!r}" for player, words in written.entropy) or "nothing"
        same = written.entropy == shuffle.entropy
        return check("Words", same, f"By the entries players added {added}.")

    def cut(self) -> Check:
        if other := self._by_hand("Cut"):
            return other
        shuffle = self.told.shuffle
        assert shuffle
        due = [depth for depth, _ in self._cuts(shuffle)]
        if self.written and self.written.cuts != shuffle.cuts:
            return differs("Cut", f"By the entries {self.written.cuts} cards were lifted.")
        if not due:
            return agrees("Cut", "The deck was not cut; a device shuffled it.")
        words = " and ".join(map(str, due))
        lifted = " and ".join(map(str, shuffle.cuts))
        sentence = f"The seed and the words lift {words} cards; {lifted} were lifted."
        return check("Cut", due == shuffle.cuts, sentence)

    def _cuts(self, shuffle: Told) -> list[tuple[int, int]]:
        """How many cards each cut must lift, and how many it did."""
        if len(shuffle.cuts) > MOST_CUTS:
            raise Refused(f"A deck is not cut {len(shuffle.cuts)} times.")
        seed, words = bytes.fromhex(shuffle.seed), _added(shuffle)
        table, number = self.told.table, shuffle.number
        return [
            (cut_depth(seed, table, number, words, cut=at), lifted)
            for at, lifted in enumerate(shuffle.cuts, 1)
        ]

    def order(self) -> tuple[Card, ...]:
        """The deck as it was dealt."""
        shuffle = self.told.shuffle
        if shuffle is None:
            return read_exact(self.told.order)
        seed = bytes.fromhex(shuffle.seed)
        order = deck_order(seed, self.told.table, shuffle.number, _added(shuffle))
        for _, lifted in self._cuts(shuffle):
            order = order[lifted:] + order[:lifted]
        return order


def _added(shuffle: Told) -> list[bytes]:
    return [words.encode() for _, words in shuffle.entropy]
