"""``pegray lexicon``: the lexica that can be named, what is in one, a KWG from a list, words looked up."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pegray.cli import main
from pegray.lexicon.kwg import read_kwg

WORDS = "cab\nAB # both cases\nba\nabc\n"


@pytest.fixture
def words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A list of four words in the only folder that lexica are looked for, beside the bundled ones."""
    monkeypatch.setenv("PEGRAY_LEXICA", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "none"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "few.txt").write_text(WORDS)
    return tmp_path / "few.txt"


def test_list(words: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lexicon", "list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["ENABLE", "few"]
    assert main(["lexicon", "list", "--json"]) == 0
    lexica = json.loads(capsys.readouterr().out)["lexica"]
    assert lexica[1] == {"name": "few", "path": str(words)}


def test_info(words: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lexicon", "info", "FEW"]) == 0
    first, digest, *lengths = capsys.readouterr().out.splitlines()
    assert first.startswith("few: 4 words, ") and digest.startswith("sha256 ")
    assert [line.split() for line in lengths] == [["2", "letters", "2"], ["3", "letters", "2"]]
    assert main(["lexicon", "info", "few.txt", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["name"], document["words"], document["words_by_length"]) == ("few", 4, {"2": 2, "3": 2})
    assert digest == f"sha256 {document['hash']}"


def test_build(words: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lexicon", "build", "few.txt"]) == 0
    said = capsys.readouterr().out
    nodes = read_kwg(words.with_suffix(".kwg"))
    assert said == f"few.kwg: 4 words, {len(nodes)} nodes\n"
    assert main(["lexicon", "build", "few.txt", "-o", "other.kwg"]) == 0
    assert (read_kwg("other.kwg") == nodes).all()


def test_check(words: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lexicon", "check", "ab", "CAB", "--lexicon", "few"]) == 0
    assert capsys.readouterr().out == "ab valid\nCAB valid\n"
    assert main(["lexicon", "check", "ab", "ac", "--lexicon", "few", "--json"]) == 1
    assert json.loads(capsys.readouterr().out) == {"lexicon": "few", "words": {"ab": True, "ac": False}}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["info", "nonesuch"], "unknown lexicon 'nonesuch': looked in "),
        (["info", "none.kwg"], "none.kwg: No such file or directory"),
        (["info", "few", "--distribution", "klingon"], "unknown distribution 'klingon'"),
        (["build", "few.kwg"], "few.kwg: expected a .txt list of words"),
        (["build", "few.txt", "-o", "few.txt"], "-o few.txt: it would overwrite the list of words"),
        (["build", "none.txt"], "none.txt: No such file or directory"),
        (["build", "few.txt", "-o", "none/few.kwg"], "none/few.kwg: cannot be written: No such file or directory"),
        (["check", "a-b"], "unknown letter '-' at character 2 of 'A-B'"),
    ],
)
def test_errors(words: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lexicon", *arguments]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"pegray: error: {message}") and error.count("\n") == 1
