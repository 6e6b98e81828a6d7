"""In place of pegray.serve.explaining: a line that has been worked out before; to a pass it finds none for long."""

from __future__ import annotations

import time

from pegray.errors import InputError
from pegray.game.position import Position
from pegray.preendgame.explain import checked_question
from pegray.preendgame.explanation import Explanation, Step
from pegray.serve.child import news, questions
from pegray.serve.shown import line_json

LINE = [("2A CAI.UE", 38), ("1F TYES", 23)]

if __name__ == "__main__":
    tell = news()
    for asked in questions():
        position = Position.from_cgp(asked["cgp"])
        try:
            checked_question(position, asked["move"], asked["draw"], asked["known_rack"], asked["no_exchange"])
        except InputError as error:
            tell({"event": "failed", "fault": error.fault, "option": error.option, "value": error.value})
            continue
        if asked["move"] == "pass":
            time.sleep(600)
        step = Step(asked["cgp"], "13L ONYX", 33, "[Y]", "D", "ESTY", "AACEISU", "", [], 0, None, LINE, 0)
        explanation = Explanation("13L ONYX", "[Y]", "D", [step])
        tell({"event": "compiling", "done": 1, "total": 2})
        tell({"event": "answer", "answer": line_json(explanation, position.distribution)})
