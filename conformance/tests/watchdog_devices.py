# SPDX-License-Identifier: Apache-2.0
"""Factories of devices that misbehave as processes do."""

from __future__ import annotations

import atexit
import os
import signal
from dataclasses import replace

from fake_device import ERRORS, FakeDevice

from device_api_conformance.handle import Identity


class _Losing(FakeDevice):
    lost = False

    def _check(self, op, dtypes, operands, attributes):
        self.lost = self.lost or op == "abs"
        if self.lost:
            raise ERRORS["device_lost"]("the device is gone")
        super()._check(op, dtypes, operands, attributes)


def losing(device: str) -> FakeDevice:
    return _Losing()


def noisy(device: str) -> FakeDevice:
    os.write(1, b"[vendor] hello\n")
    print("{}")
    return FakeDevice()


def bad_exit(device: str) -> FakeDevice:
    atexit.register(os._exit, 7)
    return FakeDevice()


def refusing(device: str) -> FakeDevice:
    raise LookupError(f"no such device: {device}")


def dying(device: str) -> FakeDevice:
    os.kill(os.getpid(), signal.SIGKILL)
    return FakeDevice()


def leaving(device: str) -> FakeDevice:
    os._exit(0)


def nothing(device: str) -> object:
    return object()


class _Renamed(FakeDevice):
    def identity(self) -> Identity:
        return replace(super().identity(), name="another")


def renamed(device: str) -> FakeDevice:
    return _Renamed()
