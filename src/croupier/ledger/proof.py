"""A stranger's own check of a finished round, from its file alone.

Every check is made, whatever the others say, and has a name and a result. Nothing is claimed that
was not checked: what the file does not hold is "not checked", not "agrees".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
from msgspec import to_builtins

from croupier.law.refused import Refused
from croupier.ledger.chain import Head, flaw
from croupier.ledger.checkpoint import genuine
from croupier.ledger.entry import GENESIS, Entry, canonical
from croupier.ledger.keys import KEY_BYTES, key_id
from croupier.ledger.known_keys import exact_hex, fingerprint, read_keys
from croupier.ledger.proof_cards import DealtAgain, deal_again
from croupier.ledger.proof_result import (
    Check,
    Result,
    agrees,
    check,
    differs,
    missing,
    several,
    unchecked,
)
from croupier.ledger.proof_shuffle import ShuffleChecks
from croupier.ledger.rejudge import PAYMENTS, Difference, Judged, rejudge, seeds_in
from croupier.ledger.replay import (
    OLD_FORMAT,
    Story,
    Told,
    line_of,
    revealed_for,
    shuffle_of,
    steps_of,
    vouched_content,
)
from croupier.ledger.round_start import LABEL, table_at
from croupier.table import events as e

SIGNATURE_BYTES = 64


def prove(told: Story, trusted: Mapping[str, str] | None = None) -> list[Check]:
    """Every check of a finished round, in the order a reader would make them. ``trusted`` are the
    public keys the reader knows, in hexadecimal, each with why: "the key you gave"."""
    if not told.over:
        raise Refused(f"Round {told.round} is not over; its shuffle is not revealed yet.")
    return _Proof(told, trusted or {}).checks()


class _Proof:
    def __init__(self, told: Story, trusted: Mapping[str, str]) -> None:
        self.told = told
        self.trusted = trusted
        self.old = told.format == OLD_FORMAT
        self.public = read_keys(told.keys)
        self.round: list[Entry] = []  # the entries of the round itself
        self.written: Told | None = None  # the shuffle as the entries have it
        self.unreadable = ""
        self._read_entries()
        self.shuffle = ShuffleChecks(told, self.round, self.written)

    def checks(self) -> list[Check]:
        told, dealt = self.told, self._dealt_again()
        judged, shuffle = self._judged(), self.shuffle
        named: list[tuple[str, Callable[[], Check]]] = [
            ("Chain", self._chain),
            ("Signature", self._signature),
            ("Statement", self._statement),
            ("Key", self._key),
            ("Steps", lambda: self._steps(judged)),
            ("Start", self._start),
            ("Promise", shuffle.promise),
            ("Seed", shuffle.seed),
            ("Words", shuffle.words),
            ("Cut", shuffle.cut),
            ("Cards", lambda: self._cards(dealt)),
            ("Hands", lambda: self._hands(dealt)),
            ("Rules", lambda: self._rules(judged, payments=False)),
            ("Payments", lambda: self._rules(judged, payments=True)),
        ]
        found = []
        for name, made in named:
            try:
                found.append(made())
            except (Refused, ArithmeticError, LookupError, TypeError, ValueError) as error:
                why = error.sentence if isinstance(error, Refused) else "it cannot be read"
                found.append(differs(name, f"What is told of round {told.round} is wrong: {why}"))
        return found

    # --- the entries --------------------------------------------------------------------------

    def _read_entries(self) -> None:
        """Find the round among the entries, and its shuffle."""
        told = self.told
        try:
            happened = [entry.happening() for entry in told.entries]
            for entry in told.entries:
                entry.request()
        except msgspec.MsgspecError as error:
            self.unreadable = str(error)
            return
        first = last = 0
        for at, each in enumerate(happened):
            if isinstance(each, e.RoundEnded):
                end = _end_of_batch(told.entries, at)
                if each.number == told.round - 1:
                    first = end + 1
                elif each.number == told.round:
                    last = end
        if told.start and told.entries:
            first = told.start.sequence + 1 - told.entries[0].sequence
        elif self.old and not first and told.steps and told.entries:
            first = told.steps[0].lines[0].sequence - told.entries[0].sequence
        if 0 <= first <= last:
            self.round = told.entries[first : last + 1]
        number = revealed_for(told.round, self.round)
        if number:
            self.written = shuffle_of(number, told.entries[: last + 1])

    def _chain(self) -> Check:
        told = self.told
        if not told.entries:
            return missing(self.told, "Chain", "entries")
        first, last = told.entries[0], told.entries[-1]
        if first.sequence == 1 and first.previous != GENESIS:
            return differs("Chain", "Entry 1 names an entry before it.")
        head = Head(first.sequence - 1, first.previous)
        for entry in told.entries:
            if wrong := flaw(entry, told.table, head):
                return differs("Chain", f"At entry {entry.sequence} {wrong}.")
            if entry.moved and not self.old:
                return differs("Chain", f"Entry {entry.sequence} has money that is not hashed.")
            head = Head.of(entry)
        between = f"Entries {first.sequence} to {last.sequence}"
        return agrees(
            "Chain", f"{between}: each hash is that of its content and of the one before."
        )

    def _signature(self) -> Check:
        told, signed = self.told, self.told.checkpoint
        if signed is None:
            return missing(self.told, "Signature", "signed checkpoint")
        by = f"entry {signed.sequence} with key {signed.key}"
        digits = exact_hex(signed.signature, SIGNATURE_BYTES)
        if digits is None or not genuine(self.public, signed):
            return differs("Signature", f"The signature of {by} is not genuine.")
        last = told.entries[-1] if told.entries else None
        covered = (signed.table, signed.sequence, signed.hash, signed.time)
        if last is None or covered != (told.table, last.sequence, last.hash, last.time):
            return differs("Signature", f"The checkpoint at {by} is not of the last entry here.")
        return agrees("Signature", f"The house signed {by}, the last one here.")

    def _statement(self) -> Check:
        signed = self.told.vouched
        if not (signed.key or signed.signature):
            return unchecked("Statement", "Nobody signed this file as a whole.")
        digits = exact_hex(signed.signature, SIGNATURE_BYTES)
        message = LABEL + canonical(vouched_content(self.told))
        if digits is None or not self.public.verify(signed.key, digits, message):
            return differs("Statement", "The signature of the whole file is not genuine.")
        return agrees("Statement", f"The house signed the whole file with key {signed.key}.")

    def _key(self) -> Check:
        told = self.told
        if not told.keys:
            return missing(self.told, "Key", "public key")
        signers = {told.vouched.key} | ({told.checkpoint.key} if told.checkpoint else set())
        told_of = []
        for key, digits in told.keys.items():
            public = exact_hex(digits, KEY_BYTES)
            if public is None or key_id(public) != key:
                return differs("Key", f"Key {key} is not the one of that name.")
            if key not in signers and not self.old:
                return differs("Key", f"Key {key} signed nothing here.")
            if self.trusted and digits not in self.trusted:
                sentence = f"The file is signed with a key you do not know: {fingerprint(public)}."
                return differs("Key", sentence)
            told_of.append((digits, fingerprint(public)))
        if not self.trusted:
            prints = " and ".join(each for _, each in told_of)
            return unchecked("Key", f"No key was given or pinned. The file's own is {prints}.")
        why = "; ".join(f"{each} is {self.trusted[digits]}" for digits, each in told_of)
        return agrees("Key", f"{why}.")

    # --- what is told -------------------------------------------------------------------------

    def _steps(self, judged: Judged | None) -> Check:
        """All that is told beside the entries is what they say. The sentences are words for
        readers; they differ between versions of the software and are covered by the statement."""
        told = self.told
        if not told.entries:
            return missing(self.told, "Steps", "entries")
        if self.unreadable:
            return differs("Steps", f"An entry cannot be read: {self.unreadable}.")
        if not self.round:
            return differs("Steps", f"The entries of round {told.round} are not here.")
        ours, theirs = _plain_steps(steps_of(self.round)), _plain_steps(told.steps)
        for at in range(max(len(ours), len(theirs))):
            if ours[at : at + 1] != theirs[at : at + 1]:
                where = _where(told, at)
                return differs("Steps", f"The step {where} is not what the entries say.")
        if told.shuffle and self.written and not self.written.promised:
            shuffles: tuple[object, object] = (0, 0)  # the promise is not here; see Promise
        else:
            shuffles = (self.written, told.shuffle)
        if canonical(shuffles[0]) != canonical(shuffles[1]):
            return differs("Steps", "The shuffle is not told as the entries have it.")
        if wrong := self._differs_from_table(judged):
            return differs("Steps", f"{wrong} not as the table stood before the round.")
        return agrees("Steps", f"The {len(theirs)} steps told are what the entries say.")

    def _differs_from_table(self, judged: Judged | None) -> str:
        """Where the entries begin with the opening, the house is in them; else it is stated."""
        told = self.told
        first = told.entries[0].happening()
        if isinstance(first, e.TableOpened) and canonical(first.house) != canonical(told.house):
            return "The house is"
        before = judged.start.table if judged and judged.start else None
        seats = list(before.seats) if before and told.round > 1 else []
        if (before or told.round == 1) and told.seats != seats:
            return "The seats are"
        return "The way of dealing is" if before and told.dealing != before.dealing else ""

    def _start(self) -> Check:
        told = self.told
        if told.entries and told.entries[0].sequence == 1 and told.start is None:
            sentence = (
                "The entries begin with the opening of the table; its state follows from them."
            )
            if told.order:
                return self._on_the_houses_word("The order of the deck, which devices shuffled,")
            return agrees("Start", sentence)
        if told.start is None:
            return missing(self.told, "Start", "state of the table before the round")
        before = self.round[0] if self.round else None
        stands = (before.sequence - 1, before.previous) if before else None
        if stands != (told.start.sequence, told.start.hash):
            return differs("Start", "The table before the round is not of the entry before it.")
        return self._on_the_houses_word("The table as it stood before the round")

    def _on_the_houses_word(self, what: str) -> Check:
        result = self._statement().result
        if result is Result.AGREES:
            return agrees("Start", f"{what} is stated by the house, over its signature.")
        return Check("Start", result, f"{what} is stated by this file alone.")

    # --- the cards ----------------------------------------------------------------------------

    def _dealt_again(self) -> DealtAgain:
        try:
            return deal_again(self.told, self.shuffle.order())
        except (Refused, LookupError, TypeError, ValueError):
            return DealtAgain(possible=False)

    def _cards(self, dealt: DealtAgain) -> Check:
        if not dealt.possible:
            return differs("Cards", "What is told of the round cannot have happened.")
        if dealt.wrong:
            return differs("Cards", f"{several(dealt.wrong)}.")
        deck = "that deck" if self.told.shuffle else "the deck the house states"
        return agrees("Cards", f"{dealt.shown} cards were shown; each lies where {deck} has it.")

    def _hands(self, dealt: DealtAgain) -> Check:
        same = dealt.possible and dealt.hands == self.told.hands
        return check("Hands", same, "The discard rack gives back the hands that are told.")

    # --- the rules ----------------------------------------------------------------------------

    def _judged(self) -> Judged | None:
        """The engine's own answers; None where there is nothing to judge, or not from where."""
        told = self.told
        if self.unreadable or not self.round:
            return None
        try:
            seeds = seeds_in(told.entries)
            if told.start is None:
                if told.entries[0].sequence != 1:
                    return None
                last = self.round[-1].sequence
                return rejudge(told.entries[:last], None, told.round, seeds, told.order)
            kept = table_at(told.start, told.table, told.house, told.round, seeds)
            return rejudge(self.round, kept, told.round, seeds, told.order)
        except (Refused, ArithmeticError, LookupError, TypeError, ValueError):
            return Judged(differences=[])

    def _rules(self, judged: Judged | None, *, payments: bool) -> Check:
        name = "Payments" if payments else "Rules"
        if judged is None:
            if self.unreadable or (self.told.entries and not self.round):
                return differs(name, "The entries of the round are not here to be judged.")
            what = "entries" if not self.told.entries else "state of the table before the round"
            return missing(self.told, name, what)
        found = [*judged.differences, *self._told_otherwise()]
        differences = [each for each in found if each.payment is payments]
        if differences:
            return differs(
                name,
                several([f"At entry {x.sequence} {x.sentence}" for x in differences]) + ".",
            )
        if judged.kept is None:
            return differs(name, "The commands cannot be judged from the table that is stated.")
        if payments:
            return agrees(name, f"{judged.payments} payments and stakes are those the rules give.")
        return agrees(name, f"{judged.commands} commands judged again gave the events told.")

    def _told_otherwise(self) -> list[Difference]:
        """Events that are told in the steps otherwise than the entries, which were judged, have
        them."""
        written = {entry.sequence: entry for entry in self.round}
        found = []
        for step in self.told.steps:
            for line in step.lines:
                entry = written.get(line.sequence)
                if entry and canonical(line.seen) != canonical(line_of(entry).seen):
                    payment = isinstance(entry.happening(), PAYMENTS)
                    sentence = "the steps tell another event than the entries"
                    found.append(Difference(line.sequence, payment, sentence))
        return found


# --- small things ---------------------------------------------------------------------------


def _end_of_batch(entries: list[Entry], at: int) -> int:
    """The last entry of the command that this one belongs to."""
    while at + 1 < len(entries) and not entries[at + 1].command:
        at += 1
    return at


def _plain_steps(steps: Iterable[Any]) -> list[bytes]:
    """Each step without its sentences, in one spelling."""
    plain = to_builtins(list(steps))
    for step in plain:
        for line in step["lines"]:
            del line["sentence"]
    return [canonical(step) for step in plain]


def _where(told: Story, at: int) -> str:
    if at < len(told.steps) and told.steps[at].lines:
        return f"at entry {told.steps[at].lines[0].sequence}"
    return f"number {at + 1}"
