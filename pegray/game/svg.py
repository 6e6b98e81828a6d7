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
# Attributes of tiles by class; where there is a style sheet, as in reports, it overrides them by the class.
_TILES = {
    "tile": 'fill="#f7dd9c" stroke="#c9a24f"',
    "tile us": 'fill="#7cc4f0" stroke="#00507d" stroke-width="2"',
    "tile them": 'fill="#e6a8cd" stroke="#7a1f58" stroke-width="2" stroke-dasharray="4 2"',
}


def board_svg(
    board: npt.NDArray[np.uint8],
    distribution: Distribution,
    layout: Layout,
    highlight: Collection[int] = (),
    theirs: Collection[int] = (),
) -> str:
    """A uint8[225] board as an ``<svg>`` element.

    The tiles on the squares ``highlight`` stand out as ours, those on ``theirs`` as the opponent's. What looks alike is
    drawn as one path or group: a report may hold a thousand boards.
    """
    size = _MARGIN + _SIDE + 2
    filled = [square for square in range(SQUARES) if board[square]]
    laid = {*highlight, *theirs}
    lying = [square for square in filled if square not in laid]
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="0 0 {size} {size}" '
            f'width="{size}" height="{size}" data-margin="{_MARGIN}" data-cell="{_CELL}" '
            'font-family="Helvetica, Arial, sans-serif" text-anchor="middle" role="img" aria-label="Board">',
            f'<rect class="ground" width="{size}" height="{size}" fill="#fff"/>',
            f'<rect class="squares" x="{_MARGIN}" y="{_MARGIN}" width="{_SIDE}" height="{_SIDE}" fill="{_BOARD}"/>',
            _coordinates(),
            _premiums(layout, [square for square in range(SQUARES) if square not in lying]),
            _grid(),
            _tiles(lying, "tile"),
            _letters(board, lying, distribution),
            '<g class="plies">',
            _tiles(highlight, "tile us"),
            _tiles(theirs, "tile them"),
            _letters(board, [square for square in filled if square in laid], distribution),
            "</g></svg>",
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
    return _group('class="coordinates" font-size="12" fill="#555"', parts)


def _premiums(layout: Layout, squares: Sequence[int]) -> str:
    paths: dict[str, str] = {}
    labels = []
    for square in squares:
        word, letter = int(layout.word_multipliers[square]), int(layout.letter_multipliers[square])
        kind, times, fills = ("w", word, _WORD_PREMIUM) if word > 1 else ("l", letter, _LETTER_PREMIUM)
        if times in fills:
            x, y = _corner(square)
            attributes = f'class="{kind}{times}" fill="{fills[times]}"'
            paths[attributes] = paths.get(attributes, "") + f"M{x} {y}h{_CELL}v{_CELL}h-{_CELL}z"
            labels.append(_text(x + 16, y + 20, f"{times}{kind.upper()}"))
    squares_drawn = "".join(f'<path {attributes} d="{path}"/>' for attributes, path in paths.items())
    return squares_drawn + _group('class="premium" font-size="10" fill="#333" opacity=".65"', labels)


def _grid() -> str:
    lines = "".join(
        f"M{_MARGIN} {at}h{_SIDE}M{at} {_MARGIN}v{_SIDE}" for at in range(_MARGIN, _MARGIN + _SIDE + 1, _CELL)
    )
    return f'<path class="grid" d="{lines}" stroke="#fff" fill="none"/>'


def _tiles(squares: Collection[int], kind: str) -> str:
    """Squares with round corners."""
    side = _CELL - 8
    corner = f"h{side}q3 0 3 3v{side}q0 3-3 3h-{side}q-3 0-3-3v-{side}q0-3 3-3z"
    path = "".join(f"M{x + 4} {y + 1}{corner}" for x, y in map(_corner, squares))
    return f'<path class="{kind}" {_TILES[kind]} d="{path}"/>' if path else ""


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
            f'class="letter{" blank" if blank else ""}{" long" if long else ""}" font-weight="bold" '
            f'font-size="{14 if long else 19}" ' + ('font-style="italic" fill="#b02020"' if blank else 'fill="#222"'),
            parts,
        )
        for (blank, long), parts in groups.items()
    ]
    return "".join(letters) + _group('class="value" font-size="8" fill="#222"', values)
