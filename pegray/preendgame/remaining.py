"""How much more it may take to answer a position: a range, by the losses still to be found and what others have cost.

Nothing is said before a play is finished: until then nobody knows how much the others have to lose. From then on each
of them has to lose as much as the best finished one, and the CPU time so far, for what they have lost, tells about what
the rest costs. A better play that is finished spares many, and the last are the dearest: hence a wide range, of which
docs/cluster.md says how often it holds.
"""

from __future__ import annotations

import numpy as np

from pegray.kernels.memory import NO_BOUND
from pegray.preendgame.book import Book
from pegray.preendgame.guess import Guess

_LEAST, _MOST = 0.1, 10.0
_MOST_AGAIN = 3.0


def remaining(book: Book) -> Guess | None:
    """CPU seconds until no play can have more points than the best finished one; None where nothing can be said."""
    if book.fewest == NO_BOUND or not book.problem.options.early_cutoff:
        return None
    lost = np.minimum(book.lost[book.contending_mask()], book.fewest)
    found, to_find = int(lost.sum()), int((book.fewest - lost).sum())
    likely = book.cpu_seconds * to_find / max(1, found)
    # a few plays that nobody can refute may take longer than all the others did
    return Guess(_LEAST * likely, max(_MOST * likely, _MOST_AGAIN * book.cpu_seconds))
