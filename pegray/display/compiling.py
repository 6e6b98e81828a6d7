"""Saying that kernels are compiled: it happens once, and takes longer than most solves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager

from pegray.display.console import message, messages
from pegray.display.live import LiveLines
from pegray.text.numbers import count

_ONCE = "once on this machine"


@contextmanager
def compiling(now: Iterable[str], later: Iterable[str] = ()) -> Iterator[Callable[[], None]]:
    """A context in which what is needed for purposes (see kernels/catalogue.py) is compiled.

    Call what it yields before the work begins: it returns when all for ``now`` is there. Until then it says how far it
    is on stderr, live on a terminal, in one line otherwise; nothing if all has been compiled before.
    """
    from pegray.kernels.beside import compiled_beside

    with compiled_beside(now, later) as wait:

        def wait_and_say() -> None:
            with ExitStack() as shown:
                lines: list[LiveLines] = []

                def on_step(done: int, total: int) -> None:
                    if not lines:
                        if not messages().is_terminal:
                            message(f"compiling, {_ONCE}: {count(total, 'kernel')}")
                        lines.append(shown.enter_context(LiveLines("compiling", _ONCE)))
                    lines[0].last.say(f"{_ONCE}: {done} of {total}")

                left = wait(on_step)
            if left:
                message(f"compiling {count(left, 'more kernel')} meanwhile")

        yield wait_and_say
