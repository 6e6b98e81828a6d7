"""Board layouts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pegray.errors import InputError
from pegray.game.layout import load_layout

STANDARD = load_layout()


def test_the_standard_layout() -> None:
    letters = STANDARD.letter_multipliers.reshape(15, 15)
    words = STANDARD.word_multipliers.reshape(15, 15)
    assert STANDARD.start_square == 7 * 15 + 7
    assert words[7, 7] == 2
    assert words[0].tolist() == [3, 1, 1, 1, 1, 1, 1, 3, 1, 1, 1, 1, 1, 1, 3]
    assert letters[0].tolist() == [1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1]
    assert [(words == 3).sum(), (words == 2).sum()] == [8, 17]
    assert [(letters == 3).sum(), (letters == 2).sum()] == [12, 24]
    for squares in (letters, words):
        assert squares.dtype == np.int8
        assert (squares == squares.T).all()
        assert (squares == squares[::-1]).all()


def test_a_layout_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "plain.txt"
    file.write_text("# only the start counts double\n*" + "." * 14 + "\n" + ("." * 15 + "\n") * 14)
    layout = load_layout(str(file))
    assert layout.start_square == 0
    assert layout.word_multipliers.sum() == 226
    assert layout.letter_multipliers.sum() == 225


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "expected 15 rows of 15 characters"),
        (b"*" + b"." * 14 + b"\n", "expected 15 rows of 15 characters"),
        ((b"." * 15 + b"\n") * 15, "exactly one square must be the start"),
        ((b"." * 15 + b"\n") * 14 + b"......!........", "row 15: unknown character '!'"),
        (b"\xff\xfe", "not a text file in UTF-8"),
    ],
)
def test_a_faulty_layout_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "faulty.txt"
    file.write_bytes(content)
    with pytest.raises(InputError, match=message):
        load_layout(str(file))


def test_a_missing_layout() -> None:
    with pytest.raises(InputError, match="layout nowhere: No such file"):
        load_layout("nowhere")
