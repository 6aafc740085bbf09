"""The second bookkeeping agrees with the table's own after every single event."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from engine_driver import COUPONS, HOUSES, ONE_DECK, PROGRESSIVE, Evening
from helpers import CARIBBEAN, MA_UTH, NJ_UTH, RIDE

from croupier.law.refused import Refused as Misuse
from croupier.ledger.accounts import (
    _MOVES,
    MOST,
    OutOfBalance,
    Transfer,
    agree,
    carried,
    standing,
    transfers,
)
from croupier.ledger.records import EntropyAdded
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.commands import DEALER, SUPERVISOR, player
from croupier.table.evolve import evolve
from croupier.table.options import candidates
from croupier.table.refused import Refused
from croupier.table.state import Table


class Audited(Evening):
    """An evening whose every event is booked and compared."""

    def __init__(self, house: dict[str, object], **more: object) -> None:
        super().__init__(house, **more)  # type: ignore[arg-type]
        self.moved = transfers(None, self.log[0])
        self.books = carried({}, self.moved)
        agree(self.books, standing(self.table))
        self.seen: Counter[str] = Counter({"TableOpened": 1})

    def happens(self, event: e.Event) -> None:
        moved = transfers(self.table, event)
        super().happens(event)
        self.books = carried(self.books, moved)
        agree(self.books, standing(self.table))
        assert sum(self.books.values()) == 0
        if moved:
            self.seen[type(event).__name__] += 1

    def unruly(self, rounds: int) -> None:
        """With irregularities and other interruptions in between."""
        until = self.table.rounds + rounds
        while self.table.rounds < until:
            command = self.next()
            if self.rng.random() < 0.1:
                who = self.rng.choice((DEALER, SUPERVISOR, player("p1"), player("p2")))
                made = [x for x in candidates(self.table, who) if isinstance(x, INTERRUPTIONS)]
                command = self.rng.choice(made) if made else command
            if not isinstance(self.ask(command), Refused):
                self.do(command)


INTERRUPTIONS = (
    c.ReportExposedCard,
    c.ReportCardDrawnInError,
    c.ReportFaceUpCard,
    c.ReportWrongNumber,
    c.CountStub,
    c.TakeBackWagers,
    c.BuyChips,
    c.FillInventory,
)


@pytest.mark.parametrize("name", sorted(HOUSES))
def test_both_bookkeepings_agree_after_every_event_of_every_house(name: str) -> None:
    evening = Audited(HOUSES[name], seed=7, rich=True)
    evening.arrive()
    evening.unruly(25)
    for seat in evening.seats:
        evening.books = dict(evening.books)
        if not evening.table.position(seat):
            evening.do(c.StandUp(player(f"p{seat}"), seat))


def test_every_event_that_moves_money_is_seen_to_do_so() -> None:
    seen: Counter[str] = Counter()
    houses = [
        {"rulebook": NJ_UTH, **ONE_DECK, **COUPONS},
        {"rulebook": CARIBBEAN, **ONE_DECK, **COUPONS},
        {"rulebook": RIDE, **ONE_DECK},
        {"rulebook": MA_UTH, **HOUSES[f"{MA_UTH}, hand"], **PROGRESSIVE},
    ]
    for seed, house in enumerate(houses):
        evening = Audited(house, seed=seed, rich=True, chips=2_000_00)
        evening.arrive()
        evening.unruly(60)
        evening.do(c.FillInventory(SUPERVISOR, 5_00))
        evening.rounds(1)
        for seat in evening.seats:
            evening.do(c.StandUp(player(f"p{seat}"), seat))
        evening.do(c.CloseTable(SUPERVISOR))
        assert set(standing(evening.table).values()) == {0}
        seen += evening.seen
    assert set(seen) == {kind.__name__ for kind in _MOVES}


# --- by hand ----------------------------------------------------------------------------------


def seated(**house: object) -> Table:
    table = evolve(None, e.TableOpened("t1", {"rulebook": NJ_UTH, **COUPONS, **house}, 1_000_00))
    return evolve(table, e.PlayerSat(1, "Ann", 500_00))


def wagered() -> Table:
    placed = {"ante": 10_00, "blind": 10_00}
    return evolve(seated(), e.WagersPlaced(1, placed, 10_00, "NJ 19:47-32.6(a)"))


def settled(**changes: object) -> e.WagerSettled:
    fields = {"seat": 1, "wager": "ante", "amount": 10_00, "result": "won", "win": 0}
    return e.WagerSettled(**fields | {"clause": "", "reason": ""} | changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("event", "moves"),
    [
        (e.InventoryFilled(5_00), [("cage", "inventory", 5_00)]),
        (
            e.TableClosed(5_00, 10_00, 0),
            [("inventory", "cage", 5_00), ("drop box", "cage", 10_00)],
        ),
        (e.TableClosed(0, 0, 7_00), [("progressive", "cage", 7_00)]),
        (e.ChipsBought("Ann", 5_00), [("cage", "player:Ann", 5_00)]),
        (e.PlayerLeft(1, "Ann", 5_00), [("player:Ann", "cage", 5_00)]),
        (e.PlayerLeft(1, "Ann", 0), []),
        (
            e.WagersTakenBack(1),
            [("layout", "player:Ann", 20_00), ("layout", "cage", 10_00)],
        ),
        (e.ChipsSwept("progressive", (1,), 1_00, ""), [("layout", "inventory", 1_00)]),
        (e.MeterMoved(70, "", ""), [("inventory", "progressive", 70)]),
        (e.MeterMoved(-70, "", ""), [("progressive", "inventory", 70)]),
        (
            e.ChoiceMade(1, "pre-flop", "play", "", "play", 40_00, 4),
            [("player:Ann", "layout", 40_00)],
        ),
        (e.ChoiceMade(1, "river", "fold", ""), []),
        (e.ChoiceMade(1, "bet-1", "withdraw", "", "bet 1", 10_00), []),
        (settled(result="lost"), [("layout", "inventory", 10_00)]),
        (
            settled(win=10_00, coupon="drop box"),
            [
                ("layout", "player:Ann", 10_00),
                ("inventory", "player:Ann", 10_00),
                ("layout", "drop box", 10_00),
            ],
        ),
        (
            settled(result="pushed", coupon="kept"),
            [("layout", "player:Ann", 10_00), ("layout", "cage", 10_00)],
        ),
        (settled(result="lost", swept=True), []),
        (settled(result="returned", swept=True), [("inventory", "player:Ann", 10_00)]),
        (
            settled(wager="progressive", swept=True, win=50_00, from_meter=30_00),
            [("progressive", "player:Ann", 30_00), ("inventory", "player:Ann", 20_00)],
        ),
        (
            e.FoldedWagerReturned(1, "ante", 10_00, ""),
            [("inventory", "player:Ann", 10_00), ("drop box", "cage", 10_00)],
        ),
        (e.FoldedWagerReturned(1, "blind", 10_00, ""), [("inventory", "player:Ann", 10_00)]),
        (e.CardBurned(""), []),
        (EntropyAdded(1, "Ann", "my words"), []),
    ],
)
def test_each_event_moves_what_it_says(event: e.Event, moves: list[tuple[str, str, int]]) -> None:
    assert transfers(wagered(), event) == tuple(Transfer(*each) for each in moves)


def test_a_table_opens_with_its_inventory_and_the_progressive_meter_from_the_cage() -> None:
    opened = e.TableOpened("t1", {"rulebook": MA_UTH, **PROGRESSIVE}, 1_000_00)
    assert transfers(None, opened) == (
        Transfer("cage", "inventory", 1_000_00),
        Transfer("cage", "progressive", 10_000_00),
    )


def test_nobody_but_the_cage_may_owe() -> None:
    assert carried({"cage": 0}, (Transfer("cage", "layout", 1),)) == {"cage": -1, "layout": 1}
    for account in ("player:Ann", "layout", "inventory", "drop box", "progressive"):
        assert carried({account: 5}, (Transfer(account, "cage", 5),))[account] == 0
        with pytest.raises(OutOfBalance, match=account):
            carried({account: 5}, (Transfer(account, "cage", 6),))


def test_nothing_below_nothing_is_moved() -> None:
    with pytest.raises(OutOfBalance, match="-500 cents cannot be moved from cage to inventory"):
        transfers(seated(), e.InventoryFilled(-500))


def test_a_debt_counts_even_where_the_next_transfer_would_cover_it() -> None:
    with pytest.raises(OutOfBalance):
        carried({"layout": 0}, (Transfer("layout", "cage", 1), Transfer("cage", "layout", 1)))


def test_an_account_holds_no_more_than_can_be_counted_exactly_everywhere() -> None:
    assert MOST < 2**53
    assert carried({}, (Transfer("cage", "inventory", MOST),))["inventory"] == MOST
    with pytest.raises(Misuse, match="No account may hold more"):
        carried({}, (Transfer("cage", "inventory", MOST + 1),))


def test_a_cent_too_few_anywhere_is_seen() -> None:
    own = standing(wagered())
    agree(own, own)
    agree({**own, "player:Gone": 0}, own)
    for account in own:
        with pytest.raises(OutOfBalance, match=account):
            agree({**own, account: own[account] - 1}, own)
        with pytest.raises(OutOfBalance, match=account):
            agree(own, {**own, account: own[account] - 1})


def test_random_transfers_always_add_up_to_nothing() -> None:
    rng = random.Random(3)
    names = ["cage", "layout", "inventory", "player:Ann"]
    books = carried({}, (Transfer("cage", "inventory", 10_000),))
    for _ in range(300):
        source, target = rng.sample(names, 2)
        try:
            books = carried(books, (Transfer(source, target, rng.randint(1, 900)),))
        except OutOfBalance:
            continue
        assert sum(books.values()) == 0
        assert min(balance for name, balance in books.items() if name != "cage") >= 0
