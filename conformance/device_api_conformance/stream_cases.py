# SPDX-License-Identifier: Apache-2.0
"""Cases of chapter S: order within and across streams, events, callbacks, waiting.

Races are hunted by widening: a slow producer (a chain of ops on a large array) and a fast
consumer. Nothing is concluded from wall-clock times.
"""

from __future__ import annotations

import threading
import time
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from device_api_conformance import layouts
from device_api_conformance.case import Case
from device_api_conformance.formats import Host
from device_api_conformance.handle import Handle
from device_api_conformance.record import Record
from device_api_conformance.seeds import generator

CHAIN = 20
SIZE = 40_000
HOLD = 0.25
"""Seconds for which a callback holds its stream, at most."""


def _tensor(handle: Handle, case: Case, seed: int, value: float, size: int = SIZE) -> Any:
    host = Host("float32", np.full(size, value, dtype=np.float32))
    return handle.put(layouts.place(host, "contiguous", generator(case.id, seed)))


def _chain(handle: Handle, start: Any, step: Any, length: int = CHAIN) -> Any:
    """start + length * step, one op at a time: slow to finish, easy to check."""
    for _ in range(length):
        start = handle.run("add", [start, step], {})
    return start


def _wrong(handle: Handle, tensor: Any, want: float) -> int:
    return int(np.count_nonzero(handle.get(tensor).data != np.float32(want)))


def order(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Work of one stream runs in order: each op sees the one before."""
    one = _tensor(handle, case, seed, 1.0)
    handle.synchronize()
    stream = handle.stream()
    with handle.using(stream):
        for start in (3.0, 5.0):
            result = _chain(handle, _tensor(handle, case, seed, start), one)
            r.equal(f"wrong elements from {start}", _wrong(handle, result, start + CHAIN), 0)


def wait_across(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """A stream that waits for an event sees all that was done before it on another stream."""
    one, two = _tensor(handle, case, seed, 1.0), _tensor(handle, case, seed, 2.0)
    handle.synchronize()
    producer, consumer = handle.stream(), handle.stream()
    for turn in range(6):
        start = _tensor(handle, case, seed, float(turn))
        handle.synchronize()
        with handle.using(producer):
            made = _chain(handle, start, one)
            event = handle.event()
            producer.record_event(event)
        with handle.using(consumer):
            consumer.wait_event(event)
            used = handle.run("add", [made, two], {})
            consumer.synchronize()
            r.equal(f"turn {turn}: wrong elements", _wrong(handle, used, 2.0 + turn + CHAIN), 0)
        r.equal(f"turn {turn}: the event is reached", event.query(), True)


def rerecorded(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """A wait means the record before it, also when the event is recorded again afterwards."""
    one = _tensor(handle, case, seed, 1.0)
    handle.synchronize()
    producer, consumer = handle.stream(), handle.stream()
    event = handle.event()
    with handle.using(producer):
        made = _chain(handle, one, one)
        producer.record_event(event)
    with handle.using(consumer):
        consumer.wait_event(event)
        used = handle.run("add", [made, one], {})
    with handle.using(producer):
        later = _chain(handle, made, one)
        producer.record_event(event)
    with handle.using(consumer):
        consumer.synchronize()
        r.equal("wrong elements", _wrong(handle, used, CHAIN + 2.0), 0)
    event.synchronize()
    with handle.using(producer):
        r.equal("wrong elements later", _wrong(handle, later, 2.0 * CHAIN + 1), 0)


def event_query(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """A query is false while work before the event is held up, and becomes true afterwards."""
    fresh = handle.event()
    r.equal("an event never recorded is reached", fresh.query(), True)
    stream, event = handle.stream(), handle.event()
    released, inline, here = threading.Event(), [], threading.get_ident()

    def hold() -> None:
        if threading.get_ident() == here:
            inline.append(True)
        else:
            released.wait(HOLD)

    with handle.using(stream):
        stream.add_callback(hold)
        stream.record_event(event)
    early = (event.query(), stream.query())
    too_late = released.is_set() or bool(inline)
    released.set()
    if not (too_late or handle.identity().synchronous):
        r.equal(
            "event and stream are idle while a callback holds them", list(early), [False, False]
        )
    r.becomes("the event becomes reached", event.query)
    event.synchronize()
    r.equal("the event is reached after synchronise", event.query(), True)
    if handle.tells_idle():
        r.becomes("the stream becomes idle", stream.query)


def elapsed(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Times between events: never negative, additive, an error where there is nothing to time."""
    one = _tensor(handle, case, seed, 1.0)
    stream = handle.stream()
    marks = [handle.event(timing=True) for _ in range(3)]
    with handle.using(stream):
        stream.record_event(marks[0])
        _chain(handle, one, one)
        stream.record_event(marks[1])
        _chain(handle, one, one, 2 * CHAIN)
        stream.record_event(marks[2])
    marks[2].synchronize()
    first, second, whole = (marks[a].elapsed_time(marks[b]) for a, b in ((0, 1), (1, 2), (0, 2)))
    for name, value in (("first", first), ("second", second), ("whole", whole)):
        r.at_least(f"{name} time in ms", value, 0.0)
    r.at_most("first + second - whole in ms", abs(first + second - whole), 0.01 + 1e-3 * whole)
    r.note("milliseconds", [first, second, whole])
    unrecorded = handle.event(timing=True)
    invalid = handle.error("invalid_argument")
    r.raises("time to an event never recorded", invalid, lambda: marks[0].elapsed_time(unrecorded))
    untimed = handle.event()
    stream.record_event(untimed)
    stream.synchronize()
    r.raises("time to an event without timing", invalid, lambda: marks[0].elapsed_time(untimed))
    r.equal("the error does not stick", marks[0].elapsed_time(marks[2]), whole)
    _timeline(handle, case, seed, r)


def _timeline(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """When chains of three streams began and ended; the third waits for the first. For the page."""
    one = _tensor(handle, case, seed, 1.0)
    handle.synchronize()
    streams = [handle.stream() for _ in range(3)]
    marks = [[handle.event(timing=True)] for _ in streams]
    for stream, own in zip(streams, marks, strict=True):
        with handle.using(stream):
            if stream is streams[2]:
                stream.wait_event(marks[0][-1])
            stream.record_event(own[0])
            for length in (CHAIN, 2 * CHAIN):
                _chain(handle, one, one, length)
                own.append(handle.event(timing=True))
                stream.record_event(own[-1])
    handle.synchronize()
    base = marks[0][0]
    spans = [
        [f"stream {k}", f"{n} ops", base.elapsed_time(begin), base.elapsed_time(end)]
        for k, own in enumerate(marks, start=1)
        for n, (begin, end) in zip((CHAIN, 2 * CHAIN), pairwise(own), strict=True)
    ]
    r.note("timeline", {"unit": "ms", "spans": spans})


def callbacks(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Host callbacks run once each, in order, behind earlier work, before a wait returns."""
    one = _tensor(handle, case, seed, 1.0)
    stream = handle.stream()
    seen: list[int] = []

    def see(number: int) -> None:
        if number == 0:
            time.sleep(0.05)  # whoever does not wait for the first one overtakes it
        seen.append(number)

    with handle.using(stream):
        for i in range(25):
            result = handle.run("add", [one, one], {})
            stream.add_callback(partial(see, i))
    stream.synchronize()
    r.equal("callbacks seen when synchronise returns", list(seen), list(range(25)))
    handle.synchronize()
    r.equal("callbacks seen later", list(seen), list(range(25)))
    with handle.using(stream):
        r.equal("wrong elements", _wrong(handle, result, 2.0), 0)


def synchronise(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Synchronising a device waits for all streams, copies included."""
    one = _tensor(handle, case, seed, 1.0)
    handle.synchronize()
    streams = [handle.stream() for _ in range(3)]
    events, results = [], []
    for stream in streams:
        with handle.using(stream):
            copy = _tensor(handle, case, seed, 7.0)
            results.append(_chain(handle, copy, one))
            event = handle.event()
            stream.record_event(event)
            events.append(event)
    handle.synchronize()
    r.equal("events reached", [e.query() for e in events], [True] * 3)
    if handle.tells_idle():
        r.equal("streams idle", [s.query() for s in streams], [True] * 3)
    for result in results:
        r.equal("wrong elements", _wrong(handle, result, 7.0 + CHAIN), 0)


def dropped_stream(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """A stream that is dropped with work on it completes that work."""
    one = _tensor(handle, case, seed, 1.0)
    handle.synchronize()
    stream = handle.stream()
    with handle.using(stream):
        result = _chain(handle, one, one)
    del stream
    handle.synchronize()
    r.equal("wrong elements", _wrong(handle, result, CHAIN + 1.0), 0)


def freed_in_flight(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Memory that a stream still reads is not given to others."""
    one = _tensor(handle, case, seed, 1.0)
    handle.synchronize()
    side = handle.stream()
    for turn in range(5):
        source = _tensor(handle, case, seed, float(turn))
        handle.synchronize()
        with handle.using(side):
            slow = _chain(handle, one, one)
            result = handle.run("add", [source, slow], {})
        del source
        others = [_tensor(handle, case, seed, 1000.0) for _ in range(3)]
        others = [handle.run("add", [o, o], {}) for o in others]
        with handle.using(side):
            side.synchronize()
            want = turn + CHAIN + 1.0
            r.equal(f"turn {turn}: wrong elements", _wrong(handle, result, want), 0)


CHECKS = {
    "order": order, "wait_across": wait_across, "rerecorded": rerecorded,
    "event_query": event_query, "elapsed": elapsed, "callbacks": callbacks,
    "synchronise": synchronise, "dropped_stream": dropped_stream,
    "freed_in_flight": freed_in_flight,
}  # fmt: skip


def cases() -> list[Case]:
    """All cases of the chapter."""
    return [Case("S", name) for name in CHECKS]
