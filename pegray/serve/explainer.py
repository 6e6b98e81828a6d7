"""Lines explained by a program that stays, so that its kernels are loaded once."""

from __future__ import annotations

import asyncio
import json
from asyncio.subprocess import Process
from collections.abc import Sequence
from typing import Any

from pegray.errors import InputError, PegrayError
from pegray.serve.programs import EXPLAINING, end, news_of, start


class Explainer:
    """Asks one question at a time.

    compiling: what the page is told while kernels are compiled first, else empty
    """

    def __init__(self, program: Sequence[str] = EXPLAINING) -> None:
        self.compiling = ""
        self._program = program
        self._process: Process | None = None
        self._turn = asyncio.Lock()

    async def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """The answer. Raises InputError. If nobody waits for it any more (cancelled), the search for it is ended."""
        async with self._turn:
            try:
                return await self._answer(question)
            except asyncio.CancelledError:
                await self.close(0.0)
                raise
            finally:
                self.compiling = ""

    async def _answer(self, question: dict[str, Any]) -> dict[str, Any]:
        if self._process is None or self._process.returncode is not None:
            self._process = await start(self._program)
        process = self._process
        assert process.stdin is not None
        process.stdin.write(json.dumps(question).encode() + b"\n")
        async for news in news_of(process):
            if news["event"] == "answer":
                return dict(news["answer"])
            if news["event"] == "failed":
                raise InputError(news["fault"], news["option"], news["value"])
            self.compiling = f"compiling, once on this machine: {news['done']} of {news['total']}"
        self._process = None
        raise PegrayError("the explanation has ended unexpectedly (the terminal may say more)")

    async def close(self, seconds: float = 1.0) -> None:
        """End the program."""
        if self._process is not None:
            await end(self._process, seconds)
            self._process = None
