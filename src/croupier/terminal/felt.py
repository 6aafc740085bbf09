"""The table as the person sees it, on one page."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from textwrap import wrap

from croupier.cards.card import Suit, card
from croupier.house.submission import House
from croupier.rules.money import Cents, in_dollars
from croupier.rules.wager import Wager
from croupier.table.view import BACK, view
from croupier.terminal.canvas import HEIGHT, WIDTH, Canvas, Style
from croupier.terminal.evening import Evening
from croupier.terminal.picture import net
from croupier.terminal.slip import Slip
from croupier.terminal.words import Told, holding, row, signed

CARD = 5  # columns of a card
AREA = 9  # columns of a betting area, at least
SHORT = {
    "let it ride bonus": "ride bonus",
    "three card bonus": "3 card bonus",
    "5 card bonus": "5 bonus",
    "3 card bonus": "3 bonus",
}
STYLES = {
    "won": Style.WON,
    "lost": Style.LOST,
    "even": Style.PLAIN,
    "mine": Style.BOLD,
    "trouble": Style.TROUBLE,
    "refused": Style.LOST,
}
Span = tuple[str, Style]


@dataclass
class Felt:
    """What the page shows beside the table itself."""

    log: list[Told]
    prompt: list[Span]
    hints: list[Span]
    slip: Slip | None = None  # while a bet is being made
    picks: list[int] = field(default_factory=list)
    picking: bool = False


def draw(evening: Evening, felt: Felt) -> Canvas:
    canvas = Canvas()
    _head(canvas, evening)
    _dealer(canvas, evening)
    others = [n for n, name in enumerate(evening.table.seats, 1) if name and n != evening.seat]
    _rule(canvas, 6, "", f"round {_round(evening)}")
    for at, seat in enumerate(others):
        _other(canvas, evening, seat, 7 + at // 2, 1 + 40 * (at % 2))
    top = 7 + (len(others) + 1) // 2
    _rule(canvas, top, f"you, seat {evening.seat}", in_dollars(evening.bankroll))
    _mine(canvas, evening, felt, top + 1)
    canvas.line(top + 5)
    air = 1 if top <= 8 else 0  # a row left free, where there is room
    _log(canvas, felt.log, top + 6, HEIGHT - 2 - air)
    _spans(canvas, HEIGHT - 2, felt.prompt)
    _spans(canvas, HEIGHT - 1, felt.hints)
    return canvas


def _round(evening: Evening) -> int:
    """The round on the felt: the one being bet on, played, or just over."""
    table = evening.table
    return table.rounds + 1 if table.round or not table.rounds else table.rounds


def _spans(canvas: Canvas, row: int, spans: list[Span]) -> None:
    at = 1
    for text, style in spans:
        at = canvas.put(row, at, text, style)


def _rule(canvas: Canvas, row: int, left: str, right: str) -> None:
    canvas.line(row)
    if left:
        canvas.put(row, 2, f" {left} ", Style.BOLD)
    if right:
        canvas.right(row, f" {right} ", Style.BOLD)


# --- house, limits --------------------------------------------------------------------------


def _head(canvas: Canvas, evening: Evening) -> None:
    house = evening.table.house
    end = canvas.put(0, 1, _short(house.name, 28), Style.TITLE)
    canvas.put(0, end + 3, house.game.title, Style.BOLD)
    canvas.right(0, house.book.id, Style.DIM)
    canvas.put(1, 1, _short(limits(house), WIDTH - 2), Style.DIM)


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def limits(house: House) -> str:
    """ "ante $5 to $500 · trips $1 to $100", for what is on offer."""
    said: dict[str, str] = {}
    for wager in house.game.wagers_under(house.book):
        posted = house.posted.get(wager.key)
        if not wager.required and wager.key not in house.offered:
            continue
        name = "each bet" if wager.key == "main" else wager.name
        if wager.exactly:
            said[name] = in_dollars(wager.exactly)
        elif posted and not (wager.required and wager.equal_to and wager.key != "main"):
            said[name] = f"{in_dollars(posted.minimum)} to {in_dollars(posted.maximum)}"
    return " · ".join(f"{name} {words}" for name, words in said.items())


# --- cards ----------------------------------------------------------------------------------


def _cards(canvas: Canvas, row: int, column: int, texts: list[str]) -> None:
    for at, text in enumerate(texts):
        left = column + CARD * at
        face = text != BACK
        edge = Style.PLAIN if face else Style.LINE
        canvas.put(row, left, "╭───╮", edge)
        canvas.put(row + 1, left, "│   │", edge)
        canvas.put(row + 2, left, "╰───╯", edge)
        if not face:
            canvas.put(row + 1, left + 1, "▒▒▒", Style.LINE)
            continue
        shown = card(text)
        red = shown.suit in (Suit.DIAMONDS, Suit.HEARTS)
        canvas.put(row + 1, left + 1, f"{shown.pretty:>3}", Style.RED if red else Style.BOLD)


def _places(canvas: Canvas, row: int, column: int, count: int) -> None:
    """Where cards will lie."""
    for at in range(count):
        canvas.put(row + 1, column + CARD * at, "  ·  ", Style.LINE)


def _dealer(canvas: Canvas, evening: Evening) -> None:
    picture, game = evening.picture, evening.table.house.game
    if game.id == "let-it-ride":
        _hand(canvas, 2, "Community", 13, picture.community, 3)
    else:
        _hand(canvas, 2, "Dealer", 10, picture.dealer, game.cards_each)
    if game.id == "ultimate-texas-holdem":
        _hand(canvas, 2, "Board", 33, picture.community, 5)
    canvas.put(5, 2, picture.words.get("dealer", ""))
    seen = view(evening.table, evening.me)
    stub = seen["round"]["stub"] if seen["round"] else 0
    side = [("rack", seen["rack"]), ("stub", stub)]
    for at, (name, cards) in enumerate(side):
        word = "card" if cards == 1 else "cards"
        canvas.put(2 + at, 64, f"{name:<5}{cards:>3} {word}", Style.DIM)
    if evening.table.house.progressive:
        canvas.right(5, f"meter {in_dollars(seen['meter'])}", Style.DIM)


def _hand(canvas: Canvas, row: int, label: str, column: int, cards: list[str], places: int) -> None:
    canvas.put(row + 1, column - len(label) - 2, label, Style.DIM)
    if label == "Board" or not cards:
        _places(canvas, row, column, places)
    _cards(canvas, row, column, cards[:places])  # a card too many is told, not drawn


# --- the other seats ------------------------------------------------------------------------


def _other(canvas: Canvas, evening: Evening, seat: int, at: int, column: int) -> None:
    picture, table = evening.picture, evening.table
    turn = view(table, evening.me)["turn"] == seat
    name = table.seats[seat - 1]
    canvas.put(at, column, f"{'▸' if turn else ' '}{seat} {name:<5}", Style.BOLD)
    hand = picture.hands.get(seat, [])[: table.house.game.cards_each]
    end = column + 9
    for text in hand:
        red = text != BACK and card(text).suit in (Suit.DIAMONDS, Suit.HEARTS)
        style = Style.LINE if text == BACK else Style.RED if red else Style.PLAIN
        end = canvas.put(at, end, row([text]), style) + 1
    room = column + 39 - end
    text, style = _standing(evening, seat, room)
    canvas.put(at, end, text, style)


def _standing(evening: Evening, seat: int, room: int) -> Span:
    """Chips before the deal, then wagers and words, then what the round came to."""
    picture = evening.picture
    up = sum(picture.wagers.get(seat, {}).values())
    said = picture.said.get(seat, "")
    paid = picture.paid.get(seat, {}).values()
    if paid and not up and all(event.result == "returned" for event in paid):
        return "void", Style.DIM
    if paid and not up:
        amount = picture.net(seat)
        style = Style.WON if amount > 0 else Style.LOST if amount < 0 else Style.DIM
        return signed(amount), style
    if seat not in picture.wagers:
        return in_dollars(evening.table.players[evening.table.seats[seat - 1]]), Style.DIM
    for words in (f"{in_dollars(up)} {said or 'up'}" if up else said, said, in_dollars(up)):
        if len(words) <= room:
            return words, Style.DIM
    return "", Style.DIM


# --- my own place ---------------------------------------------------------------------------


def _mine(canvas: Canvas, evening: Evening, felt: Felt, top: int) -> None:
    game = evening.table.house.game
    hand = evening.picture.hands.get(evening.seat, [])
    _places(canvas, top, 2, game.cards_each)
    _cards(canvas, top, 2, hand[: game.cards_each])
    column = 2 + CARD * game.cards_each + 2
    for wager in layout(evening.table.house):
        column = _area(canvas, top, column, wager, evening, felt.slip) + 1
    if felt.picking:
        for n in range(1, 6):
            mark = f"[{n}]" if n in felt.picks else f" {n} "
            style = Style.TITLE if n in felt.picks else Style.DIM
            canvas.put(top + 3, 3 + CARD * (n - 1), mark, style)
    else:
        words = evening.picture.words.get(f"seat {evening.seat}")
        shared = evening.picture.community if game.cards_each < 5 else []
        canvas.put(top + 3, 2, words or holding(hand, shared), Style.PLAIN)


def layout(house: House) -> list[Wager]:
    """The betting areas painted before each player."""
    return [
        wager
        for wager in house.game.wagers_under(house.book)
        if wager.required or wager.multiple_of or wager.key in house.offered
    ]


def _area(
    canvas: Canvas, top: int, column: int, wager: Wager, evening: Evening, slip: Slip | None
) -> int:
    label = SHORT.get(wager.name, wager.name)
    width = max(AREA, len(label) + 2)
    chosen = slip is not None and wager.name in slip.covers
    text, style = _on_area(wager, evening, slip)
    edge = Style.TITLE if chosen else Style.PLAIN if text else Style.LINE
    canvas.put(top, column, "╭" + label + "─" * (width - 2 - len(label)) + "╮", edge)
    canvas.put(top + 1, column, "│" + " " * (width - 2) + "│", edge)
    canvas.put(top + 2, column, "╰" + "─" * (width - 2) + "╯", edge)
    if chosen and slip is not None and slip.chosen.wager is wager:
        canvas.put(top + 2, column + width // 2, "▲", edge)
    canvas.put(top + 1, column + 1, f"{text:^{width - 2}}", style)
    return column + width


def _on_area(wager: Wager, evening: Evening, slip: Slip | None) -> Span:
    """The chips that lie there, or what became of them."""
    if slip is not None:
        amount = slip.wagers().get(wager.name, 0)
        return (_brief(amount) if amount else "", Style.BOLD)
    seat = evening.seat
    if up := evening.picture.wagers.get(seat, {}).get(wager.name):
        return _brief(up), Style.BOLD
    event = evening.picture.paid.get(seat, {}).get(wager.name)
    if event is None:
        return "", Style.DIM
    amount = net(event)
    if not amount:
        return {"pushed": "push", "returned": "back"}.get(event.result, "even"), Style.DIM
    sign = "+" if amount > 0 else "-"
    return sign + _brief(abs(amount)), Style.WON if amount > 0 else Style.LOST


def _brief(amount: Cents) -> str:
    """Short enough for an area; the exact sum is in the lines below."""
    text = in_dollars(amount)
    if len(text) < AREA - 2:
        return text
    whole = amount // 100
    return f"${whole:,}" if whole < 10_000 else f"${whole // 1000}k"


# --- what happened --------------------------------------------------------------------------


def _log(canvas: Canvas, log: list[Told], top: int, bottom: int) -> None:
    """The latest that fits, whole sentences only."""
    rows: list[Span] = []
    for each in reversed(log):
        style = STYLES.get(each.kind, Style.PLAIN)
        sentence = [(text, style) for text in folded(each.text)]
        if len(sentence) + len(rows) > bottom - top:
            break
        rows = sentence + rows
    for at, (text, style) in enumerate(rows, top):
        canvas.put(at, 1, text, style)


def folded(text: str, width: int = WIDTH - 2) -> list[str]:
    """Fold a text into lines, but never a clause's id."""
    whole = re.sub(r"\[[^]]*\]", lambda found: found[0].replace(" ", "\xa0"), text)
    rows = wrap(whole, width, subsequent_indent="  ", break_on_hyphens=False) or [""]
    return [row.replace("\xa0", " ") for row in rows]
