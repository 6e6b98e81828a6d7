"""How good estimates are: how often the play that leads a table early is among the best that are proven in the end.

python benchmarks/estimates.py my.cgp --lexicon NWL20 --cap 120 --out estimates.json     # measure; can be stopped
python benchmarks/estimates.py --plot docs/images/estimates.png --out estimates.json     # the picture of what is there
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from pegray.bench.whole import solve_capped
from pegray.commands.positions import read_positions
from pegray.errors import PegrayError
from pegray.files import write_atomically
from pegray.game.position import Position
from pegray.kernels.catalogue import FOR_SOLVING, warm_up
from pegray.kernels.memory import new_memory
from pegray.lexicon.find import lexicon_for
from pegray.lexicon.lexicon import Lexicon
from pegray.preendgame.engine import default_table_gib
from pegray.preendgame.executors.inprocess import InProcessExecutor
from pegray.preendgame.ledger import Ledger, Progress
from pegray.preendgame.options import SolveOptions
from pegray.preendgame.problem import Problem
from pegray.preendgame.ranking import build_result
from pegray.results.model import SolveResult, SolveStats
from pegray.results.plots import COLOURS
from pegray.terms import WDL, State, Status, Until

TIMES = (1, 10, 60)

Lead = Literal["answered", "best", "not best", "not known"]

# What a lead may turn out to be: its colour in the picture, and in words.
LEADS: dict[Lead, tuple[str, str]] = {
    "answered": (COLOURS[WDL.WIN], "answered"),
    "best": ("#8CC0E0", "open: a best play leads"),
    "not known": ("#DDDDDD", "not known"),
    "not best": (COLOURS[WDL.LOSS], "open: another leads"),
}


@dataclass(frozen=True)
class Watched:
    """One position: how it ended, and what the play that led after so many CPU seconds turned out to be.

    leads: by CPU seconds; ``answered``: the position was answered by then; ``not known``: the play was not finished in
    the end, but may be level with the best
    behind: for those that were not the best, how much less of the draws they win at least, in percent
    """

    name: str
    bag: int
    plays: int
    state: State
    leads: dict[int, Lead]
    behind: dict[int, float]


def main() -> None:
    """Read the command line; measure, or draw what was measured."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("positions", nargs="*", metavar="FILE.cgp")
    parser.add_argument("--lexicon")
    parser.add_argument("--cap", type=float, default=120, help="CPU seconds for each position")
    parser.add_argument("--out", required=True, metavar="FILE.json", help="kept after each position, and gone on with")
    parser.add_argument("--plot", metavar="FILE.png")
    arguments = parser.parse_args()
    try:
        measure_all(arguments.positions, arguments.lexicon, arguments.cap, Path(arguments.out))
        watched = read(Path(arguments.out))
        print(table(watched))
        if arguments.plot:
            draw(watched, arguments.plot)
    except PegrayError as error:
        sys.exit(f"estimates.py: error: {error}")


def measure_all(files: Sequence[str], lexicon: str | None, cap: float, out: Path) -> None:
    """Watch every position that is not in the file yet."""
    watched = read(out)
    known = {one.name for one in watched}
    for source in read_positions(files, None, None) if files else []:
        if source.name in known:
            continue
        watched.append(watch(source.name, source.position, lexicon_for(source.position, lexicon), cap))
        write_atomically(str(out), json.dumps([asdict(one) for one in watched], indent=1).encode())
        print(f"{source.name}: {watched[-1]}", file=sys.stderr)


def read(path: Path) -> list[Watched]:
    """What was measured before."""
    if not path.exists():
        return []
    return [
        Watched(
            **{
                **one,
                "leads": {int(seconds): lead for seconds, lead in one["leads"].items()},
                "behind": {int(seconds): behind for seconds, behind in one["behind"].items()},
            }
        )
        for one in json.loads(path.read_text())
    ]


def watch(name: str, position: Position, lexicon: Lexicon, cap: float) -> Watched:
    """Solve a position, up to a cap in CPU seconds, and compare who led on the way with who is best."""
    warm_up(FOR_SOLVING)
    ledger = Ledger(Problem.create(position, lexicon, SolveOptions(until=Until.LEVEL, tiebreak=False)), estimates=True)
    executor = InProcessExecutor(ledger.problem, new_memory(default_table_gib()))
    led: dict[int, tuple[State, str]] = {}
    cpu = time.process_time()

    def spent() -> float:
        return time.process_time() - cpu

    def note(_: Progress) -> None:
        for seconds in TIMES:
            if seconds not in led and spent() >= seconds:
                led[seconds] = ledger.state, table_now(ledger).plays[0].move

    solve_capped(ledger, executor, spent, cap, note)
    end = table_now(ledger)
    found = {seconds: lead(end, *led.get(seconds, (end.state, end.plays[0].move))) for seconds in TIMES}
    return Watched(
        name=name,
        bag=end.bag,
        plays=len(end.plays),
        state=end.state,
        leads={seconds: one for seconds, (one, _) in found.items()},
        behind={seconds: behind for seconds, (one, behind) in found.items() if one == "not best"},
    )


def table_now(ledger: Ledger) -> SolveResult:
    """The table as a user would see it."""
    return build_result(ledger, SolveStats(0.0, 0.0, 0, 0, interrupted=not ledger.done))


def lead(end: SolveResult, state: State, move: str) -> tuple[Lead, float]:
    """What a play that led in a state is worth in the end, and by how many percent of the draws it is behind."""
    if end.best is None:
        return "not known", 0.0
    if state != State.OPEN:
        return "answered", 0.0
    play = next(play for play in end.plays if play.move == move)
    most = play.at_most if play.points is None else play.points
    assert end.best.points is not None
    if most < end.best.points:
        return "not best", 100 * (end.best.points - most) / end.total
    return ("best" if play.status == Status.FINISHED else "not known"), 0.0


def shares(watched: Iterable[Watched]) -> dict[int, dict[int, Counter[str]]]:
    """By tiles in the bag and CPU seconds: how many leads were what, of the positions that were answered."""
    counted: dict[int, dict[int, Counter[str]]] = {}
    for one in watched:
        if one.state == State.OPEN:
            continue
        for seconds, found in one.leads.items():
            counted.setdefault(one.bag, {}).setdefault(seconds, Counter())[found] += 1
    return dict(sorted(counted.items()))


def table(watched: Sequence[Watched]) -> str:
    """The table of docs/estimates.md."""
    lines = [
        "| in the bag | positions | answered in the end | after | answered by then | open, a best play leads |"
        " another leads | not known | behind by, median |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for bag, times in shares(watched).items():
        of_bag = [one for one in watched if one.bag == bag]
        for seconds, counts in times.items():
            behind = sorted(one.behind[seconds] for one in of_bag if seconds in one.behind)
            median = f"{behind[len(behind) // 2]:.1f}%" if behind else ""
            cells: list[object] = [bag, len(of_bag), sum(counts.values()), f"{seconds} s"]
            cells += [counts["answered"], counts["best"], counts["not best"], counts["not known"], median]
            lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def draw(watched: Sequence[Watched], path: str) -> None:
    """A bar for each number of tiles in the bag and time: of how many positions the lead was what."""
    from matplotlib.figure import Figure

    bars = [(bag, seconds, counts) for bag, times in shares(watched).items() for seconds, counts in times.items()]
    figure = Figure(figsize=(7.2, 1.4 + 0.34 * len(bars)), dpi=120, layout="constrained")
    axes = figure.subplots()
    for row, (_, _, counts) in enumerate(bars):
        start = 0.0
        for found, (colour, _) in LEADS.items():
            width = 100 * counts[found] / counts.total()
            axes.barh(row, width, left=start, height=0.7, color=colour, edgecolor="white", linewidth=0.8)
            if counts[found]:
                dark = found in ("answered", "not best")
                text = str(counts[found])
                axes.text(start + width / 2, row, text, ha="center", va="center", color="white" if dark else "black")
            start += width
    axes.set_yticks(range(len(bars)), [f"{bag} in the bag, after {seconds} s" for bag, seconds, _ in bars])
    axes.set_ylim(len(bars) - 0.4, -0.6)
    axes.set_xlim(0, 100)
    axes.set_xlabel("of the positions that were answered in the end, %")
    axes.spines[["top", "right"]].set_visible(False)
    for found, (colour, label) in LEADS.items():
        if any(counts[found] for _, _, counts in bars):
            axes.bar(0, 0, color=colour, label=label)
    figure.legend(loc="outside upper left", ncols=4, frameon=False)
    figure.savefig(path)


if __name__ == "__main__":
    main()
