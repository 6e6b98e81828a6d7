"""What is sent with a job: enough to run it, and nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pegray.errors import InputError
from pegray.runs.job import CheckedJob, read_job
from pegray.submission.bundle import JOB_FILE, pack_job

ROOT = Path(__file__).parents[2]
CGP = (ROOT / "jobs" / "first.cgp").read_text().splitlines()[-1]
WORDS = "ONYX\nEXON\nPLAY\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with more in it than a job needs."""
    folder = tmp_path / "home"
    (folder / "more").mkdir(parents=True)
    (folder / "a.cgp").write_text(f"{CGP}\n")
    (folder / "more" / "b[1].cgp").write_text(f"{CGP.replace('356', '357')}\n")
    (folder / "words.txt").write_text(WORDS)
    (folder / "secret.env").write_text("TOKEN=1\n")
    return folder


def pack(home: Path, text: str, out: str | None = None) -> tuple[CheckedJob, CheckedJob, Path]:
    """The job as it was checked here, and as the head reads it, in a folder of its own."""
    path, sent = home / "job.yaml", home.parent / "sent"
    path.write_text(text)
    sent.mkdir()
    checked, _ = pack_job(str(path), out, sent)
    return checked, read_job(sent / JOB_FILE), sent


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_only_what_the_job_names_is_sent(home: Path) -> None:
    text = 'name: n\npositions: [a.cgp, "more/*.cgp"]\nout: /results/n\n'
    checked, there, sent = pack(home, text)
    assert files(sent) == {JOB_FILE, "positions/a.cgp", "positions/more/b[1].cgp"}
    assert [position.cgp for position in there.plan.positions] == [p.cgp for p in checked.plan.positions]
    assert [position.name for position in there.plan.positions] == ["a", "b[1]"]
    assert (there.plan.address, there.out) == ("auto", "/results/n")


def test_options_limits_and_table_go_along(home: Path) -> None:
    text = (
        "name: n\npositions: [a.cgp]\noptions: {top: 3, only: [13L ONYX]}\nlimits: {total: 2h}\n"
        "cluster: {address: local, table_gib: 2}\nout: s3://bucket/n\n"
    )
    checked, there, _ = pack(home, text, out="s3://bucket/other")
    assert there.plan.options == checked.plan.options
    assert (there.plan.total, there.plan.table_gib, there.plan.address) == (7200.0, 2.0, "auto")
    assert there.out == "s3://bucket/other"


def test_a_lexicon_file_becomes_a_name(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    monkeypatch.setenv("PEGRAY_LEXICA", str(home.parent / "sent" / "lexica"))
    checked, there, sent = pack(home, "name: n\npositions: [a.cgp]\nlexicon: words.txt\nout: /r\n")
    assert files(sent) == {JOB_FILE, "positions/a.cgp", "lexica/words.txt"}
    assert there.plan.lexicon == "words"
    assert there.plan.hashes == checked.plan.hashes


def test_a_named_lexicon_that_does_not_ship_is_sent(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    monkeypatch.setenv("PEGRAY_LEXICA", str(home))
    checked, _, sent = pack(home, "name: n\npositions: [a.cgp]\nlexicon: WORDS\nout: /r\n")
    assert "lexica/words.txt" in files(sent)
    assert set(checked.plan.hashes) == {"words"}


def test_a_distribution_file_is_sent(home: Path) -> None:
    (home / "mine.csv").write_bytes((ROOT / "pegray/data/distributions/english.csv").read_bytes())
    _, there, sent = pack(home, "name: n\npositions: [a.cgp]\nlexicon: ENABLE\ndistribution: mine.csv\nout: /r\n")
    assert "mine.csv" in files(sent)
    assert there.plan.distribution == os.path.join(sent, "mine.csv")


def test_positions_outside_the_job_s_folder_are_sent(home: Path) -> None:
    (home.parent / "c.cgp").write_text(f"{CGP}\n")
    _, there, sent = pack(home, f"name: n\npositions: [../c.cgp, {home}/a.cgp]\nout: /r\n")
    assert "positions/c.cgp" in files(sent)
    assert [position.name for position in there.plan.positions] == ["c", "a"]


def test_two_files_in_one_place_are_refused(home: Path) -> None:
    (home.parent / "a.cgp").write_text(f"{CGP.replace('356', '300')}\n")
    with pytest.raises(InputError, match="another file of the job is sent as positions/a.cgp"):
        pack(home, "name: n\npositions: [a.cgp, ../a.cgp]\nout: /r\n")


def test_what_is_bad_is_told_and_the_rest_is_sent(home: Path) -> None:
    (home / "bad.cgp").write_text("no position\n")
    checked, there, _ = pack(home, "name: n\npositions: [a.cgp, bad.cgp, none.cgp]\nout: /r\n")
    assert [fault.partition(":")[0] for fault in checked.faults] == ["bad.cgp", "positions[3]"]
    assert len(there.plan.positions) == 1


@pytest.mark.parametrize("out", ["", "out: runs/n\n"])
def test_results_must_not_be_lost_with_the_copy(home: Path, out: str) -> None:
    with pytest.raises(InputError, match=r"job\.yaml: out: runs/n: on a cluster it has to be an absolute path"):
        pack(home, f"name: n\npositions: [a.cgp]\n{out}")
