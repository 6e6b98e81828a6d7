"""Every command that README.md, CONTRIBUTING.md and the pages of docs/ print is run, or it is said here why not.

Each runs in a folder of its own with stand-ins for what a user would have: the jobs of the project, a game, a lexicon,
and runs of a few plays. Solves go without Ray, which the tests of the cluster start.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from pegray.cli import main
from pegray.game.position import Position

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), ROOT / "benchmarks" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

# Begins of commands that are not run, and why.
NOT_RUN = {
    r"python3 -m venv|pip |(\. )?\.venv": "installs from the package index: continuous integration does it",
    r"git clone|cd |export |[A-Z_]+=": "prepares the user's own shell",
    r"pegray bench(?! --list)|python (-m )?benchmarks\b": "measures for minutes: tests/cli/test_bench.py",
    r"pegray (submit|logs|stop)\b|pegray .*--address (auto|http|\S+:\d)": "needs a cluster: tests/cluster",
    r"(ray|docker|kubectl|ssh|scp|rsync|aws|gcloud) ": "needs a cluster or the cloud",
    r"pegray .*jobs/(after-pond|martens|deep|flenches)\.cgp|pegray endgame n\.cgp": "needs a lexicon that is not here",
    r"python -m pegray\.cluster\.leave|prometheus ": "needs a cluster: tests/cluster",
    r"sed -n \d+p jobs/panel\.cgp": "needs a lexicon that is not here",
    r"jupyter ": "opens a browser",
    r"pegray solve jobs/five-and-six\.cgp": "solves for minutes",
    r"pegray serve": "serves until Ctrl-C: tests/serve",
    r"pegray batch jobs/(thirty|deep|cluster)\.yaml": "solves for minutes or hours",
    r"python -m tests\.": "for minutes or hours",
    r".*\.ci/|.*pytest": "runs these very tests",
    r"ruff |mypy|lint-imports": "checks the sources: continuous integration does it",
}
# Those that search long; `pytest -m slow` runs them.
SLOW = (
    r"pegray solve jobs/first\.cgp(?! --only)",
    r"pegray solve jobs/first\.cgp --opponent rational",
    r"pegray (solve|game) jobs/games/narrow\.gcg",
    r"pegray chances runs/ben --play \"14A B\.KNOT\"",
)


@dataclass(frozen=True)
class Command:
    """A command as it is printed, without its comment, and the page and line that it is on."""

    page: str
    line: int
    text: str

    @property
    def why_not(self) -> str | None:
        """Why it is not run; None if it is."""
        return next((why for begin, why in NOT_RUN.items() if re.match(begin, self.text)), None)

    @property
    def is_slow(self) -> bool:
        """Whether it searches long."""
        return any(re.match(begin, self.text) for begin in SLOW)


def commands_of(path: Path) -> list[Command]:
    """The lines of the bash and sh blocks, and those after ``$`` in others; lines that end in a backslash joined."""
    found = []
    language = None
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, start=1):
        if fence := re.match(r"```(\w*)", line):
            language = fence[1] if language is None else None
        elif language in ("bash", "sh") or (language is not None and line.startswith("$ ")):
            joined = line.removeprefix("$ ")
            for following in lines[number:]:
                if not joined.endswith("\\"):
                    break
                joined = joined[:-1] + following.strip()
            text = re.sub(r"\s+#\s.*", "", joined).strip()
            continued = lines[number - 2].endswith("\\")
            if text and not text.startswith("#") and not continued:
                found.append(Command(str(path.relative_to(ROOT)), number, text))
    return found


ALL = [command for page in PAGES for command in commands_of(page)]
RUN = [command for command in ALL if command.why_not is None]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that every command finds, copied for each."""
    folder = tmp_path_factory.mktemp("documents")
    shutil.copytree(ROOT / "jobs", folder / "jobs")
    job = folder / "jobs" / "overnight.yaml"
    text = job.read_text(encoding="utf-8").replace("{top: 3}", '{only: ["13L ONYX"]}').replace("local", "none")
    assert text.count("13L ONYX") == text.count("none}") == 1
    job.write_text(text, encoding="utf-8")
    position = Position.from_cgp((ROOT / "jobs" / "first.cgp").read_text(encoding="utf-8").splitlines()[-1])
    (folder / "position.cgp").write_text(position.after("13L ONYX", "Y").to_cgp(), encoding="utf-8")
    (folder / "lexica").mkdir()
    shutil.copy(ROOT / "tests" / "docs" / "words.txt", folder / "lexica" / "NWL20.txt")
    shutil.copy(ROOT / "tests" / "docs" / "game.gcg", folder / "game.gcg")
    game = (folder / "game.gcg").read_text(encoding="utf-8").splitlines()
    (folder / "unfinished.gcg").write_text("\n".join([*game[:-1], "#rack1 ?AQRUVZ"]), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        plays = ["13L ONYX", "13J EXON"]
        for run in ("first", "sure", "probable", "20260102-030405-first"):
            assert main(["solve", "jobs/first.cgp", "--address", "none", "--only", *plays, "--out", f"runs/{run}"]) == 0
        turn = ["jobs/games/narrow.gcg", "--turn", "20", "--only", "14A B.KNOT", "12A K.BE", "--top", "2"]
        assert main(["solve", *turn, "--no-tiebreak", "--address", "none", "--out", "runs/ben"]) == 0
        assert main(["batch", "jobs/overnight.yaml"]) == 0
    return folder


@pytest.fixture
def folder(prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(prepared, tmp_path / "project")
    monkeypatch.chdir(tmp_path / "project")
    monkeypatch.setenv("PEGRAY_LEXICA", "lexica")
    return tmp_path / "project"


def run(command: Command, capfd: pytest.CaptureFixture[str]) -> str:
    """Run a command, in this process where it is pegray's alone, and return all that it prints; it must succeed."""
    words = shlex.split(command.text)
    if words[:2] == ["pegray", "solve"]:
        words += ["--address", "none"]
        if "--out" in words:
            shutil.rmtree(words[words.index("--out") + 1])
    if words[0] == "pegray" and not {"|", ">", "&&"} & set(words):
        code = main(words[1:])
        captured = capfd.readouterr()
        assert code == 0, captured.err
        return captured.out + captured.err
    Path("pegray").write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m pegray "$@"\n')
    Path("pegray").chmod(0o755)
    path = f"{os.getcwd()}{os.pathsep}{os.environ['PATH']}"
    bash = ["bash", "-e", "-c", command.text]
    answer = subprocess.run(bash, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False)
    assert (answer.returncode, answer.stderr) == (0, "")
    return answer.stdout


def parameters() -> list[object]:
    """The commands that are run, each of them once."""
    first = {command.text: command for command in reversed(RUN)}
    return [
        pytest.param(command, id=f"{command.page}:{command.line}", marks=[pytest.mark.slow] if command.is_slow else [])
        for command in sorted(first.values(), key=lambda command: (command.page, command.line))
    ]


@pytest.mark.parametrize("command", parameters())
def test_a_command_of_the_documents(command: Command, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    printed = run(command, capfd)
    if "-o" in shlex.split(command.text):
        target = shlex.split(command.text)[shlex.split(command.text).index("-o") + 1]
        assert Path(target).stat().st_size > 1000
    else:
        assert printed.strip(), "it prints nothing"


def test_all_pages_were_found() -> None:
    pages = {command.page for command in ALL}
    assert {"README.md", "docs/quickstart.md", "docs/batch.md", "docs/results.md"} <= pages
    quickstart = [command for command in ALL if command.page == "docs/quickstart.md"]
    left_out = [command.text for command in quickstart if command.why_not]
    assert len(quickstart) - len(left_out) >= 15
    assert left_out == ["python3 -m venv .venv", ". .venv/bin/activate", "pip install ."]


@pytest.mark.slow
def test_the_transcript_of_the_readme(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The board, the question and the best two plays; which losses of others are found first is chance."""
    (command,) = (command for command in ALL if command.page == "README.md" and "--rows 6" in command.text)
    printed = {line.rstrip() for line in run(command, capfd).splitlines()}
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()[command.line :]
    # only the two that are asked for have a rank
    wanted = lines[: next(index for index, line in enumerate(lines, 1) if line.startswith(" 2  13J EXON"))]
    assert [line for line in wanted if line not in printed] == []
