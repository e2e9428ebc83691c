# SPDX-License-Identifier: Apache-2.0
"""Cases of chapter U: several devices of one type, in one process.

Where there is one device only, the cases are skipped with that reason.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from device_api_abi import optable
from device_api_conformance import layouts
from device_api_conformance.case import Case
from device_api_conformance.formats import Host
from device_api_conformance.handle import Handle
from device_api_conformance.record import Record
from device_api_conformance.seeds import generator

SIZES = (1, 3, 511, 513, 16_385, 100_003)
GOLDEN = {"unary": 1, "activation": 1, "binary": 2, "matmul": 2}
"""Kinds of ops of which devices are compared, and how many inputs they have."""


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


def all_at_once(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """All ordered pairs copy at once, each in a thread, while every device computes."""
    devices = _all(handle, r)
    pairs = [(a, b) for a in range(len(devices)) for b in range(len(devices)) if a != b]
    data = [np.full(20_011, k + 0.25, dtype=np.float32) for k in range(len(devices))]
    there = [_put(d, case, seed, x) for d, x in zip(devices, data, strict=True)]
    wrong: dict[str, int] = {}
    problems: list[str] = []

    def copy(a: int, b: int) -> None:
        with devices[b].using(devices[b].stream()):
            for _ in range(6):
                moved = devices[b].receive(there[a])
                twice = devices[b].run("add", [moved, moved], {})
                count = _wrong(devices[b], twice, data[a] * 2) + _wrong(devices[b], moved, data[a])
                wrong[f"{a} to {b}"] = wrong.get(f"{a} to {b}", 0) + count

    def compute(a: int) -> None:
        with devices[a].using(devices[a].stream()):
            one = _put(devices[a], case, seed, np.ones(20_000))
            x = one
            for _ in range(40):
                x = devices[a].run("add", [x, one], {})
            wrong[f"sums of {a}"] = _wrong(devices[a], x, np.full(20_000, 41, dtype=np.float32))

    def kept(work: Callable[..., None], *numbers: int) -> None:
        try:
            work(*numbers)
        except Exception as error:  # noqa: BLE001 - carried to the record
            problems.append(f"{work.__name__} {numbers}: {type(error).__name__}: {error}"[:200])

    threads = [threading.Thread(target=kept, args=(copy, a, b)) for a, b in pairs]
    threads += [threading.Thread(target=kept, args=(compute, a)) for a in range(len(devices))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    r.equal("errors in threads", problems, [])
    r.equal("wrong elements", {what: n for what, n in wrong.items() if n}, {})


def waits(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """A wait for one device waits for all of its streams, and for no other device."""
    devices = _all(handle, r)
    for k, device in enumerate(devices):
        streams = [device.stream() for _ in range(2)]
        results = []
        for stream in streams:
            with device.using(stream):
                x = one = _put(device, case, seed, np.ones(50_000))
                for _ in range(30):
                    x = device.run("add", [x, one], {})
                results.append(x)
        device.synchronize()
        idle = [stream.query() for stream in streams]
        told = [device.tells_idle()] * 2
        r.equal(f"streams of device {k} are idle after a wait for it", idle, told)
        wrong = [_wrong(device, x, np.full(50_000, 31, dtype=np.float32)) for x in results]
        r.equal(f"device {k}: wrong elements", wrong, [0, 0])


def _hold(gate: threading.Event, inline: int, held: threading.Event) -> None:
    """Hold a stream, unless the device runs callbacks on the thread that adds them."""
    if threading.get_ident() != inline:
        held.set()
        gate.wait(20)


def events(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """A stream of one device waits for an event of another, and for as long as it takes."""
    devices = _all(handle, r)
    for a, source in enumerate(devices):
        for b, target in enumerate(devices):
            if a == b:
                continue
            gate, passed, held = threading.Event(), threading.Event(), threading.Event()
            first, second, event = source.stream(), target.stream(), source.event()
            try:
                first.add_callback(partial(_hold, gate, threading.get_ident(), held))
                first.record_event(event)
                second.wait_event(event)
                second.add_callback(passed.set)
                early = passed.wait(0.05)
            finally:
                gate.set()
            second.synchronize()
            what = f"a stream of {b} behind an event of {a}"
            if held.is_set():
                r.equal(f"{what} goes on before it", early, False)
            r.equal(f"{what} goes on after it", passed.is_set(), True)


def accounts(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """What is told of copies between devices is what happened: each is counted once, one way."""
    devices = _all(handle, r)
    for a, source in enumerate(devices):
        for b, target in enumerate(devices):
            before = target.statistics()
            if a == b or "peer_copies" not in before:
                continue
            data = np.arange(1000, dtype=np.float32)
            there = _put(source, case, seed, data)
            held = source.statistics()["allocated"]
            for _ in range(3):
                r.equal(f"{a} to {b}: wrong", _wrong(target, target.receive(there), data), 0)
            after = target.statistics()
            direct, staged = (after[k] - before[k] for k in ("peer_copies", "staged_copies"))
            r.equal(f"{a} to {b}: copies that are counted", direct + staged, 3)
            r.equal(f"{a} to {b}: some are direct and some are not", direct in (0, 3), True)
            r.equal(f"{a} to {b}: memory at the source", source.statistics()["allocated"], held)


def golden(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Devices of one name give the same bits for the same input, in every function of numbers."""
    devices = _all(handle, r)
    if not devices:
        return
    name = handle.identity().name
    alike = [device for device in devices if device.identity().name == name]
    rng = generator(case.id, seed)
    data = [rng.standard_normal((31, 31)).astype(np.float32) for _ in range(2)]
    differ: dict[str, list[int]] = {}
    for op in optable.load():
        declared = handle.capabilities().get(op.name)
        known = op.kind in GOLDEN and not op.attributes
        if not known or declared is None or "float32" not in declared.dtypes:
            continue
        results = []
        for device in alike:
            inputs = [_put(device, case, seed, x) for x in data[: GOLDEN[op.kind]]]
            results.append(device.get(device.run(op.name, inputs, {})).bits())
        counts = [int(np.count_nonzero(bits != results[0])) for bits in results]
        differ |= {op.name: counts} if any(counts) else {}
    r.note("devices", len(alike))
    r.equal("ops whose elements differ, by device", differ, {})


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
    "peer_golden": golden, "peer_own": own_streams, "peer_all_at_once": all_at_once,
    "peer_waits": waits, "peer_events": events, "peer_accounts": accounts,
}  # fmt: skip


def cases() -> list[Case]:
    """All cases of the chapter."""
    return [Case("U", name) for name in CHECKS]
