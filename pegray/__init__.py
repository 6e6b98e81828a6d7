"""pegray solves Scrabble pre-endgames exactly: every play, every order of the bag, to the end of the game.

>>> import pegray
>>> position = pegray.Position.from_cgp("...")
>>> result = pegray.solve(position, lexicon="NWL20", only=["13L ONYX"])
>>> result.best.points

The names below are imported when they are first used, so that ``import pegray`` costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from pegray.version import __version__

if TYPE_CHECKING:
    from pegray.api import endgame, explain, solve, solve_many
    from pegray.errors import InputError, PegrayError
    from pegray.game.gcg import Game
    from pegray.game.position import Position
    from pegray.lexicon.lexicon import Lexicon
    from pegray.preendgame.explanation import Explanation
    from pegray.preendgame.ledger import Progress
    from pegray.preendgame.solve_endgame import EndgameResult
    from pegray.results import plots
    from pegray.results.model import SolveResult, SolveStats
    from pegray.results.play import Outcome, PlayResult
    from pegray.results.read import Run, open_run

__all__ = [
    "EndgameResult",
    "Explanation",
    "Game",
    "InputError",
    "Lexicon",
    "Outcome",
    "PegrayError",
    "PlayResult",
    "Position",
    "Progress",
    "Run",
    "SolveResult",
    "SolveStats",
    "__version__",
    "endgame",
    "explain",
    "open_run",
    "plots",
    "solve",
    "solve_many",
]

_HOMES = {
    "EndgameResult": "pegray.preendgame.solve_endgame",
    "Explanation": "pegray.preendgame.explanation",
    "Game": "pegray.game.gcg",
    "InputError": "pegray.errors",
    "Lexicon": "pegray.lexicon.lexicon",
    "Outcome": "pegray.results.play",
    "PegrayError": "pegray.errors",
    "PlayResult": "pegray.results.play",
    "Position": "pegray.game.position",
    "Progress": "pegray.preendgame.ledger",
    "Run": "pegray.results.read",
    "SolveResult": "pegray.results.model",
    "SolveStats": "pegray.results.model",
    "endgame": "pegray.api",
    "explain": "pegray.api",
    "open_run": "pegray.results.read",
    "plots": "pegray.results.plots",
    "solve": "pegray.api",
    "solve_many": "pegray.api",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'pegray' has no attribute {name!r}")
    home = importlib.import_module(_HOMES[name])
    return home if home.__name__.endswith(f".{name}") else getattr(home, name)


def __dir__() -> list[str]:
    return sorted(__all__)
