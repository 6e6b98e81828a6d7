"""``pegray lexicon``: which lexica there are, what is in one, and word graphs from word lists."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import Any

from pegray.commands.arguments import (
    add_command,
    add_distribution_argument,
    add_json_argument,
    add_lexicon_argument,
    named_path,
)
from pegray.commands.exit_codes import COULD_NOT_FINISH, DONE
from pegray.errors import InputError

EXAMPLES = """\
  pegray lexicon list
  pegray lexicon info NWL20
  pegray lexicon build words.txt -o words.kwg
  pegray lexicon check ZA QI XU --lexicon NWL20
"""


def add_parser(commands: Any) -> None:
    """Describe the command and its four parts."""
    parser = add_command(commands, "lexicon", "list, look into, build and ask lexica", EXAMPLES)
    parts = parser.add_subparsers(title="commands", metavar="list|info|build|check", required=True)

    list_parser = add_command(parts, "list", "the lexica that can be named", "  pegray lexicon list\n")
    add_json_argument(list_parser)
    list_parser.set_defaults(run=run_list)

    info_parser = add_command(parts, "info", "words by length, and the hash", "  pegray lexicon info NWL20\n")
    info_parser.add_argument("lexicon", metavar="NAME|PATH")
    add_distribution_argument(info_parser, default="english")
    add_json_argument(info_parser)
    info_parser.set_defaults(run=run_info)

    build_parser = add_command(
        parts, "build", "a KWG from a list of words", "  pegray lexicon build words.txt -o words.kwg\n"
    )
    build_parser.add_argument("words", metavar="WORDS.txt", help="one word a line")
    build_parser.add_argument(
        "-o", "--output", type=named_path, metavar="X.kwg", help="default: beside the list, as .kwg"
    )
    add_distribution_argument(build_parser, default="english")
    build_parser.set_defaults(run=run_build)

    check_parser = add_command(
        parts,
        "check",
        "say whether words are valid; exit code 1 if one is not",
        "  pegray lexicon check ZA QI --lexicon NWL20\n",
    )
    check_parser.add_argument("words", metavar="WORD", nargs="+")
    add_lexicon_argument(check_parser, default="the bundled ENABLE")
    add_distribution_argument(check_parser, default="english")
    add_json_argument(check_parser)
    check_parser.set_defaults(run=run_check)


def run_list(arguments: argparse.Namespace) -> int:
    """List the lexica by name."""
    from pegray.display.console import print_json
    from pegray.lexicon.files import list_lexica

    lexica = list_lexica()
    if arguments.json:
        print_json({"lexica": [{"name": name, "path": str(path)} for name, path in lexica]})
    else:
        for name, path in lexica:
            print(f"{name:<12} {path}")
    return DONE


def run_info(arguments: argparse.Namespace) -> int:
    """Words by length and hash of one lexicon."""
    from pegray.display.console import print_json
    from pegray.game.tiles import load_distribution
    from pegray.lexicon.find import find_lexicon

    lexicon = find_lexicon(arguments.lexicon, load_distribution(arguments.distribution or "english"))
    by_length = Counter(len(word) for word in lexicon.words())
    document = {
        "name": lexicon.name,
        "words": lexicon.word_count,
        "words_by_length": {str(length): by_length[length] for length in sorted(by_length)},
        "nodes": len(lexicon.nodes),
        "hash": lexicon.hash,
    }
    if arguments.json:
        print_json(document)
        return DONE
    print(f"{lexicon.name}: {lexicon.word_count:,} words, {len(lexicon.nodes):,} nodes")
    print(f"sha256 {lexicon.hash}")
    for length in sorted(by_length):
        print(f"{length:>4} letters {by_length[length]:>9,}")
    return DONE


def run_build(arguments: argparse.Namespace) -> int:
    """Build a KWG from a word list."""
    from pegray.game.tiles import load_distribution
    from pegray.lexicon.find import find_lexicon
    from pegray.lexicon.kwg import write_kwg

    words = Path(arguments.words)
    if words.suffix.lower() != ".txt":
        raise InputError(f"{words}: expected a .txt list of words")
    output = Path(arguments.output) if arguments.output else words.with_suffix(".kwg")
    if output.exists() and words.exists() and output.samefile(words):
        raise InputError(f"-o {output}: it would overwrite the list of words")
    lexicon = find_lexicon(arguments.words, load_distribution(arguments.distribution or "english"))
    write_kwg(lexicon.nodes, output)
    print(f"{output}: {lexicon.word_count:,} words, {len(lexicon.nodes):,} nodes")
    return DONE


def run_check(arguments: argparse.Namespace) -> int:
    """Say of every word whether it is valid."""
    from pegray.display.console import print_json
    from pegray.game.tiles import load_distribution
    from pegray.lexicon.find import BUNDLED_LEXICON, find_lexicon

    distribution = load_distribution(arguments.distribution or "english")
    lexicon = find_lexicon(arguments.lexicon or BUNDLED_LEXICON, distribution)
    valid = {}
    for word in arguments.words:
        tiles = distribution.parse_word(word.upper())
        valid[word] = lexicon.contains(tiles)
    if arguments.json:
        print_json({"lexicon": lexicon.name, "words": valid})
    else:
        for word, is_valid in valid.items():
            print(f"{word} {'valid' if is_valid else 'NOT valid'}")
    return DONE if all(valid.values()) else COULD_NOT_FINISH
