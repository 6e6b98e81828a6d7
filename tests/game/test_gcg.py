"""GCG files: the events, the positions before them, and what is refused."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest

from pegray.errors import InputError
from pegray.game.gcg import EventKind, Game, read_gcg
from pegray.game.move import PASS
from pegray.game.notation import format_move
from pegray.game.position import Position
from pegray.game.tiles import load_distribution

DATA = Path(__file__).parent.parent / "data"
SMALL = load_distribution(str(DATA / "small.csv"))
TEXT = (DATA / "small.gcg").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def game() -> Game:
    return read_gcg(DATA / "small.gcg", SMALL)


def written(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


def placed(position: Position) -> int:
    return int((position.board != 0).sum())


def test_the_players_and_the_events(game: Game) -> None:
    assert game.players == ("Renée", "Tom")
    assert game.lexicon == "NWL20"
    assert [event.kind for event in game.events] == [
        EventKind.EXCHANGE,
        EventKind.EXCHANGE,
        EventKind.PASS,
        EventKind.PLAY,
        EventKind.CHALLENGE,
        EventKind.PLAY,
        EventKind.WITHDRAWAL,
        EventKind.PLAY,
        EventKind.PLAY,
        EventKind.PASS,
        EventKind.PLAY,
        EventKind.PLAY,
        EventKind.PLAY,
        EventKind.RACK_END,
        EventKind.TIME,
    ]
    assert [event.bag for event in game.events] == [10, 10, 10, 10, 5, 5, 2, 5, 2, 1, 1, 0, 0, 0, 0]
    assert [event.rack_size for event in game.events][10:] == [7, 7, 6, 0, 5]
    moves = [format_move(event.move, SMALL) for event in game.events if event.move is not None]
    assert moves == [
        "pass",
        "8D TRAIN",
        "I8 SeT",
        "D8 .EST",
        "8D .....S",
        "pass",
        "11D .EA",
        "F11 .IN",
        "I8 .TARTEr",
    ]


def test_the_position_before_a_play(game: Game) -> None:
    position = game.position(9)
    assert position.to_cgp() == (
        "15/15/15/15/15/15/15/3TRAIN7/3E11/3S11/3T11/15/15/15/15 ?AERSTT/ 0/21 0 lex NWL20; ld small;"
    )
    assert position.bag_size == 2
    assert position.opponent_rack is None
    assert game.events[8].move is not None
    assert game.position(10).scores == (21, 6)


def test_scoreless_turns_before_are_counted_of_both_players(game: Game, tmp_path: Path) -> None:
    """Two exchanges and a pass; a pass; a play that is withdrawn. The bonus of a challenge is no turn."""
    before = {1: 0, 3: 2, 4: 3, 6: 0, 9: 0, 10: 0, 11: 1}
    assert {turn: game.position(turn).scoreless for turn in before} == before
    assert game.events[2].move == PASS
    withdrawn = TEXT[: TEXT.index(">Tom: EST")] + ">Tom: AEINQRS - +0 17\n>Renée: ?AERSTT - +0 0\n"
    game = read_gcg(written(tmp_path / "withdrawn.gcg", withdrawn), SMALL)
    assert [game.position(turn).scoreless for turn in (6, 8, 9)] == [0, 1, 2]


def test_after_six_scoreless_turns_the_game_is_over(tmp_path: Path) -> None:
    passes = ">Renée: ?AERSTT - +0 0\n>Tom: AEINRST - +0 0\n" * 4
    game = read_gcg(written(tmp_path / "over.gcg", TEXT[: TEXT.index(">")] + passes), SMALL)
    assert [game.position(turn).scoreless for turn in range(1, 7)] == [0, 1, 2, 3, 4, 5]
    with pytest.raises(InputError, match=r"over\.gcg: turn 7: 6 scoreless turns before it: the game is over$"):
        game.position(7)


def test_a_phoney_is_on_the_board_until_it_is_withdrawn(game: Game) -> None:
    assert (game.events[6].board != 0).sum() == 8
    assert (game.events[7].board != 0).sum() == 5
    assert game.events[6].totals == (8, 17)
    assert game.events[7].totals == (0, 17)
    assert game.position(6).scores == (0, 17)


def test_the_bonus_of_a_failed_challenge_counts(game: Game) -> None:
    assert game.events[4].totals == (0, 12)
    assert game.events[5].totals == (0, 17)


def test_an_endgame_has_its_rack(game: Game) -> None:
    position = game.position(13)
    assert position.bag_size == 0
    assert SMALL.format_rack(position.rack) == "?AERTT"
    assert SMALL.format_rack(position.unseen) == "AEQRS"


def test_the_preendgame_turns(game: Game) -> None:
    assert game.preendgame_turns() == [6, 9, 10, 11]
    for turn in game.preendgame_turns():
        position = game.position(turn)
        assert 1 <= position.bag_size <= 6
        assert position.rack.sum() == 7
        assert Position.from_cgp(position.to_cgp(), SMALL) == position


@pytest.mark.parametrize(
    ("turn", "message"),
    [
        (0, "turn 0: the game has turns 1 to 15"),
        (16, "turn 16: the game has turns 1 to 15"),
        (-1, "turn -1: the game has turns 1 to 15"),
        (5, "turn 5 is a challenge bonus, not a move"),
        (7, "turn 7 is the withdrawal of a play, not a move"),
        (14, "turn 14 is a count of the tiles left at the end, not a move"),
        (15, "turn 15 is a time penalty, not a move"),
        (8, "turn 8: the rack of Tom is not known in full (EST of 7 tiles)"),
        (12, "turn 12: the rack of Tom is not known in full (none of 7 tiles)"),
    ],
)
def test_turns_without_a_position(game: Game, turn: int, message: str) -> None:
    with pytest.raises(InputError) as error:
        game.position(turn)
    assert str(error.value) == f"{DATA / 'small.gcg'}: {message}"


def test_iso_8859_1_undeclared() -> None:
    game = read_gcg(DATA / "latin1.gcg")
    assert game.players == ("Zoë", "Bob")
    assert game.lexicon is None
    assert game.distribution.name == "english"
    assert [event.totals for event in game.events] == [(0, 0), (66, 0), (66, 0), (66, 0), (66, -44)]
    assert game.events[1].rack is None
    assert game.preendgame_turns() == []
    assert game.position(3).to_cgp() == ("/".join(["15"] * 7 + ["7TRAINES1"] + ["15"] * 7) + " AAEEIOU/ 66/0 1")


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [("ISO-8859-1", "iso-8859-1"), ("iso-8859-1", "iso-8859-1"), ("UTF-8", "utf-8"), ("UTF-8", "utf-8-sig")],
)
def test_the_declared_encodings(tmp_path: Path, declared: str, encoding: str) -> None:
    file = written(tmp_path / "game.gcg", TEXT.replace("UTF-8", declared), encoding)
    assert read_gcg(file, SMALL).players == ("Renée", "Tom")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "iso-8859-1"])
def test_undeclared_encodings(tmp_path: Path, encoding: str) -> None:
    text = TEXT.replace("#character-encoding UTF-8\n", "").replace("\n", "\r\n")
    file = written(tmp_path / "game.gcg", text, encoding)
    assert len(read_gcg(file, SMALL).events) == 15


def test_a_mark_at_the_beginning_says_utf_8(tmp_path: Path) -> None:
    file = tmp_path / "game.gcg"
    file.write_bytes(codecs.BOM_UTF8 + TEXT.replace("UTF-8", "ISO-8859-1").encode())
    assert read_gcg(file, SMALL).players == ("Renée", "Tom")


def test_multi_character_tiles(tmp_path: Path) -> None:
    text = "#player1 a A\n#player2 b B\n>a: A[NY]AELRS 8G A[NY]A +24 24\n>b: ?AEIOST 8G (A[NY]A)S +13 13\n"
    game = read_gcg(written(tmp_path / "game.gcg", text), load_distribution("catalan"))
    position = game.position(2)
    assert position.to_cgp().startswith("15/15/15/15/15/15/15/6A[NY]A6/")
    assert position.to_cgp().endswith(" ?AEIOST/ 0/24 0 ld catalan;")


PLAY = ">Tom: AEINRST 8D TRAIN +12 12"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (PLAY, ">Tom: AEINRST 8D TRAIN +12 13", "line 11: total 13, but 0 and 12 make 12"),
        (PLAY, ">Tom: AEINRST 8D TRAIN +10000 10000", "line 11: total 10000: at most 9999"),
        ("(challenge) +5 17", "(challenge) +5 12", "line 12: total 12, but 12 and 5 make 17"),
        ("(time) -10 14", "(time) -10 24", "line 23: total 24, but 24 and -10 make 14"),
        ("-- -8 0", "-- -7 1", "line 14: -- takes back 8 points, not 7"),
        (PLAY, ">Tom: AEINRST 8A TRAIN +12 12", "line 11: the first play must cover 8H"),
        (PLAY, ">Tom: AEINRST 8L TRAIN +12 12", "line 11: 5 squares from 8L run off the board"),
        (PLAY, ">Tom: AEINRST 8P TRAIN +12 12", "line 11: '8P' is not a coordinate like 13L or N3"),
        (PLAY, ">Tom: AEINRST 8D TRAXN +12 12", "line 11: unknown letter 'X' at character 4 of 'TRAXN'"),
        (PLAY, ">Tom: AEINRSX 8D TRAIN +12 12", "line 11: rack: unknown letter 'X' at character 7"),
        (PLAY, ">Tom: AEINRSTT 8D TRAIN +12 12", "line 11: rack of 8 tiles, but the player holds 7"),
        (PLAY, ">Tom: AEIINRS 8D TRAIN +12 12", "line 11: not enough tiles T on the rack to play them"),
        (PLAY, ">Tom: QQ 8D TRAIN +12 12", "line 11: 2 x Q on the board and the rack, but small has 1"),
        (PLAY, ">Bob: AEINRST 8D TRAIN +12 12", "line 11: Bob is neither #player1 nor #player2"),
        (PLAY, ">Tom: AEINRST 8D TRAIN 12", "line 11: expected a move, a score and a total"),
        (PLAY, ">Tom: AEINRST TRAIN +12 12", "line 11: 'TRAIN' is no move"),
        (PLAY, ">Tom AEINRST 8D TRAIN +12 12", "line 11: expected >PLAYER: RACK MOVE SCORE TOTAL"),
        (PLAY, ">Tom: TRAIN +12 12", "line 11: 'TRAIN' is no move"),
        (PLAY, ">Tom: A B 8D TRAIN +12 12", "line 11: expected >PLAYER: RACK MOVE SCORE TOTAL"),
        (PLAY, "garbage", "line 11: expected an event (>) or a pragma (#)"),
        ("I8 SeT +8 8", "A1 SeT +8 8", "line 13: the tiles are not connected"),
        ("D8 (T)EST", "D8 (S)EST", "line 15: 8D already holds T"),
        (">Renée: ?AERSTT -- ", ">Tom: AEINRST -- ", "line 14: -- takes back a play, but"),
        ("?AEQRST -Q +0", "?AEQRST -X +0", "line 6: unknown letter 'X'"),
        ("?AEQRST -Q +0", "?AEQRST --5 +0", "line 6: unknown letter '-'"),
        ("(AEQRS) +28", "(AEXRS) +28", "line 22: unknown letter 'X'"),
        ("#player2 Tom Tom Smith", "#player2 Tom\n#lexicon A; ld x", "line 5: #lexicon A; ld x: a name has no ; in it"),
        ("#player2 Tom Tom Smith", "", "line 6: #player1 and #player2 must name the players"),
        ("#player2 Tom Tom Smith", "#player2 Renée", "line 6: #player1 and #player2 are both Renée"),
    ],
)
def test_faulty_games_are_refused_with_the_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert TEXT.count(old) == 1
    file = written(tmp_path / "game.gcg", TEXT.replace(old, new))
    with pytest.raises(InputError) as error:
        read_gcg(file, SMALL)
    assert str(error.value).startswith(f"{file}: {message}")
    assert "\n" not in str(error.value)


def test_tiles_beyond_the_distribution(tmp_path: Path) -> None:
    text = "#player1 a\n#player2 b\n>a: 8H ZZ +0 0\n"
    with pytest.raises(InputError, match="line 3: 2 x Z on the board and the rack, but english has 1"):
        read_gcg(written(tmp_path / "game.gcg", text))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "no events"),
        (b"#player1 a\n#player2 b\n", "no events"),
        (b"\x00\x01\x02\xff", "line 1: expected an event"),
        (b"#character-encoding klingon\n", "unknown #character-encoding klingon"),
        (b"#character-encoding UTF-8\n#player1 Zo\xeb\n", "not a text in UTF-8"),
        (codecs.BOM_UTF8 + b"\xff", "not a text in utf-8"),
    ],
)
def test_files_that_are_no_game(tmp_path: Path, data: bytes, message: str) -> None:
    file = tmp_path / "game.gcg"
    file.write_bytes(data)
    with pytest.raises(InputError, match=f"game.gcg: {message}"):
        read_gcg(file)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="none.gcg: No such file or directory"):
        read_gcg(tmp_path / "none.gcg")


# -- a game in progress ---------------------------------------------------------------------------------------

HEAD, END = TEXT.partition(">Tom: AEINQRS - ")[:2]
IN_PROGRESS = HEAD  # eight events and a note; Renée has played 8D .....S, Tom is on turn


def in_progress(tmp_path: Path, lines: str, before: str = IN_PROGRESS) -> Game:
    return read_gcg(written(tmp_path / "game.gcg", before + lines), SMALL)


@pytest.mark.parametrize(
    "lines",
    [
        "#rack2 AEINQRS\n",
        "#rack1 ?AETT\n#rack2 AEINQRS\n",
        "#Rack2 AEINQRS",
        ">Tom: AEINQRS\n",
        ">Tom:   AEINQRS  \n#note what now?\nhm\n",
        "#rack2 NIQRSAE\n\n",
    ],
)
def test_a_rack_that_nothing_has_been_played_from_is_the_position(tmp_path: Path, lines: str, game: Game) -> None:
    played = in_progress(tmp_path, lines)
    assert played.in_progress and not game.in_progress
    assert len(played.events) == 10
    assert played.position() == played.position(10) == game.position(10)
    assert played.position(9) == game.position(9)
    assert played.preendgame_turns() == [6, 9, 10]


def test_the_rack_may_be_written_at_the_top(tmp_path: Path, game: Game) -> None:
    text = IN_PROGRESS.replace("#lexicon", "#rack2 AEINQRS\n#lexicon")
    assert in_progress(tmp_path, "", text).position() == game.position(10)


def test_only_the_last_rack_needs_to_be_known(tmp_path: Path, game: Game) -> None:
    plays = ">Tom: 8D TRAIN +12 12\n>Renée: - +0 0\n>Tom: D8 .EST +4 16\n>Renée: 8D .....S +6 6\n"
    played = in_progress(tmp_path, plays + "#rack2 AEINQRS\n", "#player1 Renée\n#player2 Tom\n")
    assert [event.rack for event in played.events[:-1]] == [None] * 4
    assert played.position().to_cgp().split()[:2] == game.position(10).to_cgp().split()[:2]


def test_a_play_taken_back_leaves_the_other_on_turn(tmp_path: Path, game: Game) -> None:
    text = TEXT.partition(">Tom: EST D8")[0]
    assert in_progress(tmp_path, "#rack2 AEINQST\n", text).position().scores == (17, 0)
    with pytest.raises(InputError, match="a rack without a move of Renée, but Tom is on turn"):
        in_progress(tmp_path, ">Renée: ?AERSTT\n", text)


def test_before_the_first_move(tmp_path: Path) -> None:
    text = "#player1 a A\n#player2 b B\n"
    assert in_progress(tmp_path, "#rack1 AEINRST\n", text).position().bag_size == 10
    assert in_progress(tmp_path, "#rack2 AEINRST\n", text).events[0].player == 1
    assert in_progress(tmp_path, ">b: AEINRST\n", text).events[0].player == 1


def test_a_rack_given_of_a_game_that_is_over_means_nothing(tmp_path: Path) -> None:
    played = in_progress(tmp_path, "#rack1 AEINRST\n#rack2 AEINQRS\n", TEXT)
    assert len(played.events) == 15
    with pytest.raises(InputError, match="which turn"):
        played.position()


def test_a_rack_of_the_player_who_is_not_on_turn_is_no_position(tmp_path: Path) -> None:
    played = in_progress(tmp_path, "#rack1 ?AEERTT\n")
    assert not played.in_progress
    with pytest.raises(InputError, match="which turn"):
        played.position()


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("#rack2 AEINQRSS\n", "line 18: rack of 8 tiles, but the player holds 7"),
        ("#rack2 AEINQRX\n", "line 18: rack: unknown letter 'X' at character 7"),
        (">Tom: AEINQQR\n", "line 18: 2 x Q on the board and the rack, but small has 1"),
        (">Renée: ?AEERTT\n", "line 18: a rack without a move of Renée, but Tom is on turn"),
        (">Tom: AEINQRS\n>Tom: AEINQRS - +0 21\n", "line 19: an event after line 18, which gives a rack and no move"),
        (">Tom: AEINQRS\n>Tom: AEINQRS\n", "line 19: an event after line 18, which gives a rack and no move"),
    ],
)
def test_racks_that_cannot_be(tmp_path: Path, lines: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        in_progress(tmp_path, lines)
    assert str(error.value).startswith(f"{tmp_path / 'game.gcg'}: {message}")


def test_a_rack_after_the_end_of_the_game(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 24: a rack without a move, but the game is over"):
        in_progress(tmp_path, ">Tom: AEQRS\n", TEXT)


def test_a_rack_in_progress_that_is_not_full(tmp_path: Path) -> None:
    played = in_progress(tmp_path, "#rack2 AEINQR\n")
    assert played.preendgame_turns() == [6, 9]
    with pytest.raises(InputError, match=r"turn 10: the rack of Tom is not known in full \(AEINQR of 7 tiles\)"):
        played.position()


# -- tiles that a play taken back has shown -------------------------------------------------------------------


def known(played: Game, turn: int | None = None) -> str:
    """The tiles that the opponent of the player on turn is known to hold."""
    tiles = played.position(turn).known
    assert tiles is not None
    return SMALL.format_rack(tiles)


def test_a_play_taken_back_tells_tiles_until_they_are_played(game: Game, tmp_path: Path) -> None:
    assert [known(game, turn) for turn in (1, 2, 3, 4, 6)] == [""] * 5
    text = TEXT.partition(">Tom: EST D8")[0]
    after = in_progress(tmp_path, "#rack2 AEINQST\n", text)
    assert known(after) == "?ST", "SeT was taken back"
    # Renée then plays an S: the blank and the T are still there. Tom shows nothing.
    assert known(game, 10) == "?T"
    assert known(game, 9) == known(game, 11) == ""
    assert known(game, 13) == ""


TWICE = """#player1 a A
#player2 b B
>a: AEINRST 8D TRAIN +12 12
>b: AEINRST I8 SET +6 6
>b: AEINRST -- -6 0
>a: AEQRST? - +0 12
"""


def test_two_plays_taken_back_tell_what_either_shows(tmp_path: Path) -> None:
    text = TWICE + ">b: AEINRST I8 TEST +6 6\n"
    with pytest.raises(InputError, match="not enough tiles T on the rack"):
        in_progress(tmp_path, "", text)
    text = TWICE + ">b: AEINRST I8 SIN +6 6\n>b: AEINRST -- -6 0\n"
    assert known(in_progress(tmp_path, "#rack1 AEQRST?\n", text)) == "EINST"
    text += ">a: AEQRST? - +0 12\n>b: AEINRST 7H NE +4 4\n"
    assert known(in_progress(tmp_path, "#rack1 AEQRST?\n", text)) == "IST"


def test_after_an_exchange_only_what_cannot_have_gone_back_is_known(tmp_path: Path) -> None:
    for exchanged in ("-1", "-A"):
        text = TWICE + f">b: AEINRST {exchanged} +0 0\n"
        assert known(in_progress(tmp_path, "#rack1 AEQRST?\n", text)) == ""
    text = TWICE.replace("I8 SET", "I8 TEST").replace("AEINRST I8", "AESTTIN I8").replace("AEINRST --", "AESTTIN --")
    assert known(in_progress(tmp_path, "#rack1 AEQRSN?\n", text.replace("AEQRST?", "AEQRSN?") + ">b: -1 +0 0\n")) == "T"


def test_a_rack_without_the_tiles_of_the_play_taken_back_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 7: not enough tiles S on the rack: a play with them has been"):
        in_progress(tmp_path, ">b: AEIINRT 7H NE +4 4\n", TWICE)


def test_a_blank_may_be_written_through_as_the_plain_letter(tmp_path: Path) -> None:
    plays = ">a: ?AEINST 8D TrAIN +10 10\n>b: AEERSTT 8D TRAINS +5 5\n#rack1 AEINQST\n"
    played = in_progress(tmp_path, plays, "#player1 a\n#player2 b\n")
    assert played.position().to_cgp().startswith("15/15/15/15/15/15/15/3TrAINS6/15/")
