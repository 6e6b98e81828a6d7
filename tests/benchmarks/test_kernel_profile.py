"""Samples of a process, by the names that gdb gives their addresses."""

from __future__ import annotations

from collections import Counter

from benchmarks.kernel_profile import by_name

SAID = [
    "pegray::kernels::lists::_look_up[abi:v30][abi:c8tJ](Record<738>, unsigned long long) + 312 in section .text",
    "_PyEval_EvalFrameDefault + 1337 in section .text of /usr/bin/python3.11",
    "pegray::kernels::lists::_look_up[abi:v30][abi:c8tJ](Record<738>, unsigned long long) in section .text",
    "No symbol matches 0x7ffe.",
]


def test_samples_are_added_up_by_name() -> None:
    samples = Counter({"a0": 5, "b0": 3, "a8": 2, "c0": 1})
    assert by_name(samples, SAID) == {"lists::_look_up": 7, "_PyEval_EvalFrameDefault": 3, "(no name)": 1}
