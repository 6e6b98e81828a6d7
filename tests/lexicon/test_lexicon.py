"""The lexicon as other parts see it."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable

import pytest

from pegray.game.tiles import load_distribution
from pegray.lexicon.build import build_kwg
from pegray.lexicon.lexicon import Lexicon
from pegray.lexicon.words import encode_words

ENGLISH = load_distribution("english")


def lexicon_of(words: str) -> Lexicon:
    return Lexicon.of_nodes("small", build_kwg(*encode_words(words.replace(" ", "\n"), ENGLISH, "list")))


def test_words_come_in_alphabetical_order_and_are_counted() -> None:
    lexicon = lexicon_of("RACE CARE CARES CAR AA ZA")
    assert [ENGLISH.format_tiles(word) for word in lexicon.words()] == "AA CAR CARE CARES RACE ZA".split()
    assert lexicon.word_count == 6


@pytest.mark.parametrize(
    ("word", "is_in"),
    [("CARE", True), ("CARES", True), ("CAR", False), ("CARESS", False), ("", False), ("Z", False)],
)
def test_contains(word: str, is_in: bool) -> None:
    assert lexicon_of("CARE CARES RACE").contains(ENGLISH.parse_tiles(word)) is is_in


def test_the_hash_is_that_of_the_file() -> None:
    lexicon = lexicon_of("CARE RACE")
    assert lexicon.hash == hashlib.sha256(lexicon.nodes.astype("<u4").tobytes()).hexdigest()
    assert lexicon.hash == lexicon_of("RACE CARE").hash != lexicon_of("RACE").hash


def test_it_can_be_pickled() -> None:
    lexicon = lexicon_of("CARE RACE")
    again = pickle.loads(pickle.dumps(lexicon))
    assert (again.name, again.hash, again.word_count) == ("small", lexicon.hash, 2)


@pytest.mark.parametrize(
    ("name", "distribution", "count"),
    [("CSW21", "english", 279_077), ("NWL20", "english", 191_851), ("FRA20", "french", 402_325)],
)
def test_graphs_of_another_engine(
    tournament_lexicon: Callable[..., Lexicon], name: str, distribution: str, count: int
) -> None:
    lexicon = tournament_lexicon(name, distribution)
    assert lexicon.word_count == count
    words = list(lexicon.words())
    assert len(words) == count and words == sorted(words)
    assert all(map(lexicon.contains, words[::500]))
    assert not any(lexicon.contains((*word, 24, 17)) for word in words[::500])
