"""The automatic dealer: a policy that issues the dealer's, the floor's and the devices' commands
by the house's own procedures. The table referees it like anyone.

It holds no randomness of its own: whoever runs it hands in the shuffle and the cut.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from croupier.cards.card import DECK, Card, spell
from croupier.rules.money import Cents, dollars
from croupier.rules.refusals import Refusal
from croupier.table import commands as c
from croupier.table.commands import DEALER, DEVICE, SUPERVISOR
from croupier.table.dealing import count_due
from croupier.table.decide import decide
from croupier.table.procedure import Kind, Step, current, turn
from croupier.table.refused import Refused
from croupier.table.settling import settlements
from croupier.table.state import SWEPT, Deck, DeckAt, Table

Shuffle = Callable[[Sequence[Card]], Sequence[Card]]
FILL = dollars(100_000)  # fills are this large, or so many times this


class Dealer:
    """Deals one table. ``shuffle`` returns the cards in a new order, ``cut`` how many to lift."""

    def __init__(self, shuffle: Shuffle, cut: Callable[[], int]) -> None:
        self.shuffle = shuffle
        self.cut = cut

    def next_command(self, table: Table, *, close_bets: bool) -> c.Command | None:
        """What the dealer's side does now; None when it waits for a player or is done for good."""
        if table.closed:
            return None
        step = current(table)
        if step is None or step.kind is Kind.BETS:
            preparing = self._prepare(table)
            if preparing is not None or step is None:
                return preparing
            return self._close(table) if close_bets else None
        command = self._act(table, step)
        if isinstance(command, c.Settle):
            return self._or_fill(table, command)
        return command

    def _or_fill(self, table: Table, command: c.Command) -> c.Command:
        """The command, or a fill where the inventory cannot pay for it."""
        due = _due(table, command)
        if table.inventory < due:
            answer = decide(table, command)
            if isinstance(answer, Refused) and answer.code is Refusal.INVENTORY_NEEDS_A_FILL:
                fills = -(-(due - table.inventory) // FILL)  # rounded up
                return c.FillInventory(SUPERVISOR, fills * FILL)
        return command

    # --- before the round -------------------------------------------------------------------

    def _prepare(self, table: Table) -> c.Command | None:
        if missing := self._replace(table):
            return missing
        for deck in table.decks:
            if deck.at is not DeckAt.READY and (command := self._prepare_deck(table, deck)):
                return command
        return None

    def _replace(self, table: Table) -> c.Command | None:
        """What is missing or broken: devices first, then decks."""
        for device in sorted(table.jammed):
            return c.RemoveDevice(SUPERVISOR, device)
        if table.dealing == "automated shoe" and "shoe" not in table.devices:
            return c.InstallDevice(SUPERVISOR, "shoe")
        if table.shuffling == "automated" and "shuffler" not in table.devices:
            return c.InstallDevice(SUPERVISOR, "shuffler")
        wanted = table.house.decks if table.shuffling == "automated" else table.house.decks[:1]
        if len(table.decks) >= len(wanted):
            return None
        here = {deck.colour for deck in table.decks}
        colour = next(each for each in wanted if each not in here)
        preshuffled = table.house.preshuffled
        order = self.shuffle(DECK) if preshuffled else DECK
        return c.ReceiveDeck(DEALER, colour, spell(order), preshuffled)

    def _prepare_deck(self, table: Table, deck: Deck) -> c.Command | None:
        colour = deck.colour
        match deck.at:
            case DeckAt.RECEIVED:
                return c.InspectDeck(DEALER, colour)
            case DeckAt.INSPECTED:
                return c.VerifyDeck(SUPERVISOR, colour)
            case DeckAt.VERIFIED:
                return c.SpreadDeck(DEALER, colour)
            case DeckAt.SPREAD_DOWN if any(table.seats):
                return c.TurnFaceUp(DEALER, colour)
            case DeckAt.SPREAD if any(table.seats):
                return c.WashDeck(DEALER, colour)
            case DeckAt.WASHED | DeckAt.USED if table.shuffling == "automated":
                return c.LoadShuffler(DEALER, colour)
            case DeckAt.WASHED | DeckAt.USED:
                order = self.shuffle(table.cards_of(deck))
                return c.ShuffleDeck(DEALER, colour, spell(order))
            case DeckAt.IN_SHUFFLER:
                return c.ShuffleDeck(DEVICE, colour, spell(self.shuffle(deck.cards)))
            case DeckAt.SHUFFLED:
                return c.CutDeck(DEALER, colour, self.cut())
        return None

    def _close(self, table: Table) -> c.Command | None:
        name = SWEPT.get(table.house.game.id, "")
        for p in table.now.positions:
            if name in p.placed and not p.lit:
                return c.LightAcceptor(DEVICE, p.seat)
        ready = [d for d in table.decks if d.at is DeckAt.READY]
        fresh = [d for d in ready if d.colour != table.last_colour] or ready
        return self._or_fill(table, c.AnnounceNoMoreBets(DEALER, fresh[0].colour if fresh else ""))

    # --- during the round -------------------------------------------------------------------

    def _act(self, table: Table, step: Step) -> c.Command | None:
        plain = _PLAIN.get(step.kind)
        if plain is not None:
            return plain
        if step.kind is Kind.CHOOSE:
            return None
        return self._look(table, step)

    def _look(self, table: Table, step: Step) -> c.Command | None:
        """Steps in which the act depends on what lies on the felt."""
        waiting = turn(table, step)
        match step.kind:
            case Kind.SETTLE if waiting:
                return c.Settle(DEALER, waiting.seat)
            case Kind.STUB if count_due(table):
                return c.CountStub(DEALER, len(table.now.stub))
            case Kind.STUB:
                return c.RackStub(DEALER)
            case Kind.SWEEP:
                name = SWEPT[table.house.game.id]
                lit = sum(p.lit for p in table.now.positions if name in p.placed)
                return c.SweepChips(DEALER, lit)
            case Kind.PICK if waiting and waiting.picked:
                return c.Settle(DEALER, waiting.seat)
            case Kind.BY_SEAT if waiting and not waiting.shown:
                return c.RevealHand(DEALER, waiting.seat)
            case Kind.BY_SEAT if waiting and "5 card bonus" not in waiting.settled:
                return c.Settle(DEALER, waiting.seat)
        return None


def _due(table: Table, command: c.Command) -> Cents:
    """What a command may take out of the inventory, at most."""
    progressive = table.house.progressive
    if not isinstance(command, c.Settle):  # closing the bets raises the meter
        return progressive.contribution * len(table.now.positions) if progressive else 0
    position = table.position(command.seat)
    assert position is not None
    wins = sum(settled.win for settled in settlements(table, position))
    return wins + (progressive.seed if progressive else 0)


# Steps that need no look: the command says it all.
_PLAIN: dict[Kind, c.Command] = {
    Kind.LOCK_OUT: c.PressLockOut(DEALER),
    Kind.DEAL: c.DealHands(DEALER),
    Kind.UP_CARD: c.ExposeUpCard(DEALER),
    Kind.BURN: c.BurnCard(DEALER),
    Kind.COMMUNITY: c.DealCommunity(DEALER),
    Kind.REVEAL_COMMUNITY: c.RevealCommunity(DEALER),
    Kind.DEALERS_STACK: c.DeliverDealersStack(DEALER),
    Kind.REVEAL_DEALER: c.RevealDealer(DEALER),
    Kind.CLEAR: c.ClearTable(DEALER),
}
