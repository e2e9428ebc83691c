# SPDX-License-Identifier: Apache-2.0
"""Every function of nn.functional runs on a device that has the core ops only, with no fallback."""

from __future__ import annotations

from collections.abc import Iterator

import bringup_devices
import pytest
from nn import comparing, reference, reference_images
from nn.cases import Case
from nn.cases_images import CASES

import device_api as xp


@pytest.fixture
def bare() -> Iterator[str]:
    """Such a device, as the current one, where a fallback is an error."""
    with xp.device_guard(f"{bringup_devices.bare()}:0"), xp.fallback_policy("error"):
        yield bringup_devices.bare()


@pytest.mark.parametrize("case", CASES, ids=str)
def test_core_ops_are_enough(bare: str, case: Case) -> None:
    of = reference if hasattr(reference, case.function) else reference_images
    for dtype in ("float32", "float16"):
        comparing.check(case, dtype, getattr(of, case.function))
