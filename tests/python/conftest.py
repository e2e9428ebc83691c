# SPDX-License-Identifier: Apache-2.0
"""Shared fixtures: the devices that the tests of the Python face run on."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from plugin_site import Site

import device_api as xp
from device_api import simulation

os.environ["SCIPY_ARRAY_API"] = "1"  # SciPy reads it at its first import

# The accelerators are simulated chips; asked for before anything is loaded.
simulation.enable("npu", devices=2)

# A background process ignores Ctrl-C, and so would the children that tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

DEVICES = os.environ.get("DEVICE_API_TEST_DEVICES", "cpu,npu:0").split(",")


@pytest.fixture(params=DEVICES)
def device(request: pytest.FixtureRequest) -> Iterator[str]:
    """A device, current during the test; fallbacks are allowed and silent."""
    with xp.device_guard(request.param), xp.fallback_policy("allow"):
        yield request.param


@pytest.fixture
def cpu() -> Iterator[str]:
    """The CPU as the current device."""
    with xp.device_guard("cpu"):
        yield "cpu"


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """A folder to make plugins in."""
    return Site(tmp_path)
