"""The letters among siblings: each letter leads to the node that carries it, and no other letter to any."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from pegray.game.layout import load_layout
from pegray.game.tiles import load_distribution
from pegray.kernels.memory import new_memory
from pegray.kernels.siblings import all_sibling_letters, child_arc, lowest_letter
from pegray.kernels.workspace import new_workspace
from pegray.lexicon.kwg import HIGHEST_TILE, LAST_FLAG, TILE_SHIFT
from tests.kernels.adapter import word_graph


@numba.njit
def child(record: Any, arc: int, letter: int) -> int:
    return child_arc(record[0].lexicon, arc, letter)


@numba.njit
def lowest(letters: np.uint64) -> int:
    return lowest_letter(letters)


def graph() -> npt.NDArray[np.uint32]:
    """The graph of random words of four letters."""
    random = np.random.default_rng(3)
    return word_graph(["".join(random.choice(list("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), 4)) for _ in range(400)])


def siblings_from(nodes: npt.NDArray[np.uint32], arc: int) -> dict[int, int]:
    """The nodes from ``arc`` to the end of its list, by tile."""
    found = {}
    while True:
        found[int(nodes[arc]) >> TILE_SHIFT] = arc
        if int(nodes[arc]) & LAST_FLAG:
            return found
        arc += 1


def test_every_letter_leads_to_its_node_and_no_other_letter_to_any() -> None:
    nodes = graph()
    english = load_distribution("english")
    # it keeps the arrays alive that its record points to
    workspace = new_workspace(english, load_layout(), english.rack("AB"), nodes, new_memory(0), 1 << 12)
    letters = all_sibling_letters(nodes)
    for arc in range(2, len(nodes)):
        siblings = siblings_from(nodes, arc)
        assert int(letters[arc]) == sum(1 << tile for tile in siblings)
        for letter in range(HIGHEST_TILE + 1):
            assert child(workspace.record, arc, letter) == siblings.get(letter, -1)
    assert all(child(workspace.record, 0, letter) == -1 for letter in range(HIGHEST_TILE + 1))


def test_a_graph_that_may_not_be_written_has_the_same_letters() -> None:
    nodes = graph()
    fixed = nodes.copy()
    fixed.flags.writeable = False
    assert np.array_equal(all_sibling_letters(fixed), all_sibling_letters(nodes))


def test_the_lowest_letter() -> None:
    for letter in range(HIGHEST_TILE + 1):
        assert lowest(np.uint64(1 << letter)) == letter
        assert lowest(np.uint64((1 << HIGHEST_TILE) | (1 << letter))) == letter
