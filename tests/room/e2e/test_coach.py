"""The coach: the exact worth of each choice, and what an evening's choices have cost."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from browser_driver import ASKED, TABLES, AtTable, Visiting
from playwright.sync_api import Response, Route, expect

QUIETLY = {"reduced_motion": "reduce"}


def advised(player: AtTable) -> dict[str, str]:
    """What the felt says of each choice."""
    rows = player.page.locator(".advised p")
    expect(rows.first).to_be_visible(timeout=30_000)  # the first time there is much to count
    return {row.locator("b").inner_text(): row.locator("span").inner_text() for row in rows.all()}


def test_before_a_choice_its_worth_is_shown_and_a_fold_costs_ante_and_blind(
    visitor: Visiting,
) -> None:
    player = visitor(**QUIETLY).prefer(coach="before").at("uth-1").sit().lay("ante").deal()
    for choices in ({"check", "3x", "4x"}, {"check", "2x"}):
        assert player.until_asked() == "choose"
        assert set(advised(player)) == choices
        player.answer()
    assert player.until_asked() == "choose"
    expect(player.page.locator(".advised [data-option='1x']")).to_be_visible()
    worth = advised(player)
    assert worth["fold"] == "-2.000000"
    best = max(worth, key=lambda choice: Fraction(worth[choice]))
    expect(player.page.locator(f".advised [data-option='{best}'] i")).to_have_text("best")
    player.page.get_by_role("tab", name="Coach").click()
    expect(
        player.page.locator(".advice .exact").filter(has_text=re.compile("^-2$"))
    ).to_be_visible()
    player.play()
    expect(player.page.locator(".advised [data-option='fold'] i")).to_contain_text("yours")
    player.lay("ante")
    expect(player.page.locator(".advised p")).to_have_count(0)


def test_after_a_choice_the_evening_is_counted_against_perfect_play(visitor: Visiting) -> None:
    newcomer = visitor(**QUIETLY).prefer(coach="after")
    answers: list[Response] = []
    newcomer.page.on(
        "response",
        lambda each: answers.append(each) if each.url.endswith("/api/advise") else None,
    )
    player = newcomer.at("caribbean-1").sit()
    cost, staked = Fraction(0), 0
    for number in (1, 2):
        player.lay("ante").deal()
        assert player.until_asked() == "choose"
        assert player.page.locator(".advised p").count() == 0  # not before one has chosen
        player.page.wait_for_function("() => table.coach.current?.advice", timeout=30_000)
        player.play()  # which is to fold
        expect(player.page.locator(".advised [data-option='fold'] i")).to_contain_text("yours")
        said = answers[number - 1].json()
        fold = next(each for each in said["options"] if each["option"] == "fold")
        cost += Fraction(fold["cost_cents"])
        staked += said["ante"]
        assert said["ante"] == 500
    player.page.get_by_role("tab", name="Coach").click()
    edge = player.page.locator(".given")
    assert edge.inner_text() == f"{round_half_up(cost / staked * 100)} %"
    # The published edge of this game with this pay table, of the ante.
    told = player.page.locator("#page-coach")
    expect(told).to_contain_text("Perfect play costs 5.22 % of the ante", timeout=30_000)
    player.page.reload()
    player.page.get_by_role("tab", name="Coach").click()
    assert edge.inner_text() == f"{round_half_up(cost / staked * 100)} %"


def plays(player: AtTable, asked: str) -> None:
    """Whoever folds shows nothing."""
    if asked == "pick":
        player.decide(asked)
    else:
        player.page.locator("[data-choice]").last.click()


# What the room itself knows of a seat; and whether the coach has been told the same.
AS_THE_ROOM_SEES_IT = """async () => {
    const { post } = await import("/static/lib/api.js");
    return JSON.stringify(await post("/api/advise", { table: table.id, seat: table.seat }));
}"""
COACHED = "said => JSON.stringify(table.coach.current?.advice) === said"


@pytest.mark.parametrize("table", TABLES)
def test_the_page_asks_about_what_its_seat_may_know(visitor: Visiting, table: str) -> None:
    """At each decision as the room would for that seat, also where a neighbour's cards lie open, as
    they do at Pik-It for who decides later."""
    neighbour = visitor(**QUIETLY).at(table).sit(2).lay()
    player = visitor(**QUIETLY).prefer(coach="before").at(table).sit(1).lay()
    neighbour.deal()
    player.deal()
    decisions = 0
    at_table = {"neighbour": neighbour, "player": player}
    for _ in range(1_000):
        for who, each in tuple(at_table.items()):
            asked = each.page.evaluate(ASKED)
            if asked == "over":
                del at_table[who]
            elif asked:
                if who == "player" and asked == "choose":
                    said = player.page.evaluate(AS_THE_ROOM_SEES_IT)
                    player.page.wait_for_function(COACHED, arg=said, timeout=30_000)
                    assert ('"seen":""' in said) == (table != "pikit-1")
                    decisions += 1
                each.answer(plays if who == "neighbour" else None)
        if not at_table:
            break
        player.page.wait_for_timeout(20)
    assert decisions
    assert not at_table


def test_who_is_quicker_than_the_coach_is_told_of_the_decision_he_made(visitor: Visiting) -> None:
    """Questions come to the room late: the first when another decision is due, the rest when the
    round is over. Each is answered for the cards it was asked about."""
    newcomer = visitor(**QUIETLY).prefer(coach="after")
    late: list[Route] = []
    newcomer.page.route("**/api/advise", lambda asked: late.append(asked))
    player = newcomer.at("uth-2").sit().lay("ante").deal()
    assert player.until_asked() == "choose"
    hand = player.cards
    player.answer()
    assert player.until_asked() == "choose"
    with newcomer.page.expect_response("**/api/advise") as first:
        late.pop(0).continue_()
    said = first.value.json()
    assert (said["decision"], said["board"], said["ante"]) == ("before-flop", "", 500)
    assert sorted(said["hand"].split()) == sorted(hand)
    newcomer.page.wait_for_function("() => table.coach.decisions === 1")
    player.play()
    assert len(late) == 2
    for asked in late:
        asked.continue_()
    newcomer.page.wait_for_function("() => table.coach.decisions === 3")
    fold = player.page.locator(".advised [data-option='fold']")
    expect(fold.locator("span")).to_have_text("-2.000000")
    expect(fold.locator("i")).to_contain_text("yours")


def round_half_up(value: Fraction) -> str:
    whole = (value * 100 + Fraction(1, 2)).__floor__()
    return f"{whole // 100}.{whole % 100:02}"


def test_the_opening_chart_has_every_pair_of_cards(visitor: Visiting) -> None:
    player = visitor(**QUIETLY).prefer(coach="before").at("uth-2")
    player.page.get_by_role("tab", name="Coach").click()
    player.page.get_by_role("button", name="Strategy chart").click()
    cells = player.page.locator(".chart13 td")
    expect(cells).to_have_count(169, timeout=30_000)
    pairs = player.page.locator(".chart13 td[data-best='4x']")
    assert "AA 4x" in pairs.all_text_contents()
    assert "22 4x" not in pairs.all_text_contents()
