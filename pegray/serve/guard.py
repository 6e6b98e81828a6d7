"""Who is let in: those with the token, on this machine, from no other page."""

from __future__ import annotations

import hmac
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pegray.serve.address import is_loopback

_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Guard:
    """In front of everything: paths begin with the token, which no other page knows.

    A request must be for a name of this machine, so that no other name can be made to lead here, and must not come
    from a page of another origin.
    """

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._prefix = f"/{token}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or pass on with the token taken off the path."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refused = self._refused(Headers(scope=scope), scope["path"])
        app = self._app if refused is None else PlainTextResponse(refused, 403)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        await app({**scope, "root_path": self._prefix}, receive, send_guarded)

    def _refused(self, headers: Headers, path: str) -> str | None:
        """Why a request is refused; None if it is not."""
        host = headers.get("host", "")
        if not is_loopback(urlsplit(f"//{host}").hostname or ""):
            return "pegray: this page is for this machine only: open the address that pegray serve has printed"
        if headers.get("origin", f"http://{host}") != f"http://{host}":
            return "pegray: another page may not use this one"
        given = path[: len(self._prefix) + 1]
        if not hmac.compare_digest(given.encode(), f"{self._prefix}/".encode()):
            return "pegray: the token is missing or wrong: open the address that pegray serve has printed"
        return None
