"""Batches as jobs of a Ray cluster: send one, ask how it goes, read what it says, stop it."""

from __future__ import annotations

import asyncio
import logging
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pegray.errors import InputError, RunError, first_line
from pegray.lexicon.files import FOLDER_VARIABLE
from pegray.submission.bundle import JOB_FILE, LEXICA, pack_job
from pegray.version import __version__

if TYPE_CHECKING:
    from ray.job_submission import JobSubmissionClient

_CONNECT_SECONDS = 5.0
_STOP_SECONDS = 60


@dataclass(frozen=True)
class Submitted:
    """A job that a cluster has taken.

    out: its run directory, as the head sees it
    positions: how many it is to solve
    faults: one line for each position or file that was left out
    """

    job_id: str
    out: str
    positions: int
    faults: tuple[str, ...]


@dataclass(frozen=True)
class JobState:
    """How a job of a cluster is doing.

    status: ``PENDING``, ``RUNNING``, ``STOPPED``, ``SUCCEEDED`` or ``FAILED``
    message: why, in Ray's words
    name, out: of the batch; empty for a job that pegray has not sent
    started, ended: seconds since 1970, or None
    """

    job_id: str
    status: str
    message: str
    name: str
    out: str
    started: float | None
    ended: float | None

    @property
    def succeeded(self) -> bool:
        """Whether it has ended with all positions solved."""
        return self.status == "SUCCEEDED"


class JobClient:
    """The jobs of the cluster whose dashboard is at ``address`` (``http://HEAD:8265``).

    Raises InputError if the address is none or ``ray[default]`` is not installed, and RunError if no head answers
    there within a few seconds. All methods raise InputError if the cluster does not know a job.
    """

    def __init__(self, address: str) -> None:
        if not address.startswith(("http://", "https://")):
            raise InputError(f"--address {address}: expected the head's dashboard, such as http://HEAD:8265")
        self.address = address.rstrip("/")
        _reach(self.address)
        self._client = _client(self.address)

    def submit(self, path: str, out: str | None = None) -> Submitted:
        """Check a job file, send it with all that it names, and start it on the head.

        out: run directory in place of the one that the job file names
        Raises InputError if the job cannot be used; nothing is sent then.
        """
        with tempfile.TemporaryDirectory(prefix="pegray-job-") as folder:
            job, directory = pack_job(path, out, Path(folder))
            with _plain_errors(self.address):
                job_id = self._client.submit_job(
                    entrypoint=f"exec pegray batch {JOB_FILE}",
                    runtime_env={"working_dir": folder, "env_vars": _environment()},
                    metadata={"name": job.plan.name, "out": directory, "pegray": __version__},
                )
        return Submitted(job_id, directory, len(job.plan.positions), job.faults)

    def state(self, job_id: str) -> JobState:
        """How a job is doing."""
        with _plain_errors(self.address, job_id):
            info = self._client.get_job_info(job_id)
        metadata = info.metadata or {}
        return JobState(
            job_id=job_id,
            status=str(getattr(info.status, "value", info.status)),
            message=info.message or "",
            name=metadata.get("name", ""),
            out=metadata.get("out", ""),
            started=_seconds(info.start_time),
            ended=_seconds(info.end_time),
        )

    def cpus(self) -> int:
        """CPUs of the cluster as it is now."""
        from ray.util.state import list_nodes

        with _plain_errors(self.address):
            alive = list_nodes(address=self.address, filters=[("state", "=", "ALIVE")], detail=True)
        return sum(int((node.resources_total or {}).get("CPU", 0)) for node in alive)

    def logs(self, job_id: str) -> str:
        """What a job has printed so far."""
        with _plain_errors(self.address, job_id):
            return self._client.get_job_logs(job_id)

    def follow(self, job_id: str) -> Iterator[str]:
        """What a job has printed and prints, piece by piece, until it ends."""
        self.state(job_id)
        pieces = self._client.tail_job_logs(job_id)
        with _plain_errors(self.address, job_id), asyncio.Runner() as runner:
            while True:
                try:
                    yield runner.run(anext(pieces))  # type: ignore[arg-type]
                except StopAsyncIteration:
                    return

    def stop(self, job_id: str) -> bool:
        """Ask a job to stop as Ctrl-C would, keeping what is settled; False if it had ended already."""
        with _plain_errors(self.address, job_id):
            return self._client.stop_job(job_id)


def _environment() -> dict[str, str]:
    """Of the job's processes on the cluster."""
    return {
        FOLDER_VARIABLE: LEXICA,
        # pegray stops cleanly at Ctrl-C, and needs time to write what it has
        "RAY_JOB_STOP_SIGNAL": "SIGINT",
        "RAY_JOB_STOP_WAIT_TIME_S": str(_STOP_SECONDS),
    }


def _reach(address: str) -> None:
    """Raise RunError if nothing answers at once: Ray itself waits for minutes."""
    try:
        urllib.request.urlopen(f"{address}/api/version", timeout=_CONNECT_SECONDS).close()
    except urllib.error.HTTPError:
        pass  # somebody answers, whatever it is
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise RunError(f"--address {address}: no Ray head answers there ({reason})") from None


def _client(address: str) -> JobSubmissionClient:
    try:
        import aiohttp  # noqa: F401  # following a job needs it
        from ray.job_submission import JobSubmissionClient
    except ImportError:
        raise _not_installed() from None
    if JobSubmissionClient is None:
        raise _not_installed()
    # Ray logs each step of packing and sending
    for module in ("dashboard_sdk", "job.sdk"):
        logging.getLogger(f"ray.dashboard.modules.{module}").setLevel(logging.WARNING)
    logging.getLogger("ray._private.runtime_env.packaging").setLevel(logging.WARNING)
    with _plain_errors(address):
        return JobSubmissionClient(address)


def _not_installed() -> InputError:
    return InputError("jobs on a cluster need Ray's dashboard client: pip install 'ray[default]'")


@contextmanager
def _plain_errors(address: str, job_id: str = "") -> Iterator[None]:
    """Ray's errors as ours, in one line."""
    try:
        yield
    except (InputError, RunError):
        raise
    except Exception as error:
        # most of what Ray raises here is RuntimeError, with the whole page of the server in it
        if job_id and "status code 404" in str(error):
            raise InputError(f"{job_id}: no such job at {address}") from None
        raise RunError(f"--address {address}: {first_line(error)}") from None


def _seconds(milliseconds: Any) -> float | None:
    return None if milliseconds is None else milliseconds / 1000
