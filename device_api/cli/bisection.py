# SPDX-License-Identifier: Apache-2.0
"""``device-api bisect``: a program run with every op compared with the CPU."""

from __future__ import annotations

import os
import runpy
import sys
import traceback
from dataclasses import dataclass

from rich.console import Console

from device_api import compare, devices, errors

SAME, DIFFERENT, UNUSABLE = 0, 1, 2


@dataclass(frozen=True)
class Call:
    """What to run, on which device (None: what the environment says), and how strictly."""

    program: str
    arguments: tuple[str, ...]
    device: str | None
    rtol: float
    stop: bool


def _failure(call: Call) -> str:
    """Run the program; return the text of what it raised, or ""."""
    sys.argv = [call.program, *call.arguments]
    sys.path[0:0] = [os.path.dirname(os.path.abspath(call.program))]
    try:
        runpy.run_path(call.program, run_name="__main__")
    except SystemExit as end:
        return "" if end.code in (None, 0) else f"the program ended with exit code {end.code}"
    except Exception:  # noqa: BLE001 - whatever the program raised, it is told
        return traceback.format_exc()
    return ""


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
        failure = _failure(call)
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
