"""The words of a lexicon in the symbols of a language, made up where the language has no lexicon here."""

from __future__ import annotations

import functools
import os
from collections import Counter
from pathlib import Path

from pegray.game.tiles import load_distribution
from pegray.lexicon.lexicon import Lexicon
from tests.kernels.adapter import enable_words
from tests.kernels.symbols import SYMBOLS, bag_in, text_of

BUNDLED = "ENABLE"
LANGUAGE_OF = {"FRA20": "french"}


def lexica_at_hand() -> tuple[str, ...]:
    """The bundled lexicon, and those in the folder that PEGRAY_LEXICA names."""
    folder = os.environ.get("PEGRAY_LEXICA")
    return (BUNDLED, *sorted(path.stem for path in Path(folder).glob("*.kwg"))) if folder else (BUNDLED,)


@functools.lru_cache(maxsize=16)
def vocabulary(lexicon: str, language: str, longest: int) -> tuple[str, ...]:
    """Words of at most so many letters, in order. Those of another language are spelt with letters about as common."""
    words = _words(lexicon, longest)
    own = LANGUAGE_OF.get(lexicon, "english")
    if language == own:
        return words
    spelling = str.maketrans(dict(zip(_by_frequency(own), _by_frequency(language), strict=False)))
    return tuple(sorted({word.translate(spelling) for word in words}))


def _words(lexicon: str, longest: int) -> tuple[str, ...]:
    if lexicon == BUNDLED:
        return enable_words(longest)
    return tuple(sorted(word for word in _all_words(lexicon) if 2 <= len(word) <= longest))


@functools.lru_cache(maxsize=4)
def _all_words(lexicon: str) -> tuple[str, ...]:
    found = Lexicon.named(lexicon, LANGUAGE_OF.get(lexicon, "english"))
    return tuple(text_of(word) for word in found.words() if len(word) <= 8)


def _by_frequency(language: str) -> list[str]:
    """The letters, the commonest first; of those that are equally rare, tiles of several characters."""
    tiles = load_distribution(language).tiles
    counts = Counter(bag_in(language))
    letters = SYMBOLS[1 : len(tiles)]
    return sorted(letters, key=lambda letter: (-counts[letter], -len(tiles[SYMBOLS.index(letter)]), letter))
