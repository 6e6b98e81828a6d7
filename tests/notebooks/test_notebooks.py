"""The notebooks run from a clean kernel in a folder of their own, and save their pictures."""

from __future__ import annotations

import ast
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

import pegray

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))


def read(path: Path) -> Any:
    return pytest.importorskip("nbformat").read(path, as_version=4)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of what the notebooks need; the kernel finds the package that is tested."""
    for name in ("notebooks", "jobs"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("runs", "images"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])))
    for name in ("PEGRAY_RUN", "PEGRAY_RUN_WHOLE", "PEGRAY_IMAGES"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "notebooks"


def test_the_notebooks_are_there() -> None:
    assert NOTEBOOKS == ["batch", "one-position"]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_notebooks_are_committed_without_outputs(name: str) -> None:
    cells = [cell for cell in read(ROOT / "notebooks" / f"{name}.ipynb").cells if cell.cell_type == "code"]
    assert cells
    assert all(not cell.outputs and cell.execution_count is None for cell in cells)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_only_public_names_are_used(name: str) -> None:
    cells = [cell for cell in read(ROOT / "notebooks" / f"{name}.ipynb").cells if cell.cell_type == "code"]
    code = "\n".join(line for cell in cells for line in cell.source.splitlines() if not line.startswith("%"))
    used = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            used |= {alias.name for alias in node.names if alias.name.startswith("pegray.")}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "pegray":
            used |= {alias.name if node.module == "pegray" else str(node.module) for alias in node.names}
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "pegray":
            used.add(node.attr)
    assert used and used <= set(pegray.__all__)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "pictures"),
    [
        ("one-position", {"one-position-plays", "one-position-outcomes", "one-position-known-rack", "leaving-a-tile"}),
        ("batch", {"batch-win-pct", "batch-price", "batch-cost", "batch-play-cost", "batch-cutoff"}),
    ],
)
def test_runs_from_a_clean_kernel(name: str, pictures: set[str], folder: Path) -> None:
    client = pytest.importorskip("nbclient").NotebookClient
    notebook = read(folder / f"{name}.ipynb")
    client(notebook, timeout=280, resources={"metadata": {"path": str(folder)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert not [output for output in outputs if output.output_type == "error"]
    saved = {path.stem for path in (folder / "images").glob("*.png") if path.stat().st_size > 5000}
    assert saved == pictures
    # each of them is shown too
    assert sum("image/png" in output.get("data", {}) for output in outputs) == len(pictures)
