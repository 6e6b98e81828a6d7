"""The kernels with parts replaced: slower ways to the same outcomes, each of which shares less with the usual one.

numba compiles what the globals of a module name at that time. So another function is put in the place of a kernel
wherever that is named, before anything is compiled, in a process of its own (:mod:`tests.soak.one_way`).
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from pegray.kernels.arena import LIST_WORDS, NO_LIST, NO_ROOM, PLAY_WORDS, list_best_out, list_length
from pegray.kernels.bits import ZERO, kernel, plain, words_of
from pegray.kernels.caps import cap_lane
from pegray.kernels.lanes import LANES
from pegray.kernels.limits import STOPPED_BY_ROOM, stop
from pegray.kernels.lists import _generate_list, lane_list
from pegray.kernels.order import ENTRY_LANE_SHIFT, PASS_LANE
from pegray.kernels.workspace import Workspace
from tests.soak.spelt import spell_lane

NOTHING_REMEMBERED = "nothing remembered"
NO_BOUNDS = "no bounds"
EVERY_LIST_ANEW = "every list made anew"


class NotReplaced(Exception):
    """A way is not what its name says."""


@kernel
def _miss(table, key):
    """Stands for ``table.probe``."""
    table.probes += 1
    return ZERO


@kernel
def _recall_nothing(decisions, key, first, row):
    """Stands for ``decisions.recall``."""
    return False


@kernel
def _keep_no_killer(killers, position, ply, move, score):
    """Stands for ``killers.remember_killer``: so none is tried."""


@kernel
def _work_out_caps(workspace, lane, rack, name):
    """Stands for ``caps.kept_caps``."""
    return cap_lane(workspace, lane, rack)


@kernel
def _gather_no_outs(workspace, ply, side, only_sourced):
    """Stands for ``outs.gather_outs``: of none no play falls short, in no lane and at no node."""
    return plain(0)


@kernel
def _see_no_way_out(workspace, ply, mover, target, best):
    """Stands for ``expand._go_out``: going out is found in the lists."""
    return best


@kernel
def _make_every_list(workspace, ply, mover, target, outs, best):
    """Stands for ``expand._make_lists``: no lane is left out; a play that empties the rack ends the game."""
    arena = words_of(workspace.arena.words)
    best_out = -1
    for lane in range(LANES):
        best_out = max(best_out, list_best_out(arena, lane_list(workspace, ply, mover, lane)))
    if best_out >= 0:
        best = max(best, best_out + 2 * workspace.position.rack_value[ply, 1 - mover])
    return best, ZERO


@kernel
def _list_every_play(workspace, ply, mover, passed, target, outs, capped, best):
    """Stands for ``expand._list_plays``: all that do not end the game are searched, the pass too."""
    arena = words_of(workspace.arena.words)
    order = words_of(workspace.order.stack)
    rack = workspace.position.rack[ply, mover]
    base = workspace.order.next
    end = base
    for lane in range(LANES):
        at = workspace.lists.at[ply, mover, lane]
        length = list_length(arena, at)
        if end + length >= workspace.order.stack.length:
            stop(workspace.limits, STOPPED_BY_ROOM)
            return best, base
        for index in range(length):
            if arena[at + LIST_WORDS + index * PLAY_WORDS + 1] != rack:
                order[end] = np.uint64(lane) << ENTRY_LANE_SHIFT | np.uint64(index)
                end += 1
    if passed == 0:
        order[end] = np.uint64(PASS_LANE) << ENTRY_LANE_SHIFT
        end += 1
    workspace.order.next = end
    return best, end


@kernel
def _drop_nothing(workspace, ply, mover, target, depth, base, end, best, looking):
    """Stands for ``hopeless.drop_hopeless``."""
    return best, end


@kernel
def _know_no_answer(workspace, ply, mover, target, base, end, best):
    """Stands for ``answered.drop_answered`` and ``hopeless.drop_refuted_alike``."""
    return best, end


@kernel
def _foresee_nothing(workspace, ply, mover, target):
    """Stands for ``foreseen.bound_before_lists``."""
    return target


@kernel
def _see_no_win(workspace, ply, reach, spread, left_value):
    """Stands for ``preendgame._win_stands``: whatever a reply leaves standing, it is searched."""
    return False


@kernel
def _make_list(workspace, ply, side, lane):
    """Stands for ``lists.lane_list``: a list serves the node that it was made for, and no other."""
    at = workspace.lists.at[ply, side, lane]
    if at > 0:
        return at
    at = _generate_list(workspace, side, lane, workspace.position.rack[ply, side & 1])
    if at == NO_LIST:
        stop(workspace.limits, STOPPED_BY_ROOM)
        return at
    workspace.lists.at[ply, side, lane] = at
    return at


@kernel
def _know_no_source(workspace, ply, side, lane):
    """Stands for ``lists.source_list``: no list of another node is looked at."""
    return plain(-1)


@kernel
def _choose_no_standing(workspace, ply, mover):
    """Stands for ``standing.choose_standing``: no play is taken from a list above."""
    return plain(0)


@kernel
def _spell_list(workspace, side, lane, rack, at):
    """Stands for ``lists._generate``: plays alone, since nobody asks for placements."""
    if at > workspace.arena.end:
        return NO_ROOM
    return spell_lane(workspace, lane, rack, at)


REPLACED: dict[str, dict[str, Any]] = {
    NOTHING_REMEMBERED: {
        "table.probe": _miss,
        "decisions.recall": _recall_nothing,
        "killers.remember_killer": _keep_no_killer,
        "caps.kept_caps": _work_out_caps,
    },
    NO_BOUNDS: {
        "outs.gather_outs": _gather_no_outs,
        "expand._go_out": _see_no_way_out,
        "expand._make_lists": _make_every_list,
        "expand._list_plays": _list_every_play,
        "foreseen.bound_before_lists": _foresee_nothing,
        "hopeless.drop_hopeless": _drop_nothing,
        "hopeless.drop_refuted_alike": _know_no_answer,
        "answered.drop_answered": _know_no_answer,
        "preendgame._win_stands": _see_no_win,
    },
    EVERY_LIST_ANEW: {
        "lists.lane_list": _make_list,
        "lists.source_list": _know_no_source,
        "lists._generate": _spell_list,
        "standing.choose_standing": _choose_no_standing,
    },
}
"""What takes the place of which kernel, in this way and in those after it."""

UNUSED: dict[str, tuple[str, ...]] = {
    NOTHING_REMEMBERED: (),
    NO_BOUNDS: (
        "alone.guess_alone",
        "alone.bound_alone",
        "caps.cap_lane",
        "caps.kept_caps",
        "outs._insert",
        "outs.mark_zone",
        "outs.out_beside",
    ),
    EVERY_LIST_ANEW: (
        "lists._look_up",
        "lists._source_ply",
        "lists._filter_list",
        "generate.generate_lane",
        "cross_sets.load_lane",
        "placements.generate_placements",
        "word_graph.child_with",
        "word_graph.has_child",
    ),
}
"""Kernels that in turn nothing calls any more, in this way and in those after it."""

# What a workspace tells after a search, if a way has really been taken.
_SIGNS: dict[str, dict[str, Callable[[Workspace], bool]]] = {
    NOTHING_REMEMBERED: {
        "the table is asked": lambda workspace: workspace.part("table")["probes"][0] > 0,
        "the table answers nothing": lambda workspace: workspace.part("table")["hits"][0] == 0,
        "no decision is recalled": lambda workspace: workspace.part("decisions")["recalled"][0] == 0,
        "no draw is recalled": lambda workspace: workspace.part("found")["recalled"][0] == 0,
        "there are no killers": lambda workspace: not workspace.part("killers")["move"].any(),
        "no cap is kept": lambda workspace: not workspace.arrays["caps.kept"].any(),
    },
    NO_BOUNDS: {
        "no bound is tried": lambda workspace: not workspace.part("promises")["tries"].any(),
        "no answer is tried": lambda workspace: not workspace.part("answered")["plays"].any(),
        "no set of tiles is bounded": lambda workspace: workspace.part("alone")["bounds"][0] == 0,
        "no out is gathered": lambda workspace: not workspace.part("outs")["move"].any(),
        "no lane is capped": lambda workspace: not workspace.part("caps")["sorted"]["rack"].any(),
    },
    EVERY_LIST_ANEW: {
        "lists are made": lambda workspace: workspace.part("lists")["generated"][0] > 0,
        "no list is filtered": lambda workspace: workspace.part("lists")["filtered"][0] == 0,
        "no list is kept": lambda workspace: not workspace.arrays["lists.index"].any(),
        "no cross-set is kept": lambda workspace: not workspace.arrays["lexicon.cross_sets"].any(),
    },
}

WAYS = tuple(REPLACED)


def ways_up_to(way: str) -> tuple[str, ...]:
    """A way and those before it, whose replacements it shares."""
    return WAYS[: WAYS.index(way) + 1]


def go(way: str) -> dict[str, tuple[Any, Any]]:
    """Replace what a way replaces, in all modules; returns what was replaced and what by, by name.

    Raises NotReplaced where a kernel is not there any more, or is compiled already.
    """
    done = {}
    for earlier in ways_up_to(way):
        for name in UNUSED[earlier]:
            _kernel(name)
        for name, new in REPLACED[earlier].items():
            old = _kernel(name)
            if _is_compiled(old):
                raise NotReplaced(f"{name} is compiled already")
            for module in _modules():
                for used_as in [used_as for used_as, value in vars(module).items() if value is old]:
                    setattr(module, used_as, new)
            done[name] = old, new
    return done


def check_compiled(way: str, replaced: dict[str, tuple[Any, Any]]) -> None:
    """Raises NotReplaced if something that a way replaces, or does not use, was compiled, or a replacement was not.

    All kernels that search are to be compiled before. With plain Python there is nothing to look at.
    """
    if numba.config.DISABLE_JIT:
        return
    gone = {name: old for name, (old, _) in replaced.items()}
    unused = {name: _kernel(name) for earlier in ways_up_to(way) for name in UNUSED[earlier]}
    for name, kernel_gone in (gone | unused).items():
        if _is_compiled(kernel_gone):
            raise NotReplaced(f"{way}: {name} is still used")
    for name, (_, new) in replaced.items():
        if name not in unused and not _is_compiled(new):
            raise NotReplaced(f"{way}: what stands for {name} is not used")


def check_signs(way: str, workspace: Workspace) -> None:
    """Raises NotReplaced if a search in ``workspace`` did not go the way."""
    for earlier in ways_up_to(way):
        for sign in missing_signs(earlier, workspace):
            raise NotReplaced(f"{way}: it is not so that {sign}")


def missing_signs(way: str, workspace: Workspace) -> list[str]:
    """What a search in ``workspace`` does not show that a way should, those before it aside."""
    return [sign for sign, holds in _SIGNS[way].items() if not holds(workspace)]


def _kernel(name: str) -> Any:
    module, function = name.split(".")
    found = vars(importlib.import_module(f"pegray.kernels.{module}")).get(function)
    if found is None:
        raise NotReplaced(f"pegray.kernels.{name} is not there any more")
    return found


def _modules() -> list[Any]:
    return [module for name, module in sys.modules.items() if name.startswith(("pegray.", "tests.soak."))]


def _is_compiled(function: Any) -> bool:
    return not numba.config.DISABLE_JIT and bool(function.overloads)
