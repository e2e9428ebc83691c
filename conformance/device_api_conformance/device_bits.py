# SPDX-License-Identifier: Apache-2.0
"""Bits of tensors of device_api, in and out, whether NumPy has the type or not."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from device_api import _core
from device_api_conformance.formats import Array, storage


class OnDevice:
    """A view on the device together with the dense buffer behind it."""

    def __init__(self, base: Any, view: Any) -> None:
        self.base, self.view = base, view


def array_of(operand: Any) -> Any:
    """The array itself, of an operand or a result."""
    return operand.view if isinstance(operand, OnDevice) else operand


def upload(dtype: str, data: Array, device: Any) -> Any:
    """A dense tensor with exactly these bits; bfloat16 has no NumPy type, so it is copied raw."""
    if dtype != "bfloat16":
        return _core.from_numpy(data, None, device)
    tensor = _core.empty(data.shape, _core.dtypes[dtype], device)
    if data.size:
        _core.memcpy_h2d(address_of(tensor), np.ascontiguousarray(data).tobytes(), device)
    return tensor


def download(tensor: Any) -> Array:
    """Its dense elements, as stored."""
    if tensor.dtype.name != "bfloat16":
        return np.asarray(tensor.numpy())
    if not tensor.size:
        return np.empty(tensor.shape, dtype=storage("bfloat16"))
    dense = tensor if tensor.is_contiguous() else _core.copy(tensor)
    raw = _core.memcpy_d2h(address_of(dense), dense.nbytes, tensor.device)
    return np.frombuffer(raw, dtype=storage("bfloat16")).reshape(tensor.shape)


class _DLTensor(ctypes.Structure):
    """The leading part of DLTensor (dlpack.h 1.0): data, device, rank, type, shape, strides."""

    _fields_ = [
        ("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2), ("ndim", ctypes.c_int32),
        ("dtype", ctypes.c_uint32), ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p),
        ("byte_offset", ctypes.c_uint64),
    ]  # fmt: skip


def address_of(tensor: Any) -> int:
    """Device address of a tensor's first element, through its DLPack export."""
    capsule = tensor.__dlpack__()
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    described = _DLTensor.from_address(pointer(capsule, b"dltensor"))
    return int(described.data) + int(described.byte_offset)
