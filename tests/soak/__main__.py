"""The long comparison with the reference solver: see docs/soak.md."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from tests.soak.errors import ERRORS
from tests.soak.measured import SharingReference
from tests.soak.soak import Soak
from tests.soak.vocabulary import lexica_at_hand

REPORT_SECONDS = 60.0


def main() -> int:
    """Returns the exit code: 1 if a difference has been found, now or before."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="stop after so long (default: 60)")
    parser.add_argument("--positions", type=int, help="stop after so many positions more")
    parser.add_argument("--seed", type=int, default=1, help="of the positions (default: 1)")
    parser.add_argument("--first", type=int, default=0, help="number of the first position (default: 0)")
    parser.add_argument("--lexica", default=",".join(lexica_at_hand()), help="default: %(default)s")
    parser.add_argument("--no-ray", action="store_true", help="no share of the positions through Ray")
    parser.add_argument("--state", type=Path, default=Path("soak.json"), help="file to go on with (default: soak.json)")
    parser.add_argument("--error", choices=ERRORS, help="put a deliberate error into the reference: must be noticed")
    arguments = parser.parse_args()
    reference = ERRORS[arguments.error] if arguments.error else SharingReference
    new = Soak(arguments.seed, arguments.lexica.split(","), arguments.first, ray=not arguments.no_ray)
    soak = new.read(arguments.state)
    until = time.monotonic() + 60 * arguments.minutes
    last = sys.maxsize if arguments.positions is None else soak.next + arguments.positions
    next_report = 0.0
    while (now := time.monotonic()) < until and soak.next < last:
        for difference in soak.step(reference):
            print(difference, flush=True)
        soak.write(arguments.state)
        if now >= next_report:
            next_report = now + REPORT_SECONDS
            print(soak.summary(), file=sys.stderr, flush=True)
    print(soak.tallied())
    print(soak.summary())
    return 1 if soak.differences else 0


if __name__ == "__main__":
    sys.exit(main())
