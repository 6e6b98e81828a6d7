"""In place of pegray.serve.solving: tells and writes the same, and solves nothing.

A run whose name begins with "slow" waits to be interrupted, the first time that it is worked on; one that begins with
"broken" dies.
"""

from __future__ import annotations

import json
import sys
import threading

from pegray.results.write import RunWriter
from pegray.serve.child import end_with_server, interruptible, news
from tests.serve.made import write_answer

if __name__ == "__main__":
    tell = news()
    interruptible()
    end_with_server()
    out = RunWriter(json.loads(sys.argv[1])["directory"])
    out.claim()
    name = out.position(0)["name"]
    tell({"event": "compiling", "done": 1, "total": 2})
    if name.startswith("broken"):
        sys.exit(3)
    tell({"event": "begun"})
    taken_up = bool(out.stats)
    write_answer(out, "open")
    tell({"event": "progress", "position": 0, "line": "2 of 3 plays left", "fraction": 0.25})
    try:
        if name.startswith("slow") and not taken_up:
            threading.Event().wait(60)
        write_answer(out, "complete")
    except KeyboardInterrupt:
        out.write_manifest({"state": "interrupted"})
    tell({"event": "ended", "position": 0, "end": "finished", "fault": ""})
