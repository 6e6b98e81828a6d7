"""What the server of the page answers; its programs solve nothing."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from pegray.game.position import Position
from pegray.results.write import RunWriter
from pegray.runs.options import RunOptions
from pegray.serve.app import Service, application
from pegray.serve.explaining import answer
from tests.serve.conftest import TOKEN
from tests.serve.made import CGP, write_answer

GAME = Path(__file__).parents[1] / "docs" / "game.gcg"
QUESTION: dict[str, Any] = {"cgp": CGP, "name": "first", "lexicon": "ENABLE", "options": {"until": "answer", "top": 2}}


def begun(client: TestClient, name: str = "first") -> str:
    answer = client.post("api/runs", json={**QUESTION, "name": name})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["run"])


def wait_for(client: TestClient, run: str, state: str, points: str = "", seconds: float = 30) -> dict[str, Any]:
    """The run in a list, once it has come to a state, and its best play to these points."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        (row,) = (row for row in client.get("api/runs").json() if row["run"] == run)
        if row["state"] == state and row["points"].startswith(points):
            return dict(row)
        time.sleep(0.05)
    raise AssertionError(row)


def jobs(client: TestClient) -> dict[str, dict[str, Any]]:
    """What the stream tells of the jobs, by run."""
    with client.stream("GET", "api/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        line = next(line for line in stream.iter_lines() if line.startswith("data: "))
    return {job["run"]: job for job in json.loads(line.removeprefix("data: "))["jobs"]}


def stored(folder: Path, name: str = "stored") -> str:
    """A run that is there, and finished."""
    out = RunWriter(folder / name)
    row = {"cgp": CGP, "lexicon": "ENABLE", "bag": 1, "unseen": "AACEISUY", "total": 8, "source": "f:1", "name": "old"}
    out.add_position(row)
    write_answer(out, "complete")
    return name


def test_the_page_and_its_parts(client: TestClient) -> None:
    page = client.get("")
    assert page.status_code == 200 and "<title>pegray</title>" in page.text
    names = re.findall(r'(?:src|href)="((?:page|parts)/[^"]+)"', page.text)
    assert len(names) >= 4
    scripts = [name for name in names if name.endswith(".js")]
    for name in names:
        part = client.get(name)
        assert part.status_code == 200, name
        if name.endswith(".js"):
            scripts += [f"page/{other}" for other in re.findall(r'from "\./([\w.]+)"', part.text)]
    assert all(client.get(name).status_code == 200 for name in scripts)
    assert "http://" not in page.text and "https://" not in page.text, "it works offline"
    assert page.headers["content-security-policy"].startswith("default-src 'self'")


@pytest.mark.parametrize(
    ("headers", "path", "said"),
    [
        ({}, "/", "token"),
        ({}, "/api/runs", "token"),
        ({}, f"/{TOKEN}x/", "token"),
        ({}, f"/{TOKEN[:-1]}/api/runs", "token"),
        ({"host": "example.com"}, f"/{TOKEN}/api/runs", "this machine only"),
        ({"host": "127.0.0.1.example.com:8765"}, f"/{TOKEN}/api/runs", "this machine only"),
        ({"host": ""}, f"/{TOKEN}/api/runs", "this machine only"),
        ({"origin": "http://example.com"}, f"/{TOKEN}/api/runs", "another page"),
        ({"origin": "http://127.0.0.1:9999"}, f"/{TOKEN}/api/runs", "another page"),
        ({"origin": "null"}, f"/{TOKEN}/api/runs", "another page"),
    ],
)
def test_who_is_refused(client: TestClient, headers: dict[str, str], path: str, said: str) -> None:
    answer = client.get(f"http://127.0.0.1:8765{path}", headers=headers)
    assert answer.status_code == 403
    assert said in answer.text


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost:8765", "[::1]:8765"])
def test_who_is_let_in(client: TestClient, host: str) -> None:
    headers = {"host": host, "origin": f"http://{host}"}
    assert client.get(f"http://127.0.0.1:8765/{TOKEN}/api/runs", headers=headers).json() == []


def test_what_there_is_to_choose_from(client: TestClient) -> None:
    choices = client.get("api/choices").json()
    assert "ENABLE" in choices["lexica"]
    assert choices["options"] == {"opponent": ["guaranteed", "rational"], "until": ["answer", "level", "spread"]}
    blank, a, *_ = choices["distributions"]["english"]
    assert (blank["tile"], a) == ("?", {"tile": "A", "blank": "a", "count": 9, "points": 1})
    assert "spanish" in choices["distributions"] and "<svg" in choices["board"]


def test_a_pasted_cgp(client: TestClient) -> None:
    answer = client.post("api/position", content=f"# a comment\n{CGP}\n").json()
    position = answer["position"]
    assert position["rack"] == "ENOSTXY" and position["scores"] == [356, 378]
    assert (position["unseen"], position["bag"]) == ("AACEISUY", 1)
    assert position["board"][18] == "Q" and position["board"].count("") == 225 - 85
    assert answer["number"] == 2 and len(answer["choices"]) == 1


def test_a_pasted_game(client: TestClient) -> None:
    answer = client.post("api/position", content=GAME.read_bytes()).json()
    numbers = [choice["number"] for choice in answer["choices"]]
    assert numbers and answer["number"] == numbers[-1]
    assert f"turn {numbers[0]}, " in answer["choices"][0]["label"] and "in the bag" in answer["choices"][0]["label"]
    first = client.post(f"api/position?number={numbers[0]}", content=GAME.read_bytes()).json()
    assert first["number"] == numbers[0] and first["position"]["bag"] >= answer["position"]["bag"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "nothing is there to read"),
        ("hello", "CGP: 1 fields"),
        (CGP.replace("ENOSTXY", "ENOSTX9"), "RACK1"),
        (CGP.replace("3Q7U3", "3Q7U2"), "row 2"),
        (b"\xff\xfe\x00", "not a text file in UTF-8"),
    ],
)
def test_what_cannot_be_read(client: TestClient, text: str | bytes, said: str) -> None:
    answer = client.post("api/position", content=text)
    assert answer.status_code == 400
    assert said in answer.json()["error"]


def test_a_run_from_beginning_to_end(client: TestClient) -> None:
    run = begun(client)
    assert re.fullmatch(r"\d{8}-\d{6}-first", run)
    row = wait_for(client, run, "finished")
    assert (row["best"], row["points"], row["bag"], row["lexicon"]) == ("13L ONYX", "7.5 of 8", 1, "ENABLE")
    about = client.get(f"api/runs/{run}").json()
    assert about["options"]["top"] == 2 and about["can_resume"]
    table = client.get(f"api/runs/{run}/0").json()
    assert [(play["move"], play["least"], play["most"]) for play in table["plays"]] == [
        ("13L ONYX", 7.5, 7.5),
        ("N3 STEY", 0, 6),
        ("pass", 0, 7),
    ]
    assert table["state"] == "complete" and "13L ONYX" in table["table"] and table["hidden"] == 0
    assert client.get(f"api/runs/{run}/0?rows=1").json()["hidden"] == 2


def test_a_play_and_two_beside_each_other(client: TestClient, folder: Path) -> None:
    address = f"api/runs/{stored(folder)}/0/play"
    play = client.get(address, params={"move": "13L ONYX"}).json()
    assert [(draw["draw"], draw["label"], draw["reply"]) for draw in play["draws"]] == [
        ("[A]", "W", None),
        ("[Y]", "D", "2A CAI.UE"),
    ]
    assert play["heading"] == "13L ONYX: 7 won, 1 tied, 0 lost" and play["open"] == 5
    assert [tile[:2] for tile in play["plies"][0]["tiles"]] == [[191, "O"], [192, "N"], [193, "Y"], [194, "X"]]
    passed = client.get(address, params={"move": "pass"}).json()
    assert [draw["label"] for draw in passed["draws"]] == ["L?"] and passed["notes"]
    both = client.get(address, params={"move": "13L ONYX", "beside": "N3 STEY"}).json()
    assert [(draw["draw"], draw["one"]["label"], draw["two"]["label"]) for draw in both["draws"]] == [("[A]", "W", "L")]
    both = client.get(address, params={"move": "13L ONYX", "beside": "pass"}).json()
    assert [(draw["draw"], draw["one"]["label"], draw["two"]["label"]) for draw in both["draws"]] == [
        ("[]Y", "D", "L?")
    ]


def test_a_report(client: TestClient, folder: Path) -> None:
    answer = client.get(f"api/runs/{stored(folder)}/report")
    assert answer.status_code == 200 and "13L ONYX" in answer.text
    assert answer.headers["content-disposition"] == "attachment; filename*=UTF-8''stored.html"


def test_a_line(client: TestClient, folder: Path) -> None:
    address = f"api/runs/{stored(folder)}/0/line"
    for _ in range(2):  # the program stays
        line = client.get(address, params={"move": "13L ONYX", "draw": "[Y]"}).json()
        assert [(ply["by"], ply["move"], ply["score"]) for ply in line["plies"]] == [
            ("us", "13L ONYX", 33),
            ("them", "2A CAI.UE", 38),
            ("us", "1F TYES", 23),
        ]
        assert [ply["racks"] for ply in line["plies"]] == [["ESTY", "AACEISU"], ["ESTY", "AS"], ["", "AS"]]
        assert [ply["scores"] for ply in line["plies"]] == [[389, 378], [389, 416], [412, 416]]
    wrong = client.get(address, params={"move": "13L ONYX", "draw": "[Z]"})
    assert (wrong.status_code, wrong.json()) == (
        400,
        {"error": "draw [Z]: Z cannot be in the bag so often", "option": "draw"},
    )


def test_one_at_a_time_and_the_next_waits(client: TestClient) -> None:
    slow, next_one = begun(client, "slow"), begun(client, "next")
    assert slow != next_one
    wait_for(client, slow, "running", "2..")
    assert wait_for(client, next_one, "stopped")["states"] == {"open": 1, "answered": 0, "complete": 0}
    again = client.post(f"api/runs/{next_one}/resume", json={})
    assert (again.status_code, again.json()["error"]) == (400, f"{next_one}: is being solved, or waits for its turn")
    client.post(f"api/runs/{slow}/stop")
    wait_for(client, slow, "stopped")
    wait_for(client, next_one, "finished")
    client.post(f"api/runs/{slow}/resume", json={"until": "level", "time_limit": "10m"})
    wait_for(client, slow, "finished")


def test_a_solve_that_dies(client: TestClient) -> None:
    run = begun(client, "broken")
    until = time.monotonic() + 30
    while not (job := jobs(client)[run])["fault"] and time.monotonic() < until:
        time.sleep(0.05)
    assert (job["stage"], job["fault"][:33]) == ("ended", "the solve has ended unexpectedly;")
    assert wait_for(client, run, "stopped")["best"] is None


def test_a_waiting_run_is_taken_from_the_queue(client: TestClient) -> None:
    slow, waiting = begun(client, "slow"), begun(client, "waiting")
    assert client.post(f"api/runs/{waiting}/stop").status_code == 200
    wait_for(client, slow, "running")
    client.post(f"api/runs/{slow}/stop")
    wait_for(client, slow, "stopped")
    assert wait_for(client, waiting, "stopped")["best"] is None


@pytest.mark.parametrize(
    ("change", "option", "said"),
    [
        ({"cgp": CGP.replace("356/378", "many")}, None, "scores 'many'"),
        ({"cgp": "15/15"}, None, "CGP: 1 fields"),
        ({"lexicon": "NOSUCH"}, None, "unknown lexicon 'NOSUCH'"),
        ({"lexicon": "/etc/passwd.txt"}, "lexicon", "expected the name of a lexicon"),
        ({"distribution": "/etc/tiles.csv"}, "distribution", "expected the name of a distribution"),
        ({"time_limit": "soon"}, "time_limit", "time limit soon: expected seconds, more than 0"),
        ({"options": {"top": 0}}, "top", "top 0: expected a whole number of at least 1"),
        ({"options": {"known_rack": "ZZ"}}, "known_rack", "known rack ZZ: 2 x Z, but 0 unseen"),
        ({"options": {"only": ["13L ONYZ9"]}}, "only", "only 13L ONYZ9"),
        ({"options": {"unheard_of": 1}}, None, "unheard_of"),
        ({"unheard_of": 1}, "unheard_of", "Extra inputs are not permitted"),
        ({"name": 7}, "name", "valid string"),
    ],
)
def test_what_cannot_be_asked(
    client: TestClient, folder: Path, change: dict[str, Any], option: str | None, said: str
) -> None:
    answer = client.post("api/runs", json={**QUESTION, **change})
    assert answer.status_code == 400
    assert said in answer.json()["error"]
    assert answer.json()["option"] == option
    assert not list(folder.glob("*")), "no run was begun"


@pytest.mark.parametrize(
    "address", ["none", "none/0", "none/0/play?move=pass", "..", "%2e%2e/0", "stored/7", "stored/0/play?move=A1+NO"]
)
def test_what_is_not_there(client: TestClient, folder: Path, address: str) -> None:
    stored(folder)
    answer = client.get(f"api/runs/{address}")
    assert answer.status_code in (403, 404)
    assert "Traceback" not in answer.text


def test_runs_of_others(client: TestClient, folder: Path) -> None:
    stored(folder)
    (folder / "damaged").mkdir()
    (folder / "damaged" / "manifest.json").write_text("{")
    (folder / "no-run").mkdir()
    rows = {row["run"]: row for row in client.get("api/runs").json()}
    assert rows.keys() == {"stored", "damaged"}
    assert rows["stored"]["best"] == "13L ONYX" and "is corrupted" in rows["damaged"]["fault"]
    assert not client.get("api/runs/stored").json()["can_resume"]
    claimed = RunWriter(folder / "stored")
    claimed.claim()
    claimed.write_manifest({"state": "running"})
    assert client.get("api/runs/stored").json()["state"] == "running"
    claimed.release()
    assert client.get("api/runs/stored").json()["state"] == "stopped"


def test_an_accident_has_no_traceback(client: TestClient, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pegray.serve.shown.run_json", lambda stored: 1 / 0)
    answer = client.get(f"api/runs/{stored(folder)}")
    assert answer.status_code == 500
    assert answer.json()["error"] == "something went wrong in pegray; the terminal says what"


@pytest.mark.slow
def test_solved_and_explained_indeed(folder: Path) -> None:
    service = Service(str(folder), RunOptions(address="none"))
    with TestClient(application(service, TOKEN), base_url=f"http://127.0.0.1:8765/{TOKEN}/") as client:
        few = {**QUESTION, "options": {"only": ["13L ONYX", "13J EXON"]}}
        run = client.post("api/runs", json=few).json()["run"]
        row = wait_for(client, run, "finished", seconds=300)
        assert (row["best"], row["points"], row["states"]["complete"]) == ("13L ONYX", "7.5 of 8", 1)
        line = client.get(f"api/runs/{run}/0/line", params={"move": "13L ONYX", "draw": "[Y]"}).json()
        assert (line["outcome"], line["steps"][-1]["final_spread"]) == ("D", 0)
        assert [ply["by"] for ply in line["plies"]][:2] == ["us", "them"]


@pytest.mark.slow
def test_a_line_of_an_endgame() -> None:
    position = Position.from_cgp(CGP).after("13L ONYX", "Y").after("2A CAI.UE")
    asked = {"cgp": position.to_cgp(), "distribution": None, "lexicon": "ENABLE", "move": "1F TYES", "draw": "[]"}
    line = answer({**asked, "known_rack": "", "no_exchange": False}, lambda news: None)
    assert (line["outcome"], line["steps"][0]["final_spread"]) == ("D", 0)
    assert [(ply["move"], ply["racks"], ply["bag"]) for ply in line["plies"]] == [("1F TYES", ["", "AS"], "")]
