# SPDX-License-Identifier: Apache-2.0
"""DLPack capsules from the inside: what a producer wrote, and capsules made by hand.

The structs are those of dlpack.h 1.0 (DLManagedTensor, DLManagedTensorVersioned).
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

HOST, EXTENSION = 1, 12
"""kDLCPU and kDLExtDev."""
OLD, NEW = "dltensor", "dltensor_versioned"
READ_ONLY, COPIED = 1, 2
"""Flags of the versioned form."""
CODES = {
    "b": 6, "i": 0, "u": 1, "f": 2, "c": 5,
}  # fmt: skip
"""kDLBool, kDLInt ... by the kind of a NumPy type."""


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64),
    ]  # fmt: skip


_DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Old(ctypes.Structure):
    _fields_ = [("array", _Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class _New(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("array", _Tensor),
    ]  # fmt: skip


def _python(name: str, result: Any, *arguments: Any) -> Any:
    function = ctypes.PYFUNCTYPE(result, *arguments)
    return function((name, ctypes.pythonapi))


_name = _python("PyCapsule_GetName", ctypes.c_char_p, ctypes.py_object)
_pointer = _python("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
_rename = _python("PyCapsule_SetName", ctypes.c_int, ctypes.py_object, ctypes.c_char_p)
_make = _python("PyCapsule_New", ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p,
                ctypes.c_void_p)  # fmt: skip
_USED = {OLD: ctypes.c_char_p(b"used_dltensor"), NEW: ctypes.c_char_p(b"used_dltensor_versioned")}
_FRESH = {OLD: ctypes.c_char_p(b"dltensor"), NEW: ctypes.c_char_p(b"dltensor_versioned")}


def name_of(capsule: Any) -> str:
    """The capsule's name, which says its form and whether it was consumed."""
    return (_name(capsule) or b"").decode()


class Opened:
    """What a producer wrote into a capsule, as plain data."""

    def __init__(self, capsule: Any) -> None:
        self.capsule, self.name = capsule, name_of(capsule)
        self._versioned = self.name == NEW
        form = _New if self._versioned else _Old
        self.address = _pointer(capsule, self.name.encode())
        self._managed = form.from_address(self.address)
        array = self._managed.array
        self.version = (self._managed.major, self._managed.minor) if self._versioned else (0, 0)
        self.flags = self._managed.flags if self._versioned else 0
        self.device = (array.device_type, array.device_id)
        self.type = (array.code, array.bits, array.lanes)
        self.shape = tuple(array.shape[: array.ndim]) if array.ndim else ()
        given = bool(array.strides) and array.ndim
        self.strides = tuple(array.strides[: array.ndim]) if given else None
        self.first = (array.data or 0) + array.byte_offset
        self.has_deleter = bool(self._managed.deleter)

    def consume(self) -> None:
        """Do what a consumer does: take the capsule, and later let the memory go."""
        _rename(self.capsule, _USED[self.name])

    def release(self) -> None:
        """Call the producer's deleter, as the consumer does once, at the end."""
        _DELETER(self._managed.deleter)(self.address)


_made: list[Producer] = []
"""For ever: a consumer that never lets go calls the deleter at the end of the process."""


class Producer:
    """Host memory in a capsule made by hand, with every member as it is asked for.

    `released` counts calls of the deleter; `last` is the capsule that was asked for last, and
    `fixed` one to be given again.
    """

    def __init__(
        self,
        data: Any,
        versioned: bool = False,
        strides: tuple[int, ...] | None = None,
        offset: int = 0,
        shape: tuple[int, ...] | None = None,
        **changed: int,
    ) -> None:
        _made.append(self)
        self.data, self.released = data, 0
        self.fixed: Any = None
        self.name = NEW if versioned else OLD
        dims = data.shape if shape is None else shape
        self._shape = (ctypes.c_int64 * max(len(dims), 1))(*dims)
        self._strides = None if strides is None else (ctypes.c_int64 * max(len(strides), 1))(
            *strides)  # fmt: skip
        self._deleter = _DELETER(self._release)
        self.managed: Any = _New() if versioned else _Old()
        array = self.managed.array
        array.data = (data.ctypes.data or None) if data.size else None
        array.device_type, array.ndim = HOST, len(dims)
        array.code, array.bits, array.lanes = CODES[data.dtype.kind], data.itemsize * 8, 1
        array.shape = self._shape
        if self._strides is not None:
            array.strides = self._strides
        array.byte_offset = offset
        self.managed.deleter = ctypes.cast(self._deleter, ctypes.c_void_p)
        if versioned:
            self.managed.major = 1
        for name, value in changed.items():
            setattr(array if hasattr(array, name) else self.managed, name, value)

    def _release(self, _: Any) -> None:
        self.released += 1

    def __dlpack_device__(self) -> tuple[int, int]:
        return HOST, 0

    def __dlpack__(self, **options: Any) -> Any:
        fresh = self.fixed is None
        self.last = (
            _make(ctypes.addressof(self.managed), _FRESH[self.name], None) if fresh else self.fixed
        )
        return self.last


def type_of(dtype: str) -> tuple[int, int, int]:
    """Code, bits and lanes of a type's name."""
    if dtype == "bfloat16":
        return 4, 16, 1
    kind = np.dtype(dtype)
    return CODES[kind.kind], kind.itemsize * 8, 1


class OnHost:
    """An exported array whose consumer asks for it in host memory; `error` of the producer."""

    def __init__(self, source: Any) -> None:
        self.source = source
        self.error: Exception | None = None

    def __dlpack_device__(self) -> tuple[int, int]:
        return HOST, 0

    def __dlpack__(self, **options: Any) -> Any:
        options.pop("dl_device", None)
        options.pop("stream", None)
        if int(self.source.__dlpack_device__()[0]) != HOST:
            options["dl_device"] = (HOST, 0)
        try:
            return self.source.__dlpack__(**options)
        except Exception as error:
            self.error = error
            raise
