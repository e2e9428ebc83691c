# SPDX-License-Identifier: Apache-2.0
"""A pytest plugin that runs a whole session on a planted backend: ``-p yardstick.planted_process``.
Hypothesis does not look for the smallest example that fails.

``DEVICE_API_CONFORMANCE_PLANT`` names the plant, ``YARDSTICK_DEVICE`` the type (default: cpu). At
the end the number of times that the defect struck goes into the file that ``YARDSTICK_STRIKES``
names.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import Phase, settings

from device_api_conformance import planted

PLANT = os.environ.get(planted.VARIABLE, "")
if PLANT:
    planted.put(os.environ.get("YARDSTICK_DEVICE", "cpu"), PLANT)


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """What the suite's own profile says, without shrinking."""
    phases = (Phase.explicit, Phase.reuse, Phase.generate)
    settings.register_profile("yardstick", settings(), phases=phases)
    settings.load_profile("yardstick")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tell how often the defect struck."""
    told = os.environ.get("YARDSTICK_STRIKES")
    if told and PLANT:
        Path(told).write_text(str(planted.strikes()))
