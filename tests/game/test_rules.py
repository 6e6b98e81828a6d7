"""The numbers in the rules, by letter distribution."""

from __future__ import annotations

import pytest

from pegray.game.rules import rule_set
from pegray.game.tiles import BUNDLED


@pytest.mark.parametrize("distribution", [*BUNDLED, "my-own"])
def test_who_may_exchange_late(distribution: str) -> None:
    rules = rule_set(distribution)
    spanish = distribution == "spanish"
    assert rules.scoreless_turns == 6
    assert [rules.allows_exchange(bag) for bag in (0, 1, 6, 7)] == [False, spanish, spanish, True]


def test_a_file_of_that_name_has_the_rules() -> None:
    assert rule_set("Spanish") == rule_set("spanish")
