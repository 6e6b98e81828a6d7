"""What everything but the kernels takes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass
class Costs:
    """Seconds of the driver's one thread, and what else bounds a solve; `benchmarks/driver_costs.py` measures them.

    between_bundles, around_unit: of a node's thread, beside the work on units
    send_call, take_call: of a visit to a node, beside what each unit in it takes
    latency: from the driver to an actor, or back
    write_tables, write_order: a position's plays, and what is known of each order
    """

    hand_out_unit: float = 0.018e-3
    send_call: float = 0.19e-3
    send_unit: float = 0.004e-3
    take_call: float = 0.02e-3
    take_unit: float = 0.004e-3
    record_unit: float = 0.01e-3
    keep_unit: float = 0.006e-3
    write_journal_unit: float = 0.008e-3
    write_tables: float = 0.02
    write_order: float = 0.005e-3
    between_bundles: float = 0.1e-3
    around_unit: float = 0.1e-3
    latency: float = 0.5e-3

    def set(self, seconds: Mapping[str, float]) -> None:
        """Change some of them. Raises AttributeError if there is no such cost."""
        for name, value in seconds.items():
            getattr(self, name)
            setattr(self, name, value)

    def read(self, path: Path) -> None:
        """Take those of a file that :meth:`write` has written."""
        self.set(json.loads(path.read_text()))

    def write(self, path: Path) -> None:
        """All of them, as JSON."""
        path.write_text(json.dumps(asdict(self), indent=2) + "\n")


COSTS = Costs()
