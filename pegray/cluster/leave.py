"""Tells Ray that this machine is to be taken away, so that what is worked on here is handed on in time.

``python -m pegray.cluster.leave --aws`` waits for the notice that a spot instance of AWS gets two minutes before its
end; ``python -m pegray.cluster.leave --seconds 30`` is for whoever knows it otherwise, such as a hook of Kubernetes.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import time
import urllib.error
import urllib.request
from datetime import datetime

import ray
from ray._raylet import GcsClient  # type: ignore[attr-defined]
from ray.core.generated import autoscaler_pb2

AWS = "http://169.254.169.254"
_REASON = "DRAIN_NODE_REASON_PREEMPTION"
_POLL_SECONDS = 5.0
_ANSWER_SECONDS = 2.0
_TOKEN_SECONDS = 60


def main(arguments: list[str] | None = None) -> int:
    """Wait for the notice, if one is to be waited for, and pass it on; 1 if Ray does not take it."""
    parser = argparse.ArgumentParser(prog="python -m pegray.cluster.leave", description=__doc__)
    when = parser.add_mutually_exclusive_group(required=True)
    when.add_argument("--aws", action="store_true", help="wait for the notice of a spot instance")
    when.add_argument("--seconds", type=float, help="the machine goes in so many seconds")
    parser.add_argument("--address", default="auto", help="of the cluster (default: the one that runs here)")
    asked = parser.parse_args(arguments)
    seconds = wait_for_notice() if asked.aws else asked.seconds
    print(f"this machine goes in {seconds:.0f} s", file=sys.stderr)
    refused = tell_ray(seconds, asked.address)
    if refused:
        print(f"pegray: error: Ray does not let this node go: {refused}", file=sys.stderr)
    return 1 if refused else 0


def wait_for_notice(service: str = AWS) -> float:
    """Seconds until this spot instance goes, as soon as that is known. service: AWS's address for an instance's data"""
    while True:
        end = spot_end(service)
        if end is not None:
            return max(0.0, end - time.time())
        time.sleep(_POLL_SECONDS)


def spot_end(service: str = AWS) -> float | None:
    """Seconds since 1970 at which this spot instance is to end; None while that is not known."""
    try:
        lifetime = {"X-aws-ec2-metadata-token-ttl-seconds": str(_TOKEN_SECONDS)}
        token = _ask(urllib.request.Request(f"{service}/latest/api/token", headers=lifetime, method="PUT"))
        header = {"X-aws-ec2-metadata-token": token}
        action = _ask(urllib.request.Request(f"{service}/latest/meta-data/spot/instance-action", headers=header))
        return datetime.fromisoformat(json.loads(action)["time"]).timestamp()
    except (OSError, ValueError, KeyError):  # most often 404: no notice
        return None


def tell_ray(seconds: float, address: str = "auto") -> str:
    """Let Ray know that this node goes in so many seconds; why it does not take that, or nothing."""
    ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    try:
        return drain(ray.get_runtime_context().get_node_id(), time.time() + seconds)
    finally:
        ray.shutdown()


def drain(node_id: str, until: float) -> str:
    """Let the Ray that this process has joined know that a node goes at a time; why it does not take that, or nothing.

    until: seconds since 1970
    """
    reason = autoscaler_pb2.DrainNodeReason.Value(_REASON)  # type: ignore[attr-defined]
    ray_state = GcsClient(address=ray.get_runtime_context().gcs_address)
    taken, refusal = ray_state.drain_node(node_id, reason, _REASON, int(until * 1000))
    return "" if taken else str(refusal)


def _ask(request: urllib.request.Request) -> str:
    with urllib.request.urlopen(request, timeout=_ANSWER_SECONDS) as answer:
        return str(answer.read().decode())


if __name__ == "__main__":
    sys.exit(main())
