# SPDX-License-Identifier: Apache-2.0
"""Begins every program of these tests: torch_npu, the CPU to compare with, and misuses counted."""

import ctypes
import os
import sys

import torch

ctypes.CDLL(os.environ["ALLOCATOR_KEYS"], mode=ctypes.RTLD_GLOBAL)  # see allocator_keys.cpp

import torch_npu  # noqa: E402

sys.path.insert(0, os.environ["SIM_CONTROL"])

from sim_control import Control  # noqa: E402

__all__ = ["misuses", "same", "torch", "torch_npu"]


def misuses() -> list[str]:
    """What the simulated chip has to complain about."""
    entry = ctypes.CDLL("libdevice_api_sim_npu.so").das_control_table
    entry.restype = ctypes.POINTER(Control)
    control = entry().contents
    texts = []
    for i in range(control.misuse_count()):
        buffer = ctypes.create_string_buffer(4096)
        control.misuse_read(i, buffer, len(buffer))
        texts.append(buffer.value.decode())
    return texts


def same(function, *operands, tolerance: float = 1e-5) -> None:
    """`function` of the operands gives the same on the chip as on the CPU."""
    want = function(*operands)
    got = function(*[x.npu() for x in operands])
    pairs = zip(want, got, strict=True) if isinstance(want, tuple) else [(want, got)]
    for theirs, ours in pairs:
        assert ours.device.type == "npu", ours.device
        torch.testing.assert_close(ours.cpu(), theirs, rtol=tolerance, atol=tolerance)
