"""The board as SVG."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape

import numpy as np
import numpy.typing as npt

from pegray.game.layout import DIMENSION, SQUARES, Layout
from pegray.game.tiles import BLANK_FLAG, LETTER_MASK, Distribution

_CELL = 32
_MARGIN = 22
_SIDE = DIMENSION * _CELL
_BOARD = "#f1ede3"
_LETTER_PREMIUM = {2: "#bfdcec", 3: "#6ba6cd", 4: "#4f7fb5"}
_WORD_PREMIUM = {2: "#f0c3bb", 3: "#d9776b", 4: "#b14b4b"}
_TILE = ("#f7dd9c", "#c9a24f")
_HIGHLIGHT = ("#8fd19e", "#2f8f4e")


def board_svg(
    board: npt.NDArray[np.uint8], distribution: Distribution, layout: Layout, highlight: Collection[int] = ()
) -> str:
    """A uint8[225] board as an ``<svg>`` element; the tiles on the squares ``highlight`` stand out.

    What looks alike is drawn as one path or group: a report may hold a thousand boards.
    """
    size = _MARGIN + _SIDE + 2
    filled = [square for square in range(SQUARES) if board[square]]
    plain = [square for square in filled if square not in highlight]
    lit = [square for square in filled if square in highlight]
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" width="{size}" height="{size}" '
            'font-family="Helvetica, Arial, sans-serif" text-anchor="middle" role="img" aria-label="board">',
            f'<rect width="{size}" height="{size}" fill="#fff"/>',
            f'<rect x="{_MARGIN}" y="{_MARGIN}" width="{_SIDE}" height="{_SIDE}" fill="{_BOARD}"/>',
            _coordinates(),
            _premiums(layout, [square for square in range(SQUARES) if not board[square]]),
            _grid(),
            _tiles(plain, *_TILE),
            _tiles(lit, *_HIGHLIGHT),
            _letters(board, filled, distribution),
            "</svg>",
        ]
    )


def _corner(square: int) -> tuple[int, int]:
    row, column = divmod(square, DIMENSION)
    return _MARGIN + column * _CELL, _MARGIN + row * _CELL


def _text(x: int, y: int, text: object) -> str:
    return f'<text x="{x}" y="{y}">{escape(str(text))}</text>'


def _group(attributes: str, parts: Sequence[str]) -> str:
    return f"<g {attributes}>{''.join(parts)}</g>" if parts else ""


def _coordinates() -> str:
    parts = []
    for i in range(DIMENSION):
        middle = _MARGIN + i * _CELL + _CELL // 2
        parts += [_text(middle, 16, chr(ord("A") + i)), _text(11, middle + 4, i + 1)]
    return _group('font-size="12" fill="#555"', parts)


def _premiums(layout: Layout, squares: Sequence[int]) -> str:
    paths: dict[str, str] = {}
    labels = []
    for square in squares:
        word, letter = int(layout.word_multipliers[square]), int(layout.letter_multipliers[square])
        fill = _WORD_PREMIUM.get(word) or _LETTER_PREMIUM.get(letter)
        if fill is not None:
            x, y = _corner(square)
            paths[fill] = paths.get(fill, "") + f"M{x} {y}h{_CELL}v{_CELL}h-{_CELL}z"
            labels.append(_text(x + 16, y + 20, f"{word}W" if word > 1 else f"{letter}L"))
    squares_drawn = "".join(f'<path fill="{fill}" d="{path}"/>' for fill, path in paths.items())
    return squares_drawn + _group('font-size="10" fill="#333" opacity=".65"', labels)


def _grid() -> str:
    lines = "".join(
        f"M{_MARGIN} {at}h{_SIDE}M{at} {_MARGIN}v{_SIDE}" for at in range(_MARGIN, _MARGIN + _SIDE + 1, _CELL)
    )
    return f'<path d="{lines}" stroke="#fff" fill="none"/>'


def _tiles(squares: Sequence[int], fill: str, edge: str) -> str:
    """Squares with round corners."""
    side = _CELL - 8
    corner = f"h{side}q3 0 3 3v{side}q0 3-3 3h-{side}q-3 0-3-3v-{side}q0-3 3-3z"
    path = "".join(f"M{x + 4} {y + 1}{corner}" for x, y in map(_corner, squares))
    return f'<path fill="{fill}" stroke="{edge}" d="{path}"/>' if path else ""


def _letters(board: npt.NDArray[np.uint8], squares: Sequence[int], distribution: Distribution) -> str:
    """What is printed on the tiles: letters, blanks in italics, values."""
    groups: dict[tuple[bool, bool], list[str]] = {}
    values = []
    for square in squares:
        tile = int(board[square])
        x, y = _corner(square)
        blank = bool(tile & BLANK_FLAG)
        form = distribution.blank_forms[tile & LETTER_MASK] if blank else distribution.tiles[tile]
        groups.setdefault((blank, len(form) > 1), []).append(_text(x + 15, y + 23, form))
        if not blank:
            values.append(_text(x + 26, y + 28, distribution.value(tile)))
    letters = [
        _group(
            f'font-weight="bold" font-size="{14 if long else 19}" '
            + ('font-style="italic" fill="#b02020"' if blank else 'fill="#222"'),
            parts,
        )
        for (blank, long), parts in groups.items()
    ]
    return "".join(letters) + _group('font-size="8" fill="#222"', values)
