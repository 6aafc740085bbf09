"""Settle a finished hand: cards and wagers as a supervisor would report them, refused or paid.

Each function takes one game's report, verifies it with the same rules the table uses, and
returns what became of every wager, in the order of the law.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from croupier.cards.card import Card, cards, once_each, spell
from croupier.cards.ranking import best_three, rank_five, rank_three, words
from croupier.games import caribbean_stud, let_it_ride, pik_it
from croupier.games import ultimate_texas_holdem as uth
from croupier.house.submission import House
from croupier.law.clause import Clause, rulebook
from croupier.law.refused import Refused
from croupier.rules.bounds import said
from croupier.rules.money import Cents
from croupier.rules.placing import verify, verify_match_play, verify_multiple
from croupier.rules.settlement import Settlement, total

massachusetts = rulebook("ma-ultimate-texas-holdem")
caribbean_law = rulebook("nj-caribbean-stud")
ride_law = rulebook("nj-let-it-ride")
pik_it_law = rulebook("nj-pik-it-poker")

CARIBBEAN_DEALING = caribbean_law("16.7(d)")
RIDE_HAND = ride_law('18.1 "Hand"')
BETS_1_AND_2 = ride_law("18.6(d)")
PIK_IT_DEALING = pik_it_law("39.7(c)")
PICK = pik_it_law("39.10(b)")
PLAY_OR_FOLD = pik_it_law("39.3(b)")
COVER_ALL_HANDS = massachusetts("13(k)")


@dataclass(frozen=True, slots=True)
class Finished:
    """What the hands were, in words, and what became of each wager."""

    hands: tuple[str, ...]
    settlements: tuple[Settlement, ...]

    @property
    def net(self) -> Cents:
        return total(self.settlements)


def read_hand(text: str, count: int, whose: str, cite: Clause) -> tuple[Card, ...]:
    """Cards of one hand, or a refusal that names the clause which counts them."""
    hand = cards(text)
    if len(hand) != count:
        raise Refused(f"{whose} {count} cards, not {len(hand)} ({spell(hand) or 'none'}).", cite)
    return hand


def _placed(**amounts: Cents | None) -> dict[str, Cents]:
    return {name.replace("_", " "): cents for name, cents in amounts.items() if cents}


def ultimate_texas_holdem(
    house: House,
    *,
    player: str,
    dealer: str,
    board: str,
    ante: Cents | None,
    play: int | None,
    fold: bool,
    trips: Cents | None = None,
    cover_all: Cents | None = None,
    progressive: bool = False,
    others: Sequence[str] = (),
    match_play: Cents = 0,
) -> Finished:
    terms, game, book = house.terms(), house.game, house.book
    hand_cite = uth.DEFINITIONS["hand"].under(book)
    hole = read_hand(player, 2, "The player holds", hand_cite)
    dealers = read_hand(dealer, 2, "The dealer holds", hand_cite)
    community = read_hand(board, 5, "The board has", hand_cite)
    other_holes = tuple(read_hand(o, 2, "Another player holds", hand_cite) for o in others)
    once_each(hole, dealers, community, *other_holes)
    wagers = _placed(ante=ante, blind=ante, trips=trips, cover_all=cover_all)
    if progressive:
        wagers["progressive"] = uth.PROGRESSIVE.exactly
    verify(game, wagers, terms)
    if fold == (play is not None):
        cite = uth.MULTIPLES["after-river"].cite.under(book)
        raise Refused(
            "Say either how the hand was played (4x, 3x, 2x, 1x) or that it folded.", cite
        )
    if play is not None:
        wagers["play"] = wagers["ante"] * _uth_play(house, play)
    if len(other_holes) + 2 > house.positions + 1:
        raise Refused(f"This table has {house.positions} positions.", COVER_ALL_HANDS)
    outcome = uth.outcome(hole, dealers, community, folded=fold, others=other_holes)
    _verify_coupon(house, match_play, wagers)
    settlements = uth.settle(outcome, wagers, terms, coupon=match_play)
    hands: tuple[str, ...] = (
        f"Player: {words(uth.hand_of(hole, community))}",
        f"Dealer: {words(uth.hand_of(dealers, community))}"
        + ("" if outcome.qualified else ", less than a pair"),
    )
    if wagers.get("cover all"):
        hands = (*hands, f"Hands dealt, the dealer's included: {outcome.hands}")
    return Finished(hands, settlements)


def _uth_play(house: House, times: int) -> int:
    """A play wager must be lawful at some betting point: 3 or 4, then 2, then 1."""
    for point in ("before-flop", "after-flop", "after-river"):
        if times in house.multiples[point]:
            return times
    point = "before-flop" if times > 2 else "after-river"
    verify_multiple(house.game, point, times, house.terms())
    return times


def caribbean(
    house: House,
    *,
    player: str,
    dealer: str,
    ante: Cents | None,
    bet: bool,
    fold: bool,
    progressive: bool = False,
    meter: Cents | None = None,
    sharing: int = 1,
    match_play: Cents = 0,
) -> Finished:
    terms, game = house.terms(), house.game
    if meter is not None:
        terms = terms.with_meter(meter)
    hand = read_hand(player, 5, "The player holds", CARIBBEAN_DEALING)
    dealers = read_hand(dealer, 5, "The dealer holds", CARIBBEAN_DEALING)
    once_each(hand, dealers)
    wagers = _placed(ante=ante)
    if progressive:
        wagers["progressive"] = caribbean_stud.PROGRESSIVE.exactly
    verify(game, wagers, terms)
    if fold == bet:
        raise Refused("Say either bet or fold.", caribbean_stud.FORFEITED)
    if not 1 <= sharing <= house.positions:
        sentence = f"From one hand to {house.positions} share the meter here."
        raise Refused(sentence, caribbean_stud.METER_SHARED)
    if bet:
        wagers["bet"] = wagers["ante"] * house.multiples["bet"][0]
    outcome = caribbean_stud.outcome(hand, dealers, folded=fold)
    _verify_coupon(house, match_play, wagers)
    settlements = caribbean_stud.settle(outcome, wagers, terms, sharing=sharing, coupon=match_play)
    hands = (
        f"Player: {words(rank_five(hand))}",
        f"Dealer: {words(rank_five(dealers))}"
        + (", qualifies" if outcome.qualified else ", does not qualify"),
    )
    return Finished(hands, settlements)


def ride(
    house: House,
    *,
    player: str,
    community: str,
    bets: Cents | None,
    withdraw: Sequence[int] = (),
    bonus: bool = False,
    three_card: Cents | None = None,
) -> Finished:
    terms, game = house.terms(), house.game
    hand = read_hand(player, 3, "The player holds", RIDE_HAND)
    board = read_hand(community, 2, "The hand is completed by", RIDE_HAND)
    once_each(hand, board)
    wagers = {bet.name: bets for bet in let_it_ride.BETS if bets}
    if bonus:
        wagers["let it ride bonus"] = let_it_ride.BONUS.exactly
    if three_card:
        wagers["three card bonus"] = three_card
    verify(game, wagers, terms)
    for number in withdraw:
        bet = next((b for b in let_it_ride.BETS if b.name == f"bet {number}"), None)
        if bet is None or not bet.withdrawable:
            raise Refused("Only bet 1 and bet 2 may be withdrawn.", BETS_1_AND_2)
    withdrawn = frozenset(f"bet {number}" for number in withdraw)
    outcome = let_it_ride.outcome(hand, board, withdrawn=withdrawn)
    settlements = let_it_ride.settle(outcome, wagers, terms)
    hands: tuple[str, ...] = (f"Hand: {words(rank_five((*hand, *board)))}",)
    if three_card:
        hands += (f"Three cards: {words(rank_three(hand))}",)
    return Finished(hands, settlements)


def pikit(
    house: House,
    *,
    player: str,
    dealer: str,
    ante: Cents | None,
    play: int | None,
    fold: bool,
    picked: str = "",
    three_card_bonus: Cents | None = None,
    match_play: Cents = 0,
) -> Finished:
    terms, game = house.terms(), house.game
    hand = read_hand(player, 5, "The player holds", PIK_IT_DEALING)
    dealers = read_hand(dealer, 5, "The dealer holds", PIK_IT_DEALING)
    once_each(hand, dealers)
    wagers = {"ante": ante, "5 card bonus": ante, "3 card bonus": three_card_bonus}
    placed = {name: cents for name, cents in wagers.items() if cents}
    verify(game, placed, terms)
    if bool(picked) != bool(three_card_bonus):
        sentence = "A 3 card bonus goes with three picked cards, and picked cards with the bonus."
        raise Refused(sentence, PICK)
    three = read_hand(picked, 3, "The player picks", PICK) if picked else ()
    if not set(three) <= set(hand):
        raise Refused("The picked cards must be among the player's five.", PICK)
    if fold == (play is not None):
        raise Refused("Say either play 3, play 5 or fold.", PLAY_OR_FOLD)
    played = ""
    if play is not None:
        if play not in (3, 5):
            raise Refused(f"A hand is played as 3 or 5 cards, not {said(play)}.", PLAY_OR_FOLD)
        played = f"play {play}"
        placed[played] = placed["ante"] * house.multiples[f"play-{play}"][0]
    outcome = pik_it.outcome(hand, dealers, played=played, picked=three)
    _verify_coupon(house, match_play, placed)
    settlements = pik_it.settle(outcome, placed, terms, coupon=match_play)
    qualifies = (
        ""
        if not house.qualifier
        else (", qualifies" if outcome.qualified else ", does not qualify")
    )
    hands = (
        f"Player: {words(rank_five(hand))}; three cards: {words(best_three(hand))}",
        f"Dealer: {words(rank_five(dealers))}{qualifies}; "
        f"three cards: {words(best_three(dealers))}",
    )
    return Finished(hands, settlements)


def _verify_coupon(house: House, coupon: Cents, wagers: dict[str, Cents]) -> None:
    """A match play coupon lies on the ante (ruling K5)."""
    if coupon:
        verify_match_play(house.game, "ante", coupon, wagers, house.terms())
