"""An explanation on a terminal: each turn of ours, what the opponent does to it, and where it ends."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from rich.console import Console

from pegray.display.console import WIDTH
from pegray.display.endgame import player
from pegray.display.fitted import Column, FittedTable
from pegray.display.numbers import number, signed
from pegray.display.tables import NO_EXCHANGE
from pegray.game.line import play_line
from pegray.game.position import Position

if TYPE_CHECKING:
    from pegray.game.tiles import Distribution
    from pegray.preendgame.explain import Choice, Explanation, Step

LINE_COLUMNS = (Column("Player"), Column("Play"), Column("Score", right=True))
CHOICE_COLUMNS = (
    Column("Play"),
    Column("Score", right=True, leaves=1),
    Column("Points", right=True),
    Column("Best"),
    Column("Here"),
)
_WORDS = {"W": "wins", "D": "ties", "L": "loses"}


def print_explanation(console: Console, explanation: Explanation) -> None:
    """Print all steps."""
    console.print(f"{explanation.play} {_WORDS[explanation.outcome]} on {explanation.draw}.", style="bold")
    if explanation.no_exchange:
        console.print(f"All of this {NO_EXCHANGE}.")
    for step in explanation.steps:
        console.print()
        if step.choices:
            console.print(f"Our turn again: we do not see the bag, {number(step.total)} draws are possible.")
            console.print(_choices_table(step.choices))
            ties = sum(choice.tied_best for choice in step.choices)
            if ties > 1:
                console.print(f"{ties} plays are level at the top; the worst of them counts here.")
        _print_step(console, step)


def explanation_text(explanation: Explanation) -> str:
    """What :func:`print_explanation` prints, as plain text."""
    console = Console(file=io.StringIO(), color_system=None, highlight=False, markup=False, emoji=False, width=WIDTH)
    with console.capture() as captured:
        print_explanation(console, explanation)
    return "\n".join(line.rstrip() for line in captured.get().rstrip().splitlines())


def _print_step(console: Console, step: Step) -> None:
    play = "pass" if step.play == "pass" else f"play {step.play} for {step.score}"
    console.print(f"We {play}, draw {step.draw}")
    bag = step.bag or "empty"
    console.print(f"  our rack {step.our_rack}, opponent's {step.opponent_rack}, bag {bag}")
    if step.reply is not None:
        console.print(f"  the opponent's reply: {step.reply}")
    elif step.bag and step.final_spread is None:
        console.print("  no reply of the opponent, to whatever it draws, brings a tie or a loss")
    if step.line:
        rows = [("us" if ply % 2 else "opponent", play, str(score)) for ply, (play, score) in enumerate(step.line)]
        console.print(FittedTable(LINE_COLUMNS, rows))
    if step.final_spread is not None:
        console.print(f"  final spread {signed(step.final_spread)}")


def _choices_table(choices: list[Choice]) -> FittedTable:
    rows = []
    word = "level" if sum(choice.tied_best for choice in choices) > 1 else "best"
    for choice in choices:
        points = number(choice.points) if choice.points is not None else f"<={number(choice.at_most)}"
        best = word if choice.tied_best else ""
        rows.append((choice.move, str(choice.score), points, best, choice.outcome or ""))
    return FittedTable(CHOICE_COLUMNS, rows)


def explained_plies(explanation: Explanation, distribution: Distribution) -> list[dict[str, Any]]:
    """The whole line, from the play explained to the end, with the CGP after every move, for other engines."""
    moves = []
    for step in explanation.steps:
        replies = [play for play, _ in step.line] or ([] if step.reply is None else [step.reply])
        moves += [step.play, *replies]
    position = Position.from_cgp(explanation.steps[0].cgp, distribution)
    plies = enumerate(play_line(position, moves, explanation.draw), start=1)
    return [
        {
            "player": player(number),
            "move": ply.move,
            "score": ply.score,
            "draw": ply.draw,
            "cgp": ply.after.to_cgp(),
        }
        for number, ply in plies
    ]
