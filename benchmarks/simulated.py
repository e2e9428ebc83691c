# SPDX-License-Identifier: Apache-2.0
"""Time a simulated chip against the CPU backend: `python benchmarks/simulated.py [--rounds N]`.

Both are in one process and take turns, so that a change of the machine's speed meets both; a figure
is the minimum over the rounds, and of one call with its wait for the result. Products and
convolutions have a limit: the exit status is 1 when the simulated chip takes more than three times
as long as the CPU backend. Theirs is a matter of work, not of waiting: several calls and one wait,
and processor time of all threads, which other programs on the machine do not lengthen; `--wall`
takes the clock's time there, too. Needs device-api with the simulated backend, numpy and rich.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from simulated_cases import Call, Case

    Clock = Callable[[], float]

SECONDS = 0.01
"""How long one measurement of a short call goes on."""
LONG = 10
"""Rounds of a case go on for at most about this many seconds."""


def seconds(call: Call, wait: Call, each: bool, clock: Clock, repeat: int) -> float:
    """Of one call by the clock; `each`: of one that is waited for."""
    start = clock()
    for _ in range(repeat):
        call()
        if each:
            wait()
    wait()
    return (clock() - start) / repeat


def measure(case: Case, devices: list[Any], rounds: int, wall: bool) -> list[float]:
    """The best time on each device; empty where one of them lacks the op."""
    import device_api as da
    from device_api import _core

    if not all(_core.has_op(d, case.op, case.dtype) for d in devices):
        return []
    runs = []
    for device in devices:
        call = case.make(device)

        def wait(device: Any = device) -> None:
            da.synchronize(device)

        each = case.group.endswith("elements")
        clock = time.perf_counter if each or wall else time.process_time
        seconds(call, wait, each, clock, 2)
        once = max(seconds(call, wait, each, clock, 1), 1e-7)
        runs.append((call, wait, each, clock, max(1, min(200, int(SECONDS / once)))))
    best = [float("inf")] * len(devices)
    start = time.perf_counter()
    for _ in range(rounds):
        for i, run in enumerate(runs):
            best[i] = min(best[i], seconds(*run))
        if time.perf_counter() - start > LONG:
            break
    return best


def text(value: float) -> str:
    """A time, in microseconds below a millisecond."""
    return f"{value * 1e6:.1f} µs" if value < 1e-3 else f"{value * 1e3:.2f} ms"


def show(results: list[tuple[Case, list[float]]], chip: str) -> int:
    """Print the table; the number of limits that are missed."""
    from rich.console import Console
    from rich.table import Table

    missed = 0
    console = Console(width=110)
    for group in dict.fromkeys(case.group for case, _ in results):
        rows = Table("case", "cpu", chip, "ratio", "limit", title=group, title_justify="left")
        for case, best in results:
            if case.group != group:
                continue
            if not best:
                rows.add_row(case.name, "", "not on this chip", "", "")
                continue
            ratio, verdict = best[1] / best[0], ""
            if case.limit is not None:
                met = ratio <= case.limit
                missed += not met
                verdict = f"{case.limit:g} {'met' if met else 'MISSED'}"
            rows.add_row(case.name, text(best[0]), text(best[1]), f"{ratio:.2f}", verdict)
        console.print(rows)
    return missed


def main() -> int:
    """Run all cases and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=7, help="measurements of each case")
    parser.add_argument("--wall", action="store_true", help="limits by the clock's time")
    parser.add_argument("--chip", default="npu", help="device type whose simulation is timed")
    parser.add_argument("--only", default="", help="cases whose group and name have this in them")
    parser.add_argument("--json", type=Path, help="also write the figures (seconds) to this file")
    arguments = parser.parse_args()
    os.environ["DEVICE_API_SIMULATE"] = arguments.chip

    from simulated_cases import all_cases

    import device_api as da

    devices = [da.Device("cpu"), da.Device(arguments.chip)]
    results = []
    for case in all_cases():
        if arguments.only in f"{case.group}: {case.name}":
            results.append((case, measure(case, devices, arguments.rounds, arguments.wall)))
    missed = show(results, arguments.chip)
    if arguments.json:
        rows = {f"{c.group}: {c.name}": best for c, best in results}
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n")
    print(f"{missed} limits missed" if missed else "all limits met")
    return bool(missed)


if __name__ == "__main__":
    raise SystemExit(main())
