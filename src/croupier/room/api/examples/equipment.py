"""Decks, dealing and the stub, arranged once for all books: 32.2, 32.7 to 32.9 and their twins."""

from __future__ import annotations

from itertools import groupby

from croupier.law.clause import clause
from croupier.room.api.examples.shown import (
    Runs,
    Shown,
    as_sentence,
    every,
    first,
    just_after,
    listed,
    when_refused,
)
from croupier.table import events as e

STANDARD = {"dealing": "manual shoe", "shuffling": "manual", "decks": ["red"], "offered": []}
BESIDE_A_SHUFFLER = {**STANDARD, "shuffling": "automated"}
TWO = {"decks": ["red", "blue"]}


def _deck(runs: Runs) -> str:
    brought = first(runs[0], e.DeckReceived)
    faces = brought.cards.split()
    return (
        f"{len(runs[0].table.decks)} deck is at the table, with {brought.colour} backs: "
        f"{len(faces)} cards, {len(set(faces))} of them different."
    )


def _where(runs: Runs) -> str:
    told = [f"the {deck.colour} deck is {deck.at}" for deck in runs[-1].table.decks]
    return as_sentence(listed(told))


def _racks(runs: Runs) -> str:
    before, now = when_refused(runs[0]), runs[0].table
    return (
        f"{len(before.rack)} cards of the {before.rack_colour} deck lay in the discard rack; "
        f"now that the {now.now.colour} deck is in play, {len(now.rack)} do."
    )


def _dealt(runs: Runs) -> str:
    table = runs[0].table
    places = first(runs[0], e.HandsDealt).places
    return (
        f"From the {table.dealing} came {len(places)} cards of the {table.now.colour} deck; "
        f"{len(table.now.stub)} are left."
    )


def _loaded(runs: Runs) -> str:
    table = runs[0].table
    before = [deck.at for deck in when_refused(runs[0]).decks]
    after = just_after(runs[0], first(runs[0], e.DeckShuffled)).decks
    places = first(runs[0], e.HandsDealt).places
    return (
        f"Nothing was dealt while the deck was {before[0]}; once it was {after[0].at}, the "
        f"{table.dealing} gave {len(places)} cards."
    )


def _stacks(runs: Runs) -> str:
    stacks = [(place, len([*cards])) for place, cards in groupby(_places(runs))]
    sizes = {size for _, size in stacks}
    told = listed(place for place, _ in stacks)
    return f"{len(stacks)} stacks of {listed(map(str, sorted(sizes)))} cards: {told}."


def _places(runs: Runs) -> tuple[str, ...]:
    return first(runs[0], e.HandsDealt).places


def _uncounted(runs: Runs) -> str:
    before = len(every(runs[0], e.StubRacked, counted=False))
    counted = first(runs[0], e.StubRacked, counted=True)
    return (
        f"{before} rounds ended without a count; in round {runs[0].table.now.number} the "
        f"{counted.cards} cards of the stub were counted."
    )


def _never_counted(runs: Runs) -> str:
    rounds, counts = every(runs[0], e.RoundEnded), every(runs[0], e.StubRacked, counted=True)
    return (
        f"{len(rounds)} rounds in a row and {len(counts)} stub counts; after the shuffler's own "
        f"count {_decks_left(runs)[0]} decks are at the table."
    )


def _voided(runs: Runs) -> str:
    void = sum(len(every(each, e.AllHandsVoided)) for each in runs)
    unexplained, misdealt = _decks_left(runs)
    return (
        f"All hands are void at {void} of {len(runs)} tables; {unexplained} decks are left after "
        f"the wrong count, {misdealt} where a misdeal explains it."
    )


def _decks_left(runs: Runs) -> list[int]:
    return [len(each.table.decks) for each in runs]


LOADING = (
    e.ShufflerLoaded,
    e.DeckShuffled,
    e.DeckCut,
    e.NoMoreBetsAnnounced,
    e.HandsDealt,
)
AFTER_SHUFFLE_AND_CUT = """
    {manual_shoe}
    seats 1
    wash red
    auto off
    {bets}
    no more bets -> refused: DECK_MUST_BE_READY
    shuffle red
    cut 26
    no more bets
    auto on
    deal
"""
FROM_THE_HAND = """
    {hand}
    {bets}
    deal
"""
IN_STACKS = """
    {automated_shoe}
    seats 2
    all: {bets}
    deal
"""
INTO_THE_SHOE = """
    {automated_shoe}
    seats 1
    load red
    auto off
    {bets}
    no more bets -> refused: DECK_MUST_BE_READY
    shuffle red
    no more bets
    auto on
    deal
"""
FIVE_ROUNDS = """
    {uncounted}
    {uncounted}
    {uncounted}
    {uncounted}
    {to_the_stub}
    rack stub -> refused: STUB_COUNT_IS_DUE
    count stub
"""


def _one_deck(full_id: str) -> Shown:
    return Shown(
        clause(full_id),
        "One deck, never three",
        ("{manual_shoe}\nseats 1\ninspect red",),
        _deck,
        ({"decks": ["red", "blue", "green"]}, {"decks": ["red"]}),
        (e.DeckReceived, e.DeckInspected),
    )


def _stacked(full_id: str) -> Shown:
    return Shown(
        clause(full_id),
        "The automated shoe gives whole stacks",
        (IN_STACKS,),
        _stacks,
        ({"dealing": "automated shoe"},),
        (e.NoMoreBetsAnnounced, e.HandsDealt),
    )


def _every_fifth(full_id: str, way: str) -> Shown:
    return Shown(
        clause(full_id),
        "Five rounds, and the count that is due",
        (f"{{{way}}}{FIVE_ROUNDS}",),
        _uncounted,
        kinds=(e.NoMoreBetsAnnounced, e.StubRacked),
    )


EQUIPMENT = (
    _one_deck("NJ 19:47-32.2(a)"),
    _one_deck("NJ 19:47-18.2(a)"),
    Shown(
        clause("NJ 19:47-32.2(b)"),
        "Two decks, without a shuffler and with one",
        submitted=({**STANDARD, **TWO}, {**BESIDE_A_SHUFFLER, **TWO}),
    ),
    Shown(
        clause("NJ 19:47-32.2(b)3"),
        "Where the other deck must be",
        (
            """
            {two_decks}
            seats 1
            shuffle red
            wash blue
            auto off
            {bets}
            no more bets -> refused: OTHER_DECK_MUST_BE_IN_SHUFFLER
            load blue
            no more bets
            """,
        ),
        _where,
        kinds=(e.DeckWashed, e.ShufflerLoaded, e.DeckShuffled, e.NoMoreBetsAnnounced),
    ),
    Shown(
        clause("NJ 19:47-32.2(b)5"),
        "The rack is emptied before the other deck is dealt",
        (
            """
            {two_decks}
            {to_the_stub}
            rack stub
            {from_the_stub}
            auto off
            {bets}
            no more bets -> refused: RACK_HOLDS_ANOTHER_DECK
            load red
            no more bets
            """,
        ),
        _racks,
        kinds=(e.NoMoreBetsAnnounced, e.RoundEnded, e.ShufflerLoaded),
    ),
    Shown(
        clause("NJ 19:47-32.7(a)"),
        "A freshly shuffled deck in the manual shoe",
        (AFTER_SHUFFLE_AND_CUT,),
        _dealt,
        (STANDARD,),
        LOADING,
    ),
    Shown(
        clause("NJ 19:47-32.8(a)"),
        "Dealt from the hand, where a shuffler shuffles",
        (FROM_THE_HAND,),
        _dealt,
        ({**STANDARD, "dealing": "hand"}, {**BESIDE_A_SHUFFLER, "dealing": "hand"}),
        LOADING,
    ),
    *map(
        _stacked,
        ("NJ 19:47-32.9(a)", "NJ 19:47-16.9(a)", "NJ 19:47-18.9(a)", "NJ 13:69F-39.9(a)"),
    ),
    Shown(
        clause("NJ 19:47-32.9(b)1"),
        "First the shuffle, then the shoe",
        (INTO_THE_SHOE,),
        _loaded,
        kinds=LOADING,
    ),
    _every_fifth("NJ 19:47-32.7(f)", "manual_shoe"),
    _every_fifth("NJ 19:47-32.8(e)", "hand"),
    _every_fifth("NJ 19:47-32.9(e)", "automated_shoe"),
    Shown(
        clause("NJ 19:47-32.7(f)2"),
        "A stub that does not make 52",
        (
            "{manual_shoe}\n{to_the_stub}\ncount stub 40",
            "{manual_shoe}\n{to_the_stub}\ncount stub 40 misdealt",
        ),
        _voided,
        kinds=(e.IrregularityReported, e.AllHandsVoided, e.WagerSettled, e.DeckRemoved),
    ),
    Shown(
        clause("NJ 19:47-18.7(f)"),
        "A shuffler that counts",
        (
            """
            {automated_shoe}
            set counting = true
            {uncounted}
            {uncounted}
            {uncounted}
            {uncounted}
            {uncounted}
            shuffle red counting 51
            """,
        ),
        _never_counted,
        kinds=(e.NoMoreBetsAnnounced, e.StubRacked, e.DeckRemoved),
    ),
)
