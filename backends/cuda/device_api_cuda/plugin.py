# SPDX-License-Identifier: Apache-2.0
"""Where the CUDA backend's libraries are. Metadata only: nothing is opened here."""

from __future__ import annotations

import os
import sysconfig
from typing import Any

import pluggy

hookimpl = pluggy.HookimplMarker("device_api")


@hookimpl
def device_api_backend() -> dict[str, Any]:
    """Return the paths and options of the backend.

    ``library`` is the adapter. ``options`` opens NVIDIA's libraries: the driver's by the loader's
    search, NVRTC, cuBLAS and NCCL from NVIDIA's wheels in this environment first. ``simulator``
    opens the simulated libraries in this package instead; ``control`` is their engine.
    """
    lib = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib")
    simulated = os.path.join(lib, "sim")
    return {
        "library": os.path.join(lib, "libdevice_api_cuda.so"),
        "options": {"wheels": sysconfig.get_path("purelib")},
        "simulator": {
            "options": {"simulate": "1", "simulator": simulated},
            "control": os.path.join(simulated, "libdevice_api_sim_cuda.so"),
        },
    }
