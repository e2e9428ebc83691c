# SPDX-License-Identifier: Apache-2.0
"""Probing one device type, made to run in a child process: ``python -m device_api.cli.probe TYPE``.

Prints one line of JSON, a :class:`Finding`, last on its standard output.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass
class Finding:
    """What is known of a device type: its state, devices, and cause and remedy if it has none."""

    type: str
    state: str
    origin: str = ""
    cause: str = ""
    remedy: str = ""
    devices: int = 0
    simulated: bool = False
    chip_file: str = ""
    names: list[str] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    known_bad: list[str] = field(default_factory=list)
    telemetry: list[dict[str, Any]] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data, for JSON."""
        return asdict(self)


def probe(device_type: str) -> Finding:
    """Load a type's plugin in this process and return what it has."""
    from device_api import _clashes, devices, errors, plugins
    from device_api.cli import readings

    before = set(_clashes.conflicts())
    status = plugins.status(device_type)
    finding = Finding(
        device_type, status.state.value, status.origin, status.cause, status.remedy,
        status.devices, status.simulated,
    )  # fmt: skip
    for index in range(status.devices):
        try:
            told = devices.get_device_properties(devices.Device(device_type, index))
            finding.names.append(str(told.get("name", "unnamed")))
            finding.known_bad += [t for t in _clashes.bad_versions(device_type, told)
                                  if t not in finding.known_bad]  # fmt: skip
        except errors.DeviceApiError as error:
            finding.state, finding.cause, finding.remedy = "broken", error.cause, error.remedy
            break
    if status.simulated:
        finding.chip_file = _chip_file(device_type)
    if finding.state == plugins.State.USABLE.value:
        finding.telemetry = [readings.of_device(device_type, i) for i in range(status.devices)]
    finding.conflicts = [text for text in _clashes.conflicts() if text not in before]
    return finding


def _chip_file(device_type: str) -> str:
    """Return the file of the chip that is simulated; "" for a simulator without such files."""
    from device_api import errors, simulation

    try:
        return simulation.control(device_type).chip_file()
    except errors.DeviceApiError:
        return ""


if __name__ == "__main__":
    print("\n" + json.dumps(probe(sys.argv[1]).as_dict()), flush=True)
