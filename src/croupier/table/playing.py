"""Betting points and settlement, seat by seat."""

from __future__ import annotations

from msgspec.structs import replace

from croupier.cards.card import spell
from croupier.cards.quick import QUICK
from croupier.cards.ranking import FiveCard, Strength
from croupier.law.clause import rulebook
from croupier.rules import stage
from croupier.rules.bounds import said
from croupier.rules.game import Multiples
from croupier.rules.money import Cents, in_dollars
from croupier.rules.refusals import Refusal
from croupier.rules.settlement import Result
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.betting import PAYING, own_seat
from croupier.table.dealing import hand_revealed, hand_words
from croupier.table.equipment import Answer, cite
from croupier.table.procedure import (
    ANNOUNCE,
    COLLECT_LOSERS,
    PAY_WINNERS,
    Kind,
    Step,
    cover_all_up,
    current,
    first_alternative,
    turn,
)
from croupier.table.refused import Refused, refuse
from croupier.table.settling import FOLD_COLLECTS, reset, settlements
from croupier.table.state import Position, Table, place_of

law = rulebook("nj-ultimate-texas-holdem")
massachusetts = rulebook("ma-ultimate-texas-holdem")
caribbean = rulebook("nj-caribbean-stud")
let_it_ride = rulebook("nj-let-it-ride")
pik_it = rulebook("nj-pik-it-poker")

SETTLEMENT = law("32.10(h)")
BET_3_RIDES = let_it_ride("18.6(d)")
PICKED = pik_it("39.10(a)")
PICK_THREE = pik_it("39.10(b)")
FOLDED_CARDS = {
    "ultimate-texas-holdem": law("32.10(e)2ii"),
    "caribbean-stud": caribbean("16.10(a)"),
    "pik-it": pik_it("39.10(c)4"),
}
DEFERS = {"before-flop": law("32.10(a)2"), "after-flop": law("32.10(c)2")}
RIDES = {"bet-1": let_it_ride("18.10(b)1"), "bet-2": let_it_ride("18.10(e)1")}
TURN_UP = {
    "ultimate-texas-holdem": law("32.10(h)"),
    "let-it-ride": let_it_ride("18.10(g)1"),
}
# Where hands stay on the felt, face up, until every seat is settled.
STAY_FACE_UP = {"let-it-ride": let_it_ride("18.10(g)4")}
LEFT_EXPOSED = massachusetts("13(h)")
HIGHER_HAND = massachusetts("13(i)")
ALTERNATIVE_1 = {
    ANNOUNCE: pik_it("39.10(e)1i"),
    COLLECT_LOSERS: pik_it("39.10(e)1ii"),
    PAY_WINNERS: pik_it("39.10(e)1iii"),
}
RACK_ALL_HANDS = pik_it("39.10(e)1iv")
ALTERNATIVE_2 = (pik_it("39.10(e)2i"), pik_it("39.10(e)2iii"))
SETTLE_BONUS = pik_it("39.10(c)2")


# --- choices --------------------------------------------------------------------------------


def choose(t: Table, cmd: c.Choose) -> Answer:
    if wrong := own_seat(t, cmd.by, cmd.seat):
        return wrong
    step = current(t)
    if step is None:
        clause = t.house.game.procedures[t.dealing].announce
        return refuse(t, Refusal.NO_ROUND, "There is no round in progress.", clause)
    if cmd.verb == "withdraw" and cmd.wager == "bet 3" and t.house.game.id == "let-it-ride":
        return refuse(t, Refusal.BET_3_MUST_RIDE, "Bet 3 always rides.", BET_3_RIDES)
    if step.kind is Kind.BETS:
        return refuse(t, Refusal.BETS_ARE_STILL_OPEN, "Bets are still open.", step.cite)
    if step.kind not in (Kind.CHOOSE, Kind.PICK, Kind.BY_SEAT):
        sentence = f"The table waits for another step: {step.kind}."
        return refuse(t, Refusal.NOT_THIS_STEP, sentence, step.cite)
    p = turn(t, step)
    assert p is not None
    if p.seat != cmd.seat:
        sentence = f"Seat {p.seat} is to decide."
        return refuse(t, Refusal.NOT_THIS_SEATS_TURN, sentence, step.cite)
    if step.kind is Kind.BY_SEAT and (not p.shown or "5 card bonus" not in p.settled):
        sentence = "The hand is turned up and its 5 card bonus settled first."
        return refuse(t, Refusal.NOT_THIS_STEP, sentence, step.cite)
    choice = step.choices.get(cmd.verb)
    if choice is None or not _said_right(choice, cmd):
        words = " or ".join(step.choices)
        return refuse(t, Refusal.NOT_A_CHOICE_HERE, f"The choices are {words}.", step.cite)
    if choice.verb == "pick":
        return _pick(t, p, cmd)
    if choice.multiples:
        return _play(t, p, step, choice, cmd)
    if choice.verb == "fold":
        return _fold(t, p, step, choice)
    if choice.verb == "withdraw":
        return _withdraw(t, p, step, choice)
    rule = (DEFERS if choice.verb == "check" else RIDES).get(step.point)
    cited = cite(t, rule) if rule else step.cited
    return (e.ChoiceMade(p.seat, step.point, choice.verb, cited, choice.wager),)


def _said_right(choice: stage.Choice, cmd: c.Choose) -> bool:
    """No other bet is named, and no sum or cards where the choice takes none."""
    return (
        cmd.wager in ("", choice.wager)
        and (not cmd.times or bool(choice.multiples))
        and (not cmd.cards or choice.verb == "pick")
    )


def _pick(t: Table, p: Position, cmd: c.Choose) -> Answer:
    """Unseen, by their place in the row (ruling P2); then turned up for all."""
    if p.picked:
        return refuse(t, Refusal.NOT_THIS_STEP, "The three cards are picked.", PICK_THREE)
    if len(cmd.cards) != 3 or len(set(cmd.cards)) != 3 or not all(1 <= n <= 5 for n in cmd.cards):
        sentence = "Pick three of the five cards, each by its place from 1 to 5."
        return refuse(t, Refusal.PICK_THREE_OF_FIVE, sentence, PICK_THREE)
    cited = cite(t, PICKED)
    picked = tuple(sorted(cmd.cards))
    shown = spell(p.cards[n - 1] for n in picked)
    return (
        e.ChoiceMade(p.seat, "pick", "pick", cited, "3 card bonus", cards=picked),
        e.PickedCardsRevealed(p.seat, shown, cited),
    )


def _play(t: Table, p: Position, step: Step, choice: stage.Choice, cmd: c.Choose) -> Answer:
    """A play wager: a lawful multiple of the ante, in chips the player has."""
    key = {"after-deal": "bet", "play": choice.wager.replace(" ", "-")}.get(step.point, step.point)
    rule: Multiples = t.house.game.multiples[key]
    allowed = t.terms.multiples[key]
    times = cmd.times or (allowed[0] if len(allowed) == 1 else 0)
    if times not in allowed:
        words = " or ".join(str(n) for n in allowed)
        sentence = f"The {choice.wager} wager is {words} times the ante here, not {said(times)}."
        return refuse(t, Refusal.MULTIPLE_NOT_ALLOWED, sentence, rule.cite)
    amount = p.placed["ante"] * times
    if amount > t.chips_free(p.player):
        have = in_dollars(t.chips_free(p.player))
        sentence = f"The {choice.wager} wager needs {in_dollars(amount)}; you have {have}."
        return refuse(t, Refusal.NOT_ENOUGH_CHIPS, sentence, rule.cite)
    cited = cite(t, choice.cite or step.cite)
    made = e.ChoiceMade(p.seat, step.point, choice.verb, cited, choice.wager, amount, times)
    return (made,)


def _fold(t: Table, p: Position, step: Step, choice: stage.Choice) -> Answer:
    """What a fold costs is collected; the cards go to the rack unless a wager still needs them."""
    cited = cite(t, choice.cite or step.cite)
    events: list[e.Event] = [e.ChoiceMade(p.seat, step.point, "fold", cited)]
    events += fold_collections(t, p)
    kept = "trips" in p.unsettled() or "progressive" in p.unsettled()
    if t.house.game.id != "ultimate-texas-holdem" or not (kept or cover_all_up(t)):
        clause = cite(t, FOLDED_CARDS[t.house.game.id])
        events.append(e.CardsRacked(place_of(p.seat), len(p.cards), clause))
    return tuple(events)


def fold_collections(t: Table, p: Position) -> list[e.Event]:
    folded = replace(p, folded=True)
    collects = FOLD_COLLECTS[t.house.game.id]
    settled = settlements(t, folded)
    return [each for each in settled if each.wager in collects and each.wager not in p.settled]


def _withdraw(t: Table, p: Position, step: Step, choice: stage.Choice) -> Answer:
    cited = cite(t, choice.cite or step.cite)
    amount = p.placed[choice.wager]
    return (
        e.ChoiceMade(p.seat, step.point, "withdraw", cited, choice.wager, amount),
        e.WagerSettled(
            seat=p.seat,
            wager=choice.wager,
            amount=amount,
            result="returned",
            win=0,
            clause=cited,
            reason="The player withdrew it.",
        ),
    )


# --- settlement -----------------------------------------------------------------------------


def settle(t: Table, cmd: c.Settle) -> Answer:
    """Settle what the step asks for, at the seat whose turn it is."""
    step = current(t)
    if step is None:
        return refuse(t, Refusal.NO_ROUND, "There is no round in progress.", SETTLEMENT)
    if step.kind not in (Kind.SETTLE, Kind.PICK, Kind.BY_SEAT):
        sentence = f"The table waits for another step: {step.kind}."
        return refuse(t, Refusal.NOT_THIS_STEP, sentence, step.cite)
    p = turn(t, step)
    assert p is not None
    if p.seat != cmd.seat:
        sentence = f"Seat {p.seat} is settled first."
        return refuse(t, Refusal.NOT_THIS_SEATS_TURN, sentence, step.cite)
    if step.kind is Kind.PICK:
        if not p.picked:
            sentence = f"Seat {p.seat} has not picked three cards yet."
            return refuse(t, Refusal.NOT_THIS_STEP, sentence, PICK_THREE)
        return _paid(t, p, ("3 card bonus",), ())
    if step.kind is Kind.BY_SEAT:
        if not p.shown or "5 card bonus" in p.settled:
            sentence = f"The 5 card bonus of seat {p.seat} is not to be settled now."
            return refuse(t, Refusal.NOT_THIS_STEP, sentence, SETTLE_BONUS)
        return _paid(t, p, ("5 card bonus",), ())
    if step.alternative:
        return _settle_pik_it(t, p, step)
    return _settle_seat(t, p, step)


def _settle_seat(t: Table, p: Position, step: Step) -> Answer:
    """Turn the hand up, settle its wagers, and rack the cards where the text says at once."""
    game = t.house.game.id
    before: tuple[e.Event, ...] = ()
    if not p.shown and not p.racked:
        before = (hand_revealed(t, p, TURN_UP.get(game, step.cite)),)
    paid = _paid(t, p, step.wagers, before)
    if isinstance(paid, Refused) or game in STAY_FACE_UP or "cover all" in step.wagers:
        return paid
    return (*paid, *_after_settling(t, p, step))


def _after_settling(t: Table, p: Position, step: Step) -> list[e.Event]:
    """The hand goes to the rack, but the highest from a straight up stays for Cover All."""
    if p.racked:
        return []
    rack = e.CardsRacked(place_of(p.seat), len(p.cards), step.cited)
    if not cover_all_up(t):
        return [rack]
    strength = QUICK.best_five((*p.cards, *t.now.community))
    if strength.kind < FiveCard.STRAIGHT:
        return [rack]
    best = exposed_strength(t)
    if best is not None and strength <= best:
        return [rack]
    events: list[e.Event] = []
    if t.now.exposed.startswith("seat"):
        seat = int(t.now.exposed.removeprefix("seat "))
        previous = t.position(seat)
        assert previous is not None
        cited = HIGHER_HAND.id
        events.append(e.CardsRacked(t.now.exposed, len(previous.cards), cited))
    events.append(e.HandLeftExposed(place_of(p.seat), LEFT_EXPOSED.id))
    return events


def exposed_strength(t: Table) -> Strength | None:
    """The best hand left on the felt so far, the dealer's own from a straight up included."""
    r = t.now
    hands = [QUICK.best_five((*r.dealer, *r.community))]
    if r.exposed.startswith("seat"):
        position = t.position(int(r.exposed.removeprefix("seat ")))
        assert position is not None
        hands.append(QUICK.best_five((*position.cards, *r.community)))
    best = max(hands)
    return best if best.kind >= FiveCard.STRAIGHT else None


def _settle_pik_it(t: Table, p: Position, step: Step) -> Answer:
    """Ruling P10: the two alternatives differ in order, not in money."""
    if step.alternative == 2:
        announce, rack = ALTERNATIVE_2
        said = e.HandAnnounced(p.seat, hand_words(t, p), cite(t, announce))
        paid = _paid(t, p, step.wagers, (said,))
        if isinstance(paid, Refused):
            return paid
        return (*paid, e.CardsRacked(place_of(p.seat), len(p.cards), cite(t, rack)))
    doing, _ = first_alternative(t, step)
    if doing == ANNOUNCE:
        cited = cite(t, ALTERNATIVE_1[ANNOUNCE])
        return (e.HandAnnounced(p.seat, hand_words(t, p), cited),)
    if doing == COLLECT_LOSERS:
        return _paid(t, p, step.wagers, (), only=(Result.LOST,))
    if doing == PAY_WINNERS:
        return _paid(t, p, step.wagers, (), only=(Result.WON, Result.PUSHED))
    return (e.CardsRacked(place_of(p.seat), len(p.cards), cite(t, RACK_ALL_HANDS)),)


def _paid(
    t: Table,
    p: Position,
    wagers: tuple[str, ...],
    before: tuple[e.Event, ...],
    only: tuple[Result, ...] = (),
) -> Answer:
    """Settle these wagers of one hand: losers are collected before winners are paid."""
    settled = [
        s
        for s in settlements(t, p)
        if s.wager in wagers and s.wager not in p.settled and (not only or s.result in only)
    ]
    refill = reset(t, settled)
    most = refill + sum([s.win for s in settled])
    lacking = -_lowest(t.inventory, settled, refill) if most > t.inventory else 0
    if lacking > 0:
        sentence = f"The table inventory lacks {in_dollars(lacking)}."
        return refuse(t, Refusal.INVENTORY_NEEDS_A_FILL, sentence, PAYING)
    events: tuple[e.Event, ...] = (*before, *settled)
    if refill:
        clause = cite(t, t.house.game.wager("progressive").cite)
        events += (e.MeterMoved(refill, "The meter starts again from its seed.", clause),)
    return events


def _lowest(inventory: Cents, settled: list[e.WagerSettled], refill: Cents) -> Cents:
    """Where the inventory stands at its lowest while these are settled one after the other."""
    lowest = inventory
    for s in settled:
        inventory -= s.win - s.from_meter
        lowest = min(lowest, inventory)
        if s.result == "lost" and not s.swept:
            inventory += s.amount
    return min(lowest, inventory - refill)
