"""The files of lexica: where they are looked for, and their word graphs.

A name is looked up in the folder that PEGRAY_LEXICA names, then in the user's data folder, then among the
lexica that ship with pegray. Graphs built from word lists are kept in the user's cache folder.
"""

from __future__ import annotations

import hashlib
import lzma
import os
from importlib import resources
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pegray.errors import InputError, why_unreadable
from pegray.game.quoting import quoted
from pegray.game.tiles import Distribution
from pegray.lexicon.build import BUILDER_VERSION, build_kwg
from pegray.lexicon.kwg import TILE_SHIFT, read_kwg, write_kwg
from pegray.lexicon.words import decode_text, encode_words

FOLDER_VARIABLE = "PEGRAY_LEXICA"
KWG, TEXT, BUNDLED = ".kwg", ".txt", ".txt.xz"


def nodes_at(path: str | os.PathLike[str], distribution: Distribution) -> tuple[str, npt.NDArray[np.uint32]]:
    """Name and uint32[n] nodes of the lexicon in a file that ends in .txt or .kwg.

    Raises InputError if it is none, if it is damaged, or if it needs letters that the distribution lacks.
    """
    file = Path(os.path.expanduser(path))
    if file.suffix.lower() not in (KWG, TEXT):
        raise InputError(f"{file}: expected a {TEXT} or {KWG} file")
    return file.stem, _load(file, distribution)


def nodes_named(asked: str, distribution: Distribution) -> tuple[str, npt.NDArray[np.uint32]]:
    """Name and nodes of the lexicon of a name, in either case. Raises InputError as :func:`nodes_at` does."""
    lexica = _lexica()
    named = [name for name in lexica if name.casefold() == asked.casefold()]
    if named:
        name = asked if asked in named else named[0]
        return name, _load(lexica[name], distribution)
    raise InputError(
        f"unknown lexicon {quoted(asked)}: looked in {', '.join(_places_looked_in())};"
        f" there is {', '.join(sorted(lexica))}, or a path to a {TEXT} or {KWG} file"
    )


def is_file_name(name_or_path: str) -> bool:
    """Whether a lexicon is named by the path of its file."""
    return Path(name_or_path).suffix.lower() in (KWG, TEXT)


def list_lexica() -> list[tuple[str, Path]]:
    """(name, path) of the lexica that can be named, by name."""
    return sorted(_lexica().items())


def _lexica() -> dict[str, Path]:
    """Name -> path in the order in which they are found; of two with one name, the first."""
    found: dict[str, Path] = {}
    for folder in _folders():
        try:
            paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in (KWG, TEXT))
        except OSError:
            continue
        for path in paths:  # .kwg sorts before .txt: no need to build what is built
            found.setdefault(path.stem, path)
    with resources.as_file(resources.files("pegray.data.lexica")) as folder:
        for path in sorted(folder.glob("*" + BUNDLED)):
            found.setdefault(path.name.removesuffix(BUNDLED).upper(), path)
    return found


def _folders() -> list[Path]:
    named = os.environ.get(FOLDER_VARIABLE)
    folders = [Path(named) if named else None, _user_folder("XDG_DATA_HOME", ".local/share")]
    return [folder for folder in folders if folder]


def _places_looked_in() -> list[str]:
    unset = [] if os.environ.get(FOLDER_VARIABLE) else [f"{FOLDER_VARIABLE} (not set)"]
    return [*unset, *map(str, _folders()), "the bundled lexica"]


def _user_folder(variable: str, default: str) -> Path | None:
    """pegray's folder of one of the XDG base directories; None for a user without a home."""
    base = os.environ.get(variable)
    try:
        return (Path(base) if base else Path.home() / default) / "pegray"
    except RuntimeError:
        return None


def _load(path: Path, distribution: Distribution) -> npt.NDArray[np.uint32]:
    if path.suffix.lower() == KWG:
        nodes = read_kwg(path)
        check_letters(nodes, distribution, str(path))
        return nodes
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: {why_unreadable(error)}") from None
    return _nodes_of_list(data, path, distribution)


def check_letters(nodes: npt.NDArray[np.uint32], distribution: Distribution, source: str) -> None:
    """Raise InputError, with the source of a word graph, if it has more letters than the distribution."""
    highest = int(nodes.max()) >> TILE_SHIFT
    if highest >= distribution.size:
        raise InputError(f"{source}: a lexicon of {highest} letters; {distribution.name} has {distribution.size - 1}")


def _nodes_of_list(data: bytes, path: Path, distribution: Distribution) -> npt.NDArray[np.uint32]:
    """The graph of a word list's bytes, from the cache if it has been built before."""
    key = hashlib.sha256(repr((BUILDER_VERSION, distribution.tiles)).encode() + data).hexdigest()
    folder = _user_folder("XDG_CACHE_HOME", ".cache")
    cached = folder / f"{key[:40]}{KWG}" if folder else None
    if cached:
        try:
            return read_kwg(cached)
        except InputError:
            pass  # not built before, or damaged
    if path.name.endswith(BUNDLED):
        data = lzma.decompress(data)
    nodes = build_kwg(*encode_words(decode_text(data, str(path)), distribution, str(path)))
    if cached:
        try:
            cached.parent.mkdir(parents=True, exist_ok=True)
            write_kwg(nodes, cached)
        except (OSError, InputError):
            pass  # a cache that cannot be written costs time, nothing else
    return nodes
