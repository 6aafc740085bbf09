"""A stranger checks a finished round from its file: genuine files pass, altered ones are named."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest
from engine_driver import HOUSES, ONE_DECK, TWO_DECKS, plain_order
from forger import chained, sql
from helpers import CARIBBEAN, NJ_UTH, RIDE
from ledger_driver import KeptEvening, at, happenings, opened
from msgspec import convert, to_builtins
from msgspec.structs import replace

from croupier.law.refused import Refused
from croupier.ledger.chain import Head
from croupier.ledger.checkpoint import signed
from croupier.ledger.entry import GENESIS, Entry, canonical, digest
from croupier.ledger.keys import Keys
from croupier.ledger.ledger import Ledger
from croupier.ledger.proof import prove
from croupier.ledger.proof_result import Check, Result, verdict
from croupier.ledger.reading import reading
from croupier.ledger.records import AddEntropy, ShuffleRevealed
from croupier.ledger.replay import FORMAT, OLD_FORMAT, Story, story, vouched_content
from croupier.ledger.round_file import read_story, story_in
from croupier.ledger.round_start import LABEL
from croupier.table.commands import player
from croupier.table.faults import FaultyDealer, evenly

Data = dict[str, Any]
ALL = (
    *("Chain", "Signature", "Statement", "Key", "Steps", "Start", "Promise", "Seed", "Words"),
    *("Cut", "Cards", "Hands", "Rules", "Payments"),
)


def told(path: Path, number: int, **more: Any) -> Story:
    ledger = reading(path)
    try:
        return story(ledger, "t1", number, **more)
    finally:
        ledger.close()


def trusted(path: Path) -> dict[str, str]:
    keys = Keys(path.with_name(f"{path.name}.keys"))
    return {public.hex(): "ours" for public in keys.public.values()}


def differing(checks: list[Check]) -> set[str]:
    return {check.name for check in checks if check.result is Result.DIFFERS}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two rounds with words of two players in the first shuffle and one in the second."""
    path: Path = tmp_path_factory.mktemp("ledger") / "evening.db"
    ledger = at(path, path)
    evening: KeptEvening = opened(ledger, {"rulebook": RIDE, **ONE_DECK})
    for name in ("p2", "p1"):
        evening.do(AddEntropy(player(name), f"{name} says so"))
    evening.rounds(1)
    evening.do(AddEntropy(player("p4"), "wörds"))
    evening.rounds(2)
    ledger.close()
    return path


@pytest.fixture(scope="module")
def genuine(place: Path) -> bytes:
    return msgspec.json.encode(told(place, 2))


@pytest.fixture
def file(genuine: bytes) -> Data:
    """The second round's file as plain data, to be altered."""
    data: Data = json.loads(genuine)
    return data


def checked(data: Data, keys: dict[str, str]) -> list[Check]:
    return prove(story_in(json.dumps(data).encode()), keys)


# --- genuine files --------------------------------------------------------------------------


def test_every_check_of_a_genuine_file_agrees(place: Path) -> None:
    for number in (1, 2, 3):
        checks = prove(told(place, number), trusted(place))
        assert tuple(check.name for check in checks) == ALL
        assert {check.result for check in checks} == {Result.AGREES}, checks


@pytest.mark.parametrize("name", HOUSES)
def test_unruly_rounds_of_every_house_are_proven(tmp_path: Path, name: str) -> None:
    path = tmp_path / "evening.db"
    ledger = at(path, path, snapshot_every=40)
    opened(ledger, HOUSES[name]).unruly(4)
    rounds = {each.round for each in happenings(ledger) if isinstance(each, ShuffleRevealed)} - {0}
    ledger.close()
    assert len(rounds) == 4
    for number in rounds:
        for whole in (False, True):
            checks = prove(told(path, number, whole=whole), trusted(path))
            assert {check.result for check in checks} == {Result.AGREES}, checks


@pytest.mark.parametrize(
    "name", [name for name in HOUSES if "two decks" in name or "," not in name]
)
def test_rounds_full_of_faults_are_proven(tmp_path: Path, name: str) -> None:
    """Faulty decks, jams, exposed and miscounted cards, wrong counts."""
    path = tmp_path / "evening.db"
    ledger = at(path, path)
    evening = opened(ledger, HOUSES[name])
    rng = random.Random(name)
    evening.dealer = FaultyDealer(evening.dealer, rng, evenly(Fraction(1, 3)))  # type: ignore[assignment]
    evening.rounds(8)
    ledger.close()
    for number in range(1, 9):
        checks = prove(told(path, number), trusted(path))
        assert differing(checks) == set(), checks
        assert {c.name for c in checks if c.result is Result.UNCHECKED} == set()


def test_a_file_from_the_opening_states_nothing(place: Path) -> None:
    whole = told(place, 3, whole=True)
    assert (whole.entries[0].sequence, whole.start) == (1, None)
    start = next(check for check in prove(whole) if check.name == "Start")
    assert "begin with the opening" in start.sentence


def test_a_table_of_real_devices_says_what_was_not_checked(beside: Path, in_file: Ledger) -> None:
    evening = opened(in_file, {"rulebook": NJ_UTH, **ONE_DECK}, physical=True)
    evening.dealer.shuffle = lambda cards: plain_order(evening.rng)
    evening.dealer.cut = lambda: 20
    evening.rounds(2)
    for number in (1, 2):
        checks = prove(told(beside, number), trusted(beside))
        results = {check.name: check.result for check in checks}
        unchecked = {name for name, result in results.items() if result is Result.UNCHECKED}
        assert unchecked == {"Promise", "Seed", "Words", "Cut"}
        assert differing(checks) == set()
        assert verdict(checks) is Result.UNCHECKED
    with pytest.raises(Refused, match="earlier rounds are not revealed"):
        told(beside, 2, whole=True)


def test_a_file_made_without_the_private_key_is_proven_in_part(place: Path, tmp_path: Path) -> None:
    copytree(place.parent, tmp_path, dirs_exist_ok=True)
    path = tmp_path / place.name
    for private in path.with_name(f"{path.name}.keys").glob("signing-*.key"):
        private.unlink()
    checks = prove(told(path, 2), trusted(place))
    assert differing(checks) == set()
    assert {c.name for c in checks if c.result is Result.UNCHECKED} == {"Statement", "Start"}
    whole = prove(told(path, 2, whole=True), trusted(place))
    assert {c.name for c in whole if c.result is Result.UNCHECKED} == {"Statement"}


def test_a_key_that_was_rotated_signs_the_file_and_both_must_be_known(tmp_path: Path) -> None:
    path = tmp_path / "evening.db"
    ledger = at(path, path)
    opened(ledger, {"rulebook": RIDE, **ONE_DECK}).rounds(2)
    old = dict(ledger.keys.public)
    ledger.keys.rotate_signing()
    ledger.close()
    both = told(path, 2)
    assert len(both.keys) == 2
    assert verdict(prove(both, trusted(path))) is Result.AGREES
    assert differing(prove(both, {key.hex(): "old" for key in old.values()})) == {"Key"}


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE entries SET actor = 'Eve' WHERE sequence = 9",  # long before the round
        "UPDATE entries SET moved = '', event = replace(event, '10000', '10001') "
        "WHERE sequence = (SELECT max(sequence) FROM entries WHERE event LIKE '%10000%')",
        "UPDATE checkpoints SET signature = replace(signature, 'a', 'b')",
    ],
)
def test_nobody_gets_a_signature_for_what_they_wrote_into_the_database(
    place: Path, tmp_path: Path, change: str
) -> None:
    """The room signs files for anybody who asks; a broken history it does not sign."""
    copytree(place.parent, tmp_path, dirs_exist_ok=True)
    path = tmp_path / place.name
    sql(path, change)
    for number in (2, 3):
        found = told(path, number)
        assert not found.vouched.key
        assert verdict(prove(found, trusted(place))) is not Result.AGREES


# --- secrets --------------------------------------------------------------------------------


@pytest.mark.parametrize("way", [ONE_DECK, TWO_DECKS])
def test_no_seed_and_no_order_that_is_not_revealed_is_in_the_file(
    beside: Path, in_file: Ledger, way: Data
) -> None:
    evening = opened(in_file, {"rulebook": CARIBBEAN, **way}).rounds(3).until("choose")
    shuffles = evening.keeper.kept.shuffles
    assert shuffles.promised
    unrevealed = [shuffles.promised, *shuffles.lying.values()]
    for number in (1, 2, 3):
        for whole in (False, True):
            text = json.dumps(to_builtins(told(beside, number, whole=whole)))
            for each in unrevealed:
                assert each.seed not in text
                assert each.order() not in text
    from_before = told(beside, 2)
    assert from_before.start
    fields = {"colour", "at", "cut", "shuffle", "entropy", "cuts"}
    assert all(set(to_builtins(deck)) == fields for deck in from_before.start.decks)


# --- altered files --------------------------------------------------------------------------


def step_of(data: Data, kind: str) -> Data:
    """The told line of the first event of this kind."""
    for step in data["steps"]:
        for line in step["lines"]:
            if line["seen"]["event"] == kind:
                found: Data = line
                return found
    raise AssertionError(kind)


def entry_of(data: Data, kind: str) -> Data:
    for entry in data["entries"]:
        if (
            json.loads(entry["event"])["type"] == kind
            and entry["sequence"] > data["start"]["sequence"]
        ):
            found: Data = entry
            return found
    raise AssertionError(kind)


def in_entry(data: Data, kind: str, change: Callable[[Data], None]) -> None:
    entry = entry_of(data, kind)
    event = json.loads(entry["event"])
    change(event)
    entry["event"] = json.dumps(event, separators=(",", ":"))


def fitted(data: Data) -> None:
    """Hashes that fit again, as anybody can compute them."""
    entries = convert(data["entries"], list[Entry])
    last = entries[0].previous
    for at_, entry in enumerate(entries):
        linked = replace(entry, previous=last)
        entries[at_] = replace(linked, hash=digest(linked))
        last = entries[at_].hash
    data["entries"] = to_builtins(entries)


def resigned(data: Data, keys: Keys) -> None:
    """Everything made to fit and signed with this key."""
    fitted(data)
    last = convert(data["entries"][-1], Entry)
    data["start"]["hash"] = next(
        entry["previous"]
        for entry in data["entries"]
        if entry["sequence"] == data["start"]["sequence"] + 1
    )
    data["checkpoint"] = to_builtins(signed(keys, last.table, Head.of(last)))
    data["keys"] = {keys.signing: keys.public[keys.signing].hex()}
    content = vouched_content(convert(data, Story))
    signature = keys.sign(LABEL + canonical(content)).hex()
    data["vouched"] = {"key": keys.signing, "signature": signature}


def pay_more(data: Data) -> None:
    line = step_of(data, "WagerSettled")
    line["seen"]["win"] += 100
    in_entry(data, "WagerSettled", lambda event: event.update(win=event["win"] + 100))


def another_card(data: Data) -> None:
    line = step_of(data, "HandRevealed")
    line["seen"]["cards"] = " ".join(reversed(line["seen"]["cards"].split()))


def swapped_signatures(data: Data) -> None:
    first, second = data["checkpoint"], data["vouched"]
    first["signature"], second["signature"] = second["signature"], first["signature"]


def zeroed(data: Data) -> None:
    data["checkpoint"]["signature"] = "00" * 64


def no_proof(data: Data) -> None:
    data |= {"entries": [], "checkpoint": None, "keys": {}, "start": None, "order": ""}
    data["vouched"] = {"key": "", "signature": ""}


def another_key(data: Data) -> None:
    """The whole file signed anew by somebody else."""
    with TemporaryDirectory() as folder:
        resigned(data, Keys(Path(folder)))


def put(data: Data, *path: Any, value: Any) -> None:
    *way, last = path
    for name in way:
        data = data[name]
    data[last] = value


# Each with the checks that must name it, whatever else does.
TAMPERINGS: dict[str, tuple[Callable[[Data], None], set[str]]] = {
    "a payment in the steps": (
        lambda d: step_of(d, "WagerSettled")["seen"].update(win=9_999_00),
        {"Steps", "Statement", "Payments"},
    ),
    "a payment in an entry": (
        lambda d: in_entry(d, "WagerSettled", lambda event: event.update(win=9_999_00)),
        {"Chain", "Payments", "Steps"},
    ),
    "a payment everywhere": (pay_more, {"Chain", "Payments"}),
    "a payment, with hashes that fit": (
        lambda d: (pay_more(d), fitted(d)),  # type: ignore[func-returns-value]
        {"Signature", "Payments", "Statement"},
    ),
    "a stake in an entry": (
        lambda d: in_entry(d, "WagersPlaced", lambda event: event["wagers"].update({"bet 1": 1})),
        {"Chain", "Rules"},
    ),
    "a result in an entry": (
        lambda d: in_entry(d, "WagerSettled", lambda event: event.update(result="pushed")),
        {"Chain", "Payments"},
    ),
    "a card that was shown": (another_card, {"Steps", "Cards", "Rules"}),
    "a hand": (lambda d: put(d, "hands", "seat 1", value=d["hands"]["seat 2"]), {"Hands"}),
    "a player's name in the steps": (
        lambda d: put(d, "steps", 0, "actor", value="player Eve"),
        {"Steps", "Statement"},
    ),
    "a player's name in an entry": (
        lambda d: put(d, "entries", 3, "actor", value="player Eve"),
        {"Chain"},
    ),
    "a player's name at a seat": (lambda d: put(d, "seats", 0, value="Eve"), {"Steps"}),
    "a time in the steps": (
        lambda d: put(d, "steps", 1, "time", value="2025-03-14T20:00:02.000000Z"),
        {"Steps"},
    ),
    "a time in an entry": (
        lambda d: put(d, "entries", 4, "time", value="2025-03-14T20:00:02.000000Z"),
        {"Chain"},
    ),
    "a sentence": (
        lambda d: put(d, "steps", 2, "lines", 0, "sentence", value="All is well."),
        {"Statement"},
    ),
    "a step removed": (lambda d: d["steps"].pop(3), {"Steps"}),
    "a step added": (lambda d: d["steps"].insert(3, deepcopy(d["steps"][3])), {"Steps"}),
    "an entry removed": (lambda d: d["entries"].pop(5), {"Chain"}),
    "an entry added": (lambda d: d["entries"].insert(5, deepcopy(d["entries"][5])), {"Chain"}),
    "entries reordered": (lambda d: d["entries"].insert(5, d["entries"].pop(6)), {"Chain"}),
    "the last entry cut off": (lambda d: d["entries"].pop(), {"Signature"}),
    "the entries of the round cut off": (
        lambda d: put(d, "entries", value=d["entries"][:5]),
        {"Signature", "Steps", "Rules", "Payments"},
    ),
    "entries of another table": (
        lambda d: [entry.update(table="t2") for entry in d["entries"]],
        {"Chain"},
    ),
    "entries of another table, with hashes that fit": (
        lambda d: ([entry.update(table="t2") for entry in d["entries"]], fitted(d)),  # type: ignore[func-returns-value]
        {"Chain", "Signature"},
    ),
    "another table's name": (lambda d: put(d, "table", value="t2"), {"Chain", "Signature", "Seed"}),
    "another round's number": (lambda d: put(d, "round", value=3), {"Steps"}),
    "a zeroed signature": (zeroed, {"Signature"}),
    "swapped signatures": (swapped_signatures, {"Signature", "Statement"}),
    "a signature in capitals": (
        lambda d: put(d, "checkpoint", "signature", value=d["checkpoint"]["signature"].upper()),
        {"Signature"},
    ),
    "a checkpoint of another entry": (
        lambda d: put(d, "checkpoint", "sequence", value=d["checkpoint"]["sequence"] + 1),
        {"Signature"},
    ),
    "no checkpoint": (lambda d: put(d, "checkpoint", value=None), {"Signature"}),
    "no proof at all": (no_proof, {"Chain", "Signature", "Key", "Steps", "Start", "Rules"}),
    "another key, and everything signed with it": (another_key, {"Key"}),
    "a key under another's name": (
        lambda d: put(d, "keys", next(iter(d["keys"])), value="11" * 32),
        {"Key", "Signature"},
    ),
    "a key that signed nothing": (lambda d: d["keys"].update({"0" * 16: "11" * 32}), {"Key"}),
    "money beside an entry": (
        lambda d: put(d, "entries", 4, "moved", value='[["cage","player:Eve",100]]'),
        {"Chain"},
    ),
    "the seed": (lambda d: put(d, "shuffle", "seed", value="00" * 32), {"Seed", "Cards"}),
    "the commitment": (lambda d: put(d, "shuffle", "commitment", value="00" * 32), {"Seed"}),
    "the words": (lambda d: put(d, "shuffle", "entropy", value=[]), {"Words"}),
    "the cut": (lambda d: put(d, "shuffle", "cuts", 0, value=20), {"Cut"}),
    "the promise": (lambda d: put(d, "shuffle", "promised", value=10**6), {"Promise"}),
    "the shuffle left out": (lambda d: put(d, "shuffle", value=None), {"Promise", "Seed", "Cut"}),
    "chips before the round": (
        lambda d: put(d, "start", "chips", "p1", value=1),
        {"Statement", "Start"},
    ),
    "the meter before the round": (
        lambda d: put(d, "start", "meter", value=1),
        {"Statement", "Start"},
    ),
    "the start at another entry": (
        lambda d: put(d, "start", "sequence", value=d["start"]["sequence"] + 1),
        {"Start", "Steps"},
    ),
    "the start left out": (lambda d: put(d, "start", value=None), {"Start", "Rules", "Payments"}),
    "the house": (lambda d: d["house"].update(name="Another house"), {"Statement"}),
    "the way of dealing": (lambda d: put(d, "dealing", value="hand"), {"Steps", "Statement"}),
}


@pytest.mark.parametrize("name", TAMPERINGS)
def test_a_tampering_is_named(file: Data, place: Path, name: str) -> None:
    alter, named = TAMPERINGS[name]
    alter(file)
    checks = checked(file, trusted(place))
    assert verdict(checks) is Result.DIFFERS
    assert named <= differing(checks), checks


def test_a_payment_is_named_even_if_the_house_itself_signs_it(file: Data, place: Path) -> None:
    """With the house's own key: chain and signatures are genuine, the payment is not lawful."""
    pay_more(file)
    resigned(file, Keys(place.with_name(f"{place.name}.keys")))
    checks = checked(file, trusted(place))
    assert differing(checks) == {"Payments"}
    (payments,) = [check for check in checks if check.name == "Payments"]
    assert "win of WagerSettled is" in payments.sentence


def test_the_forger_of_this_test_is_able(file: Data, place: Path) -> None:
    """Unaltered and signed again it agrees; else the test above would show nothing."""
    resigned(file, Keys(place.with_name(f"{place.name}.keys")))
    assert verdict(checked(file, trusted(place))) is Result.AGREES


def test_a_chain_that_begins_with_nothing_names_nothing_before_it(place: Path) -> None:
    first = told(place, 1)
    assert first.entries[0].previous == GENESIS
    moved = [replace(first.entries[0], previous="1" * 64), *first.entries[1:]]
    altered = replace(first, entries=chained(moved))
    assert "Signature" not in differing(prove(altered, trusted(place)))  # the same as before
    altered = replace(first, entries=moved)
    assert "Chain" in differing(prove(altered, trusted(place)))


# --- every leaf -----------------------------------------------------------------------------


def leaves(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(data, dict):
        for name, value in data.items():
            yield from leaves(value, (*path, name))
    elif isinstance(data, list):
        for at_, value in enumerate(data):
            yield from leaves(value, (*path, at_))
    else:
        yield path


def another(value: Any, rng: random.Random) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return rng.choice((value + 1, value - 1, -value - 1, float(value)))
        case None:
            return rng.choice((0, "", True))
    at_ = rng.randrange(len(value)) if value else 0
    spoiled = value[:at_] + chr(ord(value[at_]) ^ 1) + value[at_ + 1 :] if value else "x"
    return rng.choice((spoiled, value + " ", value.swapcase() if value.swapcase() != value else ""))


@pytest.mark.parametrize("seed", range(4))
def test_any_single_leaf_that_is_changed_is_found(genuine: bytes, place: Path, seed: int) -> None:
    """No leaf is for presentation only: even the sentences are under the house's signature."""
    rng, keys = random.Random(seed), trusted(place)
    plain = json.loads(genuine)
    every = list(leaves(plain))
    assert len(every) > 800
    kinds = {tuple(part for part in path if isinstance(part, str)): path for path in every}
    chosen = {*kinds.values(), *rng.sample(every, 120)}
    for path in sorted(chosen, key=str):
        data = json.loads(genuine)
        *way, last = path
        place_in = data
        for part in way:
            place_in = place_in[part]
        before = place_in[last]
        place_in[last] = another(before, rng)
        if place_in[last] == before and type(place_in[last]) is type(before):
            continue
        try:
            checks = checked(data, keys)
        except Refused:
            continue
        assert verdict(checks) is Result.DIFFERS, (path, before, place_in[last])


# --- files that are none --------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"words",
        b"[]",
        b"{}",
        b'{"format":"croupier round 9"}',
        b"[" * 100_000,
        b'{"format":' * 5_000,
        b"\xff\xfe",
    ],
)
def test_what_is_no_round_is_refused_in_a_sentence(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "round.json").write_bytes(data)
    with pytest.raises(Refused, match="is not a round of play"):
        read_story(tmp_path / "round.json")


def test_a_file_cut_off_anywhere_is_refused(genuine: bytes) -> None:
    for length in range(0, len(genuine), len(genuine) // 40):
        with pytest.raises(Refused, match="is not a round of play"):
            story_in(genuine[:length])


def test_a_file_says_nothing_that_is_not_read(file: Data) -> None:
    for where in (file, file["steps"][0], file["entries"][0], file["start"], file["shuffle"]):
        where["note"] = "dealt as promised"
        with pytest.raises(Refused, match="more or less"):
            story_in(json.dumps(file).encode())
        del where["note"]
    story_in(json.dumps(file).encode())


def test_a_name_that_stands_twice_is_refused(genuine: bytes) -> None:
    twice = genuine[:-1] + b',"round":2}'
    with pytest.raises(Refused, match="stands twice"):
        story_in(twice)


def test_a_round_that_is_not_over_is_refused(file: Data) -> None:
    file["over"] = False
    with pytest.raises(Refused, match="not over"):
        story_in(json.dumps(file).encode())


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("shuffle", "cuts"), [10] * 5_000),
        (("shuffle", "number"), -1),
        (("shuffle", "entropy"), [["p1", "x" * 65]]),
        (("start", "decks", 0, "cuts"), 10**9),
        (("start", "decks", 0, "at"), "nowhere"),
        (("order",), "As As"),
        (("house",), {}),
    ],
)
def test_hostile_values_are_named_and_cost_little(
    file: Data, place: Path, path: tuple[Any, ...], value: Any
) -> None:
    put(file, *path, value=value)
    assert verdict(checked(file, trusted(place))) is Result.DIFFERS


# --- version 1 ------------------------------------------------------------------------------


def version_1(file: Data, *, from_the_room: bool) -> Data:
    for name in ("start", "order", "vouched"):
        del file[name]
    if not from_the_room:
        for name in ("entries", "checkpoint", "keys"):
            del file[name]
    file["format"] = OLD_FORMAT
    return file


def test_a_file_of_version_1_says_what_could_not_be_checked(file: Data, place: Path) -> None:
    assert file["format"] == FORMAT
    checks = checked(version_1(file, from_the_room=False), trusted(place))
    assert differing(checks) == set()
    agreed = {check.name for check in checks if check.result is Result.AGREES}
    assert agreed == {"Seed", "Cut", "Cards", "Hands"}
    assert verdict(checks) is Result.UNCHECKED


def test_a_file_of_version_1_from_the_room_has_a_chain(file: Data, place: Path) -> None:
    old = version_1(file, from_the_room=True)
    checks = checked(old, trusted(place))
    assert differing(checks) == set()
    unchecked = {check.name for check in checks if check.result is Result.UNCHECKED}
    assert unchecked == {"Statement", "Start", "Rules", "Payments"}
    zeroed(old)
    assert differing(checked(old, trusted(place))) == {"Signature"}
