"""``pegray serve``: a page in the browser, for this machine only."""

from __future__ import annotations

import argparse
import os
import sys
import webbrowser
from typing import Any

from pegray.commands.arguments import add_command, add_option, named_path
from pegray.commands.exit_codes import DONE
from pegray.errors import InputError, PegrayError
from pegray.runs.options import RUN_OPTIONS, RunOptions

PORT = 8765

EXAMPLES = """\
  pegray serve
  pegray serve --runs ~/scrabble/runs --port 0 --no-browser
"""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = add_command(
        commands, "serve", "a page in the browser: set positions, solve them, look into runs", EXAMPLES
    )
    parser.add_argument(
        "--runs", type=named_path, metavar="DIR", default="runs", help="the folder of its runs (default: runs)"
    )
    parser.add_argument(
        "--port", type=port, default=PORT, metavar="N", help=f"where it listens (default {PORT}; 0: any that is free)"
    )
    parser.add_argument(
        "--host", default="127.0.0.1", help="127.0.0.1 (default), ::1 or localhost: nothing from outside is let in"
    )
    parser.add_argument("--no-browser", action="store_true", help="just print the address")
    for name in ("workers", "address"):
        add_option(parser, RUN_OPTIONS[name])
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serve the page until Ctrl-C."""
    try:
        from pegray.serve.app import Service
        from pegray.serve.server import serve
    except ModuleNotFoundError as error:
        raise PegrayError(f"pegray serve needs {error.name}: pip install starlette uvicorn") from None
    from pegray.display.console import message
    from pegray.serve.address import kept_token, listening, page_address

    if os.path.exists(arguments.runs) and not os.path.isdir(arguments.runs):
        raise InputError(f"--runs {arguments.runs}: not a folder")
    listener = listening(arguments.host, arguments.port)
    token = kept_token()
    where = page_address(listener, token)
    service = Service(arguments.runs, RunOptions(address=arguments.address, workers=arguments.workers))

    def ready() -> None:
        message(f"runs in {arguments.runs}; open this in a browser, Ctrl-C ends it:")
        print(where, flush=True)
        if not arguments.no_browser and _has_screen():
            webbrowser.open(where)

    serve(listener, token, service, ready)
    return DONE


def port(text: str) -> int:
    """Argument type: a port."""
    if not text.isascii() or not text.isdigit() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a port, 0 to 65535")
    return int(text)


def _has_screen() -> bool:
    """Whether a browser would have a window; one in the terminal would be in the way."""
    return sys.platform == "darwin" or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
