"""What everything but the kernels takes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Costs:
    """Seconds of the driver's one thread, and what else bounds a solve; `benchmarks/driver_costs.py` measures them.

    between_calls, around_unit: of a node's thread, beside the work on units
    latency: from the driver to an actor, or back
    tables: writing a position's plays and outcomes, at most `tables_share` of the time for all positions
    """

    hand_out_unit: float = 0.034e-3
    send_call: float = 0.15e-3
    send_unit: float = 0.004e-3
    ask_call_in_flight: float = 0.0004e-3
    take_call: float = 0.03e-3
    take_unit: float = 0.004e-3
    record_unit: float = 0.01e-3
    keep_unit: float = 0.006e-3
    write_journal_unit: float = 0.008e-3
    tables_share: float = 0.02
    between_calls: float = 0.4e-3
    around_unit: float = 0.1e-3
    latency: float = 0.5e-3
    threads_per_node: int = 16


COSTS = Costs()
