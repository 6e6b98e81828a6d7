"""Which nodes are to be taken away soon: spot instances that have had their notice, pods and machines that are drained.

Whoever takes a node away tells Ray so (``ray drain-node``, docs/cluster.md); Ray then says it to all that ask.
"""

from __future__ import annotations

import math
import time

from ray._private.state import state


def nodes_to_go() -> dict[str, float]:
    """Seconds that each node has left which is to be taken away, by its id; infinite where nobody has said how many."""
    now = time.time()
    return {
        str(node_id): deadline / 1000 - now if deadline else math.inf
        for node_id, deadline in state.get_draining_nodes().items()
    }
