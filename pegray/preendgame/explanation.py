"""An explanation: each turn of ours, what the opponent does to it, and where it ends; as data and as text."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.text import Text

from pegray.game.line import player
from pegray.game.rules import NO_EXCHANGE
from pegray.terms import WDL
from pegray.text.fitted import WIDTH, Column, FittedTable
from pegray.text.numbers import number, signed

LINE_COLUMNS = (Column("Player"), Column("Play"), Column("Score", right=True))
CHOICE_COLUMNS = (
    Column("Play"),
    Column("Score", right=True, leaves=1),
    Column("Points", right=True),
    Column("Best"),
    Column("Here"),
)
_WORDS = {WDL.WIN: "wins", WDL.TIE: "ties", WDL.LOSS: "loses"}


@dataclass(frozen=True)
class Choice:
    """A row of the table that a nested decision is made from; ``outcome`` is the one in the eventuality at hand."""

    move: str
    score: int
    points: float | None
    at_most: float
    tied_best: bool
    outcome: WDL | None


@dataclass(frozen=True)
class Step:
    """One turn of ours and what follows it.

    cgp: the position before our play; draw: ``[AEG]I``; our_rack and bag: after the draw; opponent_rack: as it is then
    choices, total: the table of the decision if the play was chosen at a nested turn, and the weight of all its draws
    reply: the opponent's decisive reply, None if there is none (every reply wins for us, or the game is over)
    line: the endgame's moves with their scores, the opponent's first if there was no reply; final_spread: at its end
    """

    cgp: str
    play: str
    score: int
    draw: str
    outcome: WDL
    our_rack: str
    opponent_rack: str
    bag: str
    choices: list[Choice]
    total: float
    reply: str | None
    line: list[tuple[str, int]]
    final_spread: int | None


@dataclass(frozen=True)
class Explanation:
    """The steps from the play asked about to the end of the game; ``no_exchange``: as if nobody could exchange."""

    play: str
    draw: str
    outcome: WDL
    steps: list[Step]
    no_exchange: bool = False

    @property
    def moves(self) -> list[str]:
        """The moves of both sides from the play on."""
        moves = []
        for step in self.steps:
            replies = [play for play, _ in step.line] or ([] if step.reply is None else [step.reply])
            moves += [step.play, *replies]
        return moves

    def __str__(self) -> str:
        console = Console(
            file=io.StringIO(), color_system=None, highlight=False, markup=False, emoji=False, width=WIDTH
        )
        with console.capture() as captured:
            console.print(self)
        return "\n".join(line.rstrip() for line in captured.get().rstrip().splitlines())

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(f"{self.play} {_WORDS[self.outcome]} on {self.draw}.", style="bold")
        if self.no_exchange:
            yield Text(f"All of this {NO_EXCHANGE}.")
        for step in self.steps:
            yield Text()
            yield from _step_lines(step)

    def __repr__(self) -> str:
        return f"<Explanation {self.play} on {self.draw}: {self.outcome}>"

    def to_json(self) -> dict[str, Any]:
        """The JSON document of ``pegray explain --json``."""
        steps = [{**step.__dict__, "choices": [choice.__dict__ for choice in step.choices]} for step in self.steps]
        return {
            "schema": 1,
            "play": self.play,
            "draw": self.draw,
            "outcome": self.outcome,
            "no_exchange": self.no_exchange,
            "steps": steps,
        }


def _step_lines(step: Step) -> Iterator[RenderableType]:
    if step.choices:
        yield Text(f"Our turn again: we do not see the bag, {number(step.total)} draws are possible.")
        yield _choices_table(step.choices)
        ties = sum(choice.tied_best for choice in step.choices)
        if ties > 1:
            yield Text(f"{ties} plays are level at the top; the worst of them counts here.")
    play = "pass" if step.play == "pass" else f"play {step.play} for {step.score}"
    yield Text(f"We {play}, draw {step.draw}")
    yield Text(f"  our rack {step.our_rack}, opponent's {step.opponent_rack}, bag {step.bag or 'empty'}")
    if step.reply is not None:
        yield Text(f"  the opponent's reply: {step.reply}")
    elif step.bag and step.final_spread is None:
        yield Text("  no reply of the opponent, to whatever it draws, brings a tie or a loss")
    if step.line:
        rows = [(player(ply), play, str(score)) for ply, (play, score) in enumerate(step.line, start=2)]
        yield FittedTable(LINE_COLUMNS, rows)
    if step.final_spread is not None:
        yield Text(f"  final spread {signed(step.final_spread)}")


def _choices_table(choices: list[Choice]) -> FittedTable:
    rows = []
    word = "level" if sum(choice.tied_best for choice in choices) > 1 else "best"
    for choice in choices:
        points = number(choice.points) if choice.points is not None else f"<={number(choice.at_most)}"
        best = word if choice.tied_best else ""
        rows.append((choice.move, str(choice.score), points, best, choice.outcome or ""))
    return FittedTable(CHOICE_COLUMNS, rows)
