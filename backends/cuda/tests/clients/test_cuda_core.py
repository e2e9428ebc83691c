# SPDX-License-Identifier: Apache-2.0
"""NVIDIA's cuda.core on the simulated driver and run-time compiler."""

from __future__ import annotations

import numpy as np
import pytest

core = pytest.importorskip("cuda.core", reason="cuda-core is not installed")
driver = pytest.importorskip("cuda.bindings.driver", reason="cuda-bindings is not installed")

SOURCE = """
extern "C" __global__ void twice(float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 2;
}
"""


@pytest.mark.parametrize("kind", ["cubin", "ptx"])
def test_a_program_is_compiled_and_launched(kind: str) -> None:
    device = core.Device(0)
    device.set_current()
    assert "simulated" in device.name
    assert tuple(device.compute_capability) == (9, 0)
    stream = device.create_stream()
    options = core.ProgramOptions(std="c++17", arch=f"sm_{device.arch}")
    kernel = core.Program(SOURCE, "c++", options).compile(kind).get_kernel("twice")
    x = np.arange(100, dtype=np.float32)
    buffer = device.allocate(x.nbytes, stream=stream)
    stream.sync()
    driver.cuMemcpyHtoD(int(buffer.handle), x.ctypes.data, x.nbytes)
    config = core.LaunchConfig(grid=1, block=128)
    core.launch(stream, config, kernel, buffer, np.int32(x.size))
    event = stream.record()
    event.sync()
    assert event.is_done
    out = np.zeros_like(x)
    driver.cuMemcpyDtoH(out.ctypes.data, int(buffer.handle), x.nbytes)
    assert np.array_equal(out, 2 * x)
    buffer.close(stream)
    stream.close()
