"""KWG files: written and read back, and every kind of garbage refused in one line."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from pegray.errors import InputError
from pegray.game.tiles import load_distribution
from pegray.lexicon.build import build_kwg
from pegray.lexicon.kwg import END_FLAG, LAST_FLAG, TILE_SHIFT, read_kwg, write_kwg
from pegray.lexicon.words import encode_words

ENGLISH = load_distribution("english")


def small_graph() -> npt.NDArray[np.uint32]:
    return build_kwg(*encode_words("CARE\nCARES\nSCARE\nACE\nRACE\nRACES", ENGLISH, "list"))


def arc(tile: int, to: int, flags: int = LAST_FLAG) -> int:
    return tile << TILE_SHIFT | flags | to


def refused(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        read_kwg(path)
    message = str(caught.value)
    assert "\n" not in message and str(path) in message
    return message


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    nodes = small_graph()
    path = tmp_path / "small.kwg"
    write_kwg(nodes, path)
    assert path.stat().st_size == 4 * len(nodes)
    again = read_kwg(path)
    assert again.dtype == np.uint32
    assert (again == nodes).all()
    assert os.listdir(tmp_path) == ["small.kwg"]


def test_nodes_are_little_endian(tmp_path: Path) -> None:
    path = tmp_path / "small.kwg"
    write_kwg(np.array([0x01020304], np.uint32), path)
    assert path.read_bytes() == bytes([4, 3, 2, 1])


def test_random_bytes_of_any_length_are_refused(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    path = tmp_path / "random.kwg"
    for size in [*range(70), 1000, 1001, 4096, 100_000, 400_004]:
        path.write_bytes(random.bytes(size))
        refused(path)


def test_random_arcs_with_letters_for_tiles_are_refused(tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    path = tmp_path / "random.kwg"
    for size in (3, 10, 100, 10_000):
        nodes = random.integers(0, size, size) | random.integers(1, 27, size) << TILE_SHIFT
        write_kwg((nodes | LAST_FLAG).astype(np.uint32), path)
        try:  # by chance there can be a word in it, but never a circle
            read_kwg(path)
        except InputError as error:
            assert "\n" not in str(error)


@pytest.mark.parametrize("size", [0, 1, 4, 8, 9, 10, 11])
def test_a_file_of_a_wrong_size_is_refused(tmp_path: Path, size: int) -> None:
    path = tmp_path / "short.kwg"
    path.write_bytes(bytes(size))
    refused(path)


def test_a_file_too_large_for_its_arcs_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "large.kwg"
    with open(path, "wb") as file:
        file.truncate(5 * 2**22)
    assert "more than" in refused(path)


@pytest.mark.parametrize(
    ("nodes", "reason"),
    [
        ([arc(0, 0), arc(0, 0), arc(1, 0)], "no words"),
        ([arc(0, 2), arc(0, 0), arc(1, 3)], "outside"),
        ([arc(0, 2), arc(0, 0), arc(1, 1)], "outside"),
        ([arc(0, 2), arc(0, 0), arc(1, 0, END_FLAG)], "no end"),
        ([arc(0, 2), arc(0, 0), arc(64, 0)], "tile 64"),
        ([arc(0, 2), arc(0, 0), arc(2, 0, END_FLAG), arc(1, 0)], "out of order"),
        ([arc(0, 2), arc(0, 0), arc(1, 0, LAST_FLAG | END_FLAG)], "no GADDAG"),
        ([arc(0, 2), arc(0, 2), arc(1, 2)], "circles"),
        ([arc(0, 2), arc(0, 2), arc(1, 3), arc(1, 4), arc(1, 2)], "circles"),
        ([arc(0, 2), arc(0, 3), arc(1, 0, LAST_FLAG | END_FLAG), arc(1, 4), arc(1, 3)], "circles"),
        # a list that leads into its own middle
        ([arc(0, 2), arc(0, 2), arc(1, 0, 0), arc(2, 3)], "circles"),
    ],
)
def test_an_unsound_graph_is_refused(tmp_path: Path, nodes: list[int], reason: str) -> None:
    path = tmp_path / "unsound.kwg"
    write_kwg(np.array(nodes, np.uint32), path)
    assert reason in refused(path)


def test_a_list_that_leads_into_its_own_tail_is_sound(tmp_path: Path) -> None:
    # A leads to the list that begins at B, in the same run of nodes: the words are AB and B
    word_end = LAST_FLAG | END_FLAG
    path = tmp_path / "shared.kwg"
    write_kwg(np.array([arc(0, 2), arc(0, 2), arc(1, 3, 0), arc(2, 0, word_end)], np.uint32), path)
    assert len(read_kwg(path)) == 4


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    assert "No such file" in refused(tmp_path / "missing.kwg")
    refused(tmp_path)


def test_writing_where_nothing_can_be_written_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        write_kwg(small_graph(), tmp_path / "missing" / "small.kwg")
