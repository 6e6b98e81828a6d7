"""Plots of one result or of a run, each a matplotlib figure.

Wins are blue, ties yellow, losses vermilion (colours that colour-blind readers tell apart); what is not settled is
grey, and what the opponent would have to find or stumble into is hatched. Every function raises PegrayError if
matplotlib is not installed, and InputError if there is nothing to plot.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pegray.errors import InputError, PegrayError
from pegray.game.tiles import letters_first
from pegray.results.model import SolveResult
from pegray.results.play import Outcome, PlayResult
from pegray.results.read import Run
from pegray.terms import WDL

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = {WDL.WIN: "#0072B2", WDL.TIE: "#F0E442", WDL.LOSS: "#D55E00"}
# What is only possible: a paler ground, hatched in the colour itself.
_PALE = {WDL.TIE: "#FBF7B8", WDL.LOSS: "#F8D9C4"}
_TEXT = {WDL.WIN: "white", WDL.TIE: "black", WDL.LOSS: "white"}
_WORDS = {WDL.WIN: "won", WDL.TIE: "tied", WDL.LOSS: "lost", None: "not settled"}
_UNSETTLED = "#DDDDDD"
_MUTED = "#777777"
# One colour and one marker for each number of tiles in the bag or left in it.
_BAG_COLOURS = ("#000000", "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00")
_BAG_MARKERS = "osD^vPX"
_LEAST_SECONDS = 0.01  # what is shorter says nothing
_POSSIBLE = "////"

_Share = tuple[WDL | None, bool]
"""An outcome (None: not settled), and whether it is only a possible one."""

_SHARES: tuple[_Share, ...] = (
    (WDL.WIN, False),
    (None, False),
    (WDL.TIE, True),
    (WDL.TIE, False),
    (WDL.LOSS, True),
    (WDL.LOSS, False),
)


def ranked_plays(result: SolveResult, rows: int = 12) -> Figure:
    """The first plays of a result: how much of the draws each wins, ties and loses, and what is not settled."""
    plays = _first(result.plays, rows)
    figure, axes = _figure(7.2, 1.3 + 0.34 * len(plays))
    for row, play in enumerate(plays):
        start = 0.0
        for label, possible, width in _shares(play):
            _bar(axes, row, start, width, label, possible)
            start += width
        _at_right(axes, row, _points(play))
    axes.set_yticks(range(len(plays)), [f"{play.move}, {play.score}" for play in plays])
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(plays) - 0.4, -0.6)
    axes.set_xlim(0, result.total)
    axes.set_ylabel("play, its score")
    axes.set_xlabel(f"draws, of {result.total:,}")
    _at_right(axes, -0.8, "points")
    _legend(axes, [share for play in plays for share in _shares(play)])
    return figure


def outcome_grid(result: SolveResult, rows: int = 12, columns: int = 36) -> Figure:
    """Plays against what is in the bag: the outcome of each.

    A column is a set of tiles in the bag; of the orders in which they may come, the worst outcome is shown. The sets
    lost most often come first, and no more than ``columns`` of them.
    """
    plays = _first([play for play in result.plays if play.outcomes], rows)
    distribution = result.position.distribution

    def bag(outcome: Outcome) -> str:
        tiles = distribution.parse_tiles(outcome.drawn + outcome.stays)
        return distribution.format_tiles(letters_first(tiles))

    cells: dict[tuple[int, str], Outcome] = {}
    for row, play in enumerate(plays):
        for outcome in play.outcomes:
            key = row, bag(outcome)
            if key not in cells or _badness(outcome) > _badness(cells[key]):
                cells[key] = outcome
    lost = {name: 0.0 for _, name in cells}
    for (_, name), outcome in cells.items():
        lost[name] += 1 - outcome.outcome.points
    shown = sorted(lost, key=lambda name: (-lost[name], name))[:columns]

    figure, axes = _figure(1.9 + max(3.0, 0.42 * len(shown)), 1.3 + 0.36 * len(plays))
    for row in range(len(plays)):
        for column, name in enumerate(shown):
            _cell(axes, row, column, cells.get((row, name)))
    axes.set_xticks(range(len(shown)), shown, rotation=90 if max(map(len, shown)) > 2 else 0)
    axes.set_yticks(range(len(plays)), [play.move for play in plays])
    axes.set_xlim(-0.5, len(shown) - 0.5)
    axes.set_ylim(len(plays) - 0.5, -0.5)
    axes.tick_params(length=0)
    axes.set_xlabel("tiles in the bag" if result.bag > 1 else "tile in the bag")
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)
    _legend(axes, [(cell.outcome, cell.is_possible, 1) for cell in cells.values()])
    return figure


def known_rack_price(blind: SolveResult, known: Mapping[str, SolveResult]) -> Figure:
    """What it is worth to see the opponent's rack: final spreads of the best play without and with knowing it.

    blind: a result whose best play has its spreads; known: for each tile that may be in the bag, the result with the
    rack known that the opponent holds then
    """
    best = blind.best
    if best is None or best.spread is None:
        raise InputError("no spreads to compare: the best play was not tie-broken")
    spreads = {outcome.drawn: outcome.spread for outcome in best.outcomes}
    figure, axes = _figure(7.2, 1.2 + 0.42 * len(known))
    axes.axvline(0, color=_MUTED, linewidth=1, zorder=0)
    for row, (tile, result) in enumerate(known.items()):
        informed, without = result.best, spreads.get(tile)
        if informed is None or informed.spread is None or without is None:
            raise InputError(f"no spread for {tile} in the bag")
        axes.plot([without, informed.spread], [row, row], color=_UNSETTLED, linewidth=3, zorder=1)
        axes.plot(without, row, "o", color=COLOURS[WDL.LOSS], markerfacecolor="white", markersize=9, zorder=2)
        axes.plot(informed.spread, row, "o", color=COLOURS[WDL.WIN], markersize=6, zorder=3)
        _at_right(axes, row, informed.move)
    axes.set_yticks(range(len(known)), list(known))
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(known) - 0.5, -0.5)
    axes.set_ylabel("tile in the bag")
    axes.set_xlabel("final spread, points (0 is a tie)")
    axes.plot(
        [], [], "o", color=COLOURS[WDL.LOSS], markerfacecolor="white", markersize=9, label=f"not knowing: {best.move}"
    )
    axes.plot([], [], "o", color=COLOURS[WDL.WIN], markersize=6, label="knowing: the play at the right")
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, frameon=False, borderaxespad=0)
    return figure


def win_pct_against_score(run: Run) -> Figure:
    """Win % of the finished plays of a run against their score and against the number of tiles played."""
    plays = _rows(run, "select score, tiles, win_pct from plays where status = 'finished' order by all")
    figure, (by_score, by_tiles) = _figure(9, 4, columns=2)
    dots = by_score.scatter(
        [play["score"] for play in plays],
        [play["win_pct"] for play in plays],
        c=[play["tiles"] for play in plays],
        cmap="viridis",
        s=14,
        alpha=0.6,
        linewidths=0,
        vmin=0,
        vmax=7,
    )
    figure.colorbar(dots, ax=by_score, label="tiles played", ticks=range(8))
    by_score.set_xlabel("score of the play, points")
    by_score.set_ylabel("draws won (a tie counts half), %")
    tiles = sorted({play["tiles"] for play in plays})
    groups = [[play["win_pct"] for play in plays if play["tiles"] == count] for count in tiles]
    _boxes(by_tiles, groups, [f"{count}\n{len(group):,}" for count, group in zip(tiles, groups, strict=True)])
    by_tiles.set_xlabel("tiles played (below: number of plays)")
    for axes in (by_score, by_tiles):
        axes.set_ylim(-3, 103)
    return figure


def price_of_top_score(run: Run) -> Figure:
    """What choosing by score costs: the win % by which the play with the highest score is worse than the best.

    Where that play was cut off, it costs at least what is shown. Positions that are not finished are left out.
    """
    positions = _rows(
        run,
        """select name, best.move, best.win_pct - 100 * (top.total - top.found_losses) / top.total as price,
                  top.status <> 'finished' as at_least
           from best_plays best join (
               from plays where status <> 'skipped'
               qualify row_number() over (partition by position_id order by score desc, rank nulls last, move) = 1
           ) top using (position_id)
           where position_id not in (select position_id from plays where status = 'unfinished')
           order by price desc, best.position_id""",
    )
    figure, axes = _figure(7.2, 1.2 + 0.3 * len(positions))
    for row, position in enumerate(positions):
        price = position["price"]
        axes.plot([0, price], [row, row], color=_UNSETTLED, linewidth=3, zorder=1, solid_capstyle="butt")
        fill = "white" if position["at_least"] else COLOURS[WDL.LOSS]
        axes.plot(price, row, "o", color=COLOURS[WDL.LOSS], markerfacecolor=fill, markersize=6, zorder=2, clip_on=False)
        _at_right(axes, row, position["move"])
    axes.set_yticks(range(len(positions)), [position["name"] for position in positions])
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(positions) - 0.5, -0.5)
    axes.set_xlim(0)
    axes.set_xlabel("win % lost by the highest score (at the right: the best play)")
    axes.plot([], [], "o", color=COLOURS[WDL.LOSS], label="exact")
    axes.plot([], [], "o", color=COLOURS[WDL.LOSS], markerfacecolor="white", label="at least (the play was cut off)")
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, frameon=False, borderaxespad=0)
    return figure


def solve_cost(run: Run) -> Figure:
    """CPU seconds of each position against its nodes; hollow: it was not finished."""
    positions = _rows(
        run,
        """select bag, nodes, cpu_seconds,
                  position_id in (select position_id from plays where status = 'unfinished') as unfinished
           from hardest_positions where nodes > 0 and cpu_seconds > 0""",
    )
    figure, axes = _figure(7.2, 4)
    from matplotlib.ticker import EngFormatter, LogLocator, NullFormatter, StrMethodFormatter

    for position in positions:
        bag, colour = position["bag"], _BAG_COLOURS[position["bag"]]
        fill = "white" if position["unfinished"] else colour
        axes.plot(position["nodes"], position["cpu_seconds"], _BAG_MARKERS[bag], color=colour, markerfacecolor=fill)
    for bag in sorted({position["bag"] for position in positions}):
        axes.plot([], [], _BAG_MARKERS[bag], color=_BAG_COLOURS[bag], label=f"{bag} in the bag")
    axes.set_xscale("log")
    axes.set_yscale("log")
    for axis, unit in ((axes.xaxis, EngFormatter(sep="")), (axes.yaxis, StrMethodFormatter("{x:g}"))):
        axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axis.set_major_formatter(unit)
        axis.set_minor_formatter(NullFormatter())
    axes.set_xlabel("endgame nodes searched (hollow: stopped before the end)")
    axes.set_ylabel("CPU seconds of a position")
    axes.legend(frameon=False)
    return figure


def play_cost(run: Run) -> Figure:
    """CPU milliseconds of the plays of a run by the tiles that they leave in the bag."""
    plays = _rows(run, "select tiles_left, cpu_seconds from plays where nodes > 0 and cpu_seconds > 0")
    figure, axes = _figure(5.4, 4)
    left = sorted({play["tiles_left"] for play in plays})
    groups = [[1000 * play["cpu_seconds"] for play in plays if play["tiles_left"] == count] for count in left]
    _boxes(axes, groups, [f"{count}\n{len(group):,}" for count, group in zip(left, groups, strict=True)])
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("tiles left in the bag (below: number of plays)")
    axes.set_ylabel("CPU milliseconds of a play")
    return figure


def cutoff_saving(cut: Run, whole: Run) -> Figure:
    """Nodes of the positions that two runs share, the second one made with ``early_cutoff: false``."""
    query = "select cgp, any_value(name) as name, sum(nodes) as nodes from plays join positions using (position_id)"
    query += " where status <> 'skipped' and tiles_left = 0 group by cgp"
    works = [{row["cgp"]: row for row in _rows(run, query)} for run in (cut, whole)]
    shared = sorted(works[0].keys() & works[1].keys(), key=lambda cgp: -works[1][cgp]["nodes"])
    if not shared:
        raise InputError("the runs have no position in common")
    figure, axes = _figure(7.2, 1.2 + 0.34 * len(shared))
    for row, cgp in enumerate(shared):
        few, many = (float(work[cgp]["nodes"]) for work in works)
        axes.plot([few, many], [row, row], color=_UNSETTLED, linewidth=3, zorder=1)
        axes.plot(many, row, "s", color=COLOURS[WDL.LOSS], markersize=7, zorder=2)
        axes.plot(few, row, "o", color=COLOURS[WDL.WIN], markersize=7, zorder=3)
        _at_right(axes, row, f"{many / few:.1f}x")
    axes.set_yticks(range(len(shared)), [works[0][cgp]["name"] for cgp in shared])
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(shared) - 0.5, -0.5)
    axes.set_xlim(0)
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.set_xlabel("endgame nodes searched for plays that empty the bag")
    axes.plot([], [], "o", color=COLOURS[WDL.WIN], label="with the cutoff")
    axes.plot([], [], "s", color=COLOURS[WDL.LOSS], label="every play finished")
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, frameon=False, borderaxespad=0)
    return figure


def whole_curve(answered: Mapping[int, Sequence[float | None]], cap: float) -> Figure:
    """The share of whole positions that are answered within so many CPU seconds, a line for each bag size.

    answered: for each number of tiles in the bag the CPU seconds of each position until its best points were proven;
    None where that took more than ``cap``
    """
    within = {bag: sorted(s for s in times if s is not None and s <= cap) for bag, times in answered.items() if times}
    fastest = [times[0] for times in within.values() if times]
    if not fastest:
        raise InputError("nothing to plot: no position is answered")
    start = min(10.0 ** math.floor(math.log10(max(min(fastest), _LEAST_SECONDS))), cap / 10)
    figure, axes = _figure(7.2, 4)
    for bag, times in sorted(within.items()):
        count = len(answered[bag])
        shares = [100 * (number + 1) / count for number in range(len(times))]
        colour = _BAG_COLOURS[bag]
        axes.step([start, *times, cap], [0, *shares, *(shares or [0])[-1:]], where="post", color=colour, clip_on=False)
        axes.plot(times, shares, _BAG_MARKERS[bag], color=colour, markersize=5, clip_on=False)
        axes.plot([], [], f"-{_BAG_MARKERS[bag]}", color=colour, markersize=5, label=f"{bag} in the bag ({count:,})")
    axes.set_xscale("log")
    axes.set_xlim(start, cap)
    axes.set_ylim(0, 100)
    ticks = [10.0**power for power in range(-2, 2)] + [60.0 * 10**power for power in range(4)]
    axes.set_xticks([tick for tick in ticks if start <= tick <= cap])
    axes.xaxis.set_major_formatter("{x:g}")
    axes.tick_params(axis="x", which="minor", labelbottom=False)
    axes.grid(color="#EEEEEE")
    axes.set_xlabel("CPU seconds, one core")
    axes.set_ylabel("positions answered, %")
    axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1), frameon=False, borderaxespad=0)
    return figure


def _figure(width: float, height: float, columns: int = 1) -> tuple[Figure, Any]:
    """A figure of so many inches, made without pyplot so that nothing is kept behind the caller's back."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise PegrayError("plots need matplotlib: pip install matplotlib") from None
    figure = Figure(figsize=(width, height), dpi=120, layout="constrained")
    axes = figure.subplots(1, columns)
    for one in [axes] if columns == 1 else axes:
        one.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _first(plays: Sequence[PlayResult], rows: int) -> Sequence[PlayResult]:
    if not plays:
        raise InputError("nothing to plot: no play has an outcome yet")
    return plays[:rows]


def _rows(run: Run, query: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = run.sql(query).to_pylist()
    if not rows:
        raise InputError(f"{run.uri}: nothing to plot: no play is settled yet")
    return rows


def _badness(outcome: Outcome) -> tuple[float, bool]:
    return -outcome.outcome.points, outcome.certain


def _shares(play: PlayResult) -> list[tuple[WDL | None, bool, float]]:
    """Outcome (None: not settled), whether only possible, and weight, from left to right."""
    weights: dict[_Share, float] = dict.fromkeys(_SHARES, 0)
    for outcome in play.outcomes:
        weights[outcome.outcome, outcome.is_possible] += outcome.weight
    weights[None, False] = play.total - sum(weights.values())
    return [(label, possible, weight) for (label, possible), weight in weights.items() if weight]


def _points(play: PlayResult) -> str:
    if play.points is None:
        return f"\N{LESS-THAN OR EQUAL TO} {play.total - play.found_losses:,g}"
    return f"{play.points:,g}"


def _fill(label: WDL | None, possible: bool) -> dict[str, Any]:
    """How a bar, cell or legend entry of an outcome is painted."""
    if possible and label is not None:
        return {"facecolor": _PALE[label], "hatch": _POSSIBLE, "edgecolor": COLOURS[label], "linewidth": 0}
    ground = _UNSETTLED if label is None else COLOURS[label]
    return {"facecolor": ground, "edgecolor": "white", "linewidth": 0.8}


def _bar(axes: Axes, row: int, start: float, width: float, label: WDL | None, possible: bool) -> None:
    axes.barh(row, width, left=start, height=0.7, **_fill(label, possible))


def _cell(axes: Axes, row: int, column: int, outcome: Outcome | None) -> None:
    if outcome is None:
        axes.bar(column, 0.92, bottom=row - 0.46, width=0.92, color="#F4F4F4")
        return
    label = outcome.outcome
    possible = outcome.is_possible
    axes.bar(column, 0.92, bottom=row - 0.46, width=0.92, **_fill(label, possible))
    text, colour = (f"{label}?", "black") if possible else (label, _TEXT[label])
    ground = {"facecolor": _PALE[label], "edgecolor": "none", "boxstyle": "round,pad=0.15"} if possible else None
    axes.text(column, row, text, ha="center", va="center", color=colour, fontweight="bold", fontsize=9, bbox=ground)


def _at_right(axes: Axes, row: float, text: str) -> None:
    """A note beside a row, outside the axes."""
    axes.annotate(text, (1.02, row), xycoords=axes.get_yaxis_transform(), va="center", annotation_clip=False)


def _legend(axes: Axes, shares: Sequence[tuple[WDL | None, bool, float]]) -> None:
    """A legend above the plot of the outcomes that occur."""
    from matplotlib.patches import Patch

    occurring = {(label, possible) for label, possible, _ in shares}
    handles = []
    for label, word in _WORDS.items():
        for possible in (False, True):
            if (label, possible) in occurring:
                handles.append(Patch(label=f"possibly {word}" if possible else word, **_fill(label, possible)))
    axes.legend(
        handles=handles,
        loc="lower left",
        bbox_to_anchor=(0, 1.01),
        ncols=len(handles),
        frameon=False,
        borderaxespad=0,
        handlelength=1.2,
        columnspacing=1.2,
    )


def _boxes(axes: Axes, groups: Sequence[Sequence[float]], labels: Sequence[str]) -> None:
    """One box for each group: median, quartiles, and whiskers to the 5th and 95th percentile."""
    axes.boxplot(
        groups,
        whis=(5, 95),
        widths=0.6,
        patch_artist=True,
        boxprops={"facecolor": "#CFE3F1", "edgecolor": COLOURS[WDL.WIN]},
        medianprops={"color": COLOURS[WDL.LOSS], "linewidth": 2},
        whiskerprops={"color": COLOURS[WDL.WIN]},
        capprops={"color": COLOURS[WDL.WIN]},
        flierprops={"marker": ".", "markersize": 3, "markeredgecolor": _MUTED, "alpha": 0.5},
    )
    axes.set_xticks(range(1, len(labels) + 1), labels)
