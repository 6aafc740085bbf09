"""A table's money explained to the cent: from what it opened with to what it holds.

Each line is added up from the events. What the accounts hold is added up from the movements that
are stored beside the events, so that the two are independent; they must agree exactly. No key is
needed.
"""

from __future__ import annotations

from msgspec import Struct

from croupier.house.submission import read_data
from croupier.ledger.accounts import DROP_BOX, INVENTORY, PROGRESSIVE
from croupier.ledger.entry import Entry
from croupier.ledger.records import Happening
from croupier.ledger.store import Store
from croupier.rules.money import Cents
from croupier.table import events as e


class Line(Struct, frozen=True):
    name: str
    words: str
    cents: Cents  # negative where it leaves the account


class Account(Struct, frozen=True):
    """One account of a table, line by line."""

    name: str
    lines: tuple[Line, ...]
    held: Cents  # by the movements

    @property
    def due(self) -> Cents:
        """What the lines add up to."""
        return sum(line.cents for line in self.lines)

    @property
    def difference(self) -> Cents:
        return self.held - self.due


class Reconciliation(Struct):
    """What moved at one table. Cents, never negative."""

    table: str
    entries: int = 0
    commands: int = 0
    rounds: int = 0
    first: str = ""  # time of the first entry
    last: str = ""
    opening: Cents = 0
    fills: Cents = 0
    collected: Cents = 0  # lost stakes taken from the layout
    swept: Cents = 0  # stakes swept into the inventory before the deal
    paid_from_inventory: Cents = 0
    given_back: Cents = 0  # stakes paid back from the inventory: void hands
    to_meter: Cents = 0
    from_meter: Cents = 0  # back into the inventory
    opening_meter: Cents = 0
    paid_from_meter: Cents = 0
    coupons_taken: Cents = 0
    coupons_given_back: Cents = 0
    swept_unsettled: Cents = 0  # stakes in the inventory whose wager is not settled yet
    inventory: Cents = 0  # these three by the movements
    meter: Cents = 0
    drop_box: Cents = 0

    @property
    def actual_win(self) -> Cents:
        """What the house won on all settled wagers, whoever paid."""
        kept = self.collected + self.swept - self.swept_unsettled - self.given_back
        return kept - self.paid_from_inventory - self.paid_from_meter

    def accounts(self) -> tuple[Account, ...]:
        inventory = (
            Line("opening_inventory", "opening inventory", self.opening),
            Line("fills", "fills from the cage", self.fills),
            Line("stakes_collected", "lost stakes collected from players", self.collected),
            Line("stakes_swept", "stakes swept before the deal", self.swept),
            Line("from_meter", "taken back from the progressive meter", self.from_meter),
            Line("winnings_paid", "winnings paid to players", -self.paid_from_inventory),
            Line("stakes_given_back", "stakes given back, void hands", -self.given_back),
            Line("to_meter", "moved to the progressive meter", -self.to_meter),
        )
        meter = (
            Line("opening_meter", "opening meter", self.opening_meter),
            Line("to_meter", "moved in from the inventory", self.to_meter),
            Line("from_meter", "taken back into the inventory", -self.from_meter),
            Line("winnings_paid", "winnings paid to players", -self.paid_from_meter),
        )
        drop_box = (
            Line("coupons_taken", "match play coupons taken", self.coupons_taken),
            Line("coupons_given_back", "coupons given back", -self.coupons_given_back),
        )
        return (
            Account("inventory", inventory, self.inventory),
            Account("progressive meter", meter, self.meter),
            Account("drop box", drop_box, self.drop_box),
        )

    @property
    def balances(self) -> bool:
        return not any(account.difference for account in self.accounts())


def reconcile(store: Store, table: str) -> Reconciliation:
    """The whole history of a table."""
    found = _Following(Reconciliation(table))
    for entry in store.read(table):
        found.see(entry)
    return found.sums


class _Following:
    def __init__(self, sums: Reconciliation) -> None:
        self.sums = sums
        self._coupons: dict[int, Cents] = {}  # on the layout, by seat
        self._taken: dict[tuple[int, str], Cents] = {}  # into the drop box, by seat and wager

    def see(self, entry: Entry) -> None:
        sums = self.sums
        sums.entries += 1
        sums.commands += bool(entry.command)
        sums.first, sums.last = sums.first or entry.time, entry.time
        self._event(entry.happening())
        for moved in entry.transfers():
            for account, cents in ((moved.source, -moved.cents), (moved.target, moved.cents)):
                sums.inventory += cents if account == INVENTORY else 0
                sums.meter += cents if account == PROGRESSIVE else 0
                sums.drop_box += cents if account == DROP_BOX else 0

    def _event(self, happening: Happening) -> None:
        sums = self.sums
        match happening:
            case e.TableOpened():
                sums.opening = happening.inventory
                progressive = read_data(happening.house).progressive
                sums.opening_meter = progressive.meter if progressive else 0
            case e.InventoryFilled(amount=amount):
                sums.fills += amount
            case e.ChipsSwept(amount=amount):
                sums.swept += amount
                sums.swept_unsettled += amount
            case e.MeterMoved(amount=amount):
                sums.to_meter += max(amount, 0)
                sums.from_meter += max(-amount, 0)
            case e.WagersPlaced(seat=seat, coupon=coupon):
                self._coupons[seat] = coupon
            case e.WagerSettled():
                self._settled(happening)
            case e.FoldedWagerReturned(seat=seat, wager=wager, amount=amount):
                sums.given_back += amount
                sums.coupons_given_back += self._taken.pop((seat, wager), 0)
            case e.RoundEnded():
                sums.rounds += 1
                self._coupons, self._taken = {}, {}

    def _settled(self, settled: e.WagerSettled) -> None:
        sums = self.sums
        sums.paid_from_inventory += settled.win - settled.from_meter
        sums.paid_from_meter += settled.from_meter
        if settled.swept:
            sums.swept_unsettled -= settled.amount
            sums.given_back += settled.amount if settled.result == "returned" else 0
        elif settled.result == "lost":
            sums.collected += settled.amount
        if settled.coupon == "drop box":
            coupon = self._coupons.get(settled.seat, 0)
            sums.coupons_taken += coupon
            self._taken[settled.seat, settled.wager] = coupon
