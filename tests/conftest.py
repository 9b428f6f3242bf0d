"""What holds for every test: property tests are the same on every run, and a slow machine fails none."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "plain", deadline=None, derandomize=True, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("search", deadline=None, print_blob=True, max_examples=2_000)
settings.load_profile(os.environ.get("RULESDATA_HYPOTHESIS", "plain"))
