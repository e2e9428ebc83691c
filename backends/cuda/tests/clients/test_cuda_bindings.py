# SPDX-License-Identifier: Apache-2.0
"""NVIDIA's own Python bindings (cuda-bindings) on the simulated driver and run-time compiler."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from simulated_cuda import simulated_folder

driver = pytest.importorskip("cuda.bindings.driver", reason="cuda-bindings is not installed")
nvrtc = pytest.importorskip("cuda.bindings.nvrtc", reason="cuda-bindings is not installed")

KERNELS = b"""
extern "C" __global__ void saxpy(float a, const float* x, const float* y, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a * x[i] + y[i];
}
template <class T> __global__ void total(const T* x, T* out, int n) {
    __shared__ T part[128];
    T sum = 0;
    for (int i = threadIdx.x; i < n; i += 128) sum += x[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int k = 64; k; k /= 2) {
        if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0) *out = part[0];
}
extern "C" __global__ void __launch_bounds__(64) bounded(float* x) { *x = 1; }
"""


def ok(result: tuple[Any, ...]) -> Any:
    """The values of a call that has succeeded."""
    assert int(result[0]) == 0, result[0]
    return result[1] if len(result) == 2 else result[1:]


@pytest.fixture(scope="module")
def device() -> Any:
    ok(driver.cuInit(0))
    device = ok(driver.cuDeviceGet(0))
    context = ok(driver.cuDevicePrimaryCtxRetain(device))
    ok(driver.cuCtxSetCurrent(context))
    return device


@pytest.fixture(scope="module")
def program() -> Any:
    program = ok(nvrtc.nvrtcCreateProgram(KERNELS, b"kernels.cu", 0, [], []))
    ok(nvrtc.nvrtcAddNameExpression(program, b"total<float>"))
    ok(nvrtc.nvrtcCompileProgram(program, 1, [b"--gpu-architecture=sm_90"]))
    return program


@pytest.fixture(scope="module")
def module(device: Any, program: Any) -> Any:
    image = b" " * ok(nvrtc.nvrtcGetCUBINSize(program))
    ok(nvrtc.nvrtcGetCUBIN(program, image))
    return ok(driver.cuModuleLoadData(np.frombuffer(image, np.uint8).ctypes.data))


def test_devices_are_listed_and_say_that_they_are_simulated(device: Any) -> None:
    assert ok(driver.cuDeviceGetCount()) >= 1
    assert b"simulated" in ok(driver.cuDeviceGetName(100, device))
    attribute = driver.CUdevice_attribute
    major = attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
    assert ok(driver.cuDeviceGetAttribute(major, device)) == 9
    assert ok(driver.cuDeviceTotalMem(device)) == 80 << 30
    assert ok(driver.cuDriverGetVersion()) == 13000


def test_copies_kernels_streams_and_events(device: Any, module: Any) -> None:
    n = 1000
    x, y = np.arange(n, dtype=np.float32), np.ones(n, np.float32)
    out = np.zeros(n, np.float32)
    stream = ok(driver.cuStreamCreate(1))
    memory = [ok(driver.cuMemAlloc(x.nbytes)) for _ in range(3)]
    for target, source in zip(memory, (x, y), strict=False):
        ok(driver.cuMemcpyHtoDAsync(target, source.ctypes.data, source.nbytes, stream))
    function = ok(driver.cuModuleGetFunction(module, b"saxpy"))
    start, end = ok(driver.cuEventCreate(0)), ok(driver.cuEventCreate(0))
    ok(driver.cuEventRecord(start, stream))
    values = (2.0, *(int(m) for m in memory), n)
    types = (ctypes.c_float, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
    ok(driver.cuLaunchKernel(function, 8, 1, 1, 128, 1, 1, 0, stream, (values, types), 0))
    ok(driver.cuEventRecord(end, stream))
    ok(driver.cuMemcpyDtoHAsync(out.ctypes.data, memory[2], out.nbytes, stream))
    ok(driver.cuStreamSynchronize(stream))
    assert np.array_equal(out, 2 * x + y)
    assert ok(driver.cuEventElapsedTime(start, end)) > 0
    for m in memory:
        ok(driver.cuMemFree(m))
    ok(driver.cuStreamDestroy(stream))


def test_a_template_with_barriers(device: Any, program: Any, module: Any) -> None:
    name = ok(nvrtc.nvrtcGetLoweredName(program, b"total<float>"))
    function = ok(driver.cuModuleGetFunction(module, name))
    x, out = np.arange(500, dtype=np.float32), np.zeros(1, np.float32)
    source, target = ok(driver.cuMemAlloc(x.nbytes)), ok(driver.cuMemAlloc(4))
    ok(driver.cuMemcpyHtoD(source, x.ctypes.data, x.nbytes))
    types = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
    values = (int(source), int(target), 500)
    ok(driver.cuLaunchKernel(function, 1, 1, 1, 128, 1, 1, 0, 0, (values, types), 0))
    ok(driver.cuMemcpyDtoH(out.ctypes.data, target, 4))
    assert out[0] == x.sum()


def test_mistakes_in_source_are_told_by_line() -> None:
    program = ok(
        nvrtc.nvrtcCreateProgram(b"\n__global__ void f() { x = 1; }\n", b"bad.cu", 0, [], [])
    )
    assert int(nvrtc.nvrtcCompileProgram(program, 0, [])[0]) == 6
    log = b" " * ok(nvrtc.nvrtcGetProgramLogSize(program))
    ok(nvrtc.nvrtcGetProgramLog(program, log))
    assert b"bad.cu(2): error: " in log


def test_launches_beyond_the_limits_are_refused(device: Any, module: Any) -> None:
    function = ok(driver.cuModuleGetFunction(module, b"bounded"))
    arguments = ((0,), (ctypes.c_void_p,))
    for grid, block, shared in ((0, 1, 0), (1, 1025, 0), (1, 65, 0), (1, 1, 49153)):
        result = driver.cuLaunchKernel(function, grid, 1, 1, block, 1, 1, shared, 0, arguments, 0)
        assert int(result[0]) == 1
    assert int(driver.cuModuleGetFunction(module, b"none")[0]) == 500


def test_an_illegal_access_stays(program: Any) -> None:
    """In a process of its own, as nothing works there afterwards; the process itself goes on."""
    lines = subprocess.run(
        [
            sys.executable,
            str(Path(__file__).with_name("illegal_access.py")),
            str(simulated_folder()),
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    ).stdout.splitlines()
    assert lines == ["700", "700", "an illegal memory access was encountered", "still here"]
