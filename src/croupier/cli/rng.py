"""croupier rng: what a laboratory needs of the shuffle, its output and the tests of it."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.options import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from croupier.ledger.lab import Report

MOST_DECKS = 1_000_000  # what a test holds in memory at once
FEWEST_DECKS = 1_000  # below, the distributions are not yet those of large numbers
MOST_BYTES = 20_000_000
FEWEST_BYTES = 10_000

app = plain()


@app.callback()
def rng() -> None:
    """The shuffle in the laboratory."""


@app.command()
def collect(
    raw: Annotated[
        bool, typer.Option("--raw/--final", help="The generator's bytes, or shuffled decks.")
    ],
    count: Annotated[int, typer.Option("--count", min=1, help="How many bytes or decks.")],
    out: Annotated[Path | None, typer.Option("--out", help="A file to write.")] = None,
) -> None:
    """Write what production makes: bytes of the generator, or decks, a line each."""
    from croupier.law.refused import Refused

    if raw and out is None and sys.stdout.isatty():
        raise Refused("Raw bytes are not for a terminal; give --out FILE or a pipe.")
    try:
        with out.open("wb") if out else nullcontext(sys.stdout.buffer) as file:
            file.writelines(_pieces(raw, count))
            file.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Refused(f"{out or 'The output'} cannot be written: {error.strerror}.") from None


def _pieces(raw: bool, count: int) -> Iterator[bytes]:
    from itertools import islice

    from croupier.cards.card import spell
    from croupier.ledger.generator import fresh_seed
    from croupier.ledger.lab import raw_bytes, shuffled_decks

    if raw:
        return raw_bytes(count, fresh_seed)
    decks = islice(shuffled_decks(fresh_seed), count)
    return (spell(deck).encode() + b"\n" for deck in decks)


@app.command("test")
def examine(
    decks: Annotated[
        int, typer.Option("--decks", min=FEWEST_DECKS, max=MOST_DECKS, help="Decks to shuffle.")
    ] = 10_000,
    seed: Annotated[
        str, typer.Option("--seed", help="64 hexadecimal digits, to repeat a test.")
    ] = "",
    raw: Annotated[bool, typer.Option("--raw", help="Test the generator's bytes instead.")] = False,
    count: Annotated[
        int, typer.Option("--bytes", min=FEWEST_BYTES, max=MOST_BYTES, help="Bytes, with --raw.")
    ] = 1_000_000,
    alone: Annotated[
        bool, typer.Option("--alone", help="With --raw: leave ent and dieharder out.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Test decks by GLI-19 3.2.2, or raw bytes by NJ 13:69E-1.28G. Exits 1 where they fail."""
    from croupier.ledger.lab import examine_decks, examine_raw, seeds_from

    seeds = seeds_from(_read_seed(seed))
    report = examine_raw(count, seeds, alone=alone) if raw else examine_decks(decks, seeds)
    if as_json:
        _print_json(report)
    else:
        _show(report)
    if not report.passed:
        raise typer.Exit(1)


def _read_seed(text: str) -> bytes | None:
    from croupier.law.refused import Refused

    try:
        return bytes.fromhex(text) if text else None
    except ValueError:
        raise Refused(f"The seed {text!r} is not hexadecimal.") from None


def _print_json(report: Report) -> None:
    from msgspec import to_builtins

    from croupier.ledger.finding import TOGETHER

    verdict = report.verdict
    tests = [
        {**to_builtins(each), "passed": each.test not in verdict.failed}
        for each in verdict.findings
    ]
    programs = to_builtins(report.opinions)
    told = {"tested": report.tested, "tests": tests, "programs": programs}
    print(json.dumps({**told, "together": TOGETHER, "passed": report.passed}))


def _show(report: Report) -> None:
    from croupier.ledger.finding import TOGETHER

    print(f"{'test':23}{'statistic':>11}  {'if fair':18}{'p':>6}")
    for each in report.verdict.findings:
        fair = f"{each.distribution} {each.parameter:.5g}"
        says = "failed" if each.test in report.verdict.failed else "passed"
        print(f"{each.test:23}{each.statistic:11,.2f}  {fair:18}{each.p:6.4f}  {says}")
    for opinion in report.opinions:
        print(opinion.program, *opinion.says, sep="\n  ")
    print(f"{report.tested}, {TOGETHER}: {'passed' if report.passed else 'failed'}")
