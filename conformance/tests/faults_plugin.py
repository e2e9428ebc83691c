# SPDX-License-Identifier: Apache-2.0
"""Planted faults of what a plugin says of itself, of large memory, of clocks and of order."""

from __future__ import annotations

import threading
import time

import numpy as np
from fake_device import Event, FakeDevice, Stream
from fake_memory import FakeMemory
from faults import plant
from runtime_faults import memory

from device_api_conformance.formats import Host
from device_api_conformance.handle import Capability

MIB = 1 << 20

# ---- what is said ----


def says(**changes) -> type[FakeDevice]:
    """A device whose facts have some members replaced; a function is given the old one."""

    def properties(self, kept=False):
        found = FakeDevice.properties(self)
        return found | {k: v(found.get(k)) if callable(v) else v for k, v in changes.items()}

    return type("Device", (FakeDevice,), {"properties": properties})


def figures(**changes) -> type[FakeDevice]:
    """A device whose figures of memory have some members replaced, from those that are right."""

    def statistics(self):
        found = FakeDevice.statistics(self)
        return found | {k: v(found) for k, v in changes.items()}

    return type("Device", (FakeDevice,), {"statistics": statistics})


for _name, _only, _kind in (
    ("no memory by its facts", "R/facts_fit", says(total_memory=0)),
    ("memory in KiB by its facts", "R/facts_fit", says(total_memory=lambda n: n // 1024)),
    ("a name of nothing", "R/facts_fit", says(name=" ")),
    ("a text that is none", "R/facts_fit", says(driver="\x01\x02")),
    ("an alignment of three", "R/facts_fit", says(alignment=3)),
    ("priorities the wrong way round", "R/facts_fit", says(stream_priorities=(0, 5))),
    ("less aligned than it says", "R/alignment_holds", says(alignment=1 << 20)),
):
    plant(_name, _only, "R")(_kind)

for _name, _kind in (
    ("more memory is free than there is", figures(free=lambda s: 2 * s["total"])),
    ("no memory is free", figures(free=lambda s: 0)),
    ("no memory at all", figures(total=lambda s: 0, free=lambda s: 0)),
    ("more is reserved than there is", figures(reserved=lambda s: s["total"] + 1)),
):
    plant(_name, "M/memory_figures", "M")(_kind)

plant("what is free never changes", "M/given_back", "M")(figures(free=lambda s: 1 << 20))


@plant("facts that grow", "R/facts_hold", "R")
class GrowingFacts(FakeDevice):
    calls = 0

    def properties(self, kept=False):
        self.calls += 1
        return super().properties() | {"total_memory": self.memory.TOTAL + self.calls}


@plant("one more core than at the start", "R/facts_hold", "R")
class OtherFacts(FakeDevice):
    def properties(self, kept=False):
        found = super().properties()
        return found if kept else found | {"compute_units": found["compute_units"] + 1}


@plant("devices come and go", "R/facts_hold", "R")
class Counting(FakeDevice):
    calls = 0

    def device_count(self, kept=False):
        self.calls += 1
        return 2 + self.calls % 2


@plant("one more device than at the start", "R/facts_hold", "R")
class OneMore(FakeDevice):
    def device_count(self, kept=False):
        return 2 if kept else 3


@plant("a core op is missing", "F/core_is_whole", "F")
class NoSum(FakeDevice):
    def capabilities(self):
        return {n: c for n, c in super().capabilities().items() if n != "sum"}


@plant("conversions to few types", "F/casts_fit", "F")
class FewConversions(FakeDevice):
    def capabilities(self):
        found = dict(super().capabilities())
        return found | {"cast": Capability(found["cast"].dtypes, ("float32", "float64"))}


# ---- memory ----


def _large_twice(self, size):
    kept = getattr(self, "kept", None)
    if size >= 20 * MIB and kept:
        self.live[kept] = self.live.get(kept) or (size, bytearray(size))
        return kept
    address = FakeMemory.alloc(self, size)
    self.kept = address if size >= 20 * MIB else kept
    return address


plant("large blocks overlap", "M/large_blocks", "M")(memory(alloc=_large_twice))


@plant("memory is never given back to the device", "M/given_back", "M")
class Keeps(FakeDevice):
    lost = 0

    def empty_cache(self):
        self.lost += self.memory.reserved - self.memory.allocated
        super().empty_cache()

    def statistics(self):
        found = super().statistics()
        return found | {"free": found["free"] - self.lost}


def fills(**how) -> type[FakeDevice]:
    """A device whose fills go wrong."""

    def fill(self, address, value, size):
        value = how.get("value", value)
        FakeDevice.fill(self, address, value, max(size + how.get("more", 0), 0))

    return type("Device", (FakeDevice,), {"fill": fill})


plant("fills ignore the value", "M/fill_bytes", "M")(fills(value=0))
plant("fills leave the last byte out", "M/fill_bytes", "M")(fills(more=-1))
plant("fills write a byte too many", "M/fill_bytes", "M")(fills(more=1))

# ---- clocks and order ----


class _Microseconds(Event):
    def elapsed_time(self, end):
        return super().elapsed_time(end) * 1e3


class _Stopped(Event):
    def elapsed_time(self, end):
        return super().elapsed_time(end) * 0.0


class _Sleepy(Event):
    """Time that passes while the stream has no work does not count."""

    def elapsed_time(self, end):
        return min(super().elapsed_time(end), 5.0)


for _name, _event in (
    ("times in microseconds", _Microseconds),
    ("a clock that stands still", _Stopped),
    ("a clock that sleeps with the host", _Sleepy),
):
    plant(_name, "S/clock", "S")(type("Device", (FakeDevice,), {"event_type": _event}))


class _OpensEarly(Event):
    def synchronize(self):
        return


plant("waiting for an event returns at once", "S/waits_hold", "S")(
    type("Device", (FakeDevice,), {"event_type": _OpensEarly})
)


@plant("values are read before they are there", "S/waits_hold", "S")
class ReadsEarly(FakeDevice):
    def get(self, tensor):
        return Host(tensor.placed.dtype, tensor.view.copy())


class _OneForAll(FakeDevice):
    def stream(self):
        if not hasattr(self, "only"):
            self.only = super().stream()
        return self.only


plant("all streams are one", "S/streams_apart", "S")(_OneForAll)


@plant("copies run on a stream of their own", "S/copies_in_order", "S")
class SideStream(FakeDevice):
    def start_copy(self, tensor, host, to_host):
        with self.using(Stream(self)) as _:
            side = self.current()
            super().start_copy(tensor, host, to_host)
        side.synchronize()


@plant("copies to the device overtake", "S/copies_in_order", "S")
class Overtakes(FakeDevice):
    def start_copy(self, tensor, host, to_host):
        if to_host:
            return super().start_copy(tensor, host, to_host)
        tensor.view[...] = host.view(np.float32)
        return None


# ---- failures ----


def sticks(*names: str) -> type[FakeDevice]:
    """A device on which a lack of memory is told again by the next call of these."""

    def alloc(self, size):
        try:
            if self.__dict__.pop("short", False) and "alloc" in names:
                raise MemoryError("as before")
            return FakeDevice.alloc(self, size)
        except MemoryError:
            self.short = True
            raise

    def synchronize(self):
        if self.__dict__.pop("short", False) and "synchronize" in names:
            raise MemoryError("as before")
        FakeDevice.synchronize(self)

    return type("Device", (FakeDevice,), {"alloc": alloc, "synchronize": synchronize})


plant("a wait tells a lack of memory again", "F/shortage_passes", "F")(sticks("synchronize"))

# ---- speed ----


@plant("every op takes milliseconds", "P/launch", "P")
class SlowLaunch(FakeDevice):
    def run(self, op, operands, attributes):
        time.sleep(0.003)
        return super().run(op, operands, attributes)


@plant("small products take long", "P/small_matmul", "P")
class SlowProduct(FakeDevice):
    def compute(self, op, dtypes, views, attributes):
        if op == "matmul" and dtypes[0] == "float16":
            threading.Event().wait(0.03)
        return super().compute(op, dtypes, views, attributes)


@plant("views are copied in silence", "F/views_taken", "F")
class CopiesViews(FakeDevice):
    def run(self, op, operands, attributes):
        if op == "exp":
            operands = [super(CopiesViews, self).run("copy", [x], {}) for x in operands]
        return super().run(op, operands, attributes)
