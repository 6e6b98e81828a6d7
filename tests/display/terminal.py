"""A program on a pseudo-terminal, and the screen that its bytes paint."""

from __future__ import annotations

import os
import re
import sys
import termios

import pexpect
import pyte


class Terminal:
    """Runs ``python`` with arguments.

    written: every byte so far
    flags: the local modes (``man termios``) that the program has left behind
    """

    def __init__(self, *arguments: str, columns: int = 100, rows: int = 30, environment: dict[str, str] | None = None):
        self.written = b""
        self.flags = 0
        self._screen = pyte.HistoryScreen(columns, rows, history=1000)
        self._stream = pyte.ByteStream(self._screen)
        unset = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE")
        inherited = {name: value for name, value in os.environ.items() if name not in unset}
        self._program = pexpect.spawn(
            sys.executable,
            list(arguments),
            env={**inherited, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", **(environment or {})},
            dimensions=(rows, columns),
            timeout=300,
        )

    def read_until(self, pattern: str) -> None:
        """Read until the bytes that come match a regular expression."""
        self._program.expect(pattern)
        self._show(self._program.before + self._program.after)

    def read_all(self) -> int:
        """Read to the end of the program; its exit code."""
        self._program.expect(pexpect.EOF)
        self._show(self._program.before)
        self.flags = termios.tcgetattr(self._program.child_fd)[3]
        self._program.wait()  # to close at once would send it signals while it ends
        self._program.close()
        code = self._program.exitstatus
        assert code is not None, f"killed by signal {self._program.signalstatus}"
        return code

    def interrupt(self) -> None:
        """Ctrl-C."""
        self._program.sendintr()

    def resize(self, columns: int, rows: int) -> None:
        """What most terminals do: rows that have become too long are broken, the cursor stays behind its character."""
        lines = self.lines()
        self._screen = pyte.HistoryScreen(columns, rows, history=1000)
        self._stream = pyte.ByteStream(self._screen)
        self._stream.feed("\r\n".join(lines).encode())
        self._program.setwinsize(rows, columns)

    def lines(self) -> list[str]:
        """All that is to be read, scrolling up too, without the empty end."""
        above = [[row[column].data for column in range(self._screen.columns)] for row in self._screen.history.top]
        lines = [line.rstrip() for line in [*map("".join, above), *self._screen.display]]
        while lines and not lines[-1]:
            lines.pop()
        return lines

    @property
    def cursor_is_hidden(self) -> bool:
        """Whether the program has left the terminal without a cursor."""
        return bool(self._screen.cursor.hidden)

    def _show(self, data: bytes) -> None:
        self.written += data
        self._stream.feed(data)


def rows_of(data: bytes) -> list[str]:
    """The text between line ends and control sequences: every row as it was drawn."""
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "\n", data.decode())
    return [row for row in re.split(r"[\r\n]+", plain) if row]
