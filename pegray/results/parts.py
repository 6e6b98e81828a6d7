"""Names of the parts of a journal, which tell in what order they were written and which of them count.

A part is named ``<problem>-<time>-<session>.parquet``. One that was made of several parts of its session also says when
the first of them was written, ``<problem>-<time of the last>-<session>-<time of the first>.parquet``. It counts in
place of them, also where a process was killed before it had removed them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

_PART = re.compile(r"(?P<problem>.+)-(?P<last>\d{20})-(?P<session>[0-9a-f]{8})(-(?P<first>\d{20}))?\.parquet")


def part_name(problem: str, session: str, last: int, first: int | None = None) -> str:
    """Name of a part. session: 8 hexadecimal digits; last: ns since 1970; first: where it is made of several parts"""
    since = "" if first is None else f"-{first:020d}"
    return f"{problem}-{last:020d}-{session}{since}.parquet"


def is_anothers(name: str, problem: str) -> bool:
    """Whether a part is named as one of another problem; a part of any other name has to be looked into."""
    parsed = _PART.fullmatch(name)
    return parsed is not None and parsed["problem"] != problem


def parts_that_count(names: Iterable[str]) -> list[str]:
    """The names in the order in which the parts were written, without the parts that one of the others is made of."""
    spans = defaultdict(list)
    named = [(name, _PART.fullmatch(name)) for name in sorted(names)]
    for _, parsed in named:
        if parsed is not None and parsed["first"] is not None:
            spans[parsed["problem"], parsed["session"]].append((parsed["first"], parsed["last"]))
    return [name for name, parsed in named if parsed is None or not _is_in_another(parsed, spans)]


def _is_in_another(parsed: re.Match[str], spans: dict[tuple[str, str], list[tuple[str, str]]]) -> bool:
    """Whether a part was written within one of the spans of its session, and is not what covers it."""
    span = (parsed["first"] or parsed["last"], parsed["last"])
    covering = spans.get((parsed["problem"], parsed["session"]), [])
    return any(first <= span[0] and span[1] <= last and span != (first, last) for first, last in covering)
