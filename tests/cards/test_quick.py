"""The table's fast ranker gives the readable ranking's own answers."""

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.cards.card import DECK, Card
from croupier.cards.quick import QUICK
from croupier.cards.ranking import READABLE

sevens = st.lists(st.sampled_from(DECK), min_size=7, max_size=7, unique=True).map(tuple)


@settings(deadline=None, max_examples=300)
@given(sevens)
def test_the_quick_ranker_answers_as_the_readable_one(cards: tuple[Card, ...]) -> None:
    assert QUICK.best_five(cards) == READABLE.best_five(cards)
    assert QUICK.five(cards[:5]) == READABLE.five(cards[:5])
    assert QUICK.best_three(cards[:5]) == READABLE.best_three(cards[:5])
    assert QUICK.three(cards[:3]) == READABLE.three(cards[:3])


def test_every_three_card_hand_is_ranked_alike() -> None:
    for hand in combinations(DECK, 3):
        assert QUICK.three(hand) == READABLE.three(hand)
