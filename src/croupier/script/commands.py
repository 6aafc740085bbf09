"""The commands of a script, in words: every command the table knows can be written."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from croupier.cards.card import DECK, spell
from croupier.law.refused import Refused
from croupier.rules.bounds import said
from croupier.rules.money import Cents, read_dollars
from croupier.script.read import Line
from croupier.table import commands as c
from croupier.table.commands import Actor, Role
from croupier.table.decide import HANDLERS
from croupier.table.procedure import current, turn
from croupier.table.state import SWEPT, Table

ROLES = {"dealer": Role.DEALER, "supervisor": Role.SUPERVISOR, "device": Role.DEVICE}
LONGEST_WHOLE = 9  # digits
_TIMES = re.compile(r"(\d+)x")


@dataclass(frozen=True, slots=True)
class Asked:
    """A line being turned into a command: the table it is asked of, and the words left over."""

    table: Table
    line: Line
    rest: str

    # --- who and where ----------------------------------------------------------------------

    @property
    def named_seat(self) -> int:
        """The seat the line names: before its colon, or 0."""
        where = self.line.who.rpartition(" at ")[2]
        if where.isdecimal():
            return self.whole(where)
        mine = self.table.seats_of(self.line.who) if self.line.who else ()
        return mine[0] if mine else 0

    def seat(self, *, in_turn: bool = False) -> int:
        """The seat meant: named, or whose turn it is, or the only one taken, or the first."""
        if self.named_seat:
            return self.named_seat
        step = current(self.table)
        if in_turn and step and (waiting := turn(self.table, step)):
            return waiting.seat
        taken = [n for n, name in enumerate(self.table.seats, 1) if name]
        return taken[0] if len(taken) == 1 else 1

    def by(self, kind: type[c.Command], seat: int = 0) -> Actor:
        """Who says it: the role the line names, or the one whose job it is."""
        who = self.line.who
        if who in ROLES:
            return Actor(ROLES[who])
        roles = HANDLERS[kind][0]
        if Role.PLAYER in roles:
            return c.player(self._player(seat or self.seat()))
        if kind is c.ShuffleDeck:
            return c.DEVICE if self.table.shuffling == "automated" else c.DEALER
        return Actor(next(r for r in ROLES.values() if r in roles))

    def _player(self, seat: int) -> str:
        name = self.line.who.rpartition(" at ")[0] or self.line.who
        if name and not name.isdecimal():
            return name
        inside = 1 <= seat <= len(self.table.seats)
        return (self.table.seats[seat - 1] if inside else "") or f"player {seat}"

    # --- reading words ----------------------------------------------------------------------

    def colour(self, text: str = "") -> str:
        """The deck named, or the only one, or the first the house has."""
        if text:
            return text
        decks = self.table.decks
        return decks[0].colour if len(decks) == 1 else self.table.house.decks[0]

    def money(self, text: str) -> Cents:
        try:
            return read_dollars(text)
        except Refused as refused:
            raise self.line.wrong(refused.sentence) from None

    def whole(self, text: str) -> int:
        if not text.isdecimal() or len(text) > LONGEST_WHOLE:
            raise self.line.wrong(f"{said(text)!r} is not a whole number.")
        return int(text)

    def nothing_more(self) -> None:
        if self.rest:
            raise self.line.wrong(f"{self.rest!r} is too much here.")


Builder = Callable[[Asked], c.Command]


def command(table: Table, line: Line) -> c.Command:
    """The command a line asks for."""
    for words, build in BUILDERS.items():
        if line.words == words or line.words.startswith(words + " "):
            return build(Asked(table, line, line.words[len(words) :].strip()))
    raise line.wrong(f"{line.words.split()[0]!r} is no command of a script.")


def _bare(kind: type[c.Command]) -> Builder:
    def build(asked: Asked) -> c.Command:
        asked.nothing_more()
        return kind(asked.by(kind))

    return build


# --- cards and devices ----------------------------------------------------------------------


def _of_deck(kind: type[c.Command]) -> Builder:
    return lambda asked: kind(asked.by(kind), asked.colour(asked.rest))  # type: ignore[call-arg]


def _receive(asked: Asked) -> c.Command:
    """receive red [preshuffled] [without As 2c] [with As Zz]"""
    found = re.fullmatch(
        r"(\w*)( ?preshuffled)?(?: ?without ((?:(?!with\b)\w+ ?)+))?(?: ?with ([\w ]+))?",
        asked.rest,
    )
    if not found:
        raise asked.line.wrong("write: receive red [preshuffled] [without As] [with 2c]")
    gone = (found[3] or "").lower().split()
    cards = [str(each) for each in DECK if str(each).lower() not in gone]
    cards += (found[4] or "").split()
    by = asked.by(c.ReceiveDeck)
    return c.ReceiveDeck(by, asked.colour(found[1]), " ".join(cards), bool(found[2]))


def _spread(asked: Asked) -> c.Command:
    down = asked.rest.endswith("face down")
    colour = asked.rest.removesuffix("face down").removesuffix("face up").strip()
    return c.SpreadDeck(asked.by(c.SpreadDeck), asked.colour(colour), not down)


def _shuffle(asked: Asked) -> c.Command:
    """shuffle red [counting 51] [to As Kd ...]"""
    found = re.fullmatch(
        r"(?!counting|to\b)(\w*)(?: ?counting (\d+))?(?: ?to ([\w ]+))?", asked.rest
    )
    if not found:
        raise asked.line.wrong("write: shuffle red [counting 51] [to As Kd ...]")
    colour = asked.colour(found[1])
    deck = asked.table.deck(colour)
    cards = asked.table.cards_of(deck) if deck else ()
    order = found[3] or spell(sorted(cards))
    return c.ShuffleDeck(asked.by(c.ShuffleDeck), colour, order, asked.whole(found[2] or "52"))


def _cut(asked: Asked) -> c.Command:
    *colour, number = asked.rest.split() or [""]
    return c.CutDeck(asked.by(c.CutDeck), asked.colour(" ".join(colour)), asked.whole(number))


def _remove(asked: Asked) -> c.Command:
    if asked.rest in ("shuffler", "shoe"):
        return c.RemoveDevice(asked.by(c.RemoveDevice), asked.rest)
    return c.RemoveDeck(asked.by(c.RemoveDeck), asked.colour(asked.rest))


def _install(asked: Asked) -> c.Command:
    return c.InstallDevice(asked.by(c.InstallDevice), asked.rest)


def _method(asked: Asked) -> c.Command:
    shuffling, slash, dealing = (part.strip() for part in asked.rest.partition("/"))
    if not slash:
        raise asked.line.wrong("write shuffling and dealing, such as: method manual / manual shoe")
    return c.ChangeMethod(asked.by(c.ChangeMethod), shuffling, dealing)


def _fill(asked: Asked) -> c.Command:
    return c.FillInventory(asked.by(c.FillInventory), asked.money(asked.rest))


# --- players --------------------------------------------------------------------------------


def _sit(asked: Asked) -> c.Command:
    chips = asked.money(asked.rest) if asked.rest else 0
    return c.SitDown(asked.by(c.SitDown), asked.seat(), chips)


def _buy(asked: Asked) -> c.Command:
    return c.BuyChips(asked.by(c.BuyChips), asked.money(asked.rest))


def _at_seat(kind: type[c.Command]) -> Builder:
    def build(asked: Asked) -> c.Command:
        asked.nothing_more()
        seat = asked.seat()
        return kind(asked.by(kind, seat), seat)  # type: ignore[call-arg]

    return build


def _bets(asked: Asked) -> c.Command:
    """bets 10 10, trips 5, coupon 5: bare sums are the required wagers in their order."""
    wagers: dict[str, Cents] = {}
    coupon = 0
    required = [w.name for w in asked.table.house.game.wagers if w.required]
    by_key = {w.key: w.name for w in asked.table.house.game.wagers}  # "cover-all" is "cover all"
    for item in asked.rest.split(","):
        name, _, amount = item.strip().rpartition(" ")
        if not re.search("[a-z]", item):
            sums = item.split()
            if wagers or len(sums) > len(required):
                raise asked.line.wrong(f"the wagers without a name are {', '.join(required)}.")
            wagers |= dict(zip(required, map(asked.money, sums), strict=False))
        elif name == "coupon":
            coupon = asked.money(amount)
        elif name:
            wagers[by_key.get(name, name)] = asked.money(amount)
        else:
            raise asked.line.wrong(f"{item.strip()!r} is no wager with its sum.")
    seat = asked.seat()
    return c.PlaceWagers(asked.by(c.PlaceWagers, seat), seat, wagers, coupon)


def _choose(verb: str) -> Builder:
    def build(asked: Asked) -> c.Command:
        seat = asked.seat(in_turn=True)
        by = asked.by(c.Choose, seat)
        said, times, wager = verb, 0, ""
        cards: tuple[int, ...] = ()
        words = asked.rest.split()
        if words and (found := _TIMES.fullmatch(words[-1])):
            times = asked.whole(found[1])
            words.pop()
        if verb == "pick":
            cards = tuple(asked.whole(word) for word in words)
        elif verb in ("withdraw", "ride") and words:
            wager = f"bet {words[-1]}"
        elif words:
            said = " ".join((verb, *words))  # play 3, play 5
        return c.Choose(by, seat, said, wager, times, cards)

    return build


# --- the dealer -----------------------------------------------------------------------------


def _no_more_bets(asked: Asked) -> c.Command:
    return c.AnnounceNoMoreBets(asked.by(c.AnnounceNoMoreBets), asked.rest)


def _sweep(asked: Asked) -> c.Command:
    if asked.rest:
        return c.SweepChips(asked.by(c.SweepChips), asked.whole(asked.rest))
    name = SWEPT.get(asked.table.house.game.id, "")
    positions = asked.table.round.positions if asked.table.round else ()
    lit = sum(p.lit for p in positions if name in p.placed)
    return c.SweepChips(asked.by(c.SweepChips), lit)


def _reveal(asked: Asked) -> c.Command:
    """reveal: the next community card; reveal dealer; reveal seat 2"""
    if asked.rest == "dealer":
        return c.RevealDealer(asked.by(c.RevealDealer))
    if asked.rest:
        return c.RevealHand(asked.by(c.RevealHand), _seat_said(asked))
    return c.RevealCommunity(asked.by(c.RevealCommunity))


def _settle(asked: Asked) -> c.Command:
    return c.Settle(asked.by(c.Settle), _seat_said(asked))


def _seat_said(asked: Asked) -> int:
    said = asked.rest.removeprefix("seat").strip()
    return asked.whole(said) if said else asked.seat(in_turn=True)


def _count(asked: Asked) -> c.Command:
    """count stub [31] [misdealt]: without a number, the right one"""
    words = asked.rest.split()
    misdealt = "misdealt" in words
    numbers = [asked.whole(word) for word in words if word != "misdealt"]
    right = len(asked.table.round.stub) if asked.table.round else 0
    return c.CountStub(asked.by(c.CountStub), numbers[0] if numbers else right, misdealt)


# --- irregularities -------------------------------------------------------------------------


def _face_up(asked: Asked) -> c.Command:
    """report face-up [after 3]: so many cards lie before it"""
    ahead = asked.rest.removeprefix("after").strip()
    return c.ReportFaceUpCard(asked.by(c.ReportFaceUpCard), asked.whole(ahead) if ahead else 0)


def _wrong_number(asked: Asked) -> c.Command:
    place, _, number = asked.rest.rpartition(" ")
    if not place:
        raise asked.line.wrong("write a place and its cards: report wrong number seat 2 3")
    return c.ReportWrongNumber(asked.by(c.ReportWrongNumber), place, asked.whole(number))


def _jam(asked: Asked) -> c.Command:
    return c.ReportJam(asked.by(c.ReportJam), asked.rest)


# Where one phrase begins with another, the longer comes first.
BUILDERS: dict[str, Builder] = {
    "receive": _receive,
    "inspect": _of_deck(c.InspectDeck),
    "verify": _of_deck(c.VerifyDeck),
    "spread": _spread,
    "face up": _of_deck(c.TurnFaceUp),
    "wash": _of_deck(c.WashDeck),
    "load": _of_deck(c.LoadShuffler),
    "shuffle": _shuffle,
    "cut": _cut,
    "recut": _of_deck(c.OrderRecut),
    "remove": _remove,
    "install": _install,
    "method": _method,
    "fill": _fill,
    "close": _bare(c.CloseTable),
    "sit": _sit,
    "buy": _buy,
    "stand": _at_seat(c.StandUp),
    "bets": _bets,
    "take back": _at_seat(c.TakeBackWagers),
    "light": _at_seat(c.LightAcceptor),
    "check": _choose("check"),
    "fold": _choose("fold"),
    "play": _choose("play"),
    "bet": _choose("bet"),
    "withdraw": _choose("withdraw"),
    "ride": _choose("ride"),
    "pick": _choose("pick"),
    "no more bets": _no_more_bets,
    "lock out": _bare(c.PressLockOut),
    "sweep": _sweep,
    "deal": lambda asked: c.DealHands(asked.by(c.DealHands)),  # the cards are stacked before
    "burn": _bare(c.BurnCard),
    "community": _bare(c.DealCommunity),
    "deliver": _bare(c.DeliverDealersStack),
    "up-card": _bare(c.ExposeUpCard),
    "reveal": _reveal,
    "settle": _settle,
    "rack stub": _bare(c.RackStub),
    "count stub": _count,
    "clear": _bare(c.ClearTable),
    "report exposed": _bare(c.ReportExposedCard),
    "report face-up": _face_up,
    "report drawn in error": _bare(c.ReportCardDrawnInError),
    "report wrong number": _wrong_number,
    "jam": _jam,
}
