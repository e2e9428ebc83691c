# SPDX-License-Identifier: Apache-2.0
"""Where the Ascend backend's libraries are. Metadata only: nothing is opened here."""

from __future__ import annotations

import os
from typing import Any

import pluggy

hookimpl = pluggy.HookimplMarker("device_api")


_RELEASES = ("8.1", "9.0")
"""Releases of CANN whose own library names lie in a folder of the simulator; the newest has all."""


@hookimpl
def device_api_backend() -> dict[str, Any]:
    """Return the paths and options of the backend.

    ``library`` is the adapter. ``options`` opens the real CANN, by the vendor's search rules.
    ``simulator`` opens the simulated CANN in this package instead; ``control`` is its engine.
    DEVICE_API_SIM_NPU_CANN names the release to simulate: "8.1", "9.0" or "9.1" (the default).
    """
    lib = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib")
    simulated = os.path.join(lib, "sim")
    release = os.environ.get("DEVICE_API_SIM_NPU_CANN", "")
    names = os.path.join(simulated, release) if release in _RELEASES else simulated
    return {
        "library": os.path.join(lib, "libdevice_api_npu.so"),
        "options": {},
        "simulator": {
            "options": {"simulate": "1", "simulator": names},
            "control": os.path.join(simulated, "libdevice_api_sim_npu.so"),
        },
    }
