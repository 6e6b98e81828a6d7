"""Live lines at the bottom of the terminal on stderr: the one display of everything that takes a while.

Above them there may be a picture, of as many rows as the window has room for. Whoever works only says what its line is
to show. One thread draws all the lines, several times a second, and every message goes through the same console, which
puts it above them.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from math import ceil
from types import TracebackType
from typing import Self

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, ConsoleRenderable, OverflowMethod, RenderResult
from rich.control import Control
from rich.live import Live
from rich.segment import ControlType
from rich.spinner import Spinner
from rich.text import Text

from pegray.display.console import messages
from pegray.display.unread import unread_output_kept
from pegray.text.durations import format_clock
from pegray.text.fitted import WIDTH

DRAW_SECONDS = 0.125
# Kept free at the right, where the terminal shows ^C: at the edge it would break the line and shift all that follows.
MARGIN = 4

Picture = Callable[[int, bool], Sequence[Text]]
"""Rows no wider than so many columns, the most important first; True: of ASCII alone."""


class Line:
    """A name, the time since the line was made, and what any thread has said last."""

    def __init__(self, name: str, text: str) -> None:
        self._name = _printable(name)
        self._text = _printable(text)
        self._started = time.monotonic()

    @property
    def name(self) -> str:
        """What the line is about."""
        return self._name

    def say(self, text: str) -> None:
        """Show this from now on."""
        self._text = _printable(text)

    def shown(self, name_width: int) -> str:
        """``first  0:42  13 of 625 plays left``, with the name cut or filled up to so many columns."""
        name = Text(self._name)
        name.truncate(name_width, overflow="ellipsis", pad=True)
        return f"{name.plain} {format_clock(time.monotonic() - self._started)}  {self._text}"


class LiveLines:
    """Context manager: a last line, and above it others that come and go. Off a terminal nothing is shown.

    There is one at a time. When it is left, the lines are gone and the messages stay.

    name, text: of the last line; picture: is asked for rows to be shown above all lines, each time anew
    """

    def __init__(self, name: str, text: str = "starting", picture: Picture | None = None) -> None:
        self.last = Line(name, text)
        self._others: tuple[Line, ...] = ()
        self._lock = threading.Lock()  # while the tuple is replaced; the drawing thread reads whichever is there
        self._console = messages()
        self._rows = _Rows(self._lines, picture)
        self._live = _ReflowedLive(self._console, self._rows)
        self._left = threading.Event()
        self._leave = ExitStack()
        self._drawer = threading.Thread(target=self._draw, name="display", daemon=True)

    @contextmanager
    def line(self, name: str, text: str = "starting") -> Iterator[Line]:
        """One more line, as long as the context lasts."""
        line = Line(name, text)
        with self._lock:
            self._others = (*self._others, line)
        try:
            yield line
        finally:
            with self._lock:
                self._others = tuple(other for other in self._others if other is not line)

    def __enter__(self) -> LiveLines:
        if self._console.is_interactive:
            self._leave.enter_context(unread_output_kept(self._console.file.fileno()))
            with self._console:
                self._live.start(refresh=True)
            self._drawer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._left.set()
        # our console's lock first, then that of rich's display, as in _draw: else two threads could wait for each other
        with self._leave, self._console:
            self._live.stop()

    def _lines(self) -> Sequence[Line]:
        return (*self._others, self.last)

    def _draw(self) -> None:
        while not self._left.wait(DRAW_SECONDS):
            with self._console:
                self._live.refresh()


class OnLiveLines:
    """Context manager of what is shown on live lines."""

    def __init__(self, name: str, picture: Picture | None = None) -> None:
        """name: of the last line; picture: above it."""
        self._display = LiveLines(name, picture=picture)

    def __enter__(self) -> Self:
        self._display.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._display.__exit__(kind, error, trace)

    def say(self, text: str) -> None:
        """Show this on the last line from now on."""
        self._display.last.say(text)


class _Rows:
    """Draws the lines that there are now, each in one row; as many of the last ones as the window is high.

    The picture has the rows that are left above them, but for a quarter of the window, which keeps its messages.
    """

    def __init__(self, lines: Callable[[], Sequence[Line]], picture: Picture | None) -> None:
        self._lines = lines
        self._picture = picture
        self._spinners = {True: Spinner("line"), False: Spinner("dots")}
        self._widths: list[int] = []

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = max(1, min(options.max_width, WIDTH) - MARGIN)
        overflow: OverflowMethod = "crop" if options.ascii_only else "ellipsis"
        spinner = self._spinners[options.ascii_only].render(time.monotonic())
        lines = self._lines()
        name_width = min(max(cell_len(line.name) for line in lines), width // 3)
        rows: list[Text] = []
        if self._picture is not None:
            room = options.size.height * 3 // 4 - len(lines)
            rows += self._picture(width, options.ascii_only)[: max(0, room)]
        for line in lines[-max(1, options.size.height - 1) :]:
            row = Text.assemble((str(spinner), "progress.spinner"), " ", line.shown(name_width), no_wrap=True)
            rows.append(row)
        for row in rows:
            row.truncate(width, overflow=overflow)
        self._widths = [row.cell_len for row in rows]
        yield from rows

    def broken(self, width: int) -> int:
        """How many rows more than lines there are in a window of a width, if it breaks what was drawn wider."""
        return sum(ceil(drawn / width) - 1 for drawn in self._widths if drawn)


class _ReflowedLive(Live):
    """rich's display does not know that a window made narrower breaks what is drawn already into more rows.

    Most terminals do that. One that cuts rows off instead loses as many of the rows above.
    """

    def __init__(self, console: Console, rows: _Rows) -> None:
        # Results that are piped elsewhere must not pass through the display.
        super().__init__(rows, console=console, auto_refresh=False, transient=True, redirect_stdout=sys.stdout.isatty())
        self._drawn = rows

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        """Go up past the broken rows, then as ever."""
        up = Control(ControlType.CARRIAGE_RETURN, (ControlType.ERASE_IN_LINE, 2), (ControlType.CURSOR_UP, 1))
        broken = self._drawn.broken(self.console.width)
        return [*[up] * broken, *super().process_renderables(renderables)]


def _printable(text: str) -> str:
    """On one line, with nothing in it that moves the cursor."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
