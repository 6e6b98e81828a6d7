"""The board as SVG."""

from __future__ import annotations

from collections.abc import Collection
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
    """A uint8[225] board as an ``<svg>`` element; the tiles on the squares ``highlight`` stand out."""
    size = _MARGIN + _SIDE + 2
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" width="{size}" height="{size}" '
        'font-family="Helvetica, Arial, sans-serif" text-anchor="middle" role="img" aria-label="board">',
        f'<rect width="{size}" height="{size}" fill="#fff"/>',
        f'<rect x="{_MARGIN}" y="{_MARGIN}" width="{_SIDE}" height="{_SIDE}" fill="{_BOARD}"/>',
    ]
    for i in range(DIMENSION):
        middle = _MARGIN + i * _CELL + _CELL // 2
        parts.append(f'<text x="{middle}" y="16" font-size="12" fill="#555">{chr(ord("A") + i)}</text>')
        parts.append(f'<text x="11" y="{middle + 4}" font-size="12" fill="#555">{i + 1}</text>')
    parts += [_premium(layout, square) for square in range(SQUARES) if not board[square]]
    lines = "".join(
        f"M{_MARGIN} {at}h{_SIDE}M{at} {_MARGIN}v{_SIDE}" for at in range(_MARGIN, _MARGIN + _SIDE + 1, _CELL)
    )
    parts.append(f'<path d="{lines}" stroke="#fff" fill="none"/>')
    parts += [_tile(int(board[s]), distribution, s, s in highlight) for s in range(SQUARES) if board[s]]
    return "".join(parts) + "</svg>"


def _corner(square: int) -> tuple[int, int]:
    row, column = divmod(square, DIMENSION)
    return _MARGIN + column * _CELL, _MARGIN + row * _CELL


def _premium(layout: Layout, square: int) -> str:
    word, letter = int(layout.word_multipliers[square]), int(layout.letter_multipliers[square])
    fill = _WORD_PREMIUM.get(word) or _LETTER_PREMIUM.get(letter)
    if fill is None:
        return ""
    x, y = _corner(square)
    label = f"{word}W" if word > 1 else f"{letter}L"
    return (
        f'<rect x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" fill="{fill}"/>'
        f'<text x="{x + 16}" y="{y + 20}" font-size="10" fill="#333" opacity=".65">{label}</text>'
    )


def _tile(tile: int, distribution: Distribution, square: int, highlighted: bool) -> str:
    x, y = _corner(square)
    fill, edge = _HIGHLIGHT if highlighted else _TILE
    blank = bool(tile & BLANK_FLAG)
    form = distribution.blank_forms[tile & LETTER_MASK] if blank else distribution.tiles[tile]
    style = ' font-style="italic" fill="#b02020"' if blank else ' fill="#222"'
    font = 19 if len(form) == 1 else 14
    value = (
        "" if blank else f'<text x="{x + 26}" y="{y + 28}" font-size="8" fill="#222">{distribution.value(tile)}</text>'
    )
    return (
        f'<rect x="{x + 1}" y="{y + 1}" width="{_CELL - 2}" height="{_CELL - 2}" rx="3" fill="{fill}" stroke="{edge}"/>'
        f'<text x="{x + 15}" y="{y + 23}" font-size="{font}" font-weight="bold"{style}>{escape(form)}</text>{value}'
    )
