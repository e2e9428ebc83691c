# SPDX-License-Identifier: Apache-2.0
"""Cases of chapter P: times and rates, of buffers whose contents are checked afterwards.

Samples are recorded for `compare`. Judged are the floors, at the level `full` only and not on
simulated devices, and the best of the samples against what no device needs, however busy the
machine is. A host that does the work in silence is found by the counters, not by the clock.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from device_api_conformance import layouts
from device_api_conformance.case import Case
from device_api_conformance.formats import Host, storage
from device_api_conformance.handle import Handle
from device_api_conformance.record import Record, different_bytes
from device_api_conformance.seeds import generator

SAMPLES = 11
WARM_UP = 3
BLOCK = 1 << 22
"""Bytes of a copy."""
SIDE = 128
LAUNCHES = 20
FLOOR = "floor"
"""Value of the cases that hold the median to a floor."""
FLOORS = {"launch": 1e-2, "h2d": 2e8, "d2h": 2e8, "triad": 1e9, "matmul": 1e9}
"""Seconds per launch at most; bytes, bytes, bytes and multiplications with additions per second at
least: what any accelerator reaches in any slot, so that less means a fault, not a slow product."""
MOST_LAUNCH = 2e-3
"""Seconds of a launch, the best of many, that no device needs, a simulated one neither."""
MOST_SMALL = 2e-2
"""Seconds of a product of a few elements, the best of many, that no device needs."""
SMALL = 5
MATMUL_TYPES = ("float32", "float16", "bfloat16", "float64", "int32")


def _sampled(handle: Handle, work: Callable[[], Any], amount: float) -> list[float]:
    """`amount` per second of `work`, or seconds of it when `amount` is 0."""
    found = []
    for n in range(WARM_UP + SAMPLES):
        handle.synchronize()
        begin = time.perf_counter()
        work()
        handle.synchronize()
        span = max(time.perf_counter() - begin, 1e-9)
        if n >= WARM_UP:
            found.append(amount / span if amount else span)
    return found


def _rate(handle: Handle, case: Case, r: Record, name: str, unit: str, found: list[float]) -> None:
    """Keep the samples; hold their median to the floor where the case is about it."""
    better = "less" if name == "launch" else "more"
    r.performance(unit, better, found)
    if case.values != FLOOR:
        return
    if handle.identity().simulated:
        r.skip("a simulated device has no speed of its own")
        return
    hold = r.at_most if better == "less" else r.at_least
    hold(f"median, {unit}", float(np.median(found)), FLOORS[name])


def _roofline(r: Record, name: str, kind: str, operations: float, moved: float) -> None:
    """Where a rate lies in a roofline: operations per byte, and the floor of its kind."""
    r.note("roofline", {"name": name, "intensity": operations / moved, "floor": FLOORS[kind]})


def _put(handle: Handle, case: Case, seed: int, data: Any, dtype: str = "float32") -> Any:
    host = Host(dtype, np.asarray(data).astype(storage(dtype)))
    return handle.put(layouts.place(host, "contiguous", generator(case.id, seed)))


def _gone(handle: Handle) -> int:
    return sum(int(row["count"]) for row in handle.fallbacks())


def launch(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Time of one small op, of many in a row: each counted as native, and all of them done."""
    one = _put(handle, case, seed, np.ones(16))
    native, gone = handle.native_counts().get("add", 0), _gone(handle)
    results: list[Any] = []

    def work() -> None:
        x = one
        for _ in range(LAUNCHES):
            x = handle.run("add", [x, one], {})
        results.append(x)

    spans = _sampled(handle, work, 0)
    runs = (SAMPLES + WARM_UP) * LAUNCHES
    r.equal("native runs", handle.native_counts().get("add", 0) - native, runs)
    r.equal("runs on the host", _gone(handle) - gone, 0)
    wrong = sum(int(np.count_nonzero(handle.get(x).data != LAUNCHES + 1)) for x in results)
    r.equal("wrong elements", wrong, 0)
    r.at_most("seconds of a launch in the best sample", min(spans) / LAUNCHES, MOST_LAUNCH)
    _rate(handle, case, r, "launch", "s", [s / LAUNCHES for s in spans])


def h2d(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Host to device: bytes per second, of buffers that then hold these bytes."""
    data = generator(case.id, seed).bytes(BLOCK)
    address = handle.alloc(BLOCK)
    try:
        found = _sampled(handle, lambda: handle.write(address, data), BLOCK)
        r.equal("bytes that differ", different_bytes(handle.read(address, BLOCK), data), 0)
    finally:
        handle.free(address)
    _rate(handle, case, r, "h2d", "B/s", found)


def d2h(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Device to host: bytes per second; every copy holds the bytes."""
    data = generator(case.id, seed).bytes(BLOCK)
    address = handle.alloc(BLOCK)
    read: list[bytes] = []
    try:
        handle.write(address, data)
        found = _sampled(handle, lambda: read.append(handle.read(address, BLOCK)), BLOCK)
    finally:
        handle.free(address)
    r.equal("bytes that differ", sum(different_bytes(got, data) for got in read), 0)
    _rate(handle, case, r, "d2h", "B/s", found)


def triad(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """x + y * z of whole numbers: bytes moved per second by two ops."""
    rng = generator(case.id, seed)
    n = BLOCK // 16
    x, y, z = (rng.integers(-100, 100, n) for _ in range(3))
    there = [_put(handle, case, seed, part) for part in (x, y, z)]
    names = ("add", "mul")
    before, gone = handle.native_counts(), _gone(handle)
    last: list[Any] = []

    def work() -> None:
        product = handle.run("mul", [there[1], there[2]], {})
        last[:] = [handle.run("add", [there[0], product], {})]

    found = _sampled(handle, work, 24 * n)
    after = handle.native_counts()
    runs = [after.get(name, 0) - before.get(name, 0) for name in names]
    r.equal("native runs", runs, [SAMPLES + WARM_UP] * 2)
    r.equal("runs on the host", _gone(handle) - gone, 0)
    r.equal("wrong elements", int(np.count_nonzero(handle.get(last[0]).data != x + y * z)), 0)
    _roofline(r, "triad", "triad", 2, 24)
    _rate(handle, case, r, "triad", "B/s", found)


def matmul(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Products of whole numbers, exact in every order: multiplications and additions per second."""
    declared = handle.capabilities().get("matmul")
    if declared is None or case.dtype not in declared.dtypes:
        r.skip(f"the device declares no matmul on {case.dtype}")
        return
    rng = generator(case.id, seed)
    a, b = (rng.integers(-1, 2, (SIDE, SIDE)) for _ in range(2))
    there = [_put_whole(handle, case, seed, part) for part in (a, b)]
    native, gone = handle.native_counts().get("matmul", 0), _gone(handle)
    results: list[Any] = []
    found = _sampled(handle, lambda: results.append(handle.run("matmul", there, {})), 2.0 * SIDE**3)
    runs = handle.native_counts().get("matmul", 0) - native
    r.equal("native runs", runs, SAMPLES + WARM_UP)
    r.equal("runs on the host", _gone(handle) - gone, 0)
    want = Host(case.dtype, _stored(a @ b, case.dtype)).bits()
    wrong = sum(int(np.count_nonzero(_bits(handle.get(x)) != _zeros(want))) for x in results)
    r.equal("wrong elements", wrong, 0)
    size = storage(case.dtype).itemsize
    _roofline(r, f"matmul {case.dtype}", "matmul", 2 * SIDE**3, 3 * SIDE**2 * size)
    _rate(handle, case, r, "matmul", "flop/s", found)


def small_matmul(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """A product of a few elements has no work to take long with: what is left is a slow path."""
    declared = handle.capabilities().get("matmul")
    if declared is None or case.dtype not in declared.dtypes:
        r.skip(f"the device declares no matmul on {case.dtype}")
        return
    there = _put_whole(handle, case, seed, np.eye(4))
    results: list[Any] = []

    def work() -> None:
        results[:] = [handle.run("matmul", [there, there], {}) for _ in range(SMALL)]

    best = min(_sampled(handle, work, 0)) / SMALL
    want = Host(case.dtype, _stored(np.eye(4), case.dtype)).bits()
    wrong = sum(int(np.count_nonzero(_bits(handle.get(x)) != want)) for x in results)
    r.equal("wrong elements", wrong, 0)
    r.at_most("seconds of a product in the best sample", best, MOST_SMALL)


def _stored(values: Any, dtype: str) -> Any:
    """Small whole numbers as the type stores them; bfloat16 as the upper half of float32."""
    if dtype == "bfloat16":
        upper = np.asarray(values).astype(np.float32).view(np.uint32) >> 16
        return upper.astype(np.uint16).view(storage(dtype))
    return np.asarray(values).astype(storage(dtype))


def _put_whole(handle: Handle, case: Case, seed: int, data: Any) -> Any:
    host = Host(case.dtype, _stored(data, case.dtype))
    return handle.put(layouts.place(host, "contiguous", generator(case.id, seed)))


def _bits(host: Host) -> Any:
    return _zeros(host.bits())


def _zeros(bits: Any) -> Any:
    """Bits with zeros of one sign: -0 is as right a sum as +0 for floats."""
    bits = np.asarray(bits)
    top = bits.dtype.type(1 << (8 * bits.dtype.itemsize - 1))
    return np.where(bits == top, bits.dtype.type(0), bits)


CHECKS = {
    "launch": launch, "h2d": h2d, "d2h": d2h, "triad": triad, "speed_matmul": matmul,
    "small_matmul": small_matmul,
}  # fmt: skip
_MATMULS = ("speed_matmul", "small_matmul")


def cases(floors: bool = False) -> list[Case]:
    """All cases of the chapter; with `floors`, those that hold a median to a floor as well."""
    plain = [Case("P", name) for name in CHECKS if name not in _MATMULS]
    plain += [Case("P", name, dtype=dtype) for name in _MATMULS for dtype in MATMUL_TYPES]
    if not floors:
        return plain
    held = [Case(c.chapter, c.check, dtype=c.dtype, values=FLOOR)
            for c in plain if c.check != "small_matmul"]  # fmt: skip
    return plain + [c for c in held if c.dtype in ("", "float32")]
