"""The PAR sheet laid out: sections of tables and charts that every format shows alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction

from croupier.analysis.par.cells import Cell, Chart, Kind, Row, Section, Table, code, text
from croupier.analysis.par.settings import listed
from croupier.analysis.par.sheet import CONFIDENCE, ROUNDS, Bet, Sheet
from croupier.analysis.solution import Book, Meter
from croupier.house.submission import House
from croupier.rules.money import in_dollars
from croupier.rules.paytable import in_words


def pages(sheet: Sheet) -> tuple[Section, ...]:
    return tuple(_sections(sheet))


def _sections(sheet: Sheet) -> Iterator[Section]:
    yield Section("Summary", (_identity(sheet), _summary(sheet.bets)))
    yield Section("Configuration", (_settings(sheet),))
    for bet in sheet.bets:
        yield Section(bet.title, tuple(_bet(bet)), f"All figures are per unit of {bet.unit}.")
    for name, meter in sheet.solution.meters.items():
        book = sheet.solution.side_bets[name]
        yield Section("The meter", (_meter(sheet.house, book, meter),))
    yield Section("Exposure", tuple(_exposure(sheet)))
    yield Section("Optimal play", tuple(_play(sheet)), _ties(sheet))
    yield Section("Every outcome", (_outcomes(sheet.solution.main),))
    yield Section("Definitions", (_definitions(),))


def _identity(sheet: Sheet) -> Table:
    house, solution = sheet.house, sheet.solution
    rows = [
        ("House", text(house.name)),
        ("Game", text(house.game.title)),
        ("Rulebook", text(f"{house.book.title}, {house.book.source}")),
        ("Legal", text("yes" if solution.legal else "no: " + "; ".join(solution.unlawful))),
        ("Configuration, SHA-256", code(sheet.fingerprint)),
        ("Deals counted", text(f"{solution.main.combinations:,}")),
        ("Made by", text(f"Croupier {sheet.version}")),
    ]
    if sheet.date:
        rows.append(("Date", text(sheet.date)))
    return Table("", ("", ""), tuple((text(name), cell) for name, cell in rows))


def _summary(bets: Iterable[Bet]) -> Table:
    columns = ("Wager", "Edge", "Element of risk", "Return", "Hit frequency", "Deviation")
    return Table(
        "Wagers",
        (*columns, "Index 90 %", "Index 99 %"),
        tuple(
            (
                text(bet.title),
                Cell(Kind.PERCENT, bet.edge),
                Cell(Kind.PERCENT, bet.hold),
                Cell(Kind.PERCENT, bet.returns),
                Cell(Kind.PERCENT, bet.book.hit_frequency),
                Cell(Kind.NUMBER, bet.book.standard_deviation),
                Cell(Kind.NUMBER, bet.volatility("90 %")),
                Cell(Kind.NUMBER, bet.volatility("99 %")),
            )
            for bet in bets
        ),
        "Edge and return are per initial wager, under optimal play. A negative edge favours the "
        "player. The wagers of the main game are not made one without the other.",
    )


def _settings(sheet: Sheet) -> Table:
    return Table(
        "",
        ("Key", "Setting", "Clause"),
        tuple(
            (code(each.key), text(each.value), text(each.clause.id if each.clause else ""))
            for each in sheet.settings
        ),
        f"SHA-256 of keys and settings as JSON with sorted keys and no spaces: {sheet.fingerprint}",
    )


# --- one wager ------------------------------------------------------------------------------


def _bet(bet: Bet) -> Iterator[Table | Chart]:
    yield _figures(bet)
    yield _lines(bet)
    if bet.alone:
        yield Chart("distribution", "Outcomes and their probabilities", bet)
    yield _intervals(bet)
    if bet.alone:
        yield Chart("funnel", "Return by number of rounds", bet)


def _figures(bet: Bet) -> Table:
    book = bet.book
    exact = [
        ("Edge per initial wager", Kind.PERCENT, bet.edge),
        ("Return per initial wager", Kind.PERCENT, bet.returns),
        ("Element of risk, hold", Kind.PERCENT, bet.hold),
        ("Return on all wagered", Kind.PERCENT, 1 - bet.hold),
        ("Average wager", Kind.NUMBER, book.average_wager),
        ("Hit frequency", Kind.PERCENT, book.hit_frequency),
        ("Variance", Kind.NUMBER, book.variance),
    ]
    rounded_only: list[tuple[str, Kind, Decimal]] = [
        ("Standard deviation", Kind.NUMBER, book.standard_deviation),
        *(
            (f"Volatility index, {level}", Kind.NUMBER, bet.volatility(level))
            for level in ("90 %", "99 %")
        ),
    ]
    rows = [_exactly(*figure) for figure in exact]
    rows += [(text(name), Cell(kind, value), text("")) for name, kind, value in rounded_only]
    return Table("Figures", ("Figure", "Value", "Exactly"), tuple(rows))


def _lines(bet: Bet) -> Table:
    deals = bet.book.combinations
    named = any(line.name for line in bet.lines)
    columns = ("Line", "Pays") if named else ()
    rows: list[Row] = []
    for line in bet.lines:
        rows.append(
            (
                *((text(line.name.capitalize()), text(line.pays)) if named else ()),
                Cell(Kind.NET, line.net),
                Cell(Kind.COUNT, line.count),
                Cell(Kind.PROBABILITY, Fraction(line.count, deals)),
                Cell(Kind.ONE_IN, Fraction(deals, line.count)),
                Cell(Kind.PERCENT, line.net * line.count / deals),
            )
        )
    total = (
        *((text("Total"), text("")) if named else ()),
        text("" if named else "Total"),
        Cell(Kind.COUNT, deals),
        Cell(Kind.PROBABILITY, Fraction(sum(line.count for line in bet.lines), deals)),
        text(""),
        Cell(Kind.PERCENT, bet.book.net),
    )
    return Table(
        "Lines" if named else "Nets",
        (*columns, "Net", "Combinations", "Probability", "One in", "Adds"),
        tuple(rows),
        "Net is for the player, in units. Adds is net times probability.",
        total,
    )


def _intervals(bet: Bet) -> Table:
    enough = bet.rounds_enough
    trust = (
        "throughout"
        if enough <= ROUNDS[0]
        else f"from about {enough:,} rounds (25 times the squared skewness)"
    )
    columns = [f"{level} {end}" for level in CONFIDENCE for end in ("from", "to")]
    return Table(
        "Return by number of rounds",
        ("Rounds", *columns),
        tuple(
            (
                Cell(Kind.COUNT, rounds),
                *(
                    Cell(Kind.PERCENT, end)
                    for level in CONFIDENCE
                    for end in bet.interval(rounds, level)
                ),
            )
            for rounds in ROUNDS
        ),
        f"Return per initial wager, by the normal approximation, which can be trusted {trust}.",
    )


# --- the table as a whole -------------------------------------------------------------------


def _meter(house: House, book: Book, meter: Meter) -> Table:
    assert house.progressive is not None
    wager = house.game.wager("progressive").exactly
    figures = [
        (
            f"Return with the meter at {in_dollars(house.progressive.meter)}",
            Kind.PERCENT,
            1 + book.net,
        ),
        ("Added by each $10,000 of the meter", Kind.PERCENT, meter.per_10000),
        (
            "Contribution of each wager",
            Kind.PERCENT,
            Fraction(house.progressive.contribution, wager),
        ),
        ("Meter at which the wager breaks even, dollars", Kind.NUMBER, meter.break_even),
    ]
    return Table(
        "",
        ("Figure", "Value", "Exactly"),
        tuple(_exactly(*figure) for figure in figures),
        "A meter shared by two winners of one round is left out.",
    )


def _exactly(name: str, kind: Kind, value: Fraction) -> Row:
    return text(name), Cell(kind, value), Cell(Kind.EXACT, value)


def _exposure(sheet: Sheet) -> Iterator[Table]:
    yield Table(
        "Largest award of each wager",
        ("Wager", "At most", "Line", "Wins", "Clause"),
        tuple(
            (
                text(each.wager.capitalize()),
                Cell(Kind.MONEY, each.amount),
                text(each.line),
                Cell(Kind.MONEY, each.win),
                text(each.clause.id),
            )
            for each in sheet.awards
        ),
        "One position, one round, at the posted maximum, before any payout limit.",
    )
    yield Table(
        "Payout limits",
        ("Together", "Could win", "Limit", "Held back", "Clause"),
        tuple(
            (
                text(listed(each.wagers).capitalize()),
                Cell(Kind.MONEY, each.win),
                text("none") if each.limit is None else Cell(Kind.MONEY, each.limit),
                Cell(Kind.MONEY, each.withheld),
                text(each.clause.id),
            )
            for each in sheet.caps
        ),
    )


def _play(sheet: Sheet) -> Iterator[Table | Chart]:
    main = sheet.solution.main
    actions = main.actions()
    yield Table(
        "How often",
        ("Action", "Frequency", "Exactly"),
        tuple(
            (text(name), Cell(Kind.PERCENT, share), Cell(Kind.EXACT, share))
            for name, share in actions.items()
        ),
    )
    if sheet.opening:
        yield Chart("opening", "Before the flop", sheet.main)
    counts: dict[str, dict[str, int]] = {}
    for o in main.outcomes:
        row = counts.setdefault(o.line, {})
        row[o.action] = row.get(o.action, 0) + o.count
    yield Table(
        "By final hand",
        ("Hand", *actions),
        tuple(
            (
                text(in_words(hand).capitalize()),
                *(
                    Cell(Kind.PROBABILITY, Fraction(row.get(name, 0), main.combinations))
                    for name in actions
                ),
            )
            for hand, row in counts.items()
        ),
        "Probability that a round takes this action and ends with this hand of the player's.",
    )


def _ties(sheet: Sheet) -> str:
    solution = sheet.solution
    if not solution.ties:
        return "No two decisions are ever worth the same."
    where = listed(f"{name} in {deals:,} deals" for name, deals in solution.ties.items())
    return f"Decisions tie: {where}. Then {solution.tie_broken}; the edge is the same."


def _outcomes(main: Book) -> Table:
    qualified = {True: "yes", False: "no", None: ""}
    return Table(
        "",
        ("Action", "Hand", "Dealer qualifies", "Net", "Wagered", "Combinations", "Probability"),
        tuple(
            (
                text(o.action),
                text(in_words(o.line)),
                text(qualified[o.qualified]),
                Cell(Kind.NET, o.net),
                Cell(Kind.NET, o.wagered),
                Cell(Kind.COUNT, o.count),
                Cell(Kind.PROBABILITY, Fraction(o.count, main.combinations)),
            )
            for o in main.outcomes
        ),
    )


def _definitions() -> Table:
    z = listed(f"{factor} at {level}" for level, factor in CONFIDENCE.items())
    words = {
        "Combinations": "Deals of all cards that matter, each counted once and equally likely.",
        "Optimal play": "At every decision the choice whose mean net is highest, seen from the "
        "player's own cards and those face up.",
        "Edge": "Mean loss of the player per unit of the initial wager.",
        "Return": "One minus the edge; or, on all wagered, one minus the element of risk.",
        "Element of risk": "Mean loss per unit of all that is wagered in a round: the hold.",
        "Hit frequency": "Probability that the player ends above nothing.",
        "Variance": "Of the net of one round, in squared units of the initial wager.",
        "Volatility index": f"z times the standard deviation; z is {z}.",
        "Interval": "Return plus and minus the index over the square root of the rounds.",
        "Exposure": "What one position can win in a round; figures above leave limits out.",
    }
    rows = tuple((text(word), text(meaning)) for word, meaning in words.items())
    return Table("", ("", ""), rows)
