"""The programs that the server starts, each in a session of its own: Ctrl-C in the terminal is for the server."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Sequence
from typing import Any

from pegray.errors import PegrayError

SOLVING = (sys.executable, "-m", "pegray.serve.solving")
EXPLAINING = (sys.executable, "-m", "pegray.serve.explaining")
_LONGEST_LINE = 1 << 26


async def start(program: Sequence[str], *arguments: str) -> Process:
    """Start a program. Raises PegrayError if it cannot be started."""
    path = os.pathsep.join(folder or os.getcwd() for folder in sys.path)
    try:
        return await asyncio.create_subprocess_exec(
            *program,
            *arguments,
            stdin=PIPE,
            stdout=PIPE,
            env=os.environ | {"PYTHONPATH": path},
            limit=_LONGEST_LINE,
            start_new_session=True,
        )
    except OSError as error:
        raise PegrayError(f"{program[0]}: cannot be started: {error.strerror or error}") from None


async def news_of(process: Process) -> AsyncIterator[dict[str, Any]]:
    """What a program says, until it ends."""
    assert process.stdout is not None
    async for line in process.stdout:
        yield json.loads(line)


def tell_to_end(process: Process) -> None:
    """Close its stdin: by that it knows that it is over, however far it has come, or that the server is gone."""
    assert process.stdin is not None
    process.stdin.close()


async def end(process: Process, seconds: float) -> None:
    """Tell a program to end, and give it some time."""
    tell_to_end(process)
    try:
        await asyncio.wait_for(process.wait(), seconds)
    except TimeoutError:
        process.kill()
        await process.wait()
