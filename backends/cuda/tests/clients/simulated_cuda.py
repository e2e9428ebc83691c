# SPDX-License-Identifier: Apache-2.0
"""Where the simulated CUDA libraries lie."""

from __future__ import annotations

import os
from importlib import resources
from pathlib import Path


def simulated_folder() -> Path:
    """Where the simulated libraries lie: DEVICE_API_CUDA_SIM_DIR, or in the installed plugin."""
    named = os.environ.get("DEVICE_API_CUDA_SIM_DIR")
    if named:
        return Path(named)
    return Path(str(resources.files("device_api_cuda"))) / "lib" / "sim"
