# SPDX-License-Identifier: Apache-2.0
"""A kernel writes to no memory of the device; what the driver says then, a line each."""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path

import numpy as np

for library in ("libcuda.so.1", "libnvrtc.so.13"):
    ctypes.CDLL(str(Path(sys.argv[1]) / library), mode=ctypes.RTLD_GLOBAL)

from cuda.bindings import driver, nvrtc  # noqa: E402  (the simulated libraries come first)

driver.cuInit(0)
context = driver.cuDevicePrimaryCtxRetain(0)[1]
driver.cuCtxSetCurrent(context)
source = b'extern "C" __global__ void wild(float* x) { x[-(1l << 38)] = 1; }'
program = nvrtc.nvrtcCreateProgram(source, b"wild.cu", 0, [], [])[1]
nvrtc.nvrtcCompileProgram(program, 1, [b"--gpu-architecture=sm_90"])
image = np.zeros(nvrtc.nvrtcGetCUBINSize(program)[1], np.uint8)
buffer = b" " * image.size
nvrtc.nvrtcGetCUBIN(program, buffer)
image[:] = np.frombuffer(buffer, np.uint8)
module = driver.cuModuleLoadData(image.ctypes.data)[1]
function = driver.cuModuleGetFunction(module, b"wild")[1]
memory = driver.cuMemAlloc(64)[1]
arguments = ((int(memory),), (ctypes.c_void_p,))
driver.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, 0, arguments, 0)
print(int(driver.cuCtxSynchronize()[0]))
print(int(driver.cuMemAlloc(64)[0]))
print(driver.cuGetErrorString(driver.CUresult(700))[1].decode())
print("still here")
