"""The ranking of hands on chosen hands: what each kind looks like, and what beats what, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from croupier.cards.card import DECK, Card, Rank, Suit, cards
from croupier.cards.ranking import (
    FIVE_CARD_RANKING,
    THREE_CARD_RANKING,
    Ranking,
    Strength,
    rank_five,
    words,
)
from croupier.law.clause import Clause, Rulebook, clause
from croupier.room.api.examples.shown import as_sentence, listed
from croupier.room.api.examples.told import Example, Line, stated_in

HANDS = (
    *("As Ks Qs Js Ts", "9h 8h 7h 6h 5h", "8s 8h 8d 8c Kd", "Js Jh Jd 4c 4d", "Kd Jd 9d 5d 2d"),
    *("9s 8d 7c 6h 5d", "7s 7h 7d Kc 2h", "Ks Kd 6h 6c 9s", "Qh Qd 9c 5s 2d"),
)
THREES = ("Ah Kh Qh", "7d 6d 5d", "9s 9h 9d", "6c 5d 4s", "Kc 8c 3c", "Js Jd 4h")

Pairs = tuple[tuple[str, str], ...]

# The ace on top, at the bottom, and never in the middle; suits make no difference.
ACE_OF_FIVE: Pairs = (
    ("As Kd Qc Jh Td", "Ks Qd Jc Th 9d"),
    ("6s 5d 4c 3h 2d", "5s 4d 3c 2h As"),
    ("6h 5h 4h 3h 2h", "5s 4s 3s 2s As"),
    ("5s 4d 3c 2h As", "Ks Ad 2c 3h Qd"),
    ("Kc 9c 5c 4c 2c", "Ks 9s 5s 4s 2s"),
)
ACE_OF_THREE: Pairs = (
    ("Ah Kd Qc", "Kh Qd Jc"),
    ("4s 3d 2c", "3s 2d Ac"),
    ("3s 2d Ac", "Ks Ad 2c"),
    ("Kc 9c 2c", "Ks 9s 2s"),
)
# The group decides, then the kickers, then nothing.
GROUP_AND_KICKERS: Pairs = (
    ("Qh Qd 9c 5s 2d", "Jh Jd Ac Ks Td"),
    ("Qh Qd Tc 5s 2d", "Qs Qc 9c 8s 7d"),
    ("Qh Qd 9c 5s 2d", "Qs Qc 9h 5d 2s"),
)
FLUSH = (Rank.KING, Rank.NINE, Rank.FIVE, Rank.FOUR, Rank.TWO)
SEVENS = (("Ah 7h", "Kh 9h 2h 9c 9d"), ("Qc 4d", "Qs 9d 6c 5h 2s"), ("3c 2d", "As Kd Qc Jh Ts"))


def hands(book: Rulebook) -> Iterator[tuple[str, Example]]:
    """What this book says of hands as such, clause by clause."""
    yield from _ranked(book, FIVE_CARD_RANKING, HANDS)
    if stated_in(book, THREE_CARD_RANKING.kind_order):
        yield from _ranked(book, THREE_CARD_RANKING, THREES)
    for rule, make in COMPARED:
        if cite := stated_in(book, rule):
            yield cite, make(cite)


def _ranked(
    book: Rulebook, ranking: Ranking, hands: tuple[str, ...]
) -> Iterator[tuple[str, Example]]:
    told = []
    for text in hands:
        strength = ranking.strength(cards(text))
        cite = next(cite for kind, _, cite in ranking.kinds if kind is strength.kind).under(book).id
        line = _shown(cards(text), as_sentence(words(strength)), cite)
        told.append(line)
        yield cite, Example("A hand of this kind", [line])
    cite = ranking.kind_order.under(book).id
    told.append(Line(_kinds(ranking), cite))
    yield cite, Example("From the highest down", told)


def _kinds(ranking: Ranking) -> str:
    names = [kind.name.lower().replace("_", " ") for kind, *_ in ranking.kinds]
    return f"Hands, from the highest: {listed(names)}."


def _ranks_of_cards() -> str:
    return f"Cards, from the highest: {listed(rank.word for rank in reversed(Rank))}."


# --- two hands ------------------------------------------------------------------------------


def _compared(ranking: Ranking, pairs: Pairs, cite: str) -> Iterator[Line]:
    for one, other in pairs:
        mine, its = ranking.strength(cards(one)), ranking.strength(cards(other))
        yield _shown(cards(one), as_sentence(words(mine)))
        yield _shown(cards(other), f"It {_verdict(mine, its)}.", cite)


def _verdict(mine: Strength, its: Strength) -> str:
    """What the comparison says, and by which cards where the words are the same."""
    if mine == its:
        return f"equals {words(its)}"
    verb = "beats" if mine > its else "loses to"
    if words(mine) != words(its):
        return f"{verb} {words(its)}"
    differ = next((a, b) for a, b in zip(mine.ranks, its.ranks, strict=True) if a != b)
    return f"{verb} {words(its)}, {differ[0].word} against {differ[1].word}"


def _aces(cite: str) -> Example:
    told = _compared(FIVE_CARD_RANKING, ACE_OF_FIVE, cite)
    return Example("Aces high and low", [Line(_ranks_of_cards(), cite), *told])


def _aces_of_three_too(cite: str) -> Example:
    """For a game that plays three cards as well as five."""
    five = _aces(cite)
    three = _compared(THREE_CARD_RANKING, ACE_OF_THREE, cite)
    return Example(five.title, [*five.sentences, *three])


def _ties(cite: str) -> Example:
    told = [*_compared(FIVE_CARD_RANKING, GROUP_AND_KICKERS, cite)]
    return Example("The group, then the kickers, then nothing", told)


# --- suits, ranks, and the best of seven ----------------------------------------------------


def _suits(cite: str) -> Example:
    """The same five ranks in one suit after the other."""
    told, strengths = [], set()
    for suit in Suit:
        held = tuple(each for each in reversed(DECK) if each.suit is suit and each.rank in FLUSH)
        strengths.add(rank_five(held))
        told.append(_shown(held, f"In {_name(suit)}: {words(rank_five(held))}."))
    equal = "all equal" if len(strengths) == 1 else f"{len(strengths)} different ranks"
    told.append(Line(f"{len(Suit)} suits, {listed(map(_name, Suit))}: {equal}.", cite))
    return Example("One hand in each suit", told)


def _name(suit: Suit) -> str:
    return suit.name.lower()


def _ranks(cite: str) -> Example:
    queens = rank_five(cards(HANDS[-1]))
    kinds = [kind for kind, *_ in FIVE_CARD_RANKING.kinds]
    place = f"number {kinds.index(queens.kind) + 1} of {len(kinds)} from the top"
    told = [
        Line(_ranks_of_cards(), cite),
        Line(_kinds(FIVE_CARD_RANKING), cite),
        _shown(cards(HANDS[-1]), as_sentence(f"{words(queens)}: {place}")),
    ]
    return Example("Where cards and hands stand", told)


def _best_of_seven(cite: str) -> Example:
    told = []
    for hole, board in SEVENS:
        seven = (*cards(hole), *cards(board))
        ways = [*combinations(seven, 5)]
        best = max(ways, key=rank_five)
        own = sum(each in best for each in cards(hole))
        told.append(_shown(seven, f"Of these {len(seven)} cards {len(ways)} hands can be made."))
        best_is = f"The best is {words(rank_five(best))}, with {own} of the two hole cards."
        told.append(_shown(best, best_is, cite))
    return Example("The best five of seven", told)


def _shown(held: tuple[Card, ...], sentence: str, cite: str | None = None) -> Line:
    return Line(sentence, cite, tuple(map(str, held)))


COMPARED: tuple[tuple[Clause, Callable[[str], Example]], ...] = (
    (FIVE_CARD_RANKING.card_order, _aces),
    (THREE_CARD_RANKING.card_order, _aces_of_three_too),
    (FIVE_CARD_RANKING.ties, _ties),
    (clause('NJ 19:47-32.1 "Suit"'), _suits),
    (clause('NJ 19:47-32.1 "Rank"'), _ranks),
    (clause('NJ 19:47-32.1 "Hand"'), _best_of_seven),
)
