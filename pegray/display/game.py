"""Games as text: what each late turn gave away, and what each player did in all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pegray.pages.render import render
from pegray.pages.table import Row, table
from pegray.results.judgement import Decided, Judgement
from pegray.results.play import PlayResult
from pegray.runs.review import AskedTurn
from pegray.text.fitted import Column, FittedTable
from pegray.text.numbers import count, number, signed

if TYPE_CHECKING:
    from markupsafe import Markup

TURN_COLUMNS = (
    Column("Turn", right=True),
    Column("Player", widest=10),
    Column("Bag", right=True, leaves=3),
    Column("Rack", leaves=1),
    Column("Played", widest=19),
    Column("Best", widest=19),
    Column("Given away"),
    Column("Came to", leaves=2),
)
PLAYER_COLUMNS = (
    Column("Player", widest=20),
    Column("Turns", right=True, leaves=2),
    Column("Judged", right=True, leaves=1),
    Column("Pre-endgame\nmistakes", right=True),
    Column("Wins\ngiven away", right=True),
    Column("Endgame\nmistakes", right=True),
    Column("Points\ngiven away", right=True),
)
MISTAKE_COLUMNS = (
    Column("Game", widest=24),
    Column("Turn", right=True),
    Column("Player", widest=12),
    Column("Bag", right=True, leaves=1),
    Column("Played", widest=19),
    Column("Best", widest=19),
    Column("Given away"),
)


@dataclass(frozen=True)
class JudgedTurn:
    """A turn with its judgement; None where its position was not solved."""

    asked: AskedTurn
    judgement: Judgement | None

    @property
    def is_open(self) -> bool:
        """Whether it was to be judged, and a solve has not come far enough."""
        judgement = self.judgement
        if self.asked.planned is None:
            return False
        if judgement is None or judgement.best is None:
            return True
        counts = self.asked.turn.counted_as is not None and self.asked.is_legal
        return counts and not judgement.is_exact

    @property
    def is_mistake(self) -> bool:
        """Whether it gave something away for certain."""
        return self.judgement is not None and self.judgement.least > 0


def turns_table(turns: Sequence[JudgedTurn]) -> FittedTable:
    """One row a turn."""
    return FittedTable(TURN_COLUMNS, [_turn_row(turn) for turn in turns])


def turns_page_table(game: str, turns: Sequence[JudgedTurn]) -> Markup:
    """The same for a page."""
    rows = [Row(_turn_row(turn)) for turn in turns]
    return render("game.html", game=game, table=table(TURN_COLUMNS, rows, f"Turns of {game}"))


def players_table(turns: Iterable[JudgedTurn]) -> FittedTable:
    """One row a player: how many mistakes, and what they cost."""
    rows = [
        (
            row["player"],
            number(row["turns"]),
            number(row["judged"]),
            number(row["preendgame_mistakes"]),
            number(row["wins_given_away"]),
            number(row["endgame_mistakes"]),
            number(row["spread_given_away"]),
        )
        for row in player_rows(turns)
    ]
    return FittedTable(PLAYER_COLUMNS, rows)


def player_rows(turns: Iterable[JudgedTurn]) -> list[dict[str, Any]]:
    """For each player, by name: turns, those judged in full, mistakes, and what they gave away for certain.

    wins_given_away: of pre-endgames, in wins: a turn that gives away 2 of 8 draws counts 0.25
    """
    of_player: dict[str, list[JudgedTurn]] = {}
    for turn in turns:
        of_player.setdefault(turn.asked.turn.player, []).append(turn)
    rows = []
    for player, own in sorted(of_player.items()):
        judged = [turn.judgement for turn in own if turn.judgement is not None]
        early = [one for one in judged if not one.in_endgame and one.least > 0]
        late = [one for one in judged if one.in_endgame and one.least > 0]
        rows.append(
            {
                "player": player,
                "turns": len(own),
                "judged": sum(one.is_exact for one in judged),
                "preendgame_mistakes": len(early),
                "wins_given_away": sum(one.least / one.total for one in early),
                "endgame_mistakes": len(late),
                "spread_given_away": sum(one.least for one in late),
            }
        )
    return rows


def mistakes_table(turns: Iterable[JudgedTurn]) -> FittedTable:
    """The mistakes, by player, the dearest first: those of pre-endgames, then those of endgames."""
    rows = []
    for turn in sorted(filter(lambda turn: turn.is_mistake, turns), key=_dearest_first):
        _, player, bag, _, played, best, given, _ = _turn_row(turn)
        rows.append((turn.asked.turn.game, str(turn.asked.turn.number), player, bag, played, best, given))
    return FittedTable(MISTAKE_COLUMNS, rows)


def _dearest_first(turn: JudgedTurn) -> Any:
    assert turn.judgement is not None
    one = turn.judgement
    return turn.asked.turn.player, one.in_endgame, -one.least / one.total


def notes(turns: Sequence[JudgedTurn], max_bag: int) -> list[str]:
    """A line for every sign and word in the table that needs one."""
    judged = [turn.judgement for turn in turns if turn.judgement is not None]
    lines = [f"Turns with at most {count(max_bag, 'tile')} in the bag (--max-bag {max_bag})."]
    if any(not one.in_endgame for one in judged):
        lines.append("Pre-endgames count draws won, half for a tie; endgames the final spread.")
    if any(turn.asked.turn.worked_out for turn in turns):
        lines.append("* the rack is worked out from the rest of the record.")
    if any(turn.asked.turn.taken_back for turn in turns):
        lines.append("(taken back): challenged off, it counts as a pass.")
    if any(not one.proven for one in judged):
        lines.append("~ estimated: rests on an endgame that was cut at a limit.")
    if any(turn.is_open for turn in turns):
        lines.append("open: not proven yet; what was given away is between the bounds.")
    return lines


def _turn_row(judged: JudgedTurn) -> tuple[str, ...]:
    turn = judged.asked.turn
    played = turn.move or ""
    return (
        str(turn.number),
        turn.player,
        str(turn.bag),
        turn.rack + ("*" if turn.worked_out else ""),
        f"{played} (taken back)" if turn.taken_back else played,
        best_text(judged),
        given_away_text(judged),
        came_to(judged),
    )


def best_text(judged: JudgedTurn) -> str:
    """The best play; nothing where the play made is as good, or none is proven."""
    one = judged.judgement
    if one is None or one.best is None or (one.is_exact and one.least == 0):
        return ""
    return one.best.move


def given_away_text(judged: JudgedTurn) -> str:
    """``3 of 8``, ``7 points``, ``nothing``; ``0..3 of 8, open``; or why it is not known."""
    asked, one = judged.asked, judged.judgement
    if asked.planned is None:
        return asked.fault
    if not asked.is_legal:
        return "not a word"
    if one is None or (one.best is None and one.made is None):
        return "open"
    if asked.turn.counted_as is None:
        return "to play"
    unit = "points" if one.in_endgame else f"of {number(one.total)}"
    sign = "" if one.proven else "~"
    if one.is_exact:
        return f"{sign}nothing" if one.least == 0 else f"{sign}{number(one.least)} {unit}"
    if one.most is None:
        return "open"
    return f"{number(one.least)}..{number(one.most)} {unit}, open"


def came_to(judged: JudgedTurn) -> str:
    """``[E] L, best W``: the draw of the game, or one that decides; ``+12, best +19`` in an endgame."""
    one = judged.judgement
    if one is None or one.made is None:
        return ""
    if one.in_endgame:
        better = one.best is not None and one.least > 0
        return signed(one.made.spread) + (f", best {signed(one.best.spread)}" if better and one.best else "")
    if one.drew:
        return f"drew {_draws(one.drew)}"
    return f"{_draws(one.decided[:1])}" if one.decided else ""


def _draws(draws: Sequence[Decided]) -> str:
    """One draw with its outcomes, or the worst of several that are the same tiles."""
    first = min(draws, key=lambda one: "LDW".index(one.made))
    best = "" if set(first.best) <= {first.made} else f", best {'/'.join(first.best)}{_doubt(first.best_certain)}"
    return f"{first.draw} {first.made}{_doubt(first.certain)}{best}"


def _doubt(is_certain: bool) -> str:
    """``?`` after a tie or loss that is only possible."""
    return "" if is_certain else "?"


def turn_note(judged: JudgedTurn) -> str | None:
    """What an annotated record says of a turn, on one line; None where nothing is known."""
    asked, one = judged.asked, judged.judgement
    if one is None:
        return None
    parts = []
    if one.best is not None:
        parts.append(f"best {worth_text(one, one.best)}")
    if asked.turn.counted_as is not None:
        made = "" if one.made is None or one.made is one.best else f"{worth_text(one, one.made)}, "
        parts.append(f"played {made}gives away {given_away_text(judged)}" if asked.is_legal else "not a word")
    if came_to(judged) and not one.in_endgame:
        parts.append(came_to(judged))
    return "; ".join(parts)


def worth_text(one: Judgement, play: PlayResult) -> str:
    """``13L ONYX 7.5 of 8``, ``13L ONYX +12``"""
    if one.in_endgame:
        return f"{play.move} {signed(play.spread)}"
    points = number(play.points) if play.points is not None else f"{number(play.at_least)}..{number(play.at_most)}"
    return f"{play.move} {points} of {number(play.total)}"


def turn_json(judged: JudgedTurn) -> dict[str, Any]:
    """A turn as JSON; given_away in points of the final spread in an endgame, else in weight of draws."""
    asked, one = judged.asked, judged.judgement
    turn = asked.turn
    return {
        "turn": turn.number,
        "player": turn.player,
        "bag": turn.bag,
        "rack": turn.rack,
        "rack_worked_out": turn.worked_out,
        "cgp": None if asked.planned is None else asked.planned.cgp,
        "position": None if asked.planned is None else asked.planned.name,
        "played": turn.move,
        "taken_back": turn.taken_back,
        "is_legal": asked.is_legal,
        "fault": asked.fault or None,
        "open": judged.is_open,
        "unit": "spread" if turn.bag == 0 else "draws",
        "total": None if one is None else one.total,
        "best": None if one is None or one.best is None else _play_json(one.best),
        "made": None if one is None or one.made is None else _play_json(one.made),
        "given_away": None if one is None else {"at_least": one.least, "at_most": one.most},
        "proven": one is not None and one.proven,
        "drew": [] if one is None else [vars(draw) for draw in one.drew],
        "decided": [] if one is None else [vars(draw) for draw in one.decided],
    }


def _play_json(play: PlayResult) -> dict[str, Any]:
    names = ("move", "score", "points", "at_least", "at_most", "win_pct", "spread", "proven")
    return {name: getattr(play, name) for name in names}
