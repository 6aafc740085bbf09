"""The floor in a browser: the wall, the desk, and rulings seen before they are made."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from browser_driver import DESK, PHONE, TABLET, Visiting, violations
from playwright.sync_api import Page, expect
from room_driver import PASSWORD, Player, Running

from croupier.room.door.roles import Role

Seating = Callable[..., list[Player]]


@pytest.fixture
def seated(room: Running) -> Iterator[Seating]:
    """So many players at a table; with ``dealt`` in a round, the first to decide."""
    everybody: list[Player] = []

    def sit(table: str, count: int, *, dealt: bool = True) -> list[Player]:
        players = [room.guest().connect() for _ in range(count)]
        everybody.extend(players)
        seats = room.room.host(table).table.seats  # of an earlier test, somebody may be seated
        free = [seat for seat, name in enumerate(seats, 1) if not name]
        for seat, player in zip(free, players, strict=False):
            player.look(table)
            player.sit(table, seat)
        for player in players:
            if dealt:
                player.bet(table)
        if dealt:
            players[0].until_may(table, "Choose")
        players[0].settle(table)
        return players

    yield sit
    for player in everybody:
        player.disconnect()


def choose(page: Page, table: str) -> None:
    page.locator(f'#wall li[data-id="{table}"] a').click()
    expect(page.locator("#which")).to_have_text(f"Table {table}")
    expect(page.locator(".desk li")).to_have_count(11)


def test_a_supervisor_voids_a_round_after_seeing_the_ruling(
    room: Running, visitor: Visiting, seated: Seating
) -> None:
    table = "uth-1"
    players = seated(table, 2)
    wagered = [room.room.host(table).table.chips_free(each.name) for each in players]
    page = visitor().come_in(Role.SUPERVISOR).go("/supervisor")
    choose(page, table)
    expect(page.locator(".desk .not", has_text="Order a recut")).to_contain_text("follows a cut")
    page.get_by_role("button", name="A dealer's card was exposed early").click()
    dialog = page.get_by_role("dialog", name="A dealer's card was exposed early")
    expect(dialog.locator(".ruling")).to_contain_text("All hands are void")
    expect(dialog.locator(".ruling")).to_contain_text("Seat 2: blind $5 returned")
    expect(dialog.locator(".ruling .cite").first).to_have_text("NJ 19:47-32.13(a)")
    assert violations(page) == []
    now = room.room.host(table).table
    assert now.round
    assert not now.round.void  # nothing has happened yet
    dialog.get_by_role("button", name="Confirm").click()
    expect(page.locator("#told")).to_contain_text("Done at table uth-1")
    expect(page.locator(".lines .ruled").first).to_be_visible()
    expect(page.locator(".lines")).to_contain_text("All hands are void")
    for player, before in zip(players, wagered, strict=True):
        ended = player.until(
            lambda heard: any(e["event"]["event"] == "RoundEnded" for e in heard.get("events", ()))
        )
        assert ended["view"]["chips"][player.name] == before + 10_00


def test_a_table_is_paused_and_goes_on(visitor: Visiting, room: Running) -> None:
    page = visitor().come_in(Role.SUPERVISOR).go("/supervisor")
    choose(page, "pikit-1")
    page.get_by_role("button", name="Pause").click()
    card = page.locator('#wall li[data-id="pikit-1"]')
    expect(card.locator(".flag")).to_have_text("paused")
    assert room.room.host("pikit-1").pace.paused
    page.get_by_role("button", name="Resume").click()
    expect(card.locator(".flag")).to_have_count(0)
    assert not room.room.host("pikit-1").pace.paused


def test_a_jam_is_reported_at_a_table_that_stopped_for_it(
    room: Running, visitor: Visiting, seated: Seating
) -> None:
    house = {"rulebook": "nj-let-it-ride", "dealing": "automated shoe", "shuffling": "automated"}
    opened = room.guest().post("/api/tables", {"house": {**house, "decks": ["red", "blue"]}})
    table = opened.json()["id"]
    (guest,) = seated(table, 1, dealt=False)
    page = visitor().come_in(Role.SUPERVISOR).go("/supervisor")
    choose(page, table)
    page.get_by_role("button", name="Stop when the shoe works").click()
    expect(page.locator(".bar p")).to_contain_text("stops when the shoe works")
    assert violations(page) == []
    guest.bet(table)
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    page.get_by_role("button", name="A device is jammed").click()
    dialog = page.get_by_role("dialog", name="A device is jammed")
    expect(dialog.get_by_label("Device")).to_have_value("shoe")
    dialog.get_by_role("button", name="Preview the ruling").click()
    expect(dialog.locator(".ruling")).to_contain_text("The round is void")
    expect(dialog.locator(".ruling .cite").first).to_have_text("NJ 19:47-18.12(e)")
    dialog.get_by_role("button", name="Confirm").click()
    expect(page.locator(".lines")).to_contain_text("The round is void")
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_role("button", name="Stop when the shoe works")).to_be_visible()
    guest.settle(table)
    assert guest.tables[table]["view"]["chips"][guest.name] == 500_00


def test_a_recut_is_ordered_by_keyboard_alone(
    room: Running, visitor: Visiting, seated: Seating
) -> None:
    table = "ride-1"
    seated(table, 1, dealt=False)
    page = visitor().come_in(Role.SUPERVISOR).go(f"/supervisor#{table}")
    button = page.get_by_role("button", name="Order a recut")
    expect(button).to_be_visible()
    button.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Order a recut")
    expect(dialog.get_by_label("Deck")).to_be_focused()
    page.keyboard.press("Tab")  # from the deck to the preview
    page.keyboard.press("Enter")
    expect(dialog.locator(".ruling")).to_contain_text("cut the cards again")
    page.keyboard.press("Tab")
    while not dialog.get_by_role("button", name="Confirm").evaluate(
        "node => node === document.activeElement"
    ):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".lines")).to_contain_text("The supervisor asks to cut the cards again.")
    expect(page.locator(".lines")).to_contain_text("The dealer cuts")


def test_what_the_table_would_refuse_is_said_with_its_clause_and_cannot_be_confirmed(
    visitor: Visiting, seated: Seating
) -> None:
    table = "pikit-1"
    seated(table, 1)
    page = visitor().come_in(Role.OWNER).go(f"/supervisor#{table}")
    page.get_by_role("button", name="A hand has a wrong number of cards").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Cards it has").fill("5")  # as many as it should have
    dialog.get_by_role("button", name="Preview the ruling").click()
    expect(dialog.locator(".ruling")).to_contain_text("Refused")
    expect(dialog.locator(".ruling .cite")).to_have_text("NJ 13:69F-38.12(c)")
    expect(dialog.get_by_role("button", name="Confirm")).to_be_disabled()
    dialog.get_by_label("Cards it has").fill("4")
    dialog.get_by_role("button", name="Preview the ruling").click()
    expect(dialog.get_by_role("button", name="Confirm")).to_be_enabled()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_the_wall_is_live_and_warns_of_a_player_who_is_gone(
    visitor: Visiting, seated: Seating
) -> None:
    page = visitor().come_in(Role.SUPERVISOR).go("/supervisor")
    card = page.locator('#wall li[data-id="uth-2"]')
    expect(card).to_contain_text("Open, nobody seated")
    (player,) = seated("uth-2", 1)
    expect(card).to_contain_text("Seat 1 decides: before the flop")
    expect(card).to_contain_text(player.name)
    player.disconnect()
    expect(card.locator(".alert")).to_contain_text("who is not connected")
    player.connect()


def test_an_inventory_is_filled_with_the_sum_that_was_typed(
    room: Running, visitor: Visiting
) -> None:
    table = "pikit-1"
    before = room.room.host(table).table.inventory
    page = visitor().come_in(Role.SUPERVISOR).go(f"/supervisor#{table}")
    page.get_by_role("button", name="Fill the inventory").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Sum").fill("twelve")
    dialog.get_by_role("button", name="Preview the ruling").click()
    expect(dialog.locator(".ruling")).to_contain_text("no sum of money")
    dialog.get_by_label("Sum").fill("$1,250.50")
    dialog.get_by_role("button", name="Preview the ruling").click()
    expect(dialog.locator(".ruling")).to_contain_text("filled with $1,250.50")
    dialog.get_by_role("button", name="Confirm").click()
    expect(page.locator("#told")).to_contain_text("Fill the inventory")
    assert room.room.host(table).table.inventory == before + 1_250_50


def test_drift_is_shown_beside_what_was_to_be_expected(visitor: Visiting, seated: Seating) -> None:
    table = "ride-1"
    (player,) = seated(table, 1)
    player.play(table)
    page = visitor().come_in(Role.SUPERVISOR).go(f"/supervisor#{table}")
    page.get_by_role("button", name="Compare with the mathematics").click()
    row = page.locator(".drift tbody tr")
    expect(row).to_contain_text("Main against optimal play")
    expect(row.locator("td").nth(5)).to_have_text("+$0.18")  # 3.5 % of a bet of $5


def test_nobody_finds_a_door_and_a_player_is_told_in_a_sentence(
    room: Running, visitor: Visiting
) -> None:
    boss = room.staff(Role.SUPERVISOR)
    page = visitor().go("/supervisor")
    expect(page.get_by_label("Name")).to_be_focused()
    assert violations(page) == []
    page.get_by_label("Name").fill(boss.name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.locator("#wall li").first).to_be_visible()
    other = visitor().come_in().go("/supervisor")
    expect(other.locator("#door")).to_contain_text("The floor is for supervisors")
    expect(other.locator("#wall li")).to_have_count(0)


@pytest.mark.parametrize("felt", ["dark", "light"])
@pytest.mark.parametrize("size", [PHONE, TABLET, DESK])
def test_the_floor_is_fit_for_every_screen(
    visitor: Visiting, size: tuple[int, int], felt: str
) -> None:
    page = visitor(size, color_scheme=felt).come_in(Role.SUPERVISOR).go("/supervisor")
    expect(page.locator("#wall li").first).to_be_visible()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    choose(page, "uth-1")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_staff_act_for_a_stalled_hand_free_a_seat_and_close_the_table(
    room: Running, visitor: Visiting, seated: Seating
) -> None:
    table = "caribbean-1"
    stalling, other = seated(table, 2)
    page = visitor().come_in(Role.SUPERVISOR).go("/supervisor")
    choose(page, table)
    page.get_by_role("button", name="Act for this hand").click()
    expect(page.locator("#told")).to_contain_text(f"The house acted for {stalling.name}, seat 1.")
    other.until_may(table, "Choose")
    other.do(table, "Choose", seat=2, verb="fold", wager="")
    other.settle(table)
    page.get_by_role("button", name="Free the seat").first.click()
    expect(page.get_by_role("button", name="Free the seat")).to_have_count(1)
    assert room.room.host(table).table.seats[:2] == ("", other.name)
    page.get_by_role("button", name=f"Close table {table}").click()
    page.get_by_role("button", name=f"Really close table {table}").click()
    expect(page.locator(f'#wall li[data-id="{table}"]')).to_have_count(0)
    assert other.until(lambda heard: heard["type"] == "closed")["table"] == table
