"""Where compiled kernels are kept between runs.

numba looks at a kernel's own file to see whether its cached code is stale, but a kernel has the code of all that it
calls linked in. So the cache folder is named after a hash of every source file of this package.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

import numba


def use_cache_folder() -> None:
    """Point numba to the folder for these sources, unless the user has set NUMBA_CACHE_DIR."""
    if "NUMBA_CACHE_DIR" not in os.environ:
        numba.config.CACHE_DIR = str(cache_folder())


def cache_folder() -> Path:
    """``$XDG_CACHE_HOME/pegray/kernels-<hash>``, with ``~/.cache`` by default; made if need be.

    Where that cannot be written, a folder of this process's own: the kernels are then compiled again every time.
    """
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    try:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        folder = folder / "pegray" / f"kernels-{digest.hexdigest()[:16]}"
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    except (OSError, RuntimeError):
        pass  # no home, or not ours to write
    return Path(tempfile.mkdtemp(prefix="pegray-kernels-"))
