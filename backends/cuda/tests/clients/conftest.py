# SPDX-License-Identifier: Apache-2.0
"""Clients of CUDA that are not of this project, on the simulated libraries."""

from __future__ import annotations

import ctypes
import os
from importlib import resources
from pathlib import Path

import pytest


def simulated_folder() -> Path:
    """Where the simulated libraries lie: DEVICE_API_CUDA_SIM_DIR, or in the installed plugin."""
    named = os.environ.get("DEVICE_API_CUDA_SIM_DIR")
    if named:
        return Path(named)
    return Path(str(resources.files("device_api_cuda"))) / "lib" / "sim"


@pytest.fixture(scope="session", autouse=True)
def preloaded() -> None:
    """Load the simulated libraries: clients look for their names, and find them loaded."""
    os.environ.setdefault("DEVICE_API_SIM_CUDA_CHIP", "H100-SXM5-80GB")
    for name in ("libcuda.so.1", "libnvrtc.so.13", "libnvidia-ml.so.1"):
        ctypes.CDLL(str(simulated_folder() / name), mode=ctypes.RTLD_GLOBAL)
