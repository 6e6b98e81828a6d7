"""The Python interface: what the command line does, as functions."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING, Literal

from pegray.errors import InputError, check_kind
from pegray.interruptible import interruptible

if TYPE_CHECKING:
    from pegray.game.gcg import Game
    from pegray.game.position import Position
    from pegray.lexicon.lexicon import Lexicon
    from pegray.preendgame.chances import Chances
    from pegray.preendgame.explanation import Explanation
    from pegray.preendgame.ledger import Progress
    from pegray.preendgame.solve_endgame import EndgameResult
    from pegray.results.model import SolveResult
    from pegray.runs.review import ReviewedTurn

_LOGGER = logging.getLogger("pegray")

Opponent = Literal["guaranteed", "rational"]
Until = Literal["answer", "level", "spread"]


def solve(
    position: Position | str,
    lexicon: Lexicon | str | os.PathLike[str] | None = None,
    *,
    only: str | Iterable[str] = (),
    protect: str | Iterable[str] = (),
    max_tiles_left: int | None = None,
    known_rack: str = "",
    opponent: Opponent = "guaranteed",
    no_exchange: bool = False,
    top: int = 1,
    early_cutoff: bool = True,
    never_lose: bool = False,
    tiebreak: bool = True,
    exact_spreads: bool = False,
    until: Until = "spread",
    endgame_plies: int | None = None,
    address: str = "none",
    workers: int | None = None,
    time_limit: float | str | None = None,
    table_gib: float | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> SolveResult:
    """Solve a pre-endgame, 1 to 6 tiles in the bag: every play and every draw, to the end of the game.

    position: a Position, or a CGP line
    lexicon: a Lexicon, a name or a path; by default the position's own, else the bundled ENABLE
    only: solve just these plays; ``"highest"``: those of the highest score. One move (``"13L ONYX"``) or several
    protect: plays that are never cut off; ``"highest"``: those of the highest score
    max_tiles_left: only plays that leave at most so many tiles in the bag (default: all)
    known_rack: tiles that the opponent is known to hold, all or some; ``"auto"``: those that the game has shown, of
        plays taken back
    opponent: ``"guaranteed"``: the worst over all its replies counts; ``"rational"``: it is blind too, and chooses by
        points
    no_exchange: under rules that allow exchanging with so few tiles in the bag (Spanish), solve as if nobody could
    top: keep so many best plays exact
    early_cutoff: leave a play as soon as it has lost more than the ``top``-th best can lose
    never_lose: leave a play as soon as it loses anything
    tiebreak: average the final spread of the plays that are level at the top
    exact_spreads: work out the spreads of all plays that the tie-break compares, not only what decides between them
    until: how far to go: ``"answer"`` until the best points are proven, ``"level"`` until every play that can be level
        with the best is finished too, ``"spread"`` through the tie-break
    endgame_plies: cut endgames after so many plies: estimates, marked as not proven (default: to the end of the game)
    address: ``"none"`` solves in this process, ``"local"`` on a private Ray once that is worth its start, ``"auto"`` or
        ``"HOST:PORT"`` on a running cluster
    workers: cores to use of a private Ray (default: all)
    time_limit: such as ``"90s"``, ``"10m"`` or ``"2h"``, for each position: what is settled then is the result. A
        number is seconds
    table_gib: size of each node's transposition table in GiB; old entries make room (default: an eighth of memory, at
        most 4)
    on_progress: called a few times a second, in another thread

    Ctrl-C once stops cleanly: ``result.stats.interrupted`` is then True, as it is after the time limit.

    Raises InputError for a position, play or option that cannot be used, and PegrayError if the work cannot go on.
    """
    from pegray.lexicon.find import lexicon_for
    from pegray.preendgame.options import SolveOptions
    from pegray.preendgame.problem import Problem, checked
    from pegray.preendgame.solver import kernels_at
    from pegray.runs import driver
    from pegray.runs.options import RunOptions

    options = SolveOptions(
        only=_moves(only),
        protect=_moves(protect),
        max_tiles_left=max_tiles_left,
        known_rack=known_rack,
        opponent=opponent,
        no_exchange=no_exchange,
        top=top,
        early_cutoff=early_cutoff,
        never_lose=never_lose,
        tiebreak=tiebreak,
        exact_spreads=exact_spreads,
        until=until,
        endgame_plies=endgame_plies,
    )
    run = RunOptions(address, workers, time_limit, table_gib)
    _check_function(on_progress)
    asked = _position(position)
    checked(asked, options)
    _compile(chain.from_iterable(kernels_at(address, options, asked.bag_size)))
    return driver.solve(
        Problem.create(asked, lexicon_for(asked, lexicon), options),
        address=address,
        workers=workers,
        time_limit=run.seconds,
        table_gib=table_gib,
        on_progress=on_progress,
        tell=_LOGGER.info,
    )


def solve_many(
    positions: Iterable[Position | str],
    lexicon: Lexicon | str | os.PathLike[str] | None = None,
    *,
    only: str | Iterable[str] = (),
    protect: str | Iterable[str] = (),
    max_tiles_left: int | None = None,
    known_rack: str = "",
    opponent: Opponent = "guaranteed",
    no_exchange: bool = False,
    top: int = 1,
    early_cutoff: bool = True,
    never_lose: bool = False,
    tiebreak: bool = True,
    exact_spreads: bool = False,
    until: Until = "spread",
    endgame_plies: int | None = None,
    address: str = "none",
    workers: int | None = None,
    time_limit: float | str | None = None,
    table_gib: float | None = None,
    on_progress: Callable[[int, Progress], None] | None = None,
) -> Iterator[SolveResult]:
    """Solve many positions at one place; the results come one by one, each as soon as it is there.

    All positions are checked first. In this process (``address="none"``) they are solved one after another, on Ray
    several at once, so that results may come in another order: ``result.cgp`` says which position one is of.

    positions: Positions or CGP lines
    on_progress: called as that of :func:`solve` is, with the number of the position, from 0, before it

    The other options are those of :func:`solve`, the same for all positions. Nothing is solved before the first result
    is asked for; whoever leaves the loop early ends the work. After Ctrl-C come the results of what was being solved,
    and no more. Raises InputError as :func:`solve` does, with the number of the position.
    """
    from pegray.preendgame.options import SolveOptions
    from pegray.preendgame.problem import checked
    from pegray.preendgame.solver import kernels_at
    from pegray.runs.many import solve_each
    from pegray.runs.options import RunOptions
    from pegray.runs.plan import ProblemMaker

    options = SolveOptions(
        only=_moves(only),
        protect=_moves(protect),
        max_tiles_left=max_tiles_left,
        known_rack=known_rack,
        opponent=opponent,
        no_exchange=no_exchange,
        top=top,
        early_cutoff=early_cutoff,
        never_lose=never_lose,
        tiebreak=tiebreak,
        exact_spreads=exact_spreads,
        until=until,
        endgame_plies=endgame_plies,
    )
    run = RunOptions(address, workers, time_limit, table_gib)
    _check_function(on_progress)
    if isinstance(positions, str) or not isinstance(positions, Iterable):
        raise InputError("expected several positions; pegray.solve takes one", "positions")
    asked = []
    for number, position in enumerate(positions):
        with _numbered(number):
            asked.append(_position(position))
            checked(asked[-1], options)
    _compile(chain.from_iterable(kernels_at(address, options, max((one.bag_size for one in asked), default=1))))
    maker = ProblemMaker(lexicon, None, options)
    problems = []
    for number, one in enumerate(asked):
        with _numbered(number):
            problems.append(maker.make(one))
    return solve_each(problems, address, workers, run.seconds, table_gib, on_progress)


def explain(
    position: Position | str,
    move: str,
    draw: str,
    lexicon: Lexicon | str | os.PathLike[str] | None = None,
    *,
    known_rack: str = "",
    no_exchange: bool = False,
) -> Explanation:
    """Why a play wins, ties or loses in one order of the bag; ``print`` shows it as ``pegray explain`` does.

    position, lexicon, known_rack, no_exchange: as for :func:`solve`
    move: the play, such as ``"13L ONYX"``
    draw: the bag in draw order: ``"[AEG]I"``, or just ``"AEGI"``

    Raises InputError if the play is not legal, or the tiles cannot come out of the bag like that.
    """
    from pegray.lexicon.find import lexicon_for
    from pegray.preendgame.explain import checked_question, needed_kernels
    from pegray.preendgame.explain import explain as explain_play

    asked = _position(position)
    checked_question(asked, move, draw, known_rack, no_exchange)
    _compile(chain.from_iterable(needed_kernels(asked.bag_size)))
    about = (lexicon_for(asked, lexicon), move, draw, known_rack, no_exchange)
    return interruptible(lambda: explain_play(asked, *about))


def chances(
    position: Position | str,
    move: str,
    draw: str | None = None,
    lexicon: Lexicon | str | os.PathLike[str] | None = None,
    *,
    known_rack: str = "",
    no_exchange: bool = False,
    top: int = 5,
) -> Chances:
    """How many of the opponent's replies refute a play, draw by draw, and how easily they are found.

    position, lexicon, known_rack, no_exchange: as for :func:`solve`
    move: a play that leaves at most two tiles in the bag
    draw: only this one: ``"[AE]I"``
    top: how many of the highest-scoring replies the opponent finds

    Raises InputError if the play is not legal, leaves more or ends the game, and for a draw that cannot be.
    """
    from pegray.lexicon.find import lexicon_for
    from pegray.preendgame.chances import find_chances
    from pegray.preendgame.explain import needed_kernels
    from pegray.preendgame.options import SolveOptions
    from pegray.preendgame.problem import checked

    asked = _position(position)
    if type(top) is not int or top < 1:
        raise InputError("expected a whole number of at least 1", "top", top)
    checked(asked, SolveOptions(known_rack=known_rack, no_exchange=no_exchange))
    _compile(chain.from_iterable(needed_kernels(asked.bag_size)))
    about = (lexicon_for(asked, lexicon), move, draw, known_rack, no_exchange, top)
    return interruptible(lambda: find_chances(asked, *about))


def with_prior(result: SolveResult, prior: str) -> SolveResult:
    """The result if not all racks of the opponent are as likely; nothing is solved anew.

    prior: a CSV or Parquet file, or a DuckDB query, with the columns ``weight`` and ``leave`` (every rack that holds
        these tiles) or ``rack`` (just these)

    Plays that were cut off may matter again: the position is then open. Raises InputError for a prior that cannot be
    used, and where every rack would weigh 0.
    """
    from pegray.results.prior import read_prior
    from pegray.results.prior import with_prior as weighed

    return weighed(result, read_prior(prior))


def review(
    game: Game,
    lexicon: Lexicon | str | os.PathLike[str] | None = None,
    *,
    max_bag: int = 2,
    opponent: Opponent = "guaranteed",
    no_exchange: bool = False,
    until: Until = "level",
    time_limit: float | str | None = "5m",
) -> Iterator[ReviewedTurn]:
    """What every late turn of a game gave away, of both players; solved in this process, one turn after another.

    game: from :meth:`Game.from_gcg`
    lexicon, opponent, no_exchange, until: as for :func:`solve`
    max_bag: pre-endgames with at most so many tiles in the bag; 0: endgames alone
    time_limit: for each turn

    Each turn comes as soon as it is solved. Raises InputError for options that cannot be used; a turn that cannot be
    solved says why (``fault``).
    """
    from pegray.game.turns import late_turns
    from pegray.preendgame.options import SolveOptions
    from pegray.preendgame.solve_endgame import NEEDED_KERNELS
    from pegray.preendgame.solver import kernels_at
    from pegray.runs.options import RunOptions
    from pegray.runs.plan import ProblemMaker
    from pegray.runs.review import review_turns

    options = SolveOptions(opponent=opponent, no_exchange=no_exchange, until=until)
    run = RunOptions("none", None, time_limit, None)
    if type(max_bag) is not int or not 0 <= max_bag <= 6:
        raise InputError("expected a whole number from 0 to 6", "max_bag", max_bag)
    _compile([*chain.from_iterable(kernels_at("none", options, max(1, max_bag))), *NEEDED_KERNELS])
    turns = late_turns(game, game.source, max_bag)
    return review_turns(turns, ProblemMaker(lexicon, None, options), run.seconds)


def endgame(
    position: Position | str,
    lexicon: Lexicon | str | os.PathLike[str] | None = None,
    *,
    endgame_plies: int | None = None,
) -> EndgameResult:
    """The exact final spread and a best line with the bag empty.

    position, lexicon: as for :func:`solve`; the opponent holds what is unseen
    endgame_plies: cut after so many plies: an estimate, marked as not proven

    Raises InputError if the bag is not empty, or the game is over.
    """
    from pegray.lexicon.find import lexicon_for
    from pegray.preendgame.options import SolveOptions
    from pegray.preendgame.solve_endgame import NEEDED_KERNELS, check_is_endgame, solve_endgame

    plies = SolveOptions(endgame_plies=endgame_plies).endgame_plies
    asked = _position(position)
    check_is_endgame(asked)
    _compile(NEEDED_KERNELS)
    words = lexicon_for(asked, lexicon)
    return interruptible(lambda: solve_endgame(asked, words, plies))


def _position(asked: Position | str) -> Position:
    from pegray.game.position import Position

    if isinstance(asked, str):
        return Position.from_cgp(asked)
    check_kind(asked, Position, "a Position or a CGP line", "position")
    return asked


def _check_function(on_progress: object) -> None:
    if on_progress is not None and not callable(on_progress):
        raise InputError("expected a function", "on_progress", on_progress)


def _compile(purposes: Iterable[str]) -> None:
    """Compile the kernels for some purposes, if this machine has not yet: the logger ``pegray`` says so, once."""
    from pegray.kernels.beside import compiled_beside

    said = False

    def say(done: int, total: int) -> None:
        nonlocal said
        if not said:
            said = True
            _LOGGER.warning("compiling %d kernels, once on this machine: half a minute or more", total)

    with compiled_beside(purposes) as wait:
        wait(say)


@contextmanager
def _numbered(number: int) -> Iterator[None]:
    """Errors name the position, counted from 0."""
    try:
        yield
    except InputError as error:
        raise InputError(f"positions[{number}]: {error}") from None


def _moves(asked: str | Iterable[str]) -> tuple[str, ...]:
    """One move, or several; what is neither is left for the options to name."""
    if isinstance(asked, str):
        return (asked,)
    return tuple(asked) if isinstance(asked, Iterable) else asked
