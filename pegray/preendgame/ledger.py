"""The state of a solve for those who run it: the book, the schedule and the tie-break, put together."""

from __future__ import annotations

from dataclasses import dataclass

from pegray.preendgame.book import Book
from pegray.preendgame.effort import Effort
from pegray.preendgame.problem import Problem
from pegray.preendgame.quick_look import QuickLook
from pegray.preendgame.schedule import Schedule
from pegray.preendgame.standings import Standing, leading
from pegray.preendgame.tiebreak import TieBreak
from pegray.preendgame.work import Settled, Unit
from pegray.terms import State, UnitKind, Until


@dataclass(frozen=True)
class Progress:
    """How far a solve has come, for display.

    plays_total: plays that are to be compared
    finished, cut_off, left: how many of them are finished, were cut off, and are neither
    state: ``open``, ``answered`` or ``complete``
    best_candidate, best_points: a finished play with the most points, the best play only where the state is not open
    most_open: points that a play which is not finished may at most have; None if all are
    units_settled, units_in_flight: units of work that are done, and that are being worked on
    fraction: of all draws of all plays, those that are settled or need not be
    nodes, endgames: searched
    total: weight of all draws
    at_least, at_most: points of the best play, whichever it is; the same once the position is answered
    leading: the first ten plays of the table, as it would be printed now
    effort: what the solve uses, has used and may still need, if whoever runs it has measured that
    """

    plays_total: int
    finished: int
    cut_off: int
    left: int
    state: State
    best_candidate: int | None
    best_points: float | None
    most_open: float | None
    units_settled: int
    units_in_flight: int
    fraction: float
    nodes: int
    endgames: int
    total: int
    at_least: float
    at_most: float
    leading: tuple[Standing, ...]
    effort: Effort | None = None


class Ledger:
    """Hands out the units of a solve and takes in what came of them: pure bookkeeping, no search.

    book: what is settled, and what that proves
    schedule: which verdicts come next
    tiebreak: which spreads do, once all verdicts that are needed are there
    quick_look: which plays are estimated, if wanted (``estimates``), once the solve has turned out to be a long one
    """

    def __init__(self, problem: Problem, estimates: bool = False) -> None:
        self.problem = problem
        self.book = Book(problem)
        self.schedule = Schedule(self.book)
        self.tiebreak = TieBreak(self.book)
        self.quick_look = QuickLook(self.book, estimates)

    def next_units(self, count: int, threads: int = 1, together: int = 1, machines: int = 1) -> list[Unit]:
        """Up to ``count`` units to work on now, most useful first; none may be ready while others are in flight.

        threads, machines: how many work on the solve
        together: so many quick draws, each of another play, may come in place of one unit
        """
        if not self.tiebreak.has_begun:
            units = self.quick_look.next_units(count)
            units += self.schedule.next_units(count - len(units), threads, together, machines)
            if units or self.schedule.in_flight or self.problem.options.until != Until.SPREAD:
                return units
            self.tiebreak.begin()
        return self.tiebreak.next_units(count)

    def give_back(self, unit: Unit) -> None:
        """A unit was lost (its worker died): it may be handed out again."""
        if unit.kind == UnitKind.SPREAD:
            self.tiebreak.give_back(unit)
        elif unit.kind == UnitKind.VERDICT:
            self.schedule.give_back(unit)

    def withdrawn(self) -> list[Unit]:
        """Units in flight that nobody needs any more, each told of once; their results may come all the same."""
        return self.schedule.withdrawn()

    def record(self, result: Settled) -> None:
        """Take over a result; a second result for the same unit changes nothing."""
        self.book.count(result)
        if result.unit.kind == UnitKind.SPREAD:
            self.tiebreak.record(result)
            return
        if result.unit.kind == UnitKind.ESTIMATE:
            self.book.estimate(result)
            self.quick_look.take(result)
            return
        landed = self.schedule.land(result.unit)
        lost_more = self.book.record(result)
        if lost_more is not None:
            self.schedule.take(result, lost_more, landed)

    @property
    def state(self) -> State:
        """``open``, ``answered``: no play can have more than the best finished one, or ``complete``.

        Complete: what could be level with the best is finished as well, and so is the tie-break, if it is wanted.
        """
        state = self.book.state
        return State.ANSWERED if state == State.COMPLETE and not self.tiebreak.is_decided else state

    @property
    def done(self) -> bool:
        """All that is to be done is done: see the option ``until``.

        With ``answer`` units of other plays may still be in flight. Else every play is finished, cut off or skipped.
        """
        until = self.problem.options.until
        if until == Until.ANSWER:
            return self.state != State.OPEN
        if self.schedule.in_flight or not self.schedule.is_empty:
            return False
        return until == Until.LEVEL or self.tiebreak.is_done

    def progress(self) -> Progress:
        """A snapshot for display."""
        book = self.book
        finished = book.finished_mask()
        cut = book.cut_mask()
        skipped = self.problem.candidates.skipped
        left = ~finished & ~cut & ~skipped
        best = book.level_at_top()
        best_candidate = best[0] if best else None
        contending = book.contending_mask()
        rest = book.lost[contending & ~finished]
        total, state = self.problem.total, self.state
        return Progress(
            plays_total=int((~skipped).sum()),
            finished=int(finished.sum()),
            cut_off=int(cut.sum()),
            left=int(left.sum()),
            state=state,
            best_candidate=best_candidate,
            best_points=None if best_candidate is None else total - book.fewest / 2,
            most_open=total - int(rest.min()) / 2 if rest.size else None,
            units_settled=len(book.settled) + len(self.tiebreak.results),
            units_in_flight=self.schedule.in_flight + self.tiebreak.in_flight,
            fraction=1.0 - book.unsettled_draws(left) / max(1, self.schedule.draws_total),
            nodes=book.nodes,
            endgames=book.endgames,
            total=total,
            at_least=int(book.won[contending].max(initial=0)) / 2,
            at_most=total - int(book.lost[contending].min(initial=2 * total)) / 2,
            leading=leading(book, state),
        )
