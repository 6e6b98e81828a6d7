"""The working directory of a job that is sent to a cluster: the job file and what it names, and nothing else."""

from __future__ import annotations

import glob
import os
import shutil
from importlib import resources
from pathlib import Path
from typing import Any

import yaml

from pegray.errors import InputError
from pegray.game.tiles import is_distribution_file
from pegray.lexicon.files import is_file_name, list_lexica
from pegray.runs.job import CheckedJob, matching_files, read_job
from pegray.runs.job_file import parse_job

JOB_FILE = "job.yaml"
LEXICA = "lexica"
_POSITIONS = "positions"


def pack_job(path: str, out: str | None, folder: Path) -> tuple[CheckedJob, str]:
    """Check a job file and copy it to ``folder`` with its position files and those lexica that do not ship with pegray.

    out: run directory in place of the one that the job file names
    Returns the job as it was checked and its run directory. In the copy the address is ``auto``, and a lexicon that
    is a file has become a name to be looked up in ``folder/lexica``, so that a run can go on without the copy.

    Raises InputError if the job cannot be used, or its run directory would be lost with the copy.
    """
    job = read_job(path)
    directory = _lasting(path, out or job.out)
    file = parse_job(Path(path))
    home = Path(path).parent
    document: dict[str, Any] = file.model_dump(mode="json", exclude_unset=True)
    document["positions"] = [
        {"file": glob.escape(_copy(home, name, folder)), **({"turns": games.turns} if games.turns else {})}
        for games in file.positions
        for name in matching_files(home, games.file)
    ]
    document["out"] = directory
    document["cluster"] = {**document.get("cluster", {}), "address": "auto"}
    _copy_lexica(job, folder / LEXICA)
    if job.plan.lexicon and is_file_name(job.plan.lexicon):
        document["lexicon"] = Path(job.plan.lexicon).stem
    if job.plan.distribution and is_distribution_file(job.plan.distribution):
        document["distribution"] = Path(job.plan.distribution).name
        shutil.copyfile(job.plan.distribution, folder / document["distribution"])
    text = yaml.safe_dump(document, sort_keys=False, allow_unicode=True)
    (folder / JOB_FILE).write_text(text, encoding="utf-8")
    return job, directory


def _lasting(path: str, out: str) -> str:
    if "://" in out or os.path.isabs(out):
        return out
    raise InputError(
        f"{path}: out: {out}: on a cluster it has to be an absolute path that the head can write, or a URI such as"
        " s3://bucket/run (in the job file, or --out)"
    )


def _copy(home: Path, name: str, folder: Path) -> str:
    """Copy a position file to a place that only depends on its name; returns that place."""
    # a name may lead out of the job's folder (..), but the copy must stay inside its own
    inside = Path(_POSITIONS, *(part for part in Path(name).parts if part not in ("..", os.sep)))
    target = folder / inside
    if target.exists() and not target.read_bytes() == (home / name).read_bytes():
        raise InputError(f"{name}: cannot be sent: another file of the job is sent as {inside}")
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(home / name, target)
    return inside.as_posix()


def _copy_lexica(job: CheckedJob, folder: Path) -> None:
    """Copy the lexica that the positions use, except those that every pegray has."""
    folder.mkdir()
    named = {name.casefold(): path for name, path in list_lexica()}
    if job.plan.lexicon and is_file_name(job.plan.lexicon):
        path = Path(job.plan.lexicon)
        named[path.stem.casefold()] = path
    with resources.as_file(resources.files("pegray.data.lexica")) as bundled:
        for name in job.plan.hashes:
            path = named[name.casefold()]
            if path.parent != bundled:
                shutil.copyfile(path, folder / path.name)
