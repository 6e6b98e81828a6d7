"""Wall seconds of bench positions with one worker and with more, on solvers that have started already.

python benchmarks/workers.py nested one-7 --workers 1 2 --repeat 3
"""

from __future__ import annotations

import argparse
import threading
import time

from pegray.bench.positions import BenchPosition, bench_positions
from pegray.cluster.executor import ray_pool
from pegray.game.position import Position
from pegray.lexicon.find import find_lexicon
from pegray.preendgame.problem import Problem
from pegray.results.model import SolveStats
from pegray.runs.driver import Solving


def main() -> None:
    """Print a row of the table in docs/performance.md for each position.

    The fastest of the repetitions, and of each the time of the last number of workers as a share of the first's.
    """
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="+", metavar="NAME")
    parser.add_argument("--workers", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--repeat", type=int, default=1)
    arguments = parser.parse_args()
    named = {bench.name: bench for bench in bench_positions()}
    for name in arguments.names:
        # in turn, so that a machine that slows down slows all of them down
        rounds = [[stats_with(named[name], n) for n in arguments.workers] for _ in range(arguments.repeat)]
        fastest = [min(tries, key=lambda stats: stats.seconds) for tries in zip(*rounds, strict=True)]
        shares = [f"{many[-1].seconds / many[0].seconds:.0%}" for many in rounds]
        cells = [
            f"{stats.seconds:.1f} s ({stats.seconds / fastest[0].seconds:.0%}; {stats.cpu_seconds:.1f} CPU, "
            f"{stats.nodes:,} nodes)"
            for stats in fastest
        ]
        print("|", " | ".join([name, *cells, ", ".join(shares)]), "|", flush=True)


def stats_with(bench: BenchPosition, workers: int) -> SolveStats:
    """Solve it on a private Ray of so many CPUs; the clock starts when its solvers are ready."""
    position = Position.from_cgp(bench.cgp)
    problem = Problem.create(position, find_lexicon(bench.lexicon, position.distribution), bench.options)
    with ray_pool("local", workers, None, most=1) as place, place.open(problem) as executor:
        return Solving(problem, executor, None, threading.Event(), time.monotonic(), None, None).wait().stats


if __name__ == "__main__":
    main()
