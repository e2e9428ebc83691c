# SPDX-License-Identifier: Apache-2.0
"""The profiler: what ran when, on the host and on the devices.

``with profiler.profile() as p: ...`` records every op, copy and collective; afterwards
``p.save("trace.json")`` writes a trace that chrome://tracing and Perfetto show, and ``p.print()`` a
table by op. Device times are those between two events round each op on its stream; ops of a
synchronous device have the host's times only. Ops that a composite is made of lie inside it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from device_api import _core, _trace, errors
from device_api._core import Device, Event, Observation, Stream, Tensor

_running: list[Profile] = []


@dataclass
class Span:
    """One op, copy or collective. Times in microseconds from the beginning of the profile; device
    times may be None. ``depth``: ops that enclose it; ``bytes``: moved by a copy or a fallback, of
    the larger array of a collective."""

    name: str
    kind: str
    device: str
    stream: int
    thread: int
    depth: int
    operands: list[tuple[tuple[int, ...], str]]
    begin: float
    end: float = 0.0
    device_begin: float | None = None
    device_end: float | None = None
    composed: bool = False
    fallback: str = ""
    bytes: int = 0
    failed: bool = False

    @property
    def host_time(self) -> float:
        """Microseconds that the calling thread spent."""
        return self.end - self.begin

    @property
    def device_time(self) -> float:
        """Microseconds on the device; the host's time where the device has no other."""
        if self.device_begin is None or self.device_end is None:
            return self.host_time
        return self.device_end - self.device_begin


@dataclass
class Row:
    """The ops or copies of one name on one device, summed; times in microseconds."""

    name: str
    device: str
    count: int = 0
    host_time: float = 0.0
    device_time: float = 0.0
    composed: int = 0
    fallbacks: int = 0

    def add(self, span: Span) -> None:
        """Count one more."""
        self.count += 1
        self.host_time += span.host_time
        self.device_time += span.device_time
        self.composed += span.composed
        self.fallbacks += bool(span.fallback)


@dataclass
class _Clock:
    """An event and the host's time at which it had just passed."""

    event: Event
    at: float


@dataclass
class _Timed:
    span: Span
    device: Device
    begin: Event
    end: Event | None = None


@dataclass
class Profile:
    """What was recorded: ``spans`` in the order of their beginnings, ``memory`` as (microseconds,
    device, bytes now allocated beyond those at the beginning)."""

    spans: list[Span] = field(default_factory=list)
    memory: list[tuple[float, str, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._open: dict[int, Span] = {}
        self._timed: dict[int, _Timed] = {}
        self._done: list[_Timed] = []
        self._clocks: dict[Device, _Clock | None] = {}
        self._held: dict[str, int] = {}
        self._handle: int | None = None
        self._zero = 0

    def __enter__(self) -> Self:
        if self._handle is not None:
            raise errors.InvalidArgumentError("the profile is being recorded already")
        self._zero = time.perf_counter_ns()
        self._handle = _core.add_observer(
            ("op", "copy", "alloc", "free", "fallback", "composed"), self._seen
        )
        _running.append(self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._handle is not None:
            _running.remove(self)
            _core.remove_observer(self._handle)
            self._handle = None
        try:
            self._read_events()
        except errors.DeviceApiError:
            if kind is None:
                raise

    def _now(self) -> float:
        return (time.perf_counter_ns() - self._zero) / 1e3

    def _seen(self, seen: Observation) -> None:
        match seen.phase, seen.kind:
            case "begin", _:
                self._begin(seen)
            case "end", _:
                self._end(seen)
            case _, "alloc" | "free":
                self._count_memory(seen)
            case _, "composed":
                if (span := self._open.get(seen.within)) is not None:
                    span.composed = True
            case _:
                if (span := self._open.get(seen.within)) is not None:
                    span.fallback, span.bytes = seen.reason, seen.bytes

    def _begin(self, seen: Observation) -> None:
        device, stream = seen.device or seen.source, seen.stream
        span = Span(
            name=seen.op or f"copy {seen.source or 'host'} to {seen.device or 'host'}",
            kind=seen.kind,
            device=str(device or "host"),
            stream=stream.id if stream is not None else 0,
            thread=threading.get_native_id(),
            depth=seen.depth,
            operands=seen.operands,
            bytes=seen.bytes,
            begin=self._now(),
        )
        with self._lock:
            self.spans.append(span)
            self._open[seen.span] = span
        if device is not None and stream is not None and self._clock(device) is not None:
            event = Event(enable_timing=True, device=stream.device)
            event.record(stream)
            self._timed[seen.span] = _Timed(span, stream.device, event)

    def _end(self, seen: Observation) -> None:
        span = self._open.pop(seen.span, None)
        if span is None:
            return
        timed = self._timed.pop(seen.span, None)
        stream = seen.stream
        span.failed = seen.status != 0
        if timed is not None and stream is not None and not span.failed:
            timed.end = Event(enable_timing=True, device=timed.device)
            timed.end.record(stream)
            with self._lock:
                self._done.append(timed)
        span.end = self._now()

    @contextmanager
    def _collective(self, name: str, stream: Stream, arrays: Sequence[Tensor]) -> Iterator[None]:
        """Record a collective: from its launch to its end on the group's stream."""
        device = stream.device
        span = Span(
            name=name, kind="collective", device=str(device), stream=stream.id,
            thread=threading.get_native_id(), depth=0,
            operands=[(tuple(x.shape), x.dtype.name) for x in arrays],
            bytes=max((x.nbytes for x in arrays), default=0), begin=self._now(),
        )  # fmt: skip
        with self._lock:
            self.spans.append(span)
        timed = None
        if self._clock(device) is not None:
            timed = _Timed(span, device, stream.record_event(Event(True, device)))
        try:
            yield
        except BaseException:
            span.failed = True
            raise
        finally:
            if timed is not None and not span.failed:
                timed.end = stream.record_event(Event(True, device))
                with self._lock:
                    self._done.append(timed)
            span.end = self._now()

    def _clock(self, device: Device) -> _Clock | None:
        """Relate the device's time to the host's, at its first use; None: it has no own time."""
        if device in self._clocks:
            return self._clocks[device]
        clock = None
        if not _core.properties(device)["synchronous"]:
            event = Event(enable_timing=True, device=device)
            event.record(_core.current_stream(device))
            event.synchronize()
            clock = _Clock(event, self._now())
        self._clocks[device] = clock
        return clock

    def _count_memory(self, seen: Observation) -> None:
        name = str(seen.device)
        with self._lock:
            held = self._held.get(name, 0) + (seen.bytes if seen.kind == "alloc" else -seen.bytes)
            self._held[name] = held
            self.memory.append((self._now(), name, held))

    def _read_events(self) -> None:
        for device, clock in self._clocks.items():
            if clock is not None:
                _core.synchronize(device)
        for timed in self._done:
            clock = self._clocks[timed.device]
            if clock is None or timed.end is None:
                continue
            begin = clock.at + clock.event.elapsed_time(timed.begin) * 1e3
            timed.span.device_begin = begin
            timed.span.device_end = begin + timed.begin.elapsed_time(timed.end) * 1e3
        self._done.clear()

    def rows(self) -> list[Row]:
        """Return the sums by name and device, the longest device time first.

        An op that is composed of others counts, and so do the ops inside it.
        """
        found: dict[tuple[str, str], Row] = {}
        for span in self.spans:
            key = span.name, span.device
            found.setdefault(key, Row(*key)).add(span)
        return sorted(found.values(), key=lambda row: -row.device_time)

    def trace(self) -> dict[str, Any]:
        """Return the trace in the Trace Event Format, as plain data for JSON."""
        return _trace.events(self)

    def save(self, path: str | Path) -> None:
        """Write the trace as JSON."""
        _trace.save(self, path)

    def print(self) -> None:
        """Print the table by op."""
        _trace.print_table(self)


@contextmanager
def collective(name: str, stream: Stream, arrays: Sequence[Tensor]) -> Iterator[None]:
    """Tell the profiles that are being recorded of a collective, which the block launches."""
    with ExitStack() as stack:
        for running in list(_running):
            stack.enter_context(running._collective(name, stream, arrays))
        yield


def profile() -> Profile:
    """Record all ops, copies and collectives of all threads inside a ``with`` block.

    Each device is waited for once, at its first op, and at the end; late failures are raised there.
    """
    return Profile()
