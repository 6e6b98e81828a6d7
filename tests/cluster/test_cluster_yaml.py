"""cluster.yaml, as `ray up` checks it before it asks a cloud for anything."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "cluster.yaml").read_text(encoding="utf-8")


def prepared(text: str) -> dict[str, Any]:
    """The configuration with Ray's defaults, if Ray takes it."""
    pytest.importorskip("jsonschema")
    from ray.autoscaler._private.util import prepare_config, validate_config

    config: dict[str, Any] = prepare_config(yaml.safe_load(text))
    validate_config(config)
    return config


def test_ray_takes_it() -> None:
    config = prepared(TEXT)
    assert set(config["available_node_types"]) == {"head", "worker"}
    worker = config["available_node_types"]["worker"]
    assert worker["node_config"]["InstanceMarketOptions"] == {"MarketType": "spot"}
    assert (worker["min_workers"], worker["max_workers"], config["max_workers"]) == (0, 8, 8)


def test_every_node_installs_pegray_warms_up_and_asks_for_the_token() -> None:
    config = prepared(TEXT)
    for commands in (config["head_setup_commands"], config["worker_setup_commands"]):
        text = "\n".join(commands)
        assert "~/pegray[cluster]" in text
        assert "warm_up()" in text
        assert "RAY_AUTH_MODE=token" in text


def test_what_warms_a_node_up_is_there() -> None:
    from pegray.kernels.catalogue import warm_up

    assert callable(warm_up)


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("max_workers: 8\n# A worker", "max_wrokers: 8\n# A worker", "'max_wrokers' was unexpected"),
        ("head_node_type: head", "head_node_type: chief", "head_node_type"),
        ("min_workers: 0", "min_workers: none", "'none' is not of type 'integer'"),
        ("setup_commands:", "setup_comands:", "'setup_comands' was unexpected"),
    ],
)
def test_a_slip_is_caught(right: str, wrong: str, said: str) -> None:
    assert right in TEXT
    with pytest.raises(Exception, match=said):
        prepared(TEXT.replace(right, wrong, 1))
