# SPDX-License-Identifier: Apache-2.0
"""Clients of CUDA that are not of this project, on the simulated libraries."""

from __future__ import annotations

import ctypes
import os

import pytest
from simulated_cuda import simulated_folder


@pytest.fixture(scope="session", autouse=True)
def preloaded() -> None:
    """Load the simulated libraries: clients look for their names, and find them loaded."""
    os.environ.setdefault("DEVICE_API_SIM_CUDA_CHIP", "H100-SXM5-80GB")
    for name in ("libcuda.so.1", "libnvrtc.so.13", "libnvidia-ml.so.1"):
        ctypes.CDLL(str(simulated_folder() / name), mode=ctypes.RTLD_GLOBAL)
