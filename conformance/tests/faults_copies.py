# SPDX-License-Identifier: Apache-2.0
"""Planted faults of rare copies, page-locked memory, many streams, and events of odd lives."""

from __future__ import annotations

import threading

import numpy as np
from fake_device import FakeDevice
from fake_streams import Event
from faults import plant
from telemetry_faults import reads

# ---- copies ----


@plant("one copy in two hundred is lost", "M/many_copies", "M")
class LosesSome(FakeDevice):
    copies = 0

    def write(self, address, data):
        self.copies += 1
        if self.copies % 200:
            super().write(address, data)


@plant("copies of threads share a buffer", "M/threads_copy", "M")
class SharedStaging(FakeDevice):
    staging = b""

    def write(self, address, data):
        self.staging = data
        threading.Event().wait(1e-4)
        super().write(address, self.staging[: len(data)])


@plant("page-locked blocks overlap", "M/pinned_copies", "M")
class OnePinned(FakeDevice):
    def pinned(self, size):
        if not hasattr(self, "all"):
            self.all = np.zeros(1 << 22, dtype=np.uint8)
        return self.all[:size]


@plant("copies from page-locked memory end early", "M/pinned_copies", "M")
class ShortPinned(FakeDevice):
    def start_copy(self, tensor, host, to_host):
        kept = tensor.view.reshape(-1)[-1:].copy()
        super().start_copy(tensor, host, to_host)
        if not to_host:

            def restore() -> None:
                tensor.view.reshape(-1)[-1:] = kept

            self.current().submit(restore)


# ---- streams and events ----


@plant("more than sixteen streams share their work", "S/many_streams", "S")
class FewStreams(FakeDevice):
    def fetch(self, tensor):
        found = super().fetch(tensor)
        return found if len(self.streams) <= 16 else np.zeros_like(found)


class _NeverReached(Event):
    def query(self):
        return self.last is not None and super().query()


class _First(Event):
    """Keeps its first record."""

    def mark(self, flag):
        def reach() -> None:
            flag.set()

        if self.kept is None:
            self.kept = flag
            return super().mark(flag)
        self.last = self.kept
        return reach

    kept = None


class _Ends(Event):
    """Takes the waits for it along."""

    def mark(self, flag):
        return flag.set

    def __del__(self):
        if self.last is not None:
            self.last.set()


plant("an event never recorded is not reached", "S/unrecorded", "S")(
    type("Device", (FakeDevice,), {"event_type": _NeverReached})
)
plant("an event keeps its first stream", "S/moved_event", "S")(
    type("Device", (FakeDevice,), {"event_type": _First})
)
plant("a wait ends with its event", "S/dropped_event", "S")(
    type("Device", (FakeDevice,), {"event_type": _Ends})
)

# ---- what is said ----


@plant("two devices have one number", "R/facts_differ", "R")
class OneNumber(FakeDevice):
    def properties(self, kept=False):
        return super().properties() | {"uuid": "0000-1"}


@plant("devices of one name differ", "R/facts_differ", "R")
class Unlike(FakeDevice):
    def properties(self, kept=False):
        return super().properties() | {"compute_units": 4 + self.family.index(self)}


plant("a sensor says no number", "T/telemetry_plausible", "T")(reads(temperature=float("nan")))
plant("an endless power", "T/telemetry_plausible", "T")(reads(power=float("inf")))
plant("memory in KiB", "T/telemetry_plausible", "T")(reads(memory_total=1 << 20, memory_used=0))
