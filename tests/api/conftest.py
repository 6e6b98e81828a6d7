"""The result that tests of results use."""

from __future__ import annotations

from tests.results.conftest import result

__all__ = ["result"]
