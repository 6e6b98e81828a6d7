"""The memory of one solver thread: a single record, so that every kernel takes one argument.

numba passes a record by pointer and knows each field's offset and shape, which makes a recursive kernel with forty
arrays as cheap to call as one with a single pointer (measured: a third of the cost of passing the arrays).

Terms used in the kernels
-------------------------
lane    one of the 30 lines of the board: rows 0..14, then columns 15..29
ply     depth below the root position; ``[ply]`` fields describe the position after ``ply`` moves
side    0 is the player being solved for ("us"), 1 the opponent
kind    a tile kind in play at this position (the blank is one); a rack is a *packed rack*, one uint64 with a
        counter for each kind and a guard bit above each counter, so that ``need`` fits in ``rack`` exactly when
        ``((rack | guard) - need) & guard == guard``
list    all plays of one lane for one packed rack, kept in the arena (see lists.py); or all its placements
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from pegray.game.layout import Layout
from pegray.game.tiles import Distribution
from pegray.kernels.memory import Memory
from pegray.kernels.siblings import all_sibling_letters

# why a search has stopped: the field ``stop``, which is 0 while it goes on
STOPPED_BY_BUDGET = 1
STOPPED_BY_ROOM = 2  # the arena or the order stack has no room left: it needs a larger workspace
STOPPED_BY_BOUND = 3

# How large the arrays are. The arena and the order stack are checked as they are filled, and so is what a comment below
# calls bounded; the others cannot overflow, for the reasons given.
MOST_TILES = 20  # of both racks and the bag together
# Of two turns in a row one lays a tile, since two passes end the game: 41 turns, then one that hopeless.py tries out.
MAX_PLIES = 48
LANES = 30
MAX_KINDS = 24  # MOST_TILES at the most
MAX_OUTS = 16  # bounded: the worst falls off
NEED_SLOTS = 512  # a hash table of the sets of tiles within a rack of 7: 127 at the most
ALONE_TILES = 5  # most tiles of a rack in alone.py, which looks at no others
ALONE_SETS = 32  # 2 ** ALONE_TILES
ALONE_PLACEMENTS = 1 << 15  # bounded: with more there is no bound on what is gained alone
ALONE_FILLS = 1 << 17  # bounded too
SEEN_PLACEMENTS = 1 << 12  # a hash table that forgets
REPLY_SLOTS = 1 << 12  # see replies.py
SHORTFALLS = 32  # classes of how far a player seems to fall short, see hopeless.py

WORKSPACE = np.dtype(
    [
        # the game
        ("letter_multiplier", "u1", (225,)),
        ("word_multiplier", "u1", (225,)),
        ("start_square", "i8"),
        ("tile_value", "i8", (64,)),
        ("tile_unit", "u8", (64,)),  # one tile of this kind in a packed rack; 0 where the kind is not in play
        ("kinds", "i8"),
        ("kind_tile", "i8", (MAX_KINDS,)),
        ("kind_shift", "u8", (MAX_KINDS,)),
        ("kind_mask", "u8", (MAX_KINDS,)),
        ("guard", "u8"),
        # the position, by ply
        ("board", "u1", (225,)),
        ("board_key", "u8", (MAX_PLIES,)),
        ("lane_key", "u8", (MAX_PLIES, LANES)),
        ("root_rack", "u8"),  # ours; rack[0, 0] may be wider, see lists.widen_rack
        ("rack", "u8", (MAX_PLIES, 2)),
        ("rack_value", "i8", (MAX_PLIES, 2)),
        ("list_at", "i8", (MAX_PLIES, 4, LANES)),  # by side: plays of 0 and 1, then placements of 0 and 1
        ("placed_square", "u1", (MAX_PLIES, 8)),
        ("placed_count", "i8", (MAX_PLIES,)),
        # one lane while its list is made
        ("lane_letter", "u1", (15,)),
        ("lane_cross_set", "u8", (15,)),
        ("lane_cross_score", "i8", (15,)),
        ("lane_reach", "u8", (15,)),
        ("lane_tile", "u1", (15,)),  # the tiles that are laid in it, as in a packed move; else 0
        ("count", "i8", (64,)),  # of each tile of the rack
        ("held", "u8"),  # a bit for each tile that it has
        ("lane", "i8"),
        ("most_tiles", "i8"),
        ("anchor", "i8"),
        ("barrier", "i8"),  # the anchor before
        ("first", "i8"),  # where the word begins that is being spelt
        # where the large arrays are
        ("kwg_address", "u8"),
        ("kwg_length", "i8"),
        ("siblings_address", "u8"),
        ("siblings_length", "i8"),
        ("arena_address", "u8"),
        ("arena_length", "i8"),
        ("cache_address", "u8"),
        ("cache_length", "i8"),
        ("cross_address", "u8"),
        ("cross_length", "i8"),
        ("order_address", "u8"),
        ("order_length", "i8"),
        ("table_address", "u8"),
        ("table_length", "i8"),
        ("decisions_address", "u8"),
        ("decisions_length", "i8"),
        ("bound_address", "u8"),
        ("taken_address", "u8"),
        ("halt_address", "u8"),
        # the arena
        ("arena_next", "i8"),
        ("arena_end", "i8"),
        ("arena_epoch", "i8"),
        ("arena_full", "i8"),
        ("live_ply", "i8"),
        ("order_next", "i8"),
        # outs of one side, and the best plays by lane, while a node is ordered
        ("out_score", "i8", (MAX_OUTS,)),
        ("out_lane", "u8", (MAX_OUTS,)),
        ("out_move", "u8", (MAX_OUTS,)),
        ("out_zone", "u8", (MAX_OUTS, 4)),
        ("reply_score", "i8", (LANES,)),
        ("reply_lane", "u8", (LANES,)),
        # need -> best play with exactly that need, while a node is ordered
        ("need_key", "u8", (NEED_SLOTS,)),
        ("need_score", "i8", (NEED_SLOTS,)),
        ("need_lane", "u8", (NEED_SLOTS,)),
        # what a player gains alone (see alone.py): sets of its tiles by number, and the parts of each, ascending
        ("alone_sets", "i8"),
        ("alone_weight", "i8", (64,)),
        ("alone_rack", "u8", (ALONE_SETS,)),
        ("alone_value", "i8", (ALONE_SETS,)),
        ("alone_parts_at", "i8", (ALONE_SETS + 1,)),
        ("alone_part", "i8", (ALONE_SETS * ALONE_SETS,)),
        # ... best scores: across by kind of tile (a column), direction, square and set before; of plays by set and set
        # before; in all
        ("alone_columns", "i8"),
        ("alone_column", "u1", (64,)),
        ("alone_reached", "u1", (ALONE_TILES * 2 * 225,)),
        ("alone_cross", "i2", (ALONE_TILES * 2 * 225 * ALONE_SETS,)),
        ("alone_most", "i8", (ALONE_SETS * ALONE_SETS,)),
        ("alone_gain", "i8", (ALONE_SETS,)),
        # ... the placements, their tiles one after the other, and the choices of tiles in one of them
        ("laid_count", "u1", (ALONE_PLACEMENTS,)),
        ("laid_face", "i2", (ALONE_PLACEMENTS,)),
        ("laid_number", "u1", (ALONE_PLACEMENTS,)),
        ("fill_own", "i4", (ALONE_FILLS,)),
        ("fill_cross", "i4", (ALONE_FILLS,)),
        ("fill_bonus", "i2", (ALONE_FILLS,)),
        ("fill_multiplier", "u1", (ALONE_FILLS,)),
        ("fill_weight", "u1", (ALONE_FILLS,)),
        ("chosen_score", "i8", (ALONE_SETS,)),
        ("chosen_multiplier", "i8", (ALONE_SETS,)),
        ("chosen_weight", "i8", (ALONE_SETS,)),
        ("chosen_across", "i8", (ALONE_SETS * ALONE_SETS,)),
        # ... while the placements of a lane are listed: those with the blank that are in the list, by hash
        ("seen_placement", "u8", (SEEN_PLACEMENTS,)),
        # what answers are worth, and which bounds have paid lately (see hopeless.py)
        ("answer_worth", "i8", (MAX_OUTS,)),
        ("bound_tries", "i8", (8 * (ALONE_TILES + 1) * SHORTFALLS,)),
        ("bound_gains", "i8", (8 * (ALONE_TILES + 1) * SHORTFALLS,)),
        # nodes before the plays at the root race, first budget of each; how far the search of a ply was when it stopped
        ("race_after", "i8"),
        ("race_budget", "i8"),
        ("replies_tried", "i8", (MAX_PLIES,)),
        ("replies_listed", "i8", (MAX_PLIES,)),
        # of the last endgame that a rack was on turn in: verdict (verdicts.py), play that won the race (race.py)
        ("last_verdict", "u1", (256,)),
        ("last_winner", "u8", (256,)),
        ("helps", "i8"),  # 1 while it helps another thread
        # budget and counters
        ("stop", "i8"),
        ("nodes", "i8"),
        ("node_limit", "i8"),
        ("depth", "i8"),
        ("losses_found", "i8"),  # half weights that the play at the root has lost already
        ("cut", "i8"),
        ("opponent_rack_size", "i8"),
        ("good_move", "u8", (8,)),
        # of the opponent's replies, by hash (replies.py), moving averages: the share (of 1,024) that each refuted of
        # what it might have, and the nodes that took, in sixteenths; and what both are worth, in points
        ("reply_share", "i8", (REPLY_SLOTS,)),
        ("reply_nodes", "i8", (REPLY_SLOTS,)),
        ("reply_bonus", "i8", (REPLY_SLOTS,)),
        # nodes that an endgame takes, by whose turn it is first: a moving average (budgets.py)
        ("usual_nodes", "i8", (2,)),
        # the last two moves that settled a node of this ply, with their scores and the states of their lanes then
        ("killer", "u8", (MAX_PLIES, 2)),
        ("killer_score", "i8", (MAX_PLIES, 2)),
        ("killer_lane_key", "u8", (MAX_PLIES, 2)),
        ("endgames", "i8"),
        ("races", "i8"),
        ("table_probes", "i8"),
        ("table_hits", "i8"),
        ("table_stores", "i8"),
        ("lists_generated", "i8"),
        ("lists_filtered", "i8"),
        ("arena_collections", "i8"),
        ("decisions", "i8"),
        ("decision_hits", "i8"),
        ("alone_bounds", "i8"),
        ("answered_bounds", "i8"),
    ],
    align=True,
)

_CROSS_SLOTS = 1 << 15
_LEAST_ORDER = 1 << 16


@dataclass
class Workspace:
    """One thread's record with the arrays that it points to (which it keeps alive).

    ``record`` has shape (1,) and dtype :data:`WORKSPACE`: kernels called from Python take it whole.
    """

    record: npt.NDArray[np.void]
    arrays: dict[str, npt.NDArray] = field(repr=False)

    def point(self, name: str, array: npt.NDArray) -> None:
        """Make the kernels use ``array`` (contiguous) as their ``name``."""
        assert array.flags.c_contiguous
        self.arrays[name] = array
        self.record[f"{name}_address"] = array.ctypes.data
        if f"{name}_length" in (self.record.dtype.names or ()):
            self.record[f"{name}_length"] = array.size


def bare_workspace(distribution: Distribution, layout: Layout, tiles_in_play: npt.NDArray[np.uint8]) -> Workspace:
    """A workspace without the large arrays: enough to pack racks and to list draws."""
    record = np.zeros(1, WORKSPACE)
    record["letter_multiplier"] = layout.letter_multipliers
    record["word_multiplier"] = layout.word_multipliers
    record["start_square"] = layout.start_square
    record["tile_value"][0, : distribution.size] = distribution.values
    workspace = Workspace(record, {})
    _set_tiles_in_play(workspace, tiles_in_play)
    return workspace


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
    record = workspace.record
    record["node_limit"] = np.iinfo(np.int64).max
    workspace.point("kwg", kwg)
    workspace.point("siblings", all_sibling_letters(kwg))
    workspace.point("table", memory.table)
    workspace.point("decisions", memory.decisions)
    workspace.point("bound", memory.bound)
    workspace.point("taken", memory.taken)
    workspace.point("halt", np.zeros(1, np.uint64))
    workspace.point("arena", np.zeros(arena_words, np.uint64))
    workspace.point("cache", np.zeros(max(1 << 12, 1 << (arena_words.bit_length() - 5)) * 4, np.uint64))
    workspace.point("cross", np.zeros(_CROSS_SLOTS * 2, np.uint64))
    workspace.point("order", np.zeros(max(_LEAST_ORDER, arena_words // 8), np.uint64))
    record["arena_next"] = 8
    record["arena_end"] = arena_words // 2
    record["arena_epoch"] = 2
    record["depth"] = 1 << 30
    record["race_after"] = 1000  # most endgames need fewer
    record["race_budget"] = 200
    record["opponent_rack_size"] = 7
    record["reply_share"] = 300
    record["reply_nodes"] = 400
    record["usual_nodes"] = 25
    return workspace


def _set_tiles_in_play(workspace: Workspace, tiles_in_play: npt.NDArray[np.uint8]) -> None:
    """Lay out the packed rack: for each kind in play a counter just wide enough, and its guard bit."""
    record = workspace.record
    shift = 0
    guard = 0
    kinds = 0
    record["tile_unit"] = 0
    for tile, count in enumerate(tiles_in_play.tolist()):
        if count == 0:
            continue
        width = int(count).bit_length()
        record["kind_tile"][0, kinds] = tile
        record["kind_shift"][0, kinds] = shift
        record["kind_mask"][0, kinds] = (1 << width) - 1
        record["tile_unit"][0, tile] = 1 << shift
        guard |= 1 << (shift + width)
        shift += width + 1
        kinds += 1
    assert shift <= 63 and kinds <= MAX_KINDS
    record["kinds"] = kinds
    record["guard"] = guard


def pack_rack(workspace: Workspace, counts: npt.NDArray[np.uint8]) -> int:
    """Packed rack of a count for each tile (uint8[distribution.size])."""
    units = workspace.record["tile_unit"][0]
    assert not counts[units[: len(counts)] == 0].any()
    return sum(int(count) * int(units[tile]) for tile, count in enumerate(counts.tolist()))


def unpack_rack(workspace: Workspace, packed: int) -> list[int]:
    """Tile indices in a packed rack, ascending."""
    record = workspace.record[0]
    tiles: list[int] = []
    for kind in range(int(record["kinds"])):
        count = (packed >> int(record["kind_shift"][kind])) & int(record["kind_mask"][kind])
        tiles += [int(record["kind_tile"][kind])] * count
    return tiles
