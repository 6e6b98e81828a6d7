"""Where the page is, and the token without which nobody sees it."""

from __future__ import annotations

import ipaddress
import os
import re
import secrets
import socket
from contextlib import suppress
from pathlib import Path

from pegray.errors import InputError
from pegray.files import write_atomically

_TOKEN = re.compile(r"[\w-]{20,}", re.ASCII)


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens on this machine alone; port 0: any that is free.

    Raises InputError for a host that others can reach, and for a port that cannot be had.
    """
    if not is_loopback(host):
        raise InputError(
            "others could reach it there, and it does what it is told: stay on 127.0.0.1, and come from another "
            f"machine through a tunnel (ssh -L {port}:127.0.0.1:{port} THIS_MACHINE)",
            "host",
            host,
        )
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen()
    except OSError as error:
        listener.close()
        fault = f"{error.strerror or error}: is it being served already? --port 0 takes one that is free"
        raise InputError(fault, "port", port) from None
    return listener


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a host."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def page_address(listener: socket.socket, token: str) -> str:
    """``http://127.0.0.1:8765/TOKEN/``"""
    host, port = listener.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/{token}/"


def kept_token() -> str:
    """The user's token: the same each time, so that a page that is open goes on after the server was away.

    It is in a file that only the user can read; where that cannot be, it is a new one.
    """
    fresh = secrets.token_urlsafe(18)
    base = os.environ.get("XDG_STATE_HOME")
    try:
        path = (Path(base) if base else Path.home() / ".local/state") / "pegray" / "serve-token"
        path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError, UnicodeDecodeError):
            kept = path.read_text(encoding="ascii").strip()
            if _TOKEN.fullmatch(kept):
                return kept if not path.stat().st_mode & 0o077 else fresh
        write_atomically(path, fresh.encode(), mode=0o600)
    except (OSError, RuntimeError):
        pass  # a user without a home, or one that cannot be written
    return fresh
