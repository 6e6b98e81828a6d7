"""Where the page listens, and the token in its address."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pegray.cli import main
from pegray.errors import InputError
from pegray.serve.address import kept_token, listening, page_address


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.7", "example.com", "::", ""])
def test_a_host_that_others_can_reach_is_refused(host: str) -> None:
    with pytest.raises(InputError, match="others could reach it there.*ssh -L 8765:127.0.0.1:8765"):
        listening(host, 8765)


def test_the_address_of_the_page() -> None:
    with listening("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        assert page_address(listener, "TOKEN") == f"http://127.0.0.1:{port}/TOKEN/"


def test_a_port_that_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    with listening("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        assert main(["serve", "--no-browser", "--port", str(port)]) == 2
    assert f"--port {port}: Address already in use: is it being served already?" in capsys.readouterr().err


@pytest.mark.parametrize("port", ["-1", "65536", "http"])
def test_a_port_that_is_none(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--port", port]) == 2
    assert "expected a port, 0 to 65535" in capsys.readouterr().err


def test_the_token_is_kept_for_the_user_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    token = kept_token()
    assert len(token) >= 20 and kept_token() == token
    file = tmp_path / "pegray" / "serve-token"
    assert file.stat().st_mode & 0o777 == 0o600
    file.chmod(0o644)
    assert kept_token() != token, "others may have read it"
    file.unlink()
    file.write_text("short")
    file.chmod(0o600)
    again = kept_token()
    assert len(again) >= 20 and kept_token() == again, "what is no token is replaced"
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_token_without_a_place_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pegray").write_text("a file")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert kept_token() != kept_token()


def test_what_is_needed_and_not_installed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.delitem(sys.modules, "pegray.serve.server", raising=False)
    assert main(["serve"]) == 1
    assert capsys.readouterr().err == "pegray: error: pegray serve needs uvicorn: pip install starlette uvicorn\n"
