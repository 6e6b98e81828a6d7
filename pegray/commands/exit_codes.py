"""Exit codes of the ``pegray`` command."""

from __future__ import annotations

DONE = 0
COULD_NOT_FINISH = 1
BAD_INPUT = 2
INTERRUPTED = 130
