"""A machine that is to be taken away: the notice of a spot instance, as AWS gives it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import pytest

from pegray.cluster import leave
from tests.cluster.head import free_ports


class Instance(BaseHTTPRequestHandler):
    """What AWS tells an instance of itself; ``action``: when it is to end, if it is."""

    action: str | None = None

    def do_PUT(self) -> None:
        self.answer("token" if self.headers["X-aws-ec2-metadata-token-ttl-seconds"] else None)

    def do_GET(self) -> None:
        known = self.headers["X-aws-ec2-metadata-token"] == "token" and self.path.endswith("/spot/instance-action")
        self.answer(self.action if known else None)

    def answer(self, text: str | None) -> None:
        self.send_response(404 if text is None else 200)
        self.end_headers()
        self.wfile.write((text or "").encode())

    def log_message(self, *arguments: object) -> None:
        pass


@pytest.fixture
def service() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Instance) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_notice_is_waited_for(service: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []

    def wait(seconds: float) -> None:
        asked.append(seconds)
        end = datetime.now(UTC) + timedelta(seconds=120)
        monkeypatch.setattr(
            Instance, "action", json.dumps({"action": "terminate", "time": f"{end:%Y-%m-%dT%H:%M:%SZ}"})
        )

    assert leave.spot_end(service) is None
    # in this module alone: other threads sleep as well
    monkeypatch.setattr(leave, "time", SimpleNamespace(sleep=wait, time=time.time))
    assert 60 < leave.wait_for_notice(service) <= 120
    assert len(asked) == 1


def test_where_nobody_answers_there_is_no_notice() -> None:
    assert leave.spot_end(f"http://127.0.0.1:{free_ports(1)[0]}") is None


def test_what_ray_says_is_passed_on(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    told: list[tuple[float, str]] = []

    def tell(seconds: float, address: str) -> str:
        told.append((seconds, address))
        return "" if address == "auto" else "it is the head"

    monkeypatch.setattr(leave, "tell_ray", tell)
    assert leave.main(["--seconds", "30"]) == 0
    assert leave.main(["--seconds", "30", "--address", "10.0.0.1:6379"]) == 1
    assert capsys.readouterr().err.splitlines()[-1] == "pegray: error: Ray does not let this node go: it is the head"
    assert told == [(30.0, "auto"), (30.0, "10.0.0.1:6379")]
