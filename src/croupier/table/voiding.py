"""What "void" does to money (ruling K8): every unsettled wager goes back and nothing is paid;
what was settled stands; when all hands are void, what folds had cost comes back too."""

from __future__ import annotations

from croupier.law.clause import Clause
from croupier.rules.money import in_dollars
from croupier.rules.refusals import Refusal
from croupier.table import events as e
from croupier.table.betting import PAYING
from croupier.table.equipment import Answer
from croupier.table.refused import refuse
from croupier.table.settling import FOLD_COLLECTS
from croupier.table.state import SWEPT, Position, Table

VOID = "The hand is void."


def returned(t: Table, p: Position, clause: Clause, keep: tuple[str, ...] = ()) -> list[e.Event]:
    """Every unsettled wager of a hand goes back, but those kept."""
    swept = SWEPT.get(t.house.game.id, "") if t.now.swept else ""
    return [
        e.WagerSettled(
            seat=p.seat,
            wager=name,
            amount=p.placed[name],
            result="returned",
            win=0,
            clause=clause.under(t.house.book).id,
            reason=VOID,
            swept=name == swept,
            coupon="kept" if name == "ante" and p.coupon else "",
        )
        for name in p.unsettled()
        if name not in keep
    ]


def void_hand(t: Table, p: Position, clause: Clause) -> tuple[e.Event, ...]:
    """One hand, its trips with it (ruling U8); its cards go to the rack."""
    cited = clause.under(t.house.book).id
    voided: list[e.Event] = [e.HandVoided(p.seat, cited)]
    voided += _lower_meter(t, int("progressive" in p.unsettled()), cited)
    voided += returned(t, p, clause)
    voided.append(e.CardsRacked(f"seat {p.seat}", len(p.cards), cited))
    return tuple(voided)


def void_all(t: Table, clause: Clause, *, trips_stay: bool) -> Answer:
    """All hands; trips may live on, to be settled on a completed board (rulings U7, M8). What
    folds had cost must be in the inventory to go back, or it is filled first (ruling H8)."""
    cited = clause.under(t.house.book).id
    stay = trips_stay and any("trips" in p.unsettled() for p in t.now.positions)
    keep = ("trips",) if stay else ()
    events: list[e.Event] = []
    progressives = 0
    for p in t.now.positions:
        events += returned(t, p, clause, keep)
        progressives += "progressive" in p.unsettled()
        if p.folded:
            for name in FOLD_COLLECTS[t.house.game.id]:
                if p.settled.get(name) == "lost":
                    events.append(e.FoldedWagerReturned(p.seat, name, p.placed[name], cited))
                    progressives += name == "progressive"
    lowered = _lower_meter(t, progressives, cited)
    back = sum(
        ev.amount
        for ev in events
        if isinstance(ev, e.FoldedWagerReturned) or (isinstance(ev, e.WagerSettled) and ev.swept)
    )
    lacking = back + sum(ev.amount for ev in lowered) - t.inventory
    if lacking > 0:
        sentence = f"The table inventory lacks {in_dollars(lacking)} of what goes back."
        return refuse(t, Refusal.INVENTORY_NEEDS_A_FILL, sentence, PAYING)
    return (e.AllHandsVoided(stay, cited), *lowered, *events)


def _lower_meter(t: Table, wagers: int, clause: str) -> list[e.MeterMoved]:
    """A progressive that goes back takes back what it had added to the meter."""
    added = t.round is not None and t.now.closed
    if SWEPT.get(t.house.game.id) == "progressive":
        added = t.round is not None and t.now.swept
    if not wagers or not added or t.house.progressive is None:
        return []
    amount = -t.house.progressive.contribution * wagers
    return [e.MeterMoved(amount, f"{wagers} progressive wagers go back.", clause)]
