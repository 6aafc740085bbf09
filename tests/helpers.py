"""Small words for the tests: houses, hands and settlements in one line, and a plain ranker.

Amounts are given in dollars here; what ``told`` says is dollars too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from croupier.cards.card import DECK, Card, cards, once_each
from croupier.games import caribbean_stud, let_it_ride, pik_it, ultimate_texas_holdem
from croupier.house.submission import House, read_data
from croupier.rules.settlement import Settlement
from croupier.rules.terms import Terms

# The same deals on every run, and none failed for the machine's being busy.
settings.register_profile("croupier", deadline=None, derandomize=True)
settings.load_profile("croupier")

NJ_UTH = "nj-ultimate-texas-holdem"
MA_UTH = "ma-ultimate-texas-holdem"
CARIBBEAN = "nj-caribbean-stud"
RIDE = "nj-let-it-ride"
PIK_IT = "nj-pik-it-poker"
UTH_BOOKS = (NJ_UTH, MA_UTH)
ALL_BOOKS = (NJ_UTH, MA_UTH, CARIBBEAN, RIDE, PIK_IT)

Settled = tuple[Settlement, ...]


# --- houses ---------------------------------------------------------------------------------


def house(book: str, **changes: Any) -> House:
    """The preset house of a book, with these keys of its submission changed."""
    return read_data({"rulebook": book, **changes})


def terms_of(book: str, **changes: Any) -> Terms:
    return house(book, **changes).terms()


def progressive_terms(**changes: Any) -> Terms:
    """A Massachusetts house that supplies a progressive, which the text leaves to it."""
    return terms_of(
        MA_UTH,
        offered=["trips", "cover-all", "progressive"],
        pay={"progressive": {"royal-flush": "100 %", "straight-flush": "10 %", "flush": "$50"}},
        progressive={"meter": 100_000, "seed": 10_000, "contribution": 1},
        **changes,
    )


# --- settlements in words -------------------------------------------------------------------


def told(settlements: Iterable[Settlement]) -> str:
    """Like "ante won 5, play lost, blind pushed"; a win is in dollars."""
    return ", ".join(_said(s) for s in settlements)


def _said(settled: Settlement) -> str:
    if settled.result != "won":
        assert settled.win == 0
        return f"{settled.wager} {settled.result}"
    whole, part = divmod(settled.win, 100)
    return f"{settled.wager} won {whole}" + (f".{part:02d}" if part else "")


def only(settlements: Iterable[Settlement], wager: str) -> Settlement:
    """The one settlement of this wager."""
    (found,) = (s for s in settlements if s.wager == wager)
    return found


def cited(settlements: Iterable[Settlement], wager: str) -> str:
    return only(settlements, wager).clause.id


def withheld(settlements: Iterable[Settlement]) -> dict[str, int]:
    """The cents a payout limit held back, where it held any back."""
    return {s.wager: s.withheld for s in settlements if s.withheld}


# --- finished hands -------------------------------------------------------------------------


def uth(
    player: str,
    dealer: str,
    board: str,
    *,
    book: str = NJ_UTH,
    terms: Terms | None = None,
    ante: int = 5,
    play: int = 1,
    fold: bool = False,
    trips: int = 0,
    cover_all: int = 0,
    progressive: int = 0,
    others: Sequence[str] = (),
    sharing: int = 1,
) -> Settled:
    """A hand of Ultimate Texas Hold'em; ``play`` is how many times the ante was played."""
    amounts = {"ante": ante, "blind": ante, "trips": trips, "cover all": cover_all}
    amounts |= {"progressive": progressive, "play": 0 if fold else ante * play}
    once_each(cards(player), cards(dealer), cards(board), *(cards(other) for other in others))
    outcome = ultimate_texas_holdem.outcome(
        cards(player),
        cards(dealer),
        cards(board),
        folded=fold,
        others=tuple(cards(other) for other in others),
    )
    return ultimate_texas_holdem.settle(
        outcome, _cents(amounts), terms or terms_of(book), sharing=sharing
    )


def caribbean(
    player: str,
    dealer: str,
    *,
    terms: Terms | None = None,
    ante: int = 5,
    fold: bool = False,
    progressive: bool = False,
    sharing: int = 1,
) -> Settled:
    """A hand of Caribbean Stud; the bet is twice the ante."""
    amounts = {"ante": ante, "bet": 0 if fold else 2 * ante, "progressive": int(progressive)}
    once_each(cards(player), cards(dealer))
    outcome = caribbean_stud.outcome(cards(player), cards(dealer), folded=fold)
    return caribbean_stud.settle(
        outcome, _cents(amounts), terms or terms_of(CARIBBEAN), sharing=sharing
    )


def ride(
    player: str,
    community: str,
    *,
    terms: Terms | None = None,
    bets: int = 5,
    withdraw: Sequence[int] = (),
    bonus: bool = False,
    three_card: int = 0,
) -> Settled:
    """A hand of Let It Ride; ``bets`` is each of the three."""
    amounts = {f"bet {n}": bets for n in (1, 2, 3)}
    amounts |= {"let it ride bonus": int(bonus), "three card bonus": three_card}
    withdrawn = frozenset(f"bet {n}" for n in withdraw)
    once_each(cards(player), cards(community))
    outcome = let_it_ride.outcome(cards(player), cards(community), withdrawn=withdrawn)
    return let_it_ride.settle(outcome, _cents(amounts), terms or terms_of(RIDE))


def pikit(
    player: str,
    dealer: str,
    *,
    terms: Terms | None = None,
    ante: int = 5,
    played: str = "",
    picked: str = "",
    bonus: int = 0,
) -> Settled:
    """A hand of Pik-It; ``played`` is "play 3", "play 5" or nothing for a fold."""
    terms = terms or terms_of(PIK_IT)
    amounts = {"ante": ante, "5 card bonus": ante, "3 card bonus": bonus}
    if played:
        amounts[played] = ante * terms.multiples[played.replace(" ", "-")][0]
    once_each(cards(player), cards(dealer))
    outcome = pik_it.outcome(cards(player), cards(dealer), played=played, picked=cards(picked))
    return pik_it.settle(outcome, _cents(amounts), terms)


def _cents(amounts: dict[str, int]) -> dict[str, int]:
    return {name: 100 * amount for name, amount in amounts.items() if amount}


# --- a plain ranker, independent of croupier.cards ------------------------------------------

LADDER = "mlkjihgfedcba"  # ace to two
_LETTER = dict(zip("AKQJT98765432", LADDER, strict=True))
FIVE_KINDS = (
    "high-card",
    "pair",
    "two-pair",
    "three-of-a-kind",
    "straight",
    "flush",
    "full-house",
    "four-of-a-kind",
    "straight-flush",
    "royal-flush",
)
THREE_KINDS = (
    "high-card",
    "pair",
    "flush",
    "straight",
    "three-of-a-kind",
    "straight-flush",
    "royal-flush",
)
_PATTERNS = {
    "2111": "pair",
    "221": "two-pair",
    "311": "three-of-a-kind",
    "32": "full-house",
    "41": "four-of-a-kind",
    "21": "pair",
    "3": "three-of-a-kind",
}


def plain_kind(hand: Sequence[str]) -> tuple[str, str]:
    """The kind of a hand of five or three, and a word that sorts it within its kind.

    Ranks become letters, the letters a word with the largest groups first; a sequence is a
    word that stands in the ladder of all ranks.
    """
    letters = [_LETTER[card[0]] for card in hand]
    word = "".join(sorted(letters, key=lambda each: (letters.count(each), each), reverse=True))
    pattern = "".join(str(letters.count(each)) for each in dict.fromkeys(word))
    suited = "".join(card[1] for card in hand) == hand[0][1] * len(hand)
    if word == LADDER[: len(hand)] and suited:
        return "royal-flush", ""
    low_ace = word in ("mdcba", "mba")
    if word in LADDER or low_ace:
        return "straight-flush" if suited else "straight", word[1 if low_ace else 0]
    if suited:
        return "flush", word
    return _PATTERNS.get(pattern, "high-card"), word


def plain_five(hand: Sequence[str]) -> tuple[int, str]:
    kind, word = plain_kind(hand)
    return FIVE_KINDS.index(kind), word


def plain_three(hand: Sequence[str]) -> tuple[int, str]:
    kind, word = plain_kind(hand)
    return THREE_KINDS.index(kind), word


def plain_best_of_seven(hand: Sequence[str]) -> tuple[int, str]:
    return max(plain_five(five) for five in combinations(hand, 5))


def plain_best_three(hand: Sequence[str]) -> tuple[int, str]:
    return max(plain_three(three) for three in combinations(hand, 3))


def ace_king_or_better(rank: tuple[int, str]) -> bool:
    """The qualifying hand of Caribbean Stud and Pik-It."""
    return rank[0] > 0 or rank[1][:2] == "ml"


def texts(hand: Iterable[Card]) -> list[str]:
    return [str(each) for each in hand]


# --- random deals ---------------------------------------------------------------------------


@st.composite
def deals(draw: st.DrawFn, count: int) -> tuple[Card, ...]:
    """Different cards, often from a slice of the deck, so that flushes and quads do come up."""
    by_suit = draw(st.booleans())
    deck = sorted(DECK, key=lambda each: (each.suit, each.rank)) if by_suit else list(DECK)
    size = draw(st.integers(count, 52))
    start = draw(st.integers(0, 52 - size))
    return tuple(draw(st.permutations(deck[start : start + size]))[:count])
