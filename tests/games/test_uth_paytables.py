"""Ultimate Texas Hold'em: every printed line to the cent, 32.11(c), (d), and MA 13(f), (k)."""

from __future__ import annotations

import pytest
from helpers import MA_UTH, UTH_BOOKS, cited, only, terms_of, told, uth

from croupier.cards.card import cards
from croupier.games import ultimate_texas_holdem as game
from croupier.house.check import check
from croupier.house.submission import read_data

DEALER = "4h 4d"
# kind: hole cards, board; every one beats the dealer's fours
WINNERS = {
    "royal flush": ("As Ks", "Qs Js Ts 2d 3c"),
    "straight flush": ("9s 8s", "7s 6s 5s 2d Kc"),
    "four-of-a-kind": ("9s 9h", "9d 9c 5s 2d Kc"),
    "full house": ("9s 9h", "9d 5c 5s 2d Kc"),
    "flush": ("As 9s", "7s 6s 2s Kd Jc"),
    "straight": ("9s 8h", "7d 6c 5s Kd 2c"),
    "three-of-a-kind": ("9s 9h", "9d 5c 7s 2d Kc"),
    "two pair": ("9s 5h", "9d 5c 7s 2d Kc"),
    "pair": ("9s Th", "9d 5c 7s 2d Kc"),
}


@pytest.mark.twins("NJ 19:47-32.11(c)")
@pytest.mark.ruling("K3", "K11")
@pytest.mark.parametrize("book", UTH_BOOKS)
@pytest.mark.parametrize(
    ("kind", "blind"),
    [
        ("royal flush", "blind won 5010"),
        ("straight flush", "blind won 501"),
        ("four-of-a-kind", "blind won 100.20"),
        ("full house", "blind won 30.06"),
        ("flush", "blind won 15.03"),
        ("straight", "blind won 10.02"),
        ("three-of-a-kind", "blind pushed"),
        ("two pair", "blind pushed"),
        ("pair", "blind pushed"),
    ],
)
def test_32_11_c__a_winning_blind_of_ten_dollars_and_two_cents_is_paid_to_the_cent(
    book: str, kind: str, blind: str
) -> None:
    hole, board = WINNERS[kind]
    outcome = game.outcome(cards(hole), cards(DEALER), cards(board))
    settled = game.settle(outcome, {"ante": 1_002, "blind": 1_002, "play": 1_002}, terms_of(book))
    assert told(settled) == f"ante won 10.02, play won 10.02, {blind}"


TRIPS = {
    "A": (50, 40, 30, 9, 7, 4, 3),
    "B": (50, 40, 30, 8, 6, 5, 3),
    "C": (50, 40, 30, 8, 7, 4, 3),
    "D": (50, 40, 20, 7, 6, 5, 3),
}
LINES = [
    (table, kind, odds)
    for table, column in TRIPS.items()
    for kind, odds in zip(list(WINNERS)[:7], column, strict=True)
]


@pytest.mark.twins("NJ 19:47-32.11(d)")
@pytest.mark.ruling("K3")
@pytest.mark.parametrize("book", UTH_BOOKS)
@pytest.mark.parametrize(("table", "kind", "odds"), LINES)
def test_32_11_d__trips_is_paid_by_the_table_the_house_picked(
    book: str, table: str, kind: str, odds: int
) -> None:
    terms = terms_of(book, pay={"trips": table})
    hole, board = WINNERS[kind]
    settled = uth(hole, DEALER, board, terms=terms, trips=7)
    assert told([only(settled, "trips")]) == f"trips won {7 * odds}"


@pytest.mark.twins("NJ 19:47-32.11(d)")
@pytest.mark.parametrize("book", UTH_BOOKS)
@pytest.mark.parametrize("table", "ABCD")
@pytest.mark.parametrize("kind", ["two pair", "pair"])
def test_32_11_d__trips_loses_below_three_of_a_kind_on_every_table(
    book: str, table: str, kind: str
) -> None:
    terms = terms_of(book, pay={"trips": table})
    hole, board = WINNERS[kind]
    assert told([only(uth(hole, DEALER, board, terms=terms, trips=7), "trips")]) == "trips lost"


@pytest.mark.twins("NJ 19:47-32.11(d)")
@pytest.mark.ruling("U9")
@pytest.mark.parametrize("book", UTH_BOOKS)
@pytest.mark.parametrize(("flush", "legal"), [("6 to 1", False), ("7 to 1", True), ("8", True)])
def test_u9__a_house_may_pay_at_least_the_printed_line_never_less(
    book: str, flush: str, legal: bool
) -> None:
    """Tables B and D pay 6 on a flush, but 5 on a straight, where this house pays 4."""
    house = read_data({"rulebook": book, "pay": {"trips": {"flush": flush}}})
    assert check(house).legal is legal
    hole, board = WINNERS["flush"]
    settled = uth(hole, DEALER, board, terms=house.terms(), trips=10)
    assert only(settled, "trips").win == 1_000 * int(flush.split()[0])


# --- Cover All -------------------------------------------------------------------------------

OTHERS = ("Qh 3h", "Qd 3d", "Qc 8c", "Jh 6h", "Jd 6d")
COVER_ALL = {
    2: (200, 100, 70, 12),
    3: (150, 80, 50, 8),
    4: (125, 70, 40, 6),
    5: (100, 40, 35, 5),
    6: (80, 40, 30, 4),
    7: (70, 30, 20, 4),
}


@pytest.mark.clause("MA UTH 13(c)", "MA UTH 13(f)", "MA UTH 13(k)")
@pytest.mark.ruling("M2")
@pytest.mark.parametrize("hands", COVER_ALL)
def test_13_f_k__cover_all_pays_by_the_number_of_hands_the_dealers_included(hands: int) -> None:
    column = dict(zip(list(WINNERS)[:4], COVER_ALL[hands], strict=True))
    for kind, odds in column.items():
        hole, board = WINNERS[kind]
        settled = uth(hole, DEALER, board, book=MA_UTH, cover_all=3, others=OTHERS[: hands - 2])
        assert told([only(settled, "cover all")]) == f"cover all won {3 * odds}"
        assert cited(settled, "cover all") == f"MA UTH 13({'f' if hands == 7 else 'k'})"


@pytest.mark.clause("MA UTH 13(b)")
@pytest.mark.ruling("M1")
@pytest.mark.parametrize("hands", COVER_ALL)
@pytest.mark.parametrize("kind", ["flush", "straight", "three-of-a-kind", "two pair", "pair"])
def test_m1__below_a_full_house_cover_all_loses_at_every_table_size(hands: int, kind: str) -> None:
    hole, board = WINNERS[kind]
    settled = uth(hole, DEALER, board, book=MA_UTH, cover_all=3, others=OTHERS[: hands - 2])
    assert told([only(settled, "cover all")]) == "cover all lost"
    assert cited(settled, "cover all") == "MA UTH 13(b)"


BOARD = "9d 5c 5s 2d Kc"


@pytest.mark.clause("MA UTH 13(b)", "MA UTH 13(g)")
@pytest.mark.ruling("M3")
@pytest.mark.parametrize(
    ("player", "dealer", "others", "expected"),
    [
        ("9s 9h", "4h 4d", ("Qh 8h",), "cover all won 8"),  # the player's own full house
        ("Qh 8h", "9s 9h", ("4h 4d",), "cover all won 8"),  # the dealer's
        ("Qh 8h", "4h 4d", ("9s 9h",), "cover all won 8"),  # another player's
        ("9s 9h", "5h 5d", ("Kh Ks",), "cover all won 50"),  # quads pay, full houses beside not
        ("Qh 8h", "4h 4d", ("9s 8d",), "cover all lost"),
    ],
)
def test_13_g__only_the_highest_hand_at_the_table_pays_whoever_holds_it(
    player: str, dealer: str, others: tuple[str, ...], expected: str
) -> None:
    settled = uth(player, dealer, BOARD, book=MA_UTH, cover_all=1, others=others)
    assert told([only(settled, "cover all")]) == expected


@pytest.mark.ruling("M3")
def test_m3__a_folded_hand_counts_for_cover_all_too() -> None:
    """Its own hand is the highest, and it folded; what the seat's others did is no matter."""
    settled = uth("9s 9h", "4h 4d", BOARD, book=MA_UTH, fold=True, cover_all=1, others=("Qh 8h",))
    assert told(settled) == "ante lost, blind lost, cover all won 8"


@pytest.mark.clause("MA UTH 13(j)")
def test_13_j__cover_all_is_settled_after_every_other_wager() -> None:
    settled = uth("9s 9h", "4h 4d", BOARD, book=MA_UTH, trips=1, cover_all=1)
    assert [s.wager for s in settled] == ["ante", "play", "blind", "trips", "cover all"]


@pytest.mark.ruling("M2")
def test_m2__more_than_six_positions_are_refused_where_cover_all_is_offered() -> None:
    def legal(positions: int) -> bool:
        return check(read_data({"rulebook": MA_UTH, "positions": positions})).legal

    assert [legal(positions) for positions in (6, 7)] == [True, False]
