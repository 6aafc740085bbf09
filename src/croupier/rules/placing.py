"""Whether wagers may be placed: one verifier for the table, the options and the settle command."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from croupier.law.clause import Clause
from croupier.law.refused import Refused
from croupier.rules.bounds import said
from croupier.rules.game import Game
from croupier.rules.money import Cents, in_dollars
from croupier.rules.refusals import Refusal
from croupier.rules.terms import Terms


def verify(game: Game, placed: Mapping[str, Cents], terms: Terms) -> None:
    """Refuse the first thing wrong with the wagers one player places before the deal."""
    for refused in wrongs(game, placed, terms):
        raise refused


def wrongs(game: Game, placed: Mapping[str, Cents], terms: Terms) -> Iterator[Refused]:
    """Everything wrong with these wagers, in order of precedence."""

    def refuse(code: Refusal, sentence: str, cite: Clause) -> Refused:
        return Refused(sentence, cite.under(terms.book), code)

    wagers = game.placed_before_the_deal(terms.book)
    for name in placed:
        if name not in wagers and any(w.name == name and w.only_in for w in game.wagers):
            sentence = f"This table does not offer the {name} wager."
            yield refuse(Refusal.WAGER_NOT_OFFERED, sentence, game.wagers[0].cite)
            return
        if name not in wagers:
            yield refuse(
                Refusal.WAGER_UNKNOWN,
                f"There is no {said(name)} wager before the deal at {game.title}.",
                game.wagers[0].cite,
            )
            return
    up = [w for w in wagers.values() if placed.get(w.name)]
    for w in up:
        if not w.required and w.key not in terms.offered:
            sentence = f"This table does not offer the {w} wager."
            yield refuse(Refusal.WAGER_NOT_OFFERED, sentence, w.offered or w.cite)
    for w in up:
        missing = [name for name in w.needs if not placed.get(name)]
        if missing:
            sentence = f"The {w} wager is made only beside {' and '.join(w.needs)}."
            yield refuse(Refusal.WAGER_NEEDS_ANOTHER, sentence, w.needs_cite or w.cite)
    for w in wagers.values():
        if w.required and not placed.get(w.name):
            sentence = f"The {w} wager must be made to be dealt in."
            yield refuse(Refusal.WAGER_REQUIRED, sentence, w.cite)
    for w in up:
        if w.exactly and placed[w.name] != w.exactly:
            sentence = f"The {w} wager is exactly {in_dollars(w.exactly)}."
            yield refuse(Refusal.AMOUNT_IS_FIXED, sentence, w.cite)
    for w in up:
        if (posted := terms.posted.get(w.key)) and not (
            posted.minimum <= placed[w.name] <= posted.maximum
        ):
            yield refuse(
                Refusal.WITHIN_POSTED_LIMITS,
                f"The {w} wager of {in_dollars(placed[w.name])} is outside the posted limits, "
                f"{in_dollars(posted.minimum)} to {in_dollars(posted.maximum)}.",
                w.cite,
            )
    for w in up:
        if w.equal_to and placed[w.name] != placed.get(w.equal_to, 0):
            sentence = f"The {w} wager must be equal to {w.equal_to}."
            yield refuse(Refusal.WAGERS_MUST_BE_EQUAL, sentence, w.cite)
    for w in up:
        for odds, cite in terms.uneven.get(w.key, ()):
            if not odds.exact_on(placed[w.name]):
                yield refuse(
                    Refusal.MUST_BE_PAYABLE_EXACTLY,
                    f"A {w} wager of {in_dollars(placed[w.name])} could not be paid {odds} "
                    "in whole cents.",
                    cite,
                )
                break


def verify_multiple(game: Game, point: str, times: int, terms: Terms) -> None:
    """Refuse a play wager that is not a multiple of the ante allowed here."""
    rule = game.multiples[point]
    allowed = terms.multiples[point]
    if times not in allowed:
        words = " or ".join(str(n) for n in allowed)
        raise Refused(
            f"The {point.replace('-', ' ')} wager is {words} times the {rule.of}, "
            f"not {said(times)} times.",
            rule.cite.under(terms.book),
            Refusal.MULTIPLE_NOT_ALLOWED,
        )


def verify_match_play(
    game: Game, wager: str, coupon: Cents, placed: Mapping[str, Cents], terms: Terms
) -> None:
    for refused in coupon_wrongs(game, wager, coupon, placed, terms):
        raise refused


def coupon_wrongs(
    game: Game, wager: str, coupon: Cents, placed: Mapping[str, Cents], terms: Terms
) -> Iterator[Refused]:
    """Ruling K5: one coupon, on an even-money wager, beside chips of at least its value."""
    cite = terms.coupons
    if not terms.match_play:
        yield Refused(
            "This house takes no match play coupons.", cite, Refusal.MATCH_PLAY_NOT_OFFERED
        )
    if not any(w.name == wager and w.even_money for w in game.wagers):
        yield Refused(
            f"A match play coupon goes only on a wager paid 1 to 1, and {wager} is not.",
            cite,
            Refusal.MATCH_PLAY_ON_EVEN_MONEY_ONLY,
        )
    if not 0 < coupon <= placed.get(wager, 0):
        yield Refused(
            f"A match play coupon of {in_dollars(coupon)} needs chips of at least its value.",
            cite,
            Refusal.MATCH_PLAY_NEEDS_CHIPS,
        )
