# SPDX-License-Identifier: Apache-2.0
"""Cases of chapter M: copies that are rare to fail, of page-locked memory, and of several threads.

What strikes one copy in hundreds is found by hundreds of copies, each with bytes of its own.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from device_api_conformance import layouts
from device_api_conformance.case import Case
from device_api_conformance.formats import Host
from device_api_conformance.handle import Handle
from device_api_conformance.record import Record, different_bytes
from device_api_conformance.seeds import generator

COPIES = 600
LARGEST = 6000
THREADS = 3
PINNED = (1, 63, 1024, 16_385, 300_000)
"""Elements of float32."""


def many_copies(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Hundreds of copies of all sizes, each read back."""
    rng = generator(case.id, seed)
    address = handle.alloc(LARGEST + 64)
    wrong = 0
    try:
        for _ in range(COPIES):
            size, offset = int(rng.integers(1, LARGEST)), int(rng.integers(0, 64))
            data = rng.bytes(size)
            handle.write(address + offset, data)
            wrong += different_bytes(handle.read(address + offset, size), data)
    finally:
        handle.free(address)
    r.equal("bytes that differ", wrong, 0)


def threads_copy(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Threads that copy at once, on streams and blocks of their own."""
    handle.free(handle.alloc(70_000))  # what the device lacks is told here, not in the threads
    streams = [handle.stream() for _ in range(THREADS)]
    wrong, problems = [0] * THREADS, []

    def work(k: int) -> None:
        try:
            rng = generator(case.id, seed, str(k))
            with handle.using(streams[k]):
                address = handle.alloc(70_000)
                for _ in range(40):
                    data = rng.bytes(int(rng.integers(1, 70_000)))
                    handle.write(address, data)
                    wrong[k] += different_bytes(handle.read(address, len(data)), data)
                handle.free(address)
        except Exception as error:  # noqa: BLE001 - carried to the record
            problems.append(f"{type(error).__name__}: {error}")

    workers = [threading.Thread(target=work, args=(k,)) for k in range(THREADS)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    r.equal("errors in threads", problems, [])
    r.equal("bytes that differ, by thread", wrong, [0] * THREADS)


def pinned_copies(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Page-locked memory: blocks lie apart, and copies to and from them carry the right bytes."""
    rng = generator(case.id, seed)
    sent = [handle.pinned(4 * n) for n in PINNED]
    back = [handle.pinned(4 * n) for n in PINNED]
    data = [rng.integers(0, 256, 4 * n, dtype=np.uint8) for n in PINNED]
    for host, want in zip(sent, data, strict=True):
        host[:] = want
    for host in back:
        host[:] = 0x5A
    changed = sum(int(np.count_nonzero(h != d)) for h, d in zip(sent, data, strict=True))
    r.equal("bytes of a block that another one changed", changed, 0)
    kept: list[Any] = []
    for there, here in zip(sent, back, strict=True):
        zeros = np.zeros(there.size // 4, dtype=np.float32)
        tensor = handle.put(layouts.place(Host("float32", zeros), "contiguous", rng))
        handle.start_copy(tensor, there, False)
        handle.start_copy(tensor, here, True)
        kept.append(tensor)
    handle.synchronize()
    for n, here, want in zip(PINNED, back, data, strict=True):
        r.equal(f"{n} elements: bytes that differ", int(np.count_nonzero(here != want)), 0)
    for n, tensor, want in zip(PINNED, kept, data, strict=True):
        got = handle.get(tensor).bits().view(np.uint8)
        r.equal(f"{n} elements on the device: bytes that differ", int((got != want).sum()), 0)


CHECKS: dict[str, Callable[[Handle, Case, int, Record], None]] = {
    "many_copies": many_copies, "threads_copy": threads_copy, "pinned_copies": pinned_copies,
}  # fmt: skip


def cases() -> list[Case]:
    """One case for each check."""
    return [Case("M", name) for name in CHECKS]
