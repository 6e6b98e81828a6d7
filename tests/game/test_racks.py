"""Racks that a record leaves out, worked out from the rest of it; the late turns of a game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pegray.game.annotate import annotated
from pegray.game.gcg import parse_gcg
from pegray.game.turns import Turn, late_turns

GAME = (Path(__file__).parents[2] / "jobs" / "games" / "close.gcg").read_text(encoding="utf-8")


def without_racks(player: str) -> str:
    return re.sub(rf"^>({player}): \S+ (?=\w)", r">\1: ", GAME, flags=re.MULTILINE)


def turns(text: str, max_bag: int = 4) -> dict[int, Turn]:
    return {turn.number: turn for turn in late_turns(parse_gcg(text.encode(), "game"), "game", max_bag)}


def test_a_full_record_tells_all() -> None:
    found = turns(GAME)
    assert list(found) == [22, 23, 24, 25, 26, 27]
    assert not any(turn.worked_out for turn in found.values())
    assert (found[22].player, found[22].rack, found[22].move) == ("Ben", "AAABEOO", "13A BAA")
    assert (found[22].drawn, found[22].stayed) == ("CIV", "E")
    assert (found[23].drawn, found[23].stayed) == ("E", "")
    assert [turn.bag for turn in found.values()] == [4, 1, 0, 0, 0, 0]


@pytest.mark.parametrize("player", ["Anna", "Ben", "(?:Anna|Ben)"])
def test_endgames_are_worked_out(player: str) -> None:
    """From the plays that follow, and what is left at the end; what may have been drawn is not guessed."""
    complete = turns(GAME)
    for number, turn in turns(without_racks(player)).items():
        if turn.bag == 0:
            assert turn.rack == complete[number].rack
            assert turn.position == complete[number].position
        elif turn.position is None:
            assert re.fullmatch(r"\d of 7 tiles known", turn.fault)


def test_a_rack_worked_out_is_marked() -> None:
    found = turns(without_racks("Ben"))
    assert [number for number, turn in found.items() if turn.worked_out] == [24, 26]
    assert (found[22].rack, found[22].fault, found[22].position) == ("AAB", "3 of 7 tiles known", None)
    # Anna's later rack has both of the tiles that she kept, but which of them she drew is open without Ben's
    assert found[23].drawn == "E"


def test_a_partial_rack_counts() -> None:
    text = GAME.replace(">Ben: AAABEOO 13A", ">Ben: EOO 13A")
    (turn,) = (turn for turn in turns(text).values() if turn.number == 22)
    assert turn.rack == "AABEOO"
    assert turn.fault == "6 of 7 tiles known"


def test_a_play_taken_back_counts_as_a_pass() -> None:
    text = GAME.replace(
        ">Anna: ELP N1 EL. +14 366\n", ">Anna: N1 EL. +14 366\n>Anna: ELP -- -14 352\n>Ben: EOV - +0 358\n"
    )
    text = text[: text.index(">Ben: EOV 12K")] + ">Anna: ELP N1 EL. +14 366\n"
    found = turns(text)
    assert (found[25].taken_back, found[25].counted_as, found[25].rack) == (True, "pass", "ELP")
    assert found[25].worked_out
    assert found[27].move == "pass"


def test_notes_go_after_the_events() -> None:
    text = GAME.replace(">Ben: ACEIOOV", "#note mine\nand on\n#note pegray: old\n>Ben: ACEIOOV")
    lines = annotated(text.encode(), "game", {26: "new", 33: "last"}).decode().splitlines()
    at = lines.index("#note pegray: new")
    assert lines[at - 3 : at] == [">Anna: GGGLLOP M9 GLOGG. +22 352", "#note mine", "and on"]
    assert lines[at + 1].startswith(">Ben: ACEIOOV")
    assert "#note pegray: old" not in lines
    assert lines[-2] == "#note pegray: last"
    again = annotated("\n".join(lines).encode(), "game", {26: "new", 32: "last"}).decode().splitlines()
    assert again[: at + 2] == lines[: at + 2]


def test_a_record_keeps_its_encoding_and_line_ends() -> None:
    data = GAME.replace("Anna Anna", "Anna Renée").replace("\n", "\r\n").encode("iso-8859-1")
    noted = annotated(data, "game", {4: "best"})
    assert b"Ren\xe9e\r\n" in noted
    assert b"\r\n#note pegray: best\r\n" in noted
    assert parse_gcg(noted, "noted").players == ("Anna", "Ben")
