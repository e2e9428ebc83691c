# SPDX-License-Identifier: Apache-2.0
"""Taking data in: from Python, NumPy and other array libraries (array API standard 2025.12)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from device_api import _core, dtypes, errors
from device_api._core import Tensor
from device_api.devices import Device, DeviceLike, optional_device
from device_api.dtypes import DType, DTypeLike

# Python's numbers -> their default type, and the kinds of types that hold them as they are.
_NUMBERS: dict[type, tuple[DType, str]] = {
    bool: (dtypes.bool_, "biufc"),
    int: (dtypes.default_int, "iufc"),
    float: (dtypes.default_float, "fc"),
    complex: (dtypes.default_complex, "c"),
}
_READABLE = frozenset(np.dtype(d.name) for d in dtypes.ALL if d != dtypes.bfloat16)


def asarray(
    obj: Any,
    /,
    *,
    dtype: DTypeLike | None = None,
    device: DeviceLike | None = None,
    copy: bool | None = None,
) -> Tensor:
    """Make an array of an array, a scalar, nested sequences, NumPy data or a DLPack producer.

    Python numbers take the default types (float32, complex64, int64, bool), typed data keep
    theirs. A Tensor is returned as it is when nothing has to change and ``copy`` is not true.
    ``copy=False`` shares the memory of NumPy arrays, buffers and DLPack producers, and raises
    CopyNeededError where a copy cannot be avoided. Source: array API 2025.12, ``asarray``.
    """
    where = optional_device(device)
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    if isinstance(obj, Tensor):
        return _from_tensor(obj, wanted, where, copy)
    if copy is False:
        return _shared(obj, wanted, where)
    if (known := _NUMBERS.get(type(obj))) and (
        wanted.kind in known[1] if wanted else type(obj) is not int or -(2**63) <= obj < 2**63
    ):
        return _core.full((), obj, wanted or known[0], where)
    if hasattr(obj, "__dlpack__") and not isinstance(obj, np.ndarray | np.generic):
        return _from_tensor(_core.from_dlpack(obj, where, copy), wanted, where, None)
    if isinstance(obj, list | tuple) and (inner := _inner_tensor(obj)) is not None:
        parts = [asarray(o, dtype=dtype, device=device or inner.device) for o in obj]
        return _core.concat([_core.expand_dims(p, 0) for p in parts], 0)
    return _core.from_numpy(*host_data(obj, wanted), where)


def _inner_tensor(obj: Any) -> Tensor | None:
    while isinstance(obj, list | tuple) and obj:
        obj = obj[0]
    return obj if isinstance(obj, Tensor) else None


def _refuse_copy(why: str) -> errors.CopyNeededError:
    return errors.CopyNeededError(f"copy=False, but {why}", "leave copy out, or set copy=True")


def _from_tensor(
    x: Tensor, wanted: DType | None, where: Device | None, copy: bool | None
) -> Tensor:
    moved = where is not None and where != x.device
    cast = wanted is not None and wanted != x.dtype
    if copy is False and (moved or cast):
        raise _refuse_copy("the data type or the device changes")
    result = _core.to_device(x, where) if moved and where is not None else x
    if cast and wanted is not None:
        result = dtypes.astype(result, wanted)
    return _core.copy(result) if copy and result is x else result


def _shared(obj: Any, wanted: DType | None, where: Device | None) -> Tensor:
    if not hasattr(obj, "__dlpack__"):
        try:
            obj = np.asarray(memoryview(obj))
        except (TypeError, ValueError) as error:
            raise _refuse_copy(f"a {type(obj).__name__} has no memory to share") from error
    return _from_tensor(from_dlpack(obj, device=where, copy=False), wanted, where, False)


def host_data(obj: Any, wanted: DType | None) -> tuple[np.ndarray[Any, Any], DType | None]:
    """Return host data as a NumPy array and the type to make of it (None: the array's own)."""
    try:
        data = _as_read(obj, wanted)
    except OverflowError as error:
        raise errors.DTypeError(
            f"no data type holds all of these numbers: {error}", "name a floating type"
        ) from error
    except (ValueError, TypeError) as error:
        raise errors.InvalidArgumentError(
            f"cannot make an array: {error}", "nested sequences must have equal lengths"
        ) from error
    if data.dtype not in _READABLE and data.dtype.newbyteorder("=") not in _READABLE:
        raise errors.DTypeError(
            f"cannot make an array of {data.dtype} data", "use bool, integer, real or complex data"
        )
    if data.dtype.kind == "c" and wanted is not None and wanted.kind not in "cb":
        raise errors.DTypeError(
            f"complex data as {wanted.name} would lose the imaginary parts",
            "name a complex dtype, or convert the real parts",
        )
    if _is_typed(obj):
        return data, wanted
    if wanted is not None and wanted.kind in "iu":
        _check_fit(data, wanted)
    elif wanted is None and (data.dtype.kind in "fc" or data.size == 0):
        wanted = dtypes.default_complex if data.dtype.kind == "c" else dtypes.default_float
    return data, wanted


def _is_typed(obj: Any) -> bool:
    """Return whether data name their type: as NumPy's do, or as buffers (``array.array``)."""
    if isinstance(obj, list | tuple):
        return False
    if hasattr(obj, "dtype"):
        return True
    try:
        memoryview(obj).release()
    except TypeError:
        return False
    return True


def _as_read(obj: Any, wanted: DType | None) -> np.ndarray[Any, Any]:
    """Return NumPy's reading of data; but whole numbers of 2**63 and more stay whole.

    NumPy makes floats of a list with such numbers and smaller ones.
    """
    data = np.asarray(obj)
    if not isinstance(obj, list | tuple) or data.dtype != np.float64:
        return data
    if (wanted is None or wanted.kind in "iu") and np.any(data >= 2.0**63):
        exact = np.asarray(obj, dtype=object)
        if all(isinstance(one, int) for one in exact.flat):
            return np.asarray(obj, dtype=np.uint64)
    return data


def _check_fit(data: np.ndarray[Any, Any], wanted: DType) -> None:
    """Refuse Python numbers that an integer type does not hold; fractions are cut off."""
    if data.dtype.kind not in "iuf" or data.size == 0:
        return
    ends = dtypes.iinfo(wanted)
    for number in (data.min().item(), data.max().item()):
        if not (math.isfinite(number) and ends.min <= math.trunc(number) <= ends.max):
            raise errors.DTypeError(
                f"the number {number} does not fit into {wanted.name}", "name a wider type"
            )


def from_dlpack(x: Any, /, *, device: DeviceLike | None = None, copy: bool | None = None) -> Tensor:
    """Take in the array of another library through DLPack, without a copy where that is possible.

    Raises CopyNeededError when ``copy=False`` cannot be held, NoInterchangeError for an object
    without DLPack methods. Source: array API 2025.12, ``from_dlpack``.
    """
    if not (hasattr(x, "__dlpack__") and hasattr(x, "__dlpack_device__")):
        raise errors.NoInterchangeError(
            f"from_dlpack: a {type(x).__name__} has no __dlpack__ and __dlpack_device__",
            "give an array of a library that speaks DLPack, or use asarray",
        )
    where = optional_device(device)
    try:
        return _core.from_dlpack(x, where, copy)
    except errors.InvalidArgumentError as error:
        if copy is False and type(error) is errors.InvalidArgumentError:
            raise _refuse_copy(error.cause) from error
        raise
