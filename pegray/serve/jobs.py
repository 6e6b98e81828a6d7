"""The runs that are being solved: one at a time, the others wait for their turn."""

from __future__ import annotations

import asyncio
import json
import traceback
from asyncio.subprocess import Process
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from pegray.errors import InputError, PegrayError
from pegray.serve.folder import RunsFolder
from pegray.serve.programs import SOLVING, end, news_of, start, tell_to_end

_LAST_SECONDS = 25.0
_ENDED_KEPT = 20


class Stage(StrEnum):
    """How far a job is."""

    WAITING = "waiting"
    STARTING = "starting"
    COMPILING = "compiling"
    SOLVING = "solving"
    STOPPING = "stopping"
    ENDED = "ended"


@dataclass
class Job:
    """A run to be gone on with.

    until, time_limit (seconds): as the run was begun if they are None
    line: how far it is; fraction: of all draws, 0 to 1; fault: why it failed; said: where the work goes on, and why
    """

    run: str
    until: str | None = None
    time_limit: float | None = None
    stage: Stage = Stage.WAITING
    line: str = ""
    fraction: float = 0.0
    fault: str = ""
    said: list[str] = field(default_factory=list)


class Jobs:
    """The queue, and the process that works on its first run.

    program: what a run's directory is given to
    """

    def __init__(self, folder: RunsFolder, program: Sequence[str] = SOLVING) -> None:
        self._folder = folder
        self._program = program
        self._waiting: list[Job] = []
        self._solving: Job | None = None
        self._process: Process | None = None
        self._ended: list[Job] = []
        self._something_waits = asyncio.Event()

    def snapshot(self) -> list[dict[str, Any]]:
        """All jobs: those that ended last, the one that is solved, those that wait."""
        solving = [] if self._solving is None else [self._solving]
        return [asdict(job) for job in (*self._ended, *solving, *self._waiting)]

    def add(self, run: str, until: str | None = None, time_limit: float | None = None) -> None:
        """Let a run wait for its turn. Raises InputError if it does already, or another process works on it."""
        if self._folder.is_worked_on(run) or any(job.run == run for job in (self._solving, *self._waiting) if job):
            raise InputError(f"{run}: is being solved, or waits for its turn")
        self._ended = [job for job in self._ended if job.run != run]
        self._waiting.append(Job(run, until, time_limit))
        self._something_waits.set()

    def stop(self, run: str) -> None:
        """Stop a run; what is settled is kept. Raises InputError if it is none of ours."""
        if self._solving is not None and self._solving.run == run:
            self._solving.stage = Stage.STOPPING
            if self._process is not None:
                tell_to_end(self._process)
            return
        for job in self._waiting:
            if job.run == run:
                self._waiting.remove(job)
                self._keep(job)
                return
        raise InputError(f"{run}: is not being solved from here")

    async def work(self) -> None:
        """Solve one after another, until cancelled; then the one that is being solved is stopped cleanly."""
        while True:
            while not self._waiting:
                self._something_waits.clear()
                await self._something_waits.wait()
            job = self._solving = self._waiting.pop(0)
            try:
                await self._solve(job)
            except PegrayError as error:
                job.fault = str(error)
            except Exception as error:  # one run that goes wrong must not hold up the others
                traceback.print_exception(error)
                job.fault = "something went wrong in pegray; the terminal says what"
            finally:
                self._solving = self._process = None
                self._keep(job)

    async def _solve(self, job: Job) -> None:
        job.stage = Stage.STARTING
        asked = {"directory": self._folder.directory(job.run), "until": job.until, "time_limit": job.time_limit}
        self._process = process = await start(self._program, json.dumps(asked))
        if job.stage is Stage.STOPPING:
            tell_to_end(process)
        try:
            async for news in news_of(process):
                _take(news, job)
            if await process.wait() and not job.fault and job.stage is not Stage.STOPPING:
                job.fault = "the solve has ended unexpectedly; what is settled is kept (the terminal may say more)"
        finally:
            if process.returncode is None:
                await end(process, _LAST_SECONDS)

    def _keep(self, job: Job) -> None:
        job.stage = Stage.ENDED
        self._ended = [*self._ended, job][-_ENDED_KEPT:]


def _take(news: dict[str, Any], job: Job) -> None:
    """Take over what the solving program says."""
    match news["event"]:
        case "compiling":
            job.line = f"compiling, once on this machine: {news['done']} of {news['total']}"
        case "begun":
            job.line = ""
        case "progress":
            job.line, job.fraction = news["line"], news["fraction"]
        case "said":
            job.said.append(news["line"])
        case "ended" | "failed":
            job.fault = job.fault or news["fault"]
    stages = {"compiling": Stage.COMPILING, "begun": Stage.SOLVING}
    if job.stage is not Stage.STOPPING:
        job.stage = stages.get(news["event"], job.stage)
