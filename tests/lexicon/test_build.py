"""The word graph builder, against the definition spelt out in sets of strings."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt
import pytest

from pegray.lexicon.build import build_kwg
from pegray.lexicon.kwg import ARC_MASK, END_FLAG, LAST_FLAG, TILE_SHIFT
from pegray.lexicon.lexicon import Lexicon

Word = tuple[int, ...]
SEPARATOR = 0


def encoded(words: list[Word]) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    letters = np.zeros((len(words), 15), np.uint8)
    for row, word in zip(letters, words, strict=True):
        row[: len(word)] = word
    return letters, np.array([len(word) for word in words], np.uint8)


def accepted(nodes: npt.NDArray[np.uint32], root: int) -> Iterator[Word]:
    """All strings of the graph below a root node."""

    def below(index: int, string: Word) -> Iterator[Word]:
        while index:
            node = int(nodes[index])
            longer = (*string, node >> TILE_SHIFT)
            if node & END_FLAG:
                yield longer
            yield from below(node & ARC_MASK, longer)
            index = 0 if node & LAST_FLAG else index + 1

    return below(int(nodes[root]) & ARC_MASK, ())


def gaddag_strings(words: list[Word]) -> set[Word]:
    cut = {(*word[:at][::-1], SEPARATOR, *word[at:]) for word in words for at in range(1, len(word))}
    return cut | {word[::-1] for word in words}


def random_words(count: int, letters: int, longest: int, seed: int) -> list[Word]:
    random = np.random.default_rng(seed)
    lengths = random.integers(2, longest + 1, count)
    return [tuple(random.integers(1, letters + 1, length).tolist()) for length in lengths]


def is_minimal(nodes: npt.NDArray[np.uint32]) -> bool:
    """Whether no list of the DAWG is written twice, and none of the GADDAG (a few are in both)."""
    dawg = lists_below(nodes, int(nodes[0]) & ARC_MASK)
    gaddag = lists_below(nodes, int(nodes[1]) & ARC_MASK)
    gaddag = {start: arcs for start, arcs in gaddag.items() if start not in dawg}
    return all(len(set(lists.values())) == len(lists) for lists in (dawg, gaddag))


def lists_below(nodes: npt.NDArray[np.uint32], root: int) -> dict[int, bytes]:
    """The lists that can be reached from a root list: start -> arcs."""
    lists: dict[int, bytes] = {}
    pending = [root]
    while pending:
        start = end = pending.pop()
        if start == 0 or start in lists:
            continue
        while not int(nodes[end]) & LAST_FLAG:
            end += 1
        lists[start] = nodes[start : end + 1].tobytes()
        pending.extend((nodes[start : end + 1] & ARC_MASK).tolist())
    return lists


@pytest.mark.parametrize(
    "words",
    [
        [(1, 1)],
        [(1, 2), (1, 2, 3), (2, 3), (3,) * 15],
        random_words(300, 3, 6, 0),
        random_words(300, 26, 15, 1),
        random_words(300, 63, 4, 2),
    ],
    ids=["one", "prefixes", "three letters", "english", "most letters"],
)
def test_it_accepts_the_words_and_their_gaddag_strings_and_nothing_else(words: list[Word]) -> None:
    nodes = build_kwg(*encoded(words))
    strings = list(accepted(nodes, 0))
    assert strings == sorted(set(words))
    assert sorted(accepted(nodes, 1)) == sorted(gaddag_strings(words))
    assert is_minimal(nodes)


def test_order_and_repetition_do_not_matter() -> None:
    words = random_words(200, 5, 5, 3)
    nodes = build_kwg(*encoded(sorted(set(words))))
    assert (build_kwg(*encoded(words)) == nodes).all()
    assert (build_kwg(*encoded(words[::-1] + words)) == nodes).all()


def test_read_only_arrays_are_accepted() -> None:
    letters, lengths = encoded([(1, 2), (2, 1)])
    letters.flags.writeable = lengths.flags.writeable = False
    assert len(list(accepted(build_kwg(letters, lengths), 0))) == 2


def test_without_words_both_roots_are_empty() -> None:
    nodes = build_kwg(*encoded([]))
    assert nodes.dtype == np.uint32
    assert [int(node) & ARC_MASK for node in nodes] == [0, 0]
    assert all(int(node) & LAST_FLAG for node in nodes)


@pytest.mark.parametrize(("name", "distribution"), [("NWL20", "english"), ("FRA20", "french")])
def test_it_accepts_what_the_graph_of_another_engine_accepts(
    tournament_lexicon: Callable[..., Lexicon], name: str, distribution: str
) -> None:
    lexicon = tournament_lexicon(name, distribution)
    words = [word for word in lexicon.words() if len(word) < 4 or hash(word) % 40 == 0]
    nodes = build_kwg(*encoded(words))
    assert list(accepted(nodes, 0)) == words
    theirs = GaddagReader(lexicon.nodes)
    assert all(theirs.accepts(string) for string in accepted(nodes, 1))


def test_the_whole_graph_of_another_engine_again(tournament_lexicon: Callable[..., Lexicon]) -> None:
    lexicon = tournament_lexicon("NWL20")
    words = list(lexicon.words())
    nodes = build_kwg(*encoded(words))
    assert len(nodes) < 1.01 * len(lexicon.nodes)
    rebuilt = Lexicon.of_nodes("rebuilt", nodes)
    assert rebuilt.word_count == len(words)
    ours = GaddagReader(nodes)
    for word in words[::97]:
        assert rebuilt.contains(word)
        assert all(ours.accepts(string) for string in gaddag_strings([word]))
    # reversing the letters of a word seldom gives a word: what ours refuses, theirs must refuse too
    theirs = GaddagReader(lexicon.nodes)
    for word in words[::97]:
        assert ours.accepts(word) == theirs.accepts(word)


class GaddagReader:
    """Follows strings in the GADDAG of a graph."""

    def __init__(self, nodes: npt.NDArray[np.uint32]) -> None:
        self.nodes = nodes

    def accepts(self, string: Word) -> bool:
        index, node = int(self.nodes[1]) & ARC_MASK, 0
        for tile in string:
            while index and int(self.nodes[index]) >> TILE_SHIFT != tile:
                index = 0 if int(self.nodes[index]) & LAST_FLAG else index + 1
            if not index:
                return False
            node = int(self.nodes[index])
            index = node & ARC_MASK
        return bool(node & END_FLAG)
