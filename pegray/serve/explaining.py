"""A program that the server starts: it explains outcomes, one after another, with kernels that stay loaded.

Questions come on stdin and answers go to stdout, a line of JSON each.
"""

from __future__ import annotations

from typing import Any

from pegray.errors import PegrayError
from pegray.game.line import play_line
from pegray.game.notation import parse_move
from pegray.game.position import Position
from pegray.game.tiles import load_distribution
from pegray.kernels.beside import compiled_beside
from pegray.lexicon.find import lexicon_for
from pegray.lexicon.lexicon import Lexicon
from pegray.preendgame.explain import checked_question, explain, needed_kernels
from pegray.preendgame.explanation import Explanation, Step
from pegray.preendgame.solve_endgame import solve_after
from pegray.serve.child import Tell, news, questions
from pegray.serve.shown import line_json
from pegray.terms import WDL


def main() -> None:
    """Answer until the server closes stdin."""
    tell = news()
    for asked in questions():
        try:
            tell({"event": "answer", "answer": answer(asked, tell)})
        except PegrayError as error:
            tell({"event": "failed", "fault": error.fault, "option": error.option, "value": error.value})


def answer(asked: dict[str, Any], tell: Tell) -> dict[str, Any]:
    """The line of a play (``move``) in one order of the bag (``draw``), from ``cgp`` with ``lexicon``."""
    distribution = load_distribution(asked["distribution"]) if asked["distribution"] else None
    position = Position.from_cgp(asked["cgp"], distribution)
    question = (asked["move"], asked["draw"], asked["known_rack"], asked["no_exchange"])
    if position.bag_size > 0:
        checked_question(position, *question)
    lexicon = lexicon_for(position, asked["lexicon"])
    with compiled_beside(*needed_kernels(position.bag_size)) as compiled:
        compiled(lambda done, total: tell({"event": "compiling", "done": done, "total": total}))
        if position.bag_size > 0:
            explanation = explain(position, lexicon, *question)
        else:
            explanation = _of_endgame(position, lexicon, asked["move"])
        return line_json(explanation, position.distribution)


def _of_endgame(position: Position, lexicon: Lexicon, play: str) -> Explanation:
    """A play of an endgame and best play after it: one step, with nothing to draw."""
    move = parse_move(play, position.board, position.distribution)
    found = solve_after(position, move, lexicon)
    first, *others = play_line(position, found.moves, is_solved=True)
    after, distribution = first.after, position.distribution
    assert after.opponent_rack is not None
    outcome = WDL.of_spread(found.spread)
    step = Step(
        cgp=position.to_cgp(),
        play=first.move,
        score=first.score,
        draw="[]",
        outcome=outcome,
        our_rack=distribution.format_rack(after.opponent_rack),
        opponent_rack=distribution.format_rack(after.rack),
        bag="",
        choices=[],
        total=1,
        reply=None,
        line=[(ply.move, ply.score) for ply in others],
        final_spread=found.spread,
    )
    return Explanation(step.play, step.draw, outcome, [step])


if __name__ == "__main__":
    main()
