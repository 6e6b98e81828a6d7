"""The whole line of an explanation, from position to position, through nested turns of ours to the end."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pegray.cli import main
from pegray.game.gcg import read_gcg
from pegray.game.position import Position
from pegray.game.scoring import rack_value

DOCUMENTS = Path(__file__).parents[1] / "docs"


def settled_spread(position: Position) -> int:
    """Final spread of a solved line at its end, by two passes or a play out, for the player who would be on turn."""
    assert position.opponent_rack is not None
    ours, theirs = (rack_value(rack, position.distribution) for rack in (position.rack, position.opponent_rack))
    if position.scoreless == 2:
        return position.spread - ours + theirs
    assert position.is_over
    return position.spread - 2 * ours + 2 * theirs


@pytest.mark.parametrize(("play", "draw"), [("G7 ....D", "ZORO"), ("F10 .A", "ZRO?")])
def test_a_line_through_a_nested_turn(play: str, draw: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Four tiles in the bag, of which the first turns leave some."""
    position = replace(read_gcg(DOCUMENTS / "game.gcg").position(22), scores=(283, 289))
    lexicon = str(DOCUMENTS / "words.txt")
    assert main(["explain", position.to_cgp(), "--lexicon", lexicon, "--play", play, "--draw", draw, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert len(document["steps"]) == 2
    plies = document["plies"]
    assert [ply["player"] for ply in plies[:3]] == ["us", "opponent", "us"]
    assert plies[1]["cgp"] == document["steps"][1]["cgp"]
    assert "".join(ply["draw"] for ply in plies) == draw
    last = Position.from_cgp(plies[-1]["cgp"].rsplit(" ", 1)[0] + " 0")
    last = replace(last, scoreless=int(plies[-1]["cgp"].split()[3]))
    spread = settled_spread(last)
    ours = -spread if plies[-1]["player"] == "us" else spread
    assert ours == document["steps"][-1]["final_spread"]


def test_of_a_run_against_another_opponent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The pass wins with the E in the bag against the rational opponent, who does not know that it is there."""
    monkeypatch.chdir(tmp_path)
    first = (Path(__file__).parents[2] / "jobs" / "first.cgp").read_text().splitlines()[-1]
    ahead = " ".join([*first.split()[:2], "384/378", "0"])
    alone = ["--only", "pass", "--no-early-cutoff", "--no-tiebreak", "--address", "none", "--out", "run"]
    assert main(["solve", ahead, *alone, "--opponent", "rational", "--json"]) == 0
    (play,) = json.loads(capsys.readouterr().out)["plays"]
    assert {outcome["draw"]: outcome["outcome"] for outcome in play["outcomes"]}["[]E"] == "W"
    assert main(["explain", "run", "--play", "pass", "--draw", "[]E", "--json"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["outcome"] == "L"
    assert "this is the line of guaranteed wins, not of the run's rational opponent\n" in printed.err
