"""The ways in which the kernels are asked: each must come to what the reference says, play by play."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from pegray.kernels.memory import memory_of
from pegray.kernels.table import empty_table
from tests.kernels.adapter import ARENA_WORDS, TABLE_ENTRIES, KernelPlay, KernelPosition
from tests.reference.reference import HALF_POINTS, Play
from tests.soak.questions import Question

TINY_TABLE, LARGE_TABLE = 16, 1 << 18
SMALL_ARENA = 1 << 15
USUAL_ARENA = ARENA_WORDS // 4


def kernel_differences(question: Question, expected: dict[str, Play]) -> list[str]:
    """Plays on which the kernels, asked in the question's way, do not agree with the reference."""
    if question.way == "cut off":
        return _cut_off(question, expected)
    found = WAYS[question.way](question)
    if set(found) != set(expected):
        return [f"plays {sorted(set(found) ^ set(expected))}"]
    return [
        f"{name}: {found[name]}, expected {play}"
        for name, play in expected.items()
        if (found[name].score, found[name].outcomes) != (play.score, play.outcomes)
        or (_with_spreads(question) and found[name].spreads != play.spreads)
    ]


def _with_spreads(question: Question) -> bool:
    return question.opponent == "guaranteed"  # those of the other model are the same searches


def _kernels(question: Question, table_entries: int = TABLE_ENTRIES, arena_words: int = USUAL_ARENA) -> KernelPosition:
    kernels = KernelPosition(question.position, table_entries, arena_words)
    kernels.opponent = question.opponent
    return kernels


def _alone(table_entries: int = TABLE_ENTRIES, arena_words: int = USUAL_ARENA) -> Way:
    def find(question: Question) -> dict[str, KernelPlay]:
        return _kernels(question, table_entries, arena_words).plays(_with_spreads(question))

    return find


def _on_two_threads(question: Question) -> dict[str, KernelPlay]:
    """Each thread settles every other play, and both use one memory."""
    memory = memory_of(empty_table(TABLE_ENTRIES))
    both = [KernelPosition(question.position, arena_words=USUAL_ARENA, memory=memory) for _ in range(2)]
    for kernels in both:
        kernels.opponent = question.opponent

    def share(part: int) -> dict[str, KernelPlay]:
        return both[part].plays(_with_spreads(question), part, 2)

    with ThreadPoolExecutor(2) as threads:
        first, second = threads.map(share, range(2))
    return {**first, **second}


def _with_a_helper(question: Question) -> dict[str, KernelPlay]:
    """Two threads settle all plays, one as a helper that leaves alone what the other is at; the helper's answer."""
    memory = memory_of(empty_table(TABLE_ENTRIES))
    memory.count_helpers(+1)
    both = [KernelPosition(question.position, arena_words=USUAL_ARENA, memory=memory) for _ in range(2)]
    both[1].record["taken"]["helps"] = 1
    for kernels in both:
        kernels.opponent = question.opponent
    with ThreadPoolExecutor(2) as threads:
        first, second = threads.map(lambda kernels: kernels.plays(_with_spreads(question)), both)
    return second if first == second else {}


Way = Callable[[Question], dict[str, KernelPlay]]
WAYS: dict[str, Way] = {
    "plain": _alone(),
    "tiny table": _alone(TINY_TABLE),
    "large table": _alone(LARGE_TABLE),
    "small arena": _alone(arena_words=SMALL_ARENA),
    "two threads": _on_two_threads,
    "helper": _with_a_helper,
}


def _cut_off(question: Question, expected: dict[str, Play]) -> list[str]:
    """Plays that lose more than one before them are left: what is finished is right, and so is what the others lost."""
    finished, cut = _kernels(question).plays_with_cutoff()
    if finished.keys() | cut.keys() != expected.keys():
        return [f"plays {sorted((finished.keys() | cut.keys()) ^ expected.keys())}"]
    lost = {
        name: sum(weight * (2 - HALF_POINTS[outcome]) for weight, outcome in play.outcomes.values())
        for name, play in expected.items()
    }
    fewest = min(lost.values(), default=0)
    wrong = [
        f"{name}: {found}, expected {expected[name]}"
        for name, found in finished.items()
        if found != expected[name].outcomes
    ]
    wrong += [
        f"{name}: cut off with {at_least} lost of {lost[name]}, the best loses {fewest}"
        for name, at_least in cut.items()
        if not lost[name] >= at_least > fewest
    ]
    return wrong
