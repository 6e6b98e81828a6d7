"""A position: the board, our rack, the scores, and what can be said of the rest."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from pegray.errors import InputError, check_kind
from pegray.game.cgp import format_board, parse_board, split_cgp
from pegray.game.layout import DIMENSION, SQUARES, Layout, layout_named
from pegray.game.move import Move
from pegray.game.notation import coordinate, format_move, parse_draw, parse_move
from pegray.game.rules import RACK_SIZE, RuleSet, rule_set
from pegray.game.scoring import check_placement, score_on
from pegray.game.text import draw_board
from pegray.game.tiles import Distribution, load_distribution


@dataclass(frozen=True, eq=False)
class Position:
    """A position from the side of the player on turn ("us").

    board: uint8[225], 0 for an empty square, else the letter, or-ed with BLANK_FLAG for a blank
    rack: uint8[distribution.size], our tiles
    opponent_rack: the rack written for the opponent, if any; not knowledge, the solver does not look at it
    known: uint8[size], tiles that the opponent holds for certain, told by the game so far; None where no game is known
    scores: ours and the opponent's
    scoreless: scoreless turns just before, by either player: passes, exchanges, plays challenged off or of blanks alone
    """

    board: npt.NDArray[np.uint8]
    rack: npt.NDArray[np.uint8]
    opponent_rack: npt.NDArray[np.uint8] | None
    scores: tuple[int, int]
    scoreless: int
    distribution: Distribution
    layout: Layout
    opcodes: dict[str, str] = field(default_factory=dict)
    known: npt.NDArray[np.uint8] | None = None

    @classmethod
    def from_cgp(cls, text: str, distribution: Distribution | None = None, layout: Layout | None = None) -> Position:
        """Read a CGP line; ``distribution`` overrides its ``ld``, ``layout`` its ``bdn``.

        Raises InputError saying what and where.
        """
        fields = split_cgp(text)
        named = fields.opcodes.get("ld") or "english"
        if distribution is None:
            distribution = load_distribution(named)
        elif distribution.name != named.lower():
            # The line written again must name the tiles that it is read with.
            fields.opcodes["ld"] = distribution.name
        board = parse_board(fields.board, distribution)
        racks = [
            _parse_rack(rack, name, distribution) for name, rack in zip(("RACK1", "RACK2"), fields.racks, strict=True)
        ]
        assert racks[0] is not None
        position = cls(
            board=board,
            rack=racks[0],
            opponent_rack=racks[1],
            scores=fields.scores,
            scoreless=fields.scoreless,
            distribution=distribution,
            layout=layout or layout_named(fields.opcodes.get("bdn")),
            opcodes=fields.opcodes,
        )
        position.check()
        return position

    def __post_init__(self) -> None:
        for array in (self.board, self.rack, self.opponent_rack, self.known):
            if array is not None:
                array.flags.writeable = False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.to_cgp() == other.to_cgp()

    def __hash__(self) -> int:
        return hash(self.to_cgp())

    def to_cgp(self) -> str:
        """The position as a CGP line."""
        racks = self.distribution.format_rack(self.rack) + "/"
        if self.opponent_rack is not None:
            racks += self.distribution.format_rack(self.opponent_rack)
        parts = [
            format_board(self.board, self.distribution),
            racks,
            f"{self.scores[0]}/{self.scores[1]}",
            str(self.scoreless),
            *(f"{name} {value};" if value else f"{name};" for name, value in self.opcodes.items()),
        ]
        return " ".join(parts)

    @property
    def lexicon(self) -> str | None:
        """Name of the lexicon that the position asks for."""
        return self.opcodes.get("lex") or None

    @property
    def rules(self) -> RuleSet:
        """The rules that go with the letter distribution."""
        return rule_set(self.distribution.name)

    @property
    def ends_if_scoreless(self) -> bool:
        """Whether a turn without points ends the game here, as the last of the scoreless turns that do."""
        return self.scoreless == self.rules.scoreless_turns - 1

    @property
    def spread(self) -> int:
        """Our score less the opponent's."""
        return self.scores[0] - self.scores[1]

    @cached_property
    def unseen(self) -> npt.NDArray[np.uint8]:
        """uint8[size]: tiles neither on the board nor on our rack."""
        return (self._not_on_board() - self.rack).astype(np.uint8)

    @cached_property
    def bag_size(self) -> int:
        """Tiles in the bag: the unseen ones but a full rack of the opponent's."""
        return max(0, int(self.unseen.sum()) - RACK_SIZE)

    def _not_on_board(self) -> npt.NDArray[np.int64]:
        return self.distribution.counts - self.distribution.count_on(self.board)

    def check(self) -> None:
        """Raise InputError if the position cannot occur."""
        distribution = self.distribution
        if self.scoreless >= self.rules.scoreless_turns:
            raise InputError(
                f"CGP: {self.scoreless} scoreless turns: the game is over after {self.rules.scoreless_turns}"
            )
        for name, rack in (("RACK1", self.rack), ("RACK2", self.opponent_rack)):
            if rack is not None and rack.sum() > RACK_SIZE:
                text = distribution.format_rack(rack)
                raise InputError(f"CGP: {name} {text}: {rack.sum()} tiles, at most {RACK_SIZE} fit")
        self._check_connected()
        left = self._not_on_board()
        self._check_supply(left, "on the board")
        self._check_supply(left - self.rack, "on the board and RACK1")
        if self.opponent_rack is not None:
            self._check_supply(left - self.rack - self.opponent_rack, "on the board and both racks")
        if self.rack.sum() < RACK_SIZE and self.bag_size > 0:
            raise InputError(
                f"CGP: RACK1 {distribution.format_rack(self.rack)}: {self.rack.sum()} tiles, "
                f"but {self.bag_size} are in the bag"
            )

    def _check_supply(self, left: npt.NDArray[np.int64], where: str) -> None:
        short = np.flatnonzero(left < 0)
        if short.size:
            tile = int(short[0])
            there = int(self.distribution.counts[tile]) - int(left[tile])
            raise InputError(
                f"CGP: {there} x {self.distribution.tiles[tile]} {where}, "
                f"but {self.distribution.name} has {self.distribution.counts[tile]}"
            )

    def _check_connected(self) -> None:
        """Every tile must hang together with the start square."""
        filled = {square for square in range(SQUARES) if self.board[square]}
        if not filled:
            return
        reached = {self.layout.start_square} & filled
        front = list(reached)
        while front:
            square = front.pop()
            near = {square - DIMENSION, square + DIMENSION}
            if square % DIMENSION:
                near.add(square - 1)
            if square % DIMENSION < DIMENSION - 1:
                near.add(square + 1)
            found = (near & filled) - reached
            reached |= found
            front += found
        floating = sorted(filled - reached)
        if floating:
            row, column = divmod(floating[0], DIMENSION)
            raise InputError(
                f"CGP: row {row + 1}: the tile at {coordinate(row, column, True)} floats, "
                "not connected to the start square"
            )

    def apply(self, move: Move, score: int) -> Position:
        """The position after our ``move`` for ``score`` points, before we draw, with the opponent on turn.

        Our rack becomes RACK2; the opponent's rack is the one written, or empty if none is.
        """
        rack = self.rack - self.distribution.count(move.rack_tiles())
        theirs = np.zeros_like(rack) if self.opponent_rack is None else self.opponent_rack.copy()
        return replace(
            self,
            board=move.on(self.board),
            rack=theirs,
            opponent_rack=rack,
            scores=(self.scores[1], self.scores[0] + score),
            scoreless=self.scoreless + 1 if score == 0 else 0,
            opcodes=dict(self.opcodes),
            known=None,
        )

    def after(self, move: Move | str, draw: str = "") -> Position:
        """The position after a play and its draw, with the opponent on turn.

        move: a Move, or its text
        draw: the tiles of the whole bag in draw order, ``[AEG]I`` or ``AEGI``, of which the first are ours, or just the
        tiles that we draw. Without it nothing is drawn: RACK2, which is then ours, holds what the play left.

        The opponent's rack is known if the bag is empty or all of it is given; else it is the one written, if any. At
        the end of the game what is left on the racks is not settled in the scores.

        Raises InputError if rack, board or bag do not allow it; words are not looked up.
        """
        if self.is_over:
            raise InputError("the game is over, nobody is on turn")
        made = self._made(move)
        ours = min(made.tiles_played, self.bag_size)
        order = parse_draw(draw, self.distribution, ours)
        self._check_draw(draw, order, ours)
        theirs = self.opponent_rack
        if len(order) == self.bag_size:
            theirs = self.unseen - self.distribution.count(order)
        after = replace(self, opponent_rack=theirs).apply(made, self.score(made))
        assert after.opponent_rack is not None
        return replace(after, opponent_rack=after.opponent_rack + self.distribution.count(order[:ours]))

    def afresh(self) -> Position:
        """As a solve goes on from it: the scoreless turns before count only for the turn with which it begins."""
        return replace(self, scoreless=0)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended here: after too many scoreless turns, or with the bag and a rack empty."""
        bag_empty = int(self.unseen.sum()) <= RACK_SIZE
        played_out = bag_empty and not (self.rack.any() and self.unseen.any())
        return played_out or self.scoreless >= self.rules.scoreless_turns

    def _made(self, move: Move | str) -> Move:
        """The move meant. Raises InputError naming it if rack or board do not allow it."""
        check_kind(move, (str, Move), "a Move or its text", "move")
        text = move if isinstance(move, str) else format_move(move, self.distribution)
        try:
            made = parse_move(move, self.board, self.distribution) if isinstance(move, str) else move
            self.check_move(made)
        except InputError as error:
            raise InputError(f"{text}: {error}") from None
        return made

    def score(self, move: Move) -> int:
        """Points of a move: its words, and the bonus for playing a full rack. The move must fit the board."""
        return score_on(self.board, self.layout, self.distribution, move)

    def check_move(self, move: Move) -> None:
        """Raise InputError unless our rack and the board allow the move; the lexicon is not looked at."""
        check_placement(self.board, self.layout, move)
        missing = self.distribution.count(move.rack_tiles()) > self.rack
        if missing.any():
            tile = self.distribution.format_tiles([int(np.flatnonzero(missing)[0])])
            rack = self.distribution.format_rack(self.rack)
            raise InputError(f"not enough tiles {tile} on the rack {rack}")

    def _check_draw(self, draw: str, order: list[int], ours: int) -> None:
        """Raise InputError unless ``order`` is nothing, our draw or the whole bag, of tiles that we do not see."""
        if len(order) not in (0, ours, self.bag_size):
            whole = f", or {self.bag_size} for the whole bag" if self.bag_size > ours else ""
            raise InputError(f"{len(order)} tiles, but the play draws {ours}{whole}", "draw", draw)
        short = np.flatnonzero(self.distribution.count(order) > self.unseen)
        if short.size:
            raise InputError(f"{self.distribution.tiles[short[0]]} cannot be in the bag so often", "draw", draw)

    def transpose(self) -> Position:
        """The position with rows and columns exchanged; nothing else changes."""
        layout = Layout(
            self.layout.name,
            _transposed(self.layout.letter_multipliers),
            _transposed(self.layout.word_multipliers),
            (self.layout.start_square % DIMENSION) * DIMENSION + self.layout.start_square // DIMENSION,
        )
        return replace(self, board=_transposed(self.board), layout=layout, opcodes=dict(self.opcodes))

    def __repr__(self) -> str:
        rack, unseen = self.distribution.format_rack(self.rack), self.distribution.format_rack(self.unseen)
        unseen = unseen if self.bag_size <= RACK_SIZE else f"{self.unseen.sum()} tiles"
        return f"<Position {rack} {self.scores[0]}-{self.scores[1]}, {self.bag_size} in the bag, unseen {unseen}>"

    def __str__(self) -> str:
        ours = f"{self.scores[0]:4d}  {self.distribution.format_rack(self.rack)}"
        theirs = f"{self.scores[1]:4d}  unseen {self.distribution.format_rack(self.unseen)}"
        bag = f"{self.bag_size} in the bag"
        return "\n".join([draw_board(self.board, self.distribution, self.layout), ours, theirs, bag])

    def _repr_svg_(self) -> str:
        from pegray.game.svg import board_svg

        return board_svg(self.board, self.distribution, self.layout)


def _transposed(squares: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.ascontiguousarray(squares.reshape(DIMENSION, DIMENSION).T).reshape(SQUARES)


def _parse_rack(text: str | None, name: str, distribution: Distribution) -> npt.NDArray[np.uint8] | None:
    if text is None:
        return None
    try:
        tiles = distribution.parse_tiles(text)
    except InputError as error:
        raise InputError(f"CGP: {name}: {error}") from None
    if len(tiles) > RACK_SIZE:
        raise InputError(f"CGP: {name} {text}: {len(tiles)} tiles, at most {RACK_SIZE} fit")
    return distribution.count(tiles)
