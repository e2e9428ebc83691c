# SPDX-License-Identifier: Apache-2.0
"""Cases of chapter U: several devices of one type, in one process.

Where there is one device only, the cases are skipped with that reason.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from device_api_conformance import layouts
from device_api_conformance.case import Case
from device_api_conformance.formats import Host
from device_api_conformance.handle import Handle
from device_api_conformance.record import Record
from device_api_conformance.seeds import generator

SIZES = (1, 3, 511, 513, 100_003)
GOLDEN = ("add", "mul", "exp", "matmul")


def _put(handle: Handle, case: Case, seed: int, data: Any) -> Any:
    host = Host("float32", np.asarray(data, dtype=np.float32))
    return handle.put(layouts.place(host, "contiguous", generator(case.id, seed)))


def _all(handle: Handle, r: Record) -> list[Handle]:
    """All devices of the type; none, and the case skipped, where there is but one."""
    others = handle.peers()
    if not others:
        r.skip("there is one device of this type only")
        return []
    return [handle, *others]


def _wrong(handle: Handle, tensor: Any, want: Any) -> int:
    got = handle.get(tensor)
    if got.shape != want.shape:
        return int(want.size)
    return int(np.count_nonzero(got.bits() != want.view(np.uint32)))


def pairs(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Copies between all ordered pairs of devices, of all sizes, bit by bit; the source stays."""
    devices = _all(handle, r)
    rng = generator(case.id, seed)
    for size in SIZES:
        data = rng.integers(0, 2**32, size, dtype=np.uint32).view(np.float32)
        for a, source in enumerate(devices):
            there = _put(source, case, seed, data)
            for b, target in enumerate(devices):
                if a != b:
                    what = f"{size} elements from {a} to {b}"
                    moved = target.receive(there)
                    r.equal(f"{what}: wrong elements", _wrong(target, moved, data), 0)
                    r.equal(f"{what}: the source changed", _wrong(source, there, data), 0)


def pending(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """A copy of what is still being computed has the result, while the source goes on."""
    devices = _all(handle, r)
    for a, source in enumerate(devices):
        for b, target in enumerate(devices):
            if a == b:
                continue
            one = _put(source, case, seed, np.ones(40_000))
            x = one
            for _ in range(20):
                x = source.run("add", [x, one], {})
            moved = target.receive(x)
            for _ in range(5):
                x = source.run("add", [x, one], {})
            doubled = target.run("add", [moved, moved], {})
            want = np.full(40_000, 42, dtype=np.float32)
            r.equal(f"from {a} to {b}: wrong elements", _wrong(target, doubled, want), 0)
            r.equal(f"{a} goes on: wrong elements", _wrong(source, x, want - 16), 0)


def both_ways(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Two threads copy in opposite directions at once."""
    devices = _all(handle, r)
    if not devices:
        return
    first, second = devices[:2]
    data = [np.full(30_011, k + 1.5, dtype=np.float32) for k in range(2)]
    there = [_put(first, case, seed, data[0]), _put(second, case, seed, data[1])]
    wrong, problems = [0, 0], []

    def work(k: int) -> None:
        try:
            target = (second, first)[k]
            for _ in range(10):
                wrong[k] += _wrong(target, target.receive(there[k]), data[k])
        except Exception as error:  # noqa: BLE001 - carried to the record
            problems.append(f"{type(error).__name__}: {error}")

    threads = [threading.Thread(target=work, args=(k,)) for k in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    r.equal("errors in threads", problems, [])
    r.equal("wrong elements by direction", wrong, [0, 0])


def golden(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Devices of one name give the same bits for the same input."""
    devices = _all(handle, r)
    if not devices:
        return
    name = handle.identity().name
    rng = generator(case.id, seed)
    data = [rng.standard_normal((31, 31)).astype(np.float32) for _ in range(2)]
    for op in GOLDEN:
        declared = handle.capabilities().get(op)
        if declared is None or "float32" not in declared.dtypes:
            continue
        results = []
        for device in devices:
            if device.identity().name == name:
                inputs = [_put(device, case, seed, x) for x in data[: 1 if op == "exp" else 2]]
                results.append(device.get(device.run(op, inputs, {})).bits())
        differ = [int(np.count_nonzero(bits != results[0])) for bits in results]
        r.equal(f"{op}: elements that differ, by device", differ, [0] * len(results))


def own_streams(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Devices have streams, memory and accounts of their own."""
    devices = _all(handle, r)
    if not devices:
        return
    first, second = devices[:2]
    held, native = second.statistics()["allocated"], second.native_counts()
    x = _put(first, case, seed, np.ones(5000))
    first.run("add", [x, x], {})
    first.synchronize()
    r.equal("memory in use on the other device", second.statistics()["allocated"], held)
    r.equal("native runs on the other device", second.native_counts(), native)


CHECKS = {
    "peer_pairs": pairs, "peer_pending": pending, "peer_both_ways": both_ways,
    "peer_golden": golden, "peer_own": own_streams,
}  # fmt: skip


def cases() -> list[Case]:
    """All cases of the chapter."""
    return [Case("U", name) for name in CHECKS]
