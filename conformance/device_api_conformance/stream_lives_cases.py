# SPDX-License-Identifier: Apache-2.0
"""Cases of chapter S: many streams at once, and events whose life or record is unusual."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from device_api_conformance import layouts
from device_api_conformance.case import Case
from device_api_conformance.formats import Host
from device_api_conformance.handle import Handle
from device_api_conformance.record import Record
from device_api_conformance.seeds import generator

STREAMS = 24
SIZE = 20_000
CHAIN = 12


def _tensor(handle: Handle, case: Case, seed: int, value: float, size: int = SIZE) -> Any:
    host = Host("float32", np.full(size, value, dtype=np.float32))
    return handle.put(layouts.place(host, "contiguous", generator(case.id, seed)))


def _chain(handle: Handle, x: Any, one: Any, length: int = CHAIN) -> Any:
    for _ in range(length):
        x = handle.run("add", [x, one], {})
    return x


def _wrong(handle: Handle, tensor: Any, want: float) -> int:
    return int(np.count_nonzero(handle.get(tensor).data != np.float32(want)))


def many_streams(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Two dozen streams live and work at once; each has its own results."""
    one = _tensor(handle, case, seed, 1.0, 500)
    starts = [_tensor(handle, case, seed, float(k), 500) for k in range(STREAMS)]
    handle.synchronize()
    streams = [handle.stream() for _ in range(STREAMS)]
    results = []
    for _ in range(2):
        for stream, start in zip(streams, starts, strict=True):
            with handle.using(stream):
                results.append(_chain(handle, start, one, 3))
    handle.synchronize()
    wrong = [_wrong(handle, x, k % STREAMS + 3.0) for k, x in enumerate(results)]
    r.equal("streams with wrong elements", sum(n > 0 for n in wrong), 0)


def unrecorded(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """An event that was never recorded is reached: nothing waits for it."""
    one = _tensor(handle, case, seed, 1.0)
    handle.synchronize()
    stream, event = handle.stream(), handle.event()
    r.equal("it is reached", event.query(), True)
    event.synchronize()
    with handle.using(stream):
        stream.wait_event(event)
        result = _chain(handle, one, one)
        stream.synchronize()
        r.equal("wrong elements", _wrong(handle, result, CHAIN + 1.0), 0)


def _late() -> Callable[[], None]:
    """A callback that gives whoever does not wait for its stream the time to be wrong.

    Not where callbacks run on the thread that adds them.
    """
    here = threading.get_ident()
    return lambda: None if threading.get_ident() == here else time.sleep(0.02)


def dropped_event(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """A wait that was enqueued holds when its event is dropped at once."""
    one, two = _tensor(handle, case, seed, 1.0), _tensor(handle, case, seed, 2.0)
    handle.synchronize()
    producer, consumer = handle.stream(), handle.stream()
    late = _late()
    for turn in range(5):
        start = _tensor(handle, case, seed, float(turn))
        handle.synchronize()
        with handle.using(producer):
            producer.add_callback(late)
            made = _chain(handle, start, one)
            event = handle.event()
            producer.record_event(event)
        consumer.wait_event(event)
        del event
        others = [consumer.record_event(handle.event()) for _ in range(3)]  # of the same memory?
        with handle.using(consumer):
            used = handle.run("add", [made, two], {})
            consumer.synchronize()
            r.equal(f"turn {turn}: wrong elements", _wrong(handle, used, turn + CHAIN + 2.0), 0)
        r.equal(f"turn {turn}: later events are reached", all(e.query() for e in others), True)


def moved_event(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """An event recorded on one stream and then on another stands for the second record."""
    one, two = _tensor(handle, case, seed, 1.0), _tensor(handle, case, seed, 2.0)
    handle.synchronize()
    first, second, consumer = (handle.stream() for _ in range(3))
    event, late = handle.event(), _late()
    for turn in range(5):
        start = _tensor(handle, case, seed, float(turn))
        handle.synchronize()
        with handle.using(first):
            first.record_event(event)
        with handle.using(second):
            second.add_callback(late)
            made = _chain(handle, start, one)
            second.record_event(event)
        with handle.using(consumer):
            consumer.wait_event(event)
            used = handle.run("add", [made, two], {})
            consumer.synchronize()
            r.equal(f"turn {turn}: wrong elements", _wrong(handle, used, turn + CHAIN + 2.0), 0)
        event.synchronize()
        r.equal(f"turn {turn}: the second stream is done", _wrong(handle, made, turn + CHAIN), 0)


CHECKS: dict[str, Callable[[Handle, Case, int, Record], None]] = {
    "many_streams": many_streams, "unrecorded": unrecorded, "dropped_event": dropped_event,
    "moved_event": moved_event,
}  # fmt: skip


def cases() -> list[Case]:
    """One case for each check."""
    return [Case("S", name) for name in CHECKS]
