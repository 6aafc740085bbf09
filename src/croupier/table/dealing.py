"""The dealer's acts, each in its step: sweep, deal, burn, turn up, stub, clear."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from croupier.cards.card import Card, spell
from croupier.cards.quick import QUICK
from croupier.cards.ranking import words
from croupier.games import caribbean_stud, pik_it
from croupier.games import ultimate_texas_holdem as uth
from croupier.law.clause import Clause, rulebook
from croupier.rules.bounds import MOST_COUNT, said
from croupier.rules.refusals import Refusal
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.betting import ACCEPTOR, raise_meter
from croupier.table.equipment import COUNTING, Answer, cite
from croupier.table.procedure import Kind, Step, cover_all_up, current, turn
from croupier.table.refused import Refused, refuse
from croupier.table.state import SWEPT, Position, Table, place_of
from croupier.table.voiding import void_all

law = rulebook("nj-ultimate-texas-holdem")
massachusetts = rulebook("ma-ultimate-texas-holdem")
caribbean = rulebook("nj-caribbean-stud")
let_it_ride = rulebook("nj-let-it-ride")
pik_it_law = rulebook("nj-pik-it-poker")

BURN = law('32.1 "Burn"')
FLOP = law('32.1 "Flop"')
STUB = law('32.1 "Stub"')
ROUND_OF_PLAY = law('32.1 "Round of play"')
IN_TURN = pik_it_law("39.10(c)")
TURN_UP = pik_it_law("39.10(c)1")
COUNT_MATCHES = law("32.7(f)1")
COUNT_WRONG = law("32.7(f)2")
COVER_ALL_POSTED = massachusetts("13(e)")
ROUNDS_PER_COUNT = 5


Act = Callable[[Table, Any, Step], Answer]
Handler = Callable[[Table, Any], Answer]


def act(kind: Kind, idle: Clause) -> Callable[[Act], Handler]:
    """An act of the dealer, done in its own step of the round and in no other; ``idle`` is cited
    where there is no round at all."""

    def in_its_step(handler: Act) -> Handler:
        def judged(t: Table, cmd: c.Command) -> Answer:
            step = current(t)
            if step is not None and step.kind is kind:
                return handler(t, cmd, step)
            return _out_of_order(t, step, idle)

        return judged

    return in_its_step


def _out_of_order(t: Table, step: Step | None, idle: Clause) -> Refused:
    if step is None:
        return refuse(t, Refusal.NO_ROUND, "There is no round in progress.", idle)
    if step.kind is Kind.BETS:
        return refuse(t, Refusal.BETS_ARE_STILL_OPEN, "Bets are still open.", step.cite)
    waiting = turn(t, step)
    where = f", seat {waiting.seat}" if waiting else ""
    sentence = f"The table waits for another step: {step.kind}{where}."
    return refuse(t, Refusal.NOT_THIS_STEP, sentence, step.cite)


@act(Kind.LOCK_OUT, caribbean("16.7(b)"))
def press_lock_out(t: Table, cmd: c.PressLockOut, step: Step) -> Answer:
    return (e.LockedOut(step.cited),)


@act(Kind.SWEEP, law("32.7(b)"))
def sweep_chips(t: Table, cmd: c.SweepChips, step: Step) -> Answer:
    """Count the chips against the lights; a chip whose light stayed dark goes back (S5)."""
    name = SWEPT[t.house.game.id]
    waged = [p for p in t.now.positions if name in p.unsettled()]
    lit = [p for p in waged if p.lit]
    if cmd.counted != len(lit):
        sentence = f"{len(lit)} lights are lit, but {said(cmd.counted)} chips are counted."
        return refuse(t, Refusal.COUNT_MUST_MATCH_THE_LIGHTS, sentence, step.cite)
    dark = tuple(
        e.WagerSettled(
            seat=p.seat,
            wager=name,
            amount=p.placed[name],
            result="returned",
            win=0,
            clause=cite(t, ACCEPTOR[t.house.game.id]),
            reason="The acceptor's light was not lit.",
        )
        for p in waged
        if not p.lit
    )
    amount = sum(p.placed[name] for p in lit)
    seats = tuple(p.seat for p in lit)
    swept = e.ChipsSwept(name, seats, amount, step.cited)
    if name == "progressive" and lit:
        return (*dark, swept, raise_meter(t, len(lit)))
    return (*dark, swept)


@act(Kind.DEAL, law("32.7(d)"))
def deal_hands(t: Table, cmd: c.DealHands, step: Step) -> Answer:
    """Each card in its lawful order; the automated shoe gives whole stacks."""
    game = t.house.game
    way = game.procedures[t.dealing]
    seats = [place_of(p.seat) for p in t.now.positions]
    last = "community" if game.id == "let-it-ride" else "dealer"
    each = game.cards_each
    if way.stacks:
        later = game.id == "pik-it" and t.house.dealer_stack == 2
        order = [place for place in (*seats, *([] if later else [last])) for _ in range(each)]
    else:
        order = [*seats, last] * each
    dealt: tuple[e.Event, ...] = (e.HandsDealt(tuple(order), cite(t, way.deal)),)
    if game.id == "caribbean-stud" and not way.stacks:
        up = t.now.stub[len(order) - 1]  # the dealer's fifth falls face up
        dealt += (e.UpCardExposed(str(up), cite(t, way.deal)),)
    if cover_all_up(t):
        hands = len(seats) + 1
        pays = ", ".join(str(line) for line in t.terms.pay[f"cover-all {hands}"])
        dealt += (e.CoverAllPosted(hands, pays, COVER_ALL_POSTED.id),)
    return dealt


@act(Kind.DEALERS_STACK, pik_it_law("39.9(c)2"))
def deliver_dealers_stack(t: Table, cmd: c.DeliverDealersStack, step: Step) -> Answer:
    return (e.DealersStackDelivered(step.cited),)


@act(Kind.UP_CARD, caribbean("16.9(g)"))
def expose_up_card(t: Table, cmd: c.ExposeUpCard, step: Step) -> Answer:
    """The top card of the dealer's stack (ruling S3)."""
    return (e.UpCardExposed(str(t.now.dealer[0]), step.cited),)


@act(Kind.BURN, BURN)
def burn_card(t: Table, cmd: c.BurnCard, step: Step) -> Answer:
    return (e.CardBurned(step.cited),)


@act(Kind.COMMUNITY, FLOP)
def deal_community(t: Table, cmd: c.DealCommunity, step: Step) -> Answer:
    cards = t.now.stub[: step.count - len(t.now.community)]
    return (e.CommunityDealt(spell(cards), step.cited),)


@act(Kind.REVEAL_COMMUNITY, let_it_ride("18.10(d)"))
def reveal_community(t: Table, cmd: c.RevealCommunity, step: Step) -> Answer:
    """Let It Ride: the card at the dealer's left, then the last (ruling L4)."""
    shown = t.now.community[len(t.now.community_shown)]
    return (e.CommunityRevealed(str(shown), step.cited),)


@act(Kind.BY_SEAT, TURN_UP)
def reveal_hand(t: Table, cmd: c.RevealHand, step: Step) -> Answer:
    """Pik-It: the dealer turns a player's five cards up when that seat's turn comes."""
    waiting = turn(t, step)
    assert waiting is not None
    if waiting.seat != cmd.seat:
        sentence = f"Seat {waiting.seat} comes first."
        return refuse(t, Refusal.NOT_THIS_SEATS_TURN, sentence, IN_TURN)
    if waiting.shown:
        sentence = f"The cards of seat {cmd.seat} lie face up already."
        return refuse(t, Refusal.NOT_THIS_STEP, sentence, TURN_UP)
    return (hand_revealed(t, waiting, TURN_UP),)


def hand_revealed(t: Table, p: Position, clause: Clause) -> e.HandRevealed:
    return e.HandRevealed(p.seat, spell(p.cards), hand_words(t, p), cite(t, clause))


def hand_words(t: Table, p: Position) -> str:
    """What the dealer announces of a player's hand."""
    if t.house.game.id == "ultimate-texas-holdem":
        return words(QUICK.best_five((*p.cards, *t.now.community)))
    if t.house.game.id == "let-it-ride":
        return words(QUICK.five((*p.cards, *t.now.community)))
    if p.played == "play 3":
        return words(QUICK.best_three(p.cards))
    return words(QUICK.five(p.cards))


@act(Kind.REVEAL_DEALER, law("32.10(f)"))
def reveal_dealer(t: Table, cmd: c.RevealDealer, step: Step) -> Answer:
    hand, qualified = dealers_hand(t, t.now.dealer)
    return (e.DealerRevealed(spell(t.now.dealer), hand, qualified, step.cited),)


def dealers_hand(t: Table, dealer: tuple[Card, ...]) -> tuple[str, bool | None]:
    """The dealer's announcement, and whether the hand qualifies where that matters."""
    match t.house.game.id:
        case "ultimate-texas-holdem":
            strength = uth.hand_of(dealer, t.now.community, QUICK)
            return words(strength), uth.qualifies(strength)
        case "caribbean-stud":
            strength = QUICK.five(dealer)
            return words(strength), caribbean_stud.qualifies(strength)
        case _:
            strength = QUICK.five(dealer)
            three = words(QUICK.best_three(dealer))
            qualified = pik_it.qualifies(strength) if t.house.qualifier else None
            return f"{words(strength)}; three cards: {three}", qualified


# --- the stub -------------------------------------------------------------------------------


def count_waived(t: Table) -> bool:
    """Only where the text says so: a counting shuffler at Let It Ride and Pik-It, and at
    Caribbean Stud with the automated shoe alone (ruling S4)."""
    if not (t.house.counting and t.shuffling == "automated"):
        return False
    if t.house.game.id == "caribbean-stud":
        return t.dealing == "automated shoe"
    return t.house.game.id in COUNTING


def count_due(t: Table) -> bool:
    counted = t.round is not None and t.round.counted
    return not counted and not count_waived(t) and t.since_count >= ROUNDS_PER_COUNT - 1


@act(Kind.STUB, STUB)
def rack_stub(t: Table, cmd: c.RackStub, step: Step) -> Answer:
    if count_due(t):
        sentence = "The stub must be counted at least once every five rounds."
        clause = t.house.game.procedures[t.dealing].count
        return refuse(t, Refusal.STUB_COUNT_IS_DUE, sentence, clause)
    return (e.StubRacked(len(t.now.stub), False, step.cited),)


@act(Kind.STUB, STUB)
def count_stub(t: Table, cmd: c.CountStub, step: Step) -> Answer:
    """Stub, hands, burned and set aside must make 52 (ruling K6). A wrong count voids all hands;
    with no misdeal to explain it the deck goes too (32.7(f)2, ruling K7)."""
    stub = len(t.now.stub)
    if not 0 <= cmd.counted <= MOST_COUNT:
        sentence = f"A stub counts from 0 to {MOST_COUNT:,} cards."
        return refuse(t, Refusal.OUT_OF_BOUNDS, sentence, COUNT_WRONG)
    if cmd.counted == stub and not cmd.misdealt:
        clause = cite(t, COUNT_MATCHES)
        return (e.StubRacked(stub, True, clause),)
    clause = cite(t, COUNT_WRONG)
    counted = 52 - stub + cmd.counted
    found = "the cards were misdealt" if cmd.misdealt else f"the deck counts {counted} cards"
    reported = e.IrregularityReported(
        "wrong stub count", "stub", f"All hands are void: {found}.", clause
    )
    voided = void_all(t, COUNT_WRONG, trips_stay=False)
    if isinstance(voided, Refused):
        return voided
    voided = (reported, *voided)
    if cmd.misdealt:
        return (*voided, e.StubRacked(stub, True, clause))
    cleared = clear_events(t, cite(t, COUNT_WRONG), counted=True)
    removed = e.DeckRemoved(t.now.colour, f"The deck counts {counted} cards.", clause)
    return (*voided, *cleared, removed)


# --- the end of the round -------------------------------------------------------------------


@act(Kind.CLEAR, ROUND_OF_PLAY)
def clear_table(t: Table, cmd: c.ClearTable, step: Step) -> Answer:
    """Pick up what still lies there, in order, so that each hand can be rebuilt."""
    return clear_events(t, step.cited, counted=False)


def clear_events(t: Table, clause: str, *, counted: bool) -> tuple[e.Event, ...]:
    r = t.now
    events: list[e.Event] = [
        e.CardsRacked(place_of(p.seat), len(p.cards), clause)
        for p in reversed(r.positions)
        if p.cards and not p.racked
    ]
    if r.community:
        events.append(e.CardsRacked("community", len(r.community), clause))
    if r.dealer:
        events.append(e.CardsRacked("dealer", len(r.dealer), clause))
    if not r.stub_gone:
        events.append(e.StubRacked(len(r.stub), counted, clause))
    events.append(e.RoundEnded(r.number, cite(t, ROUND_OF_PLAY)))
    return tuple(events)
