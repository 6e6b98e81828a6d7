"""What has to be compiled before named positions are measured."""

from __future__ import annotations

from pegray.bench.measure import kernels_for
from pegray.bench.positions import bench_positions, choose
from pegray.kernels.catalogue import CATALOGUE


def test_kernels_of_what_is_asked() -> None:
    positions = bench_positions()
    guaranteed = kernels_for(choose(positions, ["onyx", "toreros"], False))
    assert "rational" not in guaranteed and {"verdicts", "staying"} <= set(guaranteed)
    everything = kernels_for(positions)
    assert "rational" in everything and set(guaranteed) <= set(everything) <= set(CATALOGUE)
    assert len(set(everything)) == len(everything)
