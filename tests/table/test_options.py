"""The refusal matrix: at every stage of every game, each command of everybody.

Options and decide must agree. Commands that come to the same events count as the same, because
some things may be said in two ways ("play" and "play" with the only multiple there is). Where a
number is free (chips, the count of the stub, the place of a card) the matrix uses the one that
the options use; those commands are looked at again by themselves below.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import combinations, product

import msgspec
import pytest
from engine_driver import FROM_THE_HAND, HOUSES, Evening, player
from helpers import ALL_BOOKS, MA_UTH, NJ_UTH

from croupier.cards.card import DECK, spell
from croupier.law.clause import clause
from croupier.rules.refusals import Refusal
from croupier.table import commands as c
from croupier.table.commands import DEALER, DEVICE, SUPERVISOR, Actor, Command, Role
from croupier.table.dealing import count_due
from croupier.table.decide import HANDLERS, decide
from croupier.table.events import Event
from croupier.table.evolve import apply
from croupier.table.options import LEAST_CHIPS, options
from croupier.table.procedure import current, turn
from croupier.table.refused import Refused
from croupier.table.state import DeckAt, Table

STRANGER = player("nobody seated")
NOBODY = Actor(Role.PLAYER)
VERBS = ("check", "play", "fold", "bet", "withdraw", "ride", "pick", "raise", "")
WAGERS = ("", "play", "bet", "bet 1", "bet 2", "bet 3", "play 3", "play 5", "3 card bonus")
SEATED = (1, 3)


# --- everything anybody could say -----------------------------------------------------------


def universe(table: Table, who: Actor) -> Iterator[Command]:
    """Every command, from this person, whoever it is for."""
    seats = range(len(table.seats) + 2)
    colours = (*table.house.decks, "green")
    for colour in colours:
        for kind in BY_COLOUR:
            yield kind(who, colour)  # type: ignore[call-arg]
        yield c.SpreadDeck(who, colour, True)
        yield c.SpreadDeck(who, colour, False)
        yield from (c.CutDeck(who, colour, n) for n in range(53))
        yield c.AnnounceNoMoreBets(who, colour)
    yield c.AnnounceNoMoreBets(who)
    for colour in table.house.decks:
        yield c.ReceiveDeck(who, colour, spell(DECK))
        yield c.ReceiveDeck(who, colour, spell(DECK), preshuffled=True)
        yield c.ShuffleDeck(who, colour, "2c 2d 2h")
        if deck := table.deck(colour):
            lying = deck.cards + (table.rack if deck.at is DeckAt.USED else ())
            yield c.ShuffleDeck(who, colour, spell(sorted(lying)))
    for kind in BY_SEAT:
        yield from (kind(who, seat) for seat in seats)  # type: ignore[call-arg]
    for kind in BY_DEVICE:
        yield from (kind(who, device) for device in ("shuffler", "shoe", "kettle"))  # type: ignore[call-arg]
    for shuffling, dealing in product(("manual", "automated", "by eye"), DEALINGS):
        yield c.ChangeMethod(who, shuffling, dealing)
    for kind in BARE:
        yield kind(who)
    yield c.FillInventory(who, LEAST_CHIPS)
    yield c.BuyChips(who, LEAST_CHIPS)
    yield from (c.SweepChips(who, n) for n in seats)
    yield c.ReportFaceUpCard(who, 0)
    each = table.house.game.cards_each
    for place in (*(f"seat {n}" for n in seats), "dealer", "community", "rack"):
        yield c.ReportWrongNumber(who, place, each - 1)
        yield c.ReportWrongNumber(who, place, each)
        yield c.ReportWrongNumber(who, place, each + 1)
    yield c.CountStub(who, len(table.round.stub) if table.round else 0)
    yield from wagers(table, who)
    yield from choices(table, who)


DEALINGS = ("manual shoe", "hand", "automated shoe", "chute")
BY_COLOUR = (
    *(c.InspectDeck, c.VerifyDeck, c.TurnFaceUp, c.WashDeck, c.LoadShuffler),
    *(c.OrderRecut, c.RemoveDeck),
)
BY_SEAT = (c.SitDown, c.StandUp, c.TakeBackWagers, c.LightAcceptor, c.RevealHand, c.Settle)
BY_DEVICE = (c.RemoveDevice, c.InstallDevice, c.ReportJam)
BARE = (
    *(c.PressLockOut, c.DealHands, c.BurnCard, c.DealCommunity, c.DeliverDealersStack),
    *(c.ExposeUpCard, c.RevealCommunity, c.RevealDealer, c.RackStub, c.ClearTable),
    *(c.ReportExposedCard, c.ReportCardDrawnInError, c.CloseTable),
)


def wagers(table: Table, who: Actor) -> Iterator[Command]:
    """Every set of wagers of the game, at the least amount; one set only on other seats."""
    least = least_amounts(table)
    own = table.seats_of(who.player) if who.player else []
    for seat in range(len(table.seats) + 2):
        sizes = range(1, len(least) + 1) if seat in own else [len(least)]
        for size in sizes:
            for names in combinations(least, size):
                yield c.PlaceWagers(who, seat, {name: least[name] for name in names})


def least_amounts(table: Table) -> dict[str, int]:
    posted = table.terms.posted
    amounts = {}
    for wager in table.house.game.wagers:
        base = posted.get(wager.key) or posted.get("ante") or posted["main"]
        amounts[wager.name] = wager.exactly or base.minimum
    return amounts


def choices(table: Table, who: Actor) -> Iterator[Command]:
    own = table.seats_of(who.player) if who.player else []
    for seat in range(len(table.seats) + 2):
        if seat not in own:
            yield from (c.Choose(who, seat, verb) for verb in VERBS)
            continue
        yield from (c.Choose(who, seat, *words) for words in product(VERBS, WAGERS))
        yield from (c.Choose(who, seat, verb, "", n) for verb in VERBS for n in range(6))
        for cards in (*combinations(range(7), 3), (5, 1, 3), (1, 1, 3), (1, 2), (1, 2, 3, 4)):
            yield c.Choose(who, seat, "pick", cards=cards)


# --- every stage ----------------------------------------------------------------------------


def people(table: Table) -> list[Actor]:
    seated = [player(name) for name in dict.fromkeys(table.seats) if name]
    return [DEALER, SUPERVISOR, DEVICE, *seated, STRANGER, NOBODY]


def stage_of(table: Table) -> tuple[object, ...]:
    """What tells one stage from another; which cards lie there does not."""
    step = current(table)
    waiting = turn(table, step) if step else None
    two = len(table.decks) > 1
    decks = sorted((deck.at, two and deck.colour == table.last_colour) for deck in table.decks)
    r = table.round
    return (
        decks,
        step.kind if step else "",
        step.point if step else "",
        step.count if step else 0,
        step.wagers if step else (),
        waiting.seat if waiting else 0,
        (waiting.shown, bool(waiting.picked), waiting.announced) if waiting else None,
        count_due(table),
        [p.seat for p in r.positions] if r and not r.closed else None,
        r.trips_only if r else False,
        r.void if r else False,
    )


@cache
def stages(name: str) -> tuple[Table, ...]:
    """One table for each stage that an evening of this house comes to."""
    found: dict[str, Table] = {}
    evening = Evening(HOUSES[name], seats=SEATED)
    found.setdefault(str(stage_of(evening.table)), evening.table)
    for seat in SEATED:
        evening.do(c.SitDown(player(f"p{seat}"), seat, 20_000_00))
        found.setdefault(str(stage_of(evening.table)), evening.table)
    while evening.table.rounds < 5:  # the fifth stub must be counted
        evening.step()
        found.setdefault(str(stage_of(evening.table)), evening.table)
    evening.until("deal")
    while evening.table.rounds < 6:  # and a round that goes wrong
        report = c.ReportExposedCard(SUPERVISOR)
        if not isinstance(evening.ask(report), Refused):
            evening.do(report)
        else:
            evening.step()
        found.setdefault(str(stage_of(evening.table)), evening.table)
    return tuple(found.values())


def encoded(value: object) -> bytes:
    return msgspec.json.encode(value, order="sorted")


def snapshot(table: Table) -> str:
    """All that can change of a table, written out."""
    names = [name for name in table.__struct_fields__ if name not in ("house", "terms")]
    return repr([getattr(table, name) for name in names])


NAMES = sorted(HOUSES)
OF_A_SEAT = (c.StandUp, c.TakeBackWagers, c.Choose, c.PlaceWagers)


class Matrix:
    """One walk through all stages of a house: what was refused, and what broke a rule."""

    def __init__(self, name: str) -> None:
        self.refusals: set[Refused] = set()
        self.differences: list[object] = []
        self.changed: list[object] = []
        self.impossible: list[object] = []
        self.wrong_role: list[object] = []
        self.wrong_seat: list[object] = []
        for table in stages(name):
            before = snapshot(table)
            for who in people(table):
                self.look(table, who)
            if snapshot(table) != before:
                self.changed.append(stage_of(table))

    def look(self, table: Table, who: Actor) -> None:
        lawful: dict[str, set[bytes]] = defaultdict(set)
        asked: Counter[type] = Counter()
        for command in universe(table, who):
            asked[type(command)] += 1
            if who.role not in HANDLERS[type(command)][0] and asked[type(command)] > 3:
                continue  # the role is wrong whatever the seat or colour
            answer = decide(table, command)
            if isinstance(answer, Refused):
                self.refusals.add(answer)
            elif (key := encoded(answer)) not in lawful[type(command).__name__]:
                lawful[type(command).__name__].add(key)
                self.apply(table, command, answer)
            for_role = isinstance(answer, Refused) and answer.code is Refusal.NOT_THIS_ROLE
            if for_role != (who.role not in HANDLERS[type(command)][0]):
                self.wrong_role.append((stage_of(table), command, answer))
            if who.role is Role.PLAYER and not self.seat_is_right(table, command, answer):
                self.wrong_seat.append((stage_of(table), command, answer))
        offered: dict[str, set[bytes]] = defaultdict(set)
        for command in options(table, who):
            offered[type(command).__name__].add(encoded(decide(table, command)))
        for kind in lawful.keys() | offered.keys():
            if lawful[kind] != offered[kind]:
                self.differences.append((stage_of(table), who, lawful[kind] ^ offered[kind]))

    def apply(self, table: Table, command: Command, answer: tuple[Event, ...]) -> None:
        """What was accepted can happen, and no chip comes from nowhere."""
        try:
            if apply(table, answer).accounts() != 0:
                self.impossible.append((stage_of(table), command, "does not add up"))
        except Exception as error:
            self.impossible.append((stage_of(table), command, repr(error)))

    @staticmethod
    def seat_is_right(table: Table, command: Command, answer: object) -> bool:
        """Whether somebody who speaks for another seat, or for none, is refused for that."""
        by = command.by
        if not isinstance(command, OF_A_SEAT) or (
            by.player and command.seat in table.seats_of(by.player)
        ):
            return True
        if isinstance(command, c.PlaceWagers):
            due = Refusal.ONLY_SEATED_PLAYERS_WAGER
        elif 1 <= command.seat <= len(table.seats):
            due = Refusal.NOT_YOUR_SEAT
        else:
            due = Refusal.NO_SUCH_SEAT
        return isinstance(answer, Refused) and answer.code is due


matrix = cache(Matrix)


@pytest.mark.parametrize("name", NAMES)
def test_the_options_are_exactly_what_would_be_accepted(name: str) -> None:
    assert matrix(name).differences == []


@pytest.mark.parametrize("name", NAMES)
def test_what_is_accepted_can_happen(name: str) -> None:
    assert matrix(name).impossible == []


@pytest.mark.parametrize("name", NAMES)
def test_to_ask_changes_nothing(name: str) -> None:
    assert matrix(name).changed == []


@pytest.mark.parametrize("name", NAMES)
def test_a_refusal_has_a_code_a_sentence_and_a_clause_that_exists(name: str) -> None:
    refusals = matrix(name).refusals
    assert len({refused.code for refused in refusals}) > 15
    for refused in refusals:
        assert isinstance(refused.code, Refusal)
        assert refused.sentence.endswith(".")
        assert refused.sentence[0].isupper() or refused.sentence[0].isdigit()
        assert refused.sentence == " ".join(refused.sentence.split())
        assert clause(refused.clause).id == refused.clause


@pytest.mark.parametrize("name", NAMES)
def test_whoever_has_not_the_role_is_refused_for_that_before_all_else(name: str) -> None:
    assert matrix(name).wrong_role == []


@pytest.mark.twins("NJ 19:47-32.6(e)")
@pytest.mark.parametrize("name", NAMES)
def test_a_player_speaks_only_for_the_own_seat(name: str) -> None:
    """Whatever the stage; a seat that does not exist is said to be none."""
    assert matrix(name).wrong_seat == []


def test_every_command_is_in_the_matrix() -> None:
    table = stages(NAMES[0])[0]
    asked = {type(command) for command in universe(table, player("p1"))}
    assert asked == set(HANDLERS)


def test_the_matrix_reaches_every_step_of_every_procedure() -> None:
    from croupier.table.procedure import Kind, procedure

    reached = set()
    for name in NAMES:
        waits = {(s.kind, s.point, s.count) for t in stages(name) if (s := current(t))}
        declared = {(s.kind, s.point, s.count) for s in procedure(stages(name)[0]).steps}
        assert waits == declared, name
        reached |= {kind for kind, _, _ in waits}
    assert reached == set(Kind)


# --- numbers that are free ------------------------------------------------------------------


def lawful(evening: Evening, command: Command) -> bool:
    return not isinstance(evening.ask(command), Refused)


@pytest.mark.twins("NJ 19:47-32.7(f)2")
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_any_count_of_the_stub_is_heard_and_only_the_right_one_lets_play_go_on(book: str) -> None:
    evening = Evening({"rulebook": book}).arrive().until("stub")
    right = len(evening.table.now.stub)
    for counted in (0, right - 1, right, right + 1, 52):
        answer = evening.ask(c.CountStub(DEALER, counted))
        assert not isinstance(answer, Refused)
        voided = any(type(event).__name__ == "AllHandsVoided" for event in answer)
        assert voided == (counted != right)
    misdealt = evening.ask(c.CountStub(DEALER, right, misdealt=True))
    assert not isinstance(misdealt, Refused)
    assert [type(event).__name__ for event in misdealt][1] == "AllHandsVoided"


@pytest.mark.parametrize("book", ALL_BOOKS)
def test_the_stub_is_counted_only_when_its_step_has_come(book: str) -> None:
    for table in stages(f"{book}, manual shoe"):
        step = current(table)
        for counted in (0, 20, 52):
            answer = decide(table, c.CountStub(DEALER, counted))
            assert isinstance(answer, Refused) == (step is None or step.kind != "stub")


@pytest.mark.parametrize("book", ALL_BOOKS)
def test_a_card_may_lie_face_up_anywhere_in_the_deck_and_nowhere_else(book: str) -> None:
    evening = Evening({"rulebook": book}).arrive().until("deal")
    left = len(evening.table.now.stub)
    for ahead in (-1, 0, 1, left - 1, left):
        assert lawful(evening, c.ReportFaceUpCard(DEALER, ahead)) == (0 <= ahead < left)


@pytest.mark.parametrize("book", ALL_BOOKS)
def test_a_wrong_hand_has_from_none_to_two_cards_too_many(book: str) -> None:
    evening = Evening({"rulebook": book, **FROM_THE_HAND}).arrive().until("deal")
    evening.step()
    stub_gone = evening.table.now.stub_gone
    assert not stub_gone
    right = evening.table.house.game.cards_each
    for cards in range(-1, right + 4):
        command = c.ReportWrongNumber(DEALER, "seat 2", cards)
        assert lawful(evening, command) == (cards != right and 0 <= cards <= right + 2)


@pytest.mark.parametrize("amount", [-1, 0, 1])
def test_a_sum_of_chips_is_above_zero(amount: int) -> None:
    evening = Evening({"rulebook": NJ_UTH}).arrive()
    for command in (c.BuyChips(player("p1"), amount), c.FillInventory(SUPERVISOR, amount)):
        assert lawful(evening, command) == (amount > 0)
    assert lawful(evening, c.SitDown(player("p3"), 3, amount)) == (amount >= 0)


@pytest.mark.parametrize("book", ALL_BOOKS)
def test_wagers_lie_within_the_posted_limits(book: str) -> None:
    evening = Evening({"rulebook": book}, chips=1_000_000_00).arrive()
    posted = evening.table.terms.posted
    limits = posted.get("ante") or posted["main"]
    names = [wager.name for wager in evening.table.house.game.wagers if wager.required]
    for amount in (limits.minimum, limits.maximum):
        for change in (-100, 0, 100):
            command = c.PlaceWagers(player("p1"), 1, dict.fromkeys(names, amount + change))
            within = limits.minimum <= amount + change <= limits.maximum
            assert lawful(evening, command) == within


def test_a_hand_that_was_not_dealt_has_no_wrong_number_of_cards() -> None:
    """Pik-It's automated shoe may keep the dealer's stack back until the players have decided."""
    evening = Evening(HOUSES["nj-pik-it-poker, stack last"]).arrive().until("play by seat")
    assert evening.table.now.dealer == ()
    answer = evening.ask(c.ReportWrongNumber(DEALER, "dealer", 6))
    assert isinstance(answer, Refused)
    assert answer.code is Refusal.NOT_AN_IRREGULARITY_NOW


def test_a_full_table_may_fold_with_cover_all_up() -> None:
    """Seven hands is the most that the printed table knows, the dealer's included."""
    evening = Evening({"rulebook": MA_UTH}, seats=range(1, 7)).arrive()
    for seat in range(1, 7):
        wagers = {"ante": 5_00, "blind": 5_00, "cover all": 1_00}
        evening.do(c.PlaceWagers(player(f"p{seat}"), seat, wagers))
    while current(evening.table) is None or not evening.table.now.closed:
        evening.step()
    while (step := current(evening.table)) is None or step.point != "after-river":
        waiting = turn(evening.table, step) if step else None
        if waiting is None:
            evening.step()
        else:
            evening.do(c.Choose(player(waiting.player), waiting.seat, "check"))
    for seat in range(1, 7):
        evening.do(c.Choose(player(f"p{seat}"), seat, "fold"))
    assert all(p.folded and not p.racked for p in evening.table.now.positions)
