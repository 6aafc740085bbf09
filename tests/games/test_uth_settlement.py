"""Ultimate Texas Hold'em: who wins what, 32.10(e) to (h), under both books."""

from __future__ import annotations

import pytest
from helpers import MA_UTH, NJ_UTH, UTH_BOOKS, cited, progressive_terms, terms_of, told, uth

from croupier.cards.card import cards
from croupier.games import ultimate_texas_holdem as game
from croupier.rules.game import Versus
from croupier.rules.settlement import total

BOARD = "9d 5c 7s 2d Kc"


def under(book: str, new_jersey: str) -> str:
    """The id of a clause of 32.10 or 32.11 in the other book's numbering."""
    if book == NJ_UTH:
        return f"NJ 19:47-32.{new_jersey}"
    return {
        "10(e)2": "MA UTH 10(e)(2)",
        "10(e)2i": "MA UTH 10(e)(2)(i)",
        "10(g)": "MA UTH 10(g)",
        "10(h)1": "MA UTH 10(h)(1)",
        "10(h)2": "MA UTH 10(h)(2)",
        "10(h)3": "MA UTH 10(h)(3)",
        "10(h)4": "MA UTH 10(h)(4)",
        "11(b)": "MA UTH 11(b)",
        "11(c)": "MA UTH 11(c)",
        "11(d)": "MA UTH 11(d)",
    }[new_jersey]


# --- (g): whether the dealer has a pair ------------------------------------------------------


@pytest.mark.twins("NJ 19:47-32.10(g)", "NJ 19:47-32.10(h)")
@pytest.mark.ruling("U1")
@pytest.mark.parametrize("book", UTH_BOOKS)
@pytest.mark.parametrize(
    ("dealer", "board", "expected"),
    [
        ("Ah 3c", BOARD, "ante pushed, play won 5, blind pushed"),  # ace-high, below a pair
        ("2h 3c", BOARD, "ante won 5, play won 5, blind pushed"),  # a pair of twos, the lowest
        ("2h 3c", "9d 5c 7s 2d 2c", "ante lost, play lost, blind lost"),
        ("Ah 3c", "9d 5c 7s 4d 4c", "ante won 5, play won 5, blind pushed"),  # on the board
    ],
)
def test_32_10_g__the_dealer_needs_at_least_a_pair_also_one_on_the_board(
    book: str, dealer: str, board: str, expected: str
) -> None:
    assert told(uth("9s Th", dealer, board, book=book)) == expected


@pytest.mark.twins("NJ 19:47-32.10(g)")
@pytest.mark.ruling("U1")
@pytest.mark.parametrize("book", UTH_BOOKS)
@pytest.mark.parametrize(
    ("player", "expected"),
    [
        ("Kh Th", "ante pushed, play won 5, blind pushed"),
        ("Ad 3d", "ante pushed, play pushed, blind pushed"),
        ("Qs Th", "ante pushed, play lost, blind lost"),
    ],
)
def test_32_10_g__dealer_below_a_pair_returns_every_ante_even_a_losing_players(
    book: str, player: str, expected: str
) -> None:
    settled = uth(player, "Ah 3c", BOARD, book=book)
    assert told(settled) == expected
    assert cited(settled, "ante") == under(book, "10(g)")


# --- (h)1 to 3 -------------------------------------------------------------------------------


@pytest.mark.twins("NJ 19:47-32.10(h)1")
@pytest.mark.parametrize("book", UTH_BOOKS)
def test_32_10_h_1__a_lower_hand_loses_ante_play_and_blind(book: str) -> None:
    settled = uth("9s Th", "Kh 3c", BOARD, book=book, play=4)
    assert told(settled) == "ante lost, play lost, blind lost"
    assert {s.clause.id for s in settled} == {under(book, "10(h)1")}
    assert total(settled) == -500 - 2_000 - 500


@pytest.mark.twins("NJ 19:47-32.10(h)2", "NJ 19:47-32.11(b)")
@pytest.mark.parametrize("book", UTH_BOOKS)
@pytest.mark.parametrize("times", [1, 2, 3, 4])
def test_32_10_h_2__a_higher_hand_is_paid_1_to_1_on_ante_and_play(book: str, times: int) -> None:
    settled = uth("Ks Th", "9h 3c", BOARD, book=book, play=times)
    assert told(settled) == f"ante won 5, play won {5 * times}, blind pushed"
    assert cited(settled, "ante") == cited(settled, "play") == under(book, "11(b)")
    assert cited(settled, "blind") == under(book, "10(h)2")


@pytest.mark.twins("NJ 19:47-32.10(h)3", 'NJ 19:47-32.1 "Push"')
@pytest.mark.ruling("U1", "U2")
@pytest.mark.parametrize("book", UTH_BOOKS)
def test_32_10_h_3__equal_hands_push_and_no_money_moves(book: str) -> None:
    settled = uth("Ks Th", "Kh Tc", BOARD, book=book, play=4)
    assert told(settled) == "ante pushed, play pushed, blind pushed"
    assert {s.clause.id for s in settled} == {under(book, "10(h)3")}
    assert total(settled) == 0


@pytest.mark.twins("NJ 19:47-32.10(h)2", "NJ 19:47-32.11(c)")
@pytest.mark.ruling("U2")
@pytest.mark.parametrize("book", UTH_BOOKS)
@pytest.mark.parametrize(
    ("player", "blind"),
    [
        ("9s 9h", "blind pushed"),  # three-of-a-kind, one below a straight
        ("8s 6h", "blind won 5"),  # a straight
        ("Kd 9h", "blind pushed"),  # two pair
    ],
)
def test_u2__a_winning_blind_is_paid_from_at_least_a_straight(
    book: str, player: str, blind: str
) -> None:
    assert told(uth(player, "4h 4d", BOARD, book=book)) == f"ante won 5, play won 5, {blind}"


@pytest.mark.ruling("U2")
@pytest.mark.parametrize("book", UTH_BOOKS)
def test_u2__a_losing_straight_loses_the_blind_and_a_tied_one_pushes_it(book: str) -> None:
    board = "9c 5c 7s 2c Kd"
    assert told(uth("6s 8h", "Ac 3c", board, book=book)) == "ante lost, play lost, blind lost"
    tied = uth("6s 8h", "6d 8d", board, book=book)
    assert told(tied) == "ante pushed, play pushed, blind pushed"
    assert cited(tied, "blind") == under(book, "10(h)3")


@pytest.mark.ruling("U1", "U2")
@pytest.mark.parametrize("book", UTH_BOOKS)
def test_u1__a_straight_against_a_dealer_below_a_pair_pays_play_and_blind_but_not_the_ante(
    book: str,
) -> None:
    settled = uth("8s 6h", "Ah 3c", BOARD, book=book)
    assert told(settled) == "ante pushed, play won 5, blind won 5"
    assert cited(settled, "blind") == under(book, "11(c)")


# --- (e)2: folds -----------------------------------------------------------------------------


@pytest.mark.twins("NJ 19:47-32.10(e)2", 'NJ 19:47-32.1 "Fold"')
@pytest.mark.parametrize("book", UTH_BOOKS)
@pytest.mark.parametrize("dealer", ["Ah 3c", "4h 3c", "Kh Kd"])
def test_32_10_e_2__a_fold_loses_ante_and_blind_whatever_the_dealer_has(
    book: str, dealer: str
) -> None:
    settled = uth("9s 9h", dealer, BOARD, book=book, fold=True)
    assert told(settled) == "ante lost, blind lost"
    assert {s.clause.id for s in settled} == {under(book, "10(e)2")}


@pytest.mark.twins("NJ 19:47-32.10(e)2i", 'NJ 19:47-32.1 "Trips wager"')
@pytest.mark.ruling("U3")
@pytest.mark.parametrize("book", UTH_BOOKS)
def test_u3__a_folded_players_trips_stays_live_on_seven_cards_and_can_win(book: str) -> None:
    won = uth("9s 9h", "Kh Kd", BOARD, book=book, fold=True, trips=5)
    assert told(won) == "ante lost, blind lost, trips won 15"
    lost = uth("9s 5h", "Kh Kd", BOARD, book=book, fold=True, trips=5)
    assert told(lost) == "ante lost, blind lost, trips lost"
    assert cited(lost, "trips") == under(book, "10(e)2i")


# --- (h)4: trips -----------------------------------------------------------------------------


@pytest.mark.twins("NJ 19:47-32.10(h)4", 'NJ 19:47-32.1 "Trips wager"', "NJ 19:47-32.6(c)")
@pytest.mark.parametrize("book", UTH_BOOKS)
@pytest.mark.parametrize(
    ("player", "dealer", "expected"),
    [
        ("9s 9h", "Kh Kd", "ante lost, play lost, blind lost, trips won 15"),
        ("9s 9h", "4h 4d", "ante won 5, play won 5, blind pushed, trips won 15"),
        ("9s 5h", "4h 4d", "ante won 5, play won 5, blind pushed, trips lost"),
        ("9s 5h", "9h 5d", "ante pushed, play pushed, blind pushed, trips lost"),
        ("9s 9h", "Ah 3c", "ante pushed, play won 5, blind pushed, trips won 15"),
    ],
)
def test_32_10_h_4__trips_is_settled_last_on_the_players_hand_alone(
    book: str, player: str, dealer: str, expected: str
) -> None:
    settled = uth(player, dealer, BOARD, book=book, trips=5)
    assert told(settled) == expected
    assert settled[:-1] == uth(player, dealer, BOARD, book=book)  # no bearing on the others
    clause = "11(d)" if "trips won" in expected else "10(h)4"
    assert cited(settled, "trips") == under(book, clause)


# --- (f): the best five of seven -------------------------------------------------------------


@pytest.mark.twins('NJ 19:47-32.1 "Hand"', 'NJ 19:47-32.1 "Community card"', "NJ 19:47-32.10(f)")
@pytest.mark.ruling("U4")
@pytest.mark.parametrize("book", UTH_BOOKS)
@pytest.mark.parametrize(
    ("player", "dealer", "board", "expected"),
    [
        # none: the board plays for both
        ("2d 3c", "4h 4d", "As Ks Qs Js Ts", "ante pushed, play pushed, blind pushed"),
        # one: the ace over the board's king-high straight flush
        ("As 3c", "4h 4d", "Ks Qs Js Ts 9s", "ante won 5, play won 5, blind won 2500"),
        # two: both hole cards into the straight
        ("8s 6h", "4h 4d", BOARD, "ante won 5, play won 5, blind won 5"),
        # the dealer plays one card, the player none
        ("2d 3c", "Kh 4d", "Ks Qs Js Qd Jd", "ante lost, play lost, blind lost"),
    ],
)
def test_u4__the_best_five_of_seven_use_two_one_or_none_of_the_hole_cards(
    book: str, player: str, dealer: str, board: str, expected: str
) -> None:
    assert told(uth(player, dealer, board, book=book)) == expected


@pytest.mark.twins('NJ 19:47-32.1 "Rank"')
@pytest.mark.parametrize("book", UTH_BOOKS)
def test_32_1_rank__a_kicker_decides_but_a_suit_does_not(book: str) -> None:
    board = "Kd 9d 7s 2d 3c"
    assert told(uth("Ks Qh", "Kh Jc", board, book=book)).startswith("ante won")
    assert told(uth("Ks Qh", "Kh Qd", board, book=book)).startswith("ante pushed")


# --- the outcome, and Massachusetts' progressive ---------------------------------------------


def test_an_outcome_reads_class_comparison_and_qualification_from_the_cards() -> None:
    read = game.outcome(cards("9s 9h"), cards("Ah 3c"), cards(BOARD), others=(cards("Kh Kd"),))
    assert read == game.Outcome(
        hand="three-of-a-kind",
        versus=Versus.HIGHER,
        qualified=False,
        folded=False,
        highest="three-of-a-kind",
        hands=3,
        flop="three-of-a-kind",
    )


@pytest.mark.clause("MA UTH 14(c)")
@pytest.mark.ruling("M5", "H4")
@pytest.mark.parametrize("fold", [False, True])
def test_m5__the_progressive_is_judged_on_hole_cards_and_flop_and_survives_a_fold(
    fold: bool,
) -> None:
    terms = progressive_terms()

    def progressive(player: str, board: str) -> str:
        settled = uth(player, "4h 4d", board, terms=terms, trips=5, progressive=5, fold=fold)
        assert settled[-1].clause.id == "MA UTH 14(c)"  # in sequence, after trips
        assert [s.wager for s in settled[-2:]] == ["trips", "progressive"]
        return told(settled[-1:])

    assert progressive("As Ks", "Qs Js Ts 2d 3c") == "progressive won 100000"
    assert progressive("9s 8s", "7s 6s 5s 2d 3c") == "progressive won 10000"
    assert progressive("As 8s", "7s 6s 2s 2d 3c") == "progressive won 50"
    assert progressive("As Ks", "Qs Js 2d Ts 3c") == "progressive lost"  # complete on the turn
    assert progressive("8s 6h", "9d 5c 7s 2d Kc") == "progressive lost"  # no line for a straight


@pytest.mark.ruling("H4", "K3")
def test_h4__a_winning_progressive_gets_its_five_dollars_back() -> None:
    settled = uth("As 8s", "4h 4d", "7s 6s 2s 2d 3c", terms=progressive_terms(), progressive=5)
    assert total(settled[-1:]) == 5_000


def test_massachusetts_settles_by_its_own_clauses_and_new_jersey_by_its_own() -> None:
    for book, prefix in ((NJ_UTH, "NJ 19:47-32."), (MA_UTH, "MA UTH ")):
        for dealer in ("4h 4d", "Kh Kd", "9h 9c", "Ah 3c"):
            settled = uth("9s 8h", dealer, BOARD, terms=terms_of(book), trips=5)
            assert all(s.clause.id.startswith(prefix) for s in settled)
