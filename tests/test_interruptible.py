"""Work that Ctrl-C can end."""

from __future__ import annotations

import signal
import threading

import pytest

from pegray.interruptible import interruptible

WAIT_SECONDS = 60


def test_what_it_returns_and_raises() -> None:
    assert interruptible(lambda: 7) == 7
    with pytest.raises(KeyError, match="none"):
        interruptible(lambda: {}["none"])


def test_ctrl_c_comes_before_the_work_has_ended() -> None:
    main = threading.get_ident()
    released = threading.Event()

    def work() -> None:
        signal.pthread_kill(main, signal.SIGINT)
        assert released.wait(WAIT_SECONDS)

    with pytest.raises(KeyboardInterrupt):
        interruptible(work)
    assert not released.is_set()
    released.set()
