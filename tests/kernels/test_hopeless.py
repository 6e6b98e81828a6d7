"""What is dropped as hopeless is: endgames stay those of the slow reference when all bounds are tried."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from tests.kernels.adapter import KernelPosition, enable_words
from tests.kernels.test_differential import BATCH, ORACLE, as_endgame, positions
from tests.reference.positions import RandomPosition
from tests.reference.reference import Reference, State, in_order

SHORT_WORDS = 4
ALWAYS = 1 << 40  # a kind of bound that has always paid
TARGETS = range(-6, 43, 4)  # more than is gained at the most: these are what shows whether a bound is one


def check_all_bounds(position: RandomPosition, ours: int, theirs: int, blank: int | None = None) -> Counter[str]:
    """Compare the gain of an endgame with so many tiles, one of them a blank of ours (at 0) or theirs (at ``ours``).

    Returns how many bounds it took with an answer, with what had refuted another play, and before any list.
    """
    tiles = as_endgame(position)
    letters = (tiles.our_rack + tiles.unseen).replace("?", "")
    if len(letters) < ours + theirs:
        return Counter()
    if blank is not None:
        letters = letters[:blank] + "?" + letters[blank + 1 :]
    small = replace(
        tiles, our_rack=in_order(letters[:ours]), unseen=in_order(letters[ours : ours + theirs]), scoreless=0
    )
    kernels, reference = KernelPosition(small), Reference(small.words)
    kernels.record["promises"]["gains"] = ALWAYS
    gain = reference.endgame(State(small.board, small.our_rack, small.unseen, "", 0))
    assert kernels.endgame_gain() == gain, str(small)
    for target in (gain + more for more in TARGETS):
        bound = kernels.endgame_bound(target)
        assert target <= bound <= gain or gain <= bound < target, f"{target} asked, {bound} found in {small}"
    hopeless, foreseen = kernels.record["hopeless"], kernels.record["foreseen"]
    return Counter(
        answered=int(hopeless["answered_bounds"][0]),
        refuted=int(hopeless["refuted_bounds"][0]),
        foreseen=int(foreseen["settled"][0]),
    )


def test_all_bounds() -> None:
    """With the few words of the differential positions, and with all short ones of the bundled lexicon."""
    tried: Counter[str] = Counter()
    for position in positions(0, BATCH // 2, 5):
        tried += check_all_bounds(position, 3, 3)
        tried += check_all_bounds(position, 4, 2)
        tried += check_all_bounds(replace(position, words=frozenset(enable_words(SHORT_WORDS))), 3, 2)
    assert tried["answered"] > 0
    assert tried["foreseen"] > 0


def test_all_bounds_with_six_tiles() -> None:
    """With few words: the reference goes through all orders of so many tiles."""
    tried: Counter[str] = Counter()
    for position in positions(40, BATCH // 2, 6):
        many = replace(position, our_rack=position.our_rack * 3)  # there are too few otherwise
        tried += check_all_bounds(many, 6, 2)
        tried += check_all_bounds(many, 6, 3)
    assert all(tried[sort] > 0 for sort in ("refuted", "foreseen")), tried


def test_all_bounds_with_a_blank() -> None:
    tried: Counter[str] = Counter()
    for position in positions(20, BATCH // 2, 5):
        for ours, theirs in ((2, 2), (3, 2)):
            for blank in (0, ours):
                tried += check_all_bounds(position, ours, theirs, blank)
    assert all(tried[sort] > 0 for sort in ("answered", "refuted", "foreseen")), tried


@pytest.mark.oracle
@pytest.mark.parametrize("start", ORACLE)
def test_more_bounds(start: int) -> None:
    for position in positions(start, BATCH, 8):
        for ours, theirs in ((2, 2), (3, 2), (3, 3), (4, 2)):
            for blank in (None, 0, ours):
                check_all_bounds(position, ours, theirs, blank)
