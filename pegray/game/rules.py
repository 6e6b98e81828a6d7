"""The numbers in the rules: what is the same everywhere, and rule sets, read from data/rules.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

RACK_SIZE = 7
BINGO_BONUS = 50  # for playing a full rack
MOST_SCORE = 9_999  # of a player, and as far below zero: spreads are searched for within what it allows
PREENDGAME_BAG = range(1, 7)  # tiles in the bag of the positions that are solved as pre-endgames
NO_EXCHANGE = "as if nobody could exchange"  # how outputs say that the rule set's exchanges were left out


@dataclass(frozen=True)
class RuleSet:
    """scoreless_turns: so many in a row end the game; exchange_from: tiles that the bag must hold for an exchange."""

    scoreless_turns: int
    exchange_from: int

    def allows_exchange(self, bag: int) -> bool:
        """Whether tiles may be exchanged while ``bag`` tiles are in the bag."""
        return bag >= self.exchange_from


def is_preendgame(bag: int) -> bool:
    """Whether a position with so many tiles in the bag is solved as a pre-endgame."""
    return bag in PREENDGAME_BAG


def exchange_note(no_exchange: bool) -> str:
    """What follows the description of a question, if exchanges were left out of it."""
    return f", {NO_EXCHANGE}" if no_exchange else ""


@cache
def rule_set(distribution: str) -> RuleSet:
    """The rules that go with the letter distribution of that name."""
    tables = tomllib.loads((resources.files("pegray.data") / "rules.toml").read_text(encoding="utf-8"))
    return RuleSet(**{**tables["every"], **tables.get(distribution.lower(), {})})
