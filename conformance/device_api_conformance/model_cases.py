# SPDX-License-Identifier: Apache-2.0
"""Cases of chapter B: the deployment figures of one model, as `device-api bench-model` asks them.

Times are recorded for `compare`, and nothing is judged by them. What is judged: the output has the
same bits in every call and in new processes, the device does the work, and memory stays.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from device_api_conformance import figures, model_program, model_soak, model_start
from device_api_conformance.case import Case
from device_api_conformance.handle import Handle
from device_api_conformance.leak_cases import resident
from device_api_conformance.model_program import Model, Program
from device_api_conformance.record import Record

LEVEL = "model"
REPEATS = 25
MEMORY_CALLS = 7
BLOCKS = 11
BLOCK_SECONDS = 0.05
LEAST_CALLS = 11
MOST_CALLS = 2000
"""Calls of a block of the throughput at most, however short one is."""


@dataclass(frozen=True)
class Settings:
    """How much is measured; `varies` says that calls may differ, `fallback` is the policy.

    After `seconds` no more calls are made for the latency, so that a slow model comes to an end.
    """

    warmup: int = 10
    runs: int = 400
    starts: int = 5
    minutes: float = 1.0
    seconds: float = 100.0
    varies: bool = False
    fallback: str = "error"


@dataclass
class Bench:
    """A model on a device, with the digest of its first output."""

    handle: Handle
    program: Program
    model: Model
    golden: str
    settings: Settings
    device: str
    spec: str
    loaded: int = 0
    typical: float = 0.0
    latencies: list[float] = field(default_factory=list)

    def timed(self) -> float:
        """Seconds of one call, from an idle device to an idle device."""
        self.handle.synchronize()
        begin = time.perf_counter()
        result = self.model.run()
        self.handle.synchronize()
        span = time.perf_counter() - begin
        del result
        return max(span, 1e-9)

    def digest(self) -> str:
        """Digest of the output of one more call."""
        return model_program.digest(self.handle, tuple(model_program.arrays(self.model.run())))

    @property
    def items(self) -> int:
        """What one call works on: the batch, or one."""
        return self.program.batch or 1


def cold_start(bench: Bench, r: Record) -> None:
    """New processes, from their start to the first finished result."""
    spans, phases, different = [], [], 0
    for _ in range(bench.settings.starts):
        told = model_start.measured(
            bench.device, bench.spec, bench.program, bench.settings.fallback
        )
        spans.append(told["total"])
        phases.append(told["phases"])
        different += told["digest"] != bench.golden
    r.performance("s", "less", spans)
    rows = figures.quantiles("cold start", spans, "s")[:1]
    rows += [figures.figure(f"cold start: {name}, median",
                            statistics.median(p[name] for p in phases), "s")
             for name in model_start.PHASES]  # fmt: skip
    r.note("figures", rows)
    r.note("phases", phases)
    if not bench.settings.varies:
        r.equal("new processes whose first output has other bits", different, 0)


def latency(bench: Bench, r: Record) -> None:
    """Seconds of single calls, each from an idle device to an idle device."""
    spans = _latencies(bench)
    r.performance("s", "less", spans)
    r.timed["quantiles"] = list(figures.QUANTILES)
    rows = figures.quantiles("latency of a call", spans, "s")
    rows += [figures.figure("latency of a call, worst", max(spans), "s"),
             figures.figure("calls that gave the latency", len(spans), "")]  # fmt: skip
    r.note("figures", rows)


def _latencies(bench: Bench) -> list[float]:
    end, spans = time.monotonic() + bench.settings.seconds, []
    for n in range(bench.settings.warmup + bench.settings.runs):
        span = bench.timed()
        if n >= bench.settings.warmup:
            spans.append(span)
        if time.monotonic() > end and len(spans) >= LEAST_CALLS:
            break
    bench.typical = statistics.median(spans)
    return spans


def throughput(bench: Bench, r: Record) -> None:
    """Calls in a row, the device waited for at the end of each block only."""
    typical = bench.typical or statistics.median(bench.timed() for _ in range(5))
    calls = max(2, min(MOST_CALLS, round(BLOCK_SECONDS / typical)))
    rates = []
    for n in range(BLOCKS + 1):
        bench.handle.synchronize()
        begin = time.perf_counter()
        for _ in range(calls):
            bench.model.run()
        bench.handle.synchronize()
        if n:
            rates.append(calls * bench.items / max(time.perf_counter() - begin, 1e-9))
    r.performance("items/s", "more", rates)
    r.note("figures", figures.quantiles("throughput", rates, "items/s")[:1])
    r.note("calls of a block", calls)


def device_memory(bench: Bench, r: Record) -> None:
    """The most that arrays hold of the device during a call, and what the program holds anyway."""
    handle, peaks = bench.handle, []
    gc.collect()
    handle.synchronize()
    start = handle.statistics()["allocated"]
    for _ in range(MEMORY_CALLS):
        handle.reset_peak()
        result = bench.model.run()
        handle.synchronize()
        peaks.append(float(max(handle.statistics()["peak_allocated"], 1)))
        del result
    found = handle.statistics()
    r.performance("byte", "less", peaks)
    r.note("figures", [
        figures.figure("device memory, peak of a call", max(peaks), "byte"),
        figures.figure("device memory, held between calls", start, "byte"),
        figures.figure("device memory, reserved", found["reserved"], "byte"),
    ])  # fmt: skip
    r.equal("bytes of the device in use after the calls", found["allocated"], start)


def host_memory(bench: Bench, r: Record) -> None:
    """The most that the process held of the host's memory."""
    marks = []
    for _ in range(MEMORY_CALLS):
        bench.timed()
        marks.append(float(max(resident(), 1)))
    peak = max(model_soak.peak_resident(), *marks)
    r.performance("byte", "less", marks)
    r.note("figures", [figures.figure("host memory, peak of the process", peak, "byte"),
                       figures.figure("host memory, after calls", max(marks), "byte")])  # fmt: skip


def output(bench: Bench, r: Record) -> None:
    """The same bits in every call."""
    if bench.settings.varies:
        r.skip("the outputs may vary (--varies)")
        return
    others = sum(bench.digest() != bench.golden for _ in range(REPEATS))
    r.equal(f"calls, of {REPEATS}, whose output has other bits than the first", others, 0)
    r.note("digest", bench.golden)


def native(bench: Bench, r: Record) -> None:
    """Which ops ran on the device, and which on the host."""
    before, gone = bench.handle.native_counts(), _fallen(bench.handle)
    bench.timed()
    after = bench.handle.native_counts()
    ran = {k: n - before.get(k, 0) for k, n in sorted(after.items()) if n > before.get(k, 0)}
    fell = {k: n - gone.get(k, 0) for k, n in sorted(_fallen(bench.handle).items())
            if n > gone.get(k, 0)}  # fmt: skip
    r.at_least("ops that one call runs on the device", sum(ran.values()), 1)
    if bench.settings.fallback == "error":
        r.equal("ops that one call runs on the host instead", fell, {})
    r.note("native", ran)
    r.note("host", fell)
    counts = (("device", ran), ("host instead", fell))
    r.note("figures", [figures.figure(f"ops of a call on the {where}", sum(found.values()), "")
                       for where, found in counts])  # fmt: skip


def _fallen(handle: Handle) -> dict[str, int]:
    found: dict[str, int] = {}
    for row in handle.fallbacks():
        found[row["op"]] = found.get(row["op"], 0) + int(row["count"])
    return found


def soak(bench: Bench, r: Record) -> None:
    """Calls for minutes: drift of latency, of memory, and of the output's bits."""
    if not bench.settings.minutes:
        r.skip("no minutes were asked for (--minutes)")
        return
    digest = None if bench.settings.varies else bench.digest
    found = model_soak.watched(bench.handle, bench.timed, bench.settings.minutes * 60,
                               digest, bench.golden)  # fmt: skip
    found.tell(r)


CHECKS: dict[str, Callable[[Bench, Record], None]] = {
    "native": native, "output": output, "latency": latency, "throughput": throughput,
    "device_memory": device_memory, "host_memory": host_memory, "cold_start": cold_start,
    "soak": soak,
}  # fmt: skip


def cases() -> list[Case]:
    """All cases; the last is answered by the runner: the process ends with status 0."""
    return [*(Case("B", name) for name in CHECKS), Case("B", "exit")]
