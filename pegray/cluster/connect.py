"""Starting a private Ray, or joining one that runs."""

from __future__ import annotations

import ctypes
import logging
import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import ray

from pegray.errors import RunError, first_line

_CONNECT_SECONDS = 12.0
_DIAL_SECONDS = 5.0
_OBJECT_STORE_BYTES = 200 * 2**20


@contextmanager
def joined(address: str, workers: int | None) -> Iterator[None]:
    """A Ray to solve on, and an end of it if it has been started or joined here. Raises RunError.

    address: ``local`` starts a private Ray on this machine; ``auto`` or ``HOST:PORT`` joins a running cluster. A Ray
    that this process has joined before is used as it is.
    workers: CPUs of the private Ray (None: all)
    """
    owns_ray = not ray.is_initialized()
    if owns_ray:
        _join(address, workers)
    try:
        yield
    finally:
        if owns_ray:
            ray.shutdown()


def _join(address: str, workers: int | None) -> None:
    """Start a private Ray or join a running one. Raises RunError."""
    if address == "local":
        with _signals_kept():
            ray.init(
                address="local",
                num_cpus=workers or os.cpu_count() or 1,
                include_dashboard=False,
                object_store_memory=_OBJECT_STORE_BYTES,
                log_to_driver=False,
                logging_level=logging.ERROR,
            )
        return
    if address != "auto":
        _dial(address)
    failure: list[Exception] = []

    def connect() -> None:
        try:
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
        except Exception as error:
            failure.append(error)

    # in a thread that is left alone after a while: Ray tries for minutes where nobody answers
    thread = threading.Thread(target=connect, daemon=True)
    thread.start()
    thread.join(_CONNECT_SECONDS)
    if thread.is_alive():
        raise RunError(f"no Ray cluster answered within {_CONNECT_SECONDS:.0f} s", "address", address)
    if failure:
        raise RunError(first_line(failure[0]), "address", address)


@contextmanager
def _signals_kept() -> Iterator[None]:
    """While Ray starts its processes: none of them hears Ctrl-C, and SIGTERM does here what it did before.

    Ray's own handler of SIGTERM prints a page of stack first. It is put in place below Python, whose ``signal.signal``
    could put the old one back in the main thread alone.
    """
    get, put = ctypes.pythonapi.PyOS_getsig, ctypes.pythonapi.PyOS_setsig
    get.argtypes, put.argtypes = [ctypes.c_int], [ctypes.c_int, ctypes.c_void_p]
    get.restype = put.restype = ctypes.c_void_p
    terminate = get(signal.SIGTERM)
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        put(signal.SIGTERM, terminate)


def _dial(address: str) -> None:
    """Raise RunError if nothing listens at HOST:PORT."""
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host, int(port)), _DIAL_SECONDS).close()
    except (OSError, ValueError) as error:
        raise RunError(f"no Ray cluster there ({error})", "address", address) from None
