"""The long comparison with the reference solver: thousands of random positions, seeded, resumable.

``python -m tests.soak --minutes 60`` compares every outcome and spread of every play of position after position, the
endgame of each with its bag taken away, a tenth of them under the rational model too, and each again with hardly any
memory. What it has done stands in a small JSON file; the next call with that file goes on after it.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from tests.kernels.adapter import KernelPosition, check_endgame, enable_words, reference_plays
from tests.reference.positions import RandomPosition, random_position

LONGEST_WORD = 6
RATIONAL_EVERY = 10
REPORT_SECONDS = 60.0
SMALL_TABLE = 1 << 10
SMALL_ARENA = 1 << 15


@dataclass
class Soak:
    """How far a soak has come. ``next``: the number of the next position of the seed."""

    seed: int
    next: int = 0
    compared: int = 0
    plays: int = 0
    outcomes: int = 0
    rational: int = 0
    seconds: float = 0.0
    differences: list[str] = field(default_factory=list)

    @classmethod
    def read(cls, path: Path, seed: int) -> Soak:
        """The soak that a file holds, or a new one. Raises SystemExit if the file is of another seed."""
        if not path.exists():
            return cls(seed)
        soak = cls(**json.loads(path.read_text()))
        if soak.seed != seed:
            raise SystemExit(f"{path}: holds the soak of seed {soak.seed}; give --seed {soak.seed} or another --state")
        return soak

    def write(self, path: Path) -> None:
        """Replace the file: whole or not at all."""
        new = path.with_name(f"{path.name}.new")
        new.write_text(json.dumps(asdict(self), indent=1))
        os.replace(new, path)

    def step(self) -> None:
        """Compare the next position."""
        started = time.monotonic()
        position = random_position(enable_words(LONGEST_WORD), self.seed, self.next)
        self.differences += self._guaranteed(position)
        if self.next % RATIONAL_EVERY == 0:
            self.differences += rational_differences(position)
            self.rational += 1
        self.next += 1
        self.compared += 1
        self.seconds += time.monotonic() - started

    def _guaranteed(self, position: RandomPosition) -> list[str]:
        found = KernelPosition(position).plays()
        if KernelPosition(position, SMALL_TABLE, SMALL_ARENA).plays() != found:
            return [f"with little memory: {position}"]
        expected = reference_plays(position)
        self.plays += len(expected)
        self.outcomes += sum(len(play.outcomes) for play in expected.values())
        if set(found) != set(expected):
            return [f"plays: {position}"]
        wrong = [
            f"{name}: {position}"
            for name, play in expected.items()
            if (found[name].score, found[name].outcomes, found[name].spreads)
            != (play.score, play.outcomes, play.spreads)
        ]
        try:
            check_endgame(replace(position, unseen=position.unseen[position.bag_size :], known=""))
        except AssertionError as error:
            wrong.append(f"endgame: {error}")
        return wrong


def rational_differences(position: RandomPosition) -> list[str]:
    """Plays whose outcomes under the rational model are not the reference's."""
    kernels = KernelPosition(position)
    kernels.opponent = "rational"
    found = kernels.plays(with_spreads=False)
    expected = reference_plays(position, "rational").values()
    return [f"rational, {play.move}: {position}" for play in expected if found[play.move].outcomes != play.outcomes]


def main() -> int:
    """Returns the exit code: 1 if a difference has been found, now or before."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=60.0, help="stop after so long (default: 60)")
    parser.add_argument("--seed", type=int, default=1, help="of the positions (default: 1)")
    parser.add_argument("--state", type=Path, default=Path("soak.json"), help="file to go on with (default: soak.json)")
    arguments = parser.parse_args()
    soak = Soak.read(arguments.state, arguments.seed)
    until = time.monotonic() + 60 * arguments.minutes
    next_report = 0.0
    while (now := time.monotonic()) < until:
        known = len(soak.differences)
        soak.step()
        soak.write(arguments.state)
        for difference in soak.differences[known:]:
            print(difference)
        if now >= next_report:
            next_report = now + REPORT_SECONDS
            print(summary(soak), file=sys.stderr, flush=True)
    print(summary(soak))
    return 1 if soak.differences else 0


def summary(soak: Soak) -> str:
    """One line."""
    return (
        f"{soak.compared} positions, {soak.plays} plays, {soak.outcomes} outcomes compared"
        f" ({soak.rational} positions under the rational model too) in {soak.seconds / 60:.1f} minutes:"
        f" {len(soak.differences)} differences"
    )


if __name__ == "__main__":
    sys.exit(main())
