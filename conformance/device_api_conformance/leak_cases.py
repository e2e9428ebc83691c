# SPDX-License-Identifier: Apache-2.0
"""Cases of chapter K: memory, threads and files stay where they were after warm-up.

Nothing is concluded from one figure of the process: a leak is what grows from every mark to the
next, so that a single jump of an allocator or of Python is no finding.
"""

from __future__ import annotations

import ctypes
import gc
import os
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from device_api_conformance import layouts
from device_api_conformance.case import Case
from device_api_conformance.formats import Host
from device_api_conformance.handle import Handle, Lacks
from device_api_conformance.record import Record
from device_api_conformance.seeds import generator

MARKS = 6
ROUNDS = 150
"""Rounds of work from one mark to the next."""
STEADY = 128
"""Kibibytes by which the process may grow between all neighbouring marks."""
OBJECTS = 1000
SIZES = (1, 7, 64, 513, 1000, 4097, 20_001)


def _put(handle: Handle, case: Case, seed: int, data: Any) -> Any:
    host = Host("float32", np.asarray(data, dtype=np.float32))
    return handle.put(layouts.place(host, "contiguous", generator(case.id, seed)))


def resident() -> int:
    """Bytes of this process in memory; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


class _Mallinfo(ctypes.Structure):
    """struct mallinfo2 of glibc."""

    _fields_ = tuple((name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks",
        "fordblks", "keepcost"))  # fmt: skip


def heap() -> int:
    """Bytes that malloc has given out and not got back; 0 where the C library does not tell."""
    try:
        ask = ctypes.CDLL(None).mallinfo2
    except (AttributeError, OSError):
        return 0
    ask.restype = _Mallinfo
    told = ask()
    return int(told.uordblks + told.hblkhd)


def _entries(folder: str) -> int:
    return len(os.listdir(folder)) if os.path.isdir(folder) else 0


def _statistics(handle: Handle) -> dict[str, int]:
    """Figures of the device's memory; none where it keeps no account."""
    try:
        return handle.statistics()
    except Lacks:
        return {}


def _files() -> int:
    return _entries("/proc/self/fd")


def _threads() -> int:
    return _entries("/proc/self/task")


def _flat(
    handle: Handle,
    r: Record,
    work: Callable[[int], None],
    rounds: int = ROUNDS,
    settle: Callable[[], None] = lambda: None,
) -> None:
    """Do `work` again and again; device memory and the process are to stay where they were."""
    for n in range(rounds):
        work(n)
    handle.synchronize()
    settle()
    gc.collect()  # what was there before is not to be freed between two marks
    start, files = _statistics(handle), _files()
    marks, heaps = [resident()], [heap()]
    for _ in range(MARKS):
        for n in range(rounds):
            work(n)
        handle.synchronize()
        settle()
        gc.collect()
        marks.append(resident())
        heaps.append(heap())
    end = _statistics(handle)
    for what, name in (("in use", "allocated"), ("held", "reserved")):
        if name in start:
            r.equal(f"device memory {what}, as after warm-up", end[name], start[name])
    r.equal("open files, as after warm-up", _files(), files)
    for what, found in (("process", marks), ("heap", heaps)):
        grown = min((b - a) // 1024 for a, b in pairwise(found))
        r.at_most(f"KiB by which the {what} grows from every mark to the next", grown, STEADY)
    r.note("memory_curve", {"unit": "byte", "rounds": rounds, "resident": marks, "heap": heaps})


def fixed(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """The same shapes again and again."""
    data = generator(case.id, seed).standard_normal(5000)

    def work(n: int) -> None:
        x = _put(handle, case, seed, data)
        handle.get(handle.run("add", [handle.run("mul", [x, x], {}), x], {}))

    _flat(handle, r, work)


def varying(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Shapes that change from round to round, as of a server with requests of all lengths."""
    data = generator(case.id, seed).standard_normal(SIZES[-1] + ROUNDS)

    def work(n: int) -> None:
        x = _put(handle, case, seed, data[: SIZES[n % len(SIZES)] + n])
        handle.get(handle.run("add", [handle.run("mul", [x, x], {}), x], {}))

    _flat(handle, r, work)


def exceptions(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Calls that fail leave nothing behind, neither operands nor half-made results."""
    short, long = np.ones(2000), np.ones(2001)
    kinds: list[str] = []

    def work(n: int) -> None:
        x, y = _put(handle, case, seed, short), _put(handle, case, seed, long)
        try:
            handle.run("add", [x, y], {})
        except handle.error("shape"):
            return
        kinds.append("no error")

    _flat(handle, r, work)
    r.equal("calls without the error", len(kinds), 0)


def raw_memory(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Blocks of all sizes, taken and given back."""

    def work(n: int) -> None:
        addresses = [handle.alloc(size * 4 + n) for size in SIZES]
        for address in addresses:
            handle.free(address)

    _flat(handle, r, work)


def _many(
    handle: Handle,
    r: Record,
    make: Callable[[], Any],
    settle: Callable[[], None] = lambda: None,
) -> None:
    def work(n: int) -> None:
        make()

    for n in range(20):
        work(n)
    handle.synchronize()
    threads = _threads()
    _flat(handle, r, work, OBJECTS // (MARKS + 1) + 1, settle)
    r.becomes("as many threads as after warm-up, or fewer", lambda: _threads() <= threads + 2, 5.0)


def streams(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """A thousand streams, made, used and dropped; memory kept for them goes with the cache."""
    data = np.ones(16)

    def make() -> None:
        stream = handle.stream()
        with handle.using(stream):
            one = _put(handle, case, seed, data)
            handle.run("add", [one, one], {})
        stream.synchronize()

    _many(handle, r, make, handle.empty_cache)


def events(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """A thousand events with and without timing, recorded, waited for and dropped."""
    stream = handle.stream()

    def make() -> None:
        for timing in (False, True):
            event = handle.event(timing)
            stream.record_event(event)
            stream.wait_event(event)
            event.synchronize()

    _many(handle, r, make)


def callbacks(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Callbacks and what they refer to are let go once they have run."""
    stream = handle.stream()
    seen = [0]

    def make() -> None:
        load = bytearray(4096)

        def call() -> None:
            seen[0] += len(load) > 0

        stream.add_callback(call)
        stream.synchronize()

    _many(handle, r, make)
    r.at_least("callbacks that ran", seen[0], OBJECTS)


CHECKS = {
    "leak_fixed": fixed, "leak_varying": varying, "leak_exceptions": exceptions,
    "leak_raw_memory": raw_memory, "leak_streams": streams, "leak_events": events,
    "leak_callbacks": callbacks,
}  # fmt: skip


def cases() -> list[Case]:
    """All cases of the chapter."""
    return [Case("K", name) for name in CHECKS]
