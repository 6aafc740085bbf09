"""The rounds of a table and what became of each wager, read from what anybody may see.

No key is needed: sealed fields are not looked at. Exports and the watch on drift are made from it.
"""

from __future__ import annotations

from msgspec import Struct, field

from croupier.house.submission import House, recalled
from croupier.ledger.entry import Entry
from croupier.ledger.records import Happening, ShuffleCommitted, ShuffleRevealed
from croupier.rules.money import Cents
from croupier.table import events as e


class Settled(Struct):
    """One wager and what became of it."""

    seat: int
    player: str
    wager: str
    amount: Cents
    result: str
    win: Cents
    coupon: Cents  # match play, beside it
    swept: bool
    from_meter: Cents
    withheld: Cents
    line: str
    clause: str
    reason: str
    sequence: int
    time: str

    @property
    def net(self) -> Cents:
        """What the player is up or down on it."""
        if self.result == "lost":
            return -self.amount
        return self.win - (self.amount if self.swept and self.result == "won" else 0)


class Played(Struct):
    """One round, from the end of the last to its own."""

    number: int
    first: int  # sequence of its first entry
    began: str
    last: int = 0
    closed: str = ""  # when bets were
    ended: str = ""
    colour: str = ""
    hands: int = 0  # of players
    dealer: str = ""
    dealer_hand: str = ""
    qualified: bool | None = None
    community: list[str] = field(default_factory=list)
    void: bool = False  # all hands, or one of them
    meter: Cents = 0  # of the progressive, when the cards were dealt
    shuffle: int = 0
    commitment: str = ""
    seed: str = ""
    wagers: list[Settled] = field(default_factory=list)

    @property
    def net(self) -> Cents:
        """What all players are up or down."""
        return sum(each.net for each in self.wagers)


class Chronicle:
    """Follows one table, entry by entry."""

    def __init__(self) -> None:
        self.house: House | None = None
        self.now = Played(1, 1, "")
        self.meter: Cents = 0
        self._seats: dict[int, str] = {}
        self._players: dict[int, str] = {}  # who wagers in the round
        self._coupons: dict[int, Cents] = {}
        self._promises: dict[int, str] = {}

    def see(self, entry: Entry, happening: Happening) -> Played | None:
        """Take an entry in; gives the round that was over before it."""
        over = self.end() if entry.command else None
        self.now.began = self.now.began or entry.time
        self.now.last = entry.sequence
        self._follow(entry, happening)
        return over

    def end(self) -> Played | None:
        """The round that is over, if one is; its shuffle is revealed behind its last event."""
        over = self.now
        if not over.ended:
            return None
        self.now = Played(over.number + 1, over.last + 1, "")
        self._players, self._coupons = {}, {}
        return over

    def _follow(self, entry: Entry, happening: Happening) -> None:
        now = self.now
        match happening:
            case e.TableOpened():
                self.house = recalled(happening.house)
                self.meter = self.house.progressive.meter if self.house.progressive else 0
            case ShuffleCommitted():
                self._promises[happening.shuffle] = happening.commitment
            case ShuffleRevealed():
                commitment = self._promises.pop(happening.shuffle, "")
                if happening.round == now.number:
                    now.shuffle, now.seed = happening.shuffle, happening.seed
                    now.commitment = commitment
            case e.PlayerSat():
                self._seats[happening.seat] = happening.player
            case e.PlayerLeft():
                self._seats.pop(happening.seat, None)
            case e.RoundEnded():
                now.ended = entry.time
            case _:
                self._round(entry, happening)

    def _round(self, entry: Entry, happening: Happening) -> None:
        now = self.now
        match happening:
            case e.WagersPlaced():
                self._players[happening.seat] = self._seats.get(happening.seat, "")
                self._coupons[happening.seat] = happening.coupon
            case e.WagersTakenBack():
                self._players.pop(happening.seat, None)
                self._coupons.pop(happening.seat, None)
            case e.NoMoreBetsAnnounced():
                now.closed, now.colour = entry.time, happening.colour
                now.hands = len(happening.seats)
            case e.MeterMoved():
                self.meter += happening.amount
            case e.HandsDealt():
                now.meter = self.meter
            case e.CommunityDealt():
                now.community.append(happening.cards)
            case e.CommunityRevealed():
                now.community.append(happening.card)
            case e.DealerRevealed():
                now.dealer, now.dealer_hand = happening.cards, happening.hand
                now.qualified = happening.qualified
            case e.HandVoided() | e.AllHandsVoided():
                now.void = True
            case e.WagerSettled():
                self.meter -= happening.from_meter
                now.wagers.append(self._settled(entry, happening))
            case e.FoldedWagerReturned():
                for each in now.wagers:
                    if (each.seat, each.wager) == (happening.seat, happening.wager):
                        each.result, each.clause = "returned", happening.clause

    def _settled(self, entry: Entry, event: e.WagerSettled) -> Settled:
        return Settled(
            seat=event.seat,
            player=self._players.get(event.seat, ""),
            wager=event.wager,
            amount=event.amount,
            result=event.result,
            win=event.win,
            coupon=self._coupons.get(event.seat, 0) if event.coupon else 0,
            swept=event.swept,
            from_meter=event.from_meter,
            withheld=event.withheld,
            line=event.line,
            clause=event.clause,
            reason=event.reason,
            sequence=entry.sequence,
            time=entry.time,
        )
