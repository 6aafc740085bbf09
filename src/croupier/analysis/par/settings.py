"""Every setting a table runs under, in words, with the clause that governs it, and their hash.

A setting has the house file's key. What a house left to the preset stands here as well, so that
two files which come to the same table have the same settings and the same hash.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from croupier.games import caribbean_stud, let_it_ride, pik_it, ultimate_texas_holdem
from croupier.house.check import (
    ALTERNATE,
    ALTERNATIVES,
    COUNTING,
    DEALER_STACK,
    MATCH_PLAY,
    MOST_ADJACENT,
    POSITIONS,
    PRESHUFFLED,
    SECOND_DECK,
    one_deck,
    qualifier_clause,
)
from croupier.house.submission import House
from croupier.law.clause import Clause, rulebook
from croupier.rules.money import in_dollars
from croupier.rules.paytable import PayTable
from croupier.rules.wager import Wager

law = rulebook("nj-ultimate-texas-holdem")

SHUFFLE = law("32.4(a)")
EVEN_MONEY = {
    ultimate_texas_holdem.GAME.id: ultimate_texas_holdem.EVEN_ODDS,
    caribbean_stud.GAME.id: caribbean_stud.EVEN_ODDS,
    pik_it.GAME.id: pik_it.EVEN_ODDS,
}
NO_LIMIT = {let_it_ride.GAME.id: let_it_ride.LIMIT, pik_it.GAME.id: pik_it.EVEN_ODDS}


@dataclass(frozen=True, slots=True)
class Setting:
    key: str
    value: str
    clause: Clause | None = None


def settings(house: House) -> tuple[Setting, ...]:
    """What this table does, whether its house said so or left it to the preset."""
    return tuple(
        setting
        for part in (_identity, _wagers, _multiples, _pay, _limits, _progressive, _cards, _choices)
        for setting in part(house)
    )


def fingerprint(found: Iterable[Setting]) -> str:
    """SHA-256 of the keys and values as JSON: sorted keys, no spaces, UTF-8. Anyone can make it
    again from the sheet."""
    pairs = {setting.key: setting.value for setting in found}
    text = json.dumps(pairs, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def listed(words: Iterable[str]) -> str:
    """ante, blind and play."""
    *some, last = words
    return f"{', '.join(some)} and {last}" if some else last


def made(house: House) -> tuple[Wager, ...]:
    """The wagers that can be made at this table, before the deal or during play."""
    return tuple(
        wager
        for wager in house.game.wagers_under(house.book)
        if wager.required or wager.multiple_of or wager.key in house.offered
    )


def _identity(house: House) -> Iterator[Setting]:
    yield Setting("rulebook", house.book.id)
    yield Setting("name", house.name)


def _wagers(house: House) -> Iterator[Setting]:
    for wager in house.game.wagers_under(house.book):
        if not wager.required and not wager.multiple_of:
            words = "offered" if wager.key in house.offered else "not offered"
            cite = (wager.offered or wager.cite).under(house.book)
            yield Setting(f"offered.{wager.key}", words, cite)
    for key, wager in {w.key: w for w in made(house)}.items():
        cite = wager.cite.under(house.book)
        if wager.exactly:
            yield Setting(f"limits.{key}", f"exactly {in_dollars(wager.exactly)}", cite)
        elif posted := house.posted.get(key):
            words = f"{in_dollars(posted.minimum)} to {in_dollars(posted.maximum)}"
            yield Setting(f"limits.{key}", words, cite)


def _multiples(house: House) -> Iterator[Setting]:
    for key, rule in house.game.multiples.items():
        times = house.multiples[key]
        many = " or ".join(str(n) for n in times) + " times"
        words = f"{'equal to' if times == (1,) else many} the {rule.of}"
        yield Setting(f"multiples.{key}", words, rule.cite.under(house.book))


def _pay(house: House) -> Iterator[Setting]:
    for wager in made(house):
        if wager.even_money:
            yield Setting(f"pay.{wager.key}", "1 to 1", paid_by(house, wager))
    keys = {wager.key for wager in made(house)}
    for name, table in house.pay.items():
        if name.partition(" ")[0] in keys:
            where, cite = f"pay.{name.replace(' ', '.')}", table.cite.under(house.book)
            yield Setting(where, printed_name(house, table), cite)
            for line in table:
                yield Setting(f"{where}.{line.name}", str(line.award), cite)


def paid_by(house: House, wager: Wager) -> Clause:
    """The clause that pays a wager 1 to 1."""
    return (wager.paid_by or EVEN_MONEY[house.game.id]).under(house.book)


def printed_name(house: House, table: PayTable) -> str:
    """The table of the law that pays the same, else the house's own."""
    printed = house.game.tables.get(table.wager)
    for name, each in printed.tables.items() if printed else ():
        if table.same_awards(each):
            return f"table {name}" if len(name) == 1 else f"as printed ({name})"
    return "the house's own lines"


def _limits(house: House) -> Iterator[Setting]:
    limits = house.terms().payout_limits
    if not limits:
        yield Setting("payout_limit", "none", NO_LIMIT[house.game.id])
    for number, limit in enumerate(limits, 1):
        key = "payout_limit" if number == 1 else f"payout_limit.{number}"
        words = f"{in_dollars(limit.cents)} on {listed(limit.covers)} together"
        yield Setting(key, words, limit.cite.under(house.book))


def _progressive(house: House) -> Iterator[Setting]:
    if "progressive" in house.offered and house.progressive:
        cite = house.game.wager("progressive").cite
        for key in ("meter", "seed", "contribution"):
            yield Setting(f"progressive.{key}", in_dollars(getattr(house.progressive, key)), cite)


def _cards(house: House) -> Iterator[Setting]:
    book = house.book
    two = len(house.decks) == 2
    decks = SECOND_DECK.under(book) if two else one_deck(house)
    yield Setting("decks", f"{len(house.decks)}: {listed(house.decks)}", decks)
    yield Setting("alternate", _yes(house.alternate), ALTERNATE.under(book))
    yield Setting("shuffling", house.shuffling, SHUFFLE.under(book))
    counting = COUNTING.get(book.id, SHUFFLE.under(book))
    yield Setting("counting", _yes(house.counting), counting)
    preshuffled = PRESHUFFLED.get(book.id, SHUFFLE.under(book))
    yield Setting("preshuffled", _yes(house.preshuffled), preshuffled)
    dealing = house.game.procedures[house.dealing]
    yield Setting("dealing", house.dealing, dealing.chosen.under(book))


def _choices(house: House) -> Iterator[Setting]:
    book, of_pik_it = house.book, house.game is pik_it.GAME
    yield Setting("positions", str(house.positions), POSITIONS if of_pik_it else one_deck(house))
    yield Setting("adjacent", str(house.adjacent), MOST_ADJACENT[book.id][1])
    if house.game is not let_it_ride.GAME:
        yield Setting("qualifier", _yes(house.qualifier), qualifier_clause(house))
    if of_pik_it:
        yield Setting("settlement", f"alternative {house.settlement}", ALTERNATIVES)
        yield Setting("dealer_stack", f"way {house.dealer_stack}", DEALER_STACK)
    yield Setting("match_play", _yes(house.match_play), MATCH_PLAY.under(book))


def _yes(flag: bool) -> str:
    return "yes" if flag else "no"
