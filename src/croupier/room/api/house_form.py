"""What a rulebook leaves open to a house, so that a page can ask for it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from msgspec import Struct

from croupier.house.check import MOST_ADJACENT, PRESHUFFLED, pik_it
from croupier.house.submission import DEALING, PROGRESSIVE_LINES, SHUFFLING, House, default_house
from croupier.rules.money import Cents
from croupier.rules.paytable import FIVE_CARD_CLASSES, PayTable, in_words
from croupier.rules.wager import Wager

PROGRESSIVE = "progressive"
WRITABLE = [name for name in FIVE_CARD_CLASSES if name not in ("tens-or-better", "high-card")]


class PayLine(Struct, frozen=True):
    name: str
    words: str
    pays: str  # nothing where the house is to say it


class OfferedTable(Struct, frozen=True):
    name: str
    lines: list[PayLine]


class Pay(Struct, frozen=True):
    """How one wager is paid: the tables there are to choose from, and whether lines may differ."""

    key: str  # in the submission: "trips", "cover-all.7"
    wager: str
    title: str
    tables: list[OfferedTable]
    open: bool
    clause: str


class Bet(Struct, frozen=True):
    key: str
    title: str
    required: bool
    limits: bool  # whether a minimum and maximum are posted
    exactly: Cents  # 0 where the law fixes no amount
    clause: str


class Multiple(Struct, frozen=True):
    key: str
    of: str
    choices: list[int]
    clause: str


class Form(Struct, frozen=True, kw_only=True):
    rulebook: str
    game: str
    title: str
    law: str
    wagers: list[Bet]
    pay: list[Pay]
    multiples: list[Multiple]
    dealing: list[str]
    shuffling: list[str]
    most_positions: int
    most_adjacent: int
    preshuffled: bool
    pik_it: bool  # whether qualifier, settlement and the dealer's stack are the house's to choose
    match_play: bool
    payout_limit: bool


@cache
def form(rulebook: str) -> Form:
    house = default_house(rulebook)
    game, book = house.game, house.book
    return Form(
        rulebook=book.id,
        game=game.id,
        title=game.title,
        law=book.title,
        wagers=list(_wagers(house)),
        pay=list(_pay(house)),
        multiples=[
            Multiple(key, rule.of, list(rule.choices), rule.cite.under(book).id)
            for key, rule in game.multiples.items()
            if rule.house_picks
        ],
        dealing=[each for each in DEALING if each in game.procedures],
        shuffling=list(SHUFFLING),
        most_positions=game.most_positions,
        most_adjacent=MOST_ADJACENT[book.id][0],
        preshuffled=book.id in PRESHUFFLED,
        pik_it=book is pik_it,
        match_play=any(wager.even_money for wager in game.wagers),
        payout_limit=game.least_payout_limit(house.terms()) is not None,
    )


def _before_the_deal(house: House) -> dict[str, Wager]:
    """By key: the three bets of Let It Ride are one."""
    found = (w for w in house.game.wagers_under(house.book) if w.before_the_deal)
    return {wager.key: wager for wager in found}


def _wagers(house: House) -> Iterator[Bet]:
    for key, wager in _before_the_deal(house).items():
        posted = not wager.exactly and (not wager.equal_to or key == "main")
        cite = (wager.offered or wager.cite).under(house.book).id
        yield Bet(key, _title(key), wager.required, posted, wager.exactly, cite)


def _pay(house: House) -> Iterator[Pay]:
    placed = {*_before_the_deal(house), *(w.key for w in house.game.wagers if w.multiple_of)}
    for key, printed in house.game.tables.items():
        if key not in placed:
            continue
        cite = printed.default.cite.under(house.book).id
        if key == "cover-all":  # one table for each number of hands, and no choice
            for hands, table in printed.tables.items():
                title = f"{_title(key)}, {hands} hands"
                yield Pay(f"{key}.{hands}", key, title, [_table(table)], False, cite)
        else:
            tables = [_table(each) for each in printed.tables.values()]
            may_differ = printed.may_pay_more or key == PROGRESSIVE
            yield Pay(key, key, _title(key), tables, may_differ, cite)
    if PROGRESSIVE in placed and PROGRESSIVE not in house.game.tables:
        blank = OfferedTable("", [PayLine(name, in_words(name), "") for name in WRITABLE])
        cite = PROGRESSIVE_LINES.under(house.book).id
        yield Pay(PROGRESSIVE, PROGRESSIVE, _title(PROGRESSIVE), [blank], True, cite)


def _table(table: PayTable) -> OfferedTable:
    lines = [PayLine(line.name, in_words(line.name), str(line.award)) for line in table]
    return OfferedTable(table.name, lines)


def _title(key: str) -> str:
    return "Each bet" if key == "main" else key.replace("-", " ").capitalize()
