"""Weights on the opponent's rack, applied to stored outcomes: what the draws come to if not all racks are as likely.

An outcome says which tiles were in the bag, so it says what the opponent holds: what is unseen less those. Its weight
is multiplied by the weight of that rack. Nothing is solved anew: what the players do is what they do without a prior.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pegray.errors import InputError, first_line
from pegray.game.notation import parse_draw
from pegray.game.position import Position
from pegray.game.tiles import Distribution
from pegray.results.model import SolveResult
from pegray.results.play import Outcome, PlayResult, put_in_order
from pegray.results.read import Run
from pegray.results.schema import OUTCOMES, PLAYS
from pegray.terms import WDL, State, Status

Tiles = npt.NDArray[np.uint8]
_KINDS = ("leave", "rack")


@dataclass(frozen=True)
class Prior:
    """Rows of (kind, tiles, weight).

    kind: ``leave``: the weight of every rack that holds the tiles; ``rack``: of the rack that is just these
    A rack's weight is the product of those that apply to it, 1 if none does.
    source: where they are from
    """

    source: str
    rows: tuple[tuple[str, str, float], ...]

    def weigher(self, tiles: Distribution) -> Callable[[Tiles], float]:
        """The weight of a rack, uint8[size] counts. Raises InputError naming the row that is no rack."""
        parsed = []
        for number, (kind, text, weight) in enumerate(self.rows, 1):
            try:
                parsed.append((kind, tiles.rack(text), weight))
            except InputError as error:
                raise InputError(f"row {number}: {error}", "prior", self.source) from None

        def weight_of(rack: Tiles) -> float:
            applies = (
                weight
                for kind, counts, weight in parsed
                if (counts <= rack).all() and (kind == "leave" or counts.sum() == rack.sum())
            )
            return math.prod(applies)

        return weight_of


def read_prior(source: str) -> Prior:
    """The prior of a table with a column leave or rack, and one named weight.

    source: a CSV or Parquet file, or a DuckDB query. Raises InputError for one that cannot be used.
    """
    import duckdb

    query = f"from '{source.replace(chr(39), 2 * chr(39))}'" if os.path.isfile(source) else source
    try:
        with duckdb.connect() as connection:
            relation = connection.sql(query)
            table = pa.table({}) if relation is None else relation.to_arrow_table()
    except duckdb.Error as error:
        raise InputError(first_line(error), "prior", source) from None
    names = {name.lower(): name for name in table.column_names}
    kinds = [kind for kind in _KINDS if kind in names]
    if len(kinds) != 1 or "weight" not in names:
        raise InputError("expected the columns weight and leave, or weight and rack", "prior", source)
    rows = []
    for number, row in enumerate(table.to_pylist(), 1):
        weight = row[names["weight"]]
        try:
            weight = float(weight)
        except (TypeError, ValueError):
            weight = math.nan
        if not 0 <= weight < math.inf:
            raise InputError(f"row {number}: expected a weight of at least 0", "prior", source)
        rows.append((kinds[0], str(row[names[kinds[0]]] or ""), weight))
    return Prior(source, tuple(rows))


def with_prior(result: SolveResult, prior: Prior) -> SolveResult:
    """The result with every draw weighed by the rack that it leaves the opponent, and the plays ranked anew.

    Plays that were cut off may matter again: the position is then open. Raises InputError if no draw has a weight.
    """
    position = result.position
    weighing = _Weighing(position, result.known_rack, prior)
    total = weighing.total()
    if not total:
        raise InputError("every rack that the opponent may hold weighs 0", "prior", prior.source)
    plays = [_reweighed(play, weighing, total) for play in result.plays]
    asked = [play for play in plays if play.status != Status.SKIPPED]
    finished = [play for play in asked if play.points is not None]
    best = max((play.at_least for play in finished), default=-1.0)
    most_open = max((play.at_most for play in asked if play.points is None), default=-1.0)
    for play in plays:
        if play.status == Status.CUT_OFF and play.at_most > best:
            play.status = Status.UNFINISHED
    state = State.OPEN if most_open > best else State.ANSWERED
    level = [play for play in finished if play.points == best]
    if state != State.OPEN and most_open < best and (len(level) == 1 or all(play.spread is not None for play in level)):
        state = State.COMPLETE
    if state != State.OPEN:
        ranked = [play for play in finished if play.at_least >= most_open]
        ranked.sort(key=_rank_key)
        for rank, play in enumerate(ranked, 1):
            play.rank = rank
    put_in_order(plays, state)
    return replace(
        result,
        total=total,
        state=state,
        plays=plays,
        opponent_prior=prior.source,
        answered_seconds=None,
        complete_seconds=None,
    )


def _rank_key(play: PlayResult) -> Any:
    """By points, then by spread where it is known, then by score, as plays are ranked without a prior."""
    return -play.at_least, play.spread is None, -(play.spread or 0.0), -play.score, play.move


class RunWithPrior:
    """A run as SQL asks it, with a prior applied to its plays and outcomes; weights are then no whole numbers."""

    def __init__(self, run: Run, prior: Prior) -> None:
        self.uri = run.uri
        self.opponent = run.opponent
        self.units = run.units
        self.progress = run.progress
        self._run = run
        self._prior = prior

    def results(self) -> Iterator[tuple[dict[str, Any], SolveResult]]:
        """Every position's row and result."""
        for row, result in self._run.results():
            weighed = with_prior(result, self._prior)
            changed = {"total": weighed.total, "state": weighed.state}
            yield {**row, **changed, "answered_seconds": None, "complete_seconds": None}, weighed

    def positions(self) -> pa.Table:
        """The positions of the run."""
        schema = _with_floats(self._run.positions().schema)
        return pa.Table.from_pylist([row for row, _ in self.results()], schema=schema)

    def plays(self) -> pa.Table:
        """Their plays."""
        rows = [
            {**vars(play), "position_id": row["position_id"]} for row, result in self.results() for play in result.plays
        ]
        return pa.Table.from_pylist(rows, schema=_with_floats(PLAYS))

    def outcomes(self) -> pa.Table:
        """The outcomes of these."""
        rows = [
            {**vars(outcome), "position_id": row["position_id"], "move": play.move}
            for row, result in self.results()
            for play in result.plays
            for outcome in play.outcomes
        ]
        return pa.Table.from_pylist(rows, schema=_with_floats(OUTCOMES))

    def local_files(self, table: str) -> dict[str, tuple[int, int]] | None:
        """None where what is stored is not what is asked."""
        return self._run.local_files(table) if table in ("units", "progress") else None


def _with_floats(schema: pa.Schema) -> pa.Schema:
    """The schema with weights that need not be whole."""
    names = {"total", "weight", "wins", "draws", "losses"}
    return pa.schema([item.with_type(pa.float64()) if item.name in names else item for item in schema])


class _Weighing:
    """The weights of the bags that one position may have."""

    def __init__(self, position: Position, known_rack: str, prior: Prior) -> None:
        self._tiles = position.distribution
        self._unseen = position.unseen
        self._pool = position.unseen - position.distribution.rack(known_rack)
        self._bag = position.bag_size
        self._weigh = prior.weigher(position.distribution)
        self._known: dict[bytes, float] = {}

    def of(self, outcome: Outcome) -> float:
        """The prior of the rack that an outcome leaves the opponent."""
        drawn, stays = (parse_draw(text, self._tiles) if text else [] for text in (outcome.drawn, outcome.stays))
        return self._of_bag(self._tiles.count([*drawn, *stays]))

    def total(self) -> float:
        """The weight of all draws, in labelled draws."""
        kinds = np.flatnonzero(self._pool)
        ranges = [range(min(int(self._pool[kind]), self._bag) + 1) for kind in kinds]
        total = 0.0
        for counts in product(*ranges):
            if sum(counts) == self._bag:
                bag = np.zeros_like(self._pool)
                bag[kinds] = counts
                ways = math.prod(math.comb(int(self._pool[kind]), n) for kind, n in zip(kinds, counts, strict=True))
                total += ways * math.factorial(self._bag) * self._of_bag(bag)
        return total

    def _of_bag(self, bag: Tiles) -> float:
        key = bag.tobytes()
        if key not in self._known:
            self._known[key] = self._weigh(self._unseen - bag)
        return self._known[key]


def _reweighed(play: PlayResult, weighing: _Weighing, total: float) -> PlayResult:
    """The play without a rank, its outcomes weighed anew."""
    outcomes = [replace(outcome, weight=outcome.weight * weighing.of(outcome)) for outcome in play.outcomes]
    weights = {letter: _weight_of(outcomes, letter) for letter in WDL}
    won = weights[WDL.WIN] + weights[WDL.TIE] / 2
    lost = weights[WDL.LOSS] + weights[WDL.TIE] / 2
    is_finished = play.status == Status.FINISHED
    spread = None
    if is_finished and all(outcome.spread is not None for outcome in outcomes):
        spread = sum(outcome.weight * (outcome.spread or 0) for outcome in outcomes) / total
    return replace(
        play,
        rank=None,
        total=total,
        outcomes=outcomes,
        points=won if is_finished else None,
        wins=weights[WDL.WIN] if is_finished else None,
        draws=weights[WDL.TIE] if is_finished else None,
        losses=weights[WDL.LOSS] if is_finished else None,
        win_pct=100 * won / total if is_finished else None,
        found_losses=lost,
        at_least=won,
        at_most=won if is_finished else total - lost,
        spread=spread,
        spread_at_least=spread,
        spread_at_most=spread,
        estimate=None,
    )


def _weight_of(outcomes: Iterable[Outcome], letter: WDL) -> float:
    return math.fsum(outcome.weight for outcome in outcomes if outcome.outcome == letter)
