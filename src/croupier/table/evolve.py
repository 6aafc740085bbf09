"""evolve(table, event) -> table. The fold; it never judges, so old history always loads."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from croupier.house.submission import recalled
from croupier.table import events as e
from croupier.table import evolve_cards, evolve_round
from croupier.table.state import Table


def evolve(table: Table | None, event: e.Event) -> Table:
    """The table after the event."""
    if table is None:
        assert isinstance(event, e.TableOpened), "a table's history begins with its opening"
        return opened(event)
    return _APPLY[type(event)](table, event)


def apply(table: Table, events: tuple[e.Event, ...]) -> Table:
    for event in events:
        table = _APPLY[type(event)](table, event)
    return table


def fold(events: Iterable[e.Event], table: Table | None = None) -> Table:
    for event in events:
        table = evolve(table, event)
    assert table is not None
    return table


def opened(event: e.TableOpened) -> Table:
    house = recalled(event.house)
    devices = set()
    if house.shuffling == "automated":
        devices.add("shuffler")
    if house.dealing == "automated shoe":
        devices.add("shoe")
    meter = house.progressive.meter if house.progressive else 0
    return Table(
        id=event.table,
        house=house,
        terms=house.terms(),
        seats=("",) * house.positions,
        inventory=event.inventory,
        meter=meter,
        cage=-event.inventory - meter,
        shuffling=house.shuffling,
        dealing=house.dealing,
        devices=frozenset(devices),
    )


_APPLY: dict[type[e.Event], Callable[[Table, Any], Table]] = {
    e.DeckReceived: evolve_cards.deck_received,
    e.DeckInspected: evolve_cards.deck_inspected,
    e.DeckVerified: evolve_cards.deck_verified,
    e.DeckSpread: evolve_cards.deck_spread,
    e.DeckWashed: evolve_cards.deck_washed,
    e.ShufflerLoaded: evolve_cards.shuffler_loaded,
    e.DeckShuffled: evolve_cards.deck_shuffled,
    e.DeckCut: evolve_cards.deck_cut,
    e.RecutOrdered: evolve_cards.recut_ordered,
    e.DeckRemoved: evolve_cards.deck_removed,
    e.DeviceRemoved: evolve_cards.device_removed,
    e.DeviceInstalled: evolve_cards.device_installed,
    e.MethodChanged: evolve_cards.method_changed,
    e.InventoryFilled: evolve_cards.inventory_filled,
    e.TableClosed: evolve_cards.table_closed,
    e.PlayerSat: evolve_round.player_sat,
    e.ChipsBought: evolve_round.chips_bought,
    e.PlayerLeft: evolve_round.player_left,
    e.WagersPlaced: evolve_round.wagers_placed,
    e.WagersTakenBack: evolve_round.wagers_taken_back,
    e.AcceptorLit: evolve_round.acceptor_lit,
    e.NoMoreBetsAnnounced: evolve_round.no_more_bets_announced,
    e.LockedOut: evolve_round.locked_out,
    e.ChipsSwept: evolve_round.chips_swept,
    e.MeterMoved: evolve_round.meter_moved,
    e.ChoiceMade: evolve_round.choice_made,
    e.HandsDealt: evolve_round.hands_dealt,
    e.DealersStackDelivered: evolve_round.dealers_stack_delivered,
    e.CardBurned: evolve_round.card_burned,
    e.CommunityDealt: evolve_round.community_dealt,
    e.UpCardExposed: evolve_round.up_card_exposed,
    e.CommunityRevealed: evolve_round.community_revealed,
    e.HandRevealed: evolve_round.hand_revealed,
    e.HandAnnounced: evolve_round.hand_announced,
    e.PickedCardsRevealed: evolve_round.nothing_moves,
    e.CoverAllPosted: evolve_round.nothing_moves,
    e.DealerRevealed: evolve_round.dealer_revealed,
    e.StubRacked: evolve_round.stub_racked,
    e.CardsRacked: evolve_round.cards_racked,
    e.HandLeftExposed: evolve_round.hand_left_exposed,
    e.WagerSettled: evolve_round.wager_settled,
    e.RoundEnded: evolve_round.round_ended,
    e.IrregularityReported: evolve_cards.irregularity_reported,
    e.DealersHandRepaired: evolve_cards.dealers_hand_repaired,
    e.FaceUpCardRacked: evolve_cards.face_up_card_racked,
    e.HandVoided: evolve_cards.hand_voided,
    e.AllHandsVoided: evolve_cards.all_hands_voided,
    e.FoldedWagerReturned: evolve_cards.folded_wager_returned,
}
