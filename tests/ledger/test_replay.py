"""A round told again, with the hands the rack gives back, and nothing told before its time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from engine_driver import HOUSES, ONE_DECK, TWO_DECKS, plain_order
from helpers import CARIBBEAN, NJ_UTH
from ledger_driver import at, opened
from msgspec import to_builtins

from croupier.cards.card import DECK, cards, spell
from croupier.law.refused import Refused
from croupier.ledger.ledger import Ledger
from croupier.ledger.reading import reading
from croupier.ledger.replay import Story, only_table, story

HOUSE = {"rulebook": NJ_UTH, **ONE_DECK}


def told(where: str | Path, beside: Path, number: int, table: str = "t1") -> Story:
    ledger = reading(where, beside)
    try:
        return story(ledger, table, number)
    finally:
        ledger.close()


def sentences(round: Story) -> list[str]:
    return [line.sentence for step in round.steps for line in step.lines]


# --- the telling ----------------------------------------------------------------------------


def test_a_round_is_told_from_the_end_of_the_last_one_to_its_own(where: str, beside: Path) -> None:
    ledger = at(where, beside, snapshot_every=30)
    evening = opened(ledger, HOUSE).rounds(3)
    ledger.close()
    rounds = [told(where, beside, number) for number in (1, 2, 3)]
    lines = [line for each in rounds for step in each.steps for line in step.lines]
    assert [line.sequence for line in lines] == list(range(1, evening.keeper.head.sequence + 1))
    for number, each in enumerate(rounds, 1):
        assert (each.over, each.table, each.round) == (True, "t1", number)
        assert f"Round {number} is over." in sentences(each)
        assert f"No more bets. Round {number}, dealt from the red deck." in sentences(each)


def test_steps_have_times_actors_and_clauses(beside: Path, in_file: Ledger) -> None:
    opened(in_file, HOUSE).rounds(1)
    round = told(beside, beside, 1)
    times = [step.time for step in round.steps]
    assert times == sorted(times)
    assert times[0] == "2025-03-14T20:00:02.000000Z"
    assert {"supervisor", "dealer", "player p1"} <= {step.actor for step in round.steps}
    (bets,) = [
        line for step in round.steps for line in step.lines if "No more bets" in line.sentence
    ]
    assert bets.clause == "NJ 19:47-32.7(b)"
    assert bets.seen["event"] == "NoMoreBetsAnnounced"


@pytest.mark.parametrize("name", HOUSES)
def test_hands_are_those_that_lay_on_the_felt(tmp_path: Path, name: str) -> None:
    """Played with the table watched: each hand as it was when it was dealt."""
    path = tmp_path / "evening.db"
    ledger = at(path, path, snapshot_every=25)
    evening = opened(ledger, HOUSES[name]).rounds(1)
    dealt: dict[str, str] = {}

    def watch(_answer: object, table: object) -> None:
        now = evening.table.round
        for position in now.positions if now else ():
            if position.cards:
                dealt[f"seat {position.seat}"] = spell(position.cards)

    evening.keeper.subscribe(watch)
    evening.rounds(1)
    ledger.close()
    hands = told(path, path, 2).hands
    assert {place: hands[place] for place in dealt} == dealt
    assert len(dealt) == 3
    every = [card for place in hands.values() for card in cards(place)]
    assert sorted(every) == list(DECK)


def test_a_round_under_way_shows_no_hand_no_seed_and_no_order(
    beside: Path, in_file: Ledger
) -> None:
    evening = opened(in_file, HOUSE).rounds(1).until("choose")
    round = told(beside, beside, 2)
    assert (round.over, round.hands, round.shuffle) == (False, {}, None)
    assert (round.entries, round.start, round.order) == ([], None, "")
    shuffles = evening.keeper.kept.shuffles
    assert shuffles.promised
    text = json.dumps(to_builtins(round))
    for secret in (
        shuffles.promised.seed,
        *(each.seed for each in shuffles.lying.values()),
        *(spell(position.cards) for position in evening.table.now.positions),
        spell(evening.table.now.dealer),
    ):
        assert secret not in text
    assert "sealed:" not in text


def test_the_next_deck_is_no_part_of_a_finished_round(beside: Path, in_file: Ledger) -> None:
    """With two decks the next is shuffled while this round is played."""
    evening = opened(in_file, {"rulebook": CARIBBEAN, **TWO_DECKS}).rounds(2)
    shuffles = evening.keeper.kept.shuffles
    assert shuffles.promised
    text = json.dumps(to_builtins(told(beside, beside, 2)))
    unrevealed = [shuffles.promised, *shuffles.lying.values()]
    assert len(unrevealed) == 2
    for each in unrevealed:
        assert each.seed not in text
        assert each.order() not in text


def test_a_table_of_real_devices_has_hands_and_no_shuffle(beside: Path, in_file: Ledger) -> None:
    evening = opened(in_file, HOUSE, physical=True)
    evening.dealer.shuffle = lambda cards: plain_order(evening.rng)
    evening.dealer.cut = lambda: 20
    evening.rounds(1)
    round = told(beside, beside, 1)
    assert round.shuffle is None
    assert {"seat 1", "seat 2", "seat 4", "dealer", "community"} <= round.hands.keys()
    assert sorted(round.order.split()) == sorted(spell(DECK).split())


@pytest.mark.parametrize(
    ("number", "sentence"), [(0, "numbered from 1"), (-1, "numbered from 1"), (9, "come to round")]
)
def test_a_round_that_was_not_played_is_refused(
    beside: Path, in_file: Ledger, number: int, sentence: str
) -> None:
    opened(in_file, HOUSE).rounds(1)
    with pytest.raises(Refused, match=sentence):
        told(beside, beside, number)


def test_which_table_must_be_said_where_there_are_several(beside: Path, in_file: Ledger) -> None:
    opened(in_file, HOUSE)
    ledger = reading(beside)
    assert only_table(ledger) == "t1"
    with pytest.raises(Refused, match="no table t2"):
        only_table(ledger, "t2")
    ledger.close()
    opened(in_file, HOUSE, name="t2")
    ledger = reading(beside)
    assert only_table(ledger, "t2") == "t2"
    with pytest.raises(Refused, match="This ledger has t1, t2"):
        only_table(ledger)
    ledger.close()
