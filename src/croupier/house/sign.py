"""The notices a table must show, on its layout or on a sign. Odds are "to" or "win", never the
other word (32.11(a), 18.11(a))."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from croupier.house.check import qualifier_clause
from croupier.house.submission import House
from croupier.law.clause import Clause, rulebook
from croupier.rules.money import in_dollars
from croupier.rules.odds import Award, Odds, Sum
from croupier.rules.paytable import PayTable, in_words

law = rulebook("nj-ultimate-texas-holdem")
massachusetts = rulebook("ma-ultimate-texas-holdem")
let_it_ride = rulebook("nj-let-it-ride")
pik_it = rulebook("nj-pik-it-poker")

WORDING = law("32.11(a)")
ODDS_ON_LAYOUT = pik_it("1.13Y(b)3")
NAME_ON_LAYOUT = pik_it("1.13Y(b)4")
ODDS_ON_SIGN = pik_it("1.13Y(c)")
MULTIPLES = pik_it("1.13Y(d)1")
LOWEST_QUALIFIER = pik_it("1.13Y(d)2i")
PLAY_3_REGARDLESS = pik_it("1.13Y(d)2ii")
BY_NUMBER_OF_HANDS = massachusetts("13(c)")


@dataclass(frozen=True, slots=True)
class Notice:
    """One paragraph of the sign, and the clause that asks for it."""

    title: str
    lines: tuple[str, ...]
    clause: Clause


def pays(award: Award) -> str:
    """Odds with "to"; a sum or a share of the meter with "win"."""
    match award:
        case Odds():
            return str(award)
        case Sum():
            return f"win {award}"
        case _:
            return f"win {award}"


def notices(house: House) -> Iterator[Notice]:
    """Everything the layout or the sign must say, in reading order."""
    wording = WORDING.under(house.book)
    if house.book is pik_it:
        yield Notice(house.name, (house.game.title,), NAME_ON_LAYOUT)
    else:
        yield Notice(house.name, (house.game.title,), wording)
    yield from _limits(house)
    even = [w.name for w in house.game.wagers if w.even_money]
    if even:
        cite = ODDS_ON_LAYOUT if house.book is pik_it else wording
        yield Notice(_and(even).capitalize(), ("1 to 1",), cite)
    for key, table in house.pay.items():
        wager = next(w for w in house.game.wagers if w.key == key.partition(" ")[0])
        if wager.required or wager.multiple_of or wager.key in house.offered:
            yield _pay_table(house, key, table)
    yield from _plays(house)
    yield from _payout_limits(house)


def _and(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _limits(house: House) -> Iterator[Notice]:
    for key, posted in house.posted.items():
        wager = next(w for w in house.game.wagers if w.key == key)
        if wager.required or key in house.offered:
            name = "bets 1, 2 and 3, each" if key == "main" else wager.name
            words = f"{in_dollars(posted.minimum)} to {in_dollars(posted.maximum)}"
            yield Notice(f"{name.capitalize()}: limits", (words,), wager.cite.under(house.book))
    for wager in house.game.wagers:
        if wager.exactly and wager.key in house.offered:
            words = f"exactly {in_dollars(wager.exactly)}"
            yield Notice(f"{wager.name.capitalize()}: wager", (words,), wager.cite)


def _pay_table(house: House, key: str, table: PayTable) -> Notice:
    name, _, hands = key.partition(" ")
    title = "Bets 1, 2 and 3" if name == "main" else name.replace("-", " ").capitalize()
    if hands:
        title += f", {hands} hands with the dealer's"
    cite = BY_NUMBER_OF_HANDS if hands else table.cite.under(house.book)
    if house.book is pik_it:
        cite = ODDS_ON_SIGN
    lines = [f"{in_words(line.name).capitalize()}: {pays(line.award)}" for line in table]
    if name == "blind":
        lines.append("Less than a straight: push")
    return Notice(title, tuple(lines), cite)


def _plays(house: House) -> Iterator[Notice]:
    if house.book is pik_it:
        amounts = tuple(
            f"{name}: {'equal to' if times == 1 else 'two times'} the ante"
            for name, times in (
                ("Play 3", house.multiples["play-3"][0]),
                ("Play 5", house.multiples["play-5"][0]),
            )
        )
        yield Notice("Play wagers", amounts, MULTIPLES)
        if house.qualifier:
            lowest = "The dealer qualifies with ace, king, four, three, two or better"
            yield Notice("Dealer's qualifying hand", (lowest,), LOWEST_QUALIFIER)
            words = "Dealer qualification has no bearing on a play 3 wager"
            yield Notice("Play 3", (words,), PLAY_3_REGARDLESS)
    elif house.game.id != "let-it-ride":
        lowest = (
            "Dealer below a pair: the ante is returned"
            if house.game.id == "ultimate-texas-holdem"
            else "The dealer qualifies with ace, king, four, three, two or better"
        )
        yield Notice("Dealer's qualifying hand", (lowest,), qualifier_clause(house))


def _payout_limits(house: House) -> Iterator[Notice]:
    for limit in house.terms().payout_limits:
        together = _and(list(limit.covers)).capitalize()
        words = f"{together} together win at most {in_dollars(limit.cents)}"
        yield Notice("Payout limit per hand", (words,), limit.cite)
