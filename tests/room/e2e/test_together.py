"""Several browsers at one table: everyone sees the bets, nobody another's hole cards."""

from __future__ import annotations

import re
from pathlib import Path

from browser_driver import AtTable, Visiting, Visitor
from playwright.sync_api import Browser, expect
from room_driver import running

QUIETLY = {"reduced_motion": "reduce"}
GLYPHS = dict(zip("shdc", "♠♥♦♣", strict=True))


def mentions(text: str, code: str) -> bool:
    """Whether a card is named in it, as data or in a sentence."""
    spoken = code[0].replace("T", "10") + GLYPHS[code[1]]
    return bool(re.search(rf"\b{code}\b", text)) or spoken in text


def knows(player: AtTable, codes: list[str]) -> list[str]:
    """Which of these cards this browser has, in the page or in what the socket brought."""
    page = player.page.content().replace("As the system", "")  # a setting, no ace of spades
    everything = [page, *player.visitor.frames]
    return [code for code in codes if any(mentions(text, code) for text in everything)]


def test_two_at_a_table_see_bets_and_never_hole_cards(visitor: Visiting) -> None:
    one = visitor(**QUIETLY).at("uth-1").sit(2)
    two = visitor(**QUIETLY).at("uth-1").sit(5)
    rail = visitor(**QUIETLY).at("uth-1")
    one.lay("ante", "trips").page.get_by_role("button", name="Place only").click()
    for watcher in (two, rail):
        expect(watcher.spot("ante", seat=2).locator(".sum")).to_have_text("$5")
        expect(watcher.spot("trips", seat=2).locator(".sum")).to_have_text("$5")
    two.lay("ante", "ante").deal()
    expect(one.spot("ante", seat=5).locator(".sum")).to_have_text("$10")
    one.deal()
    assert one.until_asked() == "choose"
    expect(two.page.locator(".place .hand .card")).to_have_count(2)
    held = {each: each.cards for each in (one, two)}
    assert len({*held[one], *held[two]}) == 4
    assert "??" not in held[one] + held[two]
    assert knows(one, held[one]) == held[one]  # else the question itself would be wrong
    assert knows(one, held[two]) == []
    assert knows(two, held[one]) == []
    assert knows(rail, held[one] + held[two]) == []
    assert rail.codes(".seat .card") == ["??"] * 4


def test_they_play_the_round_to_its_end(visitor: Visiting) -> None:
    first, last = (visitor(**QUIETLY).at("ride-1").sit(seat) for seat in (1, 2))
    before = [first.chips, last.chips]
    first.lay("bet 1").deal()
    last.lay("bet 1").deal()
    for player in (first, last, first, last):
        assert player.answer() == "choose"
    for player, chips in zip((first, last), before, strict=True):
        assert player.until_asked() == "over"
        assert player.net == player.chips - chips
    assert first.codes(".seat[data-seat='2'] .card") == last.cards


def test_no_more_bets_refuses_late_chips(chromium: Browser, tmp_path: Path) -> None:
    with running(tmp_path, betting_seconds=2) as room:
        quick, slow = (
            Visitor(room, chromium.new_context(reduced_motion="reduce").new_page())
            .at("caribbean-1")
            .sit(seat)
            for seat in (1, 2)
        )
        slow.lay("ante")
        quick.lay("ante").deal()
        expect(slow.page.locator(".banner")).to_have_text("No more bets")
        expect(slow.page.locator(".place .spot[data-open]")).to_have_count(0)
        slow.spot("ante").click()
        assert slow.spot("ante").locator(".sum").all_inner_texts() in ([], [""])
        late = {"seat": 2, "wagers": {"ante": 500}}
        sent = "wagers => table.room.command('caribbean-1', 'PlaceWagers', wagers)"
        refused = slow.page.evaluate(sent, late)
        assert refused["clause"]
        assert refused["sentence"].endswith(".")
        quick.play()
        for player in (quick, slow):
            assert not player.visitor.troubles
            player.page.context.close()
