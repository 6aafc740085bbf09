"""Numbers on the command line and in scripts: out of bounds is one sentence, never a traceback."""

from __future__ import annotations

import pytest
from command import croupier

from croupier.law.refused import Refused
from croupier.script.run import run

HUGE, MONSTER = "9" * 400, "9" * 5_000
FINE = "main=flush:1000000,straight:1/10000"
STUD = ("settle", "caribbean", "--player", "As Ks Qs Js Ts", "--dealer", "2c 2d 3c 4c 5d", "--bet")
UTH = ("settle", "uth", "--player", "As Ks", "--dealer", "2c 2d", "--board", "Qs Js Ts 3c 4d")
PIK_IT = ("settle", "pikit", "--player", "As Ks Qs Js Ts", "--dealer", "2c 2d 3c 4c 5d")


@pytest.mark.parametrize(
    "args",
    [
        ("risk", "ride", "--rounds", HUGE),
        ("risk", "ride", "--rounds", "-1"),
        ("risk", "ride", "--hours", "nan"),
        ("risk", "ride", "--hours", "inf"),
        ("risk", "ride", "--hours", "1e400"),
        ("risk", "ride", "--hours", "1", "--rounds-per-hour", HUGE),
        ("risk", "ride", "--rounds", "10", "--bet", "1000001"),
        ("risk", "ride", "--rounds", "10", "--bet", HUGE),
        ("risk", "ride", "--rounds", "10", "--bet", "0"),
        ("risk", "ride", "--rounds", "10", "--bet", "nan"),
        ("risk", "ride", "--rounds", "10", "--bankroll", "100000000001"),
        ("risk", "ride", "--rounds", "10", "--actual", "-100000000001"),
        ("risk", "ride", "--rounds", "1000000000000"),
        ("risk", "ride", "--rounds", "10", "--pay", "main=royal-flush:1000000000"),
        ("simulate", "ride", "--rounds", HUGE),
        ("simulate", "ride", "--rounds", MONSTER),
        ("simulate", "ride", "--rounds", "0"),
        ("simulate", "ride", "--rounds", "10", "--seats", HUGE),
        ("simulate", "ride", "--rounds", "10", "--seats", "-1"),
        ("simulate", "ride", "--rounds", "10", "--seed", str(2**64)),
        ("simulate", "ride", "--rounds", "10", "--workers", "1025"),
        ("simulate", "ride", "--rounds", "1", "--seats", "2", "--pay", FINE),
        ("advise", "ride", "As Ks Qs", "--ante", "1000001"),
        ("advise", "ride", "As Ks Qs", "--ante", "-5"),
        ("advise", "ride", "As Ks Qs", "--pay", f"main=flush:{HUGE}"),
        (*STUD, "--ante", HUGE),
        (*STUD, "--ante", "10", "--progressive", "--meter", "10000000001"),
        (*STUD, "--ante", "10", "--progressive", "--sharing", HUGE),
        (*STUD, "--ante", "10", "--progressive", "--sharing", "0"),
        (*STUD, "--ante", "10", "--match-play", "99999999999"),
        (*UTH, "--ante", "10", "--play", f"{HUGE}x"),
        (*UTH, "--ante", "10", "--play", f"{MONSTER}x"),
        (*UTH, "--ante", "10", "--play", "5x"),
        (*PIK_IT, "--ante", "10", "--play", HUGE),
        ("play", "ride", "--chips", "100000000001"),
        ("play", "ride", "--faults", "1e-999999999"),
    ],
)
def test_a_number_out_of_bounds_is_refused(args: tuple[str, ...]) -> None:
    ran = croupier(*args)
    assert ran.code == 2
    assert ran.out == ""
    assert "Traceback" not in ran.err
    assert len(ran.err) < 6_000


@pytest.mark.parametrize(
    "line",
    [
        "set chips = 100000000001",
        "set inventory = 1000000000001",
        f"set inventory = {HUGE}",
        f"set limits.main = [5, {10**9}]",
        f"set positions = 0x{'f' * 5_000}",
        f"set pay.bonus.flush = {MONSTER}",
        "set pay.main.royal-flush = 1000001",
        f"seats {HUGE}",
        f"seats {MONSTER}",
        f"cut {MONSTER}",
        f"{MONSTER}: bets 10 10 10",
        f"shuffle red counting {MONSTER}",
        f"play {MONSTER}x",
        f"buy {HUGE}",
        f"bets {HUGE}",
        f"report wrong number seat 1 {MONSTER}",
    ],
)
def test_a_script_with_a_number_without_end_is_refused(line: str) -> None:
    with pytest.raises(Refused) as refused:
        run(f"game let-it-ride\n{line}\n")
    assert len(str(refused.value)) < 1_000


def test_a_script_may_expect_that_a_sum_is_out_of_bounds() -> None:
    script = """
        game let-it-ride
        seats 1
        buy 100000000001 -> refused: OUT_OF_BOUNDS
        fill 1000000000001 -> refused: OUT_OF_BOUNDS
        stand
        close
        fill 5 -> refused: TABLE_IS_CLOSED
    """
    assert run("\n".join(line.strip() for line in script.splitlines())).table.closed
