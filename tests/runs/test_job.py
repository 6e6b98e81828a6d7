"""Job files: what they may say, and how each fault in them is told."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

from pegray.errors import InputError
from pegray.runs.job import read_job
from pegray.runs.plan import Plan

ROOT = Path(__file__).parents[2]
CGP = (ROOT / "jobs" / "first.cgp").read_text().splitlines()[-1]
GAME = ROOT / "tests" / "data" / "small.gcg"
PLAIN = "name: n\npositions: [a.cgp]\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.cgp").write_text(f"# one\n{CGP}\n")
    return tmp_path


def job_file(folder: Path, text: str) -> Path:
    path = folder / "job.yaml"
    path.write_text(text)
    return path


def test_everything_that_a_job_may_say(folder: Path) -> None:
    text = """
name: overnight
lexicon: ENABLE
distribution: english
positions: ["*.cgp", a.cgp]
options: {top: 3, opponent: guaranteed, max_tiles_left: 1, only: [13L ONYX], known_rack: AC, tiebreak: false}
limits: {per_position: 2h, total: 10h}
cluster: {address: none, table_gib: 4, workers: 2}
out: runs/x
"""
    job = read_job(job_file(folder, text))
    plan = job.plan
    assert job.faults == ()
    assert job.out == "runs/x"
    assert [(position.name, position.source) for position in plan.positions] == [("a", "a.cgp:2")]
    assert (plan.options.top, plan.options.only, plan.options.tiebreak) == (3, ("13L ONYX",), False)
    assert (plan.per_position, plan.total) == (7200.0, 36000.0)
    assert (plan.address, plan.workers, plan.table_gib) == ("none", 2, 4.0)
    assert set(plan.hashes) == {"ENABLE"}
    assert Plan.from_manifest({"job": plan.to_manifest()}, "run") == plan


def test_what_a_job_does_not_say(folder: Path) -> None:
    job = read_job(job_file(folder, PLAIN))
    assert job.out == os.path.join("runs", "n")
    assert (job.plan.per_position, job.plan.total, job.plan.address) == (None, None, "local")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (PLAIN + "nmae: x\n", "job.yaml:3: nmae: unknown key"),
        (PLAIN + "options:\n  top: 3\n  topp: 3\n", "job.yaml:5: options.topp: unknown key"),
        (PLAIN + "options: {top: '3'}\n", "job.yaml:3: options.top: input should be a valid integer, not '3'"),
        (PLAIN + "options: {top: 0}\n", "job.yaml:3: options.top: "),
        (PLAIN + "options: {only: 13L ONYX}\n", "job.yaml:3: options.only: "),
        (PLAIN + "options: {opponent: kind}\n", "job.yaml:3: options.opponent: "),
        (PLAIN + "options:\n", "job.yaml:3: options: expected keys with values"),
        (PLAIN + "limits: {total: 90}\n", "job.yaml:3: limits.total: "),
        (PLAIN + "limits: {total: 2 days}\n", "job.yaml:3: limits.total: duration '2 days': expected a number and s"),
        (PLAIN + "cluster: {address: here}\n", "job.yaml:3: cluster.address: 'here': expected local, auto, none"),
        (PLAIN + "cluster: {table_gib: .inf}\n", "job.yaml:3: cluster.table_gib: "),
        (PLAIN + "name: m\n", "job.yaml:3: name: given twice"),
        (PLAIN + "distribution: klingon\n", "job.yaml: distribution: unknown distribution 'klingon'"),
        ("name: n\n", "job.yaml:1: positions: missing"),
        ("name: n\npositions: []\n", "job.yaml:2: positions: "),
        ("name: n\npositions:\n- a.cgp\n- 3\n", "job.yaml:4: positions[2]: '3': expected a file name"),
        ("name: n\npositions:\n- {file: a.cgp, turn: 3}\n", "job.yaml:3: positions[1].turn: unknown key"),
        ("name: ../n\npositions: [a.cgp]\n", "job.yaml:1: name: '../n': expected a name"),
        ("name: [\n", "job.yaml:2: "),
        ("- name\n", "job.yaml: expected keys with values"),
        ("", "job.yaml: expected keys with values"),
        ("a: 2026-13-45\n", "job.yaml: not YAML"),
        ("name: n\npositions: [b.cgp]\n", "positions[1]: b.cgp: no such file"),
        ("name: n\npositions: [{file: a.cgp, turns: [3]}]\n", "a.cgp: only a .gcg file has turns"),
        (PLAIN + "lexicon: NONESUCH\n", "a.cgp:2: unknown lexicon 'NONESUCH'"),
        (PLAIN + "options: {only: [1A ZZZ]}\n", "a.cgp:2: only='1A ZZZ': "),
    ],
)
def test_a_fault_is_one_line_with_its_place(folder: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_job(job_file(folder, text))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_all_faults_of_a_file_are_told(folder: Path) -> None:
    with pytest.raises(InputError, match="options.top: .*; .*limits.totl: unknown key"):
        read_job(job_file(folder, PLAIN + "options: {top: 0}\nlimits: {totl: 2h}\n"))


def test_a_job_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="none.yaml: No such file"):
        read_job(tmp_path / "none.yaml")


def test_bad_positions_do_not_cost_the_good_ones(folder: Path) -> None:
    board = CGP.split()[0]
    (folder / "b.cgp").write_text(f"{CGP}\nnonsense\n{board} ENOSTXY/ 356/378 0 lex NONESUCH;\n{CGP}\n")
    (folder / "empty.cgp").write_text("# nothing\n")
    job = read_job(job_file(folder, "name: n\npositions: [a.cgp, b.cgp, c/*.gcg, empty.cgp]\n"))
    assert [position.name for position in job.plan.positions] == ["a", "b-1", "b-4"]
    fault_of_line, fault_of_lexicon, missing, empty = job.faults
    assert fault_of_line.startswith("b.cgp:2: CGP: ")
    assert fault_of_lexicon.startswith("b.cgp:3: unknown lexicon 'NONESUCH'")
    assert missing == "positions[3]: c/*.gcg: no such file"
    assert empty == "empty.cgp: no CGP line in it"


def test_games(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game has no pre-endgame; the turns that are asked for are looked up, and each bad one is told."""
    (folder / "g.gcg").write_bytes(GAME.read_bytes())
    job = read_job(job_file(folder, "name: n\npositions: [a.cgp, g.gcg]\n"))
    assert job.faults == ("g.gcg: no turn with 1 to 6 tiles in the bag and a rack known in full",)
    job = read_job(job_file(folder, "name: n\npositions: [a.cgp, {file: g.gcg, turns: [4, 99]}]\nlexicon: ENABLE\n"))
    assert [fault.partition(": ")[0] for fault in job.faults] == ["g.gcg:turn 4", str(folder / "g.gcg")]
    assert "99" in job.faults[1]

    from pegray.game.gcg import Game
    from pegray.game.position import Position

    monkeypatch.setattr(Game, "preendgame_turns", lambda self: [2, 4])
    monkeypatch.setattr(Game, "position", lambda self, turn: Position.from_cgp(CGP))
    job = read_job(job_file(folder, "name: n\npositions: [g.gcg]\n"))
    assert [position.name for position in job.plan.positions] == ["g-turn2", "g-turn4"]
    job = read_job(job_file(folder, "name: n\npositions: [g.gcg]\nturns: [3]\n"))
    assert [position.source for position in job.plan.positions] == ["g.gcg:turn 3"]


# Those of the record have hundreds of positions, each of which is checked.
read_once = cache(read_job)


@pytest.mark.parametrize("path", sorted((ROOT / "jobs").glob("*.yaml")), ids=lambda path: path.name)
def test_the_examples_are_good(path: Path) -> None:
    job = read_once(path)
    assert job.faults == ()
    assert job.plan.positions


@pytest.mark.parametrize("path", sorted((ROOT / "jobs").glob("*.yaml")), ids=lambda path: path.name)
def test_the_jobs_that_ship_can_be_run(path: Path) -> None:
    job = read_once(path)
    assert job.faults == () and job.plan.positions
