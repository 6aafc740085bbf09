"""The exact solutions against published totals."""

from fractions import Fraction

import pytest

from croupier.analysis.solution import Solution
from croupier.analysis.solve import solve
from croupier.house.submission import default_house, read_data


@pytest.fixture(scope="module")
def holdem() -> Solution:
    return solve(default_house("nj-ultimate-texas-holdem"))


@pytest.fixture(scope="module")
def caribbean() -> Solution:
    return solve(default_house("nj-caribbean-stud"))


@pytest.fixture(scope="module")
def ride() -> Solution:
    return solve(default_house("nj-let-it-ride"))


@pytest.fixture(scope="module")
def pik_it() -> Solution:
    return solve(default_house("nj-pik-it-poker"))


def test_every_deal_of_ultimate_texas_holdem_is_counted_once(holdem: Solution) -> None:
    assert holdem.main.combinations == 27_813_810_024_000
    assert sum(holdem.main.actions().values()) == 1


def test_ultimate_texas_holdem_costs_2_185_percent_of_the_ante(holdem: Solution) -> None:
    assert round(-holdem.main.net, 5) == Fraction("0.02185")
    assert round(holdem.main.element_of_risk, 5) == Fraction("0.00526")


def test_the_losing_hands_at_a_showdown_are_those_published(holdem: Solution) -> None:
    """Over all deals of two hands and a board, 2,781,381,002,400, ten flops each."""
    from croupier.analysis.solvers import solve_holdem
    from croupier.analysis.tabulate import holdem_nets

    house = default_house("nj-ultimate-texas-holdem")
    nets = holdem_nets(house.terms(), (4,))
    play = solve_holdem.Play(solve_holdem.Deals(), nets, dict(house.multiples))
    counts, _ = play.outcome_counts()
    lost = counts[:, :, 0].sum(axis=(0, 2))  # kind of the player's hand where it is the lower
    assert int(counts[:, :, 1].sum()) == 113_130_263_816 * 10  # pushes
    # The dealer loses as often as the player, so the losing hand's kind is counted twice.
    assert 2 * int(lost[8]) == 10_300_592 * 10
    assert 2 * int(lost[7]) == 471_040_512 * 10


@pytest.mark.parametrize(("table", "edge"), [("A", "0.0090"), ("D", "0.0618")])
def test_trips_costs_what_is_published(table: str, edge: str) -> None:
    house = read_data({"rulebook": "nj-ultimate-texas-holdem", "pay": {"trips": table}})
    assert round(-solve(house).side_bets["trips"].net, 4) == Fraction(edge)


def test_caribbean_stud_loses_the_published_total(caribbean: Solution) -> None:
    assert caribbean.main.combinations == 19_933_230_517_200
    assert caribbean.main.net == Fraction(-1_041_372_912_372, 19_933_230_517_200)
    assert round(caribbean.main.standard_deviation, 2) == round(Fraction(224, 100), 2)


def test_let_it_ride_loses_the_published_total(ride: Solution) -> None:
    assert ride.main.combinations == 51_979_200
    assert ride.main.net == Fraction(-1_822_224, 51_979_200)


@pytest.mark.ruling("P2")
def test_an_informed_pick_would_hand_the_player_four_times_the_bet(pik_it: Solution) -> None:
    assert pik_it.side_bets["three-card-bonus"].net < 0
    assert pik_it.side_bets["three-card-bonus, informed"].net > 4


@pytest.mark.ruling("P1")
def test_pik_its_default_keeps_a_small_edge_only_with_its_forced_bonus(pik_it: Solution) -> None:
    assert pik_it.main.combinations == 2_598_960 * 1_533_939
    assert pik_it.main.net > 0
    assert pik_it.whole is not None
    assert Fraction(2, 100) < -pik_it.whole.net < Fraction(22, 1000)


@pytest.mark.ruling("P1")
def test_some_legal_multiples_of_pik_it_favour_the_player() -> None:
    found = {}
    for three in (1, 2):
        for five in (1, 2):
            for qualifier in (True, False):
                house = read_data(
                    {
                        "rulebook": "nj-pik-it-poker",
                        "multiples": {"play-3": three, "play-5": five},
                        "qualifier": qualifier,
                    }
                )
                whole = solve(house).whole
                assert whole is not None
                found[three, five, qualifier] = whole.net
    assert any(net > 0 for net in found.values())
    assert found[2, 2, True] < 0
