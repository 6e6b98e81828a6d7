"""Word lists: text in, encoded words out.

Encoded words are letters uint8[n, 15], tile indices padded with 0, and lengths uint8[n].
"""

from __future__ import annotations

import re
import unicodedata

import numpy as np
import numpy.typing as npt

from pegray.errors import InputError
from pegray.game.layout import DIMENSION
from pegray.game.quoting import quoted
from pegray.game.tiles import BLANK, Distribution

SHORTEST = 2
LONGEST = DIMENSION

_LONGEST_LINE = 40 * LONGEST  # characters: more than any tiles and their accents

# Tiles of several characters are replaced by one character each, from Unicode's private use area.
_PRIVATE = 0xE000

EncodedWords = tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]


def decode_text(data: bytes, source: str) -> str:
    """The text of a word list, which is UTF-8. Raises InputError naming the source."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{source}: not UTF-8 text (byte {error.start + 1})") from None


def encode_words(text: str, distribution: Distribution, source: str) -> EncodedWords:
    """Encode a list with a word on each line, in either case; # begins a comment.

    Words of fewer than 2 or more than 15 tiles can never be played and are left out. Raises InputError,
    naming the line, the word and the letter, if a word of the list cannot be spelt with the distribution's
    tiles.
    """
    original = [_short(line.partition("#")[0].strip()) for line in text.splitlines()]
    joined = _one_character_each(unicodedata.normalize("NFC", "\n".join(original)).upper(), distribution)
    words = joined.split("\n")
    kept = [number for number, word in enumerate(words) if SHORTEST <= len(word) <= LONGEST]
    if not kept:
        raise InputError(f"{source}: no words of {SHORTEST} to {LONGEST} letters")
    padded = np.array([words[number] for number in kept], f"<U{LONGEST}")
    characters = padded.view(np.uint32).reshape(-1, LONGEST)
    letters = _tile_of_character(distribution)[np.minimum(characters, 0xFFFF)]
    lengths = np.array([len(words[number]) for number in kept], np.uint8)
    unknown = (letters == BLANK) & (np.arange(LONGEST) < lengths[:, np.newaxis])
    if unknown.any():
        row, column = np.argwhere(unknown)[0]
        word, letter = quoted(original[kept[row]]), quoted(chr(characters[row, column]))
        raise InputError(f"{source}: line {kept[row] + 1}: word {word}: {letter} is no letter of {distribution.name}")
    return letters, lengths


def _short(line: str) -> str:
    """A line that may be a word, else nothing: combining a long one's characters takes the square of its length."""
    return line if len(line) <= _LONGEST_LINE else ""


def _one_character_each(text: str, distribution: Distribution) -> str:
    """Text with each tile of several characters as one character, the longest tile first."""
    forms = {}
    for tile, form in enumerate(distribution.tiles):
        bare = form.strip("[]")
        if len(bare) > 1:
            forms[form] = forms[f"[{bare}]"] = chr(_PRIVATE + tile)
    if not forms:
        return text
    longest_first = sorted(forms, key=len, reverse=True)
    return re.sub("|".join(map(re.escape, longest_first)), lambda match: forms[match.group()], text)


def _tile_of_character(distribution: Distribution) -> npt.NDArray[np.uint8]:
    """uint8[65536]: the tile for each character, 0 for those that are no letter."""
    tiles = np.zeros(1 << 16, np.uint8)
    for tile, form in enumerate(distribution.tiles):
        if tile != BLANK:
            bare = form.strip("[]")
            tiles[ord(bare) if len(bare) == 1 else _PRIVATE + tile] = tile
    return tiles
