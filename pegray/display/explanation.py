"""An explanation on a terminal: each turn of ours, what the opponent does to it, and where it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Table

from pegray.display.numbers import number, signed

if TYPE_CHECKING:
    from pegray.preendgame.explain import Choice, Explanation, Step

_WORDS = {"W": "wins", "D": "draws", "L": "loses"}


def print_explanation(console: Console, explanation: Explanation) -> None:
    """Print all steps."""
    console.print(f"{explanation.play} {_WORDS[explanation.outcome]} on {explanation.draw}.", style="bold")
    for step in explanation.steps:
        console.print()
        if step.choices:
            console.print(f"Our turn again: we do not see the bag, {number(step.total)} draws are possible.")
            console.print(_choices_table(step.choices))
            ties = sum(choice.tied_best for choice in step.choices)
            if ties > 1:
                console.print(f"{ties} plays are level at the top; the worst of them counts here.")
        _print_step(console, step)


def _print_step(console: Console, step: Step) -> None:
    play = "pass" if step.play == "pass" else f"play {step.play} for {step.score}"
    console.print(f"We {play}, draw {step.draw}")
    bag = step.bag or "empty"
    console.print(f"  our rack {step.our_rack}, opponent's {step.opponent_rack}, bag {bag}")
    if step.reply is not None:
        console.print(f"  the opponent's reply: {step.reply}")
    elif step.bag and step.final_spread is None:
        console.print("  no reply of the opponent, to whatever it draws, brings a draw or a loss")
    if step.line:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        table.add_column("Player")
        table.add_column("Play", no_wrap=True)
        table.add_column("Score", justify="right")
        for ply, (play, score) in enumerate(step.line):
            table.add_row("us" if ply % 2 else "opponent", play, str(score))
        console.print(table)
    if step.final_spread is not None:
        console.print(f"  final spread {signed(step.final_spread)}")


def _choices_table(choices: list[Choice]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("Play", no_wrap=True)
    for heading in ("Score", "Points"):
        table.add_column(heading, justify="right")
    table.add_column("Best")
    table.add_column("Here")
    for choice in choices:
        points = number(choice.points) if choice.points is not None else f"<={number(choice.at_most)}"
        best = "tied best" if choice.tied_best else ""
        table.add_row(choice.move, str(choice.score), points, best, choice.outcome or "")
    return table
