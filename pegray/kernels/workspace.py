"""The memory of one solver thread: a single record, whose parts belong to the modules that say what is in them.

numba passes a record, or a part of one, by pointer and knows each field's offset and shape, which makes a recursive
kernel with forty arrays as cheap to call as one with a single pointer (measured: a third of the cost of passing the
arrays). A kernel takes the parts that it reads or writes, or the whole workspace where these are many.

Terms used in the kernels
-------------------------
lane    one of the 30 lines of the board: rows 0..14, then columns 15..29
ply     depth below the root position; ``[ply]`` fields describe the position after ``ply`` moves
side    0 is the player being solved for ("us"), 1 the opponent
kind    a tile in play at this position (the blank is one), see game.py; a rack is a *packed rack*
list    all plays of one lane for one packed rack, kept in the arena (see lists.py); or all its placements
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from pegray.game.layout import DIMENSION, Layout
from pegray.game.rules import RACK_SIZE
from pegray.game.tiles import Distribution
from pegray.kernels.alone import ALONE, NO_PLAY
from pegray.kernels.answered import ANSWERED
from pegray.kernels.arena import ARENA
from pegray.kernels.budgets import BUDGETS, FIRST_USUAL_NODES
from pegray.kernels.caps import CAPS
from pegray.kernels.caps import SLOT_WORDS as CAP_WORDS
from pegray.kernels.checkpoints import CHECKPOINTS, LEAST_NODES
from pegray.kernels.decisions import DECISIONS
from pegray.kernels.estimates import ESTIMATES
from pegray.kernels.foreseen import FORESEEN
from pegray.kernels.found import FOUND
from pegray.kernels.game import GAME, MAX_KINDS
from pegray.kernels.hopeless import HOPELESS
from pegray.kernels.killers import KILLERS
from pegray.kernels.lane_memory import LANE_MEMORY
from pegray.kernels.lane_memory import SLOT_WORDS as LANE_SLOT_WORDS
from pegray.kernels.letters import LETTERS
from pegray.kernels.limits import LIMITS, UNLIMITED_DEPTH
from pegray.kernels.lists import LISTS, SLOT_WORDS
from pegray.kernels.memory import Memory
from pegray.kernels.order import ORDER
from pegray.kernels.outs import OUTS
from pegray.kernels.pages import empty_words
from pegray.kernels.picker import LEAST_SHARE, NOBODY, PICKER
from pegray.kernels.placements import SEEN
from pegray.kernels.portions import MOST_LEFT, PORTION
from pegray.kernels.position import POSITION
from pegray.kernels.preendgame import PREENDGAME
from pegray.kernels.promises import PROMISES
from pegray.kernels.race import FIRST_BUDGET, NODES_BEFORE_RACE, RACE
from pegray.kernels.replies import FIRST_NODES, FIRST_SHARE, REPLIES
from pegray.kernels.rough_caps import ROUGH_CAPS
from pegray.kernels.spelling import SPELLING
from pegray.kernels.standing import STANDING
from pegray.kernels.table import TABLE
from pegray.kernels.taken import TAKEN
from pegray.kernels.verdicts import VERDICTS
from pegray.kernels.word_graph import LEXICON, all_nodes

# How large the arrays are. The arena and the order stack are checked as they are filled, and so is what its owner calls
# bounded; the others cannot overflow, for the reasons given there.
MOST_TILES = 20  # of both racks and the bag together

# Small parts come first, so that what is used all the time lies close together.
WORKSPACE = np.dtype(
    [
        ("limits", LIMITS),
        ("arena", ARENA),
        ("order", ORDER),
        ("table", TABLE),
        ("taken", TAKEN),
        ("found", FOUND),
        ("decisions", DECISIONS),
        ("checkpoints", CHECKPOINTS),
        ("lexicon", LEXICON),
        ("game", GAME),
        ("spelling", SPELLING),
        ("caps", CAPS),
        ("outs", OUTS),
        ("killers", KILLERS),
        ("standing", STANDING),
        ("picker", PICKER),
        ("race", RACE),
        ("verdicts", VERDICTS),
        ("budgets", BUDGETS),
        ("preendgame", PREENDGAME),
        ("portion", PORTION),
        ("position", POSITION),
        ("letters", LETTERS),
        ("lists", LISTS),
        ("lane_memory", LANE_MEMORY),
        ("estimates", ESTIMATES),
        ("answered", ANSWERED),
        ("rough_caps", ROUGH_CAPS),
        ("promises", PROMISES),
        ("foreseen", FORESEEN),
        ("hopeless", HOPELESS),
        ("seen", SEEN),
        ("replies", REPLIES),
        ("alone", ALONE),
    ],
    align=True,
)

_CROSS_SLOTS = 1 << 15
_CAP_SLOTS = 1 << 16
_LANE_WORDS = 1 << 23
_LANE_SLOTS = 1 << 18
_CHECKPOINT_WORDS = 1 << 16
_LEAST_ORDER = 1 << 16
_LEAST_INDEX = 1 << 12


@dataclass
class Workspace:
    """One thread's record with the arrays that it points to (which it keeps alive).

    ``record`` has shape (1,) and dtype :data:`WORKSPACE`: kernels called from Python take it whole.
    """

    record: npt.NDArray[np.void]
    arrays: dict[str, npt.NDArray] = field(repr=False)

    def part(self, name: str) -> npt.NDArray[np.void]:
        """A part of the record, shape (1,), to be read and written."""
        return self.record[name]

    def point(self, part: str, name: str, array: npt.NDArray) -> None:
        """Make the kernels use ``array`` (contiguous) as the array ``name`` of a part."""
        assert array.flags.c_contiguous
        self.arrays[f"{part}.{name}"] = array
        self.record[part][name] = (array.ctypes.data, array.size)


def bare_workspace(distribution: Distribution, layout: Layout, tiles_in_play: npt.NDArray[np.uint8]) -> Workspace:
    """A workspace without the large arrays: enough to pack racks and to list draws."""
    workspace = Workspace(np.zeros(1, WORKSPACE), {})
    game = workspace.part("game")
    game["letter_multiplier"] = layout.letter_multipliers
    game["word_multiplier"] = layout.word_multipliers
    game["start_square"] = layout.start_square
    game["tile_value"][0, : distribution.size] = distribution.values
    game["most_points"] = _most_points(distribution, layout)
    _set_tiles_in_play(game, tiles_in_play)
    return workspace


def _most_points(distribution: Distribution, layout: Layout) -> int:
    """Points that no play reaches: by a word from edge to edge, and one across through each of its tiles."""
    words = layout.word_multipliers.reshape(DIMENSION, DIMENSION).astype(np.int64)
    lanes = np.sort(np.vstack([words, words.T]), axis=1)[:, -RACK_SIZE:]
    face = DIMENSION * int(distribution.values.max()) * int(layout.letter_multipliers.max())
    return face * (int(lanes.prod(axis=1).max()) + RACK_SIZE * int(words.max())) + 1


def new_workspace(
    distribution: Distribution,
    layout: Layout,
    tiles_in_play: npt.NDArray[np.uint8],
    kwg: npt.NDArray[np.uint32],
    memory: Memory,
    arena_words: int = 1 << 24,
) -> Workspace:
    """A workspace for positions whose racks hold no tiles but ``tiles_in_play``.

    Parameters
    ----------
    tiles_in_play: uint8[distribution.size], counts of our rack and all unseen tiles together (MOST_TILES at the most)
    kwg: uint32[], the word graph
    memory: what the threads of a process share
    arena_words: size of the move-list arena in 8-byte words; the order stack has an eighth of it
    """
    assert tiles_in_play.sum() <= MOST_TILES
    workspace = bare_workspace(distribution, layout, tiles_in_play)
    for part, name, array in (
        ("lexicon", "graph", all_nodes(kwg)),
        ("lexicon", "cross_sets", np.zeros(_CROSS_SLOTS * 2, np.uint64)),
        ("lane_memory", "words", empty_words(_LANE_WORDS)),
        ("lane_memory", "index", empty_words(_LANE_SLOTS * LANE_SLOT_WORDS)),
        ("caps", "kept", np.zeros(_CAP_SLOTS * CAP_WORDS, np.uint64)),
        ("table", "entries", memory.table),
        ("decisions", "rows", memory.decisions),
        ("taken", "marks", memory.taken),
        ("found", "rows", memory.found),
        ("checkpoints", "rows", np.zeros(_CHECKPOINT_WORDS, np.uint64)),
        ("limits", "bound", memory.bound),
        ("limits", "halt", np.zeros(1, np.uint64)),
        ("portion", "asked", np.zeros(0, np.uint64)),
        ("portion", "verdicts", np.zeros(0, np.uint64)),
        ("portion", "left", np.zeros(MOST_LEFT, np.uint64)),
    ):
        workspace.point(part, name, array)
    give_arena(workspace, arena_words)
    workspace.part("limits")["node_limit"] = np.iinfo(np.int64).max
    workspace.part("limits")["depth"] = UNLIMITED_DEPTH
    workspace.part("checkpoints")["least"] = LEAST_NODES
    workspace.part("position")["opponent_rack_size"] = RACK_SIZE
    workspace.part("alone")["lane_most"] = NO_PLAY
    workspace.part("race")["after"] = NODES_BEFORE_RACE
    workspace.part("race")["budget"] = FIRST_BUDGET
    workspace.part("picker")["puts_off"] = NOBODY
    workspace.part("picker")["least_share"] = LEAST_SHARE
    workspace.part("replies")["share"] = FIRST_SHARE
    workspace.part("replies")["nodes"] = FIRST_NODES
    workspace.part("budgets")["usual_nodes"] = FIRST_USUAL_NODES
    return workspace


def give_arena(workspace: Workspace, arena_words: int) -> None:
    """Put an empty arena, and what goes with one of its size, in place of what was there: a root has to follow."""
    workspace.point("arena", "words", empty_words(arena_words))
    workspace.point("lists", "index", empty_words(_index_slots(arena_words) * SLOT_WORDS))
    workspace.point("order", "stack", empty_words(max(_LEAST_ORDER, arena_words // 8)))


def _index_slots(arena_words: int) -> int:
    """How many lists are found again: a power of two, one for about 32 words of the arena."""
    return max(_LEAST_INDEX, 1 << (arena_words.bit_length() - 5))


def _set_tiles_in_play(game: npt.NDArray[np.void], tiles_in_play: npt.NDArray[np.uint8]) -> None:
    """Lay out the packed rack: for each kind in play a counter just wide enough, and its guard bit."""
    shift = 0
    guard = 0
    kinds = 0
    game["tile_unit"] = 0
    for tile, count in enumerate(tiles_in_play.tolist()):
        if count == 0:
            continue
        width = int(count).bit_length()
        game["kind_tile"][0, kinds] = tile
        game["kind_shift"][0, kinds] = shift
        game["kind_mask"][0, kinds] = (1 << width) - 1
        game["tile_unit"][0, tile] = 1 << shift
        guard |= 1 << (shift + width)
        shift += width + 1
        kinds += 1
    assert shift <= 63 and kinds <= MAX_KINDS
    game["kinds"] = kinds
    game["guard"] = guard


def pack_rack(workspace: Workspace, counts: npt.NDArray[np.uint8]) -> int:
    """Packed rack of a count for each tile (uint8[distribution.size])."""
    units = workspace.part("game")["tile_unit"][0]
    assert not counts[units[: len(counts)] == 0].any()
    return sum(int(count) * int(units[tile]) for tile, count in enumerate(counts.tolist()))


def unpack_rack(workspace: Workspace, packed: int) -> list[int]:
    """Tile indices in a packed rack, ascending."""
    game = workspace.part("game")[0]
    tiles: list[int] = []
    for kind in range(int(game["kinds"])):
        count = (packed >> int(game["kind_shift"][kind])) & int(game["kind_mask"][kind])
        tiles += [int(game["kind_tile"][kind])] * count
    return tiles
