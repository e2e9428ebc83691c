# SPDX-License-Identifier: Apache-2.0
"""Telemetry: temperature, power, use, memory, error counts and health of a device."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from device_api import _core
from device_api.devices import DeviceLike, current_device, usable_device


@dataclass(frozen=True)
class Telemetry:
    """One reading of a device's sensors and counters; a member that is not known is None.

    Counters are of the device's life as its vendor counts it; memory and use are of all processes.
    """

    device: str
    """As ``"type:index"``."""
    name: str
    """The device's own name; says "simulated" when it is."""
    health: str | None
    """``"ok"``, ``"warning"`` (works; somebody should look) or ``"critical"``."""
    health_text: str
    """The vendor's codes and words when the health is not "ok"; may be empty."""
    throttle: frozenset[str] | None
    """Why it runs slower than it could: of "thermal", "power", "hardware", "other"."""
    temperature: float | None
    """Of the chip, degrees Celsius."""
    memory_temperature: float | None
    """Degrees Celsius."""
    power: float | None
    """Watts, now."""
    power_limit: float | None
    """Watts."""
    utilization: float | None
    """Of the compute units, 0 to 1, over the vendor's own interval."""
    bandwidth_utilization: float | None
    """Of the device memory, 0 to 1."""
    memory_used: int | None
    """Bytes."""
    memory_total: int | None
    """Bytes."""
    ecc_corrected: int | None
    """Corrected errors of device memory; None also when error correction is off."""
    ecc_uncorrected: int | None
    """Errors of device memory that could not be corrected."""
    clock_mhz: int | None
    """Of the compute units, now, MHz."""
    memory_clock_mhz: int | None
    """MHz."""
    driver: str
    """Version of the driver as text; "" when not known."""
    runtime: str
    """Version of the vendor's runtime as text; "" when not known."""
    source: str
    """What was asked: the library's file with its version, or files of the system."""

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data for JSON; ``throttle`` as a sorted list."""
        data = asdict(self)
        data["throttle"] = None if self.throttle is None else sorted(self.throttle)
        return data


def telemetry(device: DeviceLike | None = None) -> Telemetry:
    """Read a device's sensors and counters (default: the current device).

    Opens no device and waits for no work: it can be called beside running jobs, at any rate, and
    changes no result. Raises NotSupportedError where the plugin has no telemetry or this machine
    lacks the vendor's management library, and what ``set_device`` raises for a device that is not
    there. What each member rests on, vendor by vendor: docs/telemetry.md.
    """
    found = usable_device(device if device is not None else current_device())
    facts = _core.properties(found)
    return Telemetry(
        device=str(found),
        name=str(facts["name"]),
        driver=str(facts["driver"]),
        runtime=str(facts["runtime"]),
        **_core.telemetry(found),
    )
