"""Every code of the closed list of refusals, and what it takes to hear it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from engine_driver import HOUSES, TWO_DECKS, Evening, Submission, player
from helpers import CARIBBEAN, MA_UTH, NJ_UTH, PIK_IT, RIDE

from croupier.cards.card import DECK, spell
from croupier.law.clause import clause
from croupier.rules.bounds import MOST_CHIPS, MOST_INVENTORY
from croupier.rules.refusals import Refusal
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.commands import DEALER, DEVICE, SUPERVISOR, Command
from croupier.table.equipment import Answer
from croupier.table.refused import Refused
from croupier.table.state import DeckAt

WHOLE = spell(DECK)
P1, P2, P3 = player("p1"), player("p2"), player("p3")


def new(book: str = NJ_UTH, **changes: object) -> Evening:
    return Evening({"rulebook": book, **changes})


def seated(book: str = NJ_UTH, **changes: object) -> Evening:
    return new(book, **changes).arrive()


def at(kind: str, book: str = NJ_UTH, **changes: object) -> Evening:
    return seated(book, **changes).until(kind)


def place(evening: Evening, wagers: dict[str, int], coupon: int = 0) -> Answer:
    return evening.ask(c.PlaceWagers(P1, 1, wagers, coupon))


ANTE = {"ante": 5_00, "blind": 5_00}


def prepared(submission: Submission, *states: DeckAt) -> Evening:
    """A table with players whose decks have come as far as this."""
    evening = Evening(submission).arrive()
    for _ in range(100):
        if tuple(deck.at for deck in evening.table.decks) == states:
            return evening
        command = evening.dealer.next_command(evening.table, close_bets=False)
        assert command is not None
        evening.do(command)
    raise AssertionError(states)


def after_a_round(submission: Submission) -> Evening:
    evening = Evening(submission).arrive().rounds(1)
    for seat in evening.seats:
        evening.do(evening.wagers(seat, player(f"p{seat}")))
    return evening


TWO = {"rulebook": NJ_UTH, **TWO_DECKS}
READY, RECEIVED, USED = DeckAt.READY, DeckAt.RECEIVED, DeckAt.USED


def decks_must_alternate() -> Answer:
    evening = after_a_round(TWO)
    last = evening.table.last_colour
    evening.do(c.LoadShuffler(DEALER, last))
    order = evening.table.deck(last)
    assert order is not None
    evening.do(c.ShuffleDeck(DEVICE, last, spell(order.cards)))
    return evening.ask(c.AnnounceNoMoreBets(DEALER, last))


def rack_holds_another_deck() -> Answer:
    evening = after_a_round(TWO)
    assert sorted(deck.at for deck in evening.table.decks) == [USED, READY]
    return evening.ask(c.AnnounceNoMoreBets(DEALER))


def other_deck_must_be_in_shuffler() -> Answer:
    evening = Evening(TWO).arrive()
    for command in (
        c.ReceiveDeck(DEALER, "red", WHOLE),
        c.InspectDeck(DEALER, "red"),
        c.VerifyDeck(SUPERVISOR, "red"),
        c.SpreadDeck(DEALER, "red"),
        c.WashDeck(DEALER, "red"),
        c.LoadShuffler(DEALER, "red"),
        c.ShuffleDeck(DEVICE, "red", WHOLE),
        c.ReceiveDeck(DEALER, "blue", WHOLE),
        c.PlaceWagers(P1, 1, ANTE),
    ):
        evening.do(command)
    return evening.ask(c.AnnounceNoMoreBets(DEALER))


def stub_count_is_due() -> Answer:
    return seated().rounds(4).until("stub").ask(c.RackStub(DEALER))


def not_enough_for_a_play_wager() -> Answer:
    evening = Evening({"rulebook": NJ_UTH}, seats=(1,), chips=29_99).arrive()
    evening.do(c.PlaceWagers(P1, 1, ANTE))
    while evening.table.round is None or not evening.table.now.dealt:
        evening.step()
    return evening.ask(c.Choose(P1, 1, "play", times=4))


def count_must_match_the_lights() -> Answer:
    evening = Evening({"rulebook": RIDE}, seats=(1,)).arrive()
    bets = {"bet 1": 5_00, "bet 2": 5_00, "bet 3": 5_00, "let it ride bonus": 1_00}
    evening.do(c.PlaceWagers(P1, 1, bets))
    return evening.until("sweep").ask(c.SweepChips(DEALER, 0))


def inventory_needs_a_fill() -> Answer:
    """An even-money winner at an empty table; whoever loses is not a winner, so look for one."""
    for seed in range(50):
        evening = Evening({"rulebook": NJ_UTH}, seats=(1,), seed=seed, inventory=0).arrive()
        evening.do(c.PlaceWagers(P1, 1, ANTE))
        while evening.table.rounds == 0:
            command = evening.next()
            if isinstance(command, c.FillInventory):
                return evening.ask(c.Settle(DEALER, 1))
            evening.do(command)
    raise AssertionError("nobody wins")


def two_coupons() -> Answer:
    house = {"rulebook": PIK_IT, "match_play": True, "adjacent": 2}
    evening = Evening(house, seats=(1,)).arrive()
    evening.do(c.SitDown(P1, 2))
    placed = {"ante": 5_00, "5 card bonus": 5_00}
    evening.do(c.PlaceWagers(P1, 1, placed, coupon=5_00))
    return evening.ask(c.PlaceWagers(P1, 2, placed, coupon=5_00))


def must_be_payable_exactly() -> Answer:
    return place(seated(), {"ante": 5_01, "blind": 5_01})


def too_many_chips() -> Answer:
    evening = seated()
    evening.happens(e.ChipsBought("p1", MOST_CHIPS))  # as if it had been won
    return place(evening, ANTE)


def table_is_full() -> Answer:
    evening = seated()
    evening.happens(e.InventoryFilled(MOST_INVENTORY))  # as if it had been won
    return place(evening, ANTE)


def beside(evening: Evening, *commands: Command) -> Answer:
    """The answer to the last of these, after the others."""
    for command in commands[:-1]:
        evening.do(command)
    return evening.ask(commands[-1])


SITUATIONS: dict[Refusal, Callable[[], Answer]] = {
    # whether there is a table
    Refusal.TABLE_IS_CLOSED: lambda: beside(new(), c.CloseTable(SUPERVISOR), c.SitDown(P1, 1)),
    # who
    Refusal.NOT_THIS_ROLE: lambda: new().ask(c.DealHands(P1)),
    Refusal.NO_SUCH_SEAT: lambda: new().ask(c.SitDown(P1, 7)),
    Refusal.NOT_YOUR_SEAT: lambda: seated().ask(c.StandUp(P1, 2)),
    Refusal.SEAT_IS_TAKEN: lambda: seated().ask(c.SitDown(P3, 1)),
    Refusal.ONE_POSITION_EACH: lambda: seated().ask(c.SitDown(P1, 3)),
    Refusal.POSITIONS_MUST_BE_ADJACENT: lambda: seated(RIDE, adjacent=2).ask(c.SitDown(P1, 3)),
    Refusal.MUST_REMAIN_SEATED: lambda: at("deal").ask(c.StandUp(P1, 1)),
    Refusal.ONLY_SEATED_PLAYERS_WAGER: lambda: seated().ask(c.PlaceWagers(P3, 1, ANTE)),
    Refusal.NOT_ENOUGH_CHIPS: not_enough_for_a_play_wager,
    Refusal.AMOUNT_MUST_BE_POSITIVE: lambda: seated().ask(c.BuyChips(P1, 0)),
    Refusal.OUT_OF_BOUNDS: lambda: seated().ask(c.BuyChips(P1, 10**400)),
    Refusal.TOO_MANY_CHIPS: too_many_chips,
    Refusal.TABLE_IS_FULL: table_is_full,
    # cards and devices
    Refusal.NO_SUCH_DECK: lambda: new().ask(c.WashDeck(DEALER, "red")),
    Refusal.DECK_ALREADY_HERE: lambda: beside(
        new(), c.ReceiveDeck(DEALER, "red", WHOLE), c.ReceiveDeck(DEALER, "blue", WHOLE)
    ),
    Refusal.BACKS_MUST_DIFFER: lambda: beside(
        Evening(TWO), c.ReceiveDeck(DEALER, "red", WHOLE), c.ReceiveDeck(DEALER, "red", WHOLE)
    ),
    Refusal.PRESHUFFLED_NOT_ALLOWED: lambda: new().ask(c.ReceiveDeck(DEALER, "red", WHOLE, True)),
    Refusal.DECK_NOT_AT_THIS_STEP: lambda: beside(
        new(), c.ReceiveDeck(DEALER, "red", WHOLE), c.WashDeck(DEALER, "red")
    ),
    Refusal.NO_PLAYER_HAS_ARRIVED: lambda: beside(
        new(),
        c.ReceiveDeck(DEALER, "red", WHOLE),
        c.InspectDeck(DEALER, "red"),
        c.VerifyDeck(SUPERVISOR, "red"),
        c.SpreadDeck(DEALER, "red"),
        c.WashDeck(DEALER, "red"),
    ),
    Refusal.NOT_A_PERMUTATION: lambda: prepared({"rulebook": NJ_UTH}, DeckAt.WASHED).ask(
        c.ShuffleDeck(DEALER, "red", spell(DECK[:51]))
    ),
    Refusal.NOT_THIS_SHUFFLING: lambda: prepared({"rulebook": NJ_UTH}, DeckAt.WASHED).ask(
        c.LoadShuffler(DEALER, "red")
    ),
    Refusal.DEVICE_NOT_HERE: lambda: new().ask(c.RemoveDevice(SUPERVISOR, "shuffler")),
    Refusal.DEVICE_MUST_BE_REMOVED_FIRST: lambda: Evening(HOUSES[f"{NJ_UTH}, hand"]).ask(
        c.ChangeMethod(SUPERVISOR, "manual", "manual shoe")
    ),
    Refusal.CUT_AT_LEAST_TEN: lambda: prepared({"rulebook": NJ_UTH}, DeckAt.SHUFFLED).ask(
        c.CutDeck(DEALER, "red", 9)
    ),
    Refusal.NOTHING_TO_RECUT: lambda: prepared({"rulebook": NJ_UTH}, DeckAt.SHUFFLED).ask(
        c.OrderRecut(SUPERVISOR, "red")
    ),
    Refusal.TABLE_IS_NOT_IDLE: lambda: at("deal").ask(c.SpreadDeck(DEALER, "red")),
    Refusal.PLAYERS_ARE_SEATED: lambda: seated().ask(c.CloseTable(SUPERVISOR)),
    Refusal.DECK_MUST_BE_READY: lambda: beside(
        seated(), c.PlaceWagers(P1, 1, ANTE), c.AnnounceNoMoreBets(DEALER)
    ),
    Refusal.DECKS_MUST_ALTERNATE: decks_must_alternate,
    Refusal.OTHER_DECK_MUST_BE_IN_SHUFFLER: other_deck_must_be_in_shuffler,
    Refusal.RACK_HOLDS_ANOTHER_DECK: rack_holds_another_deck,
    # order
    Refusal.NO_ROUND: lambda: seated().ask(c.DealHands(DEALER)),
    Refusal.ROUND_IN_PROGRESS: lambda: at("deal").ask(c.AnnounceNoMoreBets(DEALER)),
    Refusal.NO_MORE_BETS: lambda: at("deal").ask(c.TakeBackWagers(P1, 1)),
    Refusal.BETS_ARE_STILL_OPEN: lambda: beside(
        seated(), c.PlaceWagers(P1, 1, ANTE), c.DealHands(DEALER)
    ),
    Refusal.NOBODY_HAS_WAGERED: lambda: seated().ask(c.AnnounceNoMoreBets(DEALER)),
    Refusal.WAGERS_ALREADY_PLACED: lambda: beside(
        seated(), c.PlaceWagers(P1, 1, ANTE), c.PlaceWagers(P1, 1, ANTE)
    ),
    Refusal.NOT_THIS_STEP: lambda: at("deal").ask(c.BurnCard(DEALER)),
    Refusal.NOT_THIS_SEATS_TURN: lambda: at("choose").ask(c.Choose(P2, 2, "check")),
    Refusal.NOT_A_CHOICE_HERE: lambda: at("choose").ask(c.Choose(P1, 1, "fold")),
    Refusal.BET_3_MUST_RIDE: lambda: at("choose", RIDE).ask(c.Choose(P1, 1, "withdraw", "bet 3")),
    Refusal.PICK_THREE_OF_FIVE: lambda: (
        at("pick", PIK_IT)
        .until("pick", seat=4)
        .ask(c.Choose(player("p4"), 4, "pick", cards=(1, 2, 6)))
    ),
    Refusal.STUB_COUNT_IS_DUE: stub_count_is_due,
    Refusal.COUNT_MUST_MATCH_THE_LIGHTS: count_must_match_the_lights,
    Refusal.NO_ACCEPTOR_WAGER: lambda: seated(CARIBBEAN).ask(c.LightAcceptor(DEVICE, 1)),
    Refusal.INVENTORY_NEEDS_A_FILL: inventory_needs_a_fill,
    # wagers
    Refusal.WAGER_UNKNOWN: lambda: place(seated(), ANTE | {"insurance": 5_00}),
    Refusal.WAGER_NOT_OFFERED: lambda: place(seated(offered=[]), ANTE | {"trips": 5_00}),
    Refusal.WAGER_NEEDS_ANOTHER: lambda: place(seated(), {"trips": 5_00}),
    Refusal.WAGER_REQUIRED: lambda: place(seated(), {"ante": 5_00}),
    Refusal.AMOUNT_IS_FIXED: lambda: place(seated(CARIBBEAN), {"ante": 5_00, "progressive": 2_00}),
    Refusal.WITHIN_POSTED_LIMITS: lambda: place(seated(), {"ante": 4_00, "blind": 4_00}),
    Refusal.WAGERS_MUST_BE_EQUAL: lambda: place(seated(), {"ante": 5_00, "blind": 6_00}),
    Refusal.MUST_BE_PAYABLE_EXACTLY: must_be_payable_exactly,
    Refusal.MULTIPLE_NOT_ALLOWED: lambda: at("choose").ask(c.Choose(P1, 1, "play", times=2)),
    Refusal.MATCH_PLAY_NOT_OFFERED: lambda: place(seated(), ANTE, coupon=5_00),
    Refusal.MATCH_PLAY_ON_EVEN_MONEY_ONLY: lambda: place(
        seated(RIDE, match_play=True),
        {"bet 1": 5_00, "bet 2": 5_00, "bet 3": 5_00},
        coupon=5_00,
    ),
    Refusal.MATCH_PLAY_NEEDS_CHIPS: lambda: place(seated(match_play=True), ANTE, coupon=6_00),
    Refusal.ONE_COUPON_A_ROUND: two_coupons,
    # irregularities
    Refusal.NOT_AN_IRREGULARITY_NOW: lambda: seated().ask(c.ReportExposedCard(DEALER)),
}


@pytest.mark.parametrize("code", list(Refusal))
def test_every_refusal_can_be_heard(code: Refusal) -> None:
    answer = SITUATIONS[code]()
    assert isinstance(answer, Refused), answer
    assert answer.code is code
    assert clause(answer.clause).id == answer.clause
    assert answer.sentence.endswith(".")


@pytest.mark.parametrize("book", [NJ_UTH, MA_UTH, PIK_IT])
def test_a_player_without_the_chips_for_a_wager_is_told_what_there_is(book: str) -> None:
    evening = Evening({"rulebook": book}, seats=(1,), chips=9_99).arrive()
    other = "5 card bonus" if book == PIK_IT else "blind"
    answer = place(evening, {"ante": 5_00, other: 5_00})
    assert isinstance(answer, Refused)
    assert answer.code is Refusal.NOT_ENOUGH_CHIPS
    assert answer.sentence == "These wagers need $10; you have $9.99."
