"""Build the tables of the record from its runs: positions, plays and outcomes, as Parquet files in the folder record.

python jobs/record_tables.py runs/record runs/record-level
"""

from __future__ import annotations

import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

import pegray
from pegray.results.views import query_runs, run_names

RECORD = Path(__file__).parents[1] / "record"

# Each position that was begun, with the run that knows most of it, of several the last one; it is numbered by its tiles
# in the bag and its line in jobs/record. What it has cost is what the first run has spent on it, which is the one that
# sought the answer.
CHOSEN = """
    with told as (
        select *, list_position([{runs}], run) as number, regexp_extract(source, ':([0-9]+)$', 1)::int as line
        from positions semi join plays using (run, position_id)
    ),
    chosen as (
        select row_number() over (order by bag, line) - 1 as id, *
        from (
            select cgp, min_by(name, number) as name, any_value(bag) as bag, any_value(unseen) as unseen,
                   any_value(total) as total, min_by(line, number) as line,
                   min_by(run, number) as first_run, min_by(position_id, number) as first_id,
                   max_by(run, (state <> 'open', number)) as run,
                   max_by(position_id, (state <> 'open', number)) as position_id,
                   max_by(state, (state <> 'open', number)) as state
            from told group by cgp
        )
    ),
    valued as (
        select chosen.id, chosen.bag, chosen.state, plays.*,
               score = max(score) over (partition by chosen.id) as highest,
               max(points) over (partition by chosen.id) as best_points
        from plays join chosen using (run, position_id)
    ),
    kept as (
        from valued qualify status = 'finished' or highest or move = 'pass'
        or row_number() over (partition by id, tiles_left order by at_most desc, move) = 1
    )
"""

POSITIONS = """
    select id::int as position_id, name, bag, cgp,
           regexp_extract(cgp, ' ([0-9]+)/[0-9]+ ', 1)::int - regexp_extract(cgp, ' [0-9]+/([0-9]+) ', 1)::int as ahead,
           unseen, chosen.total, case state when 'open' then 'open' else 'answered' end as state,
           state = 'complete' as level_settled, best.move as best, best.points as best_points,
           bounds.best_at_least, bounds.best_at_most, bounds.plays,
           cost.nodes, cost.endgames, round(cost.cpu_seconds, 4) as cpu_seconds
    from chosen
    join (
        select id, max(at_least) as best_at_least, max(at_most) as best_at_most, count(*)::int as plays
        from valued group by id
    ) bounds using (id)
    left join (select id, move, points from valued where rank = 1) best using (id)
    join (
        select run as first_run, position_id as first_id, sum(nodes)::bigint as nodes,
               sum(endgames)::bigint as endgames, sum(cpu_seconds) as cpu_seconds
        from plays group by all
    ) cost using (first_run, first_id)
    order by id
"""

PLAYS = """
    select id::int as position_id, move, score, tiles, tiles_left, highest, status, points, wins, draws, losses,
           at_least, at_most
    from kept order by id, at_most desc, points desc nulls last, score desc, move
"""

OUTCOMES = """
    select id::int as position_id, move, draw, drawn, stays, weight, outcome::varchar as outcome, certain, reply
    from outcomes join valued using (run, position_id, move)
    where status = 'finished' and state <> 'open' and (points = best_points or highest)
    order by id, move, draw
"""


def main(runs: list[str]) -> None:
    """Write the three tables."""
    opened = [pegray.open_run(run) for run in runs]
    names = ", ".join(f"'{name}'" for name in run_names(runs))
    RECORD.mkdir(exist_ok=True)
    for table, query in (("positions", POSITIONS), ("plays", PLAYS), ("outcomes", OUTCOMES)):
        rows: pa.Table = query_runs(opened, CHOSEN.format(runs=names) + query)
        path = RECORD / f"{table}.parquet"
        pq.write_table(rows, path, compression="zstd", compression_level=19)
        print(f"{path}: {rows.num_rows:,} rows, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
