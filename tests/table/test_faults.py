"""Whatever goes wrong, the table rules and goes on: thousands of rounds with trouble in them."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from helpers import ALL_BOOKS, MA_UTH, NJ_UTH, PIK_IT, RIDE

from croupier.rules.money import dollars
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.bots import bot_choice, bot_wagers
from croupier.table.dealer import Dealer
from croupier.table.decide import decide
from croupier.table.evolve import evolve
from croupier.table.faults import Fault, FaultyDealer, Rates, evenly
from croupier.table.procedure import Kind, current, turn
from croupier.table.refused import Refused
from croupier.table.state import Table
from croupier.table.view import BACK, view

WAYS: dict[str, dict[str, Any]] = {
    "by hand from a shoe": {"dealing": "manual shoe", "shuffling": "manual", "decks": ["red"]},
    "automated, two decks": {
        "dealing": "automated shoe",
        "shuffling": "automated",
        "decks": ["red", "blue"],
    },
    "from the hand, counting": {"dealing": "hand", "shuffling": "automated", "counting": True},
}
MOST_COMMANDS = 400  # of any round, trouble included


def evening(
    book: str, rates: Rates, rounds: int, seed: int = 1, **house: Any
) -> tuple[Table, list[e.Event]]:
    """Rounds of three bots at a faulty dealer's table, and all that happened."""
    rng = random.Random(seed)
    plain = Dealer(lambda deck: rng.sample(list(deck), len(deck)), lambda: rng.randint(10, 42))
    dealer = FaultyDealer(plain, random.Random(f"{seed} faults"), rates)
    submission = {"rulebook": book, **without_cover_all(book, house)}
    table = evolve(None, e.TableOpened("t1", submission, dollars(100_000)))
    for seat in (1, 2, 3):
        table, _ = done(table, c.SitDown(c.player(f"p{seat}"), seat, dollars(5_000)))
    happened: list[e.Event] = []
    since = 0
    while table.rounds < rounds:
        before = table.rounds
        table, events = done(table, following(table, dealer))
        happened += events
        since = since + 1 if table.rounds == before else 0
        assert since < MOST_COMMANDS, f"round {table.rounds + 1} does not end"
    return table, happened


def without_cover_all(book: str, house: dict[str, Any]) -> dict[str, Any]:
    """Cover All needs the automated shuffler."""
    if book == MA_UTH and house.get("shuffling") == "manual":
        return {**house, "offered": ["trips"]}
    return house


def done(table: Table, command: c.Command) -> tuple[Table, tuple[e.Event, ...]]:
    answer = decide(table, command)
    assert not isinstance(answer, Refused), (command, answer)
    for event in answer:
        table = evolve(table, event)
    assert table.accounts() == 0, command
    return table, answer


def following(table: Table, dealer: FaultyDealer) -> c.Command:
    step = current(table)
    if step is None or step.kind is Kind.BETS:
        for seat in (1, 2, 3):
            if not table.position(seat):
                by = c.player(f"p{seat}")
                wagers = bot_wagers(table, seat)
                if wagers:
                    return c.PlaceWagers(by, seat, wagers)
                return c.BuyChips(by, dollars(5_000))
    if command := dealer.next_command(table, close_bets=True):
        return command
    assert step is not None
    waiting = turn(table, step)
    assert waiting is not None
    return bot_choice(table, waiting.seat, view(table, c.player(waiting.player)))


def kinds(happened: list[e.Event]) -> Counter[str]:
    found = Counter(each.kind for each in happened if isinstance(each, e.IrregularityReported))
    removed = [each.reason for each in happened if isinstance(each, e.DeckRemoved)]
    found["faulty deck"] = sum("inspection" in reason for reason in removed)
    found["shuffler's count"] = sum("shuffler counts" in reason for reason in removed)
    return found


# --- nobody gets stuck ----------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_rounds_with_faults_always_end_and_every_cent_is_accounted_for(book: str, way: str) -> None:
    table, happened = evening(book, evenly(Fraction(1, 5)), 150, **WAYS[way])
    assert table.rounds == 150
    found = kinds(happened)
    for kind in ("card exposed", "card face up", "card drawn in error", "wrong number"):
        assert found[kind] > 0, kind


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 3, 4])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_longer_evenings_with_faults_end_too(book: str, way: str, seed: int) -> None:
    table, _ = evening(book, evenly(Fraction(1, 10)), 400, seed, **WAYS[way])
    assert table.rounds == 400


@pytest.mark.parametrize("book", ALL_BOOKS)
def test_even_when_everything_goes_wrong_in_every_round_the_table_moves_on(book: str) -> None:
    table, happened = evening(book, evenly(Fraction(1)), 40, **WAYS["automated, two decks"])
    assert table.rounds == 40
    assert kinds(happened)["shoe jam"] > 20


@pytest.mark.parametrize("stack", [1, 2])
@pytest.mark.parametrize("alternative", [1, 2])
def test_pik_its_other_ways_of_dealing_and_settling_survive_faults(
    stack: int, alternative: int
) -> None:
    ways = {**WAYS["automated, two decks"], "dealer_stack": stack, "settlement": alternative}
    table, _ = evening(PIK_IT, evenly(Fraction(1, 5)), 100, **ways)
    assert table.rounds == 100


# --- each kind ------------------------------------------------------------------------------

SEEN = {
    Fault.SHUFFLER_JAM: "shuffler jam",
    Fault.SHOE_JAM: "shoe jam",
    Fault.EXPOSED: "card exposed",
    Fault.FACE_UP: "card face up",
    Fault.DRAWN: "card drawn in error",
    Fault.PLAYERS_CARDS: "wrong number",
    Fault.DEALERS_CARDS: "wrong number",
    Fault.STUB_COUNT: "wrong stub count",
    Fault.FAULTY_DECK: "faulty deck",
    Fault.SHUFFLER_COUNT: "shuffler's count",
}


def test_every_kind_of_fault_is_tried_here() -> None:
    assert set(SEEN) == set(Fault)


@pytest.mark.parametrize("fault", Fault)
def test_a_fault_alone_causes_its_own_irregularity_and_no_other(fault: Fault) -> None:
    counting = fault is Fault.SHUFFLER_COUNT
    ways = {**WAYS["automated, two decks"], "counting": counting}
    _, happened = evening(NJ_UTH, {fault: Fraction(1)}, 30, **ways)
    assert {kind for kind, count in kinds(happened).items() if count} == {SEEN[fault]}


def test_without_faults_it_deals_as_the_dealer_it_wraps() -> None:
    _, happened = evening(RIDE, {}, 20)
    assert not any(isinstance(each, e.IrregularityReported) for each in happened)
    _, again = evening(RIDE, {Fault.SHOE_JAM: Fraction(1)}, 20)  # there is no shoe to jam
    assert again == happened


def test_the_same_seed_brings_the_same_trouble() -> None:
    ways = WAYS["automated, two decks"]
    first = evening(MA_UTH, evenly(Fraction(1, 4)), 25, 7, **ways)
    assert evening(MA_UTH, evenly(Fraction(1, 4)), 25, 7, **ways) == first
    assert evening(MA_UTH, evenly(Fraction(1, 4)), 25, 8, **ways) != first


@pytest.mark.parametrize("device", ["shuffler", "shoe"])
def test_the_floor_takes_a_jammed_device_away_and_brings_another(device: str) -> None:
    rates = {Fault(f"{device} jam"): Fraction(1)}
    table, happened = evening(NJ_UTH, rates, 5, **WAYS["automated, two decks"])
    changes = [
        type(each) for each in happened if isinstance(each, e.DeviceRemoved | e.DeviceInstalled)
    ]
    assert changes[:2] == [e.DeviceRemoved, e.DeviceInstalled]
    assert changes.count(e.DeviceRemoved) >= 4
    assert device in table.devices


# --- what is seen while it happens ----------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_the_table_can_be_looked_at_after_every_single_event(book: str, way: str) -> None:
    """Also while a void round is cleared away, card by card; and an up-card stays the card that
    was turned, however many the dealer is found to hold."""
    _, happened = evening(book, evenly(Fraction(1, 3)), 40, **WAYS[way])
    submission = {"rulebook": book, **without_cover_all(book, WAYS[way])}
    table = evolve(None, e.TableOpened("t1", submission, dollars(100_000)))
    for seat in (1, 2, 3):
        table, _ = done(table, c.SitDown(c.player(f"p{seat}"), seat, dollars(5_000)))
    up = ""
    for event in happened:
        table = evolve(table, event)
        seen = view(table, c.player("p1"))["round"]
        if isinstance(event, e.UpCardExposed):
            up = event.card
        if isinstance(event, e.RoundEnded | e.DealerRevealed):
            up = ""
        if up and seen:
            assert [card for card in seen["dealer"] if card != BACK] in ([up], [])
