"""What a turn of a game gave away: the play that was made beside the best one, as far as the solve has proven both.

A pre-endgame is judged by points (weight won plus half the weight tied), an endgame by its final spread.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import permutations

from pegray.game.notation import format_draw, parse_draw
from pegray.game.tiles import Distribution
from pegray.results.model import SolveResult
from pegray.results.play import Outcome, PlayResult
from pegray.terms import WDL

_WORST_FIRST = [letter.value for letter in WDL]


@dataclass(frozen=True)
class Decided:
    """A draw on which the best play does better than the one made.

    draw: as of the play made, ``[AEG]I``; weight: labelled draws; made: its outcome
    best: that of the best play; several letters where it depends on the order within the draw
    certain, best_certain: nobody has to guess any more after the play, or it is won; else it is a possible tie or loss
    """

    draw: str
    weight: float
    made: str
    best: str
    certain: bool
    best_certain: bool


@dataclass(frozen=True)
class Judgement:
    """What a turn gave away.

    in_endgame: counted in points of the final spread, else in points of the pre-endgame
    total: weight of all draws, 1 in an endgame
    best: the best play; None while the position is open
    made: what is known of the play made; None if nothing is, or it is no legal play in the lexicon
    least, most: bounds on what was given away, the same where it is proven; most is None where there is no bound
    proven: everything it rests on was searched to the end
    decided: the draws on which best and made differ, the heaviest first; empty in an endgame
    drew: the draws, as of the play made, that are those of the game as far as it tells
    """

    in_endgame: bool
    total: float
    best: PlayResult | None
    made: PlayResult | None
    least: float
    most: float | None
    proven: bool
    decided: tuple[Decided, ...] = ()
    drew: tuple[Decided, ...] = ()

    @property
    def is_exact(self) -> bool:
        """Whether it is known what was given away."""
        return self.least == self.most

    @property
    def least_pct(self) -> float:
        """What was given away at the least, in percent of all draws."""
        return 100 * self.least / self.total


def judge(
    result: SolveResult, move: str | None, tiles: Distribution, drawn: str | None = None, stayed: str | None = None
) -> Judgement:
    """Judge a turn by what was solved of its position.

    move: that counts for the turn; None if none was made
    drawn, stayed: the tiles drawn after it, and those that were left in the bag, in no order, as far as they are known
    """
    best = result.best
    made = next((play for play in result.plays if play.move == move), None)
    if result.bag == 0:
        least, most = _spread_given_away(best, made)
        return Judgement(True, result.total, best, made, least, most, _proven(best, made))
    least, most = _points_given_away(result, made)
    decided: tuple[Decided, ...] = ()
    drew: tuple[Decided, ...] = ()
    if made is not None and best is not None:
        ours = [one for one in made.outcomes if _is_draw(one, drawn, stayed)] if drawn is not None else []
        drew = tuple(_compared(ours, best, tiles))
        decided = tuple(
            sorted(
                (one for one in _compared(made.outcomes, best, tiles) if _is_better(one.best, one.made)),
                key=lambda one: (_WORST_FIRST.index(one.made), -one.weight, one.draw),
            )
        )
    return Judgement(False, result.total, best, made, least, most, _proven(best, made), decided, drew)


def _proven(best: PlayResult | None, made: PlayResult | None) -> bool:
    return all(play.proven for play in (best, made) if play is not None)


def _spread_given_away(best: PlayResult | None, made: PlayResult | None) -> tuple[float, float | None]:
    if best is None or made is None or best.spread is None or made.spread is None:
        return 0.0, None
    return best.spread - made.spread, best.spread - made.spread


def _points_given_away(result: SolveResult, made: PlayResult | None) -> tuple[float, float | None]:
    """Bounds on the best play's points less those of the play made."""
    if made is None:
        return 0.0, None
    least, most = result.bounds
    return max(0.0, least - made.at_most), most - made.at_least


def _is_draw(outcome: Outcome, drawn: str | None, stayed: str | None) -> bool:
    return outcome.drawn == drawn and (stayed is None or sorted(outcome.stays) == sorted(stayed))


def _is_better(best: str, made: str) -> bool:
    """Whether the best play's outcome, at its worst, is better."""
    return min(map(_WORST_FIRST.index, best), default=-1) > _WORST_FIRST.index(made)


def _compared(outcomes: Iterable[Outcome], best: PlayResult, tiles: Distribution) -> Iterator[Decided]:
    """Each outcome of the play made beside those of the best play for the same orders of the bag."""
    of_best = {outcome.draw: outcome for outcome in best.outcomes}
    for outcome in outcomes:
        found = [of_best[draw] for draw in _draws_of(outcome, best, tiles) if draw in of_best]
        letters = "".join(letter for letter in reversed(_WORST_FIRST) if any(one.outcome == letter for one in found))
        best_certain = not any(one.is_possible for one in found)
        yield Decided(outcome.draw, outcome.weight, outcome.outcome, letters, not outcome.is_possible, best_certain)


def _draws_of(outcome: Outcome, play: PlayResult, tiles: Distribution) -> set[str]:
    """The names that the orders of the bag behind an outcome have for another play."""
    drawn, stays = (parse_draw(text, tiles) if text else [] for text in (outcome.drawn, outcome.stays))
    count = min(play.tiles, len(drawn) + len(stays))
    if count >= len(drawn):
        more = count - len(drawn)
        return {format_draw([*drawn, *stays[:more]], stays[more:], tiles)}
    names = set()
    for order in set(permutations(drawn, len(drawn) - count)):
        first = Counter(drawn) - Counter(order)
        names.add(format_draw(first.elements(), [*order, *stays], tiles))
    return names
