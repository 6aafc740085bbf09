"""Numbers in commands are bounded, and a lawful win is always paid."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from engine_driver import HOUSES, Evening, player
from helpers import CARIBBEAN, NJ_UTH, PIK_IT, RIDE

from croupier.rules.bounds import MOST_CHIPS, MOST_HAND, MOST_INVENTORY
from croupier.rules.refusals import Refusal
from croupier.script.run import ScriptRun, run
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.commands import DEALER, DEVICE, SUPERVISOR
from croupier.table.dealer import FILL
from croupier.table.decide import decide
from croupier.table.options import candidates
from croupier.table.refused import Refused

P1 = player("p1")


def code(evening: Evening, command: c.Command) -> Refusal | None:
    answer = evening.ask(command)
    return answer.code if isinstance(answer, Refused) else None


def test_chips_are_bought_up_to_the_bound() -> None:
    evening = Evening({"rulebook": NJ_UTH}, seats=(1,), chips=MOST_CHIPS - 5_00).arrive()
    assert code(evening, c.BuyChips(P1, 5_01)) is Refusal.OUT_OF_BOUNDS
    evening.do(c.BuyChips(P1, 5_00))
    assert code(evening, c.BuyChips(P1, 1)) is Refusal.OUT_OF_BOUNDS
    evening.do(c.PlaceWagers(P1, 1, {"ante": 5_00, "blind": 5_00}))


def test_who_has_won_more_takes_chips_off_first() -> None:
    evening = Evening({"rulebook": NJ_UTH}, seats=(1,)).arrive()
    evening.happens(e.ChipsBought("p1", MOST_CHIPS))
    answer = evening.ask(c.PlaceWagers(P1, 1, {"ante": 5_00, "blind": 5_00}))
    assert isinstance(answer, Refused)
    assert (
        answer.sentence == "Nobody wagers beside more than $100,000,000,000; take chips off first."
    )
    evening.do(c.StandUp(P1, 1))
    evening.do(c.SitDown(P1, 1, MOST_CHIPS))
    evening.do(c.PlaceWagers(P1, 1, {"ante": 5_00, "blind": 5_00}))


def test_the_inventory_is_filled_up_to_the_bound() -> None:
    evening = Evening({"rulebook": NJ_UTH}, inventory=0)
    assert code(evening, c.FillInventory(SUPERVISOR, MOST_INVENTORY + 1)) is Refusal.OUT_OF_BOUNDS
    evening.do(c.FillInventory(SUPERVISOR, MOST_INVENTORY))
    assert code(evening, c.FillInventory(SUPERVISOR, 1)) is Refusal.OUT_OF_BOUNDS


HUGE = {"huge": 10**400, "monster": 10**5_000, "negative": -(10**400)}


def forged(command: c.Command, number: int) -> Iterator[c.Command]:
    """The command with each of its numbers and words in turn gone wild."""
    for name in command.__struct_fields__:
        value: Any = getattr(command, name)
        if isinstance(value, dict):
            yield msgspec.structs.replace(command, **{name: {"x" * 5_000: 1}})
            yield msgspec.structs.replace(command, **{name: dict.fromkeys(value, number)})
        elif isinstance(value, bool) or name == "by":
            continue
        elif isinstance(value, int):
            yield msgspec.structs.replace(command, **{name: number})
        elif isinstance(value, str):
            yield msgspec.structs.replace(command, **{name: "x" * 5_000})
        elif isinstance(value, tuple):
            yield msgspec.structs.replace(command, **{name: (number,) * 1_000})


@pytest.mark.parametrize("kind", HUGE)
@pytest.mark.parametrize("name", [NJ_UTH, CARIBBEAN, RIDE, f"{PIK_IT}, counting"])
def test_no_number_or_word_breaks_the_table(kind: str, name: str) -> None:
    """Every command somebody might say at every step of a round, forged: refused in a short
    sentence, or brought about by short events."""
    evening = Evening(HOUSES.get(name, {"rulebook": name})).arrive()
    seen: set[tuple[type, str]] = set()
    for _ in range(60):
        for who in (DEALER, SUPERVISOR, DEVICE, player("p1"), player("p2")):
            for command in candidates(evening.table, who):
                step = str(evening.table.round and evening.table.now.closed)
                if (type(command), step) in seen and evening.table.rounds:
                    continue
                seen.add((type(command), step))
                for each in forged(command, HUGE[kind]):
                    answer = decide(evening.table, each)
                    told = (
                        str(answer)
                        if isinstance(answer, Refused)
                        else msgspec.json.encode(answer).decode()
                    )
                    assert len(told) < 6_500, (each, told)
        evening.step()


def test_three_cards_are_picked_and_no_more() -> None:
    evening = Evening({"rulebook": PIK_IT}).arrive().until("pick", seat=4)
    for picked in ((1, 2, 3, 3), (1, 2, 3) * 100, (1, 2), (1, 1, 2)):
        command = c.Choose(player("p4"), 4, "pick", cards=picked)
        assert code(evening, command) is Refusal.PICK_THREE_OF_FIVE


# --- a lawful win is paid -------------------------------------------------------------------


def played(most: int, seats: int, hands: str) -> ScriptRun:
    """A round of Let It Ride dealt by the automatic dealer from an empty inventory."""
    script = f"""
        game let-it-ride
        set limits.main = [5, {most}]
        set inventory = 0
        set chips = 100000000
        seats {seats}
        all: bets {most} {most} {most}
        deal {hands} / 2c Js Ts
        all: ride
        all: ride
        auto
    """
    ran = run("\n".join(line.strip() for line in script.splitlines()))
    assert ran.table.round is None
    assert ran.table.accounts() == 0
    return ran


def wins(ran: ScriptRun) -> list[int]:
    return [each.win for each in ran.events if isinstance(each, e.WagerSettled)]


def test_a_win_far_above_one_fill_is_paid_by_the_automatic_dealer() -> None:
    """A royal flush at $500 a bet wins $1,500,000."""
    ran = played(500, 1, "As Ks Qs")
    assert wins(ran) == [500_000_00] * 3
    filled = [each.amount for each in ran.events if isinstance(each, e.InventoryFilled)]
    assert filled == [15 * FILL]


def test_several_winners_at_the_highest_limit_are_all_paid() -> None:
    """A royal flush, a straight flush and a straight on the highest maximum there is."""
    ran = played(1_000_000, 3, "As Ks Qs / 9s 8s 7s / Kc Qd 9h")
    assert sorted(wins(ran)) == sorted(
        [1_000 * 1_000_000_00] * 3 + [200 * 1_000_000_00] * 3 + [5 * 1_000_000_00] * 3
    )
    filled = [each.amount for each in ran.events if isinstance(each, e.InventoryFilled)]
    assert sum(filled) >= sum(wins(ran))


def test_the_most_one_hand_can_win_is_filled_in_one_go() -> None:
    most = Evening({"rulebook": RIDE}, inventory=0)
    assert not isinstance(most.ask(c.FillInventory(SUPERVISOR, MOST_HAND + FILL)), Refused)
