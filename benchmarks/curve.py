"""Draw how many whole positions are answered within so many CPU seconds, from files of `pegray bench --whole`.

python benchmarks/curve.py benchmarks/history/whole-*.json -o docs/images/whole-curve.png
"""

from __future__ import annotations

import argparse
import sys

from pegray.bench.record import read_run
from pegray.errors import InputError, PegrayError
from pegray.results.plots import whole_curve


def main() -> None:
    """Read the files named on the command line and save the picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", metavar="WHOLE.json")
    parser.add_argument("-o", "--out", required=True, metavar="FILE.png")
    arguments = parser.parse_args()
    try:
        draw(arguments.runs, arguments.out)
    except PegrayError as error:
        sys.exit(f"curve.py: error: {error}")


def draw(paths: list[str], out: str) -> None:
    """The picture of several runs together, up to the smallest of their caps."""
    runs = [read_run(path) for path in paths]
    answered: dict[int, list[float | None]] = {}
    for run in runs:
        for measurement in run.positions:
            answered.setdefault(measurement.bag, []).append(measurement.answered_cpu_seconds)
    figure = whole_curve(answered, min(run.cap_cpu_seconds for run in runs))
    try:
        figure.savefig(out)
    except OSError as error:
        raise InputError(f"{out}: {error.strerror}") from None


if __name__ == "__main__":
    main()
