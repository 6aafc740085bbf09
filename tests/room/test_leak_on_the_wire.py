"""Whatever is sent to somebody holds no card, no order and no seed that person may not know.

The oracle is not the table's view: it is the cards that public events have turned up in this
round, and a player's own hand where the rules let a player look.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from room_driver import Player, Running, play_together, running

from croupier.ledger.keeper import Answer
from croupier.ledger.records import ShuffleCommitted, ShuffleRevealed
from croupier.room.door.roles import Role
from croupier.table import events as e
from croupier.table.state import Table

CARD = re.compile(r"[2-9TJQKA][shdc]")
PRETTY = re.compile(r"(10|[2-9TJQKA])([♠♥♦♣])")
SUITS = dict(zip("♠♥♦♣", "shdc", strict=True))
TURNS = (
    e.UpCardExposed,
    e.CommunityDealt,
    e.CommunityRevealed,
    e.HandRevealed,
    e.PickedCardsRevealed,
    e.DealerRevealed,
)
ROUNDS = 6


class Known:
    """What each person may know after each version, noted as it is written."""

    def __init__(self, room: Running, table: str) -> None:
        self.turned: set[str] = set()
        self.seeds: set[str] = set()
        self.by_version: dict[int, tuple[set[str], dict[str, set[str]], set[str]]] = {}
        keeper = room.room.host(table).keeper
        promised = keeper.kept.shuffles.promised
        assert promised
        self.seeds.add(promised.seed)
        keeper.subscribe(self.note)
        self.keeper = keeper

    def note(self, answer: Answer, table: Table) -> None:
        for each in answer.events:
            match each:
                case e.NoMoreBetsAnnounced():
                    self.turned = set()
                case ShuffleCommitted():
                    self.seeds = self.seeds | {each.seed}
                case ShuffleRevealed():
                    self.seeds = self.seeds - {each.seed}
            if isinstance(each, TURNS):
                cards = each.card if hasattr(each, "card") else each.cards
                self.turned = self.turned | set(cards.split())
        hands: dict[str, set[str]] = {}
        if table.round and table.house.game.id != "pik-it":
            for position in table.round.positions:
                hands.setdefault(position.player, set()).update(map(str, position.cards))
        version = answer.first + len(answer.events) - 1
        self.by_version[version] = (self.turned, hands, self.seeds)


def strings(thing: Any) -> Iterator[str]:
    match thing:
        case str():
            yield thing
        case dict():
            for key, value in thing.items():
                yield key
                yield from strings(value)
        case list():
            for value in thing:
                yield from strings(value)


def cards_in(frame: str) -> set[str]:
    found = set()
    for text in strings(json.loads(frame)):
        words = text.split()
        if all(map(CARD.fullmatch, words)):
            found.update(words)
        for rank, suit in PRETTY.findall(text):
            found.add(("T" if rank == "10" else rank) + SUITS[suit])
    return found


def leaks(frame: str, known: Known, name: str) -> set[str]:
    message = json.loads(frame)
    if message["type"] not in ("happened", "table") or message["version"] not in known.by_version:
        return set()
    turned, hands, seeds = known.by_version[message["version"]]
    return (cards_in(frame) - turned - hands.get(name, set())) | {s for s in seeds if s in frame}


@pytest.mark.parametrize("table", ["uth-1", "uth-2", "caribbean-1", "ride-1", "pikit-1"])
def test_no_frame_holds_what_its_reader_may_not_know(tmp_path: Path, table: str) -> None:
    rng = random.Random(table)
    with running(tmp_path) as room:
        known = Known(room, table)
        players = [room.guest().connect() for _ in range(3)]
        others: list[Player] = [room.guest().connect(), room.staff(Role.SUPERVISOR).connect()]
        for each in (*players, *others):
            each.look(table)
        for seat, player in enumerate(players, 2):
            player.sit(table, seat, 900_00)
        for _ in range(ROUNDS):
            play_together(players, table, rng)
        for each in (*players, *others):
            each.settle(table)
            assert len(each.frames) > 10 * ROUNDS
            assert [leak for f in each.frames for leak in leaks(f, known, each.name)] == []
        if table != "pikit-1":  # the oracle sees: one player's frames would tell another of cards
            for mine, other in ((0, 1), (1, 2), (2, 0)):
                frames = players[mine].frames
                assert any(leaks(frame, known, players[other].name) for frame in frames)
        assert any(cards_in(frame) for frame in others[0].frames)
        for each in (*players, *others):
            each.disconnect()


def test_a_preview_turns_no_card(tmp_path: Path) -> None:
    """What a supervisor would rule is told without the faces that ruling would show."""
    table = "uth-1"
    with running(tmp_path) as room:
        player, boss = room.guest().connect(), room.staff(Role.SUPERVISOR).connect()
        player.look(table)
        boss.look(table)
        player.sit(table, 1)
        player.bet(table)
        player.until_may(table, "Choose")
        for do in (
            {"name": "ReportFaceUpCard", "ahead": 3},
            {"name": "ReportExposedCard"},
            {"name": "ReportCardDrawnInError"},
        ):
            boss.say("preview", id="p", table=table, do=do)
            told = boss.until(lambda heard: heard["type"] == "preview")
            assert cards_in(json.dumps(told)) == set()
            words = json.dumps(told, ensure_ascii=False)
            assert not re.search(r"\b[2-9TJQKA][cdhs]\b|[♣♦♥♠]", words)
            assert told["refused"] or told["events"]
        player.disconnect()
        boss.disconnect()
