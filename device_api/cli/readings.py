# SPDX-License-Identifier: Apache-2.0
"""Telemetry of one device type, made to run in a child process that is asked again and again.

``python -m device_api.cli.readings TYPE`` answers every line on its standard input with one line,
``MARK`` and JSON: a list with an entry for each device, or one entry with the cause when the type
cannot be used. It ends at the end of its input.
"""

from __future__ import annotations

import json
import sys
from typing import Any

MARK = "device-api reading: "
"""Tells the answer from what a vendor's library may print."""


def failure(device: str, cause: str, remedy: str, name: str = "") -> dict[str, Any]:
    """Return the entry of a device, or of a type, that gives no reading."""
    return {"device": device, "name": name, "cause": cause, "remedy": remedy}


def of_device(device_type: str, index: int) -> dict[str, Any]:
    """Return the reading of one device as plain data, or why there is none."""
    from device_api import devices, errors, sensors

    name = f"{device_type}:{index}"
    try:
        return sensors.telemetry(name).as_dict()
    except errors.DeviceApiError as error:
        told = devices.get_device_properties(name)
        return failure(name, error.cause, error.remedy, str(told.get("name", "")))


def of_type(device_type: str) -> list[dict[str, Any]]:
    """Return the readings of all devices of a type, loading its plugin at the first call."""
    from device_api import plugins

    status = plugins.status(device_type)
    if status.state is not plugins.State.USABLE:
        return [failure(device_type, status.cause or status.state.value, status.remedy)]
    return [of_device(device_type, index) for index in range(status.devices)]


if __name__ == "__main__":
    for _ in sys.stdin:
        print(f"\n{MARK}{json.dumps(of_type(sys.argv[1]))}", flush=True)
