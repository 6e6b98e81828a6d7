"""Print a `pegray bench --json` file as the Markdown table of docs/performance.md."""

from __future__ import annotations

import argparse

from pegray.bench.measure import read_measurements
from pegray.bench.positions import bench_positions
from pegray.display.bench import answer, per_endgame
from pegray.text.numbers import number


def main() -> None:
    """Read the file named on the command line and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("measurements", metavar="BENCH.json")
    questions = {position.name: position.question for position in bench_positions()}
    headings = ["position", "what is asked", "CPU s", "nodes", "endgames"]
    headings += ["nodes an endgame (median / 99% / most)", "table hits", "answer"]
    print("| " + " | ".join(headings) + " |")
    print("|---" * len(headings) + "|")
    for name, measurement in read_measurements(parser.parse_args().measurements).items():
        cells = [
            name,
            questions.get(name, ""),
            number(measurement.cpu_seconds),
            number(measurement.nodes),
            number(measurement.endgames),
            per_endgame(measurement),
            f"{measurement.table_hits:.0%}",
            answer(measurement),
        ]
        print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
