"""Servers with programs that solve nothing."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from pegray.runs.options import RunOptions
from pegray.serve.app import Service, application

TOKEN = "a-token-that-nobody-knows"
HERE = Path(__file__).parent
FAKE_SOLVING = (sys.executable, str(HERE / "fake_solving.py"))
FAKE_EXPLAINING = (sys.executable, str(HERE / "fake_explaining.py"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "runs"


@pytest.fixture
def client(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """Asks below the token."""
    monkeypatch.syspath_prepend(str(HERE.parents[1]))  # for the programs too
    service = Service(str(folder), RunOptions(address="none"), FAKE_SOLVING, FAKE_EXPLAINING)
    address = f"http://127.0.0.1:8765/{TOKEN}/"
    with TestClient(application(service, TOKEN), base_url=address, raise_server_exceptions=False) as asking:
        yield asking
