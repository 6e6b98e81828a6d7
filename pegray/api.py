"""The Python interface: the command line's solve as one function."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pegray.errors import InputError

if TYPE_CHECKING:
    from pegray.game.position import Position
    from pegray.lexicon.lexicon import Lexicon
    from pegray.preendgame.ledger import Progress
    from pegray.results.model import SolveResult

BUNDLED_LEXICON = "ENABLE"
# What the bundled lexicon, of English words, can be used with.
BUNDLED_DISTRIBUTION = "english"


def solve(
    position: Position | str,
    lexicon: Lexicon | str | None = None,
    *,
    address: str = "none",
    workers: int | None = None,
    time_limit: float | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    **options: Any,
) -> SolveResult:
    """Solve a pre-endgame (1 to 6 tiles in the bag) and return every play's outcomes.

    position: a Position or a CGP string
    lexicon: a Lexicon, a name or a path; by default the position's own, else the bundled ENABLE
    address: ``none`` solves in this process, ``local`` on a private Ray, ``auto`` or ``HOST:PORT`` elsewhere
    workers: cores to use (default: all)
    time_limit: seconds
    options: the fields of SolveOptions, as on the command line: only, protect, max_tiles_left, known_rack,
    opponent, top, early_cutoff, never_lose, tiebreak, until, endgame_plies

    Raises InputError for a position, play or option that cannot be used.
    """
    from pegray.cluster import driver
    from pegray.game.position import Position
    from pegray.preendgame.options import SolveOptions
    from pegray.preendgame.problem import Problem

    if isinstance(position, str):
        position = Position.from_cgp(position)
    for name in ("only", "protect"):
        options[name] = tuple(options.get(name, ()))
    problem = Problem.create(position, lexicon_for(position, lexicon), SolveOptions(**options))
    return driver.solve(problem, address=address, workers=workers, time_limit=time_limit, on_progress=on_progress)


def lexicon_for(position: Position, lexicon: Lexicon | str | None = None) -> Lexicon:
    """The lexicon asked for, else the position's own, else the bundled one; InputError if there is none."""
    from pegray.lexicon.find import find_lexicon

    if lexicon is not None and not isinstance(lexicon, str):
        return lexicon
    distribution = position.distribution
    name = lexicon or position.lexicon
    if name is None and distribution.name != BUNDLED_DISTRIBUTION:
        raise InputError(f"none given, and the bundled {BUNDLED_LEXICON} is not {distribution.name}", "lexicon")
    return find_lexicon(name or BUNDLED_LEXICON, distribution)
