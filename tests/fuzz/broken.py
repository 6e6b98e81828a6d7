"""Ways to break bytes and texts, and the check that all of it is refused in one line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pegray.errors import PegrayError
from tests.fuzz.conftest import LONG


def one_line(call: Callable[..., Any], *given: Any) -> Any:
    """What the call returns; None if it refuses what it is given, as it should: with a message of one line."""
    try:
        return call(*given)
    except PegrayError as error:
        text = str(error)
        assert text.strip() and "\n" not in text, repr(text)
        return None


def for_long(check: Callable[..., None], *strategies: st.SearchStrategy[Any]) -> Any:
    """A slow test that tries many more examples than the quick ones."""
    return pytest.mark.slow(settings(max_examples=LONG)(given(*strategies)(check)))


@st.composite
def broken_bytes(draw: st.DrawFn, good: bytes) -> bytes:
    """A good file with some bytes changed, left out, or put in."""
    data = bytearray(good)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, max(0, len(data) - 1)))
        match draw(st.sampled_from(["change", "cut", "insert", "drop", "double"])):
            case "change" if data:
                data[at] = draw(st.integers(0, 255))
            case "cut":
                del data[at:]
            case "insert":
                data[at:at] = draw(st.binary(min_size=1, max_size=8))
            case "drop":
                del data[at : at + draw(st.integers(1, 16))]
            case "double":
                data[at:at] = data[at : at + 64]
    return bytes(data)


@st.composite
def broken_text(draw: st.DrawFn, good: str, pieces: list[str]) -> str:
    """A good text with pieces of its kind, or any characters, in the wrong places."""
    text = good
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(text)))
        piece = draw(st.one_of(st.sampled_from(pieces), st.text(max_size=4)))
        text = text[:at] + piece + text[at + draw(st.integers(0, 6)) :]
    return text
