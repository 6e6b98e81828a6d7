"""A program that the server starts: it explains outcomes, one after another, with kernels that stay loaded.

Questions come on stdin and answers go to stdout, a line of JSON each.
"""

from __future__ import annotations

from typing import Any

from pegray.errors import PegrayError
from pegray.game.position import Position
from pegray.game.tiles import load_distribution
from pegray.kernels.beside import compiled_beside
from pegray.lexicon.find import lexicon_for
from pegray.preendgame.explain import checked_question, explain, explain_endgame, needed_kernels
from pegray.serve.child import Tell, news, questions
from pegray.serve.shown import line_json


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
            explanation = explain_endgame(position, lexicon, asked["move"])
        return line_json(explanation, position.distribution)


if __name__ == "__main__":
    main()
