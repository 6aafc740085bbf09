"""croupier settle, as a user runs it: every wager, its cents and its clause."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from command import Ran, croupier

UTH = ["uth", "--player", "As Kd", "--dealer", "Qh Qs", "--board", "Ac 7d 2s 9h 4c"]
UTH_PLAYED = [*UTH, "--ante", "10", "--play", "4x", "--trips", "5"]
MASSACHUSETTS = [
    *("uth", "--rulebook", "ma-ultimate-texas-holdem", "--player", "As Kd", "--dealer", "Qh Qs"),
    *("--board", "Ac Ad Ah 7d 7h", "--ante", "10", "--cover-all", "5", "--fold"),
    *("--others", "2c 3c", "--others", "7c 7s"),
]
CARIBBEAN = ["caribbean", "--player", "Ah Kc Jd 8s 3h", "--dealer", "Ks Qd 9h 8c 2d"]
CARIBBEAN_BET = [*CARIBBEAN, "--ante", "10", "--bet", "--progressive"]
RIDE = ["ride", "--player", "Td 4c 9h", "--community", "Ts 2h"]
RIDE_BETS = [*RIDE, "--bets", "10", "--withdraw", "1", "--bonus", "--three-card", "5"]
PIKIT = ["pikit", "--player", "Ah Kh Qh 2c 2d", "--dealer", "Kc Ks 9d 8h 3s"]
PIKIT_PLAY_3 = [
    *(*PIKIT, "--ante", "10", "--play", "3"),
    *("--picked", "Ah Kh Qh", "--three-card-bonus", "5"),
]


@cache
def settle(*args: str) -> Ran:
    return croupier("settle", *args)


Row = tuple[str, int, str, int, int, str]

UTH_ROWS: list[Row] = [
    ("ante", 1_000, "won", 1_000, 1_000, "NJ 19:47-32.11(b)"),
    ("play", 4_000, "won", 4_000, 4_000, "NJ 19:47-32.11(b)"),
    ("blind", 1_000, "pushed", 0, 0, "NJ 19:47-32.10(h)2"),
    ("trips", 500, "lost", 0, -500, "NJ 19:47-32.10(h)4"),
]
MASSACHUSETTS_ROWS: list[Row] = [
    ("ante", 1_000, "lost", 0, -1_000, "MA UTH 10(e)(2)"),
    ("blind", 1_000, "lost", 0, -1_000, "MA UTH 10(e)(2)"),
    # four hands, the dealer's included; the folded player's own four aces are the highest
    ("cover all", 500, "won", 20_000, 20_000, "MA UTH 13(k)"),
]
CARIBBEAN_ROWS: list[Row] = [
    ("ante", 1_000, "won", 1_000, 1_000, "SUPPLIED S2.4(a)"),
    ("bet", 2_000, "returned", 0, 0, "SUPPLIED S2.4(a)"),
    ("progressive", 100, "lost", 0, -100, "SUPPLIED S2.8(a)"),
]
RIDE_ROWS: list[Row] = [
    ("bet 1", 1_000, "returned", 0, 0, "NJ 19:47-18.10(b)2"),
    ("let it ride bonus", 100, "lost", 0, -100, "NJ 19:47-18.6A(a)"),
    ("three card bonus", 500, "lost", 0, -500, "NJ 19:47-18.3(c)"),
    ("bet 2", 1_000, "won", 1_000, 1_000, "NJ 19:47-18.11(b)"),
    ("bet 3", 1_000, "won", 1_000, 1_000, "NJ 19:47-18.11(b)"),
]
PIKIT_ROWS: list[Row] = [
    ("3 card bonus", 500, "won", 100_000, 100_000, "NJ 13:69F-39.11(c)"),
    ("5 card bonus", 1_000, "lost", 0, -1_000, "NJ 13:69F-39.10(c)2"),
    ("ante", 1_000, "won", 1_000, 1_000, "NJ 13:69F-39.11(a)"),
    ("play 3", 2_000, "won", 2_000, 2_000, "NJ 13:69F-39.11(a)"),
]


SETTLED = [
    (UTH_PLAYED, "ultimate-texas-holdem", "nj-ultimate-texas-holdem", UTH_ROWS, 4_500),
    (
        MASSACHUSETTS,
        "ultimate-texas-holdem",
        "ma-ultimate-texas-holdem",
        MASSACHUSETTS_ROWS,
        18_000,
    ),
    (CARIBBEAN_BET, "caribbean-stud", "nj-caribbean-stud", CARIBBEAN_ROWS, 900),
    (RIDE_BETS, "let-it-ride", "nj-let-it-ride", RIDE_ROWS, 1_400),
    (PIKIT_PLAY_3, "pik-it", "nj-pik-it-poker", PIKIT_ROWS, 102_000),
]
IN_WORDS = [
    (
        "ultimate-texas-holdem",
        MASSACHUSETTS,
        ["Hands dealt, the dealer's included: 4", "MA UTH 13(k)", "+$180"],
    ),
    (
        "caribbean-stud",
        CARIBBEAN_BET,
        ["Dealer: king-high, does not qualify", "(supplied)", "+$9"],
    ),
    ("let-it-ride", RIDE_BETS, ["Hand: a pair of tens", "Three cards: ten-high", "+$14"]),
    (
        "pik-it",
        PIKIT_PLAY_3,
        ["three cards: a royal flush", "a pair of kings, qualifies", "+$1,020"],
    ),
]
HOUSE = "no-such-house.toml"
BAD = [
    ([*UTH[:2], "As As", *UTH[3:]], "The As is there twice"),
    ([*UTH[:2], "As", *UTH[3:]], '2 cards, not 1 (As). [NJ 19:47-32.1 "Hand"]'),
    ([*UTH[:2], "As Xd", *UTH[3:]], "'Xd' is not a card"),
    ([*UTH, "--ante", "10", "--play", "5x"], "not 5 times. [NJ 19:47-32.10(a)]"),
    ([*UTH, "--ante", "10", "--play", "big"], "'big' is not a multiple of the ante"),
    ([*UTH, "--ante", "4.99", "--fold"], "outside the posted limits, $5 to $500."),
    ([*UTH, "--ante", "5.01", "--fold"], "could not be paid 3 to 2 in whole cents"),
    ([*UTH, "--ante", "ten", "--fold"], "The ante 'ten' is not a sum in dollars"),
    ([*UTH, "--ante=-10", "--fold"], "The ante '-10' is not a sum in dollars"),
    ([*UTH_PLAYED, "--rulebook", "nj-poker"], "There is no rulebook 'nj-poker'"),
    ([*UTH_PLAYED, "--rulebook", "nj-let-it-ride"], "regulates Let It Ride, not Ultimate"),
    ([*UTH_PLAYED, "--house", HOUSE], "cannot be read: No such file or directory."),
    (
        [*UTH_PLAYED, "--house", HOUSE, "--rulebook", "nj-ultimate-texas-holdem"],
        "Give --house or --rulebook, not both.",
    ),
    ([*CARIBBEAN, "--bet", "--progressive"], "made only beside ante. [NJ 19:47-16.6(c)]"),
    ([*RIDE, "--bets", "10", "--withdraw", "3"], "[NJ 19:47-18.6(d)]"),
    ([*PIKIT, "--ante", "10", "--play", "4"], "3 or 5 cards, not 4. [NJ 13:69F-39.3(b)]"),
]
WRONG = [["uth"], ["poker"], [*PIKIT, "--play", "three"]]


@pytest.mark.ruling("M1")
@pytest.mark.parametrize(
    ("args", "game", "rulebook", "rows", "net"),
    SETTLED,
    ids=["uth", "massachusetts", "caribbean", "ride", "pikit"],
)
def test_json_has_every_wager_in_exact_cents_with_its_clause(
    args: list[str], game: str, rulebook: str, rows: list[Row], net: int
) -> None:
    ran = settle(*args, "--json")
    assert (ran.returncode, ran.stderr) == (0, "")
    found = json.loads(ran.stdout)
    assert list(found) == ["game", "rulebook", "wagers", "net"]
    assert (found["game"], found["rulebook"], found["net"]) == (game, rulebook, net)
    keys = ["wager", "amount", "result", "win", "net", "reason", "clause"]
    assert all(list(wager) == keys for wager in found["wagers"])
    assert [
        tuple(wager[key] for key in ("wager", "amount", "result", "win", "net", "clause"))
        for wager in found["wagers"]
    ] == rows
    assert all(wager["reason"].endswith(".") for wager in found["wagers"])


@pytest.mark.parametrize(("name", "args", "lines"), IN_WORDS)
def test_a_game_answers_to_its_full_name_and_text_names_hands_wagers_and_net(
    name: str, args: list[str], lines: list[str]
) -> None:
    ran = settle(name, *args[1:])
    assert (ran.returncode, ran.stderr) == (0, "")
    for line in lines:
        assert line in ran.stdout
    assert ran.stdout.splitlines()[-1] == f"Net for the player: {lines[-1]}"


def test_a_house_file_is_settled_by_its_own_tables(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text('rulebook = "nj-ultimate-texas-holdem"\n[pay.trips]\npair = "2 to 1"\n')
    ran = settle(*UTH_PLAYED, "--house", str(house), "--json")
    assert json.loads(ran.stdout)["wagers"][-1]["win"] == 1_000
    assert json.loads(ran.stdout)["net"] == 6_000


@pytest.mark.ruling("S5", "H2")
def test_a_meter_is_given_and_shared_in_whole_cents() -> None:
    royal = ["caribbean", "--player", "Ah Kh Qh Jh Th", "--dealer", "Ks Qd 9h 8c 2d", "--bet"]
    ran = settle(
        *(*royal, "--ante", "10", "--progressive"),
        *("--meter", "10000.01", "--sharing", "2", "--json"),
    )
    progressive = json.loads(ran.stdout)["wagers"][-1]
    assert (progressive["win"], progressive["net"]) == (500_000, 499_900)
    assert progressive["clause"] == "SUPPLIED S2.8(c)"


@pytest.mark.parametrize(("args", "says"), BAD)
def test_bad_input_is_one_line_and_exit_code_2(args: list[str], says: str) -> None:
    ran = settle(*args)
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert ran.stderr.startswith("Refused: ")
    assert ran.stderr.count("\n") == 1
    assert says in ran.stderr


@pytest.mark.parametrize("args", WRONG)
def test_a_wrong_command_is_explained_without_a_traceback(args: list[str]) -> None:
    ran = settle(*args)
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert "Error: " in ran.stderr
    assert "Traceback" not in ran.stderr


def test_an_illegal_house_settles_nothing(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text('rulebook = "nj-ultimate-texas-holdem"\nadjacent = 2\n')
    ran = settle(*UTH_PLAYED, "--house", str(house))
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == (
        "Refused: This house is not legal: adjacent: "
        "a player may hold one position only. [NJ 19:47-32.12]\n"
    )
