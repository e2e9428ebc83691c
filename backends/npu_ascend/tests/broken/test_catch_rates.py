# SPDX-License-Identifier: Apache-2.0
"""A hundred seeds of each broken adapter; the native tests play three (CMakeLists.txt)."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import catch_rates


@pytest.mark.long
def test_every_broken_adapter_is_caught_and_the_good_one_passes() -> None:
    found = catch_rates.rates(100)
    assert len(found) > 25
    missed = [(rate.name, rate.caught, rate.finding) for rate in found if not rate.good]
    assert not missed, catch_rates.table(found)
