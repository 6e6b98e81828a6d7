"""The browser that tests look at pages in."""

from __future__ import annotations

import shutil

BROWSERS = ("chromium", "chromium-browser", "chromium-headless-shell", "google-chrome", "chrome")


def find_browser() -> str | None:
    """Path of the first of BROWSERS that is installed."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)
