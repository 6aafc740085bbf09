"""Double entry: what each event moves, from one account to another, kept beside the events.

It is a second bookkeeping, written from the events alone. After every command it must agree with
the table's own accounts, or nothing is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple

from croupier.house.submission import recalled
from croupier.law.refused import Refused
from croupier.ledger.records import Happening
from croupier.rules.money import Cents, in_dollars
from croupier.table import events as e
from croupier.table.state import Position, Table

LAYOUT = "layout"
INVENTORY = "inventory"
DROP_BOX = "drop box"
PROGRESSIVE = "progressive"
MOST = 10**15  # cents; whole numbers stay exact wherever the ledger may be read
CAGE = "cage"  # the world outside the table; the only account that may be below nothing
AT_THE_CAGE = f'"{CAGE}"'  # in the text of every entry that moves money over a table's edge
_PURSE = "player:"


class Transfer(Struct, frozen=True, gc=False, array_like=True):
    source: str
    target: str
    cents: Cents


class OutOfBalance(Exception):
    """The two bookkeepings disagree, or somebody owes: a mistake of ours, never of a user's."""


def purse(player: str) -> str:
    """A player's account."""
    return f"{_PURSE}{player}"


def carried_away(moved: Iterable[Transfer]) -> Iterator[tuple[str, Cents]]:
    """Who takes how much from the cage to a table; below zero for what goes back."""
    for source, target, cents in map(astuple, moved):
        if source == CAGE and target.startswith(_PURSE):
            yield target.removeprefix(_PURSE), cents
        elif target == CAGE and source.startswith(_PURSE):
            yield source.removeprefix(_PURSE), -cents


def transfers(table: Table | None, happening: Happening) -> tuple[Transfer, ...]:
    """What moves, given the table as it was before."""
    moves = _MOVES.get(type(happening))
    if moves is None:
        return ()
    made = []  # by a loop: a generator is begun anew for each, and every command waits for this
    for source, target, cents in moves(table, happening):
        if cents < 0:
            raise OutOfBalance(f"{cents} cents cannot be moved from {source} to {target}.")
        if cents:
            made.append(Transfer(source, target, cents))
    return tuple(made)


_last: dict[str, tuple[Table, Mapping[str, Cents]]] = {}


def standing(table: Table) -> Mapping[str, Cents]:
    """The table's own accounts, all of them. Where one command ends the next begins, so the last
    answer at each table is kept."""
    known = _last.get(table.id)
    if known is None or known[0] is not table:
        unmoved = known is not None and _unmoved(known[0], table)
        known = _last[table.id] = (table, known[1] if known and unmoved else _standing(table))
    return known[1]


def _unmoved(before: Table, after: Table) -> bool:
    """Whether all money lies where it lay, as after most events; what is compared is all that
    the accounts are made of."""
    felt, now = before.round, after.round
    return (
        before.players is after.players
        and before.inventory == after.inventory
        and before.drop_box == after.drop_box
        and before.meter == after.meter
        and before.cage == after.cage
        and before.house is after.house
        and felt is not None
        and now is not None
        and felt.positions is now.positions
        and felt.swept == now.swept
    )


def _standing(table: Table) -> dict[str, Cents]:
    accounts = {purse(name): chips for name, chips in table.players.items()}
    accounts[LAYOUT] = table.layout()
    accounts[INVENTORY] = table.inventory
    accounts[DROP_BOX] = table.drop_box
    accounts[PROGRESSIVE] = table.meter
    accounts[CAGE] = table.cage
    return accounts


def carried(before: Mapping[str, Cents], moved: Sequence[Transfer]) -> Mapping[str, Cents]:
    """The accounts after these transfers, one by one; no balance is ever below nothing."""
    if not moved:
        return before
    accounts = dict(before)
    for each in moved:
        accounts[each.source] = accounts.get(each.source, 0) - each.cents
        accounts[each.target] = accounts.get(each.target, 0) + each.cents
        if accounts[each.source] < 0 and each.source != CAGE:
            owed = in_dollars(-accounts[each.source])
            raise OutOfBalance(f"The account {each.source} would owe {owed}.")
        if accounts[each.target] > MOST:
            raise Refused(f"No account may hold more than {in_dollars(MOST)}.")
    return accounts


def balanced(before: Table | None, moved: Sequence[Transfer], after: Table) -> None:
    """See that both bookkeepings lead from one table to the other."""
    if moved or before is None or not _unmoved(before, after):
        agree(carried(standing(before) if before else {}, moved), standing(after))


def agree(carried: Mapping[str, Cents], own: Mapping[str, Cents]) -> None:
    """Compare the two bookkeepings; an account at nothing need not be there."""
    if carried is own or carried == own:
        return
    for name in {**carried, **own}:
        if carried.get(name, 0) != own.get(name, 0):
            raise OutOfBalance(
                f"The account {name} holds {in_dollars(carried.get(name, 0))} by its movements, "
                f"{in_dollars(own.get(name, 0))} at the table."
            )


# --- what each event moves ------------------------------------------------------------------

Moved = Iterable[tuple[str, str, Cents]]


def _table_opened(table: None, ev: e.TableOpened) -> Moved:
    progressive = recalled(ev.house).progressive
    yield CAGE, INVENTORY, ev.inventory
    yield CAGE, PROGRESSIVE, progressive.meter if progressive else 0


def _inventory_filled(t: Table, ev: e.InventoryFilled) -> Moved:
    yield CAGE, INVENTORY, ev.amount


def _table_closed(t: Table, ev: e.TableClosed) -> Moved:
    yield INVENTORY, CAGE, ev.inventory
    yield DROP_BOX, CAGE, ev.drop_box
    yield PROGRESSIVE, CAGE, ev.meter


def _player_sat(t: Table, ev: e.PlayerSat) -> Moved:
    yield CAGE, purse(ev.player), ev.chips


def _chips_bought(t: Table, ev: e.ChipsBought) -> Moved:
    yield CAGE, purse(ev.player), ev.amount


def _player_left(t: Table, ev: e.PlayerLeft) -> Moved:
    yield purse(ev.player), CAGE, ev.chips


def _wagers_placed(t: Table, ev: e.WagersPlaced) -> Moved:
    yield purse(t.seats[ev.seat - 1]), LAYOUT, sum(ev.wagers.values())
    yield CAGE, LAYOUT, ev.coupon


def _wagers_taken_back(t: Table, ev: e.WagersTakenBack) -> Moved:
    position = _position(t, ev.seat)
    yield LAYOUT, purse(position.player), sum(position.placed.values())
    yield LAYOUT, CAGE, position.coupon


def _chips_swept(t: Table, ev: e.ChipsSwept) -> Moved:
    yield LAYOUT, INVENTORY, ev.amount


def _meter_moved(t: Table, ev: e.MeterMoved) -> Moved:
    if ev.amount > 0:
        yield INVENTORY, PROGRESSIVE, ev.amount
    else:
        yield PROGRESSIVE, INVENTORY, -ev.amount


def _choice_made(t: Table, ev: e.ChoiceMade) -> Moved:
    """A further wager; what is withdrawn comes back when it is settled."""
    if ev.verb not in ("fold", "pick", "withdraw", "ride"):
        yield purse(_position(t, ev.seat).player), LAYOUT, ev.amount


def _wager_settled(t: Table, ev: e.WagerSettled) -> Moved:
    position = _position(t, ev.seat)
    player = purse(position.player)
    if ev.result == "lost":
        if not ev.swept:
            yield LAYOUT, INVENTORY, ev.amount
    elif not ev.swept:
        yield LAYOUT, player, ev.amount
    elif ev.result == "returned":
        yield INVENTORY, player, ev.amount
    yield PROGRESSIVE, player, ev.from_meter
    yield INVENTORY, player, ev.win - ev.from_meter
    if ev.coupon:
        yield LAYOUT, DROP_BOX if ev.coupon == "drop box" else CAGE, position.coupon


def _folded_wager_returned(t: Table, ev: e.FoldedWagerReturned) -> Moved:
    position = _position(t, ev.seat)
    yield INVENTORY, purse(position.player), ev.amount
    if ev.wager == "ante":
        yield DROP_BOX, CAGE, position.coupon


def _position(t: Table, seat: int) -> Position:
    position = t.position(seat)
    assert position is not None
    return position


_MOVES: dict[type, Callable[[Any, Any], Moved]] = {
    e.TableOpened: _table_opened,
    e.InventoryFilled: _inventory_filled,
    e.TableClosed: _table_closed,
    e.PlayerSat: _player_sat,
    e.ChipsBought: _chips_bought,
    e.PlayerLeft: _player_left,
    e.WagersPlaced: _wagers_placed,
    e.WagersTakenBack: _wagers_taken_back,
    e.ChipsSwept: _chips_swept,
    e.MeterMoved: _meter_moved,
    e.ChoiceMade: _choice_made,
    e.WagerSettled: _wager_settled,
    e.FoldedWagerReturned: _folded_wager_returned,
}
