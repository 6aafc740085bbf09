"""The watch on drift: what was won and what was to be expected, wager by wager, and its alarm."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from engine_driver import HOUSES, ONE_DECK
from forger import entries_of, put, sql
from helpers import CARIBBEAN, PIK_IT, RIDE
from ledger_driver import at, opened, table_events
from msgspec.structs import replace

from croupier.house.submission import read_data
from croupier.ledger.drift import MAIN, Drift, Prices, drifts
from croupier.ledger.entry import text
from croupier.ledger.ledger import Ledger
from croupier.ledger.reading import reading
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.commands import player

HOUSE = {"rulebook": RIDE, **ONE_DECK}


def watched(path: Path) -> dict[str, Drift]:
    ledger = reading(path)
    try:
        return {each.wager: each for each in drifts(ledger.store, "t1")}
    finally:
        ledger.close()


def players_gain(path: Path) -> int:
    """What all players together are up or down by the movements, chips bought and cashed aside."""
    ((up,),) = sql(
        path,
        "SELECT sum(CASE WHEN target LIKE 'player:%' THEN cents ELSE -cents END) FROM movements "
        "WHERE (target LIKE 'player:%') <> (source LIKE 'player:%') "
        "AND 'cage' NOT IN (source, target)",
    )
    return int(up)


# --- what was won ---------------------------------------------------------------------------


@pytest.mark.parametrize("book", [CARIBBEAN, RIDE, PIK_IT])
def test_what_the_house_won_is_what_players_accounts_lost(tmp_path: Path, book: str) -> None:
    path = tmp_path / "evening.db"
    ledger = at(path, path)
    opened(ledger, {"rulebook": book, **ONE_DECK}).rounds(12)
    ledger.close()
    found = watched(path)
    assert sum(each.won for each in found.values()) == -players_gain(path)
    assert found[MAIN].hands == 36
    assert all(each.hands and each.wagered for each in found.values())


def test_void_rounds_are_left_out(beside: Path, in_file: Ledger) -> None:
    evening = opened(in_file, HOUSE).rounds(2).until("choose")
    evening.do(c.ReportExposedCard(c.DEALER))
    while evening.table.round:
        evening.step()
    assert evening.table.rounds == 3
    assert any(isinstance(each, e.AllHandsVoided) for each in table_events(in_file))
    assert watched(beside)[MAIN].hands == 6


def test_coupons_are_no_part_of_what_a_wager_won(beside: Path, in_file: Ledger) -> None:
    house = HOUSES[f"{CARIBBEAN}, coupons, stud"]
    opened(in_file, house).rounds(15)
    coupons = 0
    beside_it: dict[int, int] = {}
    for each in table_events(in_file):
        if isinstance(each, e.WagersPlaced):
            beside_it[each.seat] = each.coupon
        if isinstance(each, e.WagerSettled) and each.coupon and each.result == "won":
            coupons += beside_it[each.seat]
    assert coupons > 0
    found = watched(beside)
    assert sum(each.won for each in found.values()) == coupons - players_gain(beside)


# --- what was to be expected ----------------------------------------------------------------

# House edges as they have been published for these games: of the ante, or of one of three bets.
PUBLISHED = {CARIBBEAN: "5.22", RIDE: "3.51"}


@pytest.mark.parametrize("book", PUBLISHED)
def test_the_main_wagers_are_expected_to_cost_the_published_edge(tmp_path: Path, book: str) -> None:
    path = tmp_path / "evening.db"
    ledger = at(path, path)
    opened(ledger, {"rulebook": book, **ONE_DECK}).rounds(3)
    ledger.close()
    main = watched(path)[MAIN]
    assert f"{float(100 * main.expected / main.wagered):.2f}" == PUBLISHED[book]
    assert not main.exact


def test_hands_of_one_round_are_taken_to_win_and_lose_together(
    beside: Path, in_file: Ledger
) -> None:
    """Two hands of $10 and $30 in two rounds: twice the variance of one hand of $40."""
    evening = opened(in_file, HOUSE)
    bets = {1: 10_00, 2: 30_00}

    def place(seat: int) -> c.Command:
        bet = bets[seat]
        return c.PlaceWagers(player(f"p{seat}"), seat, {"bet 1": bet, "bet 2": bet, "bet 3": bet})

    for _ in range(2):
        while evening.dealer.next_command(evening.table, close_bets=False):
            evening.step()
        for seat in bets:
            evening.do(place(seat))
        evening.do(c.AnnounceNoMoreBets(c.DEALER))
        while evening.table.round:
            evening.step()
    main = watched(beside)[MAIN]
    mean, variance = Prices(read_data(HOUSE)).of(MAIN, 0)
    assert (main.hands, main.wagered) == (4, 80_00)
    assert main.expected == -mean * 80_00
    assert main.variance == pytest.approx(float(2 * variance * 40_00**2))
    assert main.z == pytest.approx(float(main.won - main.expected) / main.variance**0.5)


def test_the_progressive_is_expected_at_the_meter_of_its_round() -> None:
    prices = Prices(read_data({"rulebook": CARIBBEAN, **ONE_DECK}))
    line = prices.solution.meters["progressive"]
    for dollars in (5_000, 25_000, 1_000_000):
        mean, _ = prices.of("progressive", dollars * 100)
        assert mean == line.at_nothing + line.per_dollar * dollars
    variances = [prices.of("progressive", cents)[1] for cents in (10**7, 10**8, 10**9)]
    assert variances == sorted(set(variances))  # the more there is to win, the wilder


# --- the alarm ------------------------------------------------------------------------------


def drift(z: float, *, exact: bool) -> Drift:
    return Drift("t1", "a wager", exact, 1, 1, int(z * 1000), Fraction(0), 1000.0**2)


@pytest.mark.parametrize(
    ("z", "exact", "alarming"),
    [
        (3.4, True, False),
        (3.6, True, True),
        (-3.4, True, False),
        (-3.6, True, True),
        (3.6, False, False),
        (-3.4, False, False),
        (-3.6, False, True),
    ],
)
def test_the_alarm_is_beyond_the_threshold_and_against_optimal_play_one_sided(
    z: float, exact: bool, alarming: bool
) -> None:
    assert drift(z, exact=exact).z == z
    assert drift(z, exact=exact).alarms(3.5) is alarming


def test_nothing_to_compare_is_no_drift() -> None:
    assert Drift("t1", "a wager", exact=True).z == 0


def forge(path: Path, change: Callable[[e.WagerSettled], e.WagerSettled]) -> None:
    changed = []
    for entry in entries_of(path):
        settled = entry.happening()
        if isinstance(settled, e.WagerSettled):
            entry = replace(entry, event=text(change(settled)))
        changed.append(entry)
    put(path, changed)


def test_a_table_that_overpays_or_never_pays_is_alarming(tmp_path: Path) -> None:
    path = tmp_path / "evening.db"
    ledger = at(path, path)
    opened(ledger, HOUSE).rounds(60)
    ledger.close()
    honest = watched(path)
    assert not any(each.alarms(3.5) for each in honest.values())
    assert {name for name, each in honest.items() if each.exact} == {"bonus", "three-card"}
    forge(path, lambda s: replace(s, result="won", win=40 * s.amount))
    overpaid = watched(path)
    assert all(each.alarms(3.5) and each.z < 0 for each in overpaid.values())
    forge(path, lambda s: replace(s, result="lost", win=0))
    never = watched(path)
    assert never["three-card"].z > 1
    assert never[MAIN].z > 3.5
    assert not never[MAIN].alarms(3.5)  # players may have played that badly
