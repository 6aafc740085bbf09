"""Which games there are, by id, alias and rulebook."""

from __future__ import annotations

from croupier.games import caribbean_stud, let_it_ride, pik_it, ultimate_texas_holdem
from croupier.law.refused import Refused
from croupier.rules.game import Game

GAMES: tuple[Game, ...] = (
    ultimate_texas_holdem.GAME,
    caribbean_stud.GAME,
    let_it_ride.GAME,
    pik_it.GAME,
)

RULEBOOKS: tuple[str, ...] = tuple(book.id for game in GAMES for book in game.books)


def game_named(name: str) -> Game:
    """A game by its id or alias."""
    for game in GAMES:
        if name in (game.id, game.alias):
            return game
    known = ", ".join(f"{game.alias} ({game.id})" for game in GAMES)
    raise Refused(f"There is no game {name!r}; there are {known}.")


def game_under(rulebook_id: str) -> Game:
    """The game that a rulebook regulates."""
    for game in GAMES:
        if any(book.id == rulebook_id for book in game.books):
            return game
    raise Refused(f"There is no rulebook {rulebook_id!r}; there are {', '.join(RULEBOOKS)}.")
