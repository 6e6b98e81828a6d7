"""Word lists as text."""

from __future__ import annotations

import pytest

from pegray.errors import InputError
from pegray.game.tiles import load_distribution
from pegray.lexicon.words import decode_text, encode_words

ENGLISH = load_distribution("english")


def words(text: str, distribution: str = "english") -> list[list[int]]:
    letters, lengths = encode_words(text, load_distribution(distribution), "list")
    assert letters.shape == (len(lengths), 15)
    assert all(not row[length:].any() for row, length in zip(letters, lengths, strict=True))
    return [row[:length].tolist() for row, length in zip(letters, lengths, strict=True)]


def test_a_word_a_line_in_either_case_with_comments_and_blank_lines() -> None:
    assert words("# a list\naa\n\n  Ab  # no aba\r\nZAX\n") == [[1, 1], [1, 2], [26, 1, 24]]


def test_words_that_cannot_be_played_are_left_out() -> None:
    assert words("A\nAA\n" + "A" * 15 + "\n" + "A" * 16) == [[1, 1], [1] * 15]


def test_tiles_of_several_characters() -> None:
    catalan = load_distribution("catalan")
    ny, geminate, qu = (catalan.tiles.index(tile) for tile in ("NY", "L·L", "QU"))
    a, i = catalan.tiles.index("A"), catalan.tiles.index("I")
    assert words("anya\nal·la\naqui\n[NY]a", "catalan") == [[a, ny, a], [a, geminate, a], [a, qu, i], [ny, a]]


def test_brackets_around_a_tile() -> None:
    spanish = load_distribution("spanish")
    tile = next(tile for tile, form in enumerate(spanish.tiles) if form.strip("[]") == "LL")
    a = spanish.tiles.index("A")
    assert words("a[LL]a\n[ll]a", "spanish") == [[a, tile, a], [tile, a]]


def test_an_accent_written_apart_is_the_same_letter() -> None:
    assert words("a\u0308h", "german") == words("\u00e4h", "german")


@pytest.mark.parametrize(("word", "letter"), [("NAÏVE", "Ï"), ("IT'S", "'"), ("TWO WORDS", " "), ("A?", "?")])
def test_a_letter_that_is_not_in_the_distribution_is_named_with_its_word(word: str, letter: str) -> None:
    with pytest.raises(InputError) as caught:
        encode_words(f"AA\n{word}\nZZ", ENGLISH, "mine.txt")
    message = str(caught.value)
    assert all(part in message for part in ("mine.txt", "line 2", repr(word), repr(letter), "english"))
    assert "\n" not in message


def test_a_character_outside_the_basic_plane_is_no_letter() -> None:
    with pytest.raises(InputError, match="no letter of english"):
        encode_words("A\U0001f600A", ENGLISH, "list")


def test_a_list_without_words_is_refused() -> None:
    with pytest.raises(InputError, match="no words"):
        encode_words("# nothing\n\nA\n", ENGLISH, "list")


def test_text_that_is_not_utf8_is_refused() -> None:
    assert decode_text("ÉTÉ".encode("utf-8-sig"), "list") == "ÉTÉ"
    with pytest.raises(InputError, match="not UTF-8"):
        decode_text("ÉTÉ".encode("latin-1"), "list")
