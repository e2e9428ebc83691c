# SPDX-License-Identifier: Apache-2.0
"""Planted faults of memory, streams, events, errors and accounts."""

from __future__ import annotations

import threading
from collections import Counter

from fake_device import Event, FakeDevice, Stream
from fake_memory import FakeMemory
from faults import plant


def memory(**methods) -> type[FakeDevice]:
    """A device whose memory has some methods replaced."""
    return type("Device", (FakeDevice,), {"memory_type": type("Memory", (FakeMemory,), methods)})


def streams(**methods) -> type[FakeDevice]:
    """A device whose streams have some methods replaced."""
    return type("Device", (FakeDevice,), {"stream_type": type("Changed", (Stream,), methods)})


# ---- memory ----


@plant("a bit flips in large copies", "M/roundtrip", "M")
class BitFlip(FakeDevice):
    def write(self, address, data):
        changed = bytearray(data)
        if len(changed) > 4096:
            changed[4096] ^= 1
        super().write(address, bytes(changed))


@plant("copies ignore the offset within a word", "M/roundtrip M/partial_write", "M")
class WordAligned(FakeDevice):
    def write(self, address, data):
        super().write(address & ~3, data)


@plant("a partial write clears the rest", "M/partial_write", "M")
class Clears(FakeDevice):
    def write(self, address, data):
        target, at = self.memory.place(address)
        target[at + len(data) :] = bytes(len(target) - at - len(data))
        super().write(address, data)


@plant("blocks overlap", "M/neighbours", "M")
class Overlap(FakeDevice):
    def alloc(self, size):
        address = super().alloc(size)
        self.memory.next = max(address + size // 2, address + 1)
        return address


def _forgets_free(self, address):
    before = self.allocated
    FakeMemory.free(self, address)
    self.allocated = before


def _no_check(self, address):
    if address in self.live:
        FakeMemory.free(self, address)


def _counts_failures(self, size):
    if size > self.TOTAL:
        self.allocated += 512
    return FakeMemory.alloc(self, size)


def _no_reuse(self, address):
    FakeMemory.free(self, address)
    self.cached.clear()


def _peak_late(self, size):
    before = self.peak
    address = FakeMemory.alloc(self, size)
    self.peak = max(before, self.allocated - 512)
    return address


def _unaligned(self, size):
    address = FakeMemory.alloc(self, size)
    self.next += 8
    return address


def _none(self, size):
    if self.allocated + size > self.TOTAL:
        return 0
    return FakeMemory.alloc(self, size)


for _name, _only, _methods in (
    ("free is not counted", "M/statistics", {"free": _forgets_free}),
    ("a double free is accepted", "M/double_free", {"free": _no_check}),
    ("a failed request is counted", "M/out_of_memory", {"alloc": _counts_failures}),
    ("out of memory gives a null address", "M/out_of_memory", {"alloc": _none}),
    ("freed memory is never used again", "M/reuse", {"free": _no_reuse}),
    ("the peak lags behind", "M/statistics", {"alloc": _peak_late}),
    ("addresses are aligned to 8 bytes", "M/alignment", {"alloc": _unaligned}),
):
    plant(_name, _only, "M")(memory(**_methods))


@plant("the peak is not reset", "M/statistics", "M")
class NoReset(FakeDevice):
    def reset_peak(self):
        return


@plant("emptying the cache loses live data", "M/cache", "M")
class LosesData(FakeDevice):
    def empty_cache(self):
        super().empty_cache()
        for block, data in self.memory.live.values():
            data[:] = bytes(block)


# ---- streams and events ----


def _no_wait(self, event):
    return


def _twice(self, function):
    self.submit(function)
    self.submit(function)


def _at_once(self, function):
    threading.Thread(target=function).start()


def _never_called(self, function):
    return


def _returns_early(self):
    return


def _always_idle(self):
    return True


def _never_idle(self):
    return False


def _reordered(self, task):
    def late() -> None:
        kept, self.kept = getattr(self, "kept", None), task
        (kept or task)()

    Stream.submit(self, late)


for _name, _only, _methods in (
    ("waiting for an event is ignored", "S/wait_across", {"wait_event": _no_wait}),
    ("callbacks run twice", "S/callbacks", {"add_callback": _twice}),
    ("callbacks run out of order", "S/callbacks", {"add_callback": _at_once}),
    ("callbacks never run", "S/callbacks", {"add_callback": _never_called}),
    ("a stream is always idle", "S/event_query", {"query": _always_idle}),
    ("a stream is never idle", "S/synchronise", {"query": _never_idle}),
    (
        "synchronise returns at once",
        "S/order S/callbacks S/waits_hold",
        {"synchronize": _returns_early},
    ),
    ("tasks of a stream change places", "S/order", {"submit": _reordered}),
):
    plant(_name, _only, "S")(streams(**_methods))


@plant("synchronising a device forgets side streams", "S/synchronise S/waits_hold", "S")
class ForgetsStreams(FakeDevice):
    def synchronize(self):
        self.default.synchronize()


class _Reached(Event):
    def query(self):
        return True


class _Backwards(Event):
    def elapsed_time(self, end):
        return -super().elapsed_time(end)


class _Scaled(Event):
    def elapsed_time(self, end):
        return super().elapsed_time(end) ** 2 + 1


class _Unchecked(Event):
    def elapsed_time(self, end):
        return ((end.time or 0.0) - (self.time or 0.0)) * 1e3


for _name, _only, _event in (
    ("an event is reached too early", "S/event_query", _Reached),
    ("time runs backwards", "S/elapsed", _Backwards),
    ("times do not add up", "S/elapsed", _Scaled),
    ("times of unrecorded events", "S/elapsed", _Unchecked),
):
    plant(_name, _only, "S")(type("Device", (FakeDevice,), {"event_type": _event}))


# ---- failures and accounts ----


@plant("an error sticks", "F/error_does_not_stick", "F")
class Sticky(FakeDevice):
    stuck = False

    def _check(self, op, dtypes, operands, attributes):
        if self.stuck:
            self.stuck = False
            raise ValueError("an earlier error")
        try:
            super()._check(op, dtypes, operands, attributes)
        except (TypeError, ValueError):
            self.stuck = True
            raise


@plant("shapes are not checked", "F/error_does_not_stick", "F")
class Unchecked(FakeDevice):
    def run(self, op, operands, attributes):
        if op == "add" and operands[0].placed.shape != operands[1].placed.shape:
            return operands[0]
        return super().run(op, operands, attributes)


@plant("native runs are counted twice", "F/native_account", "F")
class CountsTwice(FakeDevice):
    def native_counts(self):
        return {op: 2 * n for op, n in super().native_counts().items()}


@plant("a fallback is counted as native", "F/fallback_account", "F")
class FallbackAsNative(FakeDevice):
    def native_counts(self):
        return dict(Counter(super().native_counts()) + Counter(o for o, _ in self.gone))

    def fallbacks(self):
        return []


@plant("the policy is not heeded", "F/fallback_account", "F")
class NoPolicy(FakeDevice):
    def _check(self, op, dtypes, operands, attributes):
        before, self.mode = self.mode, "allow"
        super()._check(op, dtypes, operands, attributes)
        self.mode = before


@plant("the name hides that the device is simulated", "R/identity", "R")
class Poser(FakeDevice):
    def identity(self):
        from dataclasses import replace

        return replace(super().identity(), name="Real device")


@plant("one stream for all threads gives wrong results", "R/threads", "R")
class SharedScratch(FakeDevice):
    scratch = None

    def compute(self, op, dtypes, views, attributes):
        self.scratch = super().compute(op, dtypes, views, attributes)
        threading.Event().wait(1e-4)
        return self.scratch
