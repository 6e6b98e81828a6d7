"""The page with programs that solve nothing: ``python -m tests.serve.serving PORT FOLDER``."""

from __future__ import annotations

import sys

from pegray.runs.options import RunOptions
from pegray.serve.address import listening, page_address
from pegray.serve.app import Service
from pegray.serve.server import serve
from tests.serve.conftest import FAKE_EXPLAINING, FAKE_SOLVING, TOKEN

if __name__ == "__main__":
    service = Service(sys.argv[2], RunOptions(address="none"), FAKE_SOLVING, FAKE_EXPLAINING)
    listener = listening("127.0.0.1", int(sys.argv[1]))
    serve(listener, TOKEN, service, lambda: print(page_address(listener, TOKEN), flush=True))
