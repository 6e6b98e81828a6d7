"""The slower ways come to the same outcomes, are what their names say, and a difference is noticed."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from pegray.game.layout import load_layout
from pegray.game.position import Position
from pegray.kernels.arena import PLAY_WORDS, SCORE_SHIFT
from pegray.kernels.bits import words_of
from pegray.kernels.entry import list_multisets
from pegray.kernels.generate import generate_lane
from pegray.kernels.lanes import LANES
from pegray.kernels.memory import new_memory
from pegray.kernels.verdicts import LOSS, WIN
from pegray.lexicon.lexicon import Lexicon
from pegray.preendgame.engine import prune_lexicon, root_workspace
from tests.game.positions import PUBLISHED
from tests.kernels.adapter import ENGLISH
from tests.kernels.symbols import word_graph
from tests.reference.positions import RandomPosition
from tests.soak import replaced, slower
from tests.soak.asked import Answers, Asked, answer
from tests.soak.replaced import WAYS, NotReplaced
from tests.soak.slower import ask_about, compare, main, table
from tests.soak.spelt import spell_lane
from tests.soak.whole import as_position

FIRST = Path(__file__).parents[2] / "jobs" / "first.cgp"
WORDS = frozenset(["AT", "TA", "TAB", "BAT", "BATS", "CAB", "CABS", "AB"])
BOARD = tuple("......CAB......" if row == 7 else "." * 15 for row in range(15))
# Racks of seven, of which few tiles can be played: fit for plain Python, with a choice of ours while a tile is left.
SMALL = RandomPosition("small", WORDS, BOARD, "SVVVVVV", "ATVVVVVVV", 7, 0, 0, "")
ENOUGH = 60.0  # CPU seconds
AT = 1000  # a word of the arena


@pytest.fixture(scope="module")
def first() -> Asked:
    """A real position, with the lexicon that is there."""
    return ask_about("first", Position.from_cgp(FIRST.read_text().splitlines()[1]), Lexicon.named("ENABLE").nodes)


def small() -> Asked:
    """Each of its units at another spread, so that some are won and some are lost."""
    asked = ask_about("small", as_position(SMALL), word_graph(SMALL.words))
    return replace(asked, units=tuple(unit._replace(spread=3 * (i - 4)) for i, unit in enumerate(asked.units)))


@pytest.mark.parametrize("way", WAYS)
def test_a_slower_way_in_plain_python(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    usual, row = compare([small()], ENOUGH, [way])
    assert row.differences == [] and row.outcomes == usual.outcomes and row.leaving == usual.leaving > 0
    assert row.outcomes[LOSS] and row.outcomes[WIN]
    assert table([usual, row]).count("\n") == 3


def test_a_changed_outcome_is_noticed(first: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(way: str, asked: list[Asked], seconds: float) -> list[Answers]:
        right, _ = answer(asked[0], asked[0].fitting, seconds)
        unit, (verdict,) = next(iter(right.verdicts.items()))
        return [replace(right, verdicts=right.verdicts | {unit: (WIN - verdict,)})]

    monkeypatch.setattr(slower, "ask", wrong)
    sure = [unit._replace(spread=400) for unit in first.units if unit.stays == 0]
    usual, row = compare([replace(first, units=tuple(sure[:3]))], ENOUGH, WAYS[:1])
    assert usual.outcomes[WIN] == 3 and usual.differences == []
    (difference,) = row.differences
    assert difference.endswith("[0], expected [2]")


def test_a_missing_file_is_one_clear_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["no-such.cgp"]) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1 and "no-such.cgp: neither here nor in" in said.err


@pytest.mark.parametrize("name", ["table.not_there", "entry.list_multisets"])
def test_what_cannot_be_replaced_is_an_error(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    events = root_workspace(as_position(SMALL), word_graph(SMALL.words), new_memory(0))
    list_multisets(events.record, np.uint64(0), 0)
    monkeypatch.setattr(replaced, "REPLACED", {WAYS[0]: {name: spell_lane}})
    with pytest.raises(NotReplaced, match="is not there any more|is compiled already"):
        replaced.go(WAYS[0])


@pytest.mark.parametrize("way", WAYS)
def test_the_usual_way_passes_for_no_other(way: str, first: Asked) -> None:
    _, workspace = answer(first, first.fitting, 1.0)
    assert replaced.missing_signs(way, workspace)
    with pytest.raises(NotReplaced):
        replaced.check_signs(way, workspace)


@numba.njit
def lane_plays(record: Any, lane: int, rack: np.uint64, spelt: bool) -> Any:
    workspace = record[0]
    if spelt:
        number = spell_lane(workspace, lane, rack, AT)
    else:
        number = generate_lane(workspace, lane, rack, AT)
    return words_of(workspace.arena.words)[AT : AT + number * PLAY_WORDS].copy()


def all_plays(position: Position, nodes: np.ndarray, spelt: bool) -> list[tuple[int, int, int]]:
    workspace = root_workspace(position, nodes, new_memory(0))
    rack = workspace.part("position")["rack"][0, 0, 0]
    plays = []
    for lane in range(LANES):
        words = lane_plays(workspace.record, lane, rack, spelt).reshape(-1, PLAY_WORDS)
        plays += [(move, need, meta >> int(SCORE_SHIFT)) for move, need, meta in words.tolist()]
    return sorted(plays)


def test_plays_spelt_out_are_those_generated() -> None:
    words = Lexicon.named("ENABLE").nodes
    chance = random.Random(1)
    found = 0
    for cgp in (PUBLISHED["onyx"], PUBLISHED["labour"]):
        position = Position.from_cgp(cgp)
        unseen = np.repeat(np.arange(ENGLISH.size), position.unseen)
        racks = [position.rack, ENGLISH.count(chance.sample(unseen.tolist(), 5))]
        for board, rack in [(position.board, rack) for rack in racks] + [(np.zeros(225, np.uint8), position.rack)]:
            held = Position(board, rack.astype(np.uint8), None, (0, 0), 0, held_only(rack, board), load_layout())
            plays = all_plays(held, words, spelt=True)
            assert plays == all_plays(held, prune_lexicon(held, words), spelt=False)
            found += len(plays)
    assert found > 1000


def held_only(rack: np.ndarray, board: np.ndarray) -> Any:
    """English tiles, as many as are on the board and on the rack: a workspace has no room for many more."""
    on_board = np.bincount(np.where(board & 0x80, 0, board)[board != 0], minlength=ENGLISH.size)
    return replace(ENGLISH, counts=(on_board + rack).astype(np.int8))


@pytest.mark.slow
@pytest.mark.timeout(1800)  # the kernels are compiled once for each way
def test_every_way_with_real_racks(first: Asked) -> None:
    rows = list(compare([first], 4.0))
    assert [row.way for row in rows] == [slower.USUAL, *WAYS]
    assert [row.differences for row in rows] == [[]] * 4
    assert all(sum(row.outcomes) for row in rows)
