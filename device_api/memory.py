# SPDX-License-Identifier: Apache-2.0
"""Device memory: what is in use, what the cache holds, what the peak was. All sizes are bytes.

*Allocated* is what live arrays occupy, *reserved* what the caching allocator holds of the device,
used or not. The device is the current one unless named. Names as in PaddlePaddle 3.3.
"""

from __future__ import annotations

from device_api import _core
from device_api.devices import DeviceLike, optional_device


def memory_stats(device: DeviceLike | None = None) -> dict[str, int]:
    """Return all figures of the allocator of a device by name."""
    return dict(_core.memory_stats(optional_device(device)))


def _figure(name: str, device: DeviceLike | None) -> int:
    return _core.memory_stats(optional_device(device))[name]


def memory_allocated(device: DeviceLike | None = None) -> int:
    """Return the bytes that live arrays occupy."""
    return _figure("allocated", device)


def max_memory_allocated(device: DeviceLike | None = None) -> int:
    """Return the most bytes that live arrays occupied since the last reset of the peaks."""
    return _figure("peak_allocated", device)


def memory_reserved(device: DeviceLike | None = None) -> int:
    """Return the bytes that the allocator holds of the device."""
    return _figure("reserved", device)


def max_memory_reserved(device: DeviceLike | None = None) -> int:
    """Return the most bytes that the allocator held since the last reset of the peaks."""
    return _figure("peak_reserved", device)


def reset_peak_memory_stats(device: DeviceLike | None = None) -> None:
    """Start the peaks anew from what is in use now."""
    _core.reset_peak(optional_device(device))


def empty_cache(device: DeviceLike | None = None) -> None:
    """Give unused reserved memory back to the device; waits for its work."""
    _core.empty_cache(optional_device(device))
