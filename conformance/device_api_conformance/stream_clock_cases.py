# SPDX-License-Identifier: Apache-2.0
"""Cases of chapter S: the device's clock against the host's, streams apart, copies in order.

No duration is expected: an interval of the device lies within the host's interval around it, and
contains the one that the host saw begin and end within it. Order is shown with a callback that
holds a stream until it is let go.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from device_api_conformance import layouts
from device_api_conformance.case import Case
from device_api_conformance.formats import Host
from device_api_conformance.handle import Handle, Stream
from device_api_conformance.record import Record
from device_api_conformance.seeds import generator

SLEEP = 0.03
DRIFT = 0.02
"""Part by which a device's clock may run faster or slower than the host's."""
RESOLUTION = 1.0
"""Milliseconds of a device's clock at most."""
PATIENCE = 2.0
"""Seconds for which a callback holds its stream, at most."""
SIZE = 5000


def _tensor(handle: Handle, case: Case, seed: int, value: float) -> Any:
    host = Host("float32", np.full(SIZE, value, dtype=np.float32))
    return handle.put(layouts.place(host, "contiguous", generator(case.id, seed)))


def _work(handle: Handle, one: Any, length: int) -> Any:
    x = one
    for _ in range(length):
        x = handle.run("add", [x, one], {})
    return x


def clock(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Times between events fit the host's clock on both sides, also while the host sleeps."""
    one = _tensor(handle, case, seed, 1.0)
    handle.synchronize()
    stream = handle.stream()
    for turn, (sleep, length) in enumerate(((0.0, 1), (SLEEP, 0), (0.0, 40), (SLEEP, 10))):
        start, end = handle.event(timing=True), handle.event(timing=True)
        with handle.using(stream):
            before = time.perf_counter()
            stream.record_event(start)
            start.synchronize()
            begun = time.perf_counter()
            _work(handle, one, length)
            time.sleep(sleep)
            ended = time.perf_counter()
            stream.record_event(end)
            end.synchronize()
            after = time.perf_counter()
        told = start.elapsed_time(end)
        least, most = (ended - begun) * 1e3, (after - before) * 1e3
        r.at_least(f"turn {turn}: ms between the events", told, least * (1 - DRIFT) - RESOLUTION)
        r.at_most(f"turn {turn}: ms between the events", told, most * (1 + DRIFT) + RESOLUTION)


class _Hold:
    """A callback that holds its stream until it is let go, or its patience ends."""

    def __init__(self) -> None:
        self.here = threading.get_ident()
        self.released, self.ended, self.inline = threading.Event(), False, False

    def __call__(self) -> None:
        if threading.get_ident() == self.here:
            self.inline = True  # this thread would have to let itself go
        else:
            self.released.wait(PATIENCE)
        self.ended = True

    @property
    def holding(self) -> bool:
        """Whether it was in force all the time until now."""
        return not self.ended


@contextmanager
def _held(handle: Handle, stream: Stream) -> Iterator[_Hold]:
    hold = _Hold()
    with handle.using(stream):
        stream.add_callback(hold)
    try:
        yield hold
    finally:
        hold.released.set()
        stream.synchronize()


def apart(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """A stream has nothing to do with what another one waits for."""
    streams = [handle.stream() for _ in range(3)]
    for stream in streams:
        stream.synchronize()
    if not all(stream.query() for stream in streams):
        r.skip("streams do not say when they are idle")
        return
    for k, stream in enumerate(streams):
        others = [other for other in streams if other is not stream]
        with _held(handle, stream) as hold:
            idle = [other.query() for other in others]
            events = [other.record_event(handle.event()) for other in others]
            for event in events:
                event.synchronize()
            holding = hold.holding
            busy = not stream.query() or not hold.holding
        if holding and not handle.identity().synchronous:
            r.equal(f"stream {k} is busy while it is held", busy, True)
        r.equal(f"other streams are idle while stream {k} is held", idle, [True, True])


def waits_hold(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Whoever waits is not let go before the work is done, which a callback holds up meanwhile."""
    one = _tensor(handle, case, seed, 1.0)
    handle.synchronize()
    stream, event = handle.stream(), handle.event()
    waits: dict[str, Callable[[Any], Any]] = {
        "the stream": lambda result: stream.synchronize(),
        "the device": lambda result: handle.synchronize(),
        "the event": lambda result: event.synchronize(),
        "values": handle.get,
    }
    for what, wait in waits.items():
        with handle.using(stream):
            with _held(handle, stream) as hold:
                result = _work(handle, one, 2)
                stream.record_event(event)
                back = threading.Event()
                letting_go = threading.Thread(target=_let_go, args=(hold, back))
                letting_go.start()
                wait(result)
                done = hold.ended
                back.set()
                letting_go.join()
            r.equal(f"a wait for {what} sees the end of the callback", done, True)
            wrong = int(np.count_nonzero(handle.get(result).data != 3.0))
            r.equal(f"wrong elements after a wait for {what}", wrong, 0)


def _let_go(hold: _Hold, back: threading.Event) -> None:
    """After a while, or when the wait has come back already: too early."""
    back.wait(SLEEP)
    if not back.is_set():
        hold.released.set()


def copies_in_order(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Copies that are only enqueued run behind the work before them, and before that after them."""
    one = _tensor(handle, case, seed, 1.0)
    source = _tensor(handle, case, seed, 3.0)
    handle.synchronize()
    stream = handle.stream()
    new, old_sum, new_sum = (handle.pinned(4 * SIZE) for _ in range(3))
    new.view(np.float32)[:] = 7.0
    for target in (old_sum, new_sum):
        target.view(np.float32)[:] = -1.0
    with handle.using(stream):
        with _held(handle, stream):
            first = handle.run("add", [source, one], {})
            handle.start_copy(first, old_sum, True)
            handle.start_copy(source, new, False)
            second = handle.run("add", [source, one], {})
            handle.start_copy(second, new_sum, True)
        for what, target, want in (("before", old_sum, 4.0), ("behind", new_sum, 8.0)):
            wrong = int(np.count_nonzero(target.view(np.float32) != want))
            r.equal(f"wrong elements of the sum {what} the copy to the device", wrong, 0)
        for what, tensor, want in (("first", first, 4.0), ("second", second, 8.0)):
            wrong = int(np.count_nonzero(handle.get(tensor).data != want))
            r.equal(f"wrong elements of the {what} sum on the device", wrong, 0)


CHECKS: dict[str, Callable[[Handle, Case, int, Record], None]] = {
    "clock": clock, "streams_apart": apart, "waits_hold": waits_hold,
    "copies_in_order": copies_in_order,
}  # fmt: skip


def cases() -> list[Case]:
    """One case for each check."""
    return [Case("S", name) for name in CHECKS]
