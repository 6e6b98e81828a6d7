"""Functions compiled by numba, whose machine code is kept once per machine.

numba keeps code by the path of the function's file, so that each clone and each virtual environment compiles anew, and
looks at that file alone to see whether the code is stale, though it has the code of all that it calls linked in. Here
it is kept by content: in a folder named after a hash of the sources and of what compiles them. What one process
compiles, others that want it wait for.

With ``NUMBA_DISABLE_JIT=1`` nothing is compiled: everything runs as plain Python, for debuggers.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import pickle
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO, Any

import llvmlite
import numba
import numpy as np
from numba.core import compiler, serialize

from pegray.files import write_atomically
from pegray.uncompiled import in_plain_python

_SOURCES = Path(__file__).parent
_UNREADABLE = (OSError, EOFError, pickle.UnpicklingError)
_LOOK_SECONDS = 0.05
_PATIENCE_SECONDS = 300.0

KEPT: list[Any] = []
"""Every function whose code is kept, of the modules imported so far."""


def kept(*sources: str, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Decorator: ``numba.njit(**options)``, whose code is kept for all copies of the same sources.

    sources: folders and modules of pegray that the code is made from
    """

    def compile_and_keep(function: Callable[..., Any]) -> Any:
        if numba.config.DISABLE_JIT:
            return in_plain_python(function)
        dispatcher = numba.njit(**options)(function)
        folder = code_folder(sources)
        if _numba_is_known(dispatcher):
            dispatcher._cache = _KeptCode(function, folder)
        else:
            warnings.warn(
                f"numba {numba.__version__} is not one that pegray knows: every copy of it compiles its kernels again",
                stacklevel=2,
            )
            numba.config.CACHE_DIR = str(folder)
            dispatcher.enable_caching()
        KEPT.append(dispatcher)
        return dispatcher

    return compile_and_keep


def is_kept(function: Any) -> bool:
    """Whether code of a function of :data:`KEPT` is there already (or numba keeps it, which does not say).

    Of plain Python there is none to wait for.
    """
    if numba.config.DISABLE_JIT:
        return True
    return not isinstance(function._cache, _KeptCode) or function._cache.has_code()


@cache
def code_folder(sources: tuple[str, ...]) -> Path:
    """``$XDG_CACHE_HOME/pegray/kernels-<hash>``, with ``~/.cache`` by default; in ``NUMBA_CACHE_DIR`` if that is set.

    Where that cannot be written it is in a new folder for temporary files, for this process and those it starts.
    """
    name = f"{sources[0]}-{digest_of(sources)}"
    try:
        return _writable(Path(os.environ.get("NUMBA_CACHE_DIR") or _user_cache(), name))
    except (OSError, RuntimeError):  # no home, or not ours to write
        os.environ["NUMBA_CACHE_DIR"] = tempfile.mkdtemp(prefix="pegray-kernels-")
        return _writable(Path(os.environ["NUMBA_CACHE_DIR"], name))


def digest_of(sources: tuple[str, ...]) -> str:
    """What tells sources, and what compiles them, from all others: 16 hexadecimal digits."""
    digest = hashlib.sha256()
    tools = (sys.implementation.cache_tag, numba.__version__, llvmlite.__version__, np.__version__)
    # code that checks its bounds (NUMBA_BOUNDSCHECK=1) is kept apart, and so is what is hardly optimised (NUMBA_OPT=1)
    settings = (numba.config.BOUNDSCHECK, str(numba.config.OPT))
    digest.update(repr((tools, settings)).encode())
    for name in sources:
        path = _SOURCES / name
        for source in [path] if path.suffix else sorted(path.glob("*.py")):
            digest.update(repr((name, source.name)).encode())
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _writable(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    tempfile.TemporaryFile(dir=folder).close()
    return folder


def _user_cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pegray"


def _numba_is_known(dispatcher: Any) -> bool:
    """Whether the parts of numba are there that :class:`_KeptCode` is made of, none of which it promises."""
    parts = (dispatcher, "_cache"), (compiler.CompileResult, "_reduce"), (compiler.CompileResult, "_rebuild")
    return all(hasattr(owner, name) for owner, name in parts)


class _KeptCode:
    """The code of one function, a file for each of its signatures, as numba's dispatchers ask for it.

    Files appear whole. Whoever finds none takes a lock and compiles; other processes wait for the lock, which goes with
    its process.
    """

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        self._folder = folder
        self._name = f"{Path(function.__code__.co_filename).stem}.{function.__qualname__}"
        self._locks: dict[Path, IO[bytes] | None] = {}

    @property
    def cache_path(self) -> str:
        """The folder with the files, for what numba tells of a function."""
        return str(self._folder)

    def has_code(self) -> bool:
        """Whether there is code for some signature."""
        return any(self._folder.glob(f"{self._name}-*.code"))

    def flush(self) -> None:
        """Forget what is kept."""
        for file in self._folder.glob(f"{self._name}-*.code"):
            file.unlink(missing_ok=True)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function for a signature, ready to be called; None if there is none: it is to be compiled."""
        target_context.refresh()
        key = self._key(sig, target_context.codegen())
        file = self._file(key)
        parts = _read(file, key)
        if parts is None and file not in self._locks:
            self._locks[file] = _locked(file.with_suffix(".lock"))
            parts = _read(file, key)
            if parts is not None:
                self._unlock(file)
        return None if parts is None else compiler.CompileResult._rebuild(target_context, *parts)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled for a signature, if there is room for it."""
        if data.library.has_dynamic_globals:
            raise ValueError(f"{self._name}: its code has addresses in it that mean nothing to another process")
        key = self._key(sig, data.codegen)
        file = self._file(key)
        with suppress(OSError):
            write_atomically(file, serialize.dumps((key, data._reduce())))
        self._unlock(file)

    def _key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        """What tells the codes of a function apart: the types of its arguments, and the CPU."""
        return sig, codegen.magic_tuple()

    def _file(self, key: tuple[Any, ...]) -> Path:
        return self._folder / f"{self._name}-{hashlib.sha256(repr(key).encode()).hexdigest()[:16]}.code"

    def _unlock(self, file: Path) -> None:
        lock = self._locks.pop(file, None)
        if lock is not None:
            lock.close()


def _read(file: Path, key: tuple[Any, ...]) -> Any:
    """The parts of what was compiled, or None if the file is not there, not whole, or of another key."""
    try:
        found, parts = pickle.loads(file.read_bytes())
    except _UNREADABLE:
        return None
    return parts if found == key else None


def _locked(path: Path) -> IO[bytes] | None:
    """The file with a lock on it, as soon as no other process has it; None where files cannot be locked."""
    try:
        file = path.open("wb")
    except OSError:
        return None
    until = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < until:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return file
        except BlockingIOError:
            time.sleep(_LOOK_SECONDS)
        except OSError:
            break
    file.close()
    return None
