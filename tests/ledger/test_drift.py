"""What was won and what was to be expected, wager by wager, and reconciled to the cent."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from engine_driver import HOUSES, ONE_DECK, rich_order
from forger import entries_of, put, sql
from helpers import CARIBBEAN, NJ_UTH, PIK_IT, RIDE
from ledger_driver import at, opened, table_events
from msgspec.structs import replace

from croupier.cards.card import DECK
from croupier.house.submission import read_data
from croupier.ledger.drift import MAIN, Drift, Prices, drifts
from croupier.ledger.entry import text
from croupier.ledger.ledger import Ledger
from croupier.ledger.reading import reading
from croupier.ledger.reconcile import Reconciliation, reconcile
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.commands import player
from croupier.table.faults import FaultyDealer, evenly

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
    assert sum(each.actual_win for each in found.values()) == -players_gain(path)
    assert all(each.actual_win == each.win_by_pay_table for each in found.values())
    assert found[MAIN].hands == 36
    assert all(each.hands and each.wagered for each in found.values())


def test_void_rounds_are_counted_and_not_compared(beside: Path, in_file: Ledger) -> None:
    evening = opened(in_file, HOUSE).rounds(2).until("choose")
    evening.do(c.ReportExposedCard(c.DEALER))
    while evening.table.round:
        evening.step()
    assert evening.table.rounds == 3
    assert any(isinstance(each, e.AllHandsVoided) for each in table_events(in_file))
    main = watched(beside)[MAIN]
    assert (main.hands, main.settled) == (6, 27)
    assert main.not_compared == 0  # everything went back


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
    assert sum(each.on_coupons for each in found.values()) == coupons
    assert sum(each.actual_win for each in found.values()) == -players_gain(beside)
    compared = sum(each.win_by_pay_table for each in found.values())
    assert compared == coupons - players_gain(beside)


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
    assert f"{float(100 * main.theoretical_win / main.wagered):.2f}" == PUBLISHED[book]
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
    assert main.theoretical_win == -mean * 80_00
    assert main.variance == pytest.approx(float(2 * variance * 40_00**2))
    assert main.z == pytest.approx(
        float(main.win_by_pay_table - main.theoretical_win) / main.variance**0.5
    )


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
    return Drift("t1", "a wager", exact, collected=int(z * 1000), variance=1000.0**2)


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


# --- reconciliation -------------------------------------------------------------------------


def reconciled(path: Path) -> Reconciliation:
    ledger = reading(path)
    try:
        return reconcile(ledger.store, "t1")
    finally:
        ledger.close()


@pytest.mark.parametrize(("seed", "name"), enumerate(HOUSES))
def test_random_evenings_with_faults_balance_to_the_cent(
    tmp_path: Path, name: str, seed: int
) -> None:
    """Void hands, live trips, coupons, sweeps, progressives, fills; some end within a round. Some
    tables have rich decks, so that large hands and royal flushes come up."""
    path = tmp_path / "evening.db"
    rng = random.Random(f"{name} {seed}")
    ledger = at(path, path, seed=seed)
    physical = seed % 2 == 0
    evening = opened(ledger, HOUSES[name], physical=physical, seed=seed)
    if physical:
        evening.dealer.shuffle = lambda cards: rich_order(evening.rng)
        evening.dealer.cut = lambda: 20
    faulty = FaultyDealer(evening.dealer, rng, evenly(Fraction(1, rng.choice((2, 4)))))
    evening.dealer = faulty  # type: ignore[assignment]
    evening.rounds(6)
    evening.do(c.FillInventory(c.SUPERVISOR, rng.randint(1, 999_99)))
    evening.rounds(6)
    for _ in range(rng.randrange(30)):
        evening.step()
    table = evening.table
    ledger.close()
    sums = reconciled(path)
    assert sums.balances, sums.accounts()
    assert (sums.inventory, sums.meter, sums.drop_box) == (
        table.inventory,
        table.meter,
        table.drop_box,
    )
    found = watched(path).values()
    assert sum(each.actual_win for each in found) == sums.actual_win
    assert sums.rounds == table.rounds
    for each in found:
        assert each.collected + each.returned >= 0
        assert each.hands <= each.settled


def test_trips_that_stay_live_in_a_void_round_are_in_the_sums(
    beside: Path, in_file: Ledger
) -> None:
    """The hands are void, the trips are settled, and that money is the house's or the players'."""
    evening = opened(in_file, HOUSES[f"{NJ_UTH}, manual shoe"])
    won = 0
    for _ in range(6):
        evening.until("choose")
        evening.do(c.ReportExposedCard(c.DEALER))
        while evening.table.round:
            evening.step()
    live = False
    for event in table_events(in_file):
        if isinstance(event, e.AllHandsVoided):
            live = event.trips_stay
        if isinstance(event, e.WagerSettled) and event.wager == "trips" and live:
            won += event.amount if event.result == "lost" else -event.win
    found = watched(beside)
    assert won
    assert found["trips"].actual_win == found["trips"].not_compared == won
    assert (found["trips"].hands, found["trips"].theoretical_win) == (0, 0)
    sums = reconciled(beside)
    assert sums.balances
    assert sums.actual_win == won == sums.inventory - sums.opening - sums.fills


def test_payout_limits_and_progressives_are_in_the_sums(beside: Path, in_file: Ledger) -> None:
    """A deck in order, dealt in stacks of five: straight flushes and royal flushes."""
    house = {**HOUSES[f"{CARIBBEAN}, automated shoe"], "payout_limit": 2_000}
    evening = opened(in_file, house, physical=True)
    by_suit = sorted(DECK, key=lambda each: (each.suit, each.rank))
    evening.dealer.shuffle = lambda cards: [*by_suit[8:], *by_suit[:8]]
    evening.dealer.cut = lambda: 13
    evening.rounds(12)
    sums = reconciled(beside)
    assert sums.balances
    assert sums.paid_from_meter > 0
    assert sums.to_meter > 0
    found = watched(beside)
    assert sum(each.withheld for each in found.values()) > 0
    assert sum(each.actual_win for each in found.values()) == sums.actual_win
    won = sums.inventory + sums.meter - sums.opening - sums.opening_meter - sums.fills
    assert won == sums.actual_win


@pytest.mark.parametrize(
    ("kind", "change", "account"),
    [
        ("InventoryFilled", '"amount":1', "inventory"),
        ("WagerSettled", '"win":1', "inventory"),
        ("MeterMoved", '"amount":1', "progressive meter"),
        ("ChipsSwept", '"amount":1', "inventory"),
    ],
)
def test_an_event_that_does_not_fit_its_movement_is_out_of_balance(
    beside: Path, in_file: Ledger, kind: str, change: str, account: str
) -> None:
    evening = opened(in_file, {"rulebook": CARIBBEAN, **ONE_DECK})
    evening.do(c.FillInventory(c.SUPERVISOR, 500_00))
    evening.rounds(10)
    assert reconciled(beside).balances
    where = f"event LIKE '{{\"type\":\"{kind}\"%' AND event LIKE '%{change}%'"
    ((at_,),) = sql(beside, f"SELECT min(sequence) FROM entries WHERE {where}")
    if at_ is None:
        where = f'event LIKE \'{{"type":"{kind}"%\''
        ((at_,),) = sql(beside, f"SELECT min(sequence) FROM entries WHERE {where}")
    name = change.partition(":")[0]
    sql(
        beside,
        f"UPDATE entries SET event = replace(event, '{name}:', '{name}:1') WHERE sequence = ?",
        at_,
    )
    sums = reconciled(beside)
    assert not sums.balances
    assert account in {each.name for each in sums.accounts() if each.difference}


def test_a_movement_that_was_changed_is_out_of_balance(beside: Path, in_file: Ledger) -> None:
    opened(in_file, HOUSE).rounds(2)
    change = "replace(moved, '\"inventory\",', '\"inventory\",1')"
    ((at_,),) = sql(beside, "SELECT max(sequence) FROM entries WHERE moved LIKE '%\"inventory\",%'")
    sql(beside, f"UPDATE entries SET moved = {change} WHERE sequence = ?", at_)
    assert [each.name for each in reconciled(beside).accounts() if each.difference] == ["inventory"]
