"""A user's own strategy: rules in TOML, a function in Python, and what is said of a bad one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from helpers import CARIBBEAN, NJ_UTH, PIK_IT, RIDE, house

from croupier.analysis.plan import CaribbeanPlan, RidePlan
from croupier.analysis.solve import plan_for
from croupier.analysis.strategies.situations import Situations, options
from croupier.analysis.strategies.strategy import load
from croupier.analysis.strategies.strategy_holdem import chart_holes
from croupier.cards.card import cards
from croupier.house.submission import House
from croupier.law.refused import Refused


def written(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text)
    return str(folder / name)


THREE_RULES = """
def decide(situation):
    ranks = [card.rank for card in situation.hand]
    up = situation.shown[0].rank
    if len(set(ranks)) < 5 or situation["suited"] == 5 or situation["span"] == 5:
        return "bet"
    if not {14, 13} <= set(ranks):
        return "fold"
    if up <= 12 and up in ranks:
        return "bet"
    if up >= 13 and {12, 11} & set(ranks):
        return "bet"
    if up not in ranks and 12 in ranks and up < sorted(ranks)[1]:
        return "bet"
    return "fold"
"""


@pytest.mark.slow
def test_a_function_and_rules_that_say_the_same_make_the_same_plan(tmp_path: Path) -> None:
    table = house(CARIBBEAN)
    asked = plan_for(table, written(tmp_path, "three_rules.py", THREE_RULES))
    rules = plan_for(table, "three-rules")
    assert isinstance(asked, CaribbeanPlan)
    assert isinstance(rules, CaribbeanPlan)
    assert np.array_equal(asked.bets, rules.bets)


def test_a_function_sees_the_cards_the_options_and_the_vocabulary(tmp_path: Path) -> None:
    function = """
def decide(situation):
    assert situation.game == "let-it-ride"
    assert situation.options == ("withdraw", "ride")
    assert len(situation.hand) == 3
    assert len(situation.shown) == (situation.point == "bet-2")
    return "ride" if situation["pair"] >= 10 or situation["alike"] >= 3 else "withdraw"
"""
    rules = """
game = "let-it-ride"
[[bet-1]]
pair = "T+"
do = "ride"
[[bet-1]]
alike = 3
do = "ride"
[[bet-2]]
pair = "T+"
do = "ride"
[[bet-2]]
alike = "3+"
do = "ride"
"""
    asked = plan_for(house(RIDE), written(tmp_path, "mine.py", function))
    read = plan_for(house(RIDE), written(tmp_path, "mine.toml", rules))
    assert isinstance(asked, RidePlan)
    assert isinstance(read, RidePlan)
    assert np.array_equal(asked.first, read.first)
    assert np.array_equal(asked.second, read.second)
    assert asked.first.any()


def test_the_first_rule_that_holds_decides_and_nothing_is_the_first_option(tmp_path: Path) -> None:
    rules = """
game = "pik-it"
[[play]]
hand = "AAA"
do = "fold"
[[play]]
hand = ["three-of-a-kind", "TT..KK"]
do = "play 3"
[[play]]
first = "A"
second = "<K"
do = "play 5"
"""
    file = written(tmp_path, "mine.toml", rules)
    for hand, expected in {
        "Ac Ad Ah Kc Qc": 0,
        "2c 2d 2h 4c 3c": 1,
        "Tc Td 4c 3c 2c": 1,
        "9c 9d 4c 3c 2c": 0,
        "Ac Ad 4c 3c 2c": 0,  # above kings, and the second card is an ace
        "Ac Qc 4c 3c 2d": 2,
        "Ac Kc 4c 3c 2d": 0,
    }.items():
        assert chosen(file, house(PIK_IT), "play", [cards(hand)]) == [expected], hand


def chosen(file: str, table: House, point: str, hands: Sequence[Sequence[int]]) -> list[int]:
    """What a strategy does with hands, nothing being shown."""
    rows = Situations(
        table.game.id,
        point,
        options(table, point),
        np.array(hands, np.uint8),
        np.zeros((len(hands), 0), np.uint8),
    )
    found: list[int] = load(table.game.id, file).choose(rows).tolist()
    return found


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("33+", ["33", "77", "AA"]),
        ("K5o+", ["K5o", "KQo"]),
        ("K2s+", ["K2s", "KQs"]),
        ("A2+", ["A2o", "A2s", "AKs"]),
        ("JTo", ["JTo"]),
    ],
)
def test_hole_cards_are_written_as_players_write_them(
    tmp_path: Path, text: str, places: list[str]
) -> None:
    counts = {"33+": 12, "K5o+": 8, "K2s+": 11, "A2+": 24, "JTo": 1}
    rules = f'game = "ultimate-texas-holdem"\n[[before-flop]]\nhole = "{text}"\ndo = "4x"\n'
    everything = '[[before-flop]]\ndo = "3x"\n'
    file = written(tmp_path, "hole.toml", rules + everything)
    before = chosen(file, house(NJ_UTH), "before-flop", chart_holes().tolist())
    assert before.count(4) == counts[text]
    assert before.count(3) == 169 - counts[text]
    for place in places:
        low, high = sorted("23456789TJQKA".index(letter) for letter in place[:2])
        at = low * 13 + high if place.endswith("s") else high * 13 + low
        assert before[at] == 4, place


GOOD = 'game = "caribbean-stud"\n[[after-deal]]\n'

BAD_RULES = {
    "not = [toml": "is not TOML",
    'about = "no game"': "must say game = 'caribbean-stud'",
    'game = "pik-it"': "must say game = 'caribbean-stud'",
    'game = "caribbean-stud"\nabout = 3': "about must be text",
    'game = "caribbean-stud"\n[[before-flop]]\ndo = "bet"': "there is no key 'before-flop'",
    'game = "caribbean-stud"\nafter-deal = 3': "must be a list of rules",
    GOOD + 'hand = "pair"': "after-deal, rule 1: it needs an action",
    GOOD + 'do = "raise"': "rule 1: 'raise' is not on offer; there are fold, bet",
    GOOD + 'outs = 3\ndo = "bet"': "there is no 'outs' to look at here; there are first, second",
    GOOD + 'hand = "nothing"\ndo = "bet"': "'nothing' is no hand",
    GOOD + 'hand = "AKQJT"\ndo = "bet"': "'AKQJT' is no hand",
    GOOD + 'hand = ""\ndo = "bet"': "hand cannot be ''",
    GOOD + 'hand = "<AK+"\ndo = "bet"': "hand cannot be '<AK+'",
    GOOD + 'up = "X"\ndo = "bet"': "'X' is no rank",
    GOOD + 'up = 10\ndo = "bet"': "'10' is no rank",
    GOOD + 'up = "<hand"\ndo = "bet"': "'hand' is no rank",
    GOOD + 'holds = true\ndo = "bet"': "True is no rank",
    GOOD + 'holds = []\ndo = "bet"': "holds has nothing to be",
    GOOD + 'pairs = "many"\ndo = "bet"': "pairs is compared with a number",
    GOOD + 'match = 3\ndo = "bet"': "match cannot be 3",
    GOOD + 'hand = {low = "AK"}\ndo = "bet"': "hand cannot be {'low': 'AK'}",
}


@pytest.mark.parametrize(("text", "said"), BAD_RULES.items())
def test_a_bad_file_of_rules_is_refused_in_one_sentence(
    tmp_path: Path, text: str, said: str
) -> None:
    with pytest.raises(Refused) as refused:
        plan_for(house(CARIBBEAN), written(tmp_path, "bad.toml", text))
    sentence = refused.value.sentence
    assert said in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence


BAD_FUNCTIONS = {
    "def decide(": "cannot be run: SyntaxError",
    "1 / 0": "cannot be run: ZeroDivisionError",
    "raise SystemExit(3)": "cannot be run: SystemExit",
    "import nothing_of_that_name": "cannot be run: ModuleNotFoundError",
    "choose = len": "must define decide(situation)",
    "decide = 3": "must define decide(situation)",
    "def decide(situation):\n    return 'raise'": "decide said 'raise' on 2c 2d 2h at bet-1",
    "def decide(situation):\n    return 1": "decide said 1 on",
    "def decide(situation):\n    return situation['outs']": "decide failed on",
    "def decide():\n    return 'ride'": "decide failed on",
}


@pytest.mark.parametrize(("text", "said"), BAD_FUNCTIONS.items())
def test_a_bad_function_is_refused_in_one_sentence(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(Refused) as refused:
        plan_for(house(RIDE), written(tmp_path, "bad.py", text))
    assert said in refused.value.sentence
    assert refused.value.sentence.endswith(".")
    assert "\n" not in refused.value.sentence


@pytest.mark.parametrize("name", ["nowhere.toml", "nowhere.py"])
def test_a_file_that_is_not_there_is_refused(name: str) -> None:
    with pytest.raises(Refused, match="cannot be read: No such file"):
        plan_for(house(RIDE), name)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(Refused, match="is not text"):
        plan_for(house(RIDE), str(tmp_path / "bytes.toml"))


def test_a_wrong_name_is_answered_with_the_right_ones() -> None:
    with pytest.raises(Refused, match="no strategy 'perfect'; there are optimal, basic, paying"):
        plan_for(house(RIDE), "perfect")
