"""Names that look alike: of accounts, and of tables.

Two names are alike if their skeletons are equal. A skeleton is what is left of a name once case,
width, spaces, punctuation and accents are gone and every character that looks like another one is
replaced by it. The pairs come from the confusables of Unicode Technical Standard 39, as the package
confusable-homoglyphs ships them; a few pairs that only matter to readers of Latin are added here.
"""

from __future__ import annotations

import re
import unicodedata
from contextlib import suppress
from functools import cache
from string import ascii_lowercase

from croupier.law.refused import Refused

NAME = re.compile(r"[^\W_](([^\W_]|[ .'-]){0,30}[^\W_])?")
ACCENTS = range(0x300, 0x370)  # combining diacritical marks

# The standard compares names as they are written. Here case does not count either, so that a
# small i is as good as its capital, which looks like a small l.
ALSO = {"i": "l", "w": "vv", "d": "cl"}
PASSES = 3  # a replacement may itself look like something else, but no further than this

# Scripts that are written together; every other mixture of scripts is refused.
TOGETHER = (
    {"LATIN", "HAN", "HIRAGANA", "KATAKANA"},
    {"LATIN", "HAN", "BOPOMOFO"},
    {"LATIN", "HAN", "HANGUL"},
)
NO_SCRIPT = {"COMMON", "INHERITED"}


def folded(name: str) -> str:
    """The key an account is found by: case and width do not count."""
    return unicodedata.normalize("NFKC", name).casefold()


def skeleton(name: str) -> str:
    """Equal for names that look alike. It is for comparing, never for showing."""
    found = unicodedata.normalize("NFKC", name)
    for _ in range(PASSES):
        found = _replaced(found).casefold()
    return found


def scripts(name: str) -> set[str]:
    """The scripts a name is written in, such as LATIN; digits and punctuation have none."""
    from confusable_homoglyphs.categories import unique_aliases

    return set(unique_aliases(name)) - NO_SCRIPT


def mixed(name: str) -> bool:
    """Whether a name mixes scripts that nobody writes together."""
    found = scripts(unicodedata.normalize("NFKC", name))
    return len(found) > 1 and not any(found <= some for some in TOGETHER)


def admit(name: str) -> str:
    """The name in the form in which it is stored, or a refusal."""
    plain = unicodedata.normalize("NFKC", name)
    if not NAME.fullmatch(plain) or skeleton(plain).startswith(skeleton("guest")):
        raise Refused(
            "A name has 1 to 32 letters, digits, spaces, dots, hyphens or apostrophes, "
            "begins and ends with a letter or digit, and does not begin with Guest.",
            code="BAD_NAME",
        )
    if mixed(plain) or any(each.isdigit() and not each.isascii() for each in plain):
        raise Refused("A name is written in one script, with the digits 0 to 9.", code="BAD_NAME")
    return plain


def _replaced(name: str) -> str:
    apart = unicodedata.normalize("NFD", name)
    replaced = "".join(_prototypes().get(each, each) for each in apart if not _accent(each))
    return "".join(each for each in replaced if each.isalnum())


def _accent(character: str) -> bool:
    return ord(character) in ACCENTS


@cache
def _prototypes() -> dict[str, str]:
    """What each character is replaced by."""
    from confusable_homoglyphs.confusables import confusables_data

    found = {key: _prototype(key, confusables_data) for key in confusables_data}
    return found | _small_capitals() | ALSO


def _prototype(key: str, data: dict[str, list[dict[str, str]]]) -> str:
    """The data names every pair in both directions. In a group of more than two, one character is
    in all the pairs and stands for the group."""
    if len(data[key]) > 1:
        return key
    other = data[key][0]["c"]
    if len(data[other]) > 1:
        return other
    return max(key, other, key=lambda each: (len(each), each.isascii(), -ord(each[0])))


def _small_capitals() -> dict[str, str]:
    """Small letters of other scripts that look like a capital are paired with these."""
    found = {}
    for letter in ascii_lowercase:
        with suppress(KeyError):  # there is none for every letter
            name = f"LATIN LETTER SMALL CAPITAL {letter.upper()}"
            found[unicodedata.lookup(name)] = letter
    return found
