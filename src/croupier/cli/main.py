"""The ``croupier`` command."""

from __future__ import annotations

import sys

import typer

from croupier.cli import (
    advise,
    audit,
    bench,
    compare,
    export,
    house,
    law,
    par,
    play,
    replay,
    risk,
    rng,
    room,
    script,
    settle,
    simulate,
    solve,
    torture,
    verify,
)

app = typer.Typer(
    help="Casino poker tables run by the book.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("law")(law.law)
app.command("check")(house.check)
app.command("sign")(house.sign)
app.command("play")(play.play)
app.command("room")(room.room)
app.command("script")(script.script)
app.command("solve")(solve.solve)
app.command("advise")(advise.advise)
app.command("simulate")(simulate.simulate)
app.command("risk")(risk.risk)
app.command("par")(par.par)
app.command("compare")(compare.compare)
app.command("audit")(audit.audit)
app.command("replay")(replay.replay)
app.command("verify")(verify.verify)
app.command("export")(export.export)
app.command("torture")(torture.torture)
app.command("verify-install")(verify.verify_install)
app.add_typer(settle.app, name="settle")
app.add_typer(rng.app, name="rng")
app.add_typer(bench.app, name="bench")


@app.command()
def version() -> None:
    """Print the version."""
    from croupier import __version__

    print(f"croupier {__version__}")


def main() -> None:
    """Run the command; bad input is one sentence and a non-zero exit, never a traceback."""
    from croupier.law.refused import Refused

    try:
        app()
    except Refused as refused:
        print(f"Refused: {refused}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:  # the reader of our output went away
        sys.stderr.close()
        sys.exit(1)
