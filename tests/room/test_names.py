"""Names that look alike, and names that mislead."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.law.refused import Refused
from croupier.room.door.names import admit, mixed, skeleton


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada", "ADA"),
        ("Ada", "A d a"),
        ("Ada", "A.D-a"),
        ("Mary Ann", "Mary-Ann"),
        ("Ada", "\uff21\uff44\uff41"),  # full width
        ("Ada", "\u0410da"),  # Cyrillic A
        ("bob", "b\u043eb"),  # Cyrillic o
        ("BOB", "\u0412\u041e\u0412"),  # Cyrillic throughout
        ("bob", "\u0432\u043e\u0432"),  # and its small letters
        ("NINA", "\u039d\u0399\u039d\u0391"),  # Greek throughout
        ("Otto", "\u039ftto"),  # Greek omicron
        ("Bob", "B0b"),
        ("Bill", "Bi11"),
        ("Ian", "lan"),
        ("Ian", "1an"),
        ("ian", "lan"),
        ("Emma", "Ernrna"),
        ("Wendy", "VVendy"),
        ("Dan", "clan"),
        ("owner", "\u00f3wner"),
        ("Zoe", "Zo\u00eb"),
        ("uth-1", "uth 1"),
        ("uth-1", "UTH-l"),
        ("uth-10", "uth-1O"),
        ("Ada", "Ad\u200ba"),  # zero width
        ("Maria", "\U0001d40c\u0430ria"),  # a mathematical letter
    ],
)
def test_names_that_look_alike_have_one_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


DIFFERENT = (
    *("Ada", "Eve", "Bob", "Rob", "Ann", "Anna", "Hanna", "Nina", "Vera", "Uma", "Yuma"),
    *("Player 2", "Player 3", "Player 22", "uth-1", "uth-2", "uth-12", "ride-1", "李", "李明"),
    *("Анна", "Яна", "Иван", "Νίκος", "Γιάννης", "שרה", "محمد", "さくら", "サクラ", "민수"),
)


def test_names_that_differ_to_the_eye_stay_different() -> None:
    for one, other in combinations(DIFFERENT, 2):
        assert skeleton(one) != skeleton(other), (one, other)


@given(st.text(max_size=40))
def test_any_text_has_a_skeleton(text: str) -> None:
    found = skeleton(text)
    assert found == skeleton(text.replace(" ", ""))


@given(st.text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .'-", max_size=32))
def test_case_and_punctuation_never_matter(name: str) -> None:
    assert skeleton(name) == skeleton(name.upper()) == skeleton(name.lower())
    assert skeleton(name) == skeleton(name.replace(" ", "").replace("-", "."))


@pytest.mark.parametrize(
    ("name", "refused"),
    [
        ("Ada", False),
        ("Ada 7", False),
        ("Анна", False),
        ("Аnna", True),  # the first letter is Cyrillic
        ("Αda", True),  # Greek
        ("さくら花子", False),
        ("Sakura花", False),
        ("민수Kim", False),
        ("Ada שרה", True),
    ],
)
def test_scripts_that_nobody_mixes_are_refused(name: str, refused: bool) -> None:
    assert mixed(name) is refused
    if refused:
        with pytest.raises(Refused, match="one script"):
            admit(name)
    else:
        assert admit(name) == name


def test_a_name_is_stored_in_one_form() -> None:
    assert admit("\uff21da") == "Ada"
    assert admit("Zoe\u0308") == "Zo\u00eb"


@pytest.mark.parametrize("name", ["Guest 7", "GUEST", "Gu\u0435st 8", "G.u.e.s.t", "gue\u0455t"])
def test_nobody_can_look_like_a_guest(name: str) -> None:
    with pytest.raises(Refused):
        admit(name)


def test_digits_of_other_scripts_are_refused() -> None:
    with pytest.raises(Refused, match="0 to 9"):
        admit("Ada \u0663")
