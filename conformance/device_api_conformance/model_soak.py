# SPDX-License-Identifier: Apache-2.0
"""One model called for minutes: latency, memory, temperature and output bits along the way."""

from __future__ import annotations

import gc
import statistics
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from device_api_conformance import figures, significance
from device_api_conformance.handle import Handle
from device_api_conformance.leak_cases import STEADY, resident
from device_api_conformance.record import Record

POINTS = 60
"""Points of the timeline at most."""
MARKS = 6
KEPT = 400
"""Latencies that are kept of the first and of the last part, for the drift."""


@dataclass
class Point:
    """The state at one time: seconds since the start, and what was measured since the last one."""

    at: float
    latency: float
    allocated: int
    resident: int
    temperature: float | None
    clock: float | None


@dataclass
class Soak:
    """What a soak found; a simulated chip keeps a log of launches in the process's own memory."""

    seconds: float
    keeps_log: bool = False
    calls: int = 0
    wrong: int | None = 0
    points: list[Point] = field(default_factory=list)
    first: list[float] = field(default_factory=list)
    last: list[float] = field(default_factory=list)

    def tell(self, r: Record) -> None:
        """Figures, timeline and expectations."""
        if self.wrong is not None:
            r.equal("calls whose output has other bits than the first", self.wrong, 0)
        marks = self.marks()
        if len(marks) > 2:
            growth = min(b.allocated - a.allocated for a, b in pairwise(marks))
            r.at_most("bytes of the device by which every mark exceeds the one before", growth, 0)
            kibibytes = min((b.resident - a.resident) // 1024 for a, b in pairwise(marks))
            what = "KiB by which the process grows from every mark to the next"
            if self.keeps_log:
                r.note(what, kibibytes)
            else:
                r.at_most(what, kibibytes, STEADY)
        r.performance("s", "less", [*self.first, *self.last])
        r.note("figures", self._figures(marks))
        r.note("soak_timeline", {
            "unit": "s", "at": [round(p.at, 3) for p in self.points],
            "series": {name: values for name, values in self._series().items() if any(
                v is not None for v in values)},
        })  # fmt: skip

    def marks(self) -> list[Point]:
        """Some points, evenly spread; the first one, of the warm-up, is left out."""
        steady = self.points[1:]
        if len(steady) <= MARKS:
            return steady
        return [steady[round(k * (len(steady) - 1) / (MARKS - 1))] for k in range(MARKS)]

    def _series(self) -> dict[str, list[Any]]:
        return {
            "latency in ms": [p.latency * 1e3 for p in self.points],
            "device memory in MiB": [p.allocated / 2**20 for p in self.points],
            "process memory in MiB": [p.resident / 2**20 for p in self.points],
            "temperature in degrees C": [p.temperature for p in self.points],
            "clock in MHz": [p.clock for p in self.points],
        }

    def _figures(self, marks: list[Point]) -> list[dict[str, Any]]:
        rows = [figures.figure("soak, time", self.seconds, "second"),
                figures.figure("soak, calls", self.calls, "")]  # fmt: skip
        drift = significance.compare(self.first, self.last, "soak")
        if drift is not None:
            rows.append(figures.figure("soak, latency at the end by that at the start",
                                       drift.ratio, "", (drift.low, drift.high)))  # fmt: skip
        if len(marks) > 1:
            rows += [
                figures.figure("soak, growth of device memory",
                               marks[-1].allocated - marks[0].allocated, "byte"),
                figures.figure("soak, growth of the process",
                               marks[-1].resident - marks[0].resident, "byte"),
            ]  # fmt: skip
        hottest = [p.temperature for p in self.points if p.temperature is not None]
        if hottest:
            rows.append(figures.figure("soak, highest temperature", max(hottest), "degrees C"))
        return rows


def watched(
    handle: Handle,
    call: Callable[[], float],
    seconds: float,
    digest: Callable[[], str] | None,
    golden: str,
) -> Soak:
    """Call for `seconds`, and until there are marks enough to tell growth from a single step.

    `call` tells the seconds of a call, `digest` the digest of one more output.
    """
    found = Soak(seconds, handle.identity().simulated, wrong=None if digest is None else 0)
    begin = time.monotonic()
    step = seconds / POINTS
    due, spans = begin + step, []
    recent: deque[float] = deque(maxlen=KEPT)
    while (now := time.monotonic()) < begin + seconds or len(found.points) <= MARKS:
        span = call()
        found.calls += 1
        spans.append(span)
        if digest is not None:
            found.calls += 1
            found.wrong = (found.wrong or 0) + (digest() != golden)
        if now - begin < seconds / 3 and len(found.first) < KEPT:
            found.first.append(span)
        recent.append(span)
        if now >= due:
            found.points.append(_point(handle, now - begin, statistics.median(spans)))
            due, spans = now + step, []
    later = list(recent)[-min(KEPT, found.calls // 3) :]
    found.last = later
    return found


def _point(handle: Handle, at: float, latency: float) -> Point:
    gc.collect()
    handle.synchronize()
    sensors = handle.telemetry() or {}
    return Point(at, latency, handle.statistics()["allocated"], resident(),
                 sensors.get("temperature"), sensors.get("clock_mhz"))  # fmt: skip


def peak_resident() -> int:
    """Bytes that this process held in memory at most; 0 where the system does not tell."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as file:
            rows = [line.split() for line in file if line.startswith("VmHWM:")]
    except OSError:
        return 0
    return int(rows[0][1]) * 1024 if rows else 0
