"""Seats, chips and wagers: who may play, and what may lie on the layout. 32.6, 32.12 and twins."""

from __future__ import annotations

from croupier.law.clause import Clause, rulebook
from croupier.rules import placing
from croupier.rules.bounds import MOST_CHIPS, MOST_INVENTORY, MOST_STAKE, said
from croupier.rules.money import in_dollars
from croupier.rules.refusals import Refusal
from croupier.rules.terms import CHIPS_AND_COUPONS
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.equipment import Answer, cite, deck_to_deal
from croupier.table.refused import Refused, as_value, refuse
from croupier.table.state import SWEPT, Table

law = rulebook("nj-ultimate-texas-holdem")
massachusetts = rulebook("ma-ultimate-texas-holdem")
caribbean = rulebook("nj-caribbean-stud")
let_it_ride = rulebook("nj-let-it-ride")
pik_it = rulebook("nj-pik-it-poker")

SEATED = law("32.6(e)")
CLOSED = {
    "ultimate-texas-holdem": law("32.6(b)"),
    "caribbean-stud": caribbean("16.6(b)"),
    "let-it-ride": let_it_ride("18.6(c)"),
    "pik-it": pik_it("39.3(a)"),
}
ONE_POSITION = law("32.12")
ADJACENT = {
    "let-it-ride": let_it_ride("18.6(e)"),
    "pik-it": pik_it("39.3(e)"),
}
MOST_BROUGHT = f"A player brings at most {in_dollars(MOST_CHIPS)} to a table."
PAYING = law("32.11(b)")  # a short inventory is filled first (ruling H8)
COVER_ALL_NEEDS_SHUFFLER = massachusetts("13(d)")
ACCEPTOR = {
    "caribbean-stud": caribbean("16.6(c)"),
    "let-it-ride": let_it_ride("18.6A(b)"),
}


def positions_clause(t: Table) -> Clause:
    return ADJACENT.get(t.house.game.id, ONE_POSITION)


def own_seat(t: Table, by: c.Actor, seat: int) -> Refused | None:
    if not 1 <= seat <= len(t.seats):
        return refuse(t, Refusal.NO_SUCH_SEAT, f"There is no seat {said(seat)}.", SEATED)
    if not by.player or t.seats[seat - 1] != by.player:
        return refuse(t, Refusal.NOT_YOUR_SEAT, f"Seat {seat} is not yours.", SEATED)
    return None


def sit_down(t: Table, cmd: c.SitDown) -> Answer:
    if not 1 <= cmd.seat <= len(t.seats):
        return refuse(t, Refusal.NO_SUCH_SEAT, f"There is no seat {said(cmd.seat)}.", SEATED)
    if not cmd.by.player:
        return refuse(t, Refusal.NOT_YOUR_SEAT, "A seat needs a player's name.", SEATED)
    if t.seats[cmd.seat - 1]:
        return refuse(t, Refusal.SEAT_IS_TAKEN, f"Seat {cmd.seat} is taken.", SEATED)
    mine = t.seats_of(cmd.by.player)
    if len(mine) >= t.house.adjacent:
        words = "one position" if t.house.adjacent == 1 else f"{t.house.adjacent} positions"
        sentence = f"A player may hold {words} here."
        return refuse(t, Refusal.ONE_POSITION_EACH, sentence, positions_clause(t))
    if mine and all(abs(cmd.seat - seat) != 1 for seat in mine):
        sentence = "A player's positions must be adjacent."
        return refuse(t, Refusal.POSITIONS_MUST_BE_ADJACENT, sentence, positions_clause(t))
    if cmd.chips < 0:
        return refuse(t, Refusal.AMOUNT_MUST_BE_POSITIVE, "Chips cannot be negative.", SEATED)
    if cmd.chips > MOST_CHIPS - t.chips_free(cmd.by.player):
        return refuse(t, Refusal.OUT_OF_BOUNDS, MOST_BROUGHT, SEATED)
    return (e.PlayerSat(cmd.seat, cmd.by.player, cmd.chips),)


def buy_chips(t: Table, cmd: c.BuyChips) -> Answer:
    if not cmd.by.player or not t.seats_of(cmd.by.player):
        sentence = "Only a seated player buys chips."
        return refuse(t, Refusal.ONLY_SEATED_PLAYERS_WAGER, sentence, SEATED)
    if cmd.amount <= 0:
        return refuse(t, Refusal.AMOUNT_MUST_BE_POSITIVE, "Name a sum above zero.", SEATED)
    if cmd.amount > MOST_CHIPS - t.chips_free(cmd.by.player):
        return refuse(t, Refusal.OUT_OF_BOUNDS, MOST_BROUGHT, SEATED)
    return (e.ChipsBought(cmd.by.player, cmd.amount),)


def fill_inventory(t: Table, cmd: c.FillInventory) -> Answer:
    if cmd.amount <= 0:
        return refuse(t, Refusal.AMOUNT_MUST_BE_POSITIVE, "Name a sum above zero.", SEATED)
    if cmd.amount > MOST_INVENTORY - t.inventory:
        sentence = f"A fill lifts the table inventory to {in_dollars(MOST_INVENTORY)} at most."
        return refuse(t, Refusal.OUT_OF_BOUNDS, sentence, SEATED)
    return (e.InventoryFilled(cmd.amount),)


def stand_up(t: Table, cmd: c.StandUp) -> Answer:
    if wrong := own_seat(t, cmd.by, cmd.seat):
        return wrong
    if t.position(cmd.seat):
        if t.round and t.now.closed:
            sentence = "A player with cards stays seated until the round is over."
            return refuse(t, Refusal.MUST_REMAIN_SEATED, sentence, SEATED)
        sentence = "Take your wagers back first."
        return refuse(t, Refusal.WAGERS_ALREADY_PLACED, sentence, SEATED)
    last = len(t.seats_of(cmd.by.player)) == 1
    chips = t.chips_free(cmd.by.player) if last else 0
    return (e.PlayerLeft(cmd.seat, cmd.by.player, chips),)


def place_wagers(t: Table, cmd: c.PlaceWagers) -> Answer:
    game = t.house.game
    if own_seat(t, cmd.by, cmd.seat):
        sentence = "Only the player seated there wagers on a position."
        return refuse(t, Refusal.ONLY_SEATED_PLAYERS_WAGER, sentence, SEATED)
    if t.round and t.now.closed:
        sentence = "No more bets: nothing is made, raised or withdrawn now."
        return refuse(t, Refusal.NO_MORE_BETS, sentence, CLOSED[game.id])
    if t.position(cmd.seat):
        sentence = "Take your wagers back before placing others."
        return refuse(t, Refusal.WAGERS_ALREADY_PLACED, sentence, CLOSED[game.id])
    if too_much := _too_much(t, cmd.by.player):
        return too_much
    placed = {name: amount for name, amount in cmd.wagers.items() if amount}
    asked = ("wagers", *placed.items())
    if asked not in t.terms.known:
        if any(abs(amount) > MOST_CHIPS for amount in placed.values()):
            return _no_such_wager(t)
        for wrong in placing.wrongs(game, placed, t.terms):
            return as_value(wrong)
        t.terms.remember(asked, True)
    if "cover all" in placed and t.shuffling != "automated":
        sentence = "Cover All is offered only with the automated shuffler."
        return refuse(t, Refusal.WAGER_NOT_OFFERED, sentence, COVER_ALL_NEEDS_SHUFFLER)
    mine = [p for p in (t.now.positions if t.round else ()) if p.player == cmd.by.player]
    if mine and all(abs(p.seat - cmd.seat) != 1 for p in mine):
        sentence = "The positions one player wagers on must be adjacent."
        return refuse(t, Refusal.POSITIONS_MUST_BE_ADJACENT, sentence, positions_clause(t))
    if cmd.coupon and any(p.coupon for p in mine):
        sentence = "One match play coupon per player and round."
        return refuse(t, Refusal.ONE_COUPON_A_ROUND, sentence, t.terms.coupons)
    if cmd.coupon:
        if abs(cmd.coupon) > MOST_CHIPS:
            return _no_such_wager(t)
        for wrong in placing.coupon_wrongs(game, "ante", cmd.coupon, placed, t.terms):
            return as_value(wrong)
    if sum(placed.values()) > t.chips_free(cmd.by.player):
        have = in_dollars(t.chips_free(cmd.by.player))
        sentence = f"These wagers need {in_dollars(sum(placed.values()))}; you have {have}."
        return refuse(t, Refusal.NOT_ENOUGH_CHIPS, sentence, t.terms.coupons)
    clause = cite(t, CHIPS_AND_COUPONS)
    return (e.WagersPlaced(cmd.seat, placed, cmd.coupon, clause),)


def _too_much(t: Table, player: str) -> Refused | None:
    """Whoever holds very much plays no further, and neither does a very full table: so no account
    can grow beyond what the ledger counts (rules.bounds)."""
    if t.chips_free(player) > MOST_CHIPS:
        sentence = f"Nobody wagers beside more than {in_dollars(MOST_CHIPS)}; take chips off first."
        return refuse(t, Refusal.TOO_MANY_CHIPS, sentence, t.terms.coupons)
    if t.inventory + t.drop_box + t.meter > MOST_INVENTORY:
        sentence = f"This table holds more than {in_dollars(MOST_INVENTORY)}; it must be closed."
        return refuse(t, Refusal.TABLE_IS_FULL, sentence, t.terms.coupons)
    return None


def _no_such_wager(t: Table) -> Refused:
    """Said without the number, which may be of any length."""
    sentence = f"No wager may be larger than {in_dollars(MOST_STAKE)}."
    return refuse(t, Refusal.OUT_OF_BOUNDS, sentence, t.terms.coupons)


def take_back_wagers(t: Table, cmd: c.TakeBackWagers) -> Answer:
    if wrong := own_seat(t, cmd.by, cmd.seat):
        return wrong
    if t.round and t.now.closed:
        sentence = "No more bets: nothing is made, raised or withdrawn now."
        return refuse(t, Refusal.NO_MORE_BETS, sentence, CLOSED[t.house.game.id])
    if not t.position(cmd.seat):
        sentence = "There is no wager to take back."
        return refuse(t, Refusal.NOBODY_HAS_WAGERED, sentence, CLOSED[t.house.game.id])
    seats = [p.seat for p in t.now.positions if p.player == cmd.by.player]
    if min(seats) < cmd.seat < max(seats):
        sentence = "The positions one player wagers on must stay adjacent; take an outer one back."
        return refuse(t, Refusal.POSITIONS_MUST_BE_ADJACENT, sentence, positions_clause(t))
    return (e.WagersTakenBack(cmd.seat),)


def light_acceptor(t: Table, cmd: c.LightAcceptor) -> Answer:
    """The device acknowledges a chip, until it is locked out or swept."""
    position = t.position(cmd.seat)
    name = SWEPT.get(t.house.game.id, "")
    if position is None or name not in position.placed or position.lit:
        sentence = "No chip waits at that acceptor."
        return refuse(t, Refusal.NO_ACCEPTOR_WAGER, sentence, ACCEPTOR.get(t.house.game.id, SEATED))
    if t.round and (t.now.closed or t.now.locked):
        sentence = "The acceptors are closed."
        return refuse(t, Refusal.NO_MORE_BETS, sentence, ACCEPTOR[t.house.game.id])
    return (e.AcceptorLit(cmd.seat, cite(t, ACCEPTOR[t.house.game.id])),)


def announce_no_more_bets(t: Table, cmd: c.AnnounceNoMoreBets) -> Answer:
    way = t.house.game.procedures[t.dealing]
    if t.round is None:
        return refuse(t, Refusal.NOBODY_HAS_WAGERED, "Nobody has wagered.", way.announce)
    if t.now.closed:
        return refuse(t, Refusal.ROUND_IN_PROGRESS, "The round has begun.", way.announce)
    if t.dealing == "automated shoe" and ("shoe" not in t.devices or "shoe" in t.jammed):
        sentence = "There is no automated shoe in working order."
        return refuse(t, Refusal.DEVICE_NOT_HERE, sentence, way.load or way.chosen)
    deck = deck_to_deal(t, cmd.colour)
    if isinstance(deck, Refused):
        return deck
    seats = tuple(p.seat for p in t.now.positions)
    announced = e.NoMoreBetsAnnounced(t.rounds + 1, deck.colour, seats, cite(t, way.announce))
    raised = sum("progressive" in p.placed for p in t.now.positions)
    if not raised or SWEPT.get(t.house.game.id) == "progressive":
        return (announced,)
    moved = raise_meter(t, raised)
    if moved.amount > t.inventory:
        sentence = f"The table inventory lacks {in_dollars(moved.amount - t.inventory)}."
        return refuse(t, Refusal.INVENTORY_NEEDS_A_FILL, sentence, PAYING)
    return (announced, moved)


def raise_meter(t: Table, wagers: int) -> e.MeterMoved:
    """What these progressive wagers add to the meter."""
    assert t.house.progressive is not None
    amount = t.house.progressive.contribution * wagers
    clause = t.house.game.wager("progressive").cite
    return e.MeterMoved(amount, f"{wagers} progressive wagers add to the meter.", cite(t, clause))
