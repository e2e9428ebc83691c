# SPDX-License-Identifier: Apache-2.0
"""Planted faults: their register, what they share, and the devices that tests of the watchdog use.

`FAULTS` names the device, the branches of cases on which it is tried, and the chapters one of
which must see it.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import fake_ops
import numpy as np
from fake_device import FakeDevice

from device_api_conformance.formats import decode

FAULTS: dict[str, tuple[type[FakeDevice], tuple[str, ...], str]] = {}


def plant(name: str, only: str, chapters: str):
    """Register a fault: patterns of cases (spaces between them) and letters of chapters."""

    def register(kind: type[FakeDevice]) -> type[FakeDevice]:
        FAULTS[name] = (kind, tuple(only.split()), chapters)
        return kind

    return register


class Changed(FakeDevice):
    """A device whose results of some ops are changed after the fact."""

    ops: tuple[str, ...] = ()
    dtypes: tuple[str, ...] = ()

    def compute(self, op, dtypes, views, attributes):
        dtype, values = super().compute(op, dtypes, views, attributes)
        key = dtypes[1 if op == "where" else 0] if dtypes else attributes["dtype"]
        if (self.ops and op not in self.ops) or (self.dtypes and key not in self.dtypes):
            return dtype, values
        with np.errstate(all="ignore"):
            changed = self.change(op, dtype, np.array(values), views, attributes)
        return dtype, np.asarray(changed)

    def change(self, op, dtype, values, views, attributes):
        raise NotImplementedError


def changed(name: str, only: str, chapters: str, ops: str, dtypes: tuple[str, ...] = ()):
    """Register a fault that is one function of (dtype, values, views, attributes).

    With several ops (spaces between them) each one is a fault of its own; {} in `only` is the op.
    """

    def register(function):
        def change(self, op, dtype, values, views, attributes):
            return function(dtype, values, views, attributes)

        several = len(ops.split()) > 1
        for op in ops.split():
            members = {"ops": (op,), "dtypes": dtypes, "change": change}
            kind = type("Device", (Changed,), members)
            plant(f"{name} ({op})" if several else name, only.replace("{}", op), chapters)(kind)
        return function

    return register


def scaled(dtype, values, factor):
    return fake_ops.narrow(dtype, decode(dtype, values) * factor)


@plant("results differ from run to run", "N/add/float32", "N")
class Flaky(Changed):
    ops = ("add",)

    def change(self, op, dtype, values, views, attributes):
        self.turn = getattr(self, "turn", 0) + 1
        values.reshape(-1)[self.turn % max(values.size, 1)] = 1
        return values


class Crashing(FakeDevice):
    """For the watchdog: dies in floor."""

    def compute(self, op, dtypes, views, attributes):
        if op == "floor" and dtypes == ["float32"]:
            os.abort()
        return super().compute(op, dtypes, views, attributes)


class Hanging(FakeDevice):
    """For the watchdog: never ends in floor."""

    def compute(self, op, dtypes, views, attributes):
        if op == "floor" and dtypes == ["float32"]:
            if "FAULT_MARKER" in os.environ:  # tells a test that the hang has begun
                Path(os.environ["FAULT_MARKER"]).touch()
            time.sleep(3600)
        return super().compute(op, dtypes, views, attributes)


def crashing(device: str) -> FakeDevice:
    return Crashing()


def hanging(device: str) -> FakeDevice:
    return Hanging()


def flaky(device: str) -> FakeDevice:
    return Flaky()
