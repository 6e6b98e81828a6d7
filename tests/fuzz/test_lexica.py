"""Word graphs, word lists and distributions that somebody else has made: sound once they are read, or refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegray.errors import InputError
from pegray.game.position import Position
from pegray.game.tiles import BUNDLED, load_distribution
from pegray.lexicon.build import build_kwg
from pegray.lexicon.counts import TOO_MANY_WORDS
from pegray.lexicon.kwg import ARC_MASK, END_FLAG, LAST_FLAG, ROOTS, TILE_SHIFT, read_kwg, write_kwg
from pegray.lexicon.lexicon import Lexicon
from pegray.lexicon.prune import prune
from pegray.lexicon.words import LONGEST, encode_words
from tests.fuzz.broken import broken_bytes, broken_text, for_long, one_line
from tests.game.positions import PUBLISHED

ENGLISH = load_distribution("english")
GRAPH = build_kwg(*encode_words("CARE\nCARES\nSCARE\nACE\nRACE\nRACES", ENGLISH, "list"))
KWG = GRAPH.astype("<u4").tobytes()
DISTRIBUTION = "?,2,0,0\nA,9,1,1\n[CH],1,5,0\nL·L,l·l,1,10,0\nÑ,1,8,0\n"
CSV_PIECES = [",", "\n", '"', "?", "[", "]", "-1", "999", "1_0", "A", "a", " ", ".", "\0", "\U0001f600", "x" * 200_000]
WORD_PIECES = ["\n", "#", "\0", "\x85", "\u0301", "ß", "[", "\U0001f600", "ǅ", "QU"]


def check_sound(nodes: npt.NDArray[np.uint32]) -> None:
    """Follow every arc from the roots: inside, in order, to an end."""
    size, on_path, done = len(nodes), set(), set()

    def check(start: int) -> None:
        assert start == 0 or ROOTS <= start < size
        if start == 0 or start in done:
            return
        assert start not in on_path, "runs in circles"
        on_path.add(start)
        at, before = start, -1
        while True:
            node = int(nodes[at])
            assert node >> TILE_SHIFT > before, "out of order"
            before = node >> TILE_SHIFT
            check(node & ARC_MASK)
            if node & LAST_FLAG:
                break
            at += 1
            assert at < size, "leaves the array"
        on_path.discard(start)
        done.add(start)

    for root in range(ROOTS):
        check(int(nodes[root]) & ARC_MASK)


def open_graph(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "fuzz.kwg"
    path.write_bytes(data)
    nodes = one_line(read_kwg, path)
    if nodes is not None:
        check_sound(nodes)


@st.composite
def broken_graphs(draw: st.DrawFn) -> bytes:
    """A sound graph with some arcs, flags and tiles changed."""
    nodes = GRAPH.copy()
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(nodes) - 1))
        arc, tile = draw(st.integers(0, len(nodes) + 1)), draw(st.integers(0, 70))
        match draw(st.sampled_from(["arc", "tile", "last", "end"])):
            case "arc":
                nodes[at] = int(nodes[at]) & ~ARC_MASK | arc
            case "tile":
                nodes[at] = int(nodes[at]) & ((1 << TILE_SHIFT) - 1) | tile << TILE_SHIFT
            case "last":
                nodes[at] ^= np.uint32(LAST_FLAG)
            case "end":
                nodes[at] ^= np.uint32(END_FLAG)
    return nodes.astype("<u4").tobytes()


@given(broken_graphs())
def test_graphs(tmp_path: Path, data: bytes) -> None:
    open_graph(tmp_path, data)


@given(broken_bytes(KWG))
def test_graphs_by_bytes(tmp_path: Path, data: bytes) -> None:
    open_graph(tmp_path, data)


@given(broken_text("care\nCARES # both\nÉTÉ\n", WORD_PIECES), st.sampled_from(BUNDLED))
def test_word_lists(text: str, language: str) -> None:
    distribution = load_distribution(language)
    found = one_line(encode_words, text, distribution, "fuzz")
    if found is not None:
        letters, lengths = found
        inside = np.arange(LONGEST) < lengths[:, np.newaxis]
        assert (
            (letters[inside] > 0).all() and (letters[inside] < distribution.size).all() and not letters[~inside].any()
        )


@given(broken_text(DISTRIBUTION, CSV_PIECES))
def test_distributions(tmp_path: Path, text: str) -> None:
    path = tmp_path / "fuzz.csv"
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    distribution = one_line(load_distribution.__wrapped__, str(path))
    if distribution is not None:
        for tile in range(1, distribution.size):
            assert distribution.parse_squares(distribution.board_text(tile)) == [tile]
            assert distribution.parse_squares(distribution.board_text(tile | 0x80)) == [tile | 0x80]
        one_line(encode_words, "AA\nLA\n", distribution, "fuzz")


test_graphs_for_long = for_long(open_graph, broken_graphs())
test_graphs_by_bytes_for_long = for_long(open_graph, broken_bytes(KWG))


def test_a_nul_in_a_word_is_no_letter() -> None:
    with pytest.raises(InputError, match="line 2"):
        encode_words("ACE\nA\0E\n", ENGLISH, "list")


def test_a_line_too_long_for_any_word_is_left_out_unread() -> None:
    """Combining so many accents takes the square of their number."""
    letters, lengths = encode_words("ACE\nA" + "\u0301\u0323" * 1_000_000, ENGLISH, "list")
    assert lengths.tolist() == [3]


def test_a_graph_of_more_words_than_there_can_be_is_refused(tmp_path: Path) -> None:
    """Of a few nodes: fifteen lists of all letters, one after the other, each leading to the next."""
    letters = ENGLISH.size - 1
    lists = []
    for level in range(LONGEST):
        to = 0 if level == LONGEST - 1 else ROOTS + (level + 1) * letters
        lists += [
            tile << TILE_SHIFT | END_FLAG | to | (LAST_FLAG if tile == letters else 0) for tile in range(1, letters + 1)
        ]
    path = tmp_path / "many.kwg"
    write_kwg(np.array([LAST_FLAG | ROOTS, LAST_FLAG | ROOTS, *lists], np.uint32), path)
    lexicon = Lexicon.from_file(path)
    message = f"{TOO_MANY_WORDS:,} words"
    with pytest.raises(InputError, match=message):
        lexicon.words().__next__()
    position = Position.from_cgp(PUBLISHED["onyx"])
    with pytest.raises(InputError, match=message):
        prune(lexicon.nodes, position.board, position.rack + position.unseen)


@pytest.mark.parametrize("name", ["a\0.kwg", "a\0.txt", f"{'x' * 5000}.kwg"])
def test_a_lexicon_that_no_file_can_be_named(name: str) -> None:
    assert one_line(Lexicon.from_file, name) is None
