"""The command line itself: help, version, exit codes; bad input is one line on stderr."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pegray import __version__
from pegray.cli import COMMANDS, build_parser, main
from pegray.commands.positions import read_positions
from pegray.errors import PegrayError

ROWS = (
    "15/3Q7U3/3U2TAURINE2/1CHANSONS2W3/2AI6JO3/DIRL1PO3IN3/E1D2EF3V4/F1I2p1TRAIK3/O1L2T4E4/ABy1PIT2BRIG2/"
    "ME1MOZELLE5/1GRADE1O1NOH3/WE3R1V7/AT5E7/G6D7"
)
CGP = f"{ROWS} ENOSTXY/ 356/378 0"


def error_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Run the command, which must fail with exit code 2, nothing on stdout and one line on stderr."""
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1, captured.err
    assert captured.err.startswith("pegray: error: ")
    return captured.err


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--version"])
    assert stop.value.code == 0
    assert capsys.readouterr().out == f"pegray {__version__}\n"


@pytest.mark.parametrize("command", [module.__name__.rpartition(".")[2] for module in COMMANDS])
def test_every_command_has_help_with_examples(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([command, "--help"])
    assert stop.value.code == 0
    text = capsys.readouterr().out
    assert "examples:" in text
    assert f"pegray {command}" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "required: COMMAND"),
        (["frobnicate"], "invalid choice: 'frobnicate'"),
        (["solve"], "required: POSITION"),
        (["solve", "x", "--bogus"], "unrecognized arguments: --bogus"),
        (["solve", "x", "--top", "0"], "--top: '0': expected a whole number of at least 1"),
        (["solve", "x", "--workers", "two"], "--workers: 'two'"),
        (["solve", "x", "--max-tiles-left", "-1"], "--max-tiles-left"),
        (["solve", "x", "--opponent", "kind"], "--opponent: invalid choice: 'kind'"),
        (["solve", "x", "--table-gib", "0"], "--table-gib: '0': expected a number of GiB, more than 0"),
        (["solve", "x", "--table-gib", "big"], "--table-gib: 'big': expected"),
        (["solve", "x", "--time-limit", "soon"], "--time-limit: duration 'soon'"),
        (["solve", "x", "--time-limit", "0s"], "must be more than 0"),
        (["solve", "x", "--out", ""], "--out: '': expected the name of a file or folder"),
        (["serve", "--runs", ""], "--runs: '': expected the name of a file or folder"),
        (["report", "x", "-o", ""], "-o/--output: '': expected the name of a file or folder"),
        (["lexicon"], "required: list|info|build|check"),
        (["lexicon", "check"], "required: WORD"),
        (["bench", "--only", "nowhere"], "no position 'nowhere'"),
        (["bench", "--compare", "nowhere.json"], "nowhere.json: No such file"),
    ],
)
def test_bad_usage(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert message in error_line(arguments, capsys)


@pytest.mark.parametrize("command", ["solve", "moves", "endgame"])
@pytest.mark.parametrize(
    ("position", "message"),
    [
        ("", "POSITION: empty"),
        ("nowhere.cgp", "nowhere.cgp: no such file"),
        ("no/such folder/position.cgp", "no such file"),
        ("..", "not a file"),
        ("15/15 ABC/", "2 fields"),
        ("15/15 ABC/ 0/0 0", "2 rows, expected 15"),
        (CGP.replace("3Q7U3", "3Q7U4", 1), "row 2"),
        (CGP.replace("ENOSTXY", "ENOSTXYZ"), "8 tiles, at most 7"),
        (CGP.replace("ENOSTXY", "ENOST!Y"), "!"),
        (CGP.replace("ENOSTXY", "QNOSTXY"), "Q"),
        (CGP.replace("15/", "A14/", 1), "row 1: the tile at 1A floats"),
        (CGP.replace("356/378", "356/x"), "x"),
        (CGP.replace(" 0", " 6"), "over"),
        (ROWS, "no such file"),
    ],
)
def test_bad_positions(
    command: str,
    position: str,
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert message in error_line([command, position], capsys)
    assert not list(tmp_path.iterdir()), "nothing may be written before the position is checked"


def test_a_bad_line_of_a_file_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "two.cgp"
    path.write_text(f"# a comment\n{CGP}\n\n{CGP.replace('ENOSTXY', 'ENOSTX7')}\n")
    assert f"{path}:4: " in error_line(["solve", str(path)], capsys)


def test_a_file_without_a_position(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "empty.cgp"
    path.write_text("# nothing yet\n")
    assert "no CGP line" in error_line(["solve", str(path)], capsys)


def test_a_file_that_is_not_text(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "random.cgp"
    path.write_bytes(bytes(range(256)))
    assert str(path) in error_line(["solve", str(path)], capsys)


def test_a_cgp_has_no_turns(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--turn 3: a CGP string has no turns" in error_line(["solve", CGP, "--turn", "3"], capsys)


def test_a_turn_of_a_gcg(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "game.gcg"
    path.write_text(
        "#player1 anna Anna\n#player2 ben Ben\n"
        ">anna: AEINRST 8D NASTIER +66 66\n>ben: BCDFGHO - +0 0\n>anna: AEINRST - +0 66\n"
    )
    (named,) = read_positions([str(path)], turn=2)
    assert named.name == "game-turn2"
    assert named.position.scores == (0, 66)
    assert named.position.to_cgp().split()[1] == "BCDFGHO/"
    assert "(turns with 1 to 6 tiles in the bag: none)" in error_line(["solve", str(path)], capsys)
    assert "turn 9" in error_line(["solve", str(path), "--turn", "9"], capsys)


GAME = "#player1 anna Anna\n#player2 ben Ben\n>anna: AEINRST 8D NASTIER +66 66\n>ben: BCDFGHO - +0 0\n"


@pytest.mark.parametrize("last", ["#rack1 AEINRST\n", ">anna: AEINRST\n"])
def test_a_game_in_progress_is_its_position(last: str, tmp_path: Path) -> None:
    path = tmp_path / "game.gcg"
    path.write_text(GAME + last)
    (named,) = read_positions([str(path)])
    assert (named.name, named.source) == ("game-turn3", f"{path}:turn 3")
    assert named.position.to_cgp().split()[1:3] == ["AEINRST/", "66/0"]
    assert read_positions([str(path)], turn=2)[0].position.scores == (0, 66)


def standard_input(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


@pytest.mark.parametrize("text", [f"# two\n{CGP}\n{CGP}\n", CGP])
def test_cgp_lines_on_standard_input(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    standard_input(monkeypatch, text)
    named = read_positions(["-"])
    assert {position.position.to_cgp() for position in named} == {CGP}
    assert named[0].source.startswith("standard input:")
    assert named[0].name == ("stdin" if len(named) == 1 else "stdin-2")


@pytest.mark.parametrize(("last", "turn"), [("#rack1 AEINRST\n", None), ("", 2)])
def test_a_game_on_standard_input(last: str, turn: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    standard_input(monkeypatch, GAME + last)
    (named,) = read_positions(["-"], turn=turn)
    assert named.name == f"stdin-turn{turn or 3}"
    assert named.position.scores == ((66, 0) if last else (0, 66))


@pytest.mark.parametrize("command", ["solve", "endgame", "moves", "explain", "apply"])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "standard input: no CGP line in it"),
        ("nonsense\n", "standard input:1: CGP: "),
        (f"{CGP}\n{CGP.replace('ENOSTXY', 'ENOSTX7')}\n", "standard input:2: CGP: RACK1"),
        (GAME, "standard input: give --turn N (turns with 1 to 6 tiles in the bag: none)"),
        (GAME + "nonsense\n", "standard input: line 5: "),
        ("#player1 anna\n", "standard input: no events"),
    ],
)
def test_what_is_no_position_on_standard_input(
    command: str, text: str, message: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    standard_input(monkeypatch, text)
    rest = {"explain": ["--play", "pass", "--draw", "[]A"], "apply": ["pass"]}
    assert message in error_line([command, "-", *rest.get(command, [])], capsys)


def test_standard_input_is_read_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert "- (standard input) can be given once" in error_line(["solve", "-", "-"], capsys)


def test_apply_to_a_turn_of_a_game_with_a_lexicon(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "game.gcg"
    path.write_text(GAME)
    (tmp_path / "few.txt").write_text("NASTIER\nHO\nNASTIERS\nSH\n")
    few = str(tmp_path / "few.txt")
    assert main(["apply", str(path), "--turn", "2", "7J OH"]) == 0
    assert "lex" not in capsys.readouterr().out
    assert main(["apply", str(path), "--turn", "2", "pass", "--lexicon", few]) == 0
    assert capsys.readouterr().out.endswith(" lex few;\n")
    assert "7J OH: OH is not in few" in error_line(["apply", str(path), "--turn=2", "7J OH", "--lexicon", few], capsys)
    assert "NOSUCH" in error_line(["apply", str(path), "--turn", "2", "pass", "--lexicon", "NOSUCH"], capsys)


def test_one_position_where_one_is_expected(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "two.cgp"
    path.write_text(f"{CGP}\n{CGP}\n")
    assert "2 positions, expected one" in error_line(["moves", str(path)], capsys)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--lexicon", "NOSUCH99"], "NOSUCH99"),
        (["--lexicon", "nowhere.kwg"], "nowhere.kwg"),
        (["--lexicon", ""], "--lexicon: empty, expected the name of a lexicon, or a path"),
        (["--distribution", "klingon"], "klingon"),
        (["--distribution", "french"], "french"),
        (["--lexicon", "random.kwg"], "random.kwg"),
    ],
)
@pytest.mark.parametrize("command", ["solve", "moves"])
def test_bad_lexica_and_distributions(
    command: str,
    options: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "random.kwg").write_bytes(bytes((i * i * 167 + i * 13) % 251 for i in range(40_000)))
    assert message in error_line([command, CGP, *options], capsys)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--only", "13L TYXEN"], "13L TYXEN"),
        (["--only", "99Z OX"], "99Z OX"),
        (["--protect", "1A TOXEN"], "1A TOXEN"),
        (["--known-rack", "QQ"], "QQ"),
        (["--known-rack", "AACEISUY"], "AACEISUY"),
        (["--known-rack", "A!"], "!"),
        (["--known-rack", "A" * 256], "rack of 256 tiles"),
        (["--endgame-plies", str(1 << 63)], "--endgame-plies 9223372036854775808: expected at most 1,000,000,000"),
        (["--time-limit", "9" * 400 + "h"], "at most a hundred years"),
        (["--address", "nowhere"], "--address: 'nowhere': expected local, auto, none or HOST:PORT"),
        (["--out", "/dev/null/run"], "/dev/null/run"),
    ],
)
def test_bad_solve_options(
    options: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert message in error_line(["solve", CGP, *options], capsys)


def test_could_not_finish_is_1(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise PegrayError("the cluster\nwent away")

    monkeypatch.setattr("pegray.commands.solve.read_positions", fail)
    assert main(["solve", "x"]) == 1
    assert capsys.readouterr().err == "pegray: error: the cluster went away\n"


def test_interrupted_is_130(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pegray.commands.solve.read_positions", interrupt)
    assert main(["solve", "x"]) == 130
    assert capsys.readouterr().err == "pegray: interrupted\n"


def test_only_takes_several_moves_and_repeats() -> None:
    parsed = build_parser().parse_args(["solve", "x", "--only", "13L ONYX", "N3 STEY", "--only", "pass"])
    assert parsed.only == ["13L ONYX", "N3 STEY", "pass"]


def test_import_is_fast_and_light() -> None:
    code = "import pegray.cli, sys; print(sorted({'numba', 'ray', 'pyarrow', 'rich'} & set(sys.modules)))"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout == "[]\n"


def test_public_names() -> None:
    import pegray

    assert set(pegray.__all__) <= set(dir(pegray))
    assert pegray.InputError.__name__ == "InputError"
    with pytest.raises(AttributeError, match="nonsense"):
        pegray.nonsense  # noqa: B018


def test_a_reader_that_stops_reading() -> None:
    arguments = [sys.executable, "-m", "pegray", "bench", "--list"]
    read_end, write_end = os.pipe()
    os.close(read_end)
    with os.fdopen(write_end, "w") as stdout:
        answer = subprocess.run(arguments, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False)
    assert answer.stderr == ""


def pegray(*arguments: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a process of its own."""
    return subprocess.run([sys.executable, "-m", "pegray", *arguments], capture_output=True, check=False, **options)


def closed(*descriptors: int) -> Callable[[], None]:
    """Closes standard streams before the command begins, as ``<&- >&-`` does."""

    def close() -> None:
        for descriptor in descriptors:
            os.close(descriptor)

    return close


def test_streams_that_are_closed() -> None:
    """What is printed then goes nowhere."""
    answer = pegray("bench", "--list", preexec_fn=closed(1))
    assert (answer.returncode, answer.stderr) == (0, b"")
    assert pegray("moves", "nowhere.cgp", preexec_fn=closed(1, 2)).returncode == 2
    answer = pegray("moves", "-", preexec_fn=closed(0))
    assert (answer.returncode, answer.stderr) == (2, b"pegray: error: -: standard input is closed\n")


def test_letters_that_the_output_has_no_character_for(tmp_path: Path) -> None:
    (tmp_path / "pl.txt").write_text("ŻÓŁW\n", encoding="utf-8")
    latin = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    asked = ["lexicon", "check", "żółw", "--lexicon", str(tmp_path / "pl.txt"), "--distribution", "polish"]
    answer = pegray(*asked, env=latin)
    assert (answer.returncode, answer.stderr) == (0, b"")
    assert answer.stdout == "\\u017có\\u0142w valid\n".encode("latin-1")


def test_a_position_from_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_text, args=(CGP + "\n",))
    writer.start()
    (named,) = read_positions([str(tmp_path / "pipe")])
    writer.join()
    assert named.position.to_cgp() == CGP
