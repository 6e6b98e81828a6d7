"""Two plays of one position, eventuality by eventuality."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pegray.game.notation import format_draw
from pegray.game.tiles import Distribution
from pegray.results.play import Outcome


@dataclass(frozen=True)
class Compared:
    """What comes of two plays in the same orders of the bag.

    draw: those orders, in brackets what both plays draw; weight: labelled draws
    """

    draw: str
    weight: float
    one: Outcome
    two: Outcome


def compared(one: Sequence[Outcome], two: Sequence[Outcome], distribution: Distribution) -> list[Compared]:
    """Every class of orders that is settled for both plays.

    A play that draws fewer tiles tells more orders apart, since more stay in the bag in their order; each of its
    classes lies in one of the other play's.
    """
    if not one or not two:
        return []
    if _drawn(one[0], distribution) <= _drawn(two[0], distribution):
        return [Compared(fine.draw, fine.weight, fine, coarse) for fine, coarse in _pairs(one, two, distribution)]
    return [Compared(fine.draw, fine.weight, coarse, fine) for fine, coarse in _pairs(two, one, distribution)]


def _drawn(outcome: Outcome, distribution: Distribution) -> int:
    return len(distribution.parse_tiles(outcome.drawn))


def _pairs(
    fine: Sequence[Outcome], coarse: Sequence[Outcome], distribution: Distribution
) -> Iterator[tuple[Outcome, Outcome]]:
    by_draw = {outcome.draw: outcome for outcome in coarse}
    drawn = _drawn(coarse[0], distribution)
    for outcome in fine:
        tiles = distribution.parse_tiles(outcome.drawn) + distribution.parse_tiles(outcome.stays)
        other = by_draw.get(format_draw(tiles[:drawn], tiles[drawn:], distribution))
        if other is not None:
            yield outcome, other
