"""The web server around the page."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress

import uvicorn

from pegray.serve.app import Service, application

_LAST_SECONDS = 3


class _Server(uvicorn.Server):
    """One that says when it is ready."""

    ready: Callable[[], None]

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready()


def serve(listener: socket.socket, token: str, service: Service, ready: Callable[[], None]) -> None:
    """Serve the page on a socket until SIGINT or SIGTERM; ``ready`` is called when it answers."""
    config = uvicorn.Config(
        application(service, token),
        log_level="error",  # whoever reads the log of requests would read the token
        access_log=False,
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=_LAST_SECONDS,
    )
    server = _Server(config)
    server.ready = ready
    service.closing = lambda: server.should_exit
    with suppress(KeyboardInterrupt):
        server.run(sockets=[listener])
