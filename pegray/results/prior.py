"""Weights on the opponent's rack, applied to stored outcomes: what the draws come to if not all racks are as likely.

An outcome says which tiles were in the bag, so it says what the opponent holds: what is unseen less those. Its weight
is multiplied by the weight of that rack. Nothing is solved anew: what the players do is what they do without a prior.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

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
_NONE = Fraction(-1)  # points where there is no play


@dataclass(frozen=True)
class Prior:
    """Rows of (kind, tiles, weight).

    kind: ``leave``: the weight of every rack that holds the tiles; ``rack``: of the rack that is just these
    A rack's weight is the product of those that apply to it, 1 if none does.
    source: where they are from
    """

    source: str
    rows: tuple[tuple[str, str, float], ...]

    def weigher(self, tiles: Distribution) -> Callable[[Tiles], Fraction]:
        """The weight of a rack, uint8[size] counts. Raises InputError naming the row that is no rack."""
        parsed = []
        for number, (kind, text, weight) in enumerate(self.rows, 1):
            try:
                parsed.append((kind, tiles.rack(text), Fraction(weight)))
            except InputError as error:
                raise InputError(f"row {number}: {error}", "prior", self.source) from None

        def weight_of(rack: Tiles) -> Fraction:
            applies = (
                weight
                for kind, counts, weight in parsed
                if (counts <= rack).all() and (kind == "leave" or counts.sum() == rack.sum())
            )
            return math.prod(applies, start=Fraction(1))

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
    weighed = [_reweighed(play, weighing, total) for play in result.plays]
    asked = [one for one in weighed if one.play.status != Status.SKIPPED and not (result.never_lose and one.loses_some)]
    finished = [one for one in asked if one.play.status == Status.FINISHED]
    best = max((one.won for one in finished), default=_NONE)
    most_open = max((one.most for one in asked if one.play.status != Status.FINISHED), default=_NONE)
    for one in asked:
        if one.play.status == Status.CUT_OFF and one.most > best:
            one.play.status = Status.UNFINISHED
    state = State.OPEN if most_open > best else State.ANSWERED
    level = [one.play for one in finished if one.won == best]
    if state != State.OPEN and most_open < best and (len(level) == 1 or all(play.spread is not None for play in level)):
        state = State.COMPLETE
    if state != State.OPEN:
        ranked = [one.play for one in finished if one.won >= most_open]
        ranked.sort(key=_rank_key)
        for rank, play in enumerate(ranked, 1):
            play.rank = rank
    plays = [one.play for one in weighed]
    put_in_order(plays, state)
    return replace(
        result,
        total=float(total),
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
        self._known: dict[bytes, Fraction] = {}

    def of(self, outcome: Outcome) -> Fraction:
        """The prior of the rack that an outcome leaves the opponent."""
        drawn, stays = (parse_draw(text, self._tiles) if text else [] for text in (outcome.drawn, outcome.stays))
        return self._of_bag(self._tiles.count([*drawn, *stays]))

    def total(self) -> Fraction:
        """The weight of all draws, in labelled draws."""
        kinds = np.flatnonzero(self._pool)
        ranges = [range(min(int(self._pool[kind]), self._bag) + 1) for kind in kinds]
        total = Fraction(0)
        for counts in product(*ranges):
            if sum(counts) == self._bag:
                bag = np.zeros_like(self._pool)
                bag[kinds] = counts
                ways = math.prod(math.comb(int(self._pool[kind]), n) for kind, n in zip(kinds, counts, strict=True))
                total += ways * math.factorial(self._bag) * self._of_bag(bag)
        return total

    def _of_bag(self, bag: Tiles) -> Fraction:
        key = bag.tobytes()
        if key not in self._known:
            self._known[key] = self._weigh(self._unseen - bag)
        return self._known[key]


class _Weighed(NamedTuple):
    """A play with its outcomes weighed anew, without a rank.

    won, most: the points that it has, and may have, in full: floats of equal sums may differ
    loses_some: it loses a draw that has a weight
    """

    play: PlayResult
    won: Fraction
    most: Fraction
    loses_some: bool


def _reweighed(play: PlayResult, weighing: _Weighing, total: Fraction) -> _Weighed:
    outcomes = []
    weights = dict.fromkeys(WDL, Fraction(0))
    spreads = Fraction(0)
    for outcome in play.outcomes:
        weight = Fraction(outcome.weight) * weighing.of(outcome)
        outcomes.append(replace(outcome, weight=float(weight)))
        weights[outcome.outcome] += weight
        spreads += weight * Fraction(outcome.spread or 0)
    won = weights[WDL.WIN] + weights[WDL.TIE] / 2
    lost = weights[WDL.LOSS] + weights[WDL.TIE] / 2
    is_finished = play.status == Status.FINISHED
    most = won if is_finished else total - lost
    spread = None
    if is_finished and all(outcome.spread is not None for outcome in outcomes):
        spread = float(spreads / total)
    anew = replace(
        play,
        rank=None,
        total=float(total),
        outcomes=outcomes,
        points=float(won) if is_finished else None,
        wins=float(weights[WDL.WIN]) if is_finished else None,
        draws=float(weights[WDL.TIE]) if is_finished else None,
        losses=float(weights[WDL.LOSS]) if is_finished else None,
        win_pct=float(100 * won / total) if is_finished else None,
        found_losses=float(lost),
        at_least=float(won),
        at_most=float(most),
        spread=spread,
        spread_at_least=spread,
        spread_at_most=spread,
        estimate=None,
    )
    return _Weighed(anew, won, most, bool(weights[WDL.LOSS]))
