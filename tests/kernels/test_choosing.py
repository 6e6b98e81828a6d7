"""Our choice with tiles in the bag leaves off what cannot matter, and comes to the same verdicts.

In plain Python: machine code of the race by itself, with made-up verdicts, would take minutes to compile.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

from pegray.kernels.bits import ZERO, mix, plain
from pegray.kernels.choices import list_candidates, list_units
from pegray.kernels.choosing import Choice, race_candidates
from pegray.kernels.limits import count_node
from pegray.kernels.lists import make_side_lists
from pegray.kernels.moves import tiles_laid
from pegray.kernels.orders import all_orders
from pegray.kernels.preendgame import gather_plays
from pegray.kernels.verdicts import DRAW, LOSS, WIN
from pegray.uncompiled import in_plain_python
from tests.kernels.adapter import KernelPosition, enable_words
from tests.kernels.test_plain_python import answers_in_plain_python
from tests.reference.positions import RandomPosition, random_positions

LEAST_BAG = 2
POSITIONS = 24
SEED = 7


def made_up(workspace, choice, play, left, tails, weights, allowed):
    """Stands for what comes of a play and its draw: some orders of what stays are lost by all plays, others by some."""
    count_node(workspace.limits)
    held = workspace.position.rack[choice.ply + 1, choice.side]
    verdicts = np.full(tails.shape[0], WIN, np.int8)
    lost = 0
    for i in range(tails.shape[0]):
        stays = mix(tails[i] ^ choice.key)
        chance = mix(play.move ^ mix(held ^ stays)) % np.uint64(12)
        if stays % np.uint64(4) == 0 or chance == 0:
            verdicts[i] = LOSS
        elif chance == 1:
            verdicts[i] = DRAW
        lost += (WIN - verdicts[i]) * weights[i]
    return verdicts, lost > allowed


def _race(record, bag, key, worst_is_enough):
    """What the best plays of the root lose, the worst of them for each order, and how many draws were looked into."""
    workspace = record[0]
    rack, pool = workspace.position.rack[0, 0], workspace.position.rack[0, 1]
    every = gather_plays(workspace, plain(0), plain(0), bag)
    plays = every[np.array([tiles_laid(every[i, 0]) < bag for i in range(every.shape[0])])]
    make_side_lists(workspace, plain(0), plain(1))
    orders = all_orders(workspace.game, pool, bag)
    units = list_units(workspace.game, orders.sequences, pool, bag)
    candidates = list_candidates(plays, units, bag)
    choice = Choice(plain(0), plain(0), bag, plain(0), plain(0), ZERO, rack, pool, key)
    before = workspace.limits.nodes
    fewest, _, worst = race_candidates(workspace, choice, plays, orders, candidates, units, worst_is_enough, made_up)
    return fewest, worst, workspace.limits.nodes - before, orders.weights


def race(position: RandomPosition, worst_is_enough: int) -> tuple[int, list[int], int, npt.NDArray[np.int64]]:
    """The same of a random position, of which nothing was found before."""
    workspace = KernelPosition(position).workspace
    key = np.uint64(zlib.crc32(position.name.encode()))
    fewest, worst, looks, weights = in_plain_python(_race)(workspace.record, position.bag_size, key, worst_is_enough)
    return int(fewest), worst.tolist(), int(looks), weights


def answers() -> list[dict[str, Any]]:
    """What a choice comes to for random positions with so many tiles in the bag: all best plays found, and not all."""
    found = []
    for position in random_positions(enable_words(5), SEED, stop=POSITIONS):
        if position.bag_size >= LEAST_BAG:
            (fewest, worst, looks, weights), less = race(position, 0), race(position, 1)
            lost_by_worst = int((WIN - np.array(worst)) @ weights)
            found.append(
                {
                    "position": str(position),
                    "all": [fewest, worst],
                    "not all": [*less[:2]],
                    "spared": looks - less[2],
                    "lose different orders": lost_by_worst > fewest,
                }
            )
    return found


def test_plays_that_could_only_be_among_the_best_are_left_off_where_they_change_nothing() -> None:
    found = answers_in_plain_python("tests.kernels.test_choosing")
    for choice in found:
        assert choice["not all"] == choice["all"], choice["position"]
    assert sum(choice["spared"] for choice in found) > 0
    assert any(choice["lose different orders"] for choice in found), "of the best plays"
