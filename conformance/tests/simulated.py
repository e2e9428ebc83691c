# SPDX-License-Identifier: Apache-2.0
"""Factories of handles on simulated devices, clean or broken through their control table.

Nothing here knows a vendor: the name of the kernel to strike is read from the launch log.
"""

from __future__ import annotations

import numpy as np

from device_api import simulation
from device_api_conformance import layouts
from device_api_conformance.device_handle import DeviceHandle
from device_api_conformance.formats import Host


def clean(device: str) -> DeviceHandle:
    """A simulated device without faults."""
    simulation.enable(device.partition(":")[0], memory="1GiB")
    return DeviceHandle(device)


def kernel_of(handle: DeviceHandle, op: str) -> str:
    """The vendor's name of the kernel that runs an op on float32."""
    kind = handle.device.type
    data = np.ones((4, 4), dtype=np.float32)
    placed = layouts.place(Host("float32", data), "contiguous", np.random.default_rng(0))
    operands = [handle.put(placed) for _ in range(1 if op in ("exp", "abs") else 2)]
    handle.synchronize()
    before = simulation.launch_count(kind)
    handle.get(handle.run(op, operands, {}))
    return simulation.launch_log(kind)[before - simulation.launch_count(kind) :][0].name


def broken(
    device: str, kind: str, op: str = "", count: int = 0, value: float = 0.0
) -> DeviceHandle:
    """A simulated device with one fault, without end unless `count` is given."""
    handle = clean(device)
    name = kernel_of(handle, op) if op else ""
    simulation.inject(handle.device.type, kind, op=name, count=count, value=value)
    return handle


def wrong_add(device: str) -> DeviceHandle:
    return broken(device, "wrong_result", "add")


def slightly_wrong_exp(device: str) -> DeviceHandle:
    return broken(device, "wrong_result", "exp", value=1e-6)


def wrong_matmul(device: str) -> DeviceHandle:
    return broken(device, "wrong_result", "matmul", value=1e-4)


def corrupt_copy(device: str) -> DeviceHandle:
    return broken(device, "corrupt_copy")


def out_of_memory(device: str) -> DeviceHandle:
    return broken(device, "out_of_memory")


def launch(device: str) -> DeviceHandle:
    return broken(device, "launch", "add")


def late(device: str) -> DeviceHandle:
    return broken(device, "async", "add")


def hardware_fault(device: str) -> DeviceHandle:
    return broken(device, "ecc", "add")


def hang(device: str) -> DeviceHandle:
    return broken(device, "hang", "add")


def lost(device: str) -> DeviceHandle:
    return broken(device, "device_lost", "add", count=1)


def slow(device: str) -> DeviceHandle:
    return broken(device, "slow", "add", value=50.0)
