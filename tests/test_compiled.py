"""Machine code is kept by the content of the sources, for all copies of them on a machine."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import pytest
from numba.core import compiler
from numba.core.caching import FunctionCache

from pegray import compiled
from pegray.kernels import bits

PACKAGE = Path(compiled.__file__).parent

# Two functions that compile fast. Prints how many were loaded, and how many compiled.
COMPILE = """
import numpy as np
from pegray.kernels.word_graph import _fill
from pegray.lexicon.counts import count_words

nodes = np.zeros(2, np.uint32)
_fill(np.uint64(nodes.ctypes.data), np.zeros(2, np.uint64))
count_words(nodes)
for counter in ("cache_hits", "cache_misses"):
    print(sum(sum(getattr(function.stats, counter).values()) for function in (_fill, count_words)))
"""


def begin(copy: Path, cache: Path) -> subprocess.Popen[str]:
    """A process that compiles with a copy of the package."""
    shutil.copytree(PACKAGE, copy / "pegray", ignore=shutil.ignore_patterns("__pycache__"))
    environment = os.environ | {"XDG_CACHE_HOME": str(cache), "PYTHONPATH": str(copy)}
    environment.pop("NUMBA_CACHE_DIR", None)
    return subprocess.Popen(
        [sys.executable, "-c", COMPILE], env=environment, cwd=copy, stdout=subprocess.PIPE, text=True
    )


def test_copies_at_other_paths_load_what_one_has_compiled(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    first = [begin(tmp_path / name, cache) for name in ("one", "two")]  # at once, into the same files
    for process in first:
        output, _ = process.communicate()
        assert process.returncode == 0
        assert sum(int(line) for line in output.split()) == 2
    output, _ = begin(tmp_path / "three", cache).communicate()
    assert output.split() == ["2", "0"]
    kept = [file for file in cache.glob("**/*") if file.is_file() and file.suffix != ".lock"]
    assert len(kept) == 2  # and none that was left half written
    assert {file.suffix for file in kept} == {".code"}


def test_the_folder_is_that_of_the_sources_wherever_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    copy = tmp_path / "pegray"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    of_folders = compiled.code_folder.__wrapped__
    here = of_folders(("kernels",))
    assert here.parent == tmp_path / "cache"
    assert of_folders(("lexicon",)) != here
    monkeypatch.setattr(compiled, "_SOURCES", copy)
    assert of_folders(("kernels",)) == here
    with (copy / "kernels" / "race.py").open("a", encoding="utf-8") as source:
        source.write("# another\n")
    assert of_folders(("kernels",)) != here
    monkeypatch.setattr(compiled, "_SOURCES", PACKAGE)
    monkeypatch.setattr(numba, "__version__", "0.0")
    assert of_folders(("kernels",)) != here


def test_the_kernels_take_nothing_from_sources_that_their_code_is_not_kept_by() -> None:
    text = "".join(file.read_text(encoding="utf-8") for file in (PACKAGE / "kernels").glob("*.py"))
    others = {f"{name.replace('.', '/')}.py" for name in re.findall(r"from pegray\.(game\.\w+)", text)}
    assert others == set(bits.SOURCES[1:])


@pytest.mark.parametrize(("setting", "value"), [("BOUNDSCHECK", 1), ("OPT", 0)])
def test_code_that_checks_its_bounds_or_is_not_optimised_is_kept_apart(
    setting: str, value: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    of_folders = compiled.code_folder.__wrapped__
    here = of_folders(("kernels",))
    monkeypatch.setattr(numba.config, setting, value)
    assert of_folders(("kernels",)) != here


def test_where_nothing_can_be_written_a_new_folder_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file"))
    monkeypatch.setattr(compiled.tempfile, "tempdir", str(tmp_path))
    folder = compiled.code_folder.__wrapped__(("kernels",))
    assert os.access(folder, os.W_OK)
    assert folder == compiled.code_folder.__wrapped__(("kernels",))  # as do processes that are started from here


def doubled(number: Any) -> Any:
    """What the tests below compile."""
    return number + number


def misses(folder: Path, argument: Any) -> int:
    """How many compilations a new process would need to call :func:`doubled`."""
    dispatcher = numba.njit(doubled)
    dispatcher._cache = compiled._KeptCode(doubled, folder)
    assert dispatcher(argument) == 2 * argument
    return sum(dispatcher.stats.cache_misses.values())


def test_each_signature_has_a_file_and_a_broken_one_is_compiled_again(tmp_path: Path) -> None:
    assert misses(tmp_path, 1) == 1
    assert misses(tmp_path, 1.5) == 1
    assert misses(tmp_path, 1) == misses(tmp_path, 1.5) == 0
    files = sorted(tmp_path.glob("*.code"))
    assert len(files) == 2
    for file in files:
        file.write_bytes(file.read_bytes()[:100])
    assert misses(tmp_path, 1) == 1
    files[1].unlink()
    files[0].rename(files[1])  # that of the other signature, or the same
    assert misses(tmp_path, 1) + misses(tmp_path, 1.5) in (1, 2)
    assert misses(tmp_path, 1) == misses(tmp_path, 1.5) == 0


def test_a_numba_that_is_made_otherwise_keeps_code_its_own_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", numba.config.CACHE_DIR)
    monkeypatch.setattr(compiled, "code_folder", lambda folders: tmp_path)
    monkeypatch.delattr(compiler.CompileResult, "_rebuild")
    with pytest.warns(UserWarning, match="is not one that pegray knows"):
        dispatcher = compiled.kept("kernels")(doubled)
    assert isinstance(dispatcher._cache, FunctionCache)
    assert Path(dispatcher._cache.cache_path).is_relative_to(tmp_path)
