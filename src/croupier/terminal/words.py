"""What is said to the person, in words: the same on a full screen and line by line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from croupier.cards.card import Card, Rank, card
from croupier.cards.quick import QUICK
from croupier.cards.ranking import words
from croupier.house.sign import notices
from croupier.house.submission import House
from croupier.law.clause import clause, rulings
from croupier.rules import stage
from croupier.rules.money import Cents, in_dollars
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.narrate import sentence
from croupier.table.view import BACK, view
from croupier.terminal.evening import Evening
from croupier.terminal.picture import net

# Housekeeping that would only drown what matters.
UNTOLD = (
    *(e.CardsRacked, e.FaceUpCardRacked, e.AcceptorLit),
    *(e.RoundEnded, e.PlayerSat, e.PlayerLeft),
)


def signed(amount: Cents) -> str:
    """+$5, -$10, or "even"."""
    return "even" if not amount else ("+" if amount > 0 else "") + in_dollars(amount)


# --- what happened --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Told:
    text: str
    kind: str = ""  # "won", "lost", "even", "mine", "trouble", "refused"


def told(batch: Iterable[e.Event], seat: int) -> list[Told]:
    """What a batch of events is worth saying to the person at this seat."""
    said: list[Told] = []
    others: dict[int, Cents] = {}
    for event in batch:
        if isinstance(event, UNTOLD) or _withdraws(event, seat):
            continue
        if isinstance(event, e.WagerSettled):
            if event.seat == seat:
                said.append(payment(event))
            elif event.reason != "The player withdrew it.":
                others[event.seat] = others.get(event.seat, 0) + net(event)
        elif isinstance(event, e.IrregularityReported):
            said.append(Told(f"{sentence(event)} [{event.clause}]", "trouble"))
        else:
            mine = getattr(event, "seat", 0) == seat
            said.append(Told(sentence(event), "mine" if mine else ""))
    for other, amount in others.items():
        result = "comes out even" if not amount else "wins" if amount > 0 else "loses"
        sum_ = f" {in_dollars(abs(amount))}" if amount else ""
        said.append(Told(f"Seat {other} {result}{sum_}."))
    return said


def _withdraws(event: e.Event, seat: int) -> bool:
    """The bet that comes back to me says it."""
    return isinstance(event, e.ChoiceMade) and event.seat == seat and event.verb == "withdraw"


def payment(*events: e.WagerSettled) -> Told:
    """Wagers of mine that went the same way: what each did, why, and by which clause."""
    amounts = {event.wager: net(event) for event in events}
    said = ", ".join(
        f"{event.wager} {signed(amounts[event.wager]) if amounts[event.wager] else event.result}"
        for event in events
    )
    total = sum(amounts.values())
    kind = "won" if total > 0 else "lost" if total < 0 else "even"
    return Told(f"{said}. {events[0].reason} [{events[0].clause}]", kind)


def recap(evening: Evening) -> list[Told]:
    """The round that is over: what was ruled, what each of my wagers did, what it came to."""
    picture = evening.picture
    lines = [Told(f"{sentence(each)} [{each.clause}]", "trouble") for each in picture.rulings]
    alike: dict[tuple[str, str], list[e.WagerSettled]] = {}
    for event in picture.paid.get(evening.seat, {}).values():
        alike.setdefault((event.reason, event.clause), []).append(event)
    lines += [payment(*events) for events in alike.values()]
    result = evening.purse.rounds[-1].net
    kind = "won" if result > 0 else "lost" if result < 0 else "mine"
    return [*lines, Told(round_in_words(evening), kind)]


def round_in_words(evening: Evening) -> str:
    """What the last round came to."""
    if not evening.purse.rounds:
        return ""
    last = evening.purse.rounds[-1]
    if last.void:
        how = f"was void; {signed(last.net)} for you" if last.net else "was void"
    elif last.net:
        how = f"{'wins' if last.net > 0 else 'costs'} you {in_dollars(abs(last.net))}"
    else:
        how = "leaves you even"
    return f"Round {last.number} {how}."


# --- hands ----------------------------------------------------------------------------------


def faces(texts: Iterable[str]) -> tuple[Card, ...]:
    return tuple(card(text) for text in texts if text != BACK)


def holding(mine: Iterable[str], shared: Iterable[str] = ()) -> str:
    """What the cards make so far, where they make something."""
    cards = (*faces(mine), *faces(shared))
    if len(cards) >= 5:
        return words(max(QUICK.five(five) for five in combinations(cards, 5)))
    counts = Counter(each.rank for each in cards)
    rank, most = max(counts.items(), key=lambda each: (each[1], each[0]), default=(Rank.TWO, 0))
    if most == 3:
        return f"three {rank.plural}"
    return f"a pair of {rank.plural}" if most == 2 else ""


def row(texts: Iterable[str]) -> str:
    """Cards in one line: A♠ 10♥ ▒▒."""
    return " ".join("▒▒" if text == BACK else card(text).pretty for text in texts)


# --- choices --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Action:
    key: str
    label: str
    command: c.Command


def actions(evening: Evening) -> list[Action]:
    """One key for each thing I may say now; picking three of five cards has its own way."""
    return [_action(each, evening) for each in evening.choices() if each.verb != "pick"]


def _action(choice: c.Choose, evening: Evening) -> Action:
    position = evening.position
    assert position is not None
    amount = in_dollars(position.placed.get("ante", 0) * choice.times)
    match choice.verb:
        case "play":
            return Action(str(choice.times), f"play {choice.times}x, {amount}", choice)
        case "bet":
            return Action("b", f"bet {amount}", choice)
        case "play 3" | "play 5":
            return Action(choice.verb[-1], f"{choice.verb}, {amount}", choice)
        case "withdraw":
            return Action("t", f"take back {choice.wager}", choice)
        case "ride":
            return Action("r", f"let {choice.wager} ride", choice)
    return Action(choice.verb[0], choice.verb, choice)


QUESTIONS = {
    "before-flop": "Before the flop",
    "after-flop": "After the flop",
    "after-river": "With the board complete",
    "after-deal": "Your hand",
    "bet-1": "Before the first card is turned",
    "bet-2": "Before the last card is turned",
    "pick": "Pick three cards, unseen",
    "play": "Your hand",
}


def question(evening: Evening) -> str:
    """What is asked of me at this betting point."""
    return QUESTIONS[view(evening.table, evening.me)["point"]]


# --- why ------------------------------------------------------------------------------------


def why(evening: Evening) -> list[str]:
    """The clauses behind the last refusal, rulings and payments, in our own words."""
    reasons: dict[str, list[str]] = {}  # by clause
    if refusal := evening.refusal:
        reasons[refusal.clause] = [f"Refused: {refusal.sentence}"]
    picture = evening.picture
    if not picture.rulings and not picture.paid.get(evening.seat):
        picture = evening.last_round
    for ruling in picture.rulings:
        reasons.setdefault(ruling.clause, []).append(sentence(ruling))
    for event in picture.paid.get(evening.seat, {}).values():
        shown = payment(event).text.removesuffix(f" [{event.clause}]")
        reasons.setdefault(event.clause, []).append(shown[0].upper() + shown[1:])
    lines: list[str] = []
    for cited, said in reasons.items():
        lines += [*said, *_law(cited), ""]
    return lines[:-1] or ["Nothing has been paid, collected or refused yet."]


def _law(clause_id: str) -> Iterator[str]:
    found = clause(clause_id)
    supplied = " (supplied, not quoted law)" if found.supplied else ""
    yield f"  {found.id}{supplied}: {found.says}"
    for each in found.rulings:
        ruling = rulings()[each]
        yield f"  Ruling {ruling.id}: {ruling.ruling}"


# --- rules, history, summary ----------------------------------------------------------------


def rules(house: House) -> list[str]:
    """How the round goes, each act with the clause that orders it."""
    lines = []
    for act in house.game.round_under(house.book):
        found = act.cite.under(house.book)
        if isinstance(act, stage.Choose):
            options = " or ".join(choice.verb for choice in act.choices)
            lines.append(f"You may {options}. {found.says} [{found.id}]")
        else:
            lines.append(f"{found.says} [{found.id}]")
    return list(dict.fromkeys(lines))


def pays(house: House) -> list[tuple[str, list[str]]]:
    """What the sign says: a title with its clause, and its lines."""
    return [
        (f"{notice.title} [{notice.clause.id}]", list(notice.lines)) for notice in notices(house)
    ]


def history(evening: Evening) -> list[str]:
    """Every round with its net, and the total."""
    total = 0
    lines = []
    for each in evening.purse.rounds:
        total += each.net
        note = "  void" if each.void else ""
        lines.append(f"Round {each.number:>3}   {signed(each.net):>12}   {signed(total):>12}{note}")
    if not lines:
        return ["No round has been played yet."]
    return [f"{'':9}   {'net':>12}   {'total':>12}", *lines]


def summary(evening: Evening) -> list[str]:
    """The evening, when the person has cashed out."""
    purse = evening.purse
    count = len(purse.rounds)
    lines = [f"{evening.table.house.name}, {evening.table.house.game.title}."]
    if not count:
        return [*lines, f"You leave with {in_dollars(purse.cashed)}, without having played."]
    best = max(purse.rounds, key=lambda each: each.net)
    worst = min(purse.rounds, key=lambda each: each.net)
    lines.append(f"{count} round{'s'[: count > 1]}: {signed(purse.net)}.")
    if best.net > 0:
        lines.append(f"Your best was round {best.number}, {signed(best.net)}.")
    if worst.net < 0:
        lines.append(f"Your worst was round {worst.number}, {signed(worst.net)}.")
    bought, cashed = in_dollars(purse.bought), in_dollars(purse.cashed)
    lines.append(f"You bought chips for {bought} and cash out {cashed}. Good night.")
    return lines
