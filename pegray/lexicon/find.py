"""Which lexicon is meant: by a name or a path, by the position, or the one that ships with pegray."""

from __future__ import annotations

import os
from types import NoneType

from pegray.errors import InputError, check_kind
from pegray.game.position import Position
from pegray.game.tiles import Distribution
from pegray.lexicon.files import check_letters, is_file_name
from pegray.lexicon.lexicon import Lexicon

BUNDLED_LEXICON = "ENABLE"
# What the bundled lexicon, of English words, can be used with.
BUNDLED_DISTRIBUTION = "english"


def find_lexicon(name_or_path: str, distribution: Distribution) -> Lexicon:
    """The lexicon at a path that ends in .txt or .kwg, or of a name in either case.

    Raises InputError if there is none, if its file is damaged, or if it needs letters that the distribution
    lacks.
    """
    if is_file_name(name_or_path):
        return Lexicon.from_file(name_or_path, distribution)
    return Lexicon.named(name_or_path, distribution)


def lexicon_for(position: Position, lexicon: Lexicon | str | os.PathLike[str] | None = None) -> Lexicon:
    """The lexicon asked for, else the position's own, else the bundled one; InputError if there is none."""
    distribution = position.distribution
    if isinstance(lexicon, Lexicon):
        check_letters(lexicon.nodes, distribution, lexicon.name)
        return lexicon
    check_kind(lexicon, (str, os.PathLike, NoneType), "a Lexicon, a name or a path", "lexicon")
    name = position.lexicon if lexicon is None else os.fspath(lexicon)
    if name is None and distribution.name != BUNDLED_DISTRIBUTION:
        raise InputError(f"none given, and the bundled {BUNDLED_LEXICON} is not {distribution.name}", "lexicon")
    if name == "":
        raise InputError("empty, expected the name of a lexicon, or a path", "lexicon")
    return find_lexicon(BUNDLED_LEXICON if name is None else name, distribution)
