"""Jobs: what a job file (job_file.py) names is found and checked before anything starts."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pegray.errors import InputError
from pegray.game.cgp import read_cgp_file
from pegray.game.gcg import read_gcg
from pegray.game.position import Position
from pegray.preendgame.guess import Size
from pegray.preendgame.options import SolveOptions
from pegray.preendgame.problem import Problem
from pegray.runs.directories import RUNS
from pegray.runs.job_file import JobFile, parse_job
from pegray.runs.options import check_table, in_seconds
from pegray.runs.plan import Plan, PlannedPosition, ProblemMaker, absolute_distribution, absolute_lexicon

_GAME = ".gcg"


@dataclass(frozen=True)
class CheckedJob:
    """A job file that can be run.

    faults: one line for each position or file that cannot be used; the plan has the others
    out: the run directory that the job file names
    sizes: how large each position of the plan is
    """

    plan: Plan
    faults: tuple[str, ...]
    out: str
    sizes: tuple[Size, ...]


def read_job(path: str | os.PathLike[str]) -> CheckedJob:
    """Read a job file and check all that it names.

    Raises InputError, one line with file, line and key, if the file itself is wrong or no position can be used.
    """
    file = parse_job(Path(path))
    folder = Path(path).parent
    options = SolveOptions.of(dict(file.options))
    lexicon = absolute_lexicon(file.lexicon, folder)
    distribution = absolute_distribution(file.distribution, folder)
    try:
        maker = ProblemMaker(lexicon, distribution, options)
    except InputError as error:
        raise InputError(f"{path}: distribution: {error}") from None
    try:
        check_table(**{name: getattr(file.cluster, name) for name in ("address", "table_gib")})
    except InputError as error:
        raise InputError(f"{path}: cluster: {error}") from None
    positions: list[PlannedPosition] = []
    sizes: list[Size] = []
    faults: list[str] = []
    hashes: dict[str, str] = {}
    seen: set[str] = set()  # patterns may overlap
    for found in _positions(file, folder, maker):
        try:
            if isinstance(found, InputError):
                raise found
            name, source, position = found
            if source in seen:
                continue
            seen.add(source)
            problem = _problem(maker, source, position)
        except InputError as error:
            faults.append(" ".join(str(error).split()))
            continue
        hashes[problem.lexicon_name] = problem.lexicon_hash
        positions.append(PlannedPosition.of(name, source, problem, options))
        sizes.append(Size.of(problem))
    if not positions:
        raise InputError(f"{path}: positions: none that can be used: {'; '.join(faults)}")
    plan = Plan(
        name=file.name,
        positions=tuple(positions),
        options=options,
        lexicon=lexicon,
        distribution=distribution,
        hashes=hashes,
        per_position=in_seconds(file.limits.per_position),
        total=in_seconds(file.limits.total),
        **dict(file.cluster),
    )
    return CheckedJob(plan, tuple(faults), file.out or os.path.join(RUNS, file.name), tuple(sizes))


def _positions(file: JobFile, folder: Path, maker: ProblemMaker) -> Iterator[tuple[str, str, Position] | InputError]:
    """Name, source and position of all that the job names, with an error in place of each that is bad."""
    for number, games in enumerate(file.positions, 1):
        names = matching_files(folder, games.file)
        if not names:
            yield InputError(f"positions[{number}]: {games.file}: no such file")
        for name in names:
            if name.lower().endswith(_GAME):
                yield from _of_game(folder, name, games.turns or file.turns, maker)
            elif games.turns:
                yield InputError(f"positions[{number}]: {name}: only a {_GAME} file has turns")
            else:
                yield from _of_lines(folder, name, maker)


def matching_files(folder: Path, pattern: str) -> list[str]:
    """The files that a name or pattern of a job file in ``folder`` stands for, relative to it."""
    names = sorted(glob.glob(pattern, root_dir=folder, recursive=True))
    return [name for name in names if (folder / name).is_file()]


def _of_lines(folder: Path, name: str, maker: ProblemMaker) -> Iterator[tuple[str, str, Position] | InputError]:
    """The positions of a file of CGP lines."""
    try:
        lines = read_cgp_file(folder / name)
    except InputError as error:
        yield error
        return
    if not lines:
        yield InputError(f"{name}: no CGP line in it")
    stem = Path(name).stem
    for number, cgp in lines:
        source = f"{name}:{number}"
        try:
            position = Position.from_cgp(cgp, distribution=maker.distribution)
            yield stem if len(lines) == 1 else f"{stem}-{number}", source, position
        except InputError as error:
            yield InputError(f"{source}: {error}")


def _of_game(
    folder: Path, name: str, turns: list[int] | None, maker: ProblemMaker
) -> Iterator[tuple[str, str, Position] | InputError]:
    """The positions of a game: the turns that are asked for, or all with 1 to 6 tiles in the bag."""
    try:
        game = read_gcg(folder / name, distribution=maker.distribution)
    except InputError as error:
        yield error
        return
    wanted = turns or game.preendgame_turns()
    if not wanted:
        yield InputError(f"{name}: no turn with 1 to 6 tiles in the bag and a rack known in full")
    for turn in wanted:
        try:
            yield f"{Path(name).stem}-turn{turn}", f"{name}:turn {turn}", game.position(turn)
        except InputError as error:
            yield error


def _problem(maker: ProblemMaker, source: str, position: Position) -> Problem:
    try:
        return maker.make(position)
    except InputError as error:
        raise InputError(f"{source}: {error}") from None
