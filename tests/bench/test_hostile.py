"""The measurement next to hostile clients: the real room, real floods, and every row printed."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from croupier.bench import attackers, hostile
from croupier.bench.hostile import KINDS, Row, judged, measured
from croupier.law.refused import Refused


@pytest.fixture
def briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hostile, "WARM_UP", 0.3)


def test_every_kind_reaches_the_room_and_the_player_goes_on(briefly: None) -> None:
    """All kinds at once; clients of each are answered, whatever the room thinks of them."""
    row = measured("all", KINDS, 3.0)
    assert row.waits
    assert all(wait > 0 for wait in row.waits)
    assert row.stalls
    assert row.questions
    assert row.sent >= len(KINDS) * attackers.CLIENTS
    assert row.busy > 0
    assert row.ledger >= 0


def test_the_sheets_name_every_kind_and_the_aim_is_printed_beside_the_figure(
    briefly: None,
) -> None:
    out = StringIO()
    hostile.run(0.8, ("ping", "coach"), Console(file=out, width=80, highlight=False))
    printed = out.getvalue()
    for kind in ("nobody", "ping", "coach", "all"):
        assert len(re.findall(rf"\n {kind} +[\d,]+ ", printed)) == 2, printed
    assert "…" not in printed
    judgement = r"The highest p99 is [\d,.]+ ms \(\w+\), (not )?below the 100 ms aimed at\."
    assert re.search(judgement, printed) or "Nobody acted" in printed


def row(kind: str, waits: list[float]) -> Row:
    return Row(kind, waits, [], [], 0, 0, 0.0, 0.0, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([row("ping", [])], "Nobody acted in so short a time."),
        (
            [row("ping", [0.01]), row("replay", [0.0999])],
            "The highest p99 is 99.9 ms (replay), below the 100 ms aimed at.",
        ),
        (
            [row("ping", [0.1]), row("replay", [])],
            "The highest p99 is 100.0 ms (ping), not below the 100 ms aimed at.",
        ),
    ],
)
def test_the_worst_row_is_judged(rows: list[Row], said: str) -> None:
    assert judged(rows) == said


def test_a_kind_there_is_not_is_refused() -> None:
    with pytest.raises(Refused, match="'polite'; there are replay, ping"):
        hostile.chosen(["ping", "polite"])
    assert hostile.chosen([]) == KINDS
    assert hostile.chosen(["study", "ping", "study"]) == ("study", "ping")


def test_hostile_clients_connect_to_this_machine_only() -> None:
    """No host comes from outside: the module knows one, and sources of the loopback network."""
    source = Path(attackers.__file__).read_text("utf-8")
    assert set(re.findall(r"\b\d+\.\d+\.\d+\.\d+\b", source)) == {attackers.SERVER} == {"127.0.0.1"}
    sources = {attackers.Attack(1, "", number, 0).source for number in range(2_000)}
    assert len(sources) == 2_000
    assert all(each.startswith("127.") for each in sources)
