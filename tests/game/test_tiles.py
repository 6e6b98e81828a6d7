"""Distributions: reading tiles, printing them, and the bundled files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pegray.errors import InputError
from pegray.game.tiles import BLANK, BLANK_FLAG, BUNDLED, LETTER_MASK, Distribution, load_distribution

ENGLISH = load_distribution("english")
CATALAN = load_distribution("catalan")
SPANISH = load_distribution("spanish")
SIZES = {
    "english": (27, 100),
    "french": (27, 102),
    "german": (30, 102),
    "spanish": (29, 100),
    "polish": (33, 100),
    "dutch": (27, 102),
    "norwegian": (33, 100),
    "catalan": (27, 100),
}


@pytest.mark.parametrize("name", BUNDLED)
def test_every_bundled_distribution_is_whole(name: str) -> None:
    distribution = load_distribution(name)
    assert distribution.tiles[BLANK] == "?"
    assert (distribution.size, distribution.counts.sum()) == SIZES[name]
    assert distribution.values[BLANK] == 0
    for tile in range(1, distribution.size):
        assert distribution.parse_squares(distribution.board_text(tile)) == [tile]
        assert distribution.parse_squares(distribution.board_text(tile | BLANK_FLAG)) == [tile | BLANK_FLAG]


def test_a_rack_is_counted_and_printed_with_the_blank_first() -> None:
    rack = ENGLISH.rack("WROANE?")
    assert rack.dtype == np.uint8
    assert rack.sum() == 7
    assert ENGLISH.format_rack(rack) == "?AENORW"


def test_a_blank_on_the_board_is_worth_nothing() -> None:
    tile = ENGLISH.parse_tiles("Q")[0]
    assert ENGLISH.value(tile) == 10
    assert ENGLISH.value(tile | BLANK_FLAG) == 0
    assert ENGLISH.board_text(tile | BLANK_FLAG) == "q"


@pytest.mark.parametrize(
    ("distribution", "text", "tiles"),
    [
        (CATALAN, "NY", ["NY"]),
        (CATALAN, "[NY]", ["NY"]),
        (CATALAN, "NAL·LQU", ["N", "A", "L·L", "QU"]),
        (CATALAN, "A[QU]A", ["A", "QU", "A"]),
        (SPANISH, "PE[RR]O", ["P", "E", "RR", "O"]),
        (SPANISH, "PER[R]O", ["P", "E", "R", "R", "O"]),
        (SPANISH, "[CH]C[LL]", ["CH", "C", "LL"]),
    ],
)
def test_tiles_of_several_characters(distribution: Distribution, text: str, tiles: list[str]) -> None:
    assert [distribution.tiles[tile] for tile in distribution.parse_tiles(text)] == tiles
    assert [distribution.tiles[tile] for tile in distribution.parse_word(text)] == tiles


@pytest.mark.parametrize("pair", ["RR", "LL", "CH"])
def test_without_brackets_two_letters_are_two_tiles_but_one_in_a_word(pair: str) -> None:
    text = f"A{pair}O"
    assert [SPANISH.tiles[tile] for tile in SPANISH.parse_tiles(text)] == list(text)
    assert [SPANISH.tiles[tile] for tile in SPANISH.parse_squares(text)] == list(text)
    assert [SPANISH.tiles[tile] for tile in SPANISH.parse_word(text)] == ["A", pair, "O"]
    lower = SPANISH.parse_squares(pair.lower())
    assert [SPANISH.blank_forms[tile & LETTER_MASK] for tile in lower] == list(pair.lower())


@pytest.mark.parametrize("distribution", [CATALAN, SPANISH])
def test_two_tiles_side_by_side_never_read_back_as_one(distribution: Distribution) -> None:
    everything = range(distribution.size)
    for first in everything:
        for second in everything:
            tiles = [first, second, first]
            text = distribution.format_tiles(tiles)
            assert distribution.parse_tiles(text) == distribution.parse_word(text) == tiles
            word = distribution.format_word(tile | BLANK_FLAG for tile in tiles)
            assert not all(tiles) or distribution.parse_word(word) == [tile | BLANK_FLAG for tile in tiles]
            board = distribution.format_squares(tiles)
            assert distribution.parse_squares(board) == tiles
            rack = np.bincount(tiles, minlength=distribution.size).astype(np.uint8)
            assert (distribution.rack(distribution.format_rack(rack)) == rack).all()
    r = SPANISH.parse_tiles("R")[0]
    assert SPANISH.format_tiles([r, r, r]) == "R[R]R"
    assert SPANISH.format_word([r | BLANK_FLAG, r | BLANK_FLAG]) == "r[r]"
    assert SPANISH.format_squares([r | BLANK_FLAG, r | BLANK_FLAG, r, r]) == "rrRR"
    assert SPANISH.format_rack(SPANISH.rack("RR[RR]")) == "RR[RR]"


@pytest.mark.parametrize(
    ("distribution", "text", "message"),
    [
        (ENGLISH, "AB1", "unknown letter '1' at character 3 of 'AB1'"),
        (ENGLISH, "AÑ", "unknown letter 'Ñ' at character 2 of 'AÑ'"),
        (ENGLISH, "A[CH]", "unknown tile '[CH]' at character 2 of 'A[CH]'"),
        (CATALAN, "A[NY", "unknown tile '[NY' at character 2 of 'A[NY'"),
        (ENGLISH, "ABc", "lower-case letter in the rack 'ABc': a blank is written ?"),
    ],
)
def test_unknown_letters_are_named_with_their_place(distribution: Distribution, text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        distribution.parse_tiles(text)
    assert str(error.value) == message


def test_a_distribution_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "small.csv"
    file.write_text("?,1,0,0\nA,2,1,1\nB,b,1,3,0\n", encoding="utf-8-sig")
    distribution = load_distribution(str(file))
    assert (distribution.name, distribution.tiles) == ("small", ("?", "A", "B"))
    assert distribution.counts.tolist() == [1, 2, 1]
    assert distribution.vowels.tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("?,1,0,0\nA,two,1,1\n", "line 2"),
        ("?,1,0,0\nA,300,1,1\n", "line 2"),
        ("?,2,5,0\nA,2,1,1\n", "a blank has no points"),
        ("A,1,0,0\n", "the first tile must be ?"),
        ("", "the first tile must be ?"),
    ],
)
def test_a_faulty_distribution_is_refused(tmp_path: Path, content: str, fault: str) -> None:
    file = tmp_path / "faulty.csv"
    file.write_text(content)
    with pytest.raises(InputError, match=rf"distribution faulty: .*{fault.replace('?', '[?]')}"):
        load_distribution(str(file))


def test_an_unknown_distribution_is_refused() -> None:
    with pytest.raises(InputError, match="unknown distribution 'klingon'"):
        load_distribution("klingon")
    with pytest.raises(InputError, match="distribution no/such.csv: No such file"):
        load_distribution("no/such.csv")
