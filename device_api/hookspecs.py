# SPDX-License-Identifier: Apache-2.0
"""What a plugin of device_api implements: pluggy hooks, called once, when its device is asked for.

A plugin is a module named by an entry point of the group ``device_api``; the entry point's name is
the device type::

    import pluggy
    hookimpl = pluggy.HookimplMarker("device_api")

    @hookimpl
    def device_api_backend():
        return {"library": "/path/to/libdevice_api_chip.so", "options": {}, "simulator": None}

Importing the module must open no vendor library and need no device.
"""

from __future__ import annotations

from typing import NotRequired, TypedDict

import pluggy

PROJECT = "device_api"

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


class Simulator(TypedDict):
    """How a backend is run on its simulated chip.

    ``options`` replace or extend the backend's own; ``control`` is the path of the engine library,
    which exports ``das_control_table`` (see simctl.h of device-api-abi).
    """

    options: dict[str, str]
    control: str


class Backend(TypedDict):
    """A backend: its shared library, the options it is opened with, and its simulator if any."""

    library: str
    options: NotRequired[dict[str, str]]
    simulator: NotRequired[Simulator | None]


@hookspec
def device_api_backend() -> Backend:
    """Return where the backend's library is and how to open it; opens nothing itself."""
    raise NotImplementedError  # a specification; implementations are in plugins
