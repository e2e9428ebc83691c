# SPDX-License-Identifier: Apache-2.0
"""The handle of a real device: its memory, and what its plugin says of itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from device_api import _core, errors
from device_api_conformance.device_bits import array_of
from device_api_conformance.formats import Array
from device_api_conformance.handle import Handle


class DeviceMemory(Handle):
    """That part of a `DeviceHandle`."""

    device: _core.Device

    # ---- memory ----

    def alloc(self, size: int) -> int:
        """Device memory from the caching allocator."""
        return _core.malloc(size, self.device)

    def free(self, address: int) -> None:
        """Give memory back."""
        _core.free(address, self.device)

    def write(self, address: int, data: bytes) -> None:
        """Host to device."""
        _core.memcpy_h2d(address, data, self.device)

    def read(self, address: int, size: int) -> bytes:
        """Device to host."""
        return _core.memcpy_d2h(address, size, self.device)

    def fill(self, address: int, value: int, size: int) -> None:
        """Set bytes of the device."""
        _core.memset(address, value, size, self.device)

    def pinned(self, size: int) -> Array:
        """Page-locked memory; it lives as long as the array."""
        return np.asarray(memoryview(_core.pinned_memory(size, self.device)), dtype=np.uint8)

    def start_copy(self, tensor: Any, host: Array, to_host: bool) -> None:
        """Enqueue a copy on the current stream."""
        _core.copy_host(array_of(tensor), host, to_host)

    def statistics(self) -> dict[str, int]:
        """Figures of the allocator."""
        return dict(_core.memory_stats(self.device))

    def reset_peak(self) -> None:
        """Start the peak anew."""
        _core.reset_peak(self.device)

    def empty_cache(self) -> None:
        """Give cached memory back."""
        _core.empty_cache(self.device)

    # ---- what the plugin says of itself ----

    def telemetry(self) -> dict[str, Any] | None:
        """One reading as plain data, with what the host would take for unknown."""
        try:
            found = _core.telemetry(self.device, given=True)
        except errors.NotSupportedError:
            return None
        throttle = found["throttle"]
        return found | {"throttle": None if throttle is None else sorted(throttle)}

    def properties(self, kept: bool = False) -> dict[str, Any]:
        """Facts as the plugin gives them now, or did when it was loaded."""
        return dict(_core.properties(self.device, given=not kept))

    def device_count(self, kept: bool = False) -> int:
        """Devices as the plugin counts them now, or did when it was loaded."""
        return _core.device_count(self.device.type, given=not kept)
