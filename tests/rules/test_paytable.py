"""Pay tables: which line pays a class of hand, and whether a table pays no less than another."""

from __future__ import annotations

import pytest
from helpers import NJ_UTH

from croupier.cards.card import cards
from croupier.cards.ranking import rank_five, rank_three
from croupier.law.clause import rulebook
from croupier.rules.odds import to
from croupier.rules.paytable import (
    FIVE_CARD_CLASSES,
    THREE_CARD_CLASSES,
    Line,
    PayTable,
    a_hand,
    hand_class,
    in_words,
    printed_tables,
)

CITE = rulebook(NJ_UTH)("32.11(d)")


def table(**lines: int) -> PayTable:
    """A table of lines paid so much to 1."""
    read = tuple(Line(name.replace("_", "-"), to(win)) for name, win in lines.items())
    return PayTable("trips", "custom", read, CITE)


def paid(pay: PayTable, hand: str) -> str:
    line = pay.line_for(hand)
    return str(line) if line else "nothing"


@pytest.mark.parametrize(
    ("hand", "named"),
    [
        ("As Ks Qs Js Ts", "royal-flush"),
        ("Ks Qs Js Ts 9s", "straight-flush"),
        ("9s 9h 9d 9c 2s", "four-of-a-kind"),
        ("9s 9h 9d 2c 2s", "full-house"),
        ("As 9s 5s 4s 3s", "flush"),
        ("5s 4h 3d 2c As", "straight"),
        ("9s 9h 9d 3c 2s", "three-of-a-kind"),
        ("9s 9h 3d 3c 2s", "two-pair"),
        ("As Ah 4d 3c 2s", "tens-or-better"),
        ("Ts Th 4d 3c 2s", "tens-or-better"),
        ("9s 9h Ad Kc Qs", "pair"),
        ("As Kh Qd Jc 9s", "high-card"),
    ],
)
def test_a_five_card_hand_has_one_class_and_pairs_part_at_tens(hand: str, named: str) -> None:
    assert hand_class(rank_five(cards(hand))) == named
    assert named in FIVE_CARD_CLASSES


@pytest.mark.parametrize(
    ("hand", "named"),
    [
        ("As Ks Qs", "royal-flush"),
        ("3s 2s As", "straight-flush"),
        ("9s 9h 9d", "three-of-a-kind"),
        ("As 2h 3d", "straight"),
        ("Ks As 2s", "flush"),
        ("Ts Th 2d", "pair"),
        ("As Kh 2d", "high-card"),
    ],
)
def test_a_three_card_hand_has_one_class(hand: str, named: str) -> None:
    assert hand_class(rank_three(cards(hand))) == named
    assert named in THREE_CARD_CLASSES


@pytest.mark.ruling("L1", "K2")
def test_l1__the_royal_is_paid_by_its_own_line_else_as_the_straight_flush_it_also_is() -> None:
    assert paid(table(royal_flush=9, straight_flush=5), "royal-flush") == "royal flush: 9 to 1"
    assert paid(table(mini_royal=8, straight_flush=5), "royal-flush") == "mini-royal: 8 to 1"
    assert paid(table(straight_flush=5, flush=2), "royal-flush") == "straight flush: 5 to 1"
    assert paid(table(flush=2), "royal-flush") == "nothing"


def test_a_pair_line_pays_every_pair_and_a_tens_line_only_tens_or_better() -> None:
    assert paid(table(pair=1), "tens-or-better") == "pair: 1 to 1"
    assert paid(table(tens_or_better=2, pair=1), "tens-or-better") == "tens or better: 2 to 1"
    assert paid(table(tens_or_better=2), "pair") == "nothing"
    assert paid(table(two_pair=2), "high-card") == "nothing"


@pytest.mark.ruling("U9")
def test_u9__a_table_falls_short_on_each_line_it_pays_less_on_or_leaves_out() -> None:
    printed = table(flush=7, straight=4, three_of_a_kind=3)

    def short(custom: PayTable) -> list[str]:
        return [name for name, _ in custom.shortfalls(printed)]

    assert short(table(flush=7, straight=4, three_of_a_kind=3)) == []
    assert short(table(flush=8, straight=4, three_of_a_kind=3)) == []
    assert short(table(flush=6, straight=99, three_of_a_kind=3)) == ["flush"]
    assert short(table(flush=7, three_of_a_kind=2)) == ["straight", "three-of-a-kind"]


def test_tables_are_the_same_when_they_pay_the_same_lines_in_any_order() -> None:
    assert table(flush=7, straight=4).same_awards(table(straight=4, flush=7))
    assert not table(flush=7, straight=4).same_awards(table(flush=7, straight=5))
    assert not table(flush=7, straight=4).same_awards(table(flush=7))


def test_hands_and_lines_are_said_as_the_texts_say_them() -> None:
    assert in_words("three-of-a-kind") == "three-of-a-kind"
    assert in_words("full-house") == "full house"
    assert [a_hand(each) for each in ("two-pair", "tens-or-better", "high-card", "flush")] == [
        "Two pair",
        "A pair",
        "A hand without a pair",
        "A flush",
    ]


@pytest.mark.parametrize(
    ("game", "names"),
    [
        (
            "ultimate-texas-holdem",
            {"blind": ["law"], "trips": list("ABCD"), "cover-all": list("234567")},
        ),
        ("caribbean-stud", {"bet": ["supplied"], "progressive": ["supplied"]}),
        ("let-it-ride", {"main": ["law"], "bonus": ["law"], "three-card": list("ABCDEF")}),
        ("pik-it", {"five-card-bonus": ["1", "2"], "three-card-bonus": ["1", "2", "3"]}),
    ],
)
def test_each_text_prints_these_tables_and_no_other(game: str, names: dict[str, list[str]]) -> None:
    printed = printed_tables(game)
    assert {wager: list(tables.tables) for wager, tables in printed.items()} == names
    assert all(tables.default.name == names[wager][0] for wager, tables in printed.items())


def test_a_house_may_pay_more_only_where_the_text_says_no_less_than() -> None:
    more = {
        wager
        for game in ("ultimate-texas-holdem", "caribbean-stud", "let-it-ride", "pik-it")
        for wager, tables in printed_tables(game).items()
        if tables.may_pay_more
    }
    assert more == {"trips", "main", "bonus", "three-card", "five-card-bonus", "three-card-bonus"}
