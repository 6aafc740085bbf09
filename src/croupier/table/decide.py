"""decide(table, command) -> events, or a refusal. The rules of order; it changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from croupier.law.clause import rulebook
from croupier.rules.refusals import Refusal
from croupier.table import betting, dealing, equipment, irregularities, playing
from croupier.table import commands as c
from croupier.table.commands import Role
from croupier.table.equipment import Answer
from croupier.table.refused import refuse
from croupier.table.state import Table

law = rulebook("nj-ultimate-texas-holdem")

FLOOR = (Role.DEALER, Role.SUPERVISOR)
_D, _S, _P, _DEVICE = (Role.DEALER,), (Role.SUPERVISOR,), (Role.PLAYER,), (Role.DEVICE,)

Handler = Callable[[Table, Any], Answer]

HANDLERS: dict[type[c.Command], tuple[tuple[Role, ...], Handler]] = {
    c.ReceiveDeck: (FLOOR, equipment.receive_deck),
    c.InspectDeck: (_D, equipment.inspect_deck),
    c.VerifyDeck: (_S, equipment.verify_deck),
    c.SpreadDeck: (_D, equipment.spread_deck),
    c.TurnFaceUp: (_D, equipment.turn_face_up),
    c.WashDeck: (_D, equipment.wash_deck),
    c.LoadShuffler: (_D, equipment.load_shuffler),
    c.ShuffleDeck: ((Role.DEALER, Role.DEVICE), equipment.shuffle_deck),
    c.CutDeck: (_D, equipment.cut_deck),
    c.OrderRecut: (_S, equipment.order_recut),
    c.RemoveDeck: (_S, equipment.remove_deck),
    c.RemoveDevice: (_S, equipment.remove_device),
    c.InstallDevice: (_S, equipment.install_device),
    c.ChangeMethod: (_S, equipment.change_method),
    c.FillInventory: (_S, betting.fill_inventory),
    c.CloseTable: (_S, equipment.close_table),
    c.SitDown: (_P, betting.sit_down),
    c.BuyChips: (_P, betting.buy_chips),
    c.StandUp: (_P, betting.stand_up),
    c.PlaceWagers: (_P, betting.place_wagers),
    c.TakeBackWagers: (_P, betting.take_back_wagers),
    c.LightAcceptor: (_DEVICE, betting.light_acceptor),
    c.Choose: (_P, playing.choose),
    c.AnnounceNoMoreBets: (_D, betting.announce_no_more_bets),
    c.PressLockOut: (_D, dealing.press_lock_out),
    c.SweepChips: (_D, dealing.sweep_chips),
    c.DealHands: (_D, dealing.deal_hands),
    c.BurnCard: (_D, dealing.burn_card),
    c.DealCommunity: (_D, dealing.deal_community),
    c.DeliverDealersStack: (_D, dealing.deliver_dealers_stack),
    c.ExposeUpCard: (_D, dealing.expose_up_card),
    c.RevealCommunity: (_D, dealing.reveal_community),
    c.RevealHand: (_D, dealing.reveal_hand),
    c.RevealDealer: (_D, dealing.reveal_dealer),
    c.Settle: (_D, playing.settle),
    c.RackStub: (_D, dealing.rack_stub),
    c.CountStub: (_D, dealing.count_stub),
    c.ClearTable: (_D, dealing.clear_table),
    c.ReportExposedCard: (FLOOR, irregularities.report_exposed_card),
    c.ReportFaceUpCard: (FLOOR, irregularities.report_face_up_card),
    c.ReportCardDrawnInError: (FLOOR, irregularities.report_card_drawn_in_error),
    c.ReportWrongNumber: (FLOOR, irregularities.report_wrong_number),
    c.ReportJam: (FLOOR, irregularities.report_jam),
}


def decide(table: Table, command: c.Command) -> Answer:
    """What happens, or why not."""
    if table.closed:
        return refuse(table, Refusal.TABLE_IS_CLOSED, "This table is closed.", equipment.RECEIVE)
    roles, handler = HANDLERS[type(command)]
    if command.by.role not in roles:
        words = " or ".join(sorted(roles))
        sentence = f"{type(command).__name__} is for the {words}, not the {command.by.role}."
        return refuse(table, Refusal.NOT_THIS_ROLE, sentence, law("32.6(e)"))
    return handler(table, command)
