"""One soak: how far it has come, what it has compared, and what it has found."""

from __future__ import annotations

import json
import os
import time
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from tests.kernels.adapter import check_endgame, settled_plays
from tests.reference.positions import RandomPosition
from tests.reference.reference import Play, Reference
from tests.soak.measured import SharingReference, TooLong
from tests.soak.questions import QUESTIONS_PER_BOARD, Question, question
from tests.soak.ways import kernel_differences
from tests.soak.whole import whole_differences

MOST_STATES = 20_000  # that the reference settles for one question
TALLIED = ("positions", "plays", "outcomes")


@dataclass
class Soak:
    """How far a soak has come. ``next``: the number of the next position of the seed."""

    seed: int
    lexica: list[str]
    next: int = 0
    ray: bool = True
    compared: int = 0
    plays: int = 0
    outcomes: int = 0
    spreads: int = 0
    endgames: int = 0
    passed_over: int = 0
    seconds: float = 0.0
    tallies: dict[str, list[int]] = field(default_factory=dict)
    differences: list[str] = field(default_factory=list)

    def read(self, path: Path) -> Soak:
        """The soak that a file holds, or this one. Raises SystemExit if the file is of another soak."""
        if not path.exists():
            return self
        soak = Soak(**json.loads(path.read_text()))
        if (soak.seed, soak.lexica) != (self.seed, self.lexica):
            asked = f"--seed {soak.seed} --lexica {','.join(soak.lexica)}"
            raise SystemExit(f"{path}: holds another soak; give {asked} or another --state")
        return soak

    def write(self, path: Path) -> None:
        """Replace the file: whole or not at all."""
        new = path.with_name(f"{path.name}.new")
        new.write_text(json.dumps(asdict(self), indent=1))
        os.replace(new, path)

    def step(self, kind: type[SharingReference] = SharingReference) -> list[str]:
        """Compare the next position with a reference of this kind: the differences found."""
        started = time.monotonic()
        asked = question(self.seed, self.next, tuple(self.lexica), self.ray)
        found = [] if asked is None else self._compare(asked, kind)
        self.passed_over += asked is None
        self.next += 1
        self.seconds += time.monotonic() - started
        self.differences += found
        return found

    def _compare(self, asked: Question, kind: type[SharingReference]) -> list[str]:
        reference = kind(asked.shared, MOST_STATES)
        whole = asked.way.startswith("whole")
        try:
            expected = self._expected(reference, asked, whole)
        except TooLong:
            self.passed_over += 1
            return []
        self._count(asked, expected)
        faults = whole_differences(asked, expected) if whole else kernel_differences(asked, expected)
        if (self.next % QUESTIONS_PER_BOARD) == 0:
            faults += self._endgame_differences(asked.position)
        return [f"{fault}\n  in {asked}" for fault in faults]

    def _expected(self, reference: Reference, asked: Question, whole: bool) -> dict[str, Play]:
        if not whole:
            return settled_plays(reference, asked.position, asked.opponent)
        plays = reference.solve(*asked.position.solve_arguments(), opponent=asked.opponent)
        return {play.move: play for play in plays}

    def _count(self, asked: Question, expected: dict[str, Play]) -> None:
        outcomes = [outcome for play in expected.values() for _, outcome in play.outcomes.values()]
        self.compared += 1
        self.plays += len(expected)
        self.outcomes += len(outcomes)
        self.spreads += sum(len(play.spreads or ()) for play in expected.values())
        decided = "all alike" if len(set(outcomes)) < 2 else "mixed"
        tied = "with ties" if "D" in outcomes else "without ties"
        for kind in [*asked.kinds(), f"outcomes: {decided}", f"outcomes: {tied}"]:
            tally = self.tallies.setdefault(kind, [0] * len(TALLIED))
            for place, more in enumerate((1, len(expected), len(outcomes))):
                tally[place] += more

    def _endgame_differences(self, position: RandomPosition) -> list[str]:
        """The position with its bag taken away: the exact gain, and a line of play that brings it."""
        self.endgames += 1
        try:
            check_endgame(replace(position, unseen=position.unseen[position.bag_size :], known=""))
        except AssertionError as error:
            return [f"endgame: {error}"]
        return []

    def tallied(self) -> str:
        """A line for each kind of position."""
        rows = [
            f"{kind:<34}" + "".join(f"{number:>10,}" for number in self.tallies[kind]) for kind in sorted(self.tallies)
        ]
        return "\n".join([f"{'':<34}" + "".join(f"{name:>10}" for name in TALLIED), *rows])

    def summary(self) -> str:
        """One line."""
        return (
            f"{self.compared:,} positions (to number {self.next:,}, {self.passed_over} passed over),"
            f" {self.plays:,} plays, {self.outcomes:,} outcomes, {self.spreads:,} spreads, {self.endgames} endgames"
            f" compared in {self.seconds / 60:.1f} minutes: {len(self.differences)} differences"
        )
