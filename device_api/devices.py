# SPDX-License-Identifier: Apache-2.0
"""Devices: naming them, choosing the current one, listing them, waiting for them.

A device is named ``"type:index"``, ``"type"`` (index 0) or by a :class:`Device`. The current
device is the process's, unless a thread is inside a :func:`device_guard`; at the start it is the
first CPU device, or the one that the environment variable ``DEVICE_API_DEVICE`` names. Functions
are named as in PaddlePaddle 3.3.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

from device_api import _core, errors

Device = _core.Device
DeviceLike: TypeAlias = "Device | str"

_NAME = re.compile(r"([a-z][a-z0-9_]*)(?::(\d{1,4}))?", re.ASCII)


def as_device(device: DeviceLike) -> Device:
    """Return the device of a name, resolving aliases; loads nothing.

    Raises UnknownDeviceError when the name cannot be read or its type is not known.
    """
    if isinstance(device, Device):
        return device
    match = _NAME.fullmatch(device) if isinstance(device, str) else None
    if match is None:
        raise errors.UnknownDeviceError(
            f"not a device name: {device!r}", "write it as 'type' or 'type:index', as 'cpu:0'"
        )
    name, index = match.group(1), int(match.group(2) or 0)
    if name not in _core.loaded_types():
        from device_api import plugins

        name = plugins.canonical(name)
    return Device(name, index)


def optional_device(device: DeviceLike | None) -> Device | None:
    """Return the device of a name, or None for the current device."""
    return None if device is None else as_device(device)


def usable_device(device: DeviceLike) -> Device:
    """Return a device that exists, loading its plugin if need be.

    Raises PluginError (not installed, no driver, broken), NoDeviceError or DeviceIndexError.
    """
    found = as_device(device)
    count = device_count(found.type)
    if count == 0:
        raise errors.NoDeviceError(
            f"there is no {found.type} device on this machine",
            f"see `device-api doctor`; without a chip: DEVICE_API_SIMULATE={found.type}",
            device=str(found),
        )
    if found.index >= count:
        there = f"there is only {found.type}:0" if count == 1 else f"there are {count}"
        raise errors.DeviceIndexError(
            f"no device {found}: {there}",
            f"use an index from 0 to {count - 1}",
            device=str(found),
        )
    return found


def set_device(device: DeviceLike) -> Device:
    """Make a device the current one of the process and return it; its plugin is loaded.

    Raises UnknownDeviceError, PluginError with its subclasses, or DeviceIndexError.
    """
    found = usable_device(device)
    _core.set_current_device(found)
    return found


def current_device() -> Device:
    """Return this thread's current device."""
    return _core.current_device()


def get_device() -> str:
    """Return the name of this thread's current device: ``"cpu"``, or as ``"type:index"``."""
    device = current_device()
    return device.type if device.type == "cpu" else f"{device.type}:{device.index}"


@contextmanager
def device_guard(device: DeviceLike) -> Iterator[Device]:
    """Make a device this thread's current one inside a ``with`` block."""
    before = _core.thread_device()
    found = usable_device(device)
    _core.set_current_device(found, thread=True)
    try:
        yield found
    finally:
        _core.set_current_device(before, thread=True)


def get_all_device_type() -> list[str]:
    """Return the device types that have an installed plugin, "cpu" first; loads nothing."""
    from device_api import _metadata

    names = set(_metadata.installed())
    return [*sorted(names & {"cpu"}), *sorted(names - {"cpu"})]


def get_available_device() -> list[str]:
    """Return the names of all usable devices, "cpu" first; loads every installed plugin.

    A plugin that fails is left out here; ``device_api.plugins.status`` and the command
    ``device-api doctor`` tell why.
    """
    from device_api import plugins

    names: list[str] = []
    for device_type in get_all_device_type():
        found = plugins.status(device_type)
        if device_type == "cpu":
            names += ["cpu"] * (found.devices > 0)
        else:
            names += [f"{device_type}:{index}" for index in range(found.devices)]
    return names


def device_count(device_type: str | None = None) -> int:
    """Return the number of devices of a type (default: of the current device), loading its plugin.

    Raises UnknownDeviceError or PluginError; no device at all is 0, not an error.
    """
    name = current_device().type if device_type is None else as_device(device_type).type
    if name not in _core.loaded_types():
        from device_api import plugins

        plugins.load(name)
    return _core.device_count(name)


def get_device_properties(device: DeviceLike | None = None) -> dict[str, object]:
    """Return what the plugin tells of a device (default: the current one): name, memory ..."""
    return dict(_core.properties(usable_device(device or current_device())))


def synchronize(device: DeviceLike | None = None) -> None:
    """Wait for all work of a device (default: the current one); raise its first late failure."""
    _core.synchronize(optional_device(device))


def reset_device(device: DeviceLike | None = None) -> None:
    """Bring a lost device back, or give a healthy one a fresh start (default: the current device).

    Its pending work is abandoned and its memory is freed. Arrays, streams and events of before are
    dead for good: using one raises DeviceLostError, deleting one is fine. That holds for what other
    libraries took over by DLPack too; nobody is asked. Pinned host memory stays, and no copy of
    before writes to it once this has returned. Memory figures start anew; a limit set by
    ``set_memory_fraction`` stays. Other devices are not touched. Definition: ``device_reset`` of
    the plugin contract. Raises NotSupportedError where the plugin cannot reset (the CPU), and the
    plugin's error when the device does not come back.
    """
    _core.reset_device(optional_device(device))


def apply_environment() -> None:
    """Make the device that DEVICE_API_DEVICE names the current one, if it is set.

    Called by the native core once, when the first device is needed.
    """
    name = os.environ.get("DEVICE_API_DEVICE", "").strip()
    if not name:
        return
    try:
        set_device(name)
    except errors.DeviceApiError as error:
        error.cause = f"{error.cause} (asked for by DEVICE_API_DEVICE={name})"
        raise
