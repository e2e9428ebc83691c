# SPDX-License-Identifier: Apache-2.0
"""Cases of chapter H and of the level `health`: seconds, beside running jobs, in little memory.

No case needs a quiet device: nothing is judged by counters of the whole device, and the bandwidth
floor is so low that a busy link keeps it too.
"""

from __future__ import annotations

import statistics
import time
from typing import Any

import numpy as np

from device_api_conformance import layouts
from device_api_conformance.case import Case
from device_api_conformance.formats import Host, storage
from device_api_conformance.handle import Handle
from device_api_conformance.record import Record, different_bytes
from device_api_conformance.seeds import generator

MIB = 1 << 20
BLOCK = 8 * MIB
BLOCKS = 4
"""Blocks that are held at once for the test by patterns: 32 MiB in all, of the 256 allowed."""
LEAST_FREE = 256 * MIB
FLOOR = 50e6
"""Bytes per second that a copy keeps on any link, also a shared one: less is a fault."""
MATMUL_TYPES = ("float32", "float64", "float16", "bfloat16", "int8", "int32", "int64")


def versions(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """The device says who it is, and of which versions its parts are."""
    identity = handle.identity()
    r.equal("the device has a name", bool(identity.name.strip()), True)
    facts = {
        k: v for k, v in identity.facts.items() if k in ("abi", "driver", "runtime", "version")
    }
    r.note("versions", {k: list(v) if isinstance(v, tuple) else v for k, v in facts.items()})
    r.equal("facts that are no text, number or list", _odd(facts), [])


def _odd(facts: dict[str, Any]) -> list[str]:
    return [k for k, v in facts.items() if not isinstance(v, (str, int, float, list, tuple))]


def state(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """The device's own sensors call it healthy: no uncorrected errors, no fault that slows it."""
    found = handle.telemetry()
    if found is None:
        r.skip("the device gives no telemetry")
        return
    r.equal("critical by its own account", found["health"] == "critical", False)
    r.equal("slowed down by its hardware", "hardware" in (found["throttle"] or ()), False)
    r.at_most("uncorrected errors of memory", found["ecc_uncorrected"] or 0, 0)
    r.note("health", {k: found[k] for k in ("health", "health_text", "temperature")
                      if k in found})  # fmt: skip


def free_memory(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """There is room for the smallest job."""
    found = handle.statistics()
    total = found.get("total", 0)
    free = found.get("free", total - found.get("reserved", 0))
    r.at_least("bytes free", free, min(LEAST_FREE, total // 2))


def _patterns(size: int, at: int) -> dict[str, bytes]:
    """Patterns by name: both values of every bit, a bit that walks, and addresses."""
    words = size // 8
    walking = np.uint64(1) << (np.arange(words, dtype=np.uint64) % np.uint64(64))
    place = np.arange(words, dtype=np.uint64) + np.uint64(at // 8)
    return {
        "zeros": bytes(size),
        "ones": b"\xff" * size,
        "stripes": b"\x55" * size,
        "other stripes": b"\xaa" * size,
        "walking one": walking.tobytes(),
        "walking zero": (~walking).tobytes(),
        "addresses": (place * np.uint64(0x9E3779B97F4A7C15)).tobytes(),
    }


def memory_patterns(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Memory keeps patterns; written everywhere before anything is read, so that cells that
    answer to two addresses are seen."""
    room = min(LEAST_FREE, handle.statistics().get("total", LEAST_FREE)) // 4
    count = max(1, min(BLOCKS, room // BLOCK))
    blocks = [handle.alloc(BLOCK) for _ in range(count)]
    try:
        for name in _patterns(8, 0):
            wrong = 0
            data = [_patterns(BLOCK, k * BLOCK)[name] for k in range(count if name == "addresses"
                                                                     else 1)]  # fmt: skip
            for k, block in enumerate(blocks):
                handle.write(block, data[k % len(data)])
            for k, block in enumerate(blocks):
                wrong += different_bytes(handle.read(block, BLOCK), data[k % len(data)])
            r.equal(f"{name}: bytes that differ", wrong, 0)
    finally:
        for block in blocks:
            handle.free(block)


def matmul(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """A product of whole numbers, exact in every order of addition, three times over."""
    declared = handle.capabilities().get("matmul")
    if declared is None or case.dtype not in declared.dtypes:
        r.skip(f"the device declares no matmul on {case.dtype}")
        return
    rng = generator(case.id, seed)
    a, b = rng.integers(-1, 2, (65, 127)), rng.integers(-1, 2, (127, 33))
    there = [_put(handle, case, seed, part) for part in (a, b)]
    want = a @ b
    for turn in range(3):
        got = handle.get(handle.run("matmul", there, {}))
        wrong = int(np.count_nonzero(_numbers(got) != want))
        r.equal(f"turn {turn}: wrong elements", wrong, 0)


def _numbers(host: Host) -> Any:
    if host.dtype == "bfloat16":
        return (host.bits().astype(np.uint32) << 16).view(np.float32)
    return host.data


def _put(handle: Handle, case: Case, seed: int, data: Any) -> Any:
    dtype = case.dtype or "float32"
    stored = np.asarray(data).astype(np.float32 if dtype == "bfloat16" else storage(dtype))
    if dtype == "bfloat16":
        stored = (stored.view(np.uint32) >> 16).astype(storage(dtype))
    return handle.put(layouts.place(Host(dtype, stored), "contiguous", generator(case.id, seed)))


def repeats(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """The same input gives the same bits, run after run and in memory elsewhere."""
    x = generator(case.id, seed).standard_normal((64, 64))
    first: Any = None
    differ = 0
    kept = []
    for _ in range(10):
        there = _put(handle, case, seed, x)
        got = handle.get(handle.run("add", [handle.run("add", [there, there], {}), there], {}))
        kept.append(there)
        first = got.bits() if first is None else first
        differ += int(np.count_nonzero(got.bits() != first))
    r.equal("elements that differ from the first run", differ, 0)


def bandwidth(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Copies keep a rate that only a fault falls below, and carry the right bytes."""
    data = generator(case.id, seed).bytes(BLOCK)
    address = handle.alloc(BLOCK)
    rates: dict[str, list[float]] = {"to": [], "from": []}
    wrong = 0
    try:
        for _ in range(5):
            begin = time.perf_counter()
            handle.write(address, data)
            handle.synchronize()
            middle = time.perf_counter()
            back = handle.read(address, BLOCK)
            end = time.perf_counter()
            wrong += different_bytes(back, data)
            rates["to"].append(BLOCK / max(middle - begin, 1e-9))
            rates["from"].append(BLOCK / max(end - middle, 1e-9))
    finally:
        handle.free(address)
    r.equal("bytes that differ", wrong, 0)
    for way, found in rates.items():
        r.note(f"bytes per second {way} the device", round(statistics.median(found)))
        if not handle.identity().simulated:
            r.at_least(f"best rate {way} the device, B/s", max(found), FLOOR)


CHECKS = {
    "health_versions": versions, "health_state": state, "health_free_memory": free_memory,
    "health_patterns": memory_patterns, "health_matmul": matmul, "health_repeats": repeats,
    "health_bandwidth": bandwidth,
}  # fmt: skip

BORROWED = (
    *(Case("M", "roundtrip", values=str(size)) for size in (3, 512, 4097, 2**20 + 1)),
    Case("M", "neighbours", values="4097"),
    *(Case("M", name) for name in (
        "partial_write", "alignment", "memory_figures", "fill_bytes", "large_blocks", "given_back",
        "out_of_memory", "double_free", "many_copies", "pinned_copies")),
    *(Case("S", name) for name in (
        "order", "wait_across", "callbacks", "event_query", "elapsed", "synchronise", "clock",
        "streams_apart", "waits_hold", "copies_in_order", "dropped_event", "moved_event")),
    *(Case("T", f"telemetry_{name}") for name in ("plausible", "words", "steady")),
    *(Case("F", name) for name in ("error_does_not_stick", "native_account", "shortage_passes")),
    *(Case("R", name) for name in ("identity", "facts_hold", "facts_fit", "alignment_holds")),
)  # fmt: skip
"""Cases of other chapters that the level `health` runs as well."""


def chapter() -> list[Case]:
    """All cases of the chapter; every level has them."""
    found = [Case("H", name) for name in CHECKS if name != "health_matmul"]
    return found + [Case("H", "health_matmul", dtype=dtype) for dtype in MATMUL_TYPES]


def cases() -> list[Case]:
    """All cases of the level `health`, but those of ops, which the op table gives."""
    return [Case("R", "exit"), *chapter(), *BORROWED]
