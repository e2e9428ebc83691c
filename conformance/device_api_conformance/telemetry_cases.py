# SPDX-License-Identifier: Apache-2.0
"""Cases of chapter T: telemetry that can be true, holds still, and costs nothing.

Figures cannot be compared with a truth: they are held to what every device can say. A device
without telemetry skips the chapter.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np

from device_api_conformance import layouts
from device_api_conformance.case import Case
from device_api_conformance.formats import Host
from device_api_conformance.handle import Handle
from device_api_conformance.record import Record
from device_api_conformance.seeds import generator

BOUNDS: dict[str, tuple[float, float]] = {
    "temperature": (-60, 150), "memory_temperature": (-60, 150), "power": (0, 5000),
    "power_limit": (0, 5000), "utilization": (0, 1), "bandwidth_utilization": (0, 1),
    "clock_mhz": (1, 20_000), "memory_clock_mhz": (1, 20_000), "memory_used": (0, 2**44),
    "memory_total": (1, 2**44), "ecc_corrected": (0, 2**63), "ecc_uncorrected": (0, 2**63),
}  # fmt: skip
"""Limits of a known figure, in the units of the contract, that no real device leaves."""

_TOGETHER = (("memory_used", "memory_total"), ("ecc_corrected", "ecc_uncorrected"))
_NEVER_FALL = ("ecc_corrected", "ecc_uncorrected")
_READINGS = 1000

Reading = dict[str, Any]


def _reading(handle: Handle, r: Record) -> Reading | None:
    found = handle.telemetry()
    if found is None:
        r.skip("the device gives no telemetry")
    return found


def plausible(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """What is known lies within limits; members that belong together are known together."""
    found = _reading(handle, r)
    if found is None:
        return
    for name, (least, most) in BOUNDS.items():
        value = found[name]
        if value is not None:
            r.at_least(f"{name} is not too low", value, least)
            r.at_most(f"{name} is not too high", value, most)
    for a, b in _TOGETHER:
        r.equal(f"{a} and {b} are known together", found[a] is None, found[b] is None)
    if found["memory_total"] is not None:
        r.at_most(
            "no more memory is used than there is", found["memory_used"], found["memory_total"]
        )
        total = handle.statistics().get("total", 0)
        if total:
            r.at_least(
                "memory, against 3/4 of the runtime's", found["memory_total"], total // 4 * 3
            )
            r.at_most("memory, against 5/4 of the runtime's", found["memory_total"], total // 4 * 5)
    r.note("known", sorted(name for name, value in found.items() if value is not None))


def words(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Health and reasons of throttling are of the contract's words; the source is named."""
    found = _reading(handle, r)
    if found is None:
        return
    r.equal(
        "a health of the contract", found["health"] in (None, "ok", "warning", "critical"), True
    )
    unknown = set(found["throttle"] or ()) - {"thermal", "power", "hardware", "other"}
    r.equal("reasons that the contract lacks", sorted(unknown), [])
    r.equal("the source is named", bool(found["source"].strip()), True)


def steady(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """From one reading to the next: the same memory and source, and counters that do not fall."""
    first = _reading(handle, r)
    if first is None:
        return
    for _ in range(20):
        second = handle.telemetry() or {}
        for name in ("memory_total", "source", "power_limit"):
            r.equal(f"the same {name} again", second.get(name), first[name])
        for name in _NEVER_FALL:
            if first[name] is not None and second.get(name) is not None:
                r.at_least(f"{name} does not fall", second[name], first[name])
        first = second or first


def follows_memory(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Memory that this process takes is counted as used, where the device has its own."""
    before = _reading(handle, r)
    if before is None:
        return
    if before["memory_used"] is None or handle.identity().host_memory:
        r.skip("the memory in use is not known, or is the host's, which others use")
        return
    size = 64 << 20
    handle.empty_cache()
    start = (handle.telemetry() or before)["memory_used"]
    address = handle.alloc(size)
    try:
        after = (handle.telemetry() or before)["memory_used"]
    finally:
        handle.free(address)
    r.at_least("64 MiB more are used, within 8 MiB", after - start, size - (8 << 20))


def quiet(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Readings between and beside ops change neither results nor the allocator's figures."""
    if _reading(handle, r) is None:
        return
    x = generator(case.id, seed).standard_normal(4096).astype(np.float32)
    placed = layouts.place(Host("float32", x), "contiguous", generator(case.id, seed))
    tensor = handle.put(placed)
    want = x + x
    handle.synchronize()
    held = handle.statistics()["allocated"]
    results = []
    for _ in range(10):
        result = handle.run("add", [tensor, tensor], {})
        handle.telemetry()
        results.append(result)
    wrong = sum(not np.array_equal(handle.get(result).data, want) for result in results)
    r.equal("results that differ", wrong, 0)
    del result, results
    handle.synchronize()
    r.equal("allocated memory", handle.statistics()["allocated"], held)


def many(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """A thousand readings leave no open file and no memory behind."""
    if _reading(handle, r) is None:
        return
    stats, files = _held(handle), _open_files()
    for _ in range(_READINGS):
        handle.telemetry()
    r.equal("the allocator's figures", _held(handle), stats)
    r.equal("open files", _open_files(), files)


def _held(handle: Handle) -> dict[str, int]:
    """What this process holds; what is free on the device other processes change, too."""
    names = ("allocated", "reserved", "peak_allocated")
    return {name: n for name, n in handle.statistics().items() if name in names}


def _open_files() -> int:
    folder = "/proc/self/fd"
    return len(os.listdir(folder)) if os.path.isdir(folder) else 0


CHECKS: dict[str, Callable[[Handle, Case, int, Record], None]] = {
    "telemetry_plausible": plausible,
    "telemetry_words": words,
    "telemetry_steady": steady,
    "telemetry_follows_memory": follows_memory,
    "telemetry_quiet": quiet,
    "telemetry_many": many,
}


def cases() -> list[Case]:
    """One case for each check."""
    return [Case("T", name) for name in CHECKS]
