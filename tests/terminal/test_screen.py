"""The full screen without a terminal: keys in, pages of 80 by 24 out."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from helpers import ALL_BOOKS, CARIBBEAN, MA_UTH, NJ_UTH, PIK_IT, RIDE, house

from croupier.rules.money import dollars
from croupier.table.decide import decide
from croupier.table.refused import Refused
from croupier.terminal.canvas import HEIGHT, WIDTH, Canvas, Style, clean
from croupier.terminal.evening import Evening
from croupier.terminal.screen import Screen
from croupier.terminal.words import actions


def sit(book: str, *, seed: str = "1", **changes: Any) -> Screen:
    mine = {name: changes.pop(name) for name in ("seats", "chips", "faults") if name in changes}
    evening = Evening(house(book, **changes), seed=seed, **mine)
    return Screen(lambda book: evening, evening)


def fits(canvas: Canvas) -> list[str]:
    """The lines of a page, once it is clear that nothing of it is cut."""
    assert canvas.cut == []
    lines = canvas.lines()
    assert len(lines) == HEIGHT == 24
    assert max(len(line) for line in lines) <= WIDTH == 80
    assert all(len(row) == WIDTH for row in canvas.painted(colour=False))
    return lines


def shown(screen: Screen) -> str:
    return "\n".join(fits(screen.draw()))


def until_asked(screen: Screen) -> None:
    """Let the table go on to where a key is awaited; every page on the way must fit."""
    while screen.tick() is not None:
        fits(screen.draw())


def press(screen: Screen, *keys: str) -> str:
    for key in keys:
        until_asked(screen)
        screen.key(key)
        shown(screen)
    until_asked(screen)
    return shown(screen)


ROUNDS = {
    NJ_UTH: ("right", "space", "enter", "c", "c", "1"),
    MA_UTH: ("right", "space", "right", "space", "enter", "4"),
    CARIBBEAN: ("right", "up", "enter", "b"),
    RIDE: ("right", "space", "right", "space", "enter", "r", "t"),
    PIK_IT: ("right", "space", "enter", "1", "3", "5", "enter", "5"),
}


# --- a round of each game -------------------------------------------------------------------


@pytest.mark.parametrize("seats", [1, 2, 6])
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_a_round_of_each_game_fits_80_by_24_from_the_first_page_to_the_last(
    book: str, seats: int
) -> None:
    screen = sit(book, seats=seats)
    page = press(screen, *ROUNDS[book])
    assert screen.evening is not None
    assert [played.number for played in screen.evening.purse.rounds] == [1]
    assert "The Croupier Room" in page
    assert screen.evening.table.house.game.title in page
    assert book in page
    assert "rack  52 cards" in page
    assert "Round 1 " in page
    assert "[Enter] bet $" in page
    fits(screen.draw())
    assert "Round   1" in press(screen, "h")
    press(screen, "enter", "q")
    assert screen.done


@pytest.mark.parametrize("book", ALL_BOOKS)
def test_the_betting_areas_show_the_chips_and_then_what_became_of_them(book: str) -> None:
    screen = sit(book, seats=1)
    until_asked(screen)
    page = shown(screen)
    assert screen.evening is not None
    for wager in screen.evening.table.house.game.wagers:
        if wager.required:
            assert wager.name.replace("card ", "") in page
    assert "$5" in page
    press(screen, *ROUNDS[book])
    net = screen.evening.purse.rounds[0].net
    assert screen.evening.bankroll == dollars(1_000) + net
    text = shown(screen)
    word = f"wins you ${net // 100}" if net > 0 else f"costs you ${-net // 100}"
    assert word in text or "leaves you even" in text


def test_face_down_cards_have_backs_and_suits_have_symbols() -> None:
    page = press(sit(NJ_UTH), "enter")
    mine = page.splitlines()[10]
    assert page.count("│▒▒▒││▒▒▒│") == 1  # the dealer's
    assert "▒▒ ▒▒" in page  # the others'
    assert sum(mine.count(symbol) for symbol in "♣♦♥♠") == 2


def test_the_dealers_covered_cards_are_in_no_page_before_they_are_turned() -> None:
    screen = sit(CARIBBEAN, seats=1)
    press(screen, "enter")
    assert screen.evening is not None
    hidden = [each.pretty for each in screen.evening.table.now.dealer[:4]]
    page = shown(screen)
    assert not any(f"{each}│" in page for each in hidden)
    assert f"{screen.evening.table.now.dealer[4].pretty}│" in page


@pytest.mark.parametrize("book", ALL_BOOKS)
def test_only_lawful_actions_have_a_key_and_no_two_share_one(book: str) -> None:
    screen = sit(book)
    evening = screen.evening
    assert evening is not None
    rng = random.Random(3)
    asked = 0
    while len(evening.purse.rounds) < 15:
        until_asked(screen)
        if evening.waits_for == "bet":
            screen.key("enter")
            continue
        offered = actions(evening)
        if not offered:
            screen.key(rng.choice("12345"))
            screen.key("enter")
            continue
        asked += 1
        assert len({action.key for action in offered}) == len(offered)
        assert not {action.key for action in offered} & set("wph?mq")
        for action in offered:
            assert not isinstance(decide(evening.table, action.command), Refused)
            assert f"[{action.key}] {action.label}" in shown(screen)
        screen.key(rng.choice(offered).key)
    assert asked >= 15


# --- betting --------------------------------------------------------------------------------


def bet(screen: Screen) -> dict[str, int]:
    assert screen.slip is not None
    return {name: amount // 100 for name, amount in screen.slip.wagers().items()}


def test_enter_bets_the_last_bet_again() -> None:
    screen = sit(NJ_UTH)
    press(screen, "up", "right", "space", "enter", "c", "c", "f")
    assert bet(screen) == {"ante": 10, "blind": 10, "trips": 1}
    assert "[Enter] bet $21" in shown(screen)
    press(screen, "enter")
    assert screen.evening is not None
    assert screen.evening.position is not None
    assert screen.evening.position.placed == {"ante": 1000, "blind": 1000, "trips": 100}


@pytest.mark.parametrize(
    ("keys", "wagers"),
    [
        ([], {"ante": 5, "blind": 5}),
        (["down"], {"ante": 5, "blind": 5}),  # the minimum is the least
        (["up"], {"ante": 10, "blind": 10}),
        (["+", "+", "-"], {"ante": 10, "blind": 10}),
        (["2", "5"], {"ante": 25, "blind": 25}),
        (["2", "5", "backspace"], {"ante": 2, "blind": 2}),
        (["space"], {"ante": 5, "blind": 5}),  # a required wager stays on
        (["tab", "space"], {"ante": 5, "blind": 5, "trips": 1}),
        (["tab", "space", "space"], {"ante": 5, "blind": 5}),
        (["left", "up", "up"], {"ante": 5, "blind": 5, "trips": 2}),
        (["right", "7"], {"ante": 5, "blind": 5, "trips": 7}),
        (["right", "7", "down"], {"ante": 5, "blind": 5, "trips": 6}),
        (["right", "up", "down"], {"ante": 5, "blind": 5}),  # below the least is off
        (["right", "7", "0", "backspace", "backspace"], {"ante": 5, "blind": 5}),
        (["5", "x", "é", "esc", "\x1b[Z"], {"ante": 5, "blind": 5}),
    ],
)
def test_a_bet_is_changed_by_arrows_and_digits(keys: list[str], wagers: dict[str, int]) -> None:
    screen = sit(NJ_UTH)
    press(screen, *keys)
    assert bet(screen) == wagers


@pytest.mark.parametrize(("steps", "ante"), [(98, 495), (99, 500), (100, 500)])
def test_the_arrows_stop_at_the_posted_maximum(steps: int, ante: int) -> None:
    screen = sit(NJ_UTH)
    until_asked(screen)
    for _ in range(steps):
        screen.key("up")
    assert bet(screen)["ante"] == ante


def test_the_law_fixes_the_progressive_so_no_digit_changes_it() -> None:
    screen = sit(CARIBBEAN)
    press(screen, "right", "space", "7", "up")
    assert bet(screen) == {"ante": 5, "progressive": 1}


@pytest.mark.parametrize(("typed", "refused"), [("4", True), ("5", False), ("501", True)])
def test_a_refused_bet_is_told_in_one_line_with_its_clause_and_why_explains_it(
    typed: str, refused: bool
) -> None:
    screen = sit(CARIBBEAN)
    page = press(screen, *typed, "enter")
    assert ("Refused: " in page) is refused
    assert screen.evening is not None
    assert (screen.evening.position is None) is refused
    if refused:
        assert "[NJ 19:47-16.6(b)]" in page
        reasons = press(screen, "w")
        assert f"Refused: The ante wager of ${typed} is outside the posted limits" in reasons
        assert "NJ 19:47-16.6(b): " in reasons


def test_chips_that_run_out_are_refused_and_may_be_bought() -> None:
    screen = sit(NJ_UTH, chips=dollars(8))
    assert "Refused: These wagers need $10; you have $8." in press(screen, "enter", "enter")
    page = press(screen, "m")
    assert " $16 ─" in page
    press(screen, "enter")
    assert screen.evening is not None
    assert screen.evening.position is not None


# --- pages ----------------------------------------------------------------------------------


@pytest.mark.parametrize("book", ALL_BOOKS)
def test_the_rules_and_every_pay_line_can_be_read(book: str) -> None:
    screen = sit(book)
    text = press(screen, "p")
    assert screen.page is not None
    for _ in range(len(screen.page.pages)):
        text += press(screen, "space")
    assert screen.evening is not None
    table_of = screen.evening.table.house
    for wager in ("main", "blind", "bet", "five-card-bonus"):
        for line in table_of.pay.get(wager, ()):
            assert str(line.award) in text
    assert "limits" in text
    press(screen, "enter")
    assert screen.page is None


def test_why_names_the_clause_of_each_payment_and_its_rulings() -> None:
    screen = sit(NJ_UTH)
    press(screen, "enter", "c", "c", "f")
    for key in ("w", "?"):
        page = press(screen, key)
        assert "Ante -$5. The player folded." in page
        assert "NJ 19:47-32.10(e)2: " in page
        press(screen, key)
        assert screen.page is None


def test_why_still_answers_for_the_last_round_when_the_next_has_begun() -> None:
    screen = sit(NJ_UTH)
    press(screen, "enter", "c", "c", "f", "enter")
    assert "Ante -$5. The player folded." in press(screen, "w")


def test_before_anything_happened_why_and_history_say_so() -> None:
    screen = sit(NJ_UTH)
    assert "Nothing has been paid, collected or refused yet." in press(screen, "w")
    assert "No round has been played yet." in press(screen, "enter", "h")


def test_a_long_evening_fits_its_history_on_pages_and_opens_at_the_last() -> None:
    screen = sit(CARIBBEAN, seats=1)
    for _ in range(45):
        press(screen, "enter", "f")
    assert screen.evening is not None
    page = press(screen, "h")
    assert "Round  45" in page
    assert "page 3 of 3" in page
    assert f"-${45 * 5}" in page
    assert "Round   1" in press(screen, "left", "left", "left")


# --- the menu, leaving, and keys that mean nothing ------------------------------------------


def test_the_menu_seats_one_by_one_key() -> None:
    for number, book in enumerate(ALL_BOOKS, 1):
        screen = Screen(lambda book: Evening(house(book), seed="1"))
        assert f"[{number}]" in shown(screen)
        press(screen, "x", "9", "enter", str(number))
        assert screen.evening is not None
        assert screen.evening.table.house.book.id == book


@pytest.mark.parametrize("key", ["q", "esc", "ctrl-c"])
def test_one_may_leave_from_the_menu(key: str) -> None:
    screen = Screen(lambda book: Evening(house(book), seed="1"))
    screen.key(key)
    assert screen.done
    assert screen.evening is None


def test_between_rounds_one_key_leaves_and_cashes_out() -> None:
    screen = sit(NJ_UTH)
    press(screen, "q")
    assert screen.done
    assert screen.evening is not None
    assert screen.evening.purse.cashed == dollars(1_000)


def test_with_cards_leaving_is_asked_twice_and_any_other_key_stays() -> None:
    screen = sit(NJ_UTH)
    page = press(screen, "enter", "q")
    assert "Give up this hand and leave?" in page
    assert "[c] check" in press(screen, "x")
    assert screen.evening is not None
    assert screen.evening.position is not None
    assert not screen.evening.position.choices  # the key was no answer to the dealer
    press(screen, "q", "q")
    assert screen.done
    assert screen.evening.purse.cashed == dollars(990)


@pytest.mark.parametrize("book", ALL_BOOKS)
def test_control_c_leaves_cleanly_at_every_moment_of_a_round(book: str) -> None:
    for moment in range(0, 60, 3):
        screen = sit(book)
        until_asked(screen)
        screen.key("enter")
        for _ in range(moment):
            if screen.tick() is None and screen.evening and screen.evening.waits_for == "choice":
                offered = actions(screen.evening)
                screen.key(offered[0].key)
        screen.key("ctrl-c")
        assert screen.done
        evening = screen.evening
        assert evening is not None
        assert evening.purse.cashed == evening.purse.bought + evening.purse.net
        assert evening.table.accounts() == 0


def noise(rng: random.Random) -> Iterator[str]:
    keys = [*"0123456789.wph?mcfbtrx+-", "left", "right", "up", "down", "tab", "backspace"]
    keys += ["space", "esc", "page down", "\x1b[Z", "\x00", "é", "unknown", *["enter"] * 12]
    while True:
        yield rng.choice(keys)


@pytest.mark.parametrize("seats", [1, 4])
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_no_key_at_any_moment_does_harm_even_with_faults(book: str, seats: int) -> None:
    screen = sit(book, seats=seats, faults=Fraction(1, 8), chips=dollars(300))
    keys = noise(random.Random(seats))
    for n, key in enumerate(keys):
        if n > 500:
            break
        for _ in range(3):
            if screen.tick() is None:
                break
        screen.key(key)
        fits(screen.draw())
    screen.key("ctrl-c")
    assert screen.done
    evening = screen.evening
    assert evening is not None
    assert evening.purse.cashed == evening.purse.bought + evening.purse.net
    assert len(evening.purse.rounds) > 0


# --- odd houses -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["A" * 70, "福 lucky 福", "tab\tand\x1b[31m", "Ünïcode"])
def test_a_houses_name_never_breaks_the_page(name: str) -> None:
    page = press(sit(NJ_UTH, name=name), "enter", "4")
    assert "\x1b" not in page
    assert "\t" not in page


def test_a_table_of_nine_high_rollers_fits() -> None:
    screen = sit(
        MA_UTH,
        seats=9,
        positions=9,
        chips=dollars(5_000_000),
        offered=["trips", "progressive"],
        limits={"ante": [1_000, 250_000], "trips": [1_000, 100_000]},
        pay={"progressive": {"royal-flush": "100 %", "flush": "$50"}},
        progressive={"meter": 1_000_000, "seed": 10_000, "contribution": 1},
    )
    page = press(screen, *"250000", "right", "space", "right", "space", "enter", "4")
    assert "Round 1 " in page


# --- colour ---------------------------------------------------------------------------------


def test_without_colour_a_page_has_no_escape_codes_and_with_it_the_same_text() -> None:
    screen = sit(NJ_UTH)
    press(screen, "enter")
    canvas = screen.draw()
    bare = canvas.painted(colour=False)
    assert not any("\x1b" in row for row in bare)
    coloured = canvas.painted(colour=True)
    assert any("\x1b[" in row for row in coloured)
    for row, plain in zip(coloured, bare, strict=True):
        for style in Style:
            row = row.replace(f"\x1b[{style.value}m", "")
        assert row.replace("\x1b[0m", "") == plain


def test_what_does_not_fit_is_noticed() -> None:
    canvas = Canvas()
    assert canvas.put(0, 78, "ab") == 80
    assert canvas.cut == []
    canvas.put(0, 79, "ab")
    canvas.put(24, 0, "below")
    assert canvas.cut == ["ab", "below"]
    assert clean("a福\x07b") == "a??b"
