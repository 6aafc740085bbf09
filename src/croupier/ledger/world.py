"""A casino in a bottle: real tables, keepers, group commits and SQLite files, and around them a
clock, a network, disks and power that one seed decides about.

Everything happens in one thread. Commands travel as messages that may be lost, doubled and
overtaken; whoever gets no answer asks again with the same id. One or two processes own every
table. Which faults strike how often is drawn anew for each world, so that no two fail alike.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct

from croupier.law.refused import Refused as Misuse
from croupier.ledger.audit import audit
from croupier.ledger.crowd import Crowd, some_house
from croupier.ledger.faulty import Crash, Fault, Gremlin, VirtualClock, files, put_back
from croupier.ledger.keeper import OPENING, Answer, Keeper
from croupier.ledger.ledger import Ledger
from croupier.ledger.owner import Owner
from croupier.ledger.records import AddEntropy
from croupier.ledger.store import Fenced, Remembered, Unwritten
from croupier.ledger.surveillance import Eye, Violation, watched
from croupier.rules.money import dollars
from croupier.rules.refusals import Refusal
from croupier.table.commands import Command, player
from croupier.table.refused import Refused

DATABASE = "house.db"
INVENTORY = dollars(1_000_000)
TURNS = 10  # of the event loop, after which everybody waits for a sync or a message
PATIENCE = 50  # tries to open or finish before something must be wrong
AHEAD = 3  # messages of a table that travel at once

# What may befall each operation of a disk or database.
BEFALLS: dict[str, tuple[Fault, ...]] = {
    "select": (Fault.ERROR, Fault.CRASH),
    "begin": (Fault.ERROR, Fault.CRASH),
    "insert": (Fault.ERROR, Fault.LATE, Fault.TORN, Fault.CRASH),
    "commit": (Fault.ERROR, Fault.LATE, Fault.CRASH, Fault.CRASH_LATE, Fault.POWER),
    "append": tuple(Fault),
    "create": (Fault.ERROR, Fault.LATE, Fault.TORN, Fault.CRASH, Fault.CRASH_LATE),
}
RATES = (0.0, 0.0, 0.002, 0.01, 0.03)


class Message(Struct, frozen=True):
    table: str
    id: str
    request: Command


class World:
    """``live`` runs it to the end, or raises a Violation."""

    def __init__(self, seed: int, home: Path, steps: int = 2_000) -> None:
        self.rng = random.Random(seed)
        self.home = home
        self.folder = home / "disk 0"
        self.folder.mkdir(parents=True)
        self.steps = steps
        self.clock = VirtualClock()
        self.tally: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.grouped = self.rng.random() < 0.7
        self.rates = {fault: self.rng.choice(RATES) for fault in Fault}
        self.quiet = False
        self.owners: list[Owner] = []
        self._seen: Ledger | None = None
        self.mail: list[Message] = []
        self.sent: dict[str, Message] = {}
        self.answers: dict[str, Answer] = {}  # what the senders were told
        self.tasks: list[asyncio.Task[None]] = []
        self.eyes = {f"t{n}": Eye(f"t{n}") for n in range(1, self.rng.randint(2, 4))}
        self.crowds: dict[str, Crowd] = {}

    def choose(self, operation: str) -> Fault | None:
        """The gremlin's whim."""
        for fault in () if self.quiet else BEFALLS.get(operation, ()):
            if self.rng.random() < self.rates[fault]:
                self.faults[f"{operation}: {fault}"] += 1
                return fault
        return None

    # --- from the first message to the last ---------------------------------------------------

    async def live(self) -> None:
        self._start(self.rng.choice((1, 1, 2)))
        for table in self.eyes:
            self._open(table)
        acts = self._acts()
        for _ in range(self.steps):
            self.clock.go(self.rng.random())
            (act,) = self.rng.choices([*acts], [*acts.values()])
            act()
            await self._pass()
        await self._finish()

    def _acts(self) -> dict[Callable[[], None], float]:
        """What may happen in one step, and how often beside the others."""
        return {
            self._say: 10,
            self._deliver: 14,
            self._sync: 10,
            self._repeat: 1,
            self._forge: 0.5,
            self._jump: 0.5,
            self._kill: 0.1,
            self._join: 0.1,
            self._cut: 0.1,
        }

    def close(self) -> None:
        for owner in self.owners:
            owner.die()
        self._look_away()

    @property
    def outside(self) -> Ledger:
        """The ledger as others see it; opened anew for each disk."""
        if self._seen is None:
            self._seen = Ledger.at(self.folder / DATABASE, clock=self.clock)
        return self._seen

    def _look_away(self) -> None:
        if self._seen:
            self._seen.close()
        self._seen = None

    async def _pass(self) -> None:
        """Time for everybody to act, and for the dead to be replaced."""
        for _ in range(TURNS):
            await asyncio.sleep(0)
        if any(owner.gremlin.dead for owner in self.owners):
            await self._recover()
        done = [task for task in self.tasks if task.done()]
        self.tasks = [task for task in self.tasks if task not in done]
        for wrong in [task.exception() for task in done]:
            if wrong:
                raise wrong

    # --- processes ----------------------------------------------------------------------------

    def _start(self, count: int) -> None:
        """So many owners, however often the disk fails while they open."""
        said = ""
        for _ in range(PATIENCE):
            if len(self.owners) == count:
                return
            gremlin = Gremlin(self.rng, self.choose)
            path = self.folder / DATABASE
            try:
                self.owners.append(Owner(path, gremlin, self.clock, grouped=self.grouped))
            except (Misuse, OSError, Crash) as error:
                self.tally["failed starts"] += 1
                said = str(error)
        raise Violation(f"The ledger never opens: {said}")

    def _open(self, table: str) -> None:
        """A new table; nothing fails yet."""
        owner = self.owners[0]
        house, physical = some_house(self.rng), self.rng.random() < 0.1
        self.quiet = True
        opened = Keeper.open(owner.ledger, table, house, INVENTORY, physical=physical)
        owner.keepers[table] = opened
        self.quiet = False
        self._watch(table)
        self.crowds[table] = Crowd(lambda: self.eyes[table].kept, self.rng)

    async def _recover(self) -> None:
        """A process is gone; after a power failure all are, and the disk is what it left."""
        self.tally["recoveries"] += 1
        wrecks = [each.gremlin.wreck for each in self.owners if each.gremlin.wreck is not None]
        alive = [] if wrecks else [each for each in self.owners if not each.gremlin.dead]
        left = None if alive else (wrecks[0] if wrecks else files(self.folder))
        for owner in self.owners:
            if owner not in alive:
                owner.die()
        for _ in range(TURNS):
            await asyncio.sleep(0)
        self._look_away()
        if left is not None:
            self.folder = self.home / f"disk {self.tally['recoveries']}"
            self.folder.mkdir()
            put_back(self.folder, left)
        count, self.owners = len(self.owners), alive
        self._start(count)
        for table in self.eyes:
            self._watch(table)

    def _watch(self, table: str) -> Eye:
        eye = self.eyes[table]
        eye.look(self.outside)
        return eye

    # --- what happens in one step -------------------------------------------------------------

    def _say(self) -> None:
        """Somebody says something, and it travels: not at all, once, or several times."""
        waiting = Counter(each.table for each in self._unanswered())
        table = min(self.eyes, key=lambda table: waiting[table] + self.rng.random())
        if waiting[table] < self.rng.choice((1, 1, 1, 1, 1, AHEAD)):
            message = Message(table, f"c{len(self.sent) + 1}", self.crowds[table].next())
            self.sent[message.id] = message
        else:
            message = self.rng.choice([*self._unanswered()])
            if message in self.mail:
                return
        self.mail += [message] * self.rng.choice((0, 1, 1, 1, 1, 1, 1, 1, 2, 3))

    def _unanswered(self) -> Iterator[Message]:
        return (each for each in self.sent.values() if each.id not in self.answers)

    def _deliver(self) -> None:
        """The messages overtake each other."""
        if self.mail:
            message = self.mail.pop(self.rng.randrange(len(self.mail)))
            self._ask(self.rng.choice(self.owners), message)

    def _ask(self, owner: Owner, message: Message) -> None:
        self.tasks.append(asyncio.create_task(self._asked(owner, message)))

    def _sync(self) -> None:
        self.rng.choice(self.owners).sync()

    def _repeat(self) -> None:
        """An old message turns up again."""
        if self.sent:
            self.mail.append(self.rng.choice([*self.sent.values()]))

    def _forge(self) -> None:
        """Another command under an id that was used before must not act."""
        if used := [each for each in self.answers.values() if not each.refused]:
            old = self.sent[self.rng.choice(used).command_id]
            other = AddEntropy(player("nobody"), "forged")
            task = self._forged(self.rng.choice(self.owners), Message(old.table, old.id, other))
            self.tasks.append(asyncio.create_task(task))

    def _jump(self) -> None:
        """The clock is put forward or back, by up to a day."""
        self.clock.go(self.rng.uniform(-86_400, 86_400))
        self.tally["clock jumps"] += 1

    def _kill(self) -> None:
        """A process is killed where it stands."""
        self.rng.choice(self.owners).gremlin.dead = True
        self.tally["kills"] += 1

    def _join(self) -> None:
        """A second process believes that all tables are its own."""
        if len(self.owners) == 1:
            self._start(2)
            self.tally["second owners"] += 1

    def _cut(self) -> None:
        """The power fails between two operations."""
        for owner in self.owners:
            owner.gremlin.dead = True
        self.tally["power cuts"] += 1

    # --- questions and answers ----------------------------------------------------------------

    async def _asked(self, owner: Owner, message: Message) -> None:
        expected = self._known(owner, message)
        answer = await self._told(owner, message)
        if answer is None:
            return
        eye = self._watch(message.table)
        if (
            expected
            and not _same(answer, expected)
            and not _same(answer, self._known(owner, message))
        ):
            raise Violation(f"Command {message.id} had two answers: {expected}, then {answer}.")
        if not answer.refused:
            eye.confirm(answer)
        if not owner.gremlin.dead:
            eye.agrees(owner.keeper(message.table))
        self.tally["duplicates" if message.id in self.answers else "answers"] += 1
        self.answers[message.id] = answer

    def _known(self, owner: Owner, message: Message) -> Answer | None:
        """The answer this command has had. A refusal lives in its process's memory until the
        next commit, and only then in the store; of many in a row some are not kept."""
        if kept := self._watch(message.table).answers.get(message.id):
            return kept
        found = self.outside.store.find(message.table, message.id)
        if not isinstance(found, Remembered):
            keeper = owner.keepers.get(message.table)
            found = keeper.remembers(message.id) if keeper else None
        if found is None:
            return None
        refused = Refused(Refusal(found.code), found.sentence, found.clause)
        return Answer(message.id, refused=refused, actor=found.actor)

    async def _forged(self, owner: Owner, message: Message) -> None:
        if await self._told(owner, message) is not None:
            raise Violation(f"Command {message.id} was answered, though it is another's id.")
        self.tally["forged"] += 1

    async def _told(self, owner: Owner, message: Message) -> Answer | None:
        """The answer, if one comes. Bad luck is told in one sentence; anything else is a bug."""
        try:
            return await owner.keeper(message.table).perform(message.request, message.id)
        except Crash:
            self.tally["unanswered"] += 1
        except (Fenced, Unwritten) as refused:
            self.tally[type(refused).__name__.lower()] += 1
        except Misuse as refused:
            if "disk I/O error" not in str(refused) and "another command" not in str(refused):
                raise Violation(f"Command {message.id}: {refused}") from None
            self.tally["not read"] += 1
        except Exception as error:
            raise Violation(f"Command {message.id}: {error!r}") from error
        return None

    # --- the end ------------------------------------------------------------------------------

    async def _finish(self) -> None:
        """All faults cease. Every message gets its answer, and every answer is as it was."""
        self.quiet = True
        for _ in range(PATIENCE):
            self.mail += self._unanswered()
            while self.mail:
                self._deliver()
            for owner in self.owners:
                owner.sync()
            await self._pass()
            if not self.tasks and not any(self._unanswered()):
                break
        else:
            raise Violation("Commands stay without an answer, though nothing fails any more.")
        for message in self.sent.values():
            self._ask(self.owners[0], message)
        while self.tasks:
            self.owners[0].sync()
            await self._pass()
        for table, eye in self.eyes.items():
            self._watch(table)
            again = watched(self.outside, table)
            if (again.head, again.kept) != (eye.head, eye.kept):
                raise Violation(f"Table {table}: its history has changed.")
            if set(eye.answers) - set(self.sent) != {OPENING}:
                raise Violation(f"Table {table}: something happened that nobody asked for.")
        if wrong := audit(self.outside).discrepancies:
            raise Violation(f"The audit finds {len(wrong)} discrepancies, such as {wrong[0]}.")
        self._count()

    def _count(self) -> None:
        acknowledged = [each for each in self.answers.values() if each.refused is None]
        self.tally["commands"] = len(acknowledged)
        self.tally["refused"] = len(self.answers) - len(acknowledged)
        for eye in self.eyes.values():
            self.tally["rounds"] += eye.rounds
            self.tally["entries"] += eye.head.sequence
            self.tally["money"] += eye.money


def _same(answer: Answer, known: Answer | None) -> bool:
    """A refusal told again has the same code, clause and actor; its sentence is a general one."""
    if known is None or answer.refused is None or known.refused is None:
        return answer == known
    ours, theirs = answer.refused, known.refused
    told = (ours.code, ours.clause, answer.actor) == (theirs.code, theirs.clause, known.actor)
    return told and answer.command_id == known.command_id
