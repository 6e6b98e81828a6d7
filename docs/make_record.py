"""Fills in the tables of docs/record.md from its own SQL, and draws its pictures: ``python docs/make_record.py``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import duckdb

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "record.md"
IMAGES = ROOT / "docs" / "images"
# A query, and the table of its answer that follows.
_ANSWERED = re.compile(r"(```sql\n(.*?)```\n\n)((?:\|[^\n]*\n)*)", re.DOTALL)
_BLUE, _VERMILION, _MUTED, _PALE = "#0072B2", "#D55E00", "#777777", "#CFE3F1"

AT_STAKE = "state = 'answered' and best_points > 0 and best_points < total"


def filled(page: str) -> str:
    """The page with every table as its query answers it now."""
    with connection() as record:
        return _ANSWERED.sub(lambda found: found[1] + _table(record, found[2]), page)


def connection() -> duckdb.DuckDBPyConnection:
    """DuckDB, where files are named from the root of the project."""
    record = duckdb.connect()
    record.execute(f"set file_search_path = '{ROOT}'")
    return record


def _table(record: duckdb.DuckDBPyConnection, query: str) -> str:
    answer = record.sql(query)
    names = [name.replace("_", " ") for name in answer.columns]
    rows = [names, ["---"] * len(names), *([_cell(value) for value in row] for row in answer.fetchall())]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows).replace(" --- ", "---").replace("| ---", "|---")


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:,}" if isinstance(value, int) else f"{value:,.10g}" if isinstance(value, float) else str(value)


def draw() -> None:
    """Draw the pictures of the page."""
    from pegray import plots

    with connection() as record:
        for name, figure in (
            ("ahead", _ahead(record)),
            ("price", _price(record)),
            ("tiles", _tiles(record)),
            ("cost", plots.whole_curve(_costs(record), 120)),
        ):
            figure.savefig(IMAGES / f"record-{name}.png")


def _ahead(record: duckdb.DuckDBPyConnection) -> Any:
    """What the best play wins against how far we are ahead before it, one in the bag."""
    rows = record.sql(
        """select 10 * round(ahead / 10)::int as ahead, count(*), 100 * quantile_cont(best_points / total, 0.25),
                  100 * median(best_points / total), 100 * quantile_cont(best_points / total, 0.75),
                  100 * avg(best_points / total)
           from 'record/positions.parquet' where state = 'answered' and bag = 1
           group by 1 having count(*) >= 5 order by 1"""
    ).fetchall()
    figure, axes = _figure(7.2, 3.8)
    aheads, counts, low, middle, high, mean = zip(*rows, strict=True)
    axes.vlines(aheads, low, high, color=_PALE, linewidth=14, label="half of the positions")
    axes.plot(aheads, middle, "_", color=_BLUE, markersize=15, markeredgewidth=2.5, label="median")
    axes.plot(aheads, mean, "o-", color=_VERMILION, markersize=5, linewidth=1, label="mean")
    axes.set_xticks(aheads, [f"{ahead:+d}\n{count}" for ahead, count in zip(aheads, counts, strict=True)])
    axes.set_ylim(-2, 102)
    axes.set_xlabel("points ahead before the play, to the nearest ten (below: number of positions)")
    axes.set_ylabel("draws won by the best play, %")
    axes.legend(frameon=False, loc="upper left")
    return figure


def _price(record: duckdb.DuckDBPyConnection) -> Any:
    """By how much the highest score is worse than the best play, where something is at stake."""
    prices = [
        price
        for (price,) in record.sql(
            f"""select 100 * (best_points - (select max(at_most) from 'record/plays.parquet' plays
                                        where plays.position_id = positions.position_id and highest)) / total
                from 'record/positions.parquet' positions where {AT_STAKE}"""
        ).fetchall()
    ]
    figure, axes = _figure(7.2, 3.4)
    edges = [-6.25 + 12.5 * edge for edge in range(10)]
    counts, _, bars = axes.hist(prices, bins=edges, rwidth=0.9, color=_VERMILION)
    bars[0].set_color(_BLUE)
    for count, bar in zip(counts, bars, strict=True):
        axes.annotate(f"{int(count)}", (bar.get_x() + bar.get_width() / 2, count), ha="center", va="bottom")
    axes.set_xticks([12.5 * step for step in range(9)])
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("win % lost by the highest score, in steps of one draw of eight (blue: less than half a draw)")
    axes.set_ylabel("positions")
    return figure


def _tiles(record: duckdb.DuckDBPyConnection) -> Any:
    """What a tile in the bag is worth to who draws it with the best play, one in the bag."""
    rows = record.sql(
        f"""with drawn as (
                select position_id, drawn, weight,
                       case outcome when 'W' then 1 when 'D' then 0.5 else 0 end - best_points / total as gain
                from 'record/outcomes.parquet' join 'record/positions.parquet' positions using (position_id)
                where bag = 1 and move = best and length(drawn) = 1 and {AT_STAKE}
            )
            select drawn, 100 * sum(weight * gain) / sum(weight) as gain, count(*)
            from drawn group by 1 having count(*) >= 5 order by gain"""
    ).fetchall()
    figure, axes = _figure(7.2, 3.4)
    for place, (_, gain, count) in enumerate(rows):
        axes.bar(place, gain, color=_BLUE if gain > 0 else _VERMILION)
        axes.annotate(f"{count}", (place, gain), ha="center", va="bottom" if gain > 0 else "top", fontsize=7)
    axes.axhline(0, color=_MUTED, linewidth=1)
    axes.set_xticks(range(len(rows)), [tile for tile, _, _ in rows])
    axes.margins(y=0.12)
    axes.set_xlabel("tile that is drawn (at its bar: in how many positions)")
    axes.set_ylabel("win % more than with\nany tile (mean)")
    return figure


def _costs(record: duckdb.DuckDBPyConnection) -> dict[int, list[float | None]]:
    """CPU seconds of each position by its tiles in the bag, None where it is open."""
    rows = record.sql("select bag, cpu_seconds, state from 'record/positions.parquet' order by bag").fetchall()
    costs: dict[int, list[float | None]] = {}
    for bag, seconds, state in rows:
        costs.setdefault(bag, []).append(None if state == "open" else max(seconds, 0.01))
    return costs


def _figure(width: float, height: float) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), dpi=120, layout="constrained")
    axes = figure.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    draw()
