"""Every plot on a tiny result: that it draws what it should, in words and counts that a figure can be asked for."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pegray.errors import InputError, PegrayError
from pegray.results import plots
from pegray.results.model import SolveResult, SolveStats
from pegray.results.play import Outcome, PlayResult
from pegray.results.read import Run, open_run
from pegray.results.write import RunWriter

CGP = "/".join(["15"] * 7 + ["7CAT5"] + ["15"] * 7) + " ENOSTXY/ 356/378 0"
WON, DRAWN, LOST = (
    Outcome("[A]", "A", "", 6, "W", True, True, 12, None, 5),
    Outcome("[Y]", "Y", "", 1, "D", True, True, 0, "M3 CAUSEY", 7),
    Outcome("[Y]", "Y", "", 1, "L", True, True, -9, "M4 SAUCY", 3),
)
POSSIBLY_LOST = replace(LOST, draw="[]Y", drawn="", stays="Y", certain=False)


def play(move: str, rank: int | None, score: int, tiles: int, outcomes: list[Outcome]) -> PlayResult:
    wins, draws, losses = (sum(o.weight for o in outcomes if o.outcome == label) for label in "WDL")
    points = wins + draws / 2
    finished = rank is not None
    return PlayResult(
        rank=rank,
        move=move,
        score=score,
        tiles=tiles,
        tiles_left=int(tiles == 0),
        status="finished" if finished else "cut_off",
        total=7,
        points=points if finished else None,
        wins=wins if finished else None,
        draws=draws if finished else None,
        losses=losses if finished else None,
        win_pct=100 * points / 7 if finished else None,
        found_losses=losses + draws / 2,
        at_least=points,
        at_most=7 - losses - draws / 2,
        spread=8.0 if finished else None,
        proven=True,
        endgames=3,
        nodes=12,
        cpu_seconds=0.5,
        outcomes=outcomes,
    )


@pytest.fixture
def result() -> SolveResult:
    return SolveResult(
        cgp=CGP,
        lexicon="ENABLE",
        bag=1,
        unseen="AAAAAAY",
        total=7,
        opponent="guaranteed",
        state="complete",
        plays=[
            play("13L ONYX", 1, 33, 4, [WON, DRAWN]),
            play("13J EXON", 2, 42, 4, [WON, LOST]),
            play("pass", None, 0, 0, [POSSIBLY_LOST]),
        ],
        stats=SolveStats(seconds=1.5, cpu_seconds=1.5, endgames=9, nodes=36, interrupted=False),
    )


def run_of(result: SolveResult, folder: Path) -> Run:
    writer = RunWriter(folder)
    writer.add_position(
        {
            "name": "tiny",
            "cgp": result.cgp,
            "lexicon": result.lexicon,
            "bag": result.bag,
            "unseen": result.unseen,
            "total": result.total,
            "source": "test",
        }
    )
    writer.write_manifest({"positions": 1})
    writer.write_solve(0, result)
    return open_run(folder)


@pytest.fixture
def run(result: SolveResult, tmp_path: Path) -> Run:
    return run_of(result, tmp_path / "run")


def drawn(figure: Any, folder: Path) -> set[str]:
    """The texts of a figure, which is drawn and saved."""
    figure.savefig(folder / "figure.png")
    assert (folder / "figure.png").stat().st_size > 1000
    texts = figure.findobj(lambda artist: hasattr(artist, "get_text"))
    return {text.get_text() for text in texts} - {""}


def test_ranked_plays(result: SolveResult, tmp_path: Path) -> None:
    texts = drawn(plots.ranked_plays(result), tmp_path)
    assert {"13L ONYX, 33", "6.5", "pass, 0", "≤ 6", "won", "tied", "lost", "possibly lost", "not settled"} <= texts


def test_no_more_plays_than_asked_for(result: SolveResult, tmp_path: Path) -> None:
    texts = drawn(plots.ranked_plays(result, rows=1), tmp_path)
    assert "13L ONYX, 33" in texts
    assert texts.isdisjoint({"13J EXON, 42", "lost", "not settled"})


def test_outcome_grid(result: SolveResult, tmp_path: Path) -> None:
    texts = drawn(plots.outcome_grid(result), tmp_path)
    assert {"13L ONYX", "13J EXON", "pass", "A", "Y", "W", "D", "L", "L?", "tile in the bag"} <= texts


def test_of_several_orders_of_the_bag_the_worst_is_shown(result: SolveResult, tmp_path: Path) -> None:
    result.bag = 2
    one_way = replace(POSSIBLY_LOST, draw="[A]Y", drawn="A")
    other_way = replace(WON, draw="[Y]A", drawn="Y", stays="A", certain=False)
    result.plays = [play("6F .X.", 1, 10, 1, [one_way, other_way])]
    texts = drawn(plots.outcome_grid(result), tmp_path)
    assert {"AY", "L?"} <= texts
    assert "W" not in texts


def test_price_of_a_known_rack(result: SolveResult, tmp_path: Path) -> None:
    texts = drawn(plots.known_rack_price(result, {"A": result, "Y": result}), tmp_path)
    assert {"A", "Y", "not knowing: 13L ONYX"} <= texts


def test_spreads_are_needed_for_the_price(result: SolveResult) -> None:
    result.plays[0].spread = None
    with pytest.raises(InputError, match="was not tie-broken"):
        plots.known_rack_price(result, {"A": result})


def test_win_pct_against_score(run: Run, tmp_path: Path) -> None:
    assert "score of the play, points" in drawn(plots.win_pct_against_score(run), tmp_path)


def test_price_of_the_top_score(run: Run, tmp_path: Path) -> None:
    figure = plots.price_of_top_score(run)
    assert "tiny" in drawn(figure, tmp_path)
    (axes,) = figure.axes
    assert [round(stem.get_xdata()[1], 2) for stem in axes.lines[:1]] == [round(100 * 0.5 / 7, 2)]


def test_unfinished_positions_have_no_price(result: SolveResult, tmp_path: Path) -> None:
    result.plays[2].status = "unfinished"
    with pytest.raises(InputError, match="nothing to plot"):
        plots.price_of_top_score(run_of(result, tmp_path / "run"))


def test_solve_cost(run: Run, tmp_path: Path) -> None:
    assert {"CPU seconds of a position", "1 in the bag"} <= drawn(plots.solve_cost(run), tmp_path)


def test_play_cost(run: Run, tmp_path: Path) -> None:
    assert {"CPU milliseconds of a play", "0\n2", "1\n1"} <= drawn(plots.play_cost(run), tmp_path)


def test_what_the_cutoff_saves(run: Run, result: SolveResult, tmp_path: Path) -> None:
    for dearer in result.plays:
        dearer.nodes = 48
    whole = run_of(result, tmp_path / "whole")
    assert {"tiny", "4.0x"} <= drawn(plots.cutoff_saving(run, whole), tmp_path)


def test_runs_without_a_common_position(run: Run, result: SolveResult, tmp_path: Path) -> None:
    result.cgp = CGP.replace("356", "350")
    with pytest.raises(InputError, match="no position in common"):
        plots.cutoff_saving(run, run_of(result, tmp_path / "other"))


def test_whole_positions_answered_in_time(tmp_path: Path) -> None:
    figure = plots.whole_curve({2: [40.0, None, 0.5, 700.0], 1: [0.2, 3.0]}, cap=600)
    assert {"1 in the bag (2)", "2 in the bag (4)", "CPU seconds, one core"} <= drawn(figure, tmp_path)
    (axes,) = figure.axes
    _, two = (line for line in axes.lines if len(line.get_xdata()) == 4)
    assert list(two.get_xdata()) == [0.1, 0.5, 40, 600]
    assert list(two.get_ydata()) == [0, 25, 50, 50]  # the one of 700 s was not seen within the cap
    with pytest.raises(InputError, match="no position is answered"):
        plots.whole_curve({1: [None], 2: [700.0], 3: []}, cap=600)


def test_nothing_to_plot(result: SolveResult) -> None:
    result.plays = []
    with pytest.raises(InputError, match="nothing to plot"):
        plots.ranked_plays(result)


def test_matplotlib_is_asked_for_in_one_line(result: SolveResult, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(PegrayError, match=r"^plots need matplotlib: pip install [^\n]+$"):
        plots.ranked_plays(result)
