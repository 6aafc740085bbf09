"""The steps of a round at this table: the game's declared acts, in the order that the dealing
procedure and the house's choices give them. The current step is the first that is not done, so
no counter can disagree with what happened."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from croupier.games.registry import game_named
from croupier.house.submission import House
from croupier.law.clause import Clause, rulebook
from croupier.rules import stage
from croupier.rules.stage import Order, Place
from croupier.table.settling import settlements
from croupier.table.state import SWEPT, Position, Round, Table

caribbean = rulebook("nj-caribbean-stud")
pik_it = rulebook("nj-pik-it-poker")
let_it_ride = rulebook("nj-let-it-ride")
law = rulebook("nj-ultimate-texas-holdem")

CLEARING = {
    "ultimate-texas-holdem": law("32.10(i)"),
    "caribbean-stud": law("32.10(i)"),
    "let-it-ride": let_it_ride("18.10(h)"),
    "pik-it": pik_it("39.10(g)"),
}


class Kind(StrEnum):
    __hash__ = str.__hash__  # looked up often; Enum's own hash is written in Python

    BETS = "bets"
    LOCK_OUT = "lock-out"
    SWEEP = "sweep"
    DEAL = "deal"
    UP_CARD = "up-card"
    CHOOSE = "choose"
    PICK = "pick"
    BY_SEAT = "play by seat"
    BURN = "burn"
    COMMUNITY = "community"
    REVEAL_COMMUNITY = "reveal community"
    DEALERS_STACK = "dealer's stack"
    STUB = "stub"
    REVEAL_DEALER = "reveal dealer"
    SETTLE = "settle"
    CLEAR = "clear"


class Step(Struct, frozen=True):
    kind: Kind
    cite: Clause
    done: Callable[[Table, Round, Step], bool] | None  # None: when nobody is waited for, or never
    waits: Callable[[Table, Position, Step], bool] | None  # for this hand, seat by seat
    point: str = ""
    count: int = 0  # so many cards burned, dealt or shown once this step is done
    wagers: tuple[str, ...] = ()
    order: Order = Order.FROM_THE_LEFT
    alternative: int = 0
    choices: dict[str, stage.Choice] = {}  # by what the player says
    cited: str = ""  # the clause's id in the book of the table


def step(
    kind: Kind,
    cite: Clause,
    point: str = "",
    *,
    count: int = 0,
    wagers: tuple[str, ...] = (),
    order: Order = Order.FROM_THE_LEFT,
    alternative: int = 0,
    choices: tuple[stage.Choice, ...] = (),
) -> Step:
    """A step knows its own tests, so that nothing is looked up while a round is played."""
    return Step(
        kind,
        cite,
        _DONE.get(kind),
        _WAITS.get(kind),
        point,
        count,
        wagers,
        order,
        alternative,
        {choice.verb: choice for choice in choices},
    )


class Procedure(Struct, frozen=True):
    """The steps of a round, and where the deal and the dealer's reveal stand among them."""

    steps: tuple[Step, ...]
    deal: int
    reveal: int
    after_board: dict[int, int]  # community cards on the felt -> the step that follows them


_laid: tuple[House | None, str, Procedure | None] = (None, "", None)


def procedure(table: Table) -> Procedure:
    """Laid out once per house and way of dealing; the one asked about last is at hand."""
    global _laid
    house, dealing, laid_out = _laid
    if laid_out is None or house is not table.house or dealing != table.dealing:
        laid_out = _procedure(table)
        _laid = (table.house, table.dealing, laid_out)
    return laid_out


def _procedure(table: Table) -> Procedure:
    house = table.house
    return lay_out(
        house.game.id,
        house.book.id,
        table.dealing,
        house.dealer_stack if table.dealing == "automated shoe" else 1,
        house.settlement,
        house.sweeps,
    )


@cache
def lay_out(
    game_id: str, book_id: str, dealing: str, dealer_stack: int, alternative: int, sweeps: bool
) -> Procedure:
    """Lay the game's declared acts out for one dealing procedure."""
    game = game_named(game_id)
    way = game.procedures[dealing]
    stub = step(Kind.STUB, way.stub)
    shared = [s for s in game.round if isinstance(s, stage.Deal) and s.to == (Place.COMMUNITY,)]
    made: list[Step] = []
    burned = dealt = shown = 0
    for act in game.round_under(rulebook(book_id)):
        match act:
            case stage.NoMoreBets():
                made.append(step(Kind.BETS, way.announce))
                if sweeps and game_id == "caribbean-stud":
                    made.append(step(Kind.LOCK_OUT, caribbean("16.7(b)")))
                if sweeps:
                    made.append(step(Kind.SWEEP, way.announce))
            case stage.Deal(to=(Place.COMMUNITY,)):
                dealt += act.cards
                made.append(step(Kind.COMMUNITY, act.cite, count=dealt))
                if act is shared[-1]:
                    made.append(stub)
            case stage.Deal():
                made.append(step(Kind.DEAL, way.deal))
                if not shared and dealer_stack == 1:
                    made.append(stub)
            case stage.Reveal(what="dealer's up-card"):
                if way.stacks:  # dealt singly, the fifth card falls face up (ruling S3)
                    made.append(step(Kind.UP_CARD, caribbean("16.9(g)")))
            case stage.Burn():
                burned += 1
                made.append(step(Kind.BURN, act.cite, count=burned))
            case stage.Choose():
                made.append(_betting_point(act))
                if act.point == "play" and dealer_stack == 2:
                    made.append(step(Kind.DEALERS_STACK, pik_it("39.9(c)2")))
                    made.append(stub)
            case stage.Reveal(what="community"):
                shown += 1
                made.append(step(Kind.REVEAL_COMMUNITY, act.cite, count=shown))
            case stage.Reveal(what="dealer"):
                made.append(step(Kind.REVEAL_DEALER, act.cite))
            case stage.Settle(wagers=wagers) if wagers[0] not in ("3 card bonus", "5 card bonus"):
                by = alternative if game_id == "pik-it" else 0
                made.append(
                    step(Kind.SETTLE, act.cite, wagers=wagers, order=act.order, alternative=by)
                )
    made.append(step(Kind.CLEAR, CLEARING[game_id]))
    book = rulebook(book_id)
    made = [replace(each, cited=each.cite.under(book).id) for each in made]
    kinds = [each.kind for each in made]
    deal = kinds.index(Kind.DEAL)
    reveal = kinds.index(Kind.REVEAL_DEALER) if Kind.REVEAL_DEALER in kinds else deal
    boards = {each.count: at + 1 for at, each in enumerate(made) if each.kind is Kind.COMMUNITY}
    return Procedure(tuple(made), deal, reveal, boards)


def _betting_point(act: stage.Choose) -> Step:
    kind = {"pick": Kind.PICK, "play": Kind.BY_SEAT}.get(act.point, Kind.CHOOSE)
    return step(kind, act.cite, act.point, order=act.order, choices=act.choices)


Where = tuple[Table | None, Step | None, Position | None]

_last: Where = (None, None, None)


def current(table: Table) -> Step | None:
    """What the table waits for; None where there is no round."""
    return _where(table)[1]


def turn(table: Table, step: Step) -> Position | None:
    """Whose turn it is, where this is the current step and goes seat by seat."""
    where = _where(table)
    return where[2] if where[1] is step else None


def _where(table: Table) -> Where:
    """A table never changes, so the answer for the one asked about last is remembered."""
    global _last
    where = _last
    if where[0] is not table:
        round = table.round
        where = (table, None, None) if round is None else (table, *_current(table, round))
        _last = where
    return where


def _current(table: Table, round: Round) -> tuple[Step, Position | None]:
    laid_out = procedure(table)
    steps = laid_out.steps
    if round.void and not round.trips_only:
        return steps[-1], None
    # No step is done before those in front of it, so what was dealt or shown says where to look.
    start = 0
    if round.dealer_shown:
        start = laid_out.reveal + 1
    elif round.dealt:
        start = laid_out.after_board.get(len(round.community), laid_out.deal + 1)
    for step in steps[start:]:
        if step.waits is not None:
            if (waiting := _first_to_wait(table, round, step)) is not None:
                return step, waiting
        elif step.done is None or not step.done(table, round, step):
            return step, None
    raise AssertionError("a round ends with clearing the table")


def _first_to_wait(table: Table, round: Round, step: Step) -> Position | None:
    if step.alternative == 1:
        return first_alternative(table, step)[1]
    waits = step.waits
    assert waits is not None
    positions = round.positions
    for position in positions if step.order is Order.FROM_THE_LEFT else positions[::-1]:
        if waits(table, position, step):
            return position
    return None


# --- who is waited for ----------------------------------------------------------------------


def _chooses(table: Table, p: Position, step: Step) -> bool:
    if p.folded or p.void or p.played or step.point in p.choices:
        return False
    return table.round is None or not table.round.trips_only  # then no hand plays on


def _picks(table: Table, p: Position, step: Step) -> bool:
    return p.live and "3 card bonus" in p.placed and "3 card bonus" not in p.settled


def _plays(table: Table, p: Position, step: Step) -> bool:
    return not (p.folded or p.void) and step.point not in p.choices


def _settles(table: Table, p: Position, step: Step) -> bool:
    """A hand with wagers of this step, or one that must be looked at for Cover All."""
    if p.void:
        return False
    for wager in step.wagers:
        if wager in p.placed and wager not in p.settled:
            return True
    return "cover all" not in step.wagers and cover_all_up(table) and not p.racked and not p.shown


_WAITS: dict[Kind, Callable[[Table, Position, Step], bool]] = {
    Kind.CHOOSE: _chooses,
    Kind.PICK: _picks,
    Kind.BY_SEAT: _plays,
    Kind.SETTLE: _settles,
}


def cover_all_up(table: Table) -> bool:
    """Ruling M3: while a Cover All wager is up every dealt hand counts."""
    if table.round is not None:
        for p in table.round.positions:
            if "cover all" in p.placed and "cover all" not in p.settled:
                return True
    return False


# --- Pik-It's first alternative: each procedure for all seats before the next ---------------

ANNOUNCE, COLLECT_LOSERS, PAY_WINNERS, RACK = 1, 2, 3, 4


_doing: tuple[Table | None, tuple[int, Position | None]] = (None, (0, None))


def first_alternative(table: Table, step: Step) -> tuple[int, Position | None]:
    """The procedure under way and the hand whose turn it is; nothing when all are done."""
    global _doing
    doing = _doing
    if doing[0] is not table:
        doing = _doing = (table, _first_alternative(table, step))
    return doing[1]


def _first_alternative(table: Table, step: Step) -> tuple[int, Position | None]:
    positions = table.now.positions
    if step.order is not Order.FROM_THE_LEFT:
        positions = positions[::-1]
    hands = [p for p in positions if not (p.folded or p.void or p.racked)]
    for p in hands:
        if not p.announced:
            return ANNOUNCE, p
    unpaid = [p for p in hands if len(p.settled) < len(p.placed)]  # bonuses went before
    for p in unpaid:
        for s in settlements(table, p):
            if s.result == "lost" and s.wager in step.wagers and s.wager not in p.settled:
                return COLLECT_LOSERS, p
    if unpaid:
        return PAY_WINNERS, unpaid[0]
    return (RACK, hands[0]) if hands else (0, None)


# --- whether a step is done -----------------------------------------------------------------

Done = Callable[[Table, Round, Step], bool]


def _swept(table: Table, r: Round, step: Step) -> bool:
    """Nothing to sweep is done; a chip whose light stayed dark goes back in the sweep."""
    name = SWEPT[table.house.game.id]
    return r.swept or not any(name in p.unsettled() for p in r.positions)


_DONE: dict[Kind, Done] = {
    Kind.BETS: lambda t, r, s: r.closed,
    Kind.LOCK_OUT: lambda t, r, s: r.locked,
    Kind.SWEEP: _swept,
    Kind.DEAL: lambda t, r, s: r.dealt,
    Kind.UP_CARD: lambda t, r, s: r.up_cards > 0,
    Kind.BURN: lambda t, r, s: r.burned >= s.count,
    Kind.COMMUNITY: lambda t, r, s: len(r.community) >= s.count,
    Kind.REVEAL_COMMUNITY: lambda t, r, s: len(r.community_shown) >= s.count,
    Kind.DEALERS_STACK: lambda t, r, s: r.dealer_delivered,
    Kind.STUB: lambda t, r, s: r.stub_gone,
    Kind.REVEAL_DEALER: lambda t, r, s: r.dealer_shown or r.trips_only,
}
