"""What is too small for a search stops it with an error; nothing is written past an end."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from pegray.errors import PegrayError
from pegray.game.position import Position
from pegray.game.tiles import load_distribution
from pegray.kernels.arena import list_best
from pegray.kernels.bits import entry_kernel, plain, words_of
from pegray.kernels.entry import UNIT, root_plays, root_spread, set_root, settle_draws
from pegray.kernels.lanes import LANES
from pegray.kernels.limits import STOPPED_BY_ROOM
from pegray.kernels.lists import collect_arena, make_side_lists, source_list
from pegray.kernels.workspace import MOST_TILES
from pegray.lexicon.build import build_kwg
from pegray.lexicon.lexicon import Lexicon
from pegray.lexicon.words import encode_words
from pegray.preendgame import engine, solve_endgame
from tests.kernels.adapter import NO_BOUND, KernelPosition
from tests.reference.positions import RandomPosition
from tests.reference.reference import format_cgp

WORDS = frozenset("AB ABA BA AT TA TAB BAT BATS CAB CABS CAT CATS ACT AS SAT SATE EAT TEA EAST SEAT BEAT BEST".split())
BOARD = tuple("......CAB......" if row == 7 else "." * 15 for row in range(15))
ENDGAME = RandomPosition("endgame", WORDS, BOARD, "TEA", "BSAT", 4, 0, 0, "")
STUCK = replace(ENDGAME, our_rack="TEV", unseen="BSAV")  # nobody goes out at once
BEHIND = np.uint64(0xDEADBEEF)


POINTERS = {"order": ("order", "stack"), "arena": ("arena", "words")}


def with_little(name: str, words: int, position: RandomPosition = ENDGAME) -> tuple[KernelPosition, npt.NDArray]:
    """The kernels with so many words of the order stack or the arena, and what lies behind those in memory."""
    kernels = KernelPosition(position)
    memory = np.full(words + 4096, BEHIND)
    memory[:words] = 0
    kernels.workspace.point(*POINTERS[name], memory[:words])
    record = kernels.record
    set_root(record, kernels.board, record["position"]["root_rack"][0], record["position"]["rack"][0, 0, 1])
    return kernels, memory[words:]


@pytest.mark.parametrize(("name", "words"), [("order", 1), ("order", 4), ("arena", 16), ("arena", 128)])
def test_an_endgame_that_finds_no_room_is_stopped(name: str, words: int) -> None:
    kernels, behind = with_little(name, words)
    _, found = root_spread(kernels.record, 0, NO_BOUND)
    assert not found and kernels.record["limits"]["stop"] == STOPPED_BY_ROOM
    assert (behind == BEHIND).all()
    kernels, behind = with_little(name, 1 << 16)
    gain, found = root_spread(kernels.record, 0, NO_BOUND)
    assert found and gain == KernelPosition(ENDGAME).endgame_gain()


@pytest.mark.parametrize(("name", "words"), [("order", 1), ("order", 4), ("arena", 16), ("arena", 256)])
@pytest.mark.parametrize("stays", [0, 1])
def test_a_draw_that_finds_no_room_is_stopped(name: str, words: int, stays: int) -> None:
    """After our pass with a tile in the bag; after each of our plays with none, up to the first that finds no room."""
    roomy = KernelPosition(STUCK)
    moves, scores = root_plays(roomy.record, 0)
    if stays:
        moves, scores = np.zeros(1, np.uint64), np.zeros(1, np.int64)
    kernels, behind = with_little(name, words, replace(STUCK, opponent_rack_size=4 - stays))
    units = np.zeros(len(moves), UNIT)
    units["move"], units["spread"], units["weight"], units["budget"] = moves, scores, 1, NO_BOUND
    _, _, ends = settle_draws(kernels.record, units, stays, np.uint64(0), NO_BOUND)
    assert ends[-1, 2] == STOPPED_BY_ROOM
    assert (behind == BEHIND).all()


def test_plays_that_find_no_room_are_none() -> None:
    kernels, behind = with_little("arena", 64)
    moves, scores = root_plays(kernels.record, 0)
    assert len(moves) == len(scores) == 0 and kernels.record["limits"]["stop"] == STOPPED_BY_ROOM
    assert (behind == BEHIND).all()


@entry_kernel
def sources_after_collecting(record, times):
    """int64[LANES, 4]: where the source_list of each lane of the root is, its best score, and both after collecting."""
    workspace = record[0]
    arena = words_of(workspace.arena.words)
    make_side_lists(workspace, plain(0), plain(0))
    sources = np.empty((LANES, 4), np.int64)
    for lane in range(LANES):
        sources[lane, 0] = source_list(workspace, plain(0), plain(0), lane)
        sources[lane, 1] = list_best(arena, sources[lane, 0])
    for _ in range(times):
        collect_arena(workspace)
    for lane in range(LANES):
        sources[lane, 2] = source_list(workspace, plain(0), plain(0), lane)
        sources[lane, 3] = list_best(arena, sources[lane, 2])
    return sources


@pytest.mark.parametrize("times", [0, 1, 2, 3])
def test_a_list_that_has_moved_is_found_where_it_is(times: int) -> None:
    kernels, _ = with_little("arena", 1 << 14)
    sources = sources_after_collecting(kernels.record, times)
    assert (sources[:, 0] > 0).all() and np.array_equal(sources[:, 1], sources[:, 3])
    assert (sources[:, 0] == sources[:, 2]).all() == (times % 2 == 0)


def test_more_tiles_than_there_are_plies_for() -> None:
    with pytest.raises(AssertionError):
        KernelPosition(replace(ENDGAME, unseen="A" * MOST_TILES))


def few_tiles(folder: Path) -> tuple[Position, Lexicon]:
    """The endgame as a position, in a game with no other tiles."""
    values = {"?": 0, "A": 1, "B": 3, "C": 3, "E": 1, "S": 1, "T": 1}
    counts = Counter("CAB" + ENDGAME.our_rack + ENDGAME.unseen)
    path = folder / "few.csv"
    path.write_text("\n".join(f"{tile},{counts[tile]},{value},0" for tile, value in values.items()), encoding="utf-8")
    tiles = load_distribution(str(path))
    graph = build_kwg(*encode_words("\n".join(WORDS), tiles, "few"))
    position = Position.from_cgp(format_cgp(BOARD, ENDGAME.our_rack, "", (0, 0), 0), tiles)
    return position, Lexicon.of_nodes("few", graph)


def test_python_starts_again_with_more_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    position, lexicon = few_tiles(tmp_path)
    result = solve_endgame.solve_endgame(position, lexicon)
    moves, scores = engine.legal_plays(position, lexicon.nodes)
    monkeypatch.setattr(solve_endgame, "ARENA_WORDS", 64)
    monkeypatch.setattr(engine, "_PLAYS_ARENA_WORDS", 64)
    again = solve_endgame.solve_endgame(position, lexicon)
    assert (again.spread, len(again.moves)) == (result.spread, len(result.moves))
    found = engine.legal_plays(position, lexicon.nodes)
    assert found[0].tolist() == moves.tolist() and found[1].tolist() == scores.tolist()
    monkeypatch.setattr(engine, "_MOST_ARENA_WORDS", 128)
    for asked in (solve_endgame.solve_endgame, engine.legal_plays):
        with pytest.raises(PegrayError, match="do not fit into"):
            asked(position, lexicon if asked is solve_endgame.solve_endgame else lexicon.nodes)


def test_an_arena_grows_to_a_size_that_says_something_is_wrong() -> None:
    words = 64
    while words < engine._MOST_ARENA_WORDS:
        words = engine.more_room(words)
    with pytest.raises(PegrayError, match=r"^the plays of one line of this position do not fit into 8 GiB$"):
        engine.more_room(words)
