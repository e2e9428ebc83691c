# SPDX-License-Identifier: Apache-2.0
"""``device-api memory``: a program run with an account of its device memory."""

from __future__ import annotations

import gc
import os
import threading
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

from device_api import devices, errors, memory, observers
from device_api._memory_page import human
from device_api.cli import programs

CLEAN, LEAKS, UNUSABLE = 0, 1, 2


@dataclass(frozen=True)
class Call:
    """What to run, on which device (None: what the environment says), and where to draw it."""

    program: str
    arguments: tuple[str, ...]
    device: str | None
    snapshot: Path | None


@dataclass
class Account:
    """Who holds how many bytes of one device, now and when it was most."""

    device: str
    live: dict[int, tuple[str, int]] = field(default_factory=dict)
    held: Counter[str] = field(default_factory=Counter)
    at_peak: Counter[str] = field(default_factory=Counter)
    now: int = 0
    peak: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, seen: observers.Observation) -> None:
        """Enter one allocation or release; an observer."""
        if str(seen.device) != self.device:
            return
        with self.lock:
            if seen.kind == "free":
                owner, size = self.live.pop(seen.address, ("", 0))
                self._add(owner, -size)
                return
            owner = seen.op or "the program"
            self.live[seen.address] = (owner, seen.bytes)
            self._add(owner, seen.bytes)
            if self.now > self.peak:
                self.peak = self.now
                self.at_peak = Counter(self.held)

    def _add(self, owner: str, size: int) -> None:
        self.now += size
        self.held[owner] += size


def _check(call: Call) -> str:
    if call.snapshot is not None and call.snapshot.suffix not in (".json", ".html"):
        raise errors.InvalidArgumentError(
            f"a snapshot is a file .json or .html, not '{call.snapshot}'", "rename it"
        )
    if not os.path.isfile(call.program):
        raise errors.DataNotFoundError(f"there is no file {call.program}", "check the path")
    name = call.device or os.environ.get("DEVICE_API_DEVICE") or devices.get_device()
    return str(devices.set_device(name))


def _draw(path: Path | None, device: str) -> None:
    if path is None:
        return
    if path.suffix == ".html":
        memory.memory_snapshot_html(path, device)
    else:
        memory.memory_snapshot(device, file=path)


def run(call: Call, out: Console, err: Console) -> int:
    """Run the program and print what it held; return the exit code."""
    try:
        device = _check(call)
        account = Account(device)
        memory.reset_peak_memory_stats(device)
    except errors.DeviceApiError as error:
        err.print(str(error), markup=False)
        return UNUSABLE
    with ExitStack() as watching:
        watching.enter_context(observers.observe(account.note, "alloc", "free"))
        ended = programs.run(call.program, call.arguments)
        at_end, stats = Counter(account.held), memory.memory_stats(device)
        _draw(call.snapshot, device)
        ended.forget()
        gc.collect()
        devices.synchronize(device)
    return _report(account, at_end, stats, ended.failure, out, err)


def _report(
    account: Account,
    at_end: Counter[str],
    stats: dict[str, int | float],
    failure: str,
    out: Console,
    err: Console,
) -> int:
    out.print(
        f"{account.device}: peak {human(stats['peak_allocated'])} in live arrays, "
        f"{human(stats['peak_reserved'])} reserved; at the end {human(stats['allocated'])} live, "
        f"{human(stats['reserved'])} reserved, fragmentation {stats['fragmentation']:.0%}",
        markup=False,
    )
    table = Table("made by", "at the peak", "at the end", "after the end")
    for owner in sorted(account.at_peak | at_end, key=lambda o: (-account.at_peak[o], o)):
        sizes = (account.at_peak[owner], at_end[owner], account.held[owner])
        if any(sizes):
            table.add_row(owner, *(human(size) for size in sizes))
    out.print(table)
    if failure:
        err.print(failure, markup=False)
        out.print("the program failed: the figures are those of then", markup=False)
        return UNUSABLE
    if account.now:
        out.print(
            f"{human(account.now)} (blocks: {len(account.live)}) outlive the program's own names: "
            "something keeps their arrays (a cache, a thread, a module)",
            markup=False,
        )
        return LEAKS
    out.print("nothing outlives the program", markup=False)
    return CLEAN
