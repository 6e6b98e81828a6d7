"""What is known of a play and of its outcomes, as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field

from pegray.results.state import listing_key
from pegray.terms import WDL, State, Status


@dataclass
class Outcome:
    """How a play fares in one eventuality class.

    draw: ``[AEG]I``: we draw A, E and G in any order, the I stays
    drawn, stays: its two parts
    weight: labelled draws that it covers; a whole number, unless a prior was applied (results/prior.py)
    outcome: ``W``, ``D`` or ``L``
    certain: nobody has to guess any more after the play
    proven: all endgames were searched to the end
    spread: final spread under best play for spread, where known
    reply: a reply that brings the tie or loss
    nodes: searched for the unit of work that the outcome came from
    """

    draw: str
    drawn: str
    stays: str
    weight: float
    outcome: WDL
    certain: bool
    proven: bool
    spread: int | None
    reply: str | None
    nodes: int

    def __post_init__(self) -> None:
        self.outcome = WDL(self.outcome)  # files have the plain text

    @property
    def is_possible(self) -> bool:
        """Whether it is only a possible tie or loss: the opponent has to find, or stumble into, the reply."""
        return not self.certain and self.outcome != WDL.WIN

    def __repr__(self) -> str:
        reply = "" if self.reply is None else f" after {self.reply}"
        return f"<Outcome {self.draw} {self.outcome}{reply}, weight {self.weight}>"


@dataclass
class PlayResult:
    """What is known of one play. Points, wins, draws, losses and win_pct are None unless it is finished.

    rank: 1 for the best play; None while the position is open, and where a play that is not finished may have more
    move: in notation, ``13L ONYX``
    score, tiles, tiles_left: points on the board, tiles played, tiles in the bag afterwards
    status: ``finished``, ``cut_off``, ``unfinished`` or ``skipped``
    total: weight of all draws
    points: weight of the wins plus half that of the ties
    wins, draws, losses: weights; a draw here is a tie
    win_pct: points in percent of the total
    found_losses: weight of the losses found plus half that of the ties, a bound where the play is not finished
    at_least, at_most: points won for certain so far, and those that the play may still have
    estimate: points as estimated, None where no estimate was made
    spread: average final spread over all eventualities, where the tie-break worked it out exactly
    spread_at_least, spread_at_most: the least and the most that it may be, None where that is not known
    proven: all endgames were searched to the end
    endgames, nodes, cpu_seconds: what it cost
    outcomes: of the draws that are settled, also of a play that is not finished
    """

    rank: int | None
    move: str
    score: int
    tiles: int
    tiles_left: int
    status: Status
    total: float
    points: float | None
    wins: float | None
    draws: float | None
    losses: float | None
    win_pct: float | None
    found_losses: float
    at_least: float
    at_most: float
    spread: float | None
    proven: bool
    endgames: int
    nodes: int
    cpu_seconds: float
    estimate: float | None = None
    outcomes: list[Outcome] = field(default_factory=list)
    spread_at_least: float | None = None
    spread_at_most: float | None = None

    def __post_init__(self) -> None:
        self.status = Status(self.status)  # files have the plain text

    def __repr__(self) -> str:
        points = f"at most {self.at_most:g}" if self.points is None else f"{self.points:g}"
        return f"<PlayResult {self.move}, {self.status}, {points} of {self.total}>"


def put_in_order(plays: list[PlayResult], state: State) -> None:
    """Sort the plays of a position in this state as every table lists them."""
    plays.sort(
        key=lambda play: listing_key(
            state,
            play.rank,
            play.status == Status.SKIPPED,
            (play.at_least, play.at_most),
            play.score,
            play.move,
            play.estimate,
        )
    )
