"""``python -m pegray``: the same as the ``pegray`` command."""

from __future__ import annotations

import sys

from pegray.cli import main

sys.exit(main())
