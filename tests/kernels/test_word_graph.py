"""The word graph as kernels walk it: each letter leads to the child that carries it, and no other letter to any."""

from __future__ import annotations

import numba
import numpy as np
import numpy.typing as npt
import pytest

from pegray.errors import InputError
from pegray.game.tiles import MAX_LETTERS
from pegray.kernels.word_graph import WORD_END, all_nodes, child_letters, child_with, has_child, lowest_letter
from pegray.lexicon.build import build_kwg
from pegray.lexicon.kwg import ARC_MASK, END_FLAG, LAST_FLAG, TILE_SHIFT
from tests.kernels.adapter import word_graph

NONE = np.uint64(0)


@numba.njit
def child(graph: npt.NDArray[np.uint64], node: np.uint64, letter: int) -> np.uint64:
    return child_with(graph, node, letter) if has_child(node, letter) else NONE


@numba.njit
def letters_of(node: np.uint64) -> np.uint64:
    return child_letters(node)


@numba.njit
def lowest(letters: np.uint64) -> int:
    return lowest_letter(letters)


def kwg_of_random_words() -> npt.NDArray[np.uint32]:
    """The graph of random words of four letters."""
    random = np.random.default_rng(3)
    return word_graph(["".join(random.choice(list("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), 4)) for _ in range(400)])


def children_of(nodes: npt.NDArray[np.uint32], at: int) -> dict[int, int]:
    """The nodes of the list that a node leads to, by tile."""
    found: dict[int, int] = {}
    arc = int(nodes[at]) & ARC_MASK
    while arc:
        found[int(nodes[arc]) >> TILE_SHIFT] = arc
        arc = 0 if int(nodes[arc]) & LAST_FLAG else arc + 1
    return found


def test_every_letter_leads_to_its_child_and_no_other_letter_to_any() -> None:
    kwg = kwg_of_random_words()
    graph = all_nodes(kwg)
    for at, node in enumerate(graph):
        children = children_of(kwg, at)
        assert int(letters_of(node)) == sum(1 << tile for tile in children)
        assert bool(node & WORD_END) == bool(int(kwg[at]) & END_FLAG)
        for letter in range(MAX_LETTERS + 1):
            expected = graph[children[letter]] if letter in children else NONE
            assert child(graph, node, letter) == expected


def test_a_graph_that_may_not_be_written_has_the_same_nodes() -> None:
    kwg = kwg_of_random_words()
    fixed = kwg.copy()
    fixed.flags.writeable = False
    assert np.array_equal(all_nodes(fixed), all_nodes(kwg))


def test_the_highest_letter_has_a_bit_of_its_own() -> None:
    letters = np.array([[MAX_LETTERS, 1], [MAX_LETTERS, MAX_LETTERS]], np.uint8)
    kwg = build_kwg(letters, np.array([2, 2], np.uint8))
    graph = all_nodes(kwg)
    first = child(graph, graph[0], MAX_LETTERS)
    assert int(letters_of(first)) == 1 << MAX_LETTERS | 1 << 1
    assert child(graph, first, 1) & WORD_END and child(graph, first, MAX_LETTERS) & WORD_END


def test_a_graph_of_too_many_nodes_is_refused() -> None:
    with pytest.raises(InputError, match="too many words can still be formed: 2097153 nodes of their graph, 2097152"):
        all_nodes(np.zeros((1 << 21) + 1, np.uint32))


def test_the_lowest_letter() -> None:
    for letter in range(MAX_LETTERS + 1):
        assert lowest(np.uint64(1 << letter)) == letter
        assert lowest(np.uint64((1 << MAX_LETTERS) | (1 << letter))) == letter
