# SPDX-License-Identifier: Apache-2.0
"""Planted faults of telemetry."""

from __future__ import annotations

import os

from fake_device import FakeDevice
from faults import plant


def reads(**changes) -> type[FakeDevice]:
    """A device whose readings have some members replaced."""

    def telemetry(self):
        return FakeDevice.telemetry(self) | changes

    return type("Device", (FakeDevice,), {"telemetry": telemetry})


for _name, _changes in (
    ("a bad sensor's mark is a temperature", {"temperature": 32765.0}),
    ("power in tenths of a watt", {"power": 90_000.0}),
    ("use in percent", {"utilization": 37.0}),
    ("a negative use", {"bandwidth_utilization": -0.5}),
    ("more memory used than there is", {"memory_used": 2**40, "memory_total": 2**30}),
    ("memory of zero bytes", {"memory_used": 0, "memory_total": 0}),
    ("only one of two counters", {"ecc_uncorrected": None}),
    ("a clock of nothing", {"clock_mhz": 0}),
):
    plant(_name, "T/telemetry_plausible", "T")(reads(**_changes))

plant("a health of its own", "T/telemetry_words", "T")(reads(health="alarm"))
plant("throttled by nothing known", "T/telemetry_words", "T")(reads(throttle={"boredom"}))
plant("nobody was asked", "T/telemetry_words", "T")(reads(source=" "))


@plant("counters fall", "T/telemetry_steady", "T")
class Falls(FakeDevice):
    count = 100

    def telemetry(self):
        self.count -= 1
        return super().telemetry() | {"ecc_corrected": self.count}


@plant("the memory grows", "T/telemetry_steady", "T")
class Grows(FakeDevice):
    count = 1

    def telemetry(self):
        self.count += 1
        return super().telemetry() | {"memory_total": self.count << 30}


plant("memory in use is a constant", "T/telemetry_follows_memory", "T")(reads(memory_used=1 << 20))


@plant("a reading spoils pending work", "T/telemetry_quiet", "T")
class Disturbs(FakeDevice):
    disturbed = 0

    def telemetry(self):
        self.disturbed += 1
        return super().telemetry()

    def compute(self, op, dtypes, views, attributes):
        dtype, values = super().compute(op, dtypes, views, attributes)
        return dtype, values + 1 if self.disturbed else values


@plant("a reading takes device memory", "T/telemetry_quiet T/telemetry_many", "T")
class Takes(FakeDevice):
    def telemetry(self):
        self.alloc(512)
        return super().telemetry()


@plant("a reading leaves a file open", "T/telemetry_many", "T")
class Leaks(FakeDevice):
    def telemetry(self):
        if not hasattr(self, "files"):
            self.files = []
        if len(self.files) < 16:
            self.files.append(open(os.devnull, "rb"))  # noqa: SIM115 - the fault
        return super().telemetry()

    def __del__(self):
        for file in getattr(self, "files", ()):
            file.close()
