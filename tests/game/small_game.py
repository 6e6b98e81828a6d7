"""A game with few tiles, a distribution and a lexicon of its own."""

from __future__ import annotations

from pathlib import Path

DATA = Path(__file__).parents[1] / "data"


def write_small_game() -> None:
    """Into the current folder, up to its tenth turn: SeT has been taken back, and an S played since."""
    text = (DATA / "small.gcg").read_text(encoding="utf-8").partition(">Tom: AEINQRS - ")[0]
    Path("game.gcg").write_text(f"{text}#rack2 AEINQRS\n", encoding="utf-8")
    Path("small.csv").write_bytes((DATA / "small.csv").read_bytes())
    Path("few.txt").write_text("TRAIN\nTRAINS\nTEST\nSET\nSAT\nTIN\nTEN\nIN\nEN\nAT\nRETAIN\n")
