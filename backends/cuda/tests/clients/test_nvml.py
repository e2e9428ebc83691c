# SPDX-License-Identifier: Apache-2.0
"""NVIDIA's Python binding of NVML (nvidia-ml-py) on the simulated library."""

from __future__ import annotations

import pytest

nvml = pytest.importorskip("pynvml", reason="nvidia-ml-py is not installed")


def test_devices_and_sensors() -> None:
    with pytest.raises(nvml.NVMLError):
        nvml.nvmlDeviceGetCount()
    nvml.nvmlInit()
    assert nvml.nvmlDeviceGetCount() >= 1
    device = nvml.nvmlDeviceGetHandleByIndex(0)
    assert "simulated" in nvml.nvmlDeviceGetName(device)
    uuid = nvml.nvmlDeviceGetUUID(device)
    assert nvml.nvmlDeviceGetUUID(nvml.nvmlDeviceGetHandleByUUID(uuid)) == uuid
    bus = nvml.nvmlDeviceGetPciInfo(device).busId
    assert nvml.nvmlDeviceGetUUID(nvml.nvmlDeviceGetHandleByPciBusId(bus)) == uuid
    for version in ({}, {"version": nvml.nvmlMemory_v2}):
        memory = nvml.nvmlDeviceGetMemoryInfo(device, **version)
        assert memory.total == 80 << 30
        assert memory.free + memory.used == memory.total
    assert 20 <= nvml.nvmlDeviceGetTemperature(device, nvml.NVML_TEMPERATURE_GPU) <= 110
    assert 0 < nvml.nvmlDeviceGetPowerUsage(device) <= nvml.nvmlDeviceGetEnforcedPowerLimit(device)
    assert nvml.nvmlDeviceGetClockInfo(device, nvml.NVML_CLOCK_SM) > 0
    assert tuple(nvml.nvmlDeviceGetCudaComputeCapability(device)) == (9, 0)
    assert nvml.nvmlSystemGetCudaDriverVersion() == 13000
    with pytest.raises(nvml.NVMLError):
        nvml.nvmlDeviceGetHandleByIndex(99)
    nvml.nvmlShutdown()
