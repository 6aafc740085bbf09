"""Is a house legal, and is it wise? Every violation with key, value and clause."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from croupier.games.pik_it import ALTERNATIVES as PIK_IT_ALTERNATIVES
from croupier.house.submission import House, Violation
from croupier.law.clause import Clause, rulebook
from croupier.rules.money import Cents, in_dollars
from croupier.rules.odds import Odds, Share, Sum
from croupier.rules.paytable import PayTable, Printed
from croupier.rules.terms import Terms

law = rulebook("nj-ultimate-texas-holdem")
massachusetts = rulebook("ma-ultimate-texas-holdem")
caribbean = rulebook("nj-caribbean-stud")
supplied = rulebook("nj-caribbean-stud-supplied")
let_it_ride = rulebook("nj-let-it-ride")
pik_it = rulebook("nj-pik-it-poker")

ONE_DECK = {
    let_it_ride.id: let_it_ride("18.2(a)"),
    pik_it.id: pik_it("39.2(a)"),
}
SECOND_DECK = law("32.2(b)")
DIFFERENT_BACKS = law("32.2(b)2")
ALTERNATE = law("32.2(b)4")
PRESHUFFLED = {
    let_it_ride.id: let_it_ride("18.5(a)"),
    pik_it.id: pik_it("39.6(a)"),
}
HAND_NEEDS_SHUFFLER = law("32.8(b)1")
COUNTING = {
    caribbean.id: caribbean("16.9(f)"),
    let_it_ride.id: let_it_ride("18.7(f)"),
    pik_it.id: pik_it("39.7(f)"),
}
MOST_ADJACENT = {
    law.id: (1, law("32.12")),
    massachusetts.id: (1, massachusetts("12")),
    caribbean.id: (1, caribbean("16.6(e)")),
    let_it_ride.id: (2, let_it_ride("18.6(e)")),
    pik_it.id: (3, pik_it("39.3(e)")),
}
POSITIONS = pik_it("1.13Y(a)")  # ruling P12
COVER_ALL_SHUFFLER = massachusetts("13(d)")
COVER_ALL_HANDS = massachusetts("13(k)")
MOST_COVER_ALL_PLAYERS = 6  # ruling M2: seven hands, the dealer's among them
PROGRESSIVE_NEEDS_TRIPS = massachusetts("14(b)")
ALTERNATIVES = pik_it("39.10(e)")
DEALER_STACK = pik_it("39.9(c)")
DEALER_STACK_WAYS = {1: pik_it("39.9(c)1"), 2: pik_it("39.9(c)2")}
MATCH_PLAY = law("32.6(a)")
OPTIONAL = {"ultimate-texas-holdem": law("32.6(c)")}


@dataclass(frozen=True, slots=True)
class Report:
    violations: tuple[Violation, ...]
    warnings: tuple[Violation, ...]

    @property
    def legal(self) -> bool:
        return not self.violations


def check(house: House) -> Report:
    violations: list[Violation] = []
    for part in (
        _decks,
        _shuffling,
        _dealing,
        _positions,
        _wagers,
        _multiples,
        _pay,
        _limit,
        _choices,
    ):
        violations += part(house)
    return Report(tuple(violations), () if violations else tuple(_unwise(house)))


def _decks(house: House) -> Iterator[Violation]:
    decks, book = list(house.decks), house.book
    if len(decks) not in (1, 2):
        sentence = "the game is played with one deck, or two."
        yield Violation("decks", decks, sentence, one_deck(house))
    if len(decks) == 2 and house.shuffling != "automated":
        yield Violation(
            "decks",
            decks,
            "a second deck needs an automated card shuffling device.",
            SECOND_DECK.under(book),
        )
    if len(decks) == 2 and decks[0].casefold() == decks[1].casefold():
        yield Violation(
            "decks",
            decks,
            "the backs of two decks must differ in colour.",
            DIFFERENT_BACKS.under(book),
        )
    if house.alternate and len(decks) < 2:
        yield Violation(
            "alternate", True, "alternation needs a second deck.", ALTERNATE.under(book)
        )
    if not house.alternate and len(decks) == 2:
        yield Violation(
            "alternate", False, "two decks alternate every round.", ALTERNATE.under(book)
        )


def one_deck(house: House) -> Clause:
    return ONE_DECK.get(house.book.id, law("32.2(a)").under(house.book))


def _shuffling(house: House) -> Iterator[Violation]:
    if house.counting and house.shuffling != "automated":
        cite = COUNTING.get(house.book.id, law("32.4(a)").under(house.book))
        yield Violation(
            "counting", True, "only an automated card shuffling device can count the deck.", cite
        )
    if house.preshuffled and house.book.id not in PRESHUFFLED:
        cite = law("32.4(a)").under(house.book)
        yield Violation("preshuffled", True, "this text knows no pre-shuffled cards.", cite)


def _dealing(house: House) -> Iterator[Violation]:
    if house.dealing == "hand" and house.shuffling != "automated":
        yield Violation(
            "dealing",
            "hand",
            "dealing from the hand needs an automated card shuffling device.",
            HAND_NEEDS_SHUFFLER.under(house.book),
        )


def _positions(house: House) -> Iterator[Violation]:
    game, book = house.game, house.book
    if not 1 <= house.positions <= game.most_positions:
        sentence = f"one deck serves 1 to {game.most_positions} positions."
        cite = POSITIONS if book is pik_it else one_deck(house)
        yield Violation("positions", house.positions, sentence, cite)
    most, cite = MOST_ADJACENT[book.id]
    if not 1 <= house.adjacent <= most:
        words = "one position only" if most == 1 else f"at most {most} adjacent positions"
        yield Violation("adjacent", house.adjacent, f"a player may hold {words}.", cite)
    if "cover-all" in house.offered and house.positions > MOST_COVER_ALL_PLAYERS:
        yield Violation(
            "positions",
            house.positions,
            "Cover All is printed for seven hands, the dealer's included: six positions.",
            COVER_ALL_HANDS,
        )


def _wagers(house: House) -> Iterator[Violation]:
    game, book = house.game, house.book
    known = game.wagers_under(book)
    optional = {w.key: w for w in known if w.before_the_deal and not w.required}
    for key in house.offered:
        if key not in optional:
            words = ", ".join(optional)
            sentence = f"this text knows these optional wagers: {words}."
            yield Violation(
                "offered", key, sentence, OPTIONAL.get(game.id, game.wagers[0].cite).under(book)
            )
    if "cover-all" in house.offered and house.shuffling != "automated":
        yield Violation(
            "offered",
            "cover-all",
            "Cover All is offered only with the automated shuffler.",
            COVER_ALL_SHUFFLER,
        )
    if "progressive" in house.offered and "progressive" in optional:
        yield from _progressive(house)
    required = dict.fromkeys(
        w.key for w in game.wagers if w.required and (not w.equal_to or w.key == "main")
    )
    for key in (*required, *(k for k in house.offered if k in optional)):
        wager = next(w for w in game.wagers if w.key == key)
        if wager.exactly:
            continue
        cite = wager.cite.under(book)
        posted = house.posted.get(key)
        if posted is None:
            yield Violation(f"limits.{key}", None, "a minimum and maximum must be posted.", cite)
        elif not 0 < posted.minimum <= posted.maximum:
            value = [in_dollars(posted.minimum), in_dollars(posted.maximum)]
            sentence = "the minimum must be above zero and not above the maximum."
            yield Violation(f"limits.{key}", value, sentence, cite)


def _progressive(house: House) -> Iterator[Violation]:
    wager = house.game.wager("progressive")
    cite = wager.cite.under(house.book)
    if house.progressive is None:
        sentence = "a progressive needs its [progressive] table: meter, seed, contribution."
        yield Violation("offered", "progressive", sentence, cite)
    elif not 0 <= house.progressive.contribution <= wager.exactly:
        yield Violation(
            "progressive.contribution",
            in_dollars(house.progressive.contribution),
            f"a wager of {in_dollars(wager.exactly)} cannot add more than itself.",
            cite,
        )
    if "progressive" not in house.pay or not house.pay["progressive"].lines:
        sentence = "the text prints no lines; the house must supply pay.progressive."
        yield Violation("pay.progressive", None, sentence, cite)
    if house.book is massachusetts and "trips" not in house.offered:
        yield Violation(
            "offered",
            list(house.offered),
            "the progressive is made only beside trips, which is not offered.",
            PROGRESSIVE_NEEDS_TRIPS,
        )


def _multiples(house: House) -> Iterator[Violation]:
    for key, rule in house.game.multiples.items():
        chosen = house.multiples[key]
        legal = (
            len(chosen) == 1 and chosen[0] in rule.choices
            if rule.house_picks
            else sorted(chosen) == sorted(rule.choices)
        )
        if not legal:
            words = (" or " if rule.house_picks else " and ").join(str(n) for n in rule.choices)
            sentence = f"the law says {words} times the {rule.of}."
            yield Violation(f"multiples.{key}", list(chosen), sentence, rule.cite.under(house.book))


def _pay(house: House) -> Iterator[Violation]:
    for key, table in house.pay.items():
        wager, _, hands = key.partition(" ")
        printed = house.game.tables.get(wager)
        if printed is None or (table.name != "custom"):
            continue
        where = f"pay.{wager}.{hands}" if hands else f"pay.{wager}"
        if hands:
            printed = Printed({hands: printed.tables[hands]}, printed.may_pay_more)
        yield from _against(house, where, table, printed)
    yield from _award_kinds(house)


def _against(house: House, where: str, table: PayTable, printed: Printed) -> Iterator[Violation]:
    """A custom table against what the law prints: no less (ruling U9), or exactly that."""
    cite = printed.default.cite.under(house.book)
    if printed.default.wager == "progressive":
        return  # the house's own lines (rulings M5, S5)
    if not printed.may_pay_more:
        if not table.same_awards(printed.default):
            lines = {line.name: str(line.award) for line in table}
            yield Violation(where, lines, "the law fixes these odds.", cite)
        return
    nearest = min(printed.tables.values(), key=lambda minimum: len(table.shortfalls(minimum)))
    mine = {line.name: str(line.award) for line in table}
    for name, line in table.shortfalls(nearest):
        yield Violation(
            f"{where}.{name}",
            mine.get(name),
            f"the law pays no less than {line.award} (table {nearest.name}).",
            cite,
        )


def _award_kinds(house: House) -> Iterator[Violation]:
    """Odds on chips that stay, sums on a swept chip, shares only of a meter."""
    for key, table in house.pay.items():
        wager = key.partition(" ")[0]
        for line in table:
            wrong = (
                (wager != "progressive" and isinstance(line.award, Share))
                or (wager not in ("progressive", "bonus") and isinstance(line.award, Sum))
                or (wager == "bonus" and isinstance(line.award, Odds))
            )
            if wrong:
                yield Violation(
                    f"pay.{wager}.{line.name}",
                    str(line.award),
                    "this wager is not paid that way.",
                    table.cite.under(house.book),
                )


def _limit(house: House) -> Iterator[Violation]:
    if house.payout_limit is None or any(_wagers(house)):
        return
    least = house.game.least_payout_limit(house.terms())
    value = in_dollars(house.payout_limit)
    if least is None:
        yield Violation(
            "payout_limit", value, "this text allows no payout limit.", pik_it("39.11(a)")
        )
    elif house.payout_limit < least[0]:
        sentence = f"the payout limit is at least {in_dollars(least[0])} here."
        yield Violation("payout_limit", value, sentence, least[1])


def _choices(house: House) -> Iterator[Violation]:
    if house.settlement not in PIK_IT_ALTERNATIVES or (
        house.settlement == 2 and house.book is not pik_it
    ):
        sentence = "Pik-It knows alternatives 1 and 2; the other games one way only."
        yield Violation("settlement", house.settlement, sentence, ALTERNATIVES)
    if house.dealer_stack not in DEALER_STACK_WAYS or (
        house.dealer_stack == 2 and house.book is not pik_it
    ):
        sentence = "Pik-It's automated shoe knows ways 1 and 2; the other games one way only."
        yield Violation("dealer_stack", house.dealer_stack, sentence, DEALER_STACK)
    elif house.dealer_stack == 2 and house.dealing != "automated shoe":
        sentence = "the dealer's stack waits only in an automated shoe."
        yield Violation("dealer_stack", 2, sentence, DEALER_STACK)
    if not house.qualifier and house.book is not pik_it:
        sentence = "only Pik-It may be played without a dealer qualifier."
        yield Violation("qualifier", False, sentence, qualifier_clause(house))
    if house.match_play and not any(w.even_money for w in house.game.wagers):
        sentence = "no wager of this game is paid plainly 1 to 1."
        yield Violation("match_play", True, sentence, MATCH_PLAY.under(house.book))


def qualifier_clause(house: House) -> Clause:
    return {
        caribbean.id: supplied("2(a)"),
        pik_it.id: pik_it('39.1 "Qualifying hand"'),
        let_it_ride.id: let_it_ride("18.10(g)2"),  # there is no dealer's hand at all
    }.get(house.book.id, law("32.10(g)").under(house.book))


def _unwise(house: House) -> Iterator[Violation]:
    """Legal, but someone will be sorry."""
    terms = house.terms()
    for limit in terms.payout_limits:
        best = _best_at_maximum(house, terms, limit.covers)
        if best > limit.cents:
            yield Violation(
                "payout_limit",
                in_dollars(limit.cents),
                f"the best hand at the maximum would win {in_dollars(best)}; the rest is not paid.",
                limit.cite,
            )
    if house.book is let_it_ride and house.payout_limit is None:
        best = _best_at_maximum(house, terms, ("bet 1", "bet 2", "bet 3"))
        yield Violation(
            "payout_limit",
            None,
            f"without a limit the best hand at the maximum wins {in_dollars(best)}.",
            let_it_ride("18.11(c)"),
        )


def _best_at_maximum(house: House, terms: Terms, names: tuple[str, ...]) -> Cents:
    """The most these wagers can win together at their posted maximum."""
    amounts: dict[str, Cents] = {}
    for wager in house.game.wagers_under(house.book):
        if wager.name not in names:
            continue
        if not wager.required and wager.before_the_deal and wager.key not in house.offered:
            continue
        key = "cover-all 2" if wager.key == "cover-all" else wager.key  # two hands pay the most
        base = house.posted[wager.key if wager.key in house.posted else "ante"].maximum
        times = max(max(m) for m in house.multiples.values()) if wager.multiple_of else 1
        amounts[key] = amounts.get(key, 0) + base * times
    return terms.best_round(amounts)
