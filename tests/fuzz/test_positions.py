"""CGP lines, games and job files that somebody else has written: read, or refused in one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegray.game.cgp import cgp_lines
from pegray.game.gcg import parse_gcg
from pegray.game.notation import parse_draw, parse_move
from pegray.game.position import Position
from pegray.game.racks import work_out_racks
from pegray.runs.job_file import parse_job
from tests.fuzz.broken import broken_bytes, broken_text, for_long, one_line
from tests.game.positions import PUBLISHED

ROOT = Path(__file__).parents[2]
CGP = PUBLISHED["onyx"]
GCG = (ROOT / "tests" / "data" / "small.gcg").read_bytes()
JOB = (ROOT / "jobs" / "overnight.yaml").read_bytes()
CGP_PIECES = [
    "/",
    "15",
    "99",
    "0",
    "-",
    "?",
    "[",
    "]",
    "[CH]",
    "ld spanish;",
    "lex x\0.kwg;",
    ";",
    " ",
    "é",
    "٣",
]
GCG_PIECES = [
    "\n",
    ">",
    ">A:",
    "#rack1 ",
    "#player1 ",
    "--",
    "-ABC",
    "-99999999999",
    "--5",
    "(AB)",
    "(time)",
    "(challenge)",
    "+0",
]
MOVE_PIECES = ["13L", "(", ")", ".", "[", "]", "pass", "-", "[NY]", "é", "0"]
YAML_PIECES = [
    "&a",
    "*a",
    "!!python/object/apply:os.system [true]",
    "!!binary x",
    "- ",
    "{",
    "[",
    "]",
    ": ",
    "? ",
    "<<: *a",
    "\t",
]


def read_position(text: str) -> None:
    position = one_line(Position.from_cgp, text)
    if position is not None:
        assert one_line(Position.from_cgp, position.to_cgp()) == position


def read_game(data: bytes) -> None:
    game = one_line(parse_gcg, data, "fuzz")
    if game is not None:
        one_line(game.positions)
        for turn in range(len(game.events) + 2):
            one_line(game.position, turn)
        work_out_racks(game)


def read_job_bytes(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "job.yaml"
    path.write_bytes(data)
    one_line(parse_job, path)


@given(broken_text(CGP, CGP_PIECES))
def test_cgp(text: str) -> None:
    read_position(text)


@given(st.binary(max_size=200))
def test_files_of_positions(data: bytes) -> None:
    for _, line in one_line(cgp_lines, data, "fuzz") or []:
        read_position(line)


@given(broken_bytes(GCG))
def test_games_by_bytes(data: bytes) -> None:
    read_game(data)


@given(broken_text(GCG.decode(), GCG_PIECES))
def test_games(text: str) -> None:
    read_game(text.encode("utf-8", "surrogatepass"))


@given(broken_text("13L ONYX", MOVE_PIECES), st.sampled_from(["english", "catalan"]))
def test_moves_and_draws(text: str, language: str) -> None:
    position = Position.from_cgp(CGP)
    one_line(parse_move, text, position.board, position.distribution)
    one_line(parse_draw, text, position.distribution)


@given(broken_bytes(JOB))
def test_jobs_by_bytes(tmp_path: Path, data: bytes) -> None:
    read_job_bytes(tmp_path, data)


@given(broken_text(JOB.decode(), YAML_PIECES))
def test_jobs(tmp_path: Path, text: str) -> None:
    read_job_bytes(tmp_path, text.encode("utf-8", "surrogatepass"))


test_cgp_for_long = for_long(read_position, broken_text(CGP, CGP_PIECES))
test_games_by_bytes_for_long = for_long(read_game, broken_bytes(GCG))
test_jobs_by_bytes_for_long = for_long(read_job_bytes, broken_bytes(JOB))


@pytest.mark.parametrize("encoding", [b"punycode", b"idna", b"unicode_escape", b"rot13", b"undefined", b"a\0b"])
def test_only_encodings_of_texts_are_used(encoding: bytes) -> None:
    """Some others take the square of a file's length."""
    assert one_line(parse_gcg, b"#character-encoding " + encoding + b"\n" + GCG + b"a-" * 100_000, "fuzz") is None


ALIASES = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 60))


@pytest.mark.parametrize("text", [ALIASES + "positions: [*a59]", "positions: &a [*a]", "positions: " + "[" * 5_000])
def test_a_job_file_whose_aliases_stand_for_more_than_fits_any_memory(tmp_path: Path, text: str) -> None:
    read_job_bytes(tmp_path, text.encode())


def test_a_nul_is_in_no_name() -> None:
    assert one_line(Position.from_cgp, f"{CGP.partition(' lex')[0]} ld a\0.csv;") is None


def test_an_exchange_of_more_tiles_than_there_are_numbers_for() -> None:
    text = f"#player1 A A\n#player2 B B\n>A: AB -{'9' * 5000} +0 0\n"
    assert one_line(parse_gcg, text.encode(), "fuzz") is None
