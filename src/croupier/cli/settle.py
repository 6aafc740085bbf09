"""croupier settle: how a finished hand is settled, and why."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.options import HouseFile, Json, Rulebook, chosen_house, plain

if TYPE_CHECKING:
    from croupier.house.finished_hand import Finished
    from croupier.house.submission import House

app = plain()


@app.callback()
def settle() -> None:
    """Settle a finished hand: every wager with its result, its payment, why, and the clause."""


Player = Annotated[str, typer.Option("--player", help="The player's cards, e.g. 'As Kd'.")]
Dealer = Annotated[str, typer.Option("--dealer", help="The dealer's cards.")]
Ante = Annotated[str, typer.Option("--ante", help="The ante, in dollars.")]
Fold = Annotated[bool, typer.Option("--fold", help="The player folded.")]
Progressive = Annotated[bool, typer.Option("--progressive", help="A progressive was wagered.")]
MatchPlay = Annotated[
    str, typer.Option("--match-play", help="A match play coupon on the ante, in dollars.")
]


def _money(text: str, what: str) -> int | None:
    from croupier.rules.bounds import MOST_SUM, read_amount

    return read_amount(text, what, MOST_SUM) if text else None


def ultimate_texas_holdem(
    player: Player,
    dealer: Dealer,
    board: Annotated[str, typer.Option("--board", help="The five community cards.")],
    ante: Ante = "",
    play: Annotated[str, typer.Option("--play", help="The play wager: 4x, 3x, 2x or 1x.")] = "",
    fold: Fold = False,
    trips: Annotated[str, typer.Option("--trips", help="The trips wager, in dollars.")] = "",
    cover_all: Annotated[str, typer.Option("--cover-all", help="Massachusetts: dollars.")] = "",
    progressive: Progressive = False,
    others: Annotated[
        list[str] | None, typer.Option("--others", help="Another player's cards; repeatable.")
    ] = None,
    match_play: MatchPlay = "",
    house: HouseFile = None,
    rulebook: Rulebook = "",
    as_json: Json = False,
) -> None:
    """Ultimate Texas Hold'em, New Jersey or Massachusetts."""
    from croupier.house import finished_hand

    chosen = chosen_house("uth", house, rulebook)
    finished = finished_hand.ultimate_texas_holdem(
        chosen,
        player=player,
        dealer=dealer,
        board=board,
        ante=_money(ante, "The ante"),
        play=_times(play),
        fold=fold,
        trips=_money(trips, "The trips wager"),
        cover_all=_money(cover_all, "The Cover All wager"),
        progressive=progressive,
        others=others or (),
        match_play=_money(match_play, "The coupon") or 0,
    )
    show(chosen, finished, as_json)


def caribbean_stud(
    player: Player,
    dealer: Dealer,
    ante: Ante = "",
    bet: Annotated[bool, typer.Option("--bet", help="The player bet twice the ante.")] = False,
    fold: Fold = False,
    progressive: Progressive = False,
    meter: Annotated[str, typer.Option("--meter", help="Where the meter stands, dollars.")] = "",
    sharing: Annotated[int, typer.Option("--sharing", help="Royal flushes this round.")] = 1,
    match_play: MatchPlay = "",
    house: HouseFile = None,
    rulebook: Rulebook = "",
    as_json: Json = False,
) -> None:
    """Caribbean Stud."""
    from croupier.house import finished_hand

    chosen = chosen_house("caribbean", house, rulebook)
    finished = finished_hand.caribbean(
        chosen,
        player=player,
        dealer=dealer,
        ante=_money(ante, "The ante"),
        bet=bet,
        fold=fold,
        progressive=progressive,
        meter=_money(meter, "The meter"),
        sharing=sharing,
        match_play=_money(match_play, "The coupon") or 0,
    )
    show(chosen, finished, as_json)


def let_it_ride(
    player: Player,
    community: Annotated[str, typer.Option("--community", help="The two community cards.")],
    bets: Annotated[str, typer.Option("--bets", help="Each of the three bets, dollars.")] = "",
    withdraw: Annotated[
        list[int] | None, typer.Option("--withdraw", help="Bet 1 or 2 taken back; repeatable.")
    ] = None,
    bonus: Annotated[bool, typer.Option("--bonus", help="The $1 bonus was wagered.")] = False,
    three_card: Annotated[
        str, typer.Option("--three-card", help="The three card bonus, dollars.")
    ] = "",
    house: HouseFile = None,
    rulebook: Rulebook = "",
    as_json: Json = False,
) -> None:
    """Let It Ride."""
    from croupier.house import finished_hand

    chosen = chosen_house("ride", house, rulebook)
    finished = finished_hand.ride(
        chosen,
        player=player,
        community=community,
        bets=_money(bets, "The bet"),
        withdraw=withdraw or (),
        bonus=bonus,
        three_card=_money(three_card, "The three card bonus"),
    )
    show(chosen, finished, as_json)


def pik_it(
    player: Player,
    dealer: Dealer,
    ante: Ante = "",
    play: Annotated[int | None, typer.Option("--play", help="Played as 3 or 5 cards.")] = None,
    fold: Fold = False,
    picked: Annotated[str, typer.Option("--picked", help="The three cards picked.")] = "",
    three_card_bonus: Annotated[
        str, typer.Option("--three-card-bonus", help="The 3 card bonus, dollars.")
    ] = "",
    match_play: MatchPlay = "",
    house: HouseFile = None,
    rulebook: Rulebook = "",
    as_json: Json = False,
) -> None:
    """Pik-It Poker."""
    from croupier.house import finished_hand

    chosen = chosen_house("pikit", house, rulebook)
    finished = finished_hand.pikit(
        chosen,
        player=player,
        dealer=dealer,
        ante=_money(ante, "The ante"),
        play=play,
        fold=fold,
        picked=picked,
        three_card_bonus=_money(three_card_bonus, "The 3 card bonus"),
        match_play=_money(match_play, "The coupon") or 0,
    )
    show(chosen, finished, as_json)


for _command, _name, _alias in (
    (ultimate_texas_holdem, "ultimate-texas-holdem", "uth"),
    (caribbean_stud, "caribbean-stud", "caribbean"),
    (let_it_ride, "let-it-ride", "ride"),
    (pik_it, "pik-it", "pikit"),
):
    app.command(_alias)(_command)
    app.command(_name, hidden=True)(_command)


def _times(text: str) -> int | None:
    from croupier.law.refused import Refused

    if not text:
        return None
    if not (found := re.fullmatch(r"(\d{1,9})\s*x?", text.strip().lower())):
        raise Refused(f"The play wager {text!r} is not a multiple of the ante such as 4x.")
    return int(found[1])


def show(house: House, finished: Finished, as_json: bool) -> None:
    """One row a wager, then the net."""
    if as_json:
        wagers = [
            {
                "wager": s.wager,
                "amount": s.amount,
                "result": str(s.result),
                "win": s.win,
                "net": s.net,
                "reason": s.reason,
                "clause": s.clause.id,
            }
            for s in finished.settlements
        ]
        found = {
            "game": house.game.id,
            "rulebook": house.book.id,
            "wagers": wagers,
            "net": finished.net,
        }
        print(json.dumps(found))
        return
    from rich.console import Console
    from rich.table import Table

    from croupier.rules.money import in_dollars

    console = Console()
    for line in finished.hands:
        console.print(line)
    table = Table(box=None, pad_edge=False)
    for name in ("wager", "amount", "result", "paid", "why", "clause"):
        table.add_column(name, justify="right" if name in ("amount", "paid") else "left")
    for s in finished.settlements:
        supplied = " (supplied)" if s.clause.supplied else ""
        table.add_row(
            s.wager,
            in_dollars(s.amount),
            str(s.result),
            in_dollars(s.win),
            s.reason,
            s.clause.id + supplied,
        )
    console.print(table)
    console.print(
        f"Net for the player: {'+' if finished.net > 0 else ''}{in_dollars(finished.net)}"
    )
