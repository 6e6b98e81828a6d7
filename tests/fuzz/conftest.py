"""How long the fuzz tests try: some seconds each, and with ``-m slow`` many times as much."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

FEW, QUICK, LONG = 12, 40, 1500

# the same examples every time: what the long profile finds becomes a test of its own
settings.register_profile(
    "fuzz",
    max_examples=QUICK,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large],
)
settings.load_profile("fuzz")
