"""The server of the page: what it answers, to whom, and what its errors look like."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from importlib import resources
from typing import Any
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from pegray.display.report import run_report
from pegray.errors import PegrayError
from pegray.preendgame.options import SolveOptions
from pegray.runs.options import RunOptions
from pegray.serve import shown
from pegray.serve.explainer import Explainer
from pegray.serve.folder import RunsFolder, UnknownRun
from pegray.serve.guard import Guard
from pegray.serve.jobs import Jobs
from pegray.serve.pasted import read_pasted
from pegray.serve.programs import EXPLAINING, SOLVING
from pegray.serve.question import Limits, Question, begin_run, distribution_named, read_json

_LOOK_SECONDS = 0.3
_ALIVE_SECONDS = 15.0
_ROWS = 100
_LONGEST_TEXT = 1 << 20


class Service:
    """What the routes answer from.

    place: where solves run; solving, explaining: the programs that do the work
    closing: whether the server is about to end, and nobody is to be told anything any more
    """

    def __init__(
        self,
        folder: str,
        place: RunOptions,
        solving: Sequence[str] = SOLVING,
        explaining: Sequence[str] = EXPLAINING,
    ) -> None:
        self.folder = RunsFolder(folder)
        self.closing: Callable[[], bool] = lambda: False
        self._place = place
        self._jobs = Jobs(self.folder, solving)
        self._explainer = Explainer(explaining)

    @asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        """Work on the queue while the server is there; a solve is stopped cleanly at its end."""
        working = asyncio.create_task(self._jobs.work())
        try:
            yield
        finally:
            working.cancel()
            with suppress(asyncio.CancelledError):
                await working
            await self._explainer.close()

    def choices(self, request: Request) -> Response:
        """Lexica, distributions, the board."""
        return JSONResponse(shown.choices_json(str(self.folder.path)))

    async def position(self, request: Request) -> Response:
        """The position of a text: a CGP line, a file of them, or a game (``number``: a line or turn)."""
        data = await request.body()
        if len(data) > _LONGEST_TEXT:
            raise HTTPException(413, "too long for a position or a game")
        query = request.query_params
        return await run_in_threadpool(self._position, data, query.get("number"), query.get("distribution"))

    def _position(self, data: bytes, number: str | None, distribution: str | None) -> Response:
        pasted = read_pasted(data, _number(number), distribution_named(distribution))
        choices = [{"number": number, "label": label} for number, label in pasted.choices]
        return JSONResponse(
            {"position": shown.position_json(pasted.position), "number": pasted.number, "choices": choices}
        )

    async def runs(self, request: Request) -> Response:
        """All runs of the folder; or, posted, a new one, which waits for its turn."""
        if request.method == "GET":
            return JSONResponse(await run_in_threadpool(self.folder.rows))
        question = read_json(Question, await request.body())
        run = await run_in_threadpool(self._begin, question)
        self._jobs.add(run)
        return JSONResponse({"run": run}, 201)

    def _begin(self, question: Question) -> str:
        """Make a run that nobody works on yet; returns its name."""
        run = self.folder.new(question.name)
        directory = self.folder.path / run
        try:
            begin_run(str(directory), question, self._place)
        except PegrayError:
            with suppress(OSError):
                directory.rmdir()
            raise
        return run

    def run(self, request: Request) -> Response:
        """A run and its positions."""
        run = request.path_params["run"]
        return JSONResponse({**shown.run_json(self.folder.open(run)), **self.folder.row(run)})

    def table(self, request: Request) -> Response:
        """A position of a run with its plays; ``rows``: how many of them (0: all)."""
        run, rows = request.path_params["run"], _number(request.query_params.get("rows"))
        stored, goes_on = self.folder.open(run), self.folder.is_worked_on(run)
        return JSONResponse(
            shown.table_json(stored, request.path_params["position"], _ROWS if rows is None else rows, goes_on)
        )

    def play(self, request: Request) -> Response:
        """A play with its draws; with ``beside`` another, and the draws on which the two differ."""
        stored, position = self.folder.open(request.path_params["run"]), request.path_params["position"]
        move, beside = request.query_params.get("move", ""), request.query_params.get("beside")
        if beside is not None:
            return JSONResponse(shown.comparison_json(stored, position, move, beside))
        return JSONResponse(shown.play_json(stored, position, move))

    def report(self, request: Request) -> Response:
        """The run as one file to keep or to send, as ``pegray report`` writes it."""
        run = request.path_params["run"]
        name = quote(f"{run}.html")
        return HTMLResponse(
            run_report(self.folder.open(run)),
            headers={"Content-Disposition": f"attachment; filename*=UTF-8''{name}"},
        )

    async def line(self, request: Request) -> Response:
        """How a play (``move``) goes on with a ``draw``; given up when nobody waits for it any more."""
        question = await run_in_threadpool(self._question, request)
        asking = asyncio.create_task(self._explainer.ask(question))
        while not asking.done():
            await asyncio.wait({asking}, timeout=_LOOK_SECONDS)
            if await request.is_disconnected():
                asking.cancel()
                return Response(status_code=499)
        return JSONResponse(asking.result())

    def _question(self, request: Request) -> dict[str, Any]:
        stored, position = self.folder.open(request.path_params["run"]), request.path_params["position"]
        job = stored.manifest.get("job", {})
        return {
            "cgp": shown.stored_position(stored, position).to_cgp(),
            "distribution": job.get("distribution"),
            "lexicon": job.get("lexicon") or stored.overview(position).lexicon,
            "known_rack": stored.known_rack(position),
            "no_exchange": stored.no_exchange,
            "move": request.query_params.get("move", ""),
            "draw": request.query_params.get("draw", ""),
        }

    async def resume(self, request: Request) -> Response:
        """Go on with a run, perhaps further or for longer than it was begun."""
        limits = read_json(Limits, await request.body())
        run = request.path_params["run"]
        self.folder.directory(run)
        until = None if limits.until is None else SolveOptions(until=limits.until).until
        self._jobs.add(run, until, RunOptions(time_limit=limits.time_limit).seconds)
        return JSONResponse({"run": run})

    async def stop(self, request: Request) -> Response:
        """Stop a run; what is settled is kept."""
        self._jobs.stop(request.path_params["run"])
        return JSONResponse({})

    async def events(self, request: Request) -> Response:
        """A stream of what is going on, sent whenever it changes; ``run``: one to watch."""
        run = request.query_params.get("run")
        return StreamingResponse(self._events(run), media_type="text/event-stream")

    async def _events(self, run: str | None) -> AsyncIterator[str]:
        loop = asyncio.get_running_loop()
        before, sent = "", 0.0
        yield "retry: 1000\n\n"
        while not self.closing():
            now = json.dumps(self._state(run))
            if now != before:
                yield f"data: {now}\n\n"
            elif loop.time() - sent > _ALIVE_SECONDS:
                yield ": still here\n\n"
            else:
                await asyncio.sleep(_LOOK_SECONDS)
                continue
            before, sent = now, loop.time()

    def _state(self, run: str | None) -> dict[str, Any]:
        """The jobs, and stamps that change whenever the list of runs, or the run that is watched, does."""
        stamp = None
        if run is not None:
            with suppress(UnknownRun, OSError):
                stamp = str(self.folder.stamp(run))
        folder = self.folder.path.stat().st_mtime_ns if self.folder.path.is_dir() else 0
        explaining = self._explainer.compiling
        return {"jobs": self._jobs.snapshot(), "folder": str(folder), "stamp": stamp, "explaining": explaining}


def page(request: Request) -> Response:
    """The page itself."""
    return HTMLResponse((resources.files("pegray.serve") / "page" / "index.html").read_text(encoding="utf-8"))


def application(service: Service, token: str) -> Starlette:
    """The server, behind its token."""
    of_position = "/api/runs/{run}/{position:int}"
    routes = [
        Route("/", page),
        Route("/api/choices", service.choices),
        Route("/api/position", service.position, methods=["POST"]),
        Route("/api/events", service.events),
        Route("/api/runs", service.runs, methods=["GET", "POST"]),
        Route("/api/runs/{run}", service.run),
        Route("/api/runs/{run}/report", service.report),
        Route("/api/runs/{run}/resume", service.resume, methods=["POST"]),
        Route("/api/runs/{run}/stop", service.stop, methods=["POST"]),
        Route(of_position, service.table),
        Route(f"{of_position}/play", service.play),
        Route(f"{of_position}/line", service.line),
        Mount("/page", StaticFiles(packages=[("pegray.serve", "page")])),
        Mount("/parts", StaticFiles(packages=[("pegray.pages", "templates")])),
    ]
    return Starlette(
        routes=routes,
        middleware=[Middleware(Guard, token=token)],
        exception_handlers={PegrayError: _fault, HTTPException: _refusal, Exception: _accident},
        lifespan=service.lifespan,
    )


def _fault(request: Request, error: Exception) -> Response:
    """What the user can do something about, in the library's words; ``option``: the one at fault."""
    assert isinstance(error, PegrayError)
    document: dict[str, Any] = {"error": str(error), "option": error.option}
    if error.option is not None:
        given = "" if error.value is None else f" {error.value}"
        document["error"] = f"{error.option.replace('_', ' ')}{given}: {error.fault}"
    return JSONResponse(document, 404 if isinstance(error, UnknownRun) else 400)


def _refusal(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail, "option": None}, error.status_code)


def _accident(request: Request, error: Exception) -> Response:
    """What should not happen: the page is told that it did, and the terminal what."""
    return JSONResponse({"error": "something went wrong in pegray; the terminal says what", "option": None}, 500)


def _number(text: str | None) -> int | None:
    if text is None:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise HTTPException(400, f"{text!r}: expected a whole number")
    return int(text)
