"""Wall seconds of bench positions with one worker and with more, on a Ray that runs already.

python benchmarks/workers.py nested one-7 --workers 1 2
"""

from __future__ import annotations

import argparse

from pegray.cluster.connect import joined
from pegray.cluster.driver import solve
from pegray.commands.measure import BenchPosition, bench_positions
from pegray.game.position import Position
from pegray.lexicon.find import find_lexicon
from pegray.preendgame.options import SolveOptions
from pegray.preendgame.problem import Problem
from pegray.results.model import SolveResult


def main() -> None:
    """Print a row of the table in docs/performance.md for each position."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="+", metavar="NAME")
    parser.add_argument("--workers", nargs="+", type=int, default=[1, 2])
    arguments = parser.parse_args()
    named = {bench.name: bench for bench in bench_positions()}
    for name in arguments.names:
        results = [solve_with(named[name], workers) for workers in arguments.workers]
        alone = results[0].stats.seconds
        cells = [
            f"{stats.seconds:.1f} s ({stats.seconds / alone:.0%}; {stats.cpu_seconds:.1f} CPU, {stats.nodes:,} nodes)"
            for stats in (result.stats for result in results)
        ]
        print("|", " | ".join([name, *cells]), "|", flush=True)


def solve_with(bench: BenchPosition, workers: int) -> SolveResult:
    """Solve it on a private Ray of so many CPUs, started before the clock."""
    position = Position.from_cgp(bench.cgp)
    problem = Problem.create(
        position, find_lexicon(bench.lexicon, position.distribution), SolveOptions(**bench.options)
    )
    with joined("local", workers):
        return solve(problem)


if __name__ == "__main__":
    main()
