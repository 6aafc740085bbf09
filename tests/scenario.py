"""Rounds of play as tests: ``play`` runs the notation of docs/SCRIPT.md under a game or book.

Below it, the few words in which the five books differ where a rule is the same in all of them.
"""

from __future__ import annotations

from croupier.law.clause import BOOK_IDS, clause, rulebook
from croupier.script.run import Failed, ScriptRun, run

NJ_UTH = "nj-ultimate-texas-holdem"
MA_UTH = "ma-ultimate-texas-holdem"
CARIBBEAN = "nj-caribbean-stud"
RIDE = "nj-let-it-ride"
PIK_IT = "nj-pik-it-poker"
ALL_BOOKS = (NJ_UTH, MA_UTH, CARIBBEAN, RIDE, PIK_IT)


def play(game_or_book: str, text: str) -> ScriptRun:
    """Play a script; an expectation that does not come true fails the test."""
    word = "rulebook" if game_or_book in BOOK_IDS else "game"
    try:
        return run(f"{word} {game_or_book}\n{text}")
    except Failed as failed:
        raise AssertionError(str(failed)) from None


def kinds(played: ScriptRun) -> list[str]:
    """The names of all events, in order."""
    return [type(event).__name__ for event in played.events]


def cited(book: str, full_id: str) -> str:
    """The clause that states the rule of this one in another book."""
    return rulebook(book).twin_of(clause(full_id)).id


# The wagers that every player must make, and a round in which one player gives up.
BETS = {
    NJ_UTH: "bets 10 10",
    MA_UTH: "bets 10 10",
    CARIBBEAN: "bets 10",
    RIDE: "bets 10 10 10",
    PIK_IT: "bets 10 10",
}
GIVE_UP = {
    NJ_UTH: "check\ncheck\nfold",
    MA_UTH: "check\ncheck\nfold",
    CARIBBEAN: "fold",
    RIDE: "withdraw 1\nwithdraw 2",
    PIK_IT: "fold",
}

# The same round in two halves: the stub is dealt with between them.
TO_THE_STUB = {
    NJ_UTH: "bets 10 10\ncheck\ncheck",
    MA_UTH: "bets 10 10\ncheck\ncheck",
    CARIBBEAN: "bets 10",
    RIDE: "bets 10 10 10",
    PIK_IT: "bets 10 10",
}
FROM_THE_STUB = {**GIVE_UP, NJ_UTH: "fold", MA_UTH: "fold"}


def a_round(book: str) -> str:
    """One player, one round, to its end."""
    return f"{BETS[book]}\n{GIVE_UP[book]}\nauto -> round over\n"


# The three dealing procedures, with the shuffling that each needs here.
_ONLY_TRIPS = 'set offered = ["trips"]\n'
_ONE, _TWO = 'set decks = ["red"]\n', 'set decks = ["red", "blue"]\n'
_WAYS = {
    "manual shoe": f"set dealing = manual shoe\nset shuffling = manual\n{_ONE}",
    "hand": f"set dealing = hand\nset shuffling = automated\n{_ONE}",
    "automated shoe": f"set dealing = automated shoe\nset shuffling = automated\n{_ONE}",
    "two decks": f"set dealing = automated shoe\nset shuffling = automated\n{_TWO}",
}


def dealt_by(book: str, way: str) -> str:
    """The header of a house that deals so. Cover All would need the automated shuffler."""
    return _WAYS[way] + (_ONLY_TRIPS if book == MA_UTH else "")
