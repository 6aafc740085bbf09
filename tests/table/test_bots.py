"""The bots' rules of thumb, below, on and above each border; and that they only see their view."""

from __future__ import annotations

import random

import pytest
from helpers import ALL_BOOKS, CARIBBEAN, MA_UTH, NJ_UTH, PIK_IT, RIDE
from msgspec.structs import replace

from croupier.cards.card import DECK, cards
from croupier.rules.money import dollars
from croupier.table import bots
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.bots import bot_choice, bot_wagers, names
from croupier.table.dealer import Dealer
from croupier.table.decide import decide
from croupier.table.evolve import evolve
from croupier.table.options import options
from croupier.table.procedure import Kind, current, turn
from croupier.table.refused import Refused
from croupier.table.state import Table
from croupier.table.view import view


def says(policy: str, hand: str, up: str = "") -> str:
    """The first wish of a policy, with how often the ante where that is a choice."""
    verb, times = getattr(bots, policy)(cards(hand), cards(up))[0]
    return f"{verb} {times}" if times else str(verb)


# --- Ultimate Texas Hold'em -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "said"),
    [
        ("2c 2d", "check"),
        ("3c 3d", "play 4"),
        ("Ac Ad", "play 4"),
        ("Ac 2d", "play 4"),
        ("Kc 4d", "check"),
        ("Kc 5d", "play 4"),
        ("Kc 2c", "play 4"),
        ("Qc 7d", "check"),
        ("Qc 8d", "play 4"),
        ("Qc 5c", "check"),
        ("Qc 6c", "play 4"),
        ("Jc 9d", "check"),
        ("Jc Td", "play 4"),
        ("Jc 7c", "check"),
        ("8c Jc", "play 4"),
        ("Tc 9c", "check"),
    ],
)
def test_before_the_flop_four_antes_are_bet_from_the_published_borders_up(
    hand: str, said: str
) -> None:
    assert says("before_flop", hand) == said


@pytest.mark.parametrize(
    ("hand", "flop", "said"),
    [
        ("Kc 7d", "Kd 7h 2c", "play 2"),  # two pair
        ("3c 7d", "Kd 3h 2c", "play 2"),  # a hidden pair
        ("3c 3d", "Kd 9h 2c", "play 2"),  # also in the pocket
        ("2c 2d", "Kd 9h 4c", "check"),  # but not deuces
        ("8c 7d", "Kd Kh 2c", "check"),  # a pair of the board's
        ("8c 7d", "Kd Kh Kc", "check"),  # trips of the board's
        ("8c 8d", "Kd Kh Kc", "play 2"),
        ("Tc 2c", "Kc 8c 4d", "play 2"),  # four to a flush with a hidden ten
        ("9c 2c", "Kc 8c 4d", "check"),
        ("Td 2c", "Kc 8c 4c", "check"),  # the ten is of another suit
        ("6c 7d", "8d 9h Tc", "play 2"),
    ],
)
def test_after_the_flop_two_antes_are_bet_on_two_pair_a_hidden_pair_or_a_flush_draw(
    hand: str, flop: str, said: str
) -> None:
    assert says("after_flop", hand, flop) == said


@pytest.mark.parametrize(
    ("hand", "board", "said"),
    [
        ("3c 7d", "Kd Th 3h 9s 5c", "play 1"),  # a hidden pair
        ("6c 2d", "8d 9h Tc Jd Kc", "fold"),  # any seven, queen or pair beats the board
        ("Ac 2d", "Kd Kh 9s 9c 4d", "play 1"),  # two pair of the board's, ace kicker: few outs
        ("5c 6d", "Kd Kh 9s 9c 8d", "play 1"),  # the board plays: twenty outs
        ("5c 6d", "Kd Kh 9s 9c 7d", "fold"),  # twenty-four
        ("2c 3d", "Kd Qh 9s 7c 5d", "fold"),
    ],
)
def test_on_the_river_one_ante_is_bet_on_a_hidden_pair_or_fewer_than_21_outs(
    hand: str, board: str, said: str
) -> None:
    assert says("after_river", hand, board) == said


# --- Caribbean Stud -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "said"),
    [
        ("Ac Kd Jh 8c 2d", "fold"),
        ("Ac Kd Jh 8c 3d", "bet"),
        ("Ac Kd Jh 9c 2d", "bet"),
        ("Ac Qd Jh Tc 9d", "fold"),
        ("2c 2d 3h 4c 5d", "bet"),
    ],
)
def test_caribbean_stud_is_bet_from_ace_king_jack_eight_three_up(hand: str, said: str) -> None:
    assert says("after_deal", hand) == said


# --- Let It Ride ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "said"),
    [
        ("9c 9d Ah", "withdraw"),
        ("Tc Td 2h", "ride"),
        ("2c 2d 2h", "ride"),
        ("Ac Qc Tc", "ride"),  # three to a royal
        ("3c 4c 5c", "ride"),
        ("2c 3c 4c", "withdraw"),
        ("Ac 2c 3c", "withdraw"),
        ("7c 8c Tc", "ride"),  # one gap, one high card
        ("6c 7c 9c", "withdraw"),
        ("8c Tc Qc", "ride"),  # two gaps, two high cards
        ("7c 9c Jc", "withdraw"),
        ("Tc Jc Qd", "withdraw"),
    ],
)
def test_bet_1_rides_on_a_paying_hand_or_close_cards_of_one_suit(hand: str, said: str) -> None:
    assert says("bet_1", hand) == said


@pytest.mark.parametrize(
    ("hand", "up", "said"),
    [
        ("9c 9d Ah", "2c", "withdraw"),
        ("9c 9d Ah", "Ac", "ride"),
        ("9c 9d 2h", "2c", "ride"),
        ("2c 7c 9c", "Kc", "ride"),  # four to a flush
        ("2c 7c 9c", "Kd", "withdraw"),
        ("5c 6d 7h", "8c", "ride"),  # open at both ends
        ("5c 6d 7h", "9c", "withdraw"),  # inside
        ("Jc Qd Kh", "Ac", "ride"),  # four high cards
        ("Tc Qd Kh", "9c", "withdraw"),
    ],
)
def test_bet_2_rides_on_a_paying_hand_or_four_to_a_flush_or_straight(
    hand: str, up: str, said: str
) -> None:
    assert says("bet_2", hand, up) == said


# --- Pik-It ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "said"),
    [
        ("2c 2d 9h Jc Kd", "play 5"),
        ("4c 5d 6h Tc Kd", "play 3"),  # a straight of three
        ("Kc 9c 4c 2d 7h", "play 3"),  # a king-high flush of three
        ("Qc 9c 4c 2d 7h", "fold"),
        ("Ac Kd 9h 7c 2d", "fold"),
    ],
)
def test_pik_it_plays_five_on_a_pair_and_three_on_a_king_high_flush_up(
    hand: str, said: str
) -> None:
    assert says("play", hand) == said


# --- at the table ---------------------------------------------------------------------------


def seated(book: str, seats: int, chips: int = dollars(1_000)) -> Table:
    table = evolve(None, e.TableOpened("t1", {"rulebook": book}, dollars(100_000)))
    named = names()
    for seat in range(1, seats + 1):
        table = done(table, c.SitDown(c.player(next(named)), seat, chips))
    return table


def done(table: Table, command: c.Command) -> Table:
    answer = decide(table, command)
    assert not isinstance(answer, Refused), (command, answer)
    for event in answer:
        table = evolve(table, event)
    return table


def next_command(table: Table, dealer: Dealer) -> c.Command:
    """What happens next at a table of bots."""
    step = current(table)
    if step is None or step.kind is Kind.BETS:
        for seat, name in enumerate(table.seats, 1):
            if name and not table.position(seat):
                wagers = bot_wagers(table, seat)
                if not wagers:
                    return c.BuyChips(c.player(name), dollars(1_000))
                return c.PlaceWagers(c.player(name), seat, wagers)
    if command := dealer.next_command(table, close_bets=True):
        return command
    assert step is not None
    waiting = turn(table, step)
    assert waiting is not None
    seen = view(table, c.player(waiting.player))
    return bot_choice(table, waiting.seat, seen)


@pytest.mark.parametrize("book", ALL_BOOKS)
@pytest.mark.parametrize("seats", [1, 3, 6])
def test_bots_play_whole_rounds_and_are_never_refused(book: str, seats: int) -> None:
    rng = random.Random(seats)
    dealer = Dealer(lambda deck: rng.sample(list(deck), len(deck)), lambda: rng.randint(10, 42))
    table = seated(book, seats)
    while table.rounds < 30:
        table = done(table, next_command(table, dealer))
        assert table.accounts() == 0


def test_a_fold_at_a_full_massachusetts_table_with_cover_all_up_counts_seven_hands() -> None:
    """MA 13(b): the hand that folds is not dealt twice."""
    rng = random.Random(2)
    dealer = Dealer(lambda deck: rng.sample(list(deck), len(deck)), lambda: rng.randint(10, 42))
    table = seated(MA_UTH, 6)
    folds = 0
    while table.rounds < 20:
        command = next_command(table, dealer)
        if isinstance(command, c.Choose) and command.verb == "fold":
            position = table.position(command.seat)
            assert position is not None
            folds += "cover all" in position.placed
        table = done(table, command)
    assert folds > 0


@pytest.mark.parametrize("book", ALL_BOOKS)
def test_a_bot_wagers_by_its_seat_and_every_other_seat_adds_the_optional_ones(book: str) -> None:
    table = seated(book, 3)
    optional = {w.name for w in table.house.game.wagers if w.key in table.house.offered}
    first, second, third = (bot_wagers(table, seat) for seat in (1, 2, 3))
    assert optional <= set(first)
    assert optional <= set(third)
    assert not optional & set(second)
    main = next(iter(second))
    assert (first[main], second[main], third[main]) == (dollars(10), dollars(15), dollars(5))


@pytest.mark.parametrize(
    ("chips", "wagered"), [(dollars(10) - 1, 0), (dollars(10), 10), (dollars(30), 30)]
)
def test_a_bot_short_of_chips_falls_back_to_the_minimum_and_then_to_nothing(
    chips: int, wagered: int
) -> None:
    table = seated(NJ_UTH, 2, chips)
    assert sum(bot_wagers(table, 2).values()) == dollars(wagered)


@pytest.mark.parametrize("chips", [dollars(30), dollars(30 + 44), dollars(30 + 45), dollars(90)])
def test_a_bot_bets_only_what_its_chips_allow(chips: int) -> None:
    """Seat 2 antes $15; with aces it wants $60, settles for $45, and else checks."""
    table = seated(NJ_UTH, 2, chips)
    strong = cards("Ac Ad")
    rest = [each for each in DECK if each not in strong]
    order = [rest[0], strong[0], rest[1], rest[2], strong[1], *rest[3:]]  # seats 1, 2, dealer
    stacked = [order[-10:] + order[:-10]]  # the cut brings ten back to the bottom
    dealer = Dealer(lambda deck: stacked[0], lambda: 10)
    while not table.round or not table.round.dealt or turn_of(table) != 2:
        table = done(table, next_command(table, dealer))
    position = table.position(2)
    assert position is not None
    assert position.cards == strong
    choice = bot_choice(table, 2, view(table, c.player("Ben")))
    left = chips - dollars(30)
    wanted = 4 if left >= dollars(60) else 3 if left >= dollars(45) else 0
    assert (choice.verb, choice.times) == ("play" if wanted else "check", wanted)


def turn_of(table: Table) -> int:
    step = current(table)
    waiting = turn(table, step) if step else None
    return waiting.seat if waiting else 0


@pytest.mark.parametrize("book", [NJ_UTH, CARIBBEAN, RIDE, PIK_IT])
def test_a_bot_chooses_the_same_whatever_lies_hidden(book: str) -> None:
    """Every hidden card is exchanged for another; the view, and so the choice, stay."""
    rng = random.Random(4)
    dealer = Dealer(lambda deck: rng.sample(list(deck), len(deck)), lambda: rng.randint(10, 42))
    table = seated(book, 3)
    looked = 0
    while table.rounds < 10:
        command = next_command(table, dealer)
        if isinstance(command, c.Choose):
            other = hidden_reversed(table, command.seat)
            actor = c.player(table.seats[command.seat - 1])
            assert view(other, actor) == view(table, actor)
            assert bot_choice(other, command.seat, view(other, actor)) == command
            assert command in options(table, actor)
            looked += 1
        table = done(table, command)
    assert looked > 20


def hidden_reversed(table: Table, seat: int) -> Table:
    """The same table with the hidden cards of stub and other hands in reverse order."""
    round = table.now
    hands = [p for p in round.positions if p.seat != seat and not p.shown and not p.picked]
    hands = [p for p in hands if not p.racked]
    swapped = {p.seat: q.cards for p, q in zip(hands, hands[::-1], strict=True)}
    positions = tuple(replace(p, cards=swapped.get(p.seat, p.cards)) for p in round.positions)
    return replace(table, round=replace(round, positions=positions, stub=round.stub[::-1]))
