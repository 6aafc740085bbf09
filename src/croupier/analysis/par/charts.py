"""The charts of a PAR sheet as SVG, the same to the byte whenever they are drawn."""

from __future__ import annotations

import re
from functools import lru_cache
from io import StringIO
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle
from matplotlib.ticker import FixedLocator, FuncFormatter, PercentFormatter

from croupier.analysis.par.cells import Chart
from croupier.analysis.par.opening import Start
from croupier.analysis.par.sheet import ROUNDS, Bet, Sheet
from croupier.cards.card import RANK_LETTERS

INK, PALE, GRID = "#1f2933", "#6b7680", "#e3e7ea"
WIN, LOSS, EVEN = "#1d6fa5", "#b4472e", "#8a949c"
BANDS = {"99 %": "#dbe9f2", "95 %": "#b9d5e7", "90 %": "#8fbcd8"}
PLAYED = ("#f3f1ea", "#f2c879", "#7fb28c")  # check, the smaller multiple, the largest

WIDTH = 7.2
NETS = (-10, -5, -3, -1, 0, 1, 3, 5, 10, 50, 100, 500, 1_000, 10_000, 100_000)

drawn_once = lru_cache(maxsize=64)  # a page and a print of one sheet share their charts

STYLE: Any = {  # rc_context wants its keys as literals
    "svg.hashsalt": "croupier",
    "svg.fonttype": "path",
    "font.size": 9,
    "axes.edgecolor": PALE,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "xtick.color": PALE,
    "ytick.color": PALE,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
}


def drawn(sheet: Sheet, chart: Chart) -> str:
    match chart.kind:
        case "distribution":
            return distribution(chart.bet)
        case "funnel":
            return funnel(chart.bet)
        case _:
            return opening(sheet.opening)


@drawn_once
def distribution(bet: Bet) -> str:
    """Net against probability, both so that a royal flush can still be seen."""
    with mpl.rc_context(STYLE):
        figure, axes = _figure(3.0, (0.6, 0.1, 0.5, 0.1))
        chances: dict[float, float] = {}
        for line in bet.lines:
            net = float(line.net)
            chances[net] = chances.get(net, 0) + line.count / bet.book.combinations
        least = min(chances.values())
        for net, chance in sorted(chances.items()):
            colour = WIN if net > 0 else LOSS if net < 0 else EVEN
            axes.vlines(net, least / 10, chance, color=colour, linewidth=2)
            axes.plot(net, chance, "o", color=colour, markersize=4)
        axes.set_xscale("symlog", linthresh=10, linscale=1.5)
        axes.set_yscale("log", subs=[])
        axes.set_ylim(least / 3, 2)
        axes.xaxis.set_major_locator(FixedLocator(NETS))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda net, _: f"{net:,.0f}"))
        axes.set_xlim(min(chances) * 1.2, max(chances) * 1.5)
        axes.set_xlabel(f"net, in units of {bet.unit}")
        axes.set_ylabel("probability")
        return _svg(figure)


@drawn_once
def funnel(bet: Bet) -> str:
    """How the return closes in on its mean."""
    with mpl.rc_context(STYLE):
        figure, axes = _figure(2.8, (0.75, 0.4, 0.5, 0.1))
        points = [round(ROUNDS[0] * (ROUNDS[-1] / ROUNDS[0]) ** (at / 80)) for at in range(81)]
        for level, colour in BANDS.items():
            ends = [bet.interval(rounds, level) for rounds in points]
            low, high = ([float(end[side]) for end in ends] for side in (0, 1))
            axes.fill_between(points, low, high, color=colour, linewidth=0, label=level)
        axes.axhline(float(bet.returns), color=INK, linewidth=1)
        axes.set_xscale("log", subs=[])
        axes.set_xlim(ROUNDS[0], ROUNDS[-1])
        axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda rounds, _: f"{rounds:,.0f}"))
        axes.set_xlabel("rounds")
        axes.set_ylabel("return per initial wager")
        axes.legend(frameon=False, loc="upper right")
        return _svg(figure)


@drawn_once
def opening(starts: tuple[Start, ...]) -> str:
    """The 169 starts: the colour says what to do, the number what playing gains over a check."""
    with mpl.rc_context(STYLE):
        figure, axes = _figure(6.6, (0.25, 0.05, 0.35, 0.25))
        played = sorted({start.times for start in starts} - {0})
        colours = {0: PLAYED[0]} | dict(zip(reversed(played), reversed(PLAYED), strict=False))
        for start in starts:
            place = (start.column, start.row)
            colour = colours[start.times]
            axes.add_patch(Rectangle(place, 1, 1, facecolor=colour, edgecolor="white"))
            x, y = start.column + 0.5, start.row
            axes.text(x, y + 0.38, start.name, ha="center", va="center", color=INK)
            gain = f"{float(start.gain):+.2f}".replace("-", "\N{MINUS SIGN}")
            axes.text(x, y + 0.74, gain, ha="center", va="center", color="#45505a", fontsize=6.5)
        axes.set_xlim(0, 13)
        axes.set_ylim(13, 0)
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_ticks([at + 0.5 for at in range(13)], list(reversed(RANK_LETTERS)))
        axes.xaxis.tick_top()
        axes.tick_params(length=0)
        axes.grid(visible=False)
        for spine in axes.spines.values():
            spine.set_visible(False)
        words = {times: f"play {times} times the ante" if times else "check" for times in colours}
        axes.legend(
            handles=[Patch(color=colours[times], label=words[times]) for times in sorted(colours)],
            loc="upper center",
            bbox_to_anchor=(0.5, -0.01),
            ncols=len(colours),
            frameon=False,
        )
        return _svg(figure)


def _figure(height: float, margins: tuple[float, float, float, float]) -> tuple[Figure, Axes]:
    """A column wide, with its margins in inches: left, right, below and above the axes."""
    figure = Figure(figsize=(WIDTH, height))
    FigureCanvasSVG(figure)
    left, right, below, above = margins
    size = (WIDTH - left - right) / WIDTH, (height - below - above) / height
    axes = figure.add_axes((left / WIDTH, below / height, *size))
    return figure, axes


def _svg(figure: Figure) -> str:
    """The bare <svg> element, without what a file of its own would need."""
    out = StringIO()
    figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return out.getvalue()[out.getvalue().index("<svg") :]


def inline(svg: str, name: str, title: str) -> str:
    """To stand in a page beside others: ids of its own, words for who cannot see it."""
    svg = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{name}-", svg)
    return svg.replace("<svg ", f'<svg role="img" aria-label="{title}" ', 1)
