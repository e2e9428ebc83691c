# SPDX-License-Identifier: Apache-2.0
"""``device-api bisect``: a program run with every op compared with the CPU."""

from __future__ import annotations

import os
from dataclasses import dataclass

from rich.console import Console

from device_api import compare, devices, errors
from device_api.cli import programs

SAME, DIFFERENT, UNUSABLE = 0, 1, 2


@dataclass(frozen=True)
class Call:
    """What to run, on which device (None: what the environment says), and how strictly."""

    program: str
    arguments: tuple[str, ...]
    device: str | None
    rtol: float
    stop: bool


def run(call: Call, out: Console, err: Console) -> int:
    """Run the program and print what was found; return the exit code."""
    try:
        name = call.device or os.environ.get("DEVICE_API_DEVICE") or devices.get_device()
        if devices.set_device(name).type == "cpu":
            raise errors.InvalidArgumentError(
                "the CPU would be compared with itself", "name a device with --device"
            )
        if not os.path.isfile(call.program):
            raise errors.DataNotFoundError(f"there is no file {call.program}", "check the path")
        comparison = compare.with_cpu(rtol=call.rtol, stop=call.stop)
    except errors.DeviceApiError as error:
        err.print(str(error), markup=False)
        return UNUSABLE
    with comparison:
        failure = programs.run(call.program, call.arguments).failure
    return _report(comparison, failure, out, err)


def _report(found: compare.Comparison, failure: str, out: Console, err: Console) -> int:
    for op, why in sorted(found.uncompared.items()):
        out.print(f"not compared: {op}: {why}", markup=False)
    ops = f"{found.compared.total()} runs of {len(found.compared)} ops were compared with the CPU"
    if found.first is not None:
        out.print(f"the first op that differs (after {ops}):", markup=False)
        for difference in found.differences:
            out.print(str(difference), markup=False)
        return DIFFERENT
    if failure:
        err.print(failure, markup=False)
        out.print(f"the program failed; until then {ops}, none differs", markup=False)
        return UNUSABLE
    out.print(f"{ops}, none differs", markup=False)
    return SAME
