"""croupier torture: the ledger under crashes, failing disks and two masters, from one seed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.options import Json

if TYPE_CHECKING:
    from croupier.ledger.torture import Suffered

SEEDS = 1 << 32


def torture(
    minutes: Annotated[
        float, typer.Option("--minutes", min=0, help="Go on with the next seeds for so long.")
    ] = 0,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, help="The first world; else one at random.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Run simulated casinos whose disks, power, clocks and networks fail, and watch that nothing
    acknowledged is lost or doubled. The same seed fails the same way. Exits 1 where one broke."""
    import secrets

    from croupier.cli.progress import bar
    from croupier.ledger.torture import run

    first = secrets.randbelow(SEEDS) if seed is None else seed
    with bar() as tell:
        suffered = run(first, minutes * 60, lambda done, of: tell("seconds", done, of))
    if as_json:
        _print_json(first, suffered)
    else:
        _show(first, suffered)
    if suffered.failed is not None:
        raise typer.Exit(1)


def _print_json(first: int, suffered: Suffered) -> None:
    import json

    from msgspec import to_builtins

    print(json.dumps({"seed": first, **to_builtins(suffered)}))


def _show(first: int, suffered: Suffered) -> None:
    from croupier.rules.money import in_dollars

    last = first + suffered.worlds - 1
    print(f"Seeds {first} to {last}." if last > first else f"Seed {first}.")
    for words, count in {
        "rounds": suffered.rounds,
        "commands acknowledged": suffered.commands,
        "commands refused": suffered.refused,
        "commands repeated": suffered.duplicates,
        "entries": suffered.entries,
        "recoveries": suffered.recoveries,
    }.items():
        print(f"{count:12,}  {words}")
    print(f"{in_dollars(suffered.moved):>12}  moved")
    for title, told in (("Faults", suffered.faults), ("Met with", suffered.mishaps)):
        print(f"{title}:")
        for kind in sorted(told):
            print(f"{told[kind]:12,}  {kind}")
    if suffered.failed is None:
        print("Nothing was lost, doubled or half done.")
        return
    print(f"Seed {suffered.failed} broke. {suffered.violation}")
    print(f"croupier torture --seed {suffered.failed} shows it again.")
