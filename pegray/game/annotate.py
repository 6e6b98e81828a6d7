"""A game record with notes of ours put into it."""

from __future__ import annotations

from collections.abc import Mapping

from pegray.game.gcg import decoded

# What a note of ours begins with: those of an earlier time are replaced.
MARK = "#note pegray: "


def annotated(data: bytes, source: str, notes: Mapping[int, str]) -> bytes:
    """The text of a GCG file with a ``#note`` after events, after those that stand there; in the encoding it has.

    notes: by the line of the event, from 1
    """
    text, encoding = decoded(data, source)
    end = "\r\n" if "\r\n" in text else "\n"
    lines: list[str] = []
    waiting = None
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith(MARK):
            continue
        is_note = line.lower().startswith("#note") or not line.startswith((">", "#"))
        if waiting is not None and not (is_note and line.strip()):
            lines.append(MARK + waiting)
            waiting = None
        lines.append(line)
        if number in notes:
            waiting = notes[number]
    if waiting is not None:
        lines.append(MARK + waiting)
    return (end.join(lines) + end).encode(encoding, "replace")
