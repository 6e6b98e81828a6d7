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

if TYPE_CHECKING:
    from pegray.api import solve
    from pegray.errors import InputError, PegrayError
    from pegray.game.position import Position
    from pegray.results.read import open_run

__version__ = "0.1.0"
__all__ = ["InputError", "PegrayError", "Position", "__version__", "open_run", "solve"]

_HOMES = {
    "InputError": "pegray.errors",
    "PegrayError": "pegray.errors",
    "Position": "pegray.game.position",
    "open_run": "pegray.results.read",
    "solve": "pegray.api",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'pegray' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
