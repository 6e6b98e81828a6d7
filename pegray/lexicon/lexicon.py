"""A lexicon: a name and its word graph."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pegray.errors import check_kind
from pegray.game.tiles import Distribution, load_distribution
from pegray.lexicon.counts import checked_counts
from pegray.lexicon.files import nodes_at, nodes_named
from pegray.lexicon.kwg import ARC_MASK, END_FLAG, LAST_FLAG, TILE_SHIFT
from pegray.lexicon.marks import marked_words


@dataclass(frozen=True, eq=False)
class Lexicon:
    """The valid words of a game.

    nodes: uint32[n] word graph (see :mod:`pegray.lexicon.kwg`)
    hash: hex sha256 of its little-endian bytes
    """

    name: str
    nodes: npt.NDArray[np.uint32]
    hash: str

    @classmethod
    def of_nodes(cls, name: str, nodes: npt.NDArray[np.uint32]) -> Lexicon:
        """A lexicon of uint32[n] nodes."""
        return cls(name, nodes, hashlib.sha256(nodes.astype("<u4").tobytes()).hexdigest())

    @classmethod
    def named(cls, name: str, distribution: Distribution | str = "english") -> Lexicon:
        """The lexicon of a name, such as ``"NWL20"``: in the folder that PEGRAY_LEXICA names, the user's, or bundled.

        distribution: whose letters it is of, or its name

        Raises InputError if there is none, if its file is damaged, or if it needs letters that are not there.
        """
        check_kind(name, str, "the name of a lexicon")
        return cls.of_nodes(*nodes_named(name, _distribution(distribution)))

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], distribution: Distribution | str = "english") -> Lexicon:
        """The lexicon in a word list (``.txt``) or word graph (``.kwg``), named as the file. As :meth:`named`."""
        return cls.of_nodes(*nodes_at(path, _distribution(distribution)))

    def __repr__(self) -> str:
        return f"<Lexicon {self.name}, hash {self.hash[:12]}>"

    @property
    def dawg_root(self) -> int:
        """Index of the first arc of the words read forwards; 0 when there are no words."""
        return int(self.nodes[0]) & ARC_MASK

    def contains(self, word: Sequence[int]) -> bool:
        """Whether letters, as tile indices without blank flags, are a word."""
        index = self.dawg_root
        node = 0
        for letter in word:
            if not index:
                return False
            node = int(self.nodes[index])
            while node >> TILE_SHIFT != letter:
                if node & LAST_FLAG:
                    return False
                index += 1
                node = int(self.nodes[index])
            index = node & ARC_MASK
        return bool(node & END_FLAG)

    def words(self) -> Iterator[tuple[int, ...]]:
        """Every word as tile indices, in the order of the word graph."""
        letters, lengths = marked_words(self.nodes, self._counts, np.ones(self.word_count, np.bool_))
        for row, length in zip(letters.tolist(), lengths.tolist(), strict=True):
            yield tuple(row[:length])

    @property
    def word_count(self) -> int:
        """Number of words."""
        return int(self._counts[self.dawg_root])

    @cached_property
    def _counts(self) -> npt.NDArray[np.int64]:
        return checked_counts(self.nodes)


def _distribution(asked: Distribution | str) -> Distribution:
    return load_distribution(asked) if isinstance(asked, str) else asked
