# SPDX-License-Identifier: Apache-2.0
"""Which handle serves a device: the one that is asked for, a registered one, or device_api's own.

Other distributions register handles as entry points of the group `GROUP`, by the type in a device's
name: ``torch = "my_package:open_torch"`` serves ``torch:0``. The function takes the whole name and
returns a `handle.Handle`. Types of device_api's own plugins come first.
"""

from __future__ import annotations

from importlib.metadata import entry_points

from device_api import errors, plugins
from device_api_conformance.opening import DEFAULT_HANDLE

GROUP = "device_api_conformance.handles"
"""Group of entry points: device type -> ``module:function``."""


def resolve(device: str, asked: str | None = None) -> str:
    """The factory, as ``module:function``, of the handle that serves `device`."""
    if asked:
        return asked
    kind = device.partition(":")[0]
    registered = {found.name: found.value for found in entry_points(group=GROUP)}
    if kind not in registered or _own(kind):
        return DEFAULT_HANDLE
    return registered[kind]


def _own(kind: str) -> bool:
    """Whether a plugin of device_api has this type."""
    try:
        plugins.find(plugins.canonical(kind))
    except errors.DeviceApiError:
        return False
    return True
