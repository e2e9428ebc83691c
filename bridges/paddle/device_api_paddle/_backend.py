# SPDX-License-Identifier: Apache-2.0
"""What the bridge asks of device_api: a type's library and options, and that a device is there."""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

from device_api import plugins, simulation
from device_api.errors import NoDeviceError, PluginBrokenError


class Backend(NamedTuple):
    """A backend's library, and the options that it is opened with."""

    library: str
    options: dict[str, str]


def describe(device_type: str) -> Backend:
    """Return how a type's backend is opened, from its plugin; opens nothing.

    Raises the errors of :func:`device_api.plugins.find`, and PluginBrokenError.
    """
    plugin = plugins.find(device_type)
    try:
        backend = import_module(plugin.module).device_api_backend()
    except Exception as error:
        raise plugins.broken(plugin, error) from error
    options = dict(backend.get("options") or {})
    if simulation.requested(device_type):
        options |= simulation.prepare(device_type, backend.get("simulator"))
    for key, value in options.items():
        if "=" in key or "\n" in key + value:
            raise PluginBrokenError(
                f"option {key!r} of {plugin.origin} cannot travel through the environment",
                "option names hold no '=', and neither names nor values a line break",
                device=device_type,
            )
    return Backend(backend["library"], options)


def require_device(device_type: str) -> None:
    """Load a type's backend into this process, where Paddle will find it, and count its devices.

    Paddle itself passes over a custom device that cannot start; this raises the reason instead.
    """
    plugins.load(device_type)
    found = plugins.status(device_type)
    if not found.devices:
        raise NoDeviceError(found.cause, found.remedy, device=device_type)
