"""Nodes of a real Ray cluster, started as a user starts them, on ports of their own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
_START_SECONDS = 240
_PORT_OPTIONS = (
    "node-manager-port",
    "object-manager-port",
    "metrics-export-port",
    "runtime-env-agent-port",
    "dashboard-agent-grpc-port",
    "dashboard-agent-listen-port",
)


@dataclass(frozen=True)
class Head:
    """address: for ``--address`` of a solve; dashboard: for ``--address`` of a job; folder: in place of /tmp/ray."""

    address: str
    dashboard: str
    folder: str = ""


@contextmanager
def running_head(environment: Mapping[str, str] | None = None) -> Iterator[Head]:
    """``ray start --head`` with one CPU; ended with all its processes, and no others."""
    port, dashboard, client = free_ports(3)
    # socket paths must be short
    with tempfile.TemporaryDirectory(prefix="r", dir="/tmp", ignore_cleanup_errors=True) as folder:
        head = Head(f"127.0.0.1:{port}", f"http://127.0.0.1:{dashboard}", folder)
        options = (
            "--head",
            f"--port={port}",
            f"--dashboard-port={dashboard}",
            f"--ray-client-server-port={client}",
            f"--temp-dir={folder}",
        )
        with _ray_start(options, folder, environment):
            _wait_for(dashboard)
            yield head


@contextmanager
def running_node(head: Head, environment: Mapping[str, str] | None = None) -> Iterator[None]:
    """``ray start --address``: one more node, of one CPU, on the same machine."""
    with tempfile.TemporaryDirectory(prefix="r", dir="/tmp", ignore_cleanup_errors=True) as folder:
        with _ray_start((f"--address={head.address}",), folder, environment):
            yield


def run_pegray(*arguments: str, environment: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, since Ray reads its environment once."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    return subprocess.run(
        [sys.executable, "-m", "pegray", *arguments],
        env={**kept, "PYTHONPATH": str(ROOT), **(environment or {})},
        capture_output=True,
        text=True,
        timeout=200,
    )


@contextmanager
def _ray_start(options: tuple[str, ...], folder: str, environment: Mapping[str, str] | None) -> Iterator[None]:
    ports = zip(_PORT_OPTIONS, free_ports(len(_PORT_OPTIONS)), strict=True)
    command = [
        *(sys.executable, "-m", "ray.scripts.scripts", "start", "--block", "--num-cpus=1"),
        *("--node-ip-address=127.0.0.1", f"--object-store-memory={100 * 2**20}", "--disable-usage-stats"),
        *(f"--{name}={port}" for name, port in ports),
        *options,
    ]
    with ExitStack() as stack:
        log = stack.enter_context(open(os.path.join(folder, "ray-start.log"), "wb"))
        process = subprocess.Popen(
            command, env={**_environment(folder), **(environment or {})}, stdout=log, stderr=log, start_new_session=True
        )
        try:
            yield
        finally:
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _environment(folder: str) -> dict[str, str]:
    """A node on which pegray is installed: this checkout, with the command on the path."""
    programs = Path(folder, "bin")
    programs.mkdir(exist_ok=True)
    command = programs / "pegray"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pegray "$@"\n')
    command.chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    return {
        **kept,
        "PATH": f"{programs}:{os.path.dirname(sys.executable)}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "RAY_AUTH_MODE": "disabled",
    }


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens at; each is another."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [int(one.getsockname()[1]) for one in sockets]


def _wait_for(port: int) -> None:
    until = time.monotonic() + _START_SECONDS
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.3)
    raise TimeoutError(f"no Ray head at port {port} after {_START_SECONDS} s")
