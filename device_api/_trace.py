# SPDX-License-Identifier: Apache-2.0
"""Profiles as a trace (Trace Event Format, read by chrome://tracing and Perfetto) and a table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from device_api.profiler import Profile, Span

HOST = 0


def _name(kind: str, process: int, thread: int, name: str) -> dict[str, Any]:
    return {"ph": "M", "name": kind, "pid": process, "tid": thread, "args": {"name": name}}


def _arguments(span: Span) -> dict[str, Any]:
    said: dict[str, Any] = {"device": span.device, "stream": span.stream}
    if span.operands:
        said["operands"] = [f"{dtype}{list(shape)}" for shape, dtype in span.operands]
    if span.bytes:
        said["bytes"] = span.bytes
    if span.composed:
        said["composed"] = True
    if span.fallback:
        said["fallback"] = span.fallback
    if span.failed:
        said["failed"] = True
    return said


def _bar(span: Span, process: int, thread: int, begin: float, end: float) -> dict[str, Any]:
    return {
        "ph": "X",
        "name": span.name,
        "cat": span.kind,
        "pid": process,
        "tid": thread,
        "ts": begin,
        "dur": max(end - begin, 0.0),
        "args": _arguments(span),
    }


def events(profile: Profile) -> dict[str, Any]:
    """Return the trace: process 0 is the host with a row per thread; each device with times of its
    own is a process with a row per stream; memory is a counter of each device."""
    devices = sorted({s.device for s in profile.spans if s.device_begin is not None})
    processes = {name: number for number, name in enumerate(devices, start=1)}
    out = [_name("process_name", HOST, 0, "host")]
    out += [_name("process_name", number, 0, name) for name, number in processes.items()]
    rows: set[tuple[int, int, str]] = set()
    for span in profile.spans:
        rows.add((HOST, span.thread, f"thread {span.thread}"))
        out.append(_bar(span, HOST, span.thread, span.begin, span.end))
        if span.device_begin is not None and span.device_end is not None:
            process = processes[span.device]
            rows.add((process, span.stream, f"stream {span.stream}"))
            out.append(_bar(span, process, span.stream, span.device_begin, span.device_end))
    out += [_name("thread_name", *row) for row in sorted(rows)]
    for at, device, held in profile.memory:
        counter = {"ph": "C", "name": f"memory of {device}", "pid": processes.get(device, HOST)}
        out.append(counter | {"tid": 0, "ts": at, "args": {"bytes": held}})
    return {"traceEvents": out, "displayTimeUnit": "ns"}


def save(profile: Profile, path: str | Path) -> None:
    """Write the trace as JSON."""
    Path(path).write_text(json.dumps(events(profile)), encoding="utf-8")


def print_table(profile: Profile) -> None:
    """Print the sums by op and device."""
    from rich.console import Console
    from rich.table import Table

    table = Table("op", "device", title="profile; an op's time includes what it is made of")
    for heading in ("count", "host us", "device us", "composed", "fallbacks"):
        table.add_column(heading, justify="right")
    for row in profile.rows():
        table.add_row(
            row.name,
            row.device,
            str(row.count),
            f"{row.host_time:.1f}",
            f"{row.device_time:.1f}",
            str(row.composed or "-"),
            str(row.fallbacks or "-"),
        )
    Console(highlight=False).print(table)
