"""Simple players for the other seats. A bot decides from its own view of the table and from
nothing else; what it may do is asked of the table like anyone's.

The policies are the published simple strategies, written as rules of thumb: good company, not a
solution of the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any

from croupier.cards.card import DECK, Card, Rank, card
from croupier.cards.quick import QUICK
from croupier.cards.ranking import FiveCard, Strength, ThreeCard
from croupier.rules.money import Cents
from croupier.table import commands as c
from croupier.table.decide import decide
from croupier.table.options import options
from croupier.table.refused import Refused
from croupier.table.state import Table
from croupier.table.view import BACK

View = dict[str, Any]
Cards = tuple[Card, ...]
Wish = tuple[str, int]  # a verb, and how often the ante where that is a choice


# --- before the deal ------------------------------------------------------------------------


def bot_wagers(table: Table, seat: int) -> dict[str, Cents]:
    """What the bot at this seat puts up: one to three times the minimum, by its seat, and at
    every other seat the optional wagers too. Nothing when its chips do not reach."""
    posted, player = table.terms.posted, table.seats[seat - 1]
    game = table.house.game
    known = [w for w in game.wagers_under(table.house.book) if w.before_the_deal]
    required = {}
    for wager in known:
        if wager.required:
            limit = posted[wager.key if wager.key in posted else "ante"]
            required[wager.name] = min(limit.minimum * (1 + seat % 3), limit.maximum)
    optional = {
        w.name: w.exactly or posted[w.key].minimum
        for w in known
        if not w.required and w.key in table.terms.offered
    }
    least = {name: min(required.values()) // (1 + seat % 3) for name in required}
    tries = [required, least]
    if seat % 2:
        tries.insert(0, required | optional)
    for wagers in tries:
        command = c.PlaceWagers(c.player(player), seat, wagers)
        if not isinstance(decide(table, command), Refused):
            return wagers
    return {}


# --- during the round -----------------------------------------------------------------------


def bot_choice(table: Table, seat: int, view: View) -> c.Choose:
    """What the bot says when it is its turn: the first of its wishes that the table allows."""
    player = c.player(table.seats[seat - 1])
    allowed = [o for o in options(table, player) if isinstance(o, c.Choose) and o.seat == seat]
    wishes = _POLICIES[view["game"], view["point"]](_hand(view, seat), _up(view["round"]))
    for verb, times in wishes:
        for command in allowed:
            if command.verb == verb and times in (0, command.times):
                return command
    return allowed[0]


def _hand(view: View, seat: int) -> Cards:
    mine = next(p for p in view["round"]["positions"] if p["seat"] == seat)
    return _seen(mine["cards"])


def _up(round: View) -> Cards:
    return _seen(round["community"])


def _seen(texts: Sequence[str]) -> Cards:
    return tuple(card(text) for text in texts if text != BACK)


def _strength(cards: Cards) -> Strength:
    """The best five of five, six or seven."""
    return max(QUICK.five(five) for five in combinations(cards, 5))


def _hidden_pair(hand: Cards, up: Cards) -> bool:
    """A pair that the board alone does not make."""
    first, second = (each.rank for each in hand)
    on_board = {each.rank for each in up}
    return first == second or first in on_board or second in on_board


# --- Ultimate Texas Hold'em -----------------------------------------------------------------

# The lowest second card that is worth four antes, offsuit and suited.
_RAISE_FROM = {
    Rank.ACE: (Rank.TWO, Rank.TWO),
    Rank.KING: (Rank.FIVE, Rank.TWO),
    Rank.QUEEN: (Rank.EIGHT, Rank.SIX),
    Rank.JACK: (Rank.TEN, Rank.EIGHT),
}
_MOST_OUTS = 21


def before_flop(hand: Cards, up: Cards) -> list[Wish]:
    """Four antes on threes or better, any ace, and high cards as listed; else check."""
    high, low = sorted((each.rank for each in hand), reverse=True)
    suited = hand[0].suit == hand[1].suit
    if high == low:
        strong = high >= Rank.THREE
    else:
        strong = high in _RAISE_FROM and low >= _RAISE_FROM[high][suited]
    return [("play", 4), ("play", 3), ("check", 0)] if strong else [("check", 0)]


def after_flop(hand: Cards, up: Cards) -> list[Wish]:
    """Two antes on two pair or better, a hidden pair but deuces, or four to a flush with a
    hidden ten or better of it. Approximate: a board that is itself trips counts as nothing."""
    made = _strength((*hand, *up))
    board_is_trips = len({each.rank for each in up}) == 1
    strong = made.kind >= FiveCard.TWO_PAIR and not (
        board_is_trips and made.kind is FiveCard.THREE_OF_A_KIND
    )
    pocket_deuces = all(each.rank is Rank.TWO for each in hand)
    pair = made.kind is FiveCard.ONE_PAIR and _hidden_pair(hand, up) and not pocket_deuces
    strong = strong or pair or _four_to_a_flush(hand, up)
    return [("play", 2), ("check", 0)] if strong else [("check", 0)]


def _four_to_a_flush(hand: Cards, up: Cards) -> bool:
    suits = Counter(each.suit for each in (*hand, *up))
    return any(suits[each.suit] >= 4 and each.rank >= Rank.TEN for each in hand)


def after_river(hand: Cards, up: Cards) -> list[Wish]:
    """One ante on a hidden pair or better, or with fewer than 21 dealer outs; else fold.
    Approximate: an out is one more card, beside the board, that beats the hand."""
    made = _strength((*hand, *up))
    board = _strength(up)
    hidden = made.kind > board.kind or _hidden_pair(hand, up)
    if hidden or _outs(made, hand, up) < _MOST_OUTS:
        return [("play", 1), ("fold", 0)]
    return [("fold", 0)]


def _outs(made: Strength, hand: Cards, up: Cards) -> int:
    known = {*hand, *up}
    return sum(_strength((*up, each)) > made for each in DECK if each not in known)


# --- Caribbean Stud -------------------------------------------------------------------------

_WORTH_A_BET = Strength(
    FiveCard.HIGH_CARD, (Rank.ACE, Rank.KING, Rank.JACK, Rank.EIGHT, Rank.THREE)
)


def after_deal(hand: Cards, up: Cards) -> list[Wish]:
    """Bet a pair or better, or ace-king-jack-eight-three up. Approximate: the dealer's up-card,
    which moves the border between ace-king hands a little, is not looked at."""
    return [("bet", 0), ("fold", 0)] if QUICK.five(hand) >= _WORTH_A_BET else [("fold", 0)]


# --- Let It Ride ----------------------------------------------------------------------------


def bet_1(hand: Cards, up: Cards) -> list[Wish]:
    """Ride a paying hand, three to a royal, or three suited close enough together."""
    rides = _pays(hand) or _three_to_a_straight_flush(hand)
    return [("ride", 0)] if rides else [("withdraw", 0)]


def _pays(cards: Cards) -> bool:
    """Tens or better, two pair or more: a hand that is paid whatever comes."""
    counts = Counter(each.rank for each in cards)
    pairs = [rank for rank, n in counts.items() if n >= 2]
    return any(rank >= Rank.TEN for rank in pairs) or len(pairs) > 1 or max(counts.values()) >= 3


def _three_to_a_straight_flush(hand: Cards) -> bool:
    """In a row but for ace-two-three and two-three-four; with one gap and a high card, or two
    gaps and two high cards."""
    ranks = sorted(each.rank for each in hand)
    if len({each.suit for each in hand}) > 1 or len(set(ranks)) < 3:
        return False
    high = sum(rank >= Rank.TEN for rank in ranks)
    span = ranks[-1] - ranks[0]
    if span == 2:
        return ranks[0] > Rank.TWO
    return (span == 3 and high >= 1) or (span == 4 and high >= 2)


def bet_2(hand: Cards, up: Cards) -> list[Wish]:
    """Ride a paying hand, four to a flush, four in a row that can grow both ways, or four high
    cards to a straight."""
    four = (*hand, *up)
    ranks = sorted({each.rank for each in four})
    straight = False
    if len(ranks) == 4:
        both_ways = ranks[-1] - ranks[0] == 3 and ranks[-1] is not Rank.ACE
        straight = both_ways or ranks[0] >= Rank.TEN
    rides = _pays(four) or len({each.suit for each in four}) == 1 or straight
    return [("ride", 0)] if rides else [("withdraw", 0)]


# --- Pik-It ---------------------------------------------------------------------------------

_WORTH_THREE = Strength(ThreeCard.FLUSH, (Rank.KING, Rank.TWO, Rank.TWO))


def pick(hand: Cards, up: Cards) -> list[Wish]:
    """Unseen, so any three are as good."""
    return [("pick", 0)]


def play(hand: Cards, up: Cards) -> list[Wish]:
    """Five cards with a pair or better; three with a king-high flush, a straight or better; else
    fold. Approximate: no published strategy is followed, and the borders are guesses."""
    if QUICK.five(hand).kind >= FiveCard.ONE_PAIR:
        return [("play 5", 0), ("fold", 0)]
    if QUICK.best_three(hand) >= _WORTH_THREE:
        return [("play 3", 0), ("fold", 0)]
    return [("fold", 0)]


_POLICIES: dict[tuple[str, str], Callable[[Cards, Cards], list[Wish]]] = {
    ("ultimate-texas-holdem", "before-flop"): before_flop,
    ("ultimate-texas-holdem", "after-flop"): after_flop,
    ("ultimate-texas-holdem", "after-river"): after_river,
    ("caribbean-stud", "after-deal"): after_deal,
    ("let-it-ride", "bet-1"): bet_1,
    ("let-it-ride", "bet-2"): bet_2,
    ("pik-it", "pick"): pick,
    ("pik-it", "play"): play,
}


def names() -> Iterator[str]:
    """What the bots are called, seat by seat."""
    yield from ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ivo")
