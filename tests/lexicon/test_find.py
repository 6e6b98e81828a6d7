"""Lexica by name and by path, and the cache of what has been built."""

from __future__ import annotations

import hashlib
import lzma
from importlib import resources
from pathlib import Path

import pytest

from pegray.errors import InputError
from pegray.game.tiles import load_distribution
from pegray.lexicon import files
from pegray.lexicon.files import list_lexica
from pegray.lexicon.find import find_lexicon
from pegray.lexicon.kwg import write_kwg
from pegray.lexicon.lexicon import Lexicon

ENGLISH = load_distribution("english")


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user without lexica, whose folders are lexica (there, but empty), data/pegray and cache/pegray."""
    (tmp_path / "lexica").mkdir()
    monkeypatch.setenv("PEGRAY_LEXICA", str(tmp_path / "lexica"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def refused(name: str, distribution: str = "english") -> str:
    with pytest.raises(InputError) as caught:
        find_lexicon(name, load_distribution(distribution))
    message = str(caught.value)
    assert "\n" not in message
    return message


def has(lexicon: Lexicon, word: str) -> bool:
    return lexicon.contains(ENGLISH.parse_tiles(word))


def test_the_bundled_lexicon() -> None:
    lexicon = find_lexicon("enable", ENGLISH)
    assert lexicon.name == "ENABLE"
    assert lexicon.word_count == 168_562
    assert all(has(lexicon, word) for word in ("QI", "ZA", "OK", "AA", "ZYZZYVAS", "QUIXOTRY"))
    assert not has(lexicon, "QX")


def test_the_bundled_list_is_the_one_that_its_readme_describes() -> None:
    folder = resources.files("pegray.data.lexica")
    text = lzma.decompress((folder / "enable.txt.xz").read_bytes())
    readme = (folder / "README.md").read_text(encoding="utf-8")
    assert hashlib.sha256(text).hexdigest() in readme
    assert f"{len(text.split()):,} words in all" in readme


def test_a_list_is_built_once(folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folders / "mine.txt"
    path.write_text("cat\ncats\n")
    built = find_lexicon(str(path), ENGLISH)
    assert (built.name, built.word_count) == ("mine", 2)
    [cached] = (folders / "cache" / "pegray").iterdir()

    with monkeypatch.context() as context:
        context.setattr(files, "build_kwg", None)
        assert find_lexicon(str(path), ENGLISH).hash == built.hash

    path.write_text("cat\ncats\nact\n")
    assert find_lexicon(str(path), ENGLISH).word_count == 3
    find_lexicon(str(path), load_distribution("german"))
    assert len(list((folders / "cache" / "pegray").iterdir())) == 3

    path.write_text("cat\ncats\n")
    cached.write_bytes(b"damaged!")
    assert find_lexicon(str(path), ENGLISH).hash == built.hash
    assert cached.read_bytes() == built.nodes.astype("<u4").tobytes()


def test_a_cache_that_cannot_be_written_does_not_matter(folders: Path) -> None:
    (folders / "cache").write_text("a file where a folder should be")
    (folders / "mine.txt").write_text("cat\n")
    assert find_lexicon(str(folders / "mine.txt"), ENGLISH).word_count == 1


def test_names_are_looked_up_in_the_folders_in_turn(folders: Path) -> None:
    (folders / "data" / "pegray").mkdir(parents=True)
    (folders / "data" / "pegray" / "Club.txt").write_text("cat\n")
    (folders / "data" / "pegray" / "Home.txt").write_text("cat\n")
    (folders / "lexica" / "Club.txt").write_text("cat\ncats\n")
    (folders / "lexica" / "notes.md").write_text("no lexicon")
    assert [name for name, _ in list_lexica()] == ["Club", "ENABLE", "Home"]
    assert find_lexicon("CLUB", ENGLISH).word_count == 2
    assert find_lexicon("Home", ENGLISH).word_count == 1

    write_kwg(find_lexicon("Home", ENGLISH).nodes, folders / "lexica" / "Club.kwg")
    assert find_lexicon("Club", ENGLISH).word_count == 1


def test_an_unknown_name_is_refused_with_what_there_is(folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    message = refused("TWL")
    assert "'TWL'" in message and "ENABLE" in message
    assert str(folders / "lexica") in message and str(folders / "data" / "pegray") in message
    monkeypatch.delenv("PEGRAY_LEXICA")
    assert "PEGRAY_LEXICA (not set)" in refused("TWL")


def test_a_missing_file_is_refused(folders: Path) -> None:
    for name in ("none.txt", "none.kwg"):
        assert f"{name}: No such file" in refused(str(folders / name))
    (folders / "folder.txt").mkdir()
    assert "folder.txt" in refused(str(folders / "folder.txt"))


def test_letters_that_the_distribution_lacks_are_refused(folders: Path) -> None:
    (folders / "mine.txt").write_text("cat\nétés\n", encoding="utf-8")
    message = refused(str(folders / "mine.txt"))
    assert "mine.txt" in message and "line 2" in message and "étés" in message

    (folders / "polish.txt").write_text("ŻÓŁW\n", encoding="utf-8")
    polish = find_lexicon(str(folders / "polish.txt"), load_distribution("polish"))
    write_kwg(polish.nodes, folders / "polish.kwg")
    assert "english has 26" in refused(str(folders / "polish.kwg"))


def test_a_name_may_be_in_any_case_but_the_exact_one_wins(folders: Path) -> None:
    (folders / "data" / "pegray").mkdir(parents=True)
    (folders / "lexica" / "CLUB.txt").write_text("cat\n")
    assert find_lexicon("club", ENGLISH).name == "CLUB"
    (folders / "data" / "pegray" / "club.txt").write_text("cat\ncats\n")
    assert find_lexicon("club", ENGLISH).word_count == 2
    assert find_lexicon("CLUB", ENGLISH).word_count == find_lexicon("Club", ENGLISH).word_count == 1


@pytest.mark.parametrize("name", ["", ".", "/", "a/b", "x.zip", "two\nlines", "~nobody-of-this-name/x"])
def test_odd_names_are_unknown_lexica(name: str) -> None:
    assert "unknown lexicon" in refused(name)


def test_a_user_without_a_home(folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for variable in ("PEGRAY_LEXICA", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(variable)
    monkeypatch.setattr(Path, "home", no_home)
    monkeypatch.chdir(folders)
    (folders / "mine.txt").write_text("cat\n")
    assert find_lexicon("mine.txt", ENGLISH).word_count == 1
    assert [name for name, _ in list_lexica()] == ["ENABLE"]
    assert "~nobody-of-this-name" in refused("~nobody-of-this-name/none.txt")
    assert sorted(path.name for path in folders.iterdir()) == ["lexica", "mine.txt"]
