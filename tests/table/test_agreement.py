"""Two ways to the same money: what the table paid, and what a finished hand is worth.

The table settles seat by seat from its own state with the quick ranker; the settle command takes
cards and wagers as a supervisor reports them and uses the readable ranking. On the same cards
they must agree, wager by wager.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from engine_driver import HOUSES, Evening
from helpers import CARIBBEAN, plain_kind, texts

from croupier.cards.card import DECK, Card, cards, spell
from croupier.house import finished_hand
from croupier.house.finished_hand import Finished
from croupier.house.submission import House
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.commands import Actor, player
from croupier.table.procedure import Step
from croupier.table.state import Position, Table

ROUNDS = 12  # of each house, on plain decks and again on rich ones


class Round:
    """One round as it was played: the hands as dealt, and what the table made of them."""

    def __init__(self, evening: Evening) -> None:
        """Play it; whoever folds has cards on record from the deal."""
        while evening.table.round is None or not evening.table.now.closed:
            evening.step()
        start = len(evening.log)
        before = evening.table
        self.house = before.house
        self.chips = {
            p.seat: before.players[p.player] + sum(p.placed.values()) for p in before.now.positions
        }
        self.dealt: dict[int, Position] = {}
        self.dealer: tuple[Card, ...] = ()
        self.board: tuple[Card, ...] = ()
        self.meters: dict[int, int] = {}
        self.last: dict[int, Position] = {}
        while evening.table.round is not None:
            self.remember(evening.table)
            evening.step()
        self.after = evening.table
        self.events = evening.log[start:]

    def remember(self, table: Table) -> None:
        for p in table.now.positions:
            if p.cards:
                self.dealt.setdefault(p.seat, p)
            self.last[p.seat] = p
            if "progressive" not in p.settled:
                self.meters[p.seat] = table.meter
        self.dealer = table.now.dealer or self.dealer
        if len(table.now.community) >= len(self.board) or len(table.now.community) == 2:
            self.board = table.now.community or self.board

    def seats(self) -> list[int]:
        return sorted(self.dealt)

    def paid(self, seat: int) -> dict[str, tuple[str, int, int, str]]:
        """What the table said of each wager: result, win, withheld, clause."""
        return {
            event.wager: (event.result, event.win, event.withheld, event.clause)
            for event in self.events
            if isinstance(event, e.WagerSettled) and event.seat == seat
        }

    def net(self, seat: int) -> int:
        """What the player of this seat is up or down, counted in chips."""
        return self.after.players[self.dealt[seat].player] - self.chips[seat]

    # --- the other way ----------------------------------------------------------------------

    def royals(self) -> list[int]:
        """Seats that share the meter, by a ranker that the table does not know."""
        found = []
        for seat, p in self.last.items():
            hand = self.dealt[seat].cards
            if self.board:
                hand = (*hand, *self.board[:3])
            kept = "progressive" in p.placed and (not p.folded or bool(self.board))
            if kept and plain_kind(texts(hand))[0] == "royal-flush":
                found.append(seat)
        return found

    def metered(self, seat: int) -> House:
        """The house as it stood when this hand was paid."""
        progressive = self.house.progressive
        if progressive is None:
            return self.house
        royals = self.royals()
        meter = self.meters[max(royals)] if seat in royals else self.meters[seat]
        return replace(self.house, progressive=replace(progressive, meter=meter))

    def worth(self, seat: int) -> Finished:
        p, house = self.last[seat], self.metered(seat)
        hand = self.dealt[seat].cards
        placed = p.placed
        match house.game.id:
            case "ultimate-texas-holdem":
                others = [spell(q.cards) for n, q in self.dealt.items() if n != seat]
                return finished_hand.ultimate_texas_holdem(
                    house,
                    player=spell(hand),
                    dealer=spell(self.dealer),
                    board=spell(self.board),
                    ante=placed["ante"],
                    play=None if p.folded else p.times,
                    fold=p.folded,
                    trips=placed.get("trips"),
                    cover_all=placed.get("cover all"),
                    progressive="progressive" in placed,
                    others=others,
                    match_play=p.coupon,
                )
            case "caribbean-stud":
                return finished_hand.caribbean(
                    house,
                    player=spell(hand),
                    dealer=spell(self.dealer),
                    ante=placed["ante"],
                    bet=not p.folded,
                    fold=p.folded,
                    progressive="progressive" in placed,
                    sharing=max(1, len(self.royals())) if seat in self.royals() else 1,
                    match_play=p.coupon,
                )
            case "let-it-ride":
                return finished_hand.ride(
                    house,
                    player=spell(hand),
                    community=spell(self.board),
                    bets=placed["bet 3"],
                    withdraw=[n for n in (1, 2) if p.choices[f"bet-{n}"] == "withdraw"],
                    bonus="let it ride bonus" in placed,
                    three_card=placed.get("three card bonus"),
                )
            case _:
                return finished_hand.pikit(
                    house,
                    player=spell(hand),
                    dealer=spell(self.dealer),
                    ante=placed["ante"],
                    play=None if p.folded else int(p.played.removeprefix("play ")),
                    fold=p.folded,
                    picked=spell(hand[n - 1] for n in p.picked),
                    three_card_bonus=placed.get("3 card bonus"),
                    match_play=p.coupon,
                )


def compare(played: Round) -> None:
    for seat in played.seats():
        finished = played.worth(seat)
        worth = {
            s.wager: (str(s.result), s.win, s.withheld, s.clause.id) for s in finished.settlements
        }
        assert played.paid(seat) == worth, f"seat {seat}"
        assert played.net(seat) == finished.net, f"seat {seat}"


ONE_HAND_EACH = [name for name in sorted(HOUSES) if "adjacent" not in HOUSES[name]]


@pytest.mark.parametrize("rich", [False, True], ids=["plain", "rich"])
@pytest.mark.parametrize("name", ONE_HAND_EACH)
def test_the_table_pays_what_the_finished_hand_is_worth(name: str, rich: bool) -> None:
    evening = Evening(HOUSES[name], seed=11, rich=rich).arrive()
    for _ in range(ROUNDS):
        compare(Round(evening))


class Rigged(Evening):
    """Cards in a given order, bet by everybody."""

    def __init__(self, *hands: str) -> None:
        super().__init__(HOUSES[f"{CARIBBEAN}, hand"])
        dealt = [each for row in zip(*map(cards, hands), strict=True) for each in row]
        self.order = [*dealt, *(each for each in DECK if each not in dealt)]

    def shuffle(self, cards: Sequence[Card]) -> list[Card]:
        return self.order

    def wagers(self, seat: int, who: Actor) -> c.Command:
        return c.PlaceWagers(who, seat, {"ante": 5_00, "progressive": 1_00})

    def choice(self, step: Step, p: Position) -> c.Command:
        return c.Choose(player(p.player), p.seat, "bet")


@pytest.mark.ruling("S5")
def test_two_royal_flushes_share_the_meter_both_ways() -> None:
    """The meter stands at 10,000 dollars and three times 70 cents, and starts again after."""
    hands = ("As Ks Qs Js Ts", "Ah Kh Qh Jh Th", "2c 3d 5s 7h 9c", "Ad Kd 8c 6h 4s")
    played = Round(Rigged(*hands).arrive())
    compare(played)
    share = (10_000_00 + 3 * 70) // 2
    assert [played.paid(seat)["progressive"][1] for seat in (1, 2, 4)] == [share, share, 0]
    assert played.after.meter == 10_000_00
