"""One slower way, in a process of its own: ``python -m tests.soak.one_way WAY SECONDS ASKED ANSWERS``.

ASKED is a pickled list of :class:`tests.soak.asked.Asked`; ANSWERS becomes one of ``Answers``.
"""

from __future__ import annotations

import os
import pickle
import sys
from pathlib import Path

from pegray.compiled import KEPT, code_folder
from pegray.kernels.bits import SOURCES
from pegray.kernels.catalogue import warm_up
from tests.soak.asked import answer
from tests.soak.replaced import EVERY_LIST_ANEW, NotReplaced, check_compiled, check_signs, go

SEARCHING = ("draws", "verdicts", "staying")


def main() -> None:
    """Raises NotReplaced where the way is not what its name says."""
    way, seconds, asked_file, answers_file = sys.argv[1:]
    if not code_folder(SOURCES).is_relative_to(os.environ["NUMBA_CACHE_DIR"]) or any(one.overloads for one in KEPT):
        raise NotReplaced("what is compiled here must not come from, or go to, where pegray keeps its own")
    replaced = go(way)
    warm_up(SEARCHING)
    check_compiled(way, replaced)
    answers = []
    for asked in pickle.loads(Path(asked_file).read_bytes()):
        words = asked.words if way == EVERY_LIST_ANEW else asked.fitting
        found, workspace = answer(asked, words, float(seconds))
        check_signs(way, workspace)
        answers.append(found)
    Path(answers_file).write_bytes(pickle.dumps(answers))


if __name__ == "__main__":
    main()
