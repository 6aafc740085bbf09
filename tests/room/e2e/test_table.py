"""Whole rounds of every game in a browser, and how chips, words and cards come onto the page."""

from __future__ import annotations

import pytest
from browser_driver import TABLES, Visiting, told
from playwright.sync_api import WebSocketRoute, expect
from room_driver import Running

from croupier.room.door.roles import Role

HEAR_MOTION = """
    globalThis.moved = 0;
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...how) {
        globalThis.moved++;
        return animate.apply(this, how);
    };
    addEventListener("animationstart", () => globalThis.moved++, true);
    addEventListener("transitionstart", () => globalThis.moved++, true);
"""
QUIETLY = {"reduced_motion": "reduce"}


@pytest.mark.parametrize("table", TABLES)
def test_a_whole_round_by_mouse(visitor: Visiting, table: str) -> None:
    player = visitor(**QUIETLY).at(table).sit()
    before = player.chips
    player.lay().deal().play()
    assert player.net == player.chips - before
    results = player.page.locator(".results li:not(.sum)")
    assert results.count() > 0
    for result in results.all():
        assert result.locator(".cite").count() == 1
        assert result.locator(".why").inner_text().split(".")[0]
    results.first.locator(".cite").click()
    expect(player.page.locator(".clause-card p").first).not_to_have_text("…")


def test_a_chip_is_dragged_onto_the_felt(visitor: Visiting) -> None:
    player = visitor(**QUIETLY).at("caribbean-1").sit()
    player.page.get_by_title("$25 chip").drag_to(player.spot("ante"))
    assert player.laid("ante") == "$25"
    player.spot("ante").click()
    assert player.laid("ante") == "$50"
    player.spot("ante").click(button="right")
    assert player.laid("ante") == "$25"
    player.page.get_by_label("Ante", exact=True).last.fill("12.50")
    player.page.keyboard.press("Enter")
    assert player.laid("ante") == "$12.50"


def test_who_sits_down_as_soon_as_there_is_a_chair_has_it(visitor: Visiting) -> None:
    """The table is drawn a moment before the page knows that it missed nothing."""
    newcomer = visitor(**QUIETLY)
    late: list[tuple[WebSocketRoute, str | bytes]] = []

    def listen(line: WebSocketRoute) -> None:
        def pass_on(frame: str | bytes) -> None:
            if '"pong"' in str(frame):
                late.append((line, frame))
            else:
                line.send(frame)

        line.connect_to_server().on_message(pass_on)

    newcomer.page.route_web_socket("**/ws", listen)
    player = newcomer.at("ride-1")
    player.page.get_by_role("button", name="Sit down at seat 2").click()
    player.page.wait_for_function("() => table.seat === 2")
    for line, frame in late:
        line.send(frame)
    player.until_open().lay().deal().play()
    assert player.page.evaluate("table.view.you.bank") == 80_000  # the usual $200 lie on the table


def test_what_one_types_to_sit_down_with_stays_while_others_play(visitor: Visiting) -> None:
    watching = visitor(**QUIETLY).at("caribbean-1")
    buy_in = watching.page.get_by_label("Sit down with")
    expect(buy_in).to_have_value("$200")
    buy_in.fill("75")
    rounds = watching.page.evaluate("table.view.rounds")
    visitor(**QUIETLY).at("caribbean-1").sit(1).lay("ante").deal().play()
    watching.page.wait_for_function("before => table.view.rounds > before", arg=rounds)
    expect(buy_in).to_be_focused()
    expect(buy_in).to_have_value("75")
    watching.sit()
    assert watching.chips == 7_500


def test_a_pause_leaves_the_felt_as_it_is_and_greets_nobody_anew(
    visitor: Visiting, room: Running
) -> None:
    player = visitor(**QUIETLY).at("caribbean-1").sit().lay("ante")
    boss = room.staff(Role.SUPERVISOR).connect()
    boss.say("pause", table="caribbean-1")
    expect(player.page.locator(".clock")).to_have_text("The floor has paused this table.")
    assert player.laid("ante") == "$5"
    boss.say("resume", table="caribbean-1")
    expect(player.page.locator(".clock")).to_have_count(0)
    boss.disconnect()
    assert player.deal().until_asked() == "choose"
    assert player.laid("ante") == "$5"
    assert sum("You may: " in line for line in player.log) == 1, "the table greets once"


def test_the_log_has_every_sentence_of_the_narration(visitor: Visiting) -> None:
    newcomer = visitor(**QUIETLY)
    player = newcomer.at("ride-1").sit().lay().deal().play()
    player.until_open()  # the next hand is shuffled, and nothing more is said
    assert player.page.locator("[role=log][aria-live=polite]").count() == 1
    narrated = told(newcomer.frames)
    assert len(narrated) > 15
    own = ("You hold ", "Your turn: ", "Round ")  # said to this player beside the narration
    heard = [line for line in player.log[1:] if not line.startswith(own)]
    assert heard == [line for line in narrated if not line.startswith(own)]


def test_things_move_unless_motion_is_reduced(visitor: Visiting) -> None:
    moved = []
    for how, table in ((QUIETLY, "pikit-1"), ({}, "ride-1")):
        newcomer = visitor(**how)
        newcomer.page.add_init_script(HEAR_MOTION)
        newcomer.at(table).sit().lay().deal().play()
        moved.append(newcomer.page.evaluate("moved"))
    assert moved[0] == 0
    assert moved[1] > 10
