"""Every event has a sentence, and these few scripts make every event happen."""

from __future__ import annotations

from functools import cache
from typing import get_args

import pytest
from scenario import CARIBBEAN, MA_UTH, PIK_IT, RIDE, dealt_by, play

from croupier.table import events as e
from croupier.table.narrate import sentence

SCRIPTS = {
    "opening, idle, devices": (
        RIDE,
        f"""
        {dealt_by(RIDE, "automated shoe")}
        seats 1
        load red
        jam shuffler
        bets 10 10 10
        take back
        spread red face down
        face up red
        remove shoe
        remove red
        method automated / manual shoe
        install shoe
        fill 1000
        buy 50
        stand
        close
        """,
    ),
    "a round by hand": (
        RIDE,
        """
        bets 10 10 10, let it ride bonus 1
        cut 20
        recut
        deal Td 4c 9h / 2s Ts 2h
        withdraw
        ride
        auto
        """,
    ),
    "caribbean stud": (
        CARIBBEAN,
        f"""
        {dealt_by(CARIBBEAN, "automated shoe")}
        bets 10, progressive 1
        deal
        report wrong number dealer 4
        bet
        auto
        """,
    ),
    "pik-it": (
        PIK_IT,
        f"""
        {dealt_by(PIK_IT, "automated shoe")}
        set dealer_stack = 2
        bets 10 10, 3 card bonus 5
        pick 1 2 3
        play 3
        auto
        """,
    ),
    "cover all": (
        MA_UTH,
        """
        seats 2
        1: bets 10 10, cover all 5
        2: bets 10 10, trips 5
        deal Ah 2h / Kc Kd / Qs Qd / 5h 6h 7c 8d Kh
        report face-up after 20
        all: play 4x
        auto
        all: bets 10 10
        report drawn in error -> refused
        deal
        report wrong number seat 2 3
        1: check
        1: check
        1: fold
        auto
        """,
    ),
    "all hands void": (
        MA_UTH,
        """
        seats 2
        all: bets 10 10, trips 5
        all: check
        all: check
        1: fold
        report exposed
        auto
        """,
    ),
}


@cache
def everything() -> tuple[e.Event, ...]:
    return tuple(event for book, text in SCRIPTS.values() for event in play(book, text).events)


KINDS = get_args(e.AnyEvent)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_kind_of_event_happens_and_is_told_in_one_sentence(kind: type[e.Event]) -> None:
    told = [sentence(event) for event in everything() if type(event) is kind]
    assert told, f"no script makes {kind.__name__} happen"
    for words in told:
        assert words[0].isupper() or words[0].isdigit() or words.startswith("player ")
        assert words.endswith((".", "!"))
        assert "\n" not in words
        assert "None" not in words


def test_no_event_is_missing_from_the_list() -> None:
    declared = {
        kind
        for kind in vars(e).values()
        if isinstance(kind, type) and issubclass(kind, e.Event) and kind is not e.Event
    }
    assert declared == set(KINDS)


def test_a_sentence_gives_no_face_down_card_away() -> None:
    """What is burned or shuffled stays unseen; what is shown is named."""
    played = play("uth", "bets 10 10\ndeal As Ks / Qh Qd / 2c 3c 4c 5c 6c / 7d 8d\ncheck\nburn")
    told = " ".join(sentence(event) for event in played.events)
    for card in ("A♠", "K♠", "Q♥", "7♦", "2♣"):
        assert card not in told
