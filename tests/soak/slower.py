"""Real positions, solved the usual way and in slower ways that share less and less with it: see docs/soak.md."""

from __future__ import annotations

import argparse
import os
import pickle
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pegray.errors import InputError, PegrayError
from pegray.game.cgp import read_cgp_file
from pegray.game.position import Position
from pegray.kernels.entry import settle_spread
from pegray.kernels.memory import new_memory
from pegray.kernels.table import INFINITE
from pegray.kernels.verdicts import LOSS, WIN
from pegray.lexicon.find import lexicon_for
from pegray.preendgame.engine import legal_plays, prune_lexicon, root_workspace
from pegray.preendgame.eventualities import Eventualities
from tests.soak.asked import Answers, Asked, Unit, answer
from tests.soak.replaced import WAYS

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared" / "positions"
USUAL = "as it is"
EMPTYING, LEAVING = 5, 2  # plays of a position that are asked about, besides the pass
AHEAD = (0, 15, 30, 60, 90)  # points
_SPREAD_DRAWS = 4  # of each of those that empty the bag
_SPREAD_NODES = 20_000
_LAST_SCORELESS = 5  # another scoreless turn ends the game: no kernel settles it


@dataclass
class Row:
    """How one way compares with the usual one.

    outcomes: how many there are of each verdict
    leaving: how many come of plays that leave tiles in the bag
    """

    way: str
    plays: int = 0
    outcomes: list[int] = field(default_factory=lambda: [0] * (WIN + 1))
    leaving: int = 0
    nodes: int = 0
    differences: list[str] = field(default_factory=list)


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit code: 1 if anything differs, 2 where there is nothing to ask."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.slower", description=__doc__)
    parser.add_argument("files", nargs="+", metavar="FILE", help=f"of CGP lines: here, or in {SHARED}")
    parser.add_argument("--each", type=int, default=8, help="positions of each file (default: 8)")
    parser.add_argument("--seconds", type=float, default=8, help="CPU seconds a position and way (default: 8)")
    asked_for = parser.parse_args(arguments)
    try:
        positions = [one for name in asked_for.files for one in read(find_file(name), asked_for.each)]
        asked = [ask_about(name, position, lexicon_for(position).nodes) for name, position in positions]
    except PegrayError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 2
    rows = []
    for row in compare(asked, asked_for.seconds):
        rows.append(row)
        print("\n".join(row.differences) or f"{row.way}: no difference", flush=True)
        print(table([row]), file=sys.stderr)
    print(table(rows))
    return 1 if any(row.differences for row in rows) else 0


def find_file(name: str) -> Path:
    """The file at a path, or among the shared positions; InputError if there is none."""
    for path in (Path(name), SHARED / name):
        if path.is_file():
            return path
    raise InputError(f"{name}: neither here nor in {SHARED}")


def read(path: Path, count: int) -> list[tuple[str, Position]]:
    """The first positions of a file, by name."""
    return [(f"{path.name} line {number}", Position.from_cgp(line)) for number, line in read_cgp_file(path)[:count]]


def ask_about(name: str, position: Position, words: npt.NDArray[np.uint32]) -> Asked:
    """Plays of high scores, some that leave tiles in the bag, and the pass, each with all its draws.

    The spread is one at which about half the draws of those that empty the bag win, or some points more, since the
    opponent finds an answer to most of the others.
    """
    asked = Asked(name, position, prune_lexicon(position, words), words, ())
    events = Eventualities(position, np.zeros(position.distribution.size, np.uint8))
    emptying, leaving = _choose_plays(asked)
    spread = -_middle(asked, events, emptying)
    chance = random.Random(name)
    units = [
        Unit(move, int(draw), events.bag - drawn, spread + score + chance.choice(AHEAD))
        for move, score in emptying + leaving
        for drawn in [events.drawn(move & 7)]
        for draw in events.draws(drawn).packed
    ]
    chance.shuffle(units)  # so that those that are answered in time are of all plays
    return replace(asked, units=tuple(units))


def _choose_plays(asked: Asked) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Packed moves with their scores: some that empty the bag, and some that do not."""
    moves, scores = legal_plays(asked.position, asked.fitting)
    plays = sorted(zip(moves.tolist(), scores.tolist(), strict=True), key=lambda play: (-play[1], play[0]))
    if asked.position.scoreless == _LAST_SCORELESS:
        plays = [play for play in plays if play[1] > 0]
    bag = asked.position.bag_size
    emptying = [(move, score) for move, score in plays if move & 7 >= bag]
    leaving = [(move, score) for move, score in plays if 0 < move & 7 < bag]
    passing = [(move, score) for move, score in plays if move == 0]
    return emptying[:EMPTYING], leaving[:LEAVING] + passing


def _middle(asked: Asked, events: Eventualities, plays: list[tuple[int, int]]) -> int:
    """The median of what these plays gain in all under best play, as far as it is found with little search."""
    workspace = root_workspace(asked.position, asked.fitting, new_memory(0))
    gains = [0]
    for move, score in plays:
        draws = events.draws(events.bag).packed
        for draw in draws[:: max(1, len(draws) // _SPREAD_DRAWS)]:
            asked_for = (np.uint64(move), draw, score, 0, -INFINITE, INFINITE, _SPREAD_NODES)
            least, most, _ = settle_spread(workspace.record, *asked_for)
            if least == most:
                gains.append(int(least))
    return sorted(gains)[len(gains) // 2]


def compare(asked: Iterable[Asked], seconds: float, ways: Iterable[str] = WAYS) -> Iterator[Row]:
    """The usual way, and beside it those that are named, asked about what it has found in time."""
    usual = Row(USUAL)
    found = []
    for one in asked:
        answers, _ = answer(one, one.fitting, seconds)
        _enter(usual, one, answers, answers)
        if answers.verdicts:
            found.append((replace(one, units=tuple(answers.verdicts)), answers))
    yield usual
    for way in ways:
        row = Row(way)
        for (one, expected), answers in zip(found, ask(way, [one for one, _ in found], seconds), strict=True):
            _enter(row, one, answers, expected)
        yield row


def ask(way: str, asked: list[Asked], seconds: float) -> list[Answers]:
    """What a slower way answers, in a process of its own that keeps no machine code."""
    with tempfile.TemporaryDirectory(prefix="pegray-slower-") as name:
        folder = Path(name)
        files = folder / "asked", folder / "answers"
        files[0].write_bytes(pickle.dumps(asked))
        environment = os.environ | {"NUMBA_CACHE_DIR": name, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-m", "tests.soak.one_way", way, str(seconds), *map(str, files)]
        subprocess.run(command, env=environment, cwd=ROOT, check=True)
        answers: list[Answers] = pickle.loads(files[1].read_bytes())
    return answers


def _enter(row: Row, asked: Asked, answers: Answers, expected: Answers) -> None:
    """Add what a way has answered of one position."""
    row.nodes += answers.nodes
    row.plays += len({unit.move for unit in answers.verdicts})
    for unit, verdicts in answers.verdicts.items():
        row.leaving += len(verdicts) if unit.stays else 0
        for verdict in verdicts:
            row.outcomes[verdict] += 1
    row.differences += differences(asked, answers, expected)


def differences(asked: Asked, answers: Answers, expected: Answers) -> list[str]:
    """One line for each unit that has come to something else than expected."""
    return [
        f"{asked.name}: {unit}: {list(verdicts)}, expected {list(expected.verdicts[unit])}"
        for unit, verdicts in answers.verdicts.items()
        if verdicts != expected.verdicts[unit]
    ]


def table(rows: Iterable[Row]) -> str:
    """The rows as a Markdown table."""
    lines = [
        "| way | plays | outcomes | of these lost | behind tiles in the bag | nodes | differences |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        figures = (row.plays, sum(row.outcomes), row.outcomes[LOSS], row.leaving, row.nodes, len(row.differences))
        lines.append(f"| {row.way} | {' | '.join(f'{figure:,}' for figure in figures)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
