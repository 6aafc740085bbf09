"""advise(house, situation): what each option of a decision is worth, exactly.

Whatever the player knows is used: cards of other hands and burned cards are gone from the deck, a
card the dealer showed is in the dealer's hand, and a community card seen too early will come.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from croupier.analysis.progress import Tell, silent
from croupier.cards.card import DECK, Card, once_each
from croupier.house.submission import House
from croupier.law.refused import Refused

Cards = tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Situation:
    """The cards a player knows when a decision is due."""

    hand: Cards
    board: Cards = ()  # community cards that lie open
    dealer: Cards = ()  # cards of the dealer's hand: the up-card, or one that was shown
    coming: Cards = ()  # community cards known before they lie open, in their order
    seen: Cards = ()  # in no hand that matters: other players' cards, burned cards

    @property
    def known(self) -> Cards:
        return (*self.hand, *self.board, *self.dealer, *self.coming, *self.seen)

    @property
    def left(self) -> Cards:
        """The cards of which nothing is known."""
        known = set(self.known)
        return tuple(card for card in DECK if card not in known)


@dataclass(frozen=True, slots=True)
class Option:
    name: str
    value: Fraction  # the average net of the hand, per unit of the base wager
    cost: Fraction  # what it gives away against the best option


@dataclass(frozen=True, slots=True)
class Advice:
    """The options of one decision. In Let It Ride a value is that of the bet in question."""

    decision: str
    options: tuple[Option, ...]

    @property
    def best(self) -> Option:
        """Of equals the one that bets more, as the solver breaks ties."""
        return next(option for option in self.options if not option.cost)


def weighed(decision: str, values: Mapping[str, Fraction]) -> Advice:
    """Advice from the value of each option; those that bet more come first."""
    best = max(values.values())
    return Advice(decision, tuple(Option(name, v, best - v) for name, v in values.items()))


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a game deals, and when it asks: its decisions by the community cards in sight."""

    hand: int
    decisions: Mapping[int, str]
    community: int = 0
    dealer: int = 0
    in_sight: int = 0  # of the dealer's cards


_GAMES = {
    "ultimate-texas-holdem": _Asked(
        2, {0: "before-flop", 3: "after-flop", 5: "after-river"}, community=5, dealer=2
    ),
    "caribbean-stud": _Asked(5, {0: "after-deal"}, dealer=5, in_sight=1),
    "let-it-ride": _Asked(3, {0: "bet-1", 1: "bet-2"}, community=2),
    "pik-it": _Asked(5, {0: "play"}, dealer=5),
}


def decision(house: House, situation: Situation) -> str:
    """Which decision is due; a situation that cannot arise is refused."""
    asked, s = _GAMES[house.game.id], situation
    once_each(s.known)
    if len(s.hand) != asked.hand:
        raise Refused(f"A hand of {house.game.title} is {asked.hand} cards, not {len(s.hand)}.")
    if s.board and not asked.community:
        raise Refused(f"{house.game.title} has no community cards.")
    if len(s.board) not in asked.decisions:
        raise Refused(
            f"{house.game.title} asks for decisions with {_either(asked.decisions)} community "
            f"cards in sight, not with {len(s.board)}."
        )
    if len(s.board) + len(s.coming) > asked.community:
        raise Refused(f"{house.game.title} deals {asked.community or 'no'} community cards.")
    if len(s.dealer) > asked.dealer:
        holds = f"holds {asked.dealer} cards" if asked.dealer else "has no hand"
        raise Refused(f"The dealer of {house.game.title} {holds}.")
    if len(s.dealer) < asked.in_sight:
        raise Refused(f"In {house.game.title} the dealer's up-card is in sight: name it.")
    missing = asked.community + asked.dealer - len(s.board) - len(s.coming) - len(s.dealer)
    if len(s.left) < missing:
        raise Refused(f"{len(s.left)} cards are left, and {missing} are still to be dealt.")
    return asked.decisions[len(s.board)]


def _either(numbers: Iterable[int]) -> str:
    *others, last = map(str, numbers)
    return f"{', '.join(others)} or {last}" if others else last


def advise(house: House, situation: Situation, tell: Tell = silent) -> Advice:
    """Each option's value with best play from there on, by what the player knows.

    Milliseconds, but for Ultimate Texas Hold'em before the flop: that takes a second or two once
    for a house, and several seconds where more than the hand is known; ``tell`` hears of it.
    """
    due = decision(house, situation)
    match house.game.id:
        case "ultimate-texas-holdem":
            from croupier.analysis.advice import advise_holdem

            values = advise_holdem.values(house, situation, due, tell)
        case "let-it-ride":
            from croupier.analysis.advice import advise_ride

            values = advise_ride.values(house, situation)
        case "caribbean-stud":
            from croupier.analysis.advice import advise_stud

            values = advise_stud.caribbean_values(house, situation)
        case _:
            from croupier.analysis.advice import advise_stud

            values = advise_stud.pik_it_values(house, situation)
    return weighed(due, values)
