"""The simulator: worlds that keep their word, the same again from the same seed, and planted bugs
that it must find."""

from __future__ import annotations

import json
import re
from asyncio import AbstractEventLoop
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from croupier.cli.torture import torture as command
from croupier.games.registry import RULEBOOKS
from croupier.ledger import draft, kept
from croupier.ledger.faulty import Fault, FaultyStore
from croupier.ledger.group import Done, Group
from croupier.ledger.keeper import Keeper
from croupier.ledger.shuffles import due
from croupier.ledger.store import Batch, Unwritten
from croupier.ledger.surveillance import Violation
from croupier.ledger.torture import Suffered, run, torture
from croupier.ledger.world import BEFALLS
from croupier.table.commands import BuyChips, Command

SEEDS = range(12)
STEPS = 1_000


def test_twelve_worlds_lose_nothing_and_meet_every_fault_in_every_game() -> None:
    faults: Counter[str] = Counter()
    met: Counter[str] = Counter()
    books: Counter[str] = Counter()
    for seed in SEEDS:
        world = torture(seed, STEPS)
        faults += world.faults
        met += world.tally
        books.update(eye.kept.table.house.book.id for eye in world.eyes.values())
    print(dict(met), dict(faults), "lost: 0, doubled: 0")
    assert set(books) == set(RULEBOOKS)
    for operation in ("select", "begin", "insert", "commit"):
        for fault in BEFALLS[operation]:
            assert faults[f"{operation}: {fault}"], (operation, fault, faults)
    assert sum(faults[f"append: {fault}"] for fault in Fault) > 3, faults
    for kind in ("clock jumps", "duplicates", "fenced", "forged", "kills", "power cuts"):
        assert met[kind] > 10, met
    assert met["rounds"] > 10, met
    assert met["commands"] > 500, met


def test_the_same_seed_is_the_same_world() -> None:
    one, two = torture(3, 600), torture(3, 600)
    assert (one.tally, one.faults) == (two.tally, two.faults)
    assert [eye.head for eye in one.eyes.values()] == [eye.head for eye in two.eyes.values()]
    assert one.clock.now == two.clock.now
    other = torture(4, 600)
    assert [eye.head for eye in other.eyes.values()] != [eye.head for eye in one.eyes.values()]


# --- planted bugs -----------------------------------------------------------------------------

Plant = Callable[[pytest.MonkeyPatch], None]


def forgetful_store(patch: pytest.MonkeyPatch) -> None:
    """Says that all is written, and now and then writes nothing."""
    write, calls = FaultyStore.write, Counter[str]()

    def writes(store: FaultyStore, batches: Sequence[Batch]) -> None:
        calls["writes"] += 1
        if calls["writes"] % 40:
            write(store, batches)

    patch.setattr(FaultyStore, "write", writes)


def hasty_group(patch: pytest.MonkeyPatch) -> None:
    """Tells before it is on the disk, whatever becomes of it."""
    submit = Group.submit

    def submits(group: Group, batch: Batch, done: Done, *loop: AbstractEventLoop) -> None:
        submit(group, batch, lambda error: None)
        done(None)

    patch.setattr(Group, "submit", submits)


def unread_ids(patch: pytest.MonkeyPatch) -> None:
    """Does not look whether a command has been answered before."""
    patch.setattr(Keeper, "_known", lambda *asked: None)


def late_reveals(patch: pytest.MonkeyPatch) -> None:
    """Forgets what is due where a round has ended."""
    patch.setattr(
        draft,
        "due",
        lambda shuffles, table, entropy: () if table.rounds else due(shuffles, table, entropy),
    )


def generous_table(patch: pytest.MonkeyPatch) -> None:
    """Gives chips twice to whoever buys some."""

    def judge(state: kept.Kept, request: Command) -> Any:
        told = kept.judge(state, request)
        return (*told, *told) if isinstance(request, BuyChips) and isinstance(told, tuple) else told

    patch.setattr("croupier.ledger.keeper.judge", judge)


def leaking_errors(patch: pytest.MonkeyPatch) -> None:
    """Tells a failing disk in a way no caller expects."""

    def write(store: FaultyStore, batches: Sequence[Batch]) -> None:
        try:
            real(store, batches)
        except Unwritten as error:
            raise KeyError(str(error)) from None

    real = FaultyStore.write
    patch.setattr(FaultyStore, "write", write)


PLANTED: list[Plant] = [
    forgetful_store,
    hasty_group,
    unread_ids,
    late_reveals,
    generous_table,
    leaking_errors,
]


@pytest.mark.parametrize("plant", PLANTED)
def test_a_planted_bug_is_found_and_found_again_from_its_seed(
    plant: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = ""
    for seed in SEEDS:
        with monkeypatch.context() as patch:
            plant(patch)
            try:
                torture(seed, STEPS)
            except Violation as violation:
                found = said(violation)
                break
    assert found, f"{plant.__name__} went unnoticed"
    with monkeypatch.context() as patch:
        plant(patch)
        with pytest.raises(Violation) as again:
            torture(seed, STEPS)
    assert said(again.value) == found


def said(violation: Violation) -> str:
    """Without the folder it happened in."""
    return re.sub(r"\S+/disk", "disk", str(violation))


# --- the command ------------------------------------------------------------------------------


@pytest.fixture
def cli() -> typer.Typer:
    app = typer.Typer()
    app.command()(command)
    return app


def test_the_command_says_what_a_world_went_through(cli: typer.Typer) -> None:
    told = CliRunner().invoke(cli, ["--seed", "3"])
    assert told.exit_code == 0
    assert told.stdout.startswith("Seed 3.\n")
    assert told.stdout.endswith("Nothing was lost, doubled or half done.\n")


def test_as_json_it_says_the_same_in_numbers(cli: typer.Typer) -> None:
    told = CliRunner().invoke(cli, ["--seed", "3", "--json"])
    assert told.exit_code == 0
    data = json.loads(told.stdout)
    assert (data["seed"], data["worlds"], data["failed"]) == (3, 1, None)
    assert data["commands"] > 50
    assert {key.split(": ")[1] for key in data["faults"]} <= set(Fault)


def test_minutes_go_on_with_the_next_seeds() -> None:
    suffered = run(5, seconds=3)
    assert suffered.failed is None
    assert suffered.worlds > 1 or suffered.commands  # a slow machine has time for one


def test_a_world_that_breaks_gives_its_seed_and_exits_1(
    cli: typer.Typer, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaking_errors(monkeypatch)
    told = CliRunner().invoke(cli, ["--seed", "1", "--minutes", "2", "--json"])
    assert told.exit_code == 1
    data = json.loads(told.stdout)
    assert data["failed"] == data["seed"] + data["worlds"] - 1
    assert "KeyError" in data["violation"]
    told = CliRunner().invoke(cli, ["--seed", str(data["failed"])])
    assert told.exit_code == 1
    assert f"croupier torture --seed {data['failed']} shows it again." in told.stdout
    assert isinstance(run(data["failed"]), Suffered)
