"""The table line by line: for a pipe, a screen reader, a slow line, or by choice."""

from __future__ import annotations

from collections.abc import Callable

from croupier.law.clause import rulebook
from croupier.law.refused import Refused
from croupier.rules.money import in_dollars, read_dollars
from croupier.table import commands as c
from croupier.table import events as e
from croupier.terminal import words
from croupier.terminal.evening import Batch, Evening
from croupier.terminal.felt import limits
from croupier.terminal.pages import MENU
from croupier.terminal.slip import Slip
from croupier.terminal.words import told

Read = Callable[[str], str | None]  # a prompt in; a line out, None when there are no more
Write = Callable[[str], None]

HELP = (
    "Enter bets as shown. An amount changes the first wager; 'trips 5' sets another, "
    "'trips off' takes it off. w why, p pays and rules, h history, m more chips, q leave."
)


def ask_rulebook(read: Read, write: Write) -> str | None:
    """Which table to sit down at; None when the person leaves instead."""
    for key, book in MENU:
        write(f"{key}  {rulebook(book).title}")
    while (answer := read("Which table? ")) is not None and answer != "q":
        if answer in dict(MENU):
            return dict(MENU)[answer]
        write("Press a number, or q to leave.")
    return None


class Plain:
    def __init__(self, evening: Evening, read: Read, write: Write) -> None:
        self.evening = evening
        self.read = read
        self.write = write
        self.slip = Slip(evening.table.house)
        self.done = False

    def run(self) -> None:
        """Play until the person leaves or the input ends."""
        house = self.evening.table.house
        self.write(f"{house.name}. {house.book.title}, {house.book.source}.")
        self.write(f"Limits: {limits(house)}.")
        chips = in_dollars(self.evening.bankroll)
        self.write(f"You sit down at seat {self.evening.seat} with {chips}.")
        self.write(HELP)
        while not self.done:
            if batch := self.evening.advance():
                self._tell(batch)
            elif self.evening.waits_for == "bet":
                self._bet()
            else:
                self._choose()

    def _tell(self, batch: Batch) -> None:
        for line in told(batch, self.evening.seat):
            self.write(line.text)
        if any(isinstance(event, e.RoundEnded) for event in batch):
            self.write(words.round_in_words(self.evening))

    def _ask(self, command: c.Command) -> None:
        if batch := self.evening.do(command):
            self._tell(batch)
        elif self.evening.refusal:
            self.write(f"Refused: {self.evening.refusal}")

    def _line(self, prompt: str) -> str | None:
        """A line that is not one of the keys that always work; None when it was."""
        answer = self.read(prompt)
        if answer is None or answer in ("q", "quit"):
            for batch in self.evening.leave():
                self._tell(batch)
            self.done = True
            return None
        match answer:
            case "w" | "?" | "why":
                self._lines(words.why(self.evening))
            case "p":
                house = self.evening.table.house
                self._lines(words.rules(house))
                for title, lines in words.pays(house):
                    self._lines([title, *(f"  {line}" for line in lines)])
            case "h":
                self._lines(words.history(self.evening))
            case "m":
                self._ask(c.BuyChips(self.evening.me, self.evening.chips))
            case _:
                return answer
        return None

    def _lines(self, lines: list[str]) -> None:
        for line in lines:
            self.write(line)

    def _bet(self) -> None:
        up = ", ".join(f"{name} {in_dollars(sum_)}" for name, sum_ in self.slip.wagers().items())
        have = in_dollars(self.evening.bankroll)
        answer = self._line(f"You have {have}. Your bet [{up}]: ")
        if answer is None:
            return
        if answer and not self._change(answer):
            self.write(HELP)
        elif not answer:
            wagers = self.slip.wagers()
            self._ask(c.PlaceWagers(self.evening.me, self.evening.seat, wagers))

    def _change(self, answer: str) -> bool:
        name, _, amount = answer.rpartition(" ")
        name = name or self.slip.areas[0].wager.name
        try:
            return self.slip.set(name, None if amount == "off" else read_dollars(amount))
        except Refused:
            return False

    def _choose(self) -> None:
        picture, seat = self.evening.picture, self.evening.seat
        for label, cards in (("Dealer", picture.dealer), ("Community", picture.community)):
            if cards:
                self.write(f"{label}: {words.row(cards)}")
        hand = picture.hands[seat]
        made = words.holding(hand, picture.community if len(hand) < 5 else ())
        self.write(f"Your cards: {words.row(hand)}" + (f", {made}" if made else ""))
        actions = words.actions(self.evening)
        if not actions:
            self._pick()
            return
        asked = ", ".join(f"{a.key} {a.label}" for a in actions)
        answer = self._line(f"{words.question(self.evening)} [{asked}]: ")
        if answer is None:
            return
        for action in actions:
            if answer in (action.key, action.label, getattr(action.command, "verb", "")):
                self._ask(action.command)
                return
        self.write("That is not one of the choices.")

    def _pick(self) -> None:
        answer = self._line(f"{words.question(self.evening)} [three of 1 to 5, such as 1 3 5]: ")
        if answer is None:
            return
        numbers = tuple(sorted(int(each) for each in answer if each.isdecimal()))
        for choice in self.evening.choices():
            if choice.cards == numbers:
                self._ask(choice)
                return
        self.write("Name three different cards by their places from 1 to 5.")
