"""What is compiled is listed in one place, and compiled before it is needed."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

import pegray.kernels
import pegray.lexicon
from pegray import compiled
from pegray.display.compiling import compiling
from pegray.kernels import beside, catalogue
from pegray.kernels.catalogue import CATALOGUE
from pegray.preendgame.options import SolveOptions
from pegray.preendgame.solver import needed_kernels


def test_every_function_that_is_kept_is_in_the_catalogue_once() -> None:
    for package in (pegray.kernels, pegray.lexicon):
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    kept = [function for function in compiled.KEPT if function.__module__.startswith("pegray.")]
    listed = [function for functions in CATALOGUE.values() for function in functions]
    assert len(listed) == len(set(listed))
    assert set(listed) == set(kept)


def test_a_solve_needs_no_more_than_it_asks() -> None:
    first, later = needed_kernels(SolveOptions(), most_in_bag=1)
    assert set(first) == {"words", "plays", "draws", "verdicts", "spreads"}
    assert later == ()
    assert needed_kernels(SolveOptions(), 2)[1] == ("staying",)
    assert needed_kernels(SolveOptions(max_tiles_left=0), 2)[1] == ()
    assert needed_kernels(SolveOptions(opponent="rational"), 1)[1] == ("rational",)
    assert "spreads" not in needed_kernels(SolveOptions(until="answer"), 1)[0]
    assert set(first) < set(CATALOGUE)


class Function:
    """Stands for a function that takes a while to compile."""

    compiled = False

    def compile(self, signature: object) -> None:
        self.compiled = True


@pytest.fixture
def functions(monkeypatch: pytest.MonkeyPatch) -> list[Function]:
    """Four functions that are not compiled, in a catalogue of their own: the last two have the endgame in them."""
    four = [Function() for _ in range(4)]
    plays, verdicts, staying = {four[0]: (), four[1]: ()}, {four[2]: ()}, {four[3]: ()}
    monkeypatch.setattr(catalogue, "CATALOGUE", {"plays": plays, "verdicts": verdicts, "staying": staying})
    monkeypatch.setattr(catalogue, "is_kept", lambda function: function.compiled)
    return four


def test_warming_up_says_how_far_it_is_and_nothing_when_all_is_there(functions: list[Function]) -> None:
    steps: list[tuple[int, int]] = []
    catalogue.warm_up(("plays", "verdicts"), lambda done, total: steps.append((done, total)))
    assert steps == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert [function.compiled for function in functions] == [True, True, True, False]
    catalogue.warm_up(("plays", "verdicts"), lambda done, total: steps.append((done, total)))
    assert len(steps) == 4


class Process:
    """Stands for a second process: how many it compiles, one each time that somebody looks."""

    def __init__(self, functions: list[Function]) -> None:
        self.functions = functions

    def poll(self) -> int | None:
        """Compile one more; None as long as there is one."""
        if not self.functions:
            return 1
        self.functions.pop(0).compile(())
        return None


def beside_process(monkeypatch: pytest.MonkeyPatch, process: Process | None) -> None:
    """Have a second process of this kind, or none."""

    @contextmanager
    def second(purposes: list[str]) -> Iterator[Process | None]:
        yield process

    monkeypatch.setattr(beside, "_second_process", second)
    monkeypatch.setattr(beside, "_LOOK_SECONDS", 0.0)


@pytest.mark.parametrize("compiles", [None, 0, 1, 2])
def test_what_is_needed_first_is_there_whatever_becomes_of_the_second_process(
    functions: list[Function], monkeypatch: pytest.MonkeyPatch, compiles: int | None
) -> None:
    process = None if compiles is None else Process(functions[2 : 2 + compiles])
    beside_process(monkeypatch, process)
    steps: list[tuple[int, int]] = []
    with beside.compiled_beside(("plays", "verdicts"), ("staying",)) as wait:
        assert wait(lambda *step: steps.append(step)) == 1
        assert all(function.compiled for function in functions[:3])
    assert steps[0] == (0, 3)
    assert steps == sorted(steps)


def test_nothing_is_started_or_said_when_all_is_compiled(
    functions: list[Function], monkeypatch: pytest.MonkeyPatch
) -> None:
    for function in functions:
        function.compile(())

    def start(*given: Any, **named: Any) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr(beside.subprocess, "Popen", start)
    with beside.compiled_beside(("plays", "verdicts"), ("staying",)) as wait:
        assert wait(lambda done, total: pytest.fail("said")) == 0


@pytest.mark.parametrize(
    ("steps", "left", "said"),
    [
        ([], 0, []),
        ([(0, 5), (3, 5), (5, 5)], 0, ["compiling, once on this machine: 5 kernels"]),
        ([(0, 1)], 2, ["compiling, once on this machine: 1 kernel", "compiling 2 more kernels meanwhile"]),
    ],
)
def test_off_a_terminal_it_is_said_in_a_line(
    steps: list[tuple[int, int]],
    left: int,
    said: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    @contextmanager
    def compiled_beside(now: object, later: object) -> Iterator[Any]:
        def wait(on_step: Any) -> int:
            for step in steps:
                on_step(*step)
            return left

        yield wait

    monkeypatch.setattr(beside, "compiled_beside", compiled_beside)
    with compiling(("plays",)) as compiled:
        assert capsys.readouterr().err == ""
        compiled()
    assert capsys.readouterr().err.splitlines() == said
