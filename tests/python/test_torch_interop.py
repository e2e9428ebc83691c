# SPDX-License-Identifier: Apache-2.0
"""DLPack and buffers with PyTorch, both ways. The tox environment "torch" has it."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

import device_api as xp

if os.environ.get("DEVICE_API_TESTS_NEED_TORCH"):
    import torch
else:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed: tox -e torch has it")

TYPES = [d.name for d in xp.dtypes.ALL]


@pytest.mark.parametrize("name", TYPES)
def test_memory_is_shared_both_ways(cpu: str, name: str) -> None:
    x = xp.astype(xp.reshape(xp.arange(6), (2, 3)), name)
    theirs = torch.from_dlpack(x)
    assert str(theirs.dtype) == f"torch.{name}"
    assert theirs.shape == (2, 3)
    assert theirs.tolist() == x.tolist()
    theirs[1, 2] = 1
    assert x[1, 2].tolist() == theirs[1, 2].item()
    back = xp.from_dlpack(theirs)
    assert (back.dtype, back.shape) == (x.dtype, x.shape)
    back[0, 0] = 1
    assert theirs[0, 0].item() == x[0, 0].tolist()


CUTS: dict[str, Any] = {
    "transposed": lambda x: x.T,
    "every other": lambda x: x[:, ::2],
    "offset": lambda x: x[1:, 1:],
    "broadcast": lambda x: xp.broadcast_to(x[0], (4, 6)),
    "empty": lambda x: x[2:2],
    "scalar": lambda x: x[1, 1],
}


@pytest.mark.parametrize("cut", CUTS)
def test_layouts_survive(cpu: str, cut: str) -> None:
    x = CUTS[cut](xp.reshape(xp.arange(24, dtype=xp.float32), (4, 6)))
    theirs = torch.from_dlpack(x)
    assert theirs.tolist() == x.tolist()
    assert xp.from_dlpack(theirs).tolist() == x.tolist()


def test_negative_strides_are_theirs_to_refuse(cpu: str) -> None:
    """PyTorch has none: it says so, and takes a copy when asked for one."""
    x = xp.arange(5)[::-1]
    with pytest.raises((RuntimeError, BufferError)):
        torch.from_dlpack(x)
    assert torch.from_dlpack(xp.asarray(x, copy=True)).tolist() == [4, 3, 2, 1, 0]


def test_whoever_is_left_keeps_the_memory(cpu: str) -> None:
    theirs = torch.from_dlpack(xp.full((1000,), 7.0))
    assert float(theirs.sum()) == 7000
    ours = xp.from_dlpack(torch.full((1000,), 3.0))
    assert float(xp.sum(ours)) == 3000


def test_arrays_of_a_chip_travel_by_copy() -> None:
    x = xp.ones((4,), device="npu:0")
    with pytest.raises((RuntimeError, BufferError, ImportError)):  # it has no module for the chip
        torch.from_dlpack(x)
    assert torch.from_dlpack(x.to_device("cpu")).tolist() == [1] * 4
    there = xp.from_dlpack(torch.arange(3.0), device="npu:0")
    assert (str(there.device), there.tolist()) == ("npu:0", [0, 1, 2])


def test_through_buffers(cpu: str) -> None:
    assert torch.asarray(xp.asarray([1.0, 2.0]).numpy()).tolist() == [1, 2]
    assert xp.asarray(torch.tensor([1, 2], dtype=torch.int16)).dtype == xp.int16
    gradient = torch.ones(2, requires_grad=True)
    with pytest.raises((RuntimeError, BufferError, ValueError)):
        xp.from_dlpack(gradient)
    assert np.asarray(xp.from_dlpack(gradient.detach())).tolist() == [1, 1]
