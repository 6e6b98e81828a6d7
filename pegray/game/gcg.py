"""GCG, the text of a whole game: the events, and the position before each of them."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pegray.errors import InputError, check_kind, why_unreadable
from pegray.game.layout import SQUARES, Layout, load_layout
from pegray.game.move import PASS, Move
from pegray.game.notation import parse_move
from pegray.game.position import Position
from pegray.game.rules import MOST_SCORE, RACK_SIZE, is_preendgame, rule_set
from pegray.game.scoring import check_placement
from pegray.game.tiles import Distribution, load_distribution

_EVENT = re.compile(r">(\S+):\s*(.*)")
_NUMBER = re.compile(r"[+-]?\d{1,5}")
_COUNT = re.compile(r"\d{1,2}")
_GAME = re.compile(rb"^\s*(?:>|#(?:player|rack)[12]\b)", re.MULTILINE | re.IGNORECASE)
_TEXT_ENCODING = re.compile(r"(?:utf|ascii|us-ascii|iso|latin|cp|windows|mac|koi)[\w-]*$", re.IGNORECASE)
_ENCODING = re.compile(rb"^#character-encoding[ \t]+(\S+)", re.MULTILINE | re.IGNORECASE)


class EventKind(Enum):
    """What an event is, in the words of an error message."""

    PLAY = "a play"
    PASS = "a pass"
    EXCHANGE = "an exchange"
    WITHDRAWAL = "the withdrawal of a play"
    CHALLENGE = "a challenge bonus"
    RACK_END = "a count of the tiles left at the end"
    TIME = "a time penalty"
    RACK = "a rack that nothing has been played from yet"


# Before these a player was on turn with a choice to make.
TURNS = {EventKind.PLAY, EventKind.PASS, EventKind.EXCHANGE, EventKind.RACK}
# After these the other player is on turn.
_TURN_ENDS = {EventKind.PLAY, EventKind.PASS, EventKind.EXCHANGE, EventKind.WITHDRAWAL}


@dataclass(frozen=True, eq=False)
class Event:
    """One event of a game, and how things stood before it.

    line: its line in the file; player: 0 or 1; score: the points of this event
    rack: uint8[size], the tiles written for the player, perhaps not all of them, or None
    move: the move of a play or pass, else None
    board: uint8[225] before the event; totals: scores of both players before it
    bag: tiles in the bag; rack_size: tiles that the player holds
    opponent_known: uint8[size], tiles that the other player is known to hold, since a play with them was taken back
    left: uint8[size], the tiles that a count at the end names, else None
    """

    line: int
    player: int
    kind: EventKind
    rack: npt.NDArray[np.uint8] | None
    move: Move | None
    score: int
    board: npt.NDArray[np.uint8]
    totals: tuple[int, int]
    bag: int
    rack_size: int
    opponent_known: npt.NDArray[np.uint8]
    left: npt.NDArray[np.uint8] | None = None

    @property
    def rack_known(self) -> bool:
        """Whether the player's rack is known in full."""
        return self.rack is not None and int(self.rack.sum()) == self.rack_size


@dataclass(frozen=True, eq=False)
class Game:
    """A game read from a GCG file. Turns are numbered from 1 over all its events.

    If the game is in progress and the file gives the rack of the player on turn, that is the last event.
    """

    source: str
    players: tuple[str, str]
    lexicon: str | None
    events: tuple[Event, ...]
    distribution: Distribution
    layout: Layout

    @classmethod
    def from_gcg(cls, path_or_text: str | os.PathLike[str], distribution: Distribution | str = "english") -> Game:
        """Read a GCG file, or the text of one: what has more than one line is text, what has one is a path.

        distribution: that of the game, or its name

        Raises InputError naming the line at fault.
        """
        tiles = load_distribution(distribution) if isinstance(distribution, str) else distribution
        if isinstance(path_or_text, str) and len(path_or_text.splitlines()) > 1:
            return parse_gcg(path_or_text.encode(), "GCG", tiles)
        return read_gcg(path_or_text, tiles)

    def __repr__(self) -> str:
        return f"<Game {self.source}: {' - '.join(self.players)}, {len(self.events)} turns>"

    @property
    def in_progress(self) -> bool:
        """Whether the game ends with a rack that nothing has been played from yet."""
        return self.events[-1].kind is EventKind.RACK

    def position(self, turn: int | None = None) -> Position:
        """The position before the event ``turn``, from the side of its player; without it that of a game in progress.

        Raises InputError if there is no such turn, nobody was to move, or the rack is not known in full.
        """
        if turn is None:
            turn = len(self.events)
            if not self.in_progress:
                raise InputError(f"{self.source}: which turn? It does not end with a rack to play from")
        if not 1 <= turn <= len(self.events):
            raise InputError(f"{self.source}: turn {turn}: the game has turns 1 to {len(self.events)}")
        event = self.events[turn - 1]
        if event.kind not in TURNS:
            raise InputError(f"{self.source}: turn {turn} is {event.kind.value}, not a move")
        if event.rack is None or not event.rack_known:
            known = "none" if event.rack is None else self.distribution.format_rack(event.rack)
            raise InputError(
                f"{self.source}: turn {turn}: the rack of {self.players[event.player]} is not known in full "
                f"({known} of {event.rack_size} tiles)"
            )
        opcodes = {} if self.lexicon is None else {"lex": self.lexicon}
        if self.distribution.name != "english":
            opcodes["ld"] = self.distribution.name
        scoreless = _scoreless_turns(self.events[: turn - 1])
        if scoreless >= rule_set(self.distribution.name).scoreless_turns:
            raise InputError(f"{self.source}: turn {turn}: {scoreless} scoreless turns before it: the game is over")
        return Position(
            board=event.board,
            rack=event.rack,
            opponent_rack=None,
            scores=(event.totals[event.player], event.totals[1 - event.player]),
            scoreless=scoreless,
            distribution=self.distribution,
            layout=self.layout,
            opcodes=opcodes,
            known=event.opponent_known,
        )

    def positions(self) -> list[Position]:
        """The positions of all turns with 1 to 6 tiles in the bag and a rack known in full, in order."""
        return [self.position(turn) for turn in self.preendgame_turns()]

    def preendgame_turns(self) -> list[int]:
        """The plays and passes, and a rack to play from, with 1 to 6 tiles in the bag and a rack known in full."""
        kinds = (EventKind.PLAY, EventKind.PASS, EventKind.RACK)
        return [
            turn
            for turn, event in enumerate(self.events, 1)
            if event.kind in kinds and is_preendgame(event.bag) and event.rack_known
        ]


def read_gcg(path: str | os.PathLike[str], distribution: Distribution | None = None) -> Game:
    """Read a GCG file, by default of an english game. Raises InputError naming the line at fault."""
    check_kind(path, (str, os.PathLike), "a path")
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: {why_unreadable(error)}") from None
    return parse_gcg(data, str(path), distribution)


def looks_like_gcg(data: bytes) -> bool:
    """Whether a text is a game rather than CGP lines."""
    return _GAME.search(data) is not None


def parse_gcg(data: bytes, source: str, distribution: Distribution | None = None) -> Game:
    """Read the text of a GCG file; ``source`` names it in errors. As :func:`read_gcg`."""
    reader = _Reader(distribution or load_distribution("english"), load_layout())
    nicks: dict[str, str] = {}
    racks: dict[int, tuple[int, str]] = {}
    lexicon = None
    in_note = False
    for number, line in enumerate(decoded(data, source)[0].splitlines(), 1):
        text = line.strip()
        with _named(source, number):
            if text.startswith(">"):
                reader.read(number, text, _players(nicks))
                in_note = False
            elif text.startswith("#"):
                pragma, _, value = text[1:].partition(" ")
                pragma, value = pragma.lower(), value.strip()
                if pragma in ("player1", "player2"):
                    nicks[pragma] = value.split()[0] if value else ""
                elif pragma in ("rack1", "rack2") and value:
                    racks[int(pragma[-1]) - 1] = (number, value)
                elif pragma == "lexicon":
                    if ";" in value:
                        raise InputError(f"#lexicon {value}: a name has no ; in it")
                    lexicon = value or None
                in_note = pragma == "note"
            elif text and not in_note:
                raise InputError("expected an event (>) or a pragma (#)")
    on_turn = reader.on_turn(racks)
    if on_turn in racks:
        number, rack = racks[on_turn]
        with _named(source, number):
            _players(nicks)
            reader.read_rack(number, on_turn, rack)
    if not reader.events:
        raise InputError(f"{source}: no events (lines with >) in it")
    return Game(source, _players(nicks), lexicon, tuple(reader.events), reader.distribution, reader.layout)


@contextmanager
def _named(source: str, line: int) -> Iterator[None]:
    """Errors name the source and the line."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{source}: line {line}: {error}") from None


def _scoreless_turns(events: Sequence[Event]) -> int:
    """How many turns at the end of ``events`` brought no points, of either player; a withdrawn play brought none."""
    turns = 0
    withdrawn = False
    for event in reversed(events):
        if event.kind is EventKind.WITHDRAWAL:
            withdrawn = True
        elif event.kind in TURNS:
            if event.score != 0 and not withdrawn:
                break
            turns += 1
            withdrawn = False
    return turns


def _players(nicks: dict[str, str]) -> tuple[str, str]:
    first, second = nicks.get("player1"), nicks.get("player2")
    if not first or not second:
        raise InputError("#player1 and #player2 must name the players before the first event")
    if first == second:
        raise InputError(f"#player1 and #player2 are both {first}")
    return first, second


def decoded(data: bytes, source: str) -> tuple[str, str]:
    """The text and its encoding: as declared, else UTF-8 where it is valid, else ISO-8859-1. Raises InputError."""
    declared = _ENCODING.search(data)
    if data.startswith(codecs.BOM_UTF8):
        encoding = "utf-8-sig"
    else:
        encoding = declared[1].decode("ascii", "replace") if declared else "utf-8"
    try:
        if not _TEXT_ENCODING.match(encoding):  # others are escapes and the like, and some take the square of the time
            raise LookupError
        return data.decode(encoding), encoding
    except LookupError:
        raise InputError(f"{source}: unknown #character-encoding {encoding}") from None
    except UnicodeError:
        if declared or encoding != "utf-8":
            raise InputError(f"{source}: not a text in {encoding}") from None
        return data.decode("iso-8859-1"), "iso-8859-1"


class _Reader:
    """Plays the events of a game one after the other."""

    def __init__(self, distribution: Distribution, layout: Layout) -> None:
        self.distribution = distribution
        self.layout = layout
        self.events: list[Event] = []
        self.board = np.zeros(SQUARES, np.uint8)
        self.totals = [0, 0]
        self.bag = int(distribution.counts.sum()) - 2 * RACK_SIZE
        self.rack_sizes = [RACK_SIZE, RACK_SIZE]
        # tiles that each player is known to hold, now and before the last play
        self.known = [np.zeros(distribution.size, np.uint8)] * 2
        self._known_before = self.known[0]

    def on_turn(self, racks: Collection[int]) -> int | None:
        """The player on turn after the last event: the other one than moved; None if nobody is.

        Before the first move it is the player whose rack is given.
        """
        kinds = {event.kind for event in self.events}
        if EventKind.RACK in kinds or EventKind.RACK_END in kinds or 0 in self.rack_sizes:
            return None
        movers = [event.player for event in self.events if event.kind in _TURN_ENDS]
        return 1 - movers[-1] if movers else min(racks, default=None)

    def read(self, line: int, text: str, players: tuple[str, str]) -> None:
        """Take in one event line. Raises InputError."""
        if self.events and self.events[-1].kind is EventKind.RACK:
            raise InputError(f"an event after line {self.events[-1].line}, which gives a rack and no move")
        match = _EVENT.fullmatch(text)
        if match is None:
            raise InputError("expected >PLAYER: RACK MOVE SCORE TOTAL")
        if match[1] not in players:
            raise InputError(f"{match[1]} is neither #player1 nor #player2")
        player = players.index(match[1])
        fields = match[2].split()
        if len(fields) == 1:
            self._check_on_turn(player, players)
            self.read_rack(line, player, fields[0])
            return
        if len(fields) < 3 or not all(_NUMBER.fullmatch(number) for number in fields[-2:]):
            raise InputError("expected a move, a score and a total, as in 8D WORD +26 26")
        score, total = int(fields[-2]), int(fields[-1])
        rack_text, action = _split(fields[:-2])
        kind = _kind(action)
        left = self._left(action[0]) if kind is EventKind.RACK_END else None
        event = self._event(line, player, kind, rack_text, self._move(kind, action), score, left)
        if kind in TURNS:
            self._check_rack(event)
        if kind is EventKind.PLAY:
            self._play(event)
        elif kind is EventKind.WITHDRAWAL:
            self._withdraw(event)
        elif kind is EventKind.EXCHANGE:
            self._exchange(event, action[0][1:])
        self._tally(player, score, total)
        self.events.append(event)

    def _tally(self, player: int, score: int, total: int) -> None:
        if total != self.totals[player] + score:
            raise InputError(f"total {total}, but {self.totals[player]} and {score} make {self.totals[player] + score}")
        if abs(total) > MOST_SCORE:
            raise InputError(f"total {total}: at most {MOST_SCORE}")
        self.totals[player] = total

    def read_rack(self, line: int, player: int, text: str) -> None:
        """Take in the rack of the player on turn, the last that is known of the game. Raises InputError."""
        event = self._event(line, player, EventKind.RACK, text)
        self._check_rack(event)
        self.events.append(event)

    def _check_on_turn(self, player: int, players: tuple[str, str]) -> None:
        on_turn = self.on_turn([player])
        if on_turn is None:
            raise InputError("a rack without a move, but the game is over")
        if on_turn != player:
            raise InputError(f"a rack without a move of {players[player]}, but {players[on_turn]} is on turn")

    def _event(
        self,
        line: int,
        player: int,
        kind: EventKind,
        rack: str | None,
        move: Move | None = None,
        score: int = 0,
        left: npt.NDArray[np.uint8] | None = None,
    ) -> Event:
        """An event at the point that the game has come to."""
        return Event(
            line=line,
            player=player,
            kind=kind,
            rack=self._rack(rack),
            move=move,
            score=score,
            board=self.board,
            totals=(self.totals[0], self.totals[1]),
            bag=self.bag,
            rack_size=self.rack_sizes[player],
            opponent_known=self.known[1 - player],
            left=left,
        )

    def _rack(self, text: str | None) -> npt.NDArray[np.uint8] | None:
        if text is None:
            return None
        try:
            return self.distribution.rack(text)
        except InputError as error:
            raise InputError(f"rack: {error}") from None

    def _move(self, kind: EventKind, action: list[str]) -> Move | None:
        if kind is EventKind.PASS:
            return PASS
        if kind is not EventKind.PLAY:
            return None
        move = parse_move(" ".join(action), self.board, self.distribution)
        check_placement(self.board, self.layout, move)
        return move

    def _left(self, text: str) -> npt.NDArray[np.uint8]:
        """The tiles of a count at the end, ``(AEQRS)``."""
        return self.distribution.rack(text.strip("-()"))

    def _check_rack(self, event: Event) -> None:
        """The rack, and the tiles played from it, must be there to be had."""
        if event.rack is None:
            rack = np.zeros(self.distribution.size, np.int64)
        else:
            rack = event.rack.astype(np.int64)
        if rack.sum() > event.rack_size:
            raise InputError(f"rack of {rack.sum()} tiles, but the player holds {event.rack_size}")
        used = np.zeros_like(rack)
        if event.move is not None:
            used = self._used(event.move).astype(np.int64)
        if used.sum() > event.rack_size:
            raise InputError(f"{used.sum()} tiles played, but the player holds {event.rack_size}")
        if event.rack_known and (used > rack).any():
            tile = self.distribution.format_tiles([int(np.flatnonzero(used > rack)[0])])
            raise InputError(f"not enough tiles {tile} on the rack to play them")
        known = self.known[event.player]
        if event.rack_known and (known > rack).any():
            tile = self.distribution.format_tiles([int(np.flatnonzero(known > rack)[0])])
            raise InputError(f"not enough tiles {tile} on the rack: a play with them has been taken back")
        there = self.distribution.count_on(self.board) + np.maximum(rack, used)
        if (there > self.distribution.counts).any():
            tile_index = int(np.flatnonzero(there > self.distribution.counts)[0])
            raise InputError(
                f"{there[tile_index]} x {self.distribution.tiles[tile_index]} on the board and the rack, "
                f"but {self.distribution.name} has {self.distribution.counts[tile_index]}"
            )

    def _play(self, event: Event) -> None:
        assert event.move is not None
        self.board = event.move.on(event.board)
        drawn = min(event.move.tiles_played, self.bag)
        self.bag -= drawn
        self.rack_sizes[event.player] += drawn - event.move.tiles_played
        known = self._known_before = self.known[event.player]
        self.known[event.player] = known - np.minimum(known, self._used(event.move))

    def _withdraw(self, event: Event) -> None:
        """Take back the play before, with what was drawn after it."""
        before = self.events[-1] if self.events else None
        if before is None or before.kind is not EventKind.PLAY or before.player != event.player:
            raise InputError("-- takes back a play, but the event before is no play of this player")
        if event.score != -before.score:
            raise InputError(f"-- takes back {before.score} points, not {-event.score}")
        assert before.move is not None
        self.board = before.board
        self.bag = before.bag
        self.rack_sizes[event.player] = before.rack_size
        # all that the opponent has seen of the rack: the tiles of this play, and of earlier ones taken back
        self.known[event.player] = np.maximum(self._known_before, self._used(before.move))

    def _exchange(self, event: Event, text: str) -> None:
        """Nobody else sees which tiles go back: any that were known may be among them."""
        tiles = int(text) if _COUNT.fullmatch(text) else len(self.distribution.parse_tiles(text))
        known = self.known[event.player]
        self.known[event.player] = known - np.minimum(known, min(tiles, RACK_SIZE))

    def _used(self, move: Move) -> npt.NDArray[np.uint8]:
        """uint8[size] counts of the tiles that a move takes from the rack."""
        return self.distribution.count(move.rack_tiles())


def _split(fields: list[str]) -> tuple[str | None, list[str]]:
    """The rack, if written, and the rest of what stands between the player and the score."""
    # Only a coordinate has a digit; the word itself may start with a parenthesis.
    moves = 2 if len(fields) > 1 and re.search(r"\d", fields[-2]) else 1
    if not moves <= len(fields) <= moves + 1:
        raise InputError("expected >PLAYER: RACK MOVE SCORE TOTAL")
    return (fields[0] if len(fields) > moves else None), fields[-moves:]


def _kind(action: list[str]) -> EventKind:
    if len(action) == 2:
        return EventKind.PLAY
    match action[0]:
        case "-":
            return EventKind.PASS
        case "--":
            return EventKind.WITHDRAWAL
        case "(challenge)":
            return EventKind.CHALLENGE
        case "(time)":
            return EventKind.TIME
        case text if text.startswith("-"):
            return EventKind.EXCHANGE
        case text if text.endswith(")"):
            return EventKind.RACK_END
    raise InputError(f"{action[0]!r} is no move")
