"""Irregularities by clause: somebody says what happened, the table rules.

32.13, MA 15, 18.12, 38.12 and the supplied ones of Caribbean Stud.
"""

from __future__ import annotations

from msgspec.structs import replace

from croupier.law.clause import Clause, rulebook
from croupier.rules.bounds import said
from croupier.rules.refusals import Refusal
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.commands import DEVICE
from croupier.table.equipment import Answer, cite
from croupier.table.procedure import Kind, current, procedure
from croupier.table.refused import Refused, refuse
from croupier.table.state import DeckAt, Table, place_of
from croupier.table.voiding import void_all, void_hand

law = rulebook("nj-ultimate-texas-holdem")
let_it_ride = rulebook("nj-let-it-ride")
pik_it = rulebook("nj-pik-it-poker")

EXPOSED = {
    "ultimate-texas-holdem": law("32.13(a)"),
    "caribbean-stud": law("32.13(a)"),
    "let-it-ride": let_it_ride("18.12"),  # silent; as 32.13(a) (ruling L7)
    "pik-it": pik_it("38.12(d)"),
}
FACE_UP = law("32.13(b)")
DRAWN_IN_ERROR = law("32.13(c)")
WRONG_NUMBER = {
    "ultimate-texas-holdem": law("32.13(d)"),
    "caribbean-stud": law("32.13(d)"),
    "let-it-ride": let_it_ride("18.12(c)"),
    "pik-it": let_it_ride("18.12(c)"),
}
SHUFFLER_JAM = law("32.13(e)")
SHOE_JAM = law("32.13(f)")


def _not_now(t: Table, sentence: str, clause: Clause) -> Answer:
    return refuse(t, Refusal.NOT_AN_IRREGULARITY_NOW, sentence, clause)


def reported_and(said: tuple[e.Event, ...], voided: Answer) -> Answer:
    """What was reported and what it voids, unless the inventory must be filled first."""
    return voided if isinstance(voided, Refused) else (*said, *voided)


def _playing(t: Table) -> bool:
    """A round is under way and not void."""
    return t.round is not None and t.now.closed and not t.now.void


def _deciding(t: Table) -> bool:
    """Some player has still to decide."""
    for step in procedure(t).steps:
        if step.kind in (Kind.CHOOSE, Kind.BY_SEAT):
            last = step
    if last.kind is Kind.BY_SEAT:
        return not t.now.dealer_shown
    return any(p.live and not p.played and last.point not in p.choices for p in t.now.positions)


def report_exposed_card(t: Table, cmd: c.ReportExposedCard) -> Answer:
    """The dealer's card, or at Let It Ride a community card, seen too early: all hands void."""
    game = t.house.game.id
    clause = EXPOSED[game]
    if not _playing(t) or not t.round or not t.now.dealt:
        return _not_now(t, "No hand has been dealt that could be exposed.", clause)
    if game == "let-it-ride":
        late = len(t.now.community_shown) >= 2
    else:
        late = t.now.dealer_shown or not t.now.dealer or not _deciding(t)
    if late:
        return _not_now(t, "Every player has decided; the card was to be shown anyway.", clause)
    trips = any("trips" in p.unsettled() for p in t.now.positions)
    ruling = "All hands are void" + ("; the board is completed for trips." if trips else ".")
    place = "community" if game == "let-it-ride" else "dealer"
    reported = e.IrregularityReported("card exposed", place, ruling, cite(t, clause))
    return reported_and((reported,), void_all(t, clause, trips_stay=True))


def report_face_up_card(t: Table, cmd: c.ReportFaceUpCard) -> Answer:
    """One goes to the rack and the deal goes on; a second voids all hands (ruling K9)."""
    if not _playing(t) or not t.round:
        return _not_now(t, "No cards are being dealt.", FACE_UP)
    step = current(t)
    dealing = (Kind.LOCK_OUT, Kind.SWEEP, Kind.DEAL, Kind.DEALERS_STACK)
    to_come = t.house.game.id == "ultimate-texas-holdem" and len(t.now.community) < 5
    if step is None or (step.kind not in dealing and not to_come):
        return _not_now(t, "No cards are being dealt.", FACE_UP)
    stub = t.now.stub
    if not 0 <= cmd.ahead < len(stub):
        return _not_now(t, f"There are {len(stub)} cards in the deck.", FACE_UP)
    cited = cite(t, FACE_UP)
    found = str(stub[cmd.ahead])
    racked = e.FaceUpCardRacked(found, cmd.ahead, cited)
    if not t.now.face_up_found:
        ruling = "The card goes to the discard rack; the deal goes on."
        return (e.IrregularityReported("card face up", "deck", ruling, cited), racked)
    ruling = "A second card lies face up: all hands are void and the cards are reshuffled."
    reported = e.IrregularityReported("card face up", "deck", ruling, cited)
    return reported_and((reported, racked), void_all(t, FACE_UP, trips_stay=t.now.dealt))


def report_card_drawn_in_error(t: Table, cmd: c.ReportCardDrawnInError) -> Answer:
    if not _playing(t) or not t.round or t.now.stub_gone:
        return _not_now(t, "No cards are being drawn.", DRAWN_IN_ERROR)
    ruling = "Drawn unseen, it is used as the next card."
    cited = cite(t, DRAWN_IN_ERROR)
    return (e.IrregularityReported("card drawn in error", "deck", ruling, cited),)


def report_wrong_number(t: Table, cmd: c.ReportWrongNumber) -> Answer:
    """Found while dealing, or later while players decide: the hand, or all (rulings K7, H9)."""
    game = t.house.game
    clause = WRONG_NUMBER[game.id]
    if not _playing(t) or not t.round or not t.now.dealt or t.now.dealer_shown:
        return _not_now(t, "No hands are being dealt.", clause)
    step = current(t)
    if step is None or step.kind in (Kind.SETTLE, Kind.CLEAR):
        return _not_now(t, "The hands are being settled as they lie.", clause)
    place = next((p for p in t.now.positions if place_of(p.seat) == cmd.place), None)
    shared = "community" if game.id == "let-it-ride" else "dealer"
    nowhere = place is None and (cmd.place != shared or not t.now.dealer_delivered)
    if nowhere or (place and (place.void or place.racked)):
        return _not_now(t, f"There is no hand at {said(cmd.place)!r}.", clause)
    right = game.cards_each
    most = right + (2 if t.now.stub_gone else min(2, len(t.now.stub)))
    if cmd.cards == right or not 0 <= cmd.cards <= most:
        return _not_now(t, f"A hand of {said(cmd.cards)} cards is not wrong, or cannot be.", clause)
    cited = cite(t, clause)

    def report(ruling: str) -> e.IrregularityReported:
        return e.IrregularityReported("wrong number", cmd.place, ruling, cited, cmd.cards)

    if game.id in ("let-it-ride", "pik-it"):
        reported = report("All hands are void and the cards are reshuffled.")
        return reported_and((reported,), void_all(t, clause, trips_stay=False))
    if place is not None:
        found = place
        if not t.now.stub_gone:
            found = replace(place, cards=(place.cards + t.now.stub)[: cmd.cards])
        return (report("That hand is void."), *void_hand(t, found, clause))
    missing = right - cmd.cards
    turned = t.now.community_shown or t.now.up_cards
    if missing > 0 and not turned and not t.now.stub_gone:
        repaired = e.DealersHandRepaired(missing, cited)
        return (report("The dealer deals the missing cards in sequence."), repaired)
    reported = report("All hands are void.")
    return reported_and((reported,), void_all(t, clause, trips_stay=False))


def device_of(t: Table, cmd: c.Command) -> str:
    """The device a command has work, if any; as long as it is not given, that one may jam."""
    if isinstance(cmd, c.ShuffleDeck) and cmd.by == DEVICE:
        return "shuffler"
    from_shoe = isinstance(cmd, c.DealHands | c.DeliverDealersStack)
    return "shoe" if from_shoe and t.dealing == "automated shoe" else ""


def report_jam(t: Table, cmd: c.ReportJam) -> Answer:
    """A shuffler's deck is shuffled again; a shoe's round is void."""
    if cmd.device == "shuffler":
        if not any(d.at is DeckAt.IN_SHUFFLER for d in t.decks):
            return _not_now(t, "The shuffler is not shuffling.", SHUFFLER_JAM)
        ruling = "The cards are shuffled again."
        cited = cite(t, SHUFFLER_JAM)
        return (e.IrregularityReported("shuffler jam", "shuffler", ruling, cited),)
    dealing = (
        _playing(t)
        and t.round is not None
        and t.dealing == "automated shoe"
        and not (t.now.dealt and t.now.dealer_delivered)
    )
    if cmd.device != "shoe" or not dealing:
        return _not_now(t, "The automated shoe is not dealing.", SHOE_JAM)
    ruling = "The round is void; all cards are taken from the shoe and reshuffled."
    reported = e.IrregularityReported("shoe jam", "shoe", ruling, cite(t, SHOE_JAM))
    return reported_and((reported,), void_all(t, SHOE_JAM, trips_stay=False))
