"""What each game declares: the acts of its round in order, its wagers, its words."""

from __future__ import annotations

import pytest
from helpers import ALL_BOOKS, CARIBBEAN, MA_UTH, NJ_UTH, PIK_IT, RIDE, UTH_BOOKS, house

from croupier.games.registry import GAMES, RULEBOOKS, game_named, game_under
from croupier.house.check import check
from croupier.law.refused import Refused
from croupier.rules.game import Game
from croupier.rules.stage import Burn, Choose, Deal, NoMoreBets, Reveal, Settle


def acts(book: str) -> list[str]:
    """The round as one line for each act; the cards dealt, who is asked for what, what is paid."""
    return [_act(stage) for stage in game_under(book).round]


def _act(stage: object) -> str:
    match stage:
        case NoMoreBets():
            return "no more bets"
        case Deal():
            return f"deal {stage.cards} {stage.face} to {', '.join(stage.to)}"
        case Burn():
            return f"burn {stage.what}"
        case Reveal():
            return f"reveal {stage.what}"
        case Choose():
            said = (f"{c.verb} {'/'.join(map(str, c.multiples))}".strip() for c in stage.choices)
            return f"{stage.point}: {' or '.join(said)} {stage.order}"
        case Settle():
            return f"settle {', '.join(stage.wagers)} {stage.order}"
    raise AssertionError(stage)


def cites(book: str) -> list[str]:
    """The clause each act stands on, in the book's own numbering."""
    table = house(book)
    return [stage.cite.under(table.book).id for stage in table.game.round]


LEFT, RIGHT = "from the dealer's left", "from the dealer's right"


@pytest.mark.twins(
    "NJ 19:47-32.10(a)", "NJ 19:47-32.10(c)", "NJ 19:47-32.10(e)", 'NJ 19:47-32.1 "Community card"'
)
@pytest.mark.ruling("K4", "U6", "M7")
@pytest.mark.parametrize("book", UTH_BOOKS)
def test_32_10__two_cards_then_three_betting_points_around_a_board_dealt_face_up(book: str) -> None:
    assert acts(book) == [
        "no more bets",
        "deal 2 down to players, dealer",
        f"before-flop: check or play 3/4 {LEFT}",
        "burn deck",
        "deal 3 up to community",
        f"after-flop: check or play 2 {LEFT}",
        "burn deck",
        "deal 2 up to community",
        f"after-river: fold or play 1 {LEFT}",
        "reveal dealer",
        f"settle ante, play, blind, trips, progressive {RIGHT}",
        f"settle cover all {RIGHT}",
    ]


@pytest.mark.twins('NJ 19:47-32.1 "Check"', 'NJ 19:47-32.1 "Play wager"', 'NJ 19:47-32.1 "Fold"')
@pytest.mark.ruling("U5")
@pytest.mark.parametrize("book", UTH_BOOKS)
def test_u5__a_check_waives_one_betting_point_only_and_a_fold_comes_only_at_the_last(
    book: str,
) -> None:
    points = [stage for stage in game_under(book).round if isinstance(stage, Choose)]
    verbs = [[choice.verb for choice in point.choices] for point in points]
    assert verbs == [["check", "play"], ["check", "play"], ["fold", "play"]]
    table = house(book)
    checks = {c.cite.under(table.book).id for p in points for c in p.choices if c.cite}
    word = 'MA UTH 1 "Check"' if book == MA_UTH else 'NJ 19:47-32.1 "Check"'
    assert word in checks


@pytest.mark.twins("NJ 19:47-32.10(f)", "NJ 19:47-32.10(h)")
@pytest.mark.ruling("K4")
@pytest.mark.parametrize(
    ("book", "tail"),
    [
        (NJ_UTH, ["NJ 19:47-32.10(f)", "NJ 19:47-32.10(h)", "MA UTH 13(j)"]),
        (MA_UTH, ["MA UTH 10(f)", "MA UTH 10(h)", "MA UTH 13(j)"]),
    ],
)
def test_32_10_f_h__the_dealer_reveals_after_the_last_decision_then_settles_from_the_right(
    book: str, tail: list[str]
) -> None:
    assert cites(book)[-3:] == tail
    *_, decision, reveal, settle, _ = acts(book)
    assert decision.startswith("after-river")
    assert reveal == "reveal dealer"
    assert settle.endswith(RIGHT)


@pytest.mark.clause("NJ 19:47-16.10(a)")
@pytest.mark.ruling("K4", "S1")
def test_16_10_a__five_cards_and_an_up_card_then_bet_or_fold_before_the_dealer_reveals() -> None:
    assert acts(CARIBBEAN) == [
        "no more bets",
        "deal 5 down to players, dealer",
        "reveal dealer's up-card",
        f"after-deal: fold or bet 2 {LEFT}",
        "reveal dealer",
        f"settle ante, bet, progressive {RIGHT}",
    ]
    assert cites(CARIBBEAN)[3:] == ["NJ 19:47-16.10(a)", "SUPPLIED S2.3(a)", "SUPPLIED S2.3(b)"]


@pytest.mark.clause('NJ 19:47-18.1 "Community card"', 'NJ 19:47-18.1 "Let it ride"')
@pytest.mark.ruling("L8", "K4")
def test_l8__bet_1_then_bet_2_may_each_ride_or_be_withdrawn_whatever_came_of_the_other() -> None:
    assert acts(RIDE) == [
        "no more bets",
        "deal 3 down to players, community",
        f"bet-1: withdraw or ride {LEFT}",
        "burn community, dealer's left",
        "reveal community",
        f"bet-2: withdraw or ride {LEFT}",
        "reveal community",
        "reveal player",
        f"settle bet 1, bet 2, bet 3, let it ride bonus, three card bonus {RIGHT}",
    ]
    points = [stage for stage in game_under(RIDE).round if isinstance(stage, Choose)]
    assert [[c.wager for c in point.choices] for point in points] == [["bet 1"] * 2, ["bet 2"] * 2]
    assert {str(point.choices[1].cite) for point in points} == {'NJ 19:47-18.1 "Let it ride"'}


@pytest.mark.clause("NJ 19:47-18.6(d)")
def test_18_6_d__bets_1_and_2_may_be_withdrawn_and_bet_3_never() -> None:
    game = game_under(RIDE)
    assert [w.name for w in game.wagers if w.withdrawable] == ["bet 1", "bet 2"]


@pytest.mark.clause("NJ 19:47-18.10(g)1")
def test_18_10_g_1__both_community_cards_and_the_players_three_are_up_before_anything_is_paid() -> (
    None
):
    assert acts(RIDE)[-4:-1].count("reveal community") == 1
    assert acts(RIDE)[-2] == "reveal player"
    assert cites(RIDE)[-2] == "NJ 19:47-18.10(g)1"


@pytest.mark.clause(
    "NJ 13:69F-39.10(b)",
    "NJ 13:69F-39.10(c)2",
    "NJ 13:69F-39.10(c)3",
    "NJ 13:69F-39.10(d)",
    "NJ 13:69F-39.10(e)",
    'NJ 13:69F-39.1 "Fold"',
)
@pytest.mark.ruling("P2", "K4")
def test_39_10__the_pick_comes_before_the_reveal_and_each_bonus_before_the_decision() -> None:
    assert acts(PIK_IT) == [
        "no more bets",
        "deal 5 down to players, dealer",
        f"pick: pick {RIGHT}",
        f"settle 3 card bonus {RIGHT}",
        "reveal player",
        f"settle 5 card bonus {RIGHT}",
        f"play: fold or play 3 1/2 or play 5 1/2 {RIGHT}",
        "reveal dealer",
        f"settle ante, play 3, play 5 {RIGHT}",
    ]
    assert cites(PIK_IT)[2:] == [
        "NJ 13:69F-39.10(b)",
        "NJ 13:69F-39.10(b)",
        "NJ 13:69F-39.10(c)1",
        "NJ 13:69F-39.10(c)2",
        "NJ 13:69F-39.10(c)3",
        "NJ 13:69F-39.10(d)",
        "NJ 13:69F-39.10(e)",
    ]


# --- the layout ------------------------------------------------------------------------------


@pytest.mark.clause(
    "NJ 13:69E-1.13Y(b)1i",
    "NJ 13:69E-1.13Y(b)1ii",
    "NJ 13:69E-1.13Y(b)1iii",
    "NJ 13:69E-1.13Y(b)1iv",
    "NJ 13:69E-1.13Y(b)1v",
)
def test_1_13y_b_1__every_wager_of_pik_it_has_its_own_betting_area() -> None:
    game = game_under(PIK_IT)
    assert {name: cite.id for name, cite in game.areas.items()} == {
        "ante": "NJ 13:69E-1.13Y(b)1i",
        "5 card bonus": "NJ 13:69E-1.13Y(b)1ii",
        "3 card bonus": "NJ 13:69E-1.13Y(b)1iii",
        "play 3": "NJ 13:69E-1.13Y(b)1iv",
        "play 5": "NJ 13:69E-1.13Y(b)1v",
    }
    assert set(game.areas) == {wager.name for wager in game.wagers}


@pytest.mark.ruling("P12")
@pytest.mark.parametrize(
    ("book", "positions"), [(NJ_UTH, 21), (MA_UTH, 21), (CARIBBEAN, 9), (RIDE, 16), (PIK_IT, 9)]
)
def test_p12__one_deck_serves_so_many_positions(book: str, positions: int) -> None:
    assert game_under(book).most_positions == positions
    assert house(book).positions == 6


@pytest.mark.twins("NJ 19:47-32.7(a)", "NJ 19:47-32.8(a)", "NJ 19:47-32.9(a)")
@pytest.mark.clause("NJ 19:47-16.9(a)", "NJ 19:47-18.9(a)", "NJ 13:69F-39.9(a)")
@pytest.mark.parametrize(
    ("book", "stack", "clauses"),
    [
        (NJ_UTH, 2, [f"NJ 19:47-32.{n}(a)" for n in (7, 8, 9)]),
        (MA_UTH, 2, [f"MA UTH {n}(a)" for n in (7, 8, 9)]),
        (CARIBBEAN, 5, [f"NJ 19:47-16.{n}(a)" for n in (7, 8, 9)]),
        (RIDE, 3, [f"NJ 19:47-18.{n}(a)" for n in (7, 8, 9)]),
        (PIK_IT, 5, [f"NJ 13:69F-39.{n}(a)" for n in (7, 8, 9)]),
    ],
)
def test_each_text_knows_three_ways_of_dealing_and_stacks_of_its_own_size(
    book: str, stack: int, clauses: list[str]
) -> None:
    ways = ("manual shoe", "hand", "automated shoe")
    table = house(book)
    procedures = table.game.procedures
    assert [procedures[way].chosen.under(table.book).id for way in ways] == clauses
    assert [procedures[way].stacks for way in procedures] == [False, False, True]
    assert table.game.cards_each == stack
    for way in ways:
        assert check(house(book, dealing=way, shuffling="automated")).legal


# --- the registry ----------------------------------------------------------------------------


def test_there_are_four_games_under_five_books() -> None:
    assert [game.id for game in GAMES] == [
        "ultimate-texas-holdem",
        "caribbean-stud",
        "let-it-ride",
        "pik-it",
    ]
    assert RULEBOOKS == ALL_BOOKS


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_found_by_id_alias_and_book(game: Game) -> None:
    assert game_named(game.id) is game_named(game.alias) is game
    assert all(game_under(book.id) is game for book in game.books)


def test_an_unknown_game_or_book_is_refused_with_the_known_ones() -> None:
    with pytest.raises(Refused, match=r"caribbean \(caribbean-stud\)"):
        game_named("blackjack")
    with pytest.raises(Refused, match="nj-let-it-ride"):
        game_under("nv-let-it-ride")
