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
    from pegray.api import chances, endgame, explain, review, solve, solve_many, with_prior
    from pegray.errors import InputError, PegrayError
    from pegray.game.gcg import Game
    from pegray.game.position import Position
    from pegray.lexicon.lexicon import Lexicon
    from pegray.preendgame.chances import Chances, DrawChances
    from pegray.preendgame.effort import Effort
    from pegray.preendgame.explanation import Explanation
    from pegray.preendgame.ledger import Progress
    from pegray.preendgame.solve_endgame import EndgameResult
    from pegray.results import plots
    from pegray.results.judgement import Judgement
    from pegray.results.model import SolveResult, SolveStats
    from pegray.results.play import Outcome, PlayResult
    from pegray.results.read import Run, open_run
    from pegray.runs.review import ReviewedTurn

__all__ = [
    "Chances",
    "DrawChances",
    "Effort",
    "EndgameResult",
    "Explanation",
    "Game",
    "InputError",
    "Judgement",
    "Lexicon",
    "Outcome",
    "PegrayError",
    "PlayResult",
    "Position",
    "Progress",
    "ReviewedTurn",
    "Run",
    "SolveResult",
    "SolveStats",
    "__version__",
    "chances",
    "endgame",
    "explain",
    "open_run",
    "plots",
    "review",
    "solve",
    "solve_many",
    "with_prior",
]

_HOMES = {
    "Chances": "pegray.preendgame.chances",
    "DrawChances": "pegray.preendgame.chances",
    "Effort": "pegray.preendgame.effort",
    "EndgameResult": "pegray.preendgame.solve_endgame",
    "Explanation": "pegray.preendgame.explanation",
    "Game": "pegray.game.gcg",
    "InputError": "pegray.errors",
    "Judgement": "pegray.results.judgement",
    "Lexicon": "pegray.lexicon.lexicon",
    "Outcome": "pegray.results.play",
    "PegrayError": "pegray.errors",
    "PlayResult": "pegray.results.play",
    "Position": "pegray.game.position",
    "Progress": "pegray.preendgame.ledger",
    "ReviewedTurn": "pegray.runs.review",
    "Run": "pegray.results.read",
    "SolveResult": "pegray.results.model",
    "SolveStats": "pegray.results.model",
    "chances": "pegray.api",
    "endgame": "pegray.api",
    "explain": "pegray.api",
    "open_run": "pegray.results.read",
    "plots": "pegray.results.plots",
    "review": "pegray.api",
    "solve": "pegray.api",
    "solve_many": "pegray.api",
    "with_prior": "pegray.api",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'pegray' has no attribute {name!r}")
    home = importlib.import_module(_HOMES[name])
    return home if home.__name__.endswith(f".{name}") else getattr(home, name)


def __dir__() -> list[str]:
    return sorted(__all__)
