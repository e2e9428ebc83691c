# SPDX-License-Identifier: Apache-2.0
"""Data types: the objects, their limits, kinds and promotion (Python array API standard 2025.12).

Defaults on every device: float32, complex64, int64, bool. ``float16`` and ``bfloat16`` are
extensions of the standard; the host form of ``bfloat16`` is NumPy's float32.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from device_api import _core, errors

DType = _core.DType
DTypeLike: TypeAlias = Any  # DType, its name, a NumPy dtype, or bool, int, float, complex

as_dtype = _core.as_dtype
_table = _core.dtypes

bool_ = _table["bool"]
int8, int16, int32, int64 = (_table[f"int{n}"] for n in (8, 16, 32, 64))
uint8, uint16, uint32, uint64 = (_table[f"uint{n}"] for n in (8, 16, 32, 64))
float16, float32, float64 = (_table[f"float{n}"] for n in (16, 32, 64))
bfloat16 = _table["bfloat16"]
complex64, complex128 = _table["complex64"], _table["complex128"]

ALL = (
    bool_, int8, int16, int32, int64, uint8, uint16, uint32, uint64,
    float16, bfloat16, float32, float64, complex64, complex128,
)  # fmt: skip

default_float = float32
default_complex = complex64
default_int = int64

# The kinds of the standard -> the letters of DType.kind.
_KINDS = {
    "bool": "b",
    "signed integer": "i",
    "unsigned integer": "u",
    "integral": "iu",
    "real floating": "f",
    "complex floating": "c",
    "numeric": "iufc",
}
# Kinds in the order of promotion.
_ORDER = "buifc"


@dataclass(frozen=True)
class FInfo:
    """Limits of a floating-point type (array API ``finfo``)."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: DType


@dataclass(frozen=True)
class IInfo:
    """Limits of an integer type (array API ``iinfo``)."""

    bits: int
    max: int
    min: int
    dtype: DType


def real_type(dtype: DType) -> DType:
    """Return the type of a complex type's parts; other types as they are."""
    return {complex64: float32, complex128: float64}.get(dtype, dtype)


def complex_type(dtype: DType) -> DType:
    """Return the complex type that holds a type: complex128 for float64, else complex64."""
    if dtype.kind == "c":
        return dtype
    return complex128 if dtype == float64 else complex64


def accumulated_type(dtype: DType) -> DType:
    """Return the type of sums and products of a type: integers and bool take 64 bits."""
    return {"b": int64, "i": int64, "u": uint64}.get(dtype.kind, dtype)


def _of(value: Any) -> DType:
    return value.dtype if isinstance(value, _core.Tensor) else as_dtype(value)


def isdtype(dtype: DTypeLike, kind: Any) -> bool:
    """Tell whether a type is of a kind: a type, a kind's name, or a tuple of these.

    Kinds: "bool", "signed integer", "unsigned integer", "integral", "real floating",
    "complex floating", "numeric". Source: array API 2025.12, ``isdtype``.
    """
    if isinstance(kind, tuple):
        return any(isdtype(dtype, one) for one in kind)
    found = as_dtype(dtype)
    if isinstance(kind, str) and kind not in _table:
        if kind not in _KINDS:
            raise errors.InvalidArgumentError(
                f"unknown kind of data types: {kind!r}", f"use one of {', '.join(_KINDS)}"
            )
        return found.kind in _KINDS[kind]
    return found == as_dtype(kind)


def finfo(type: DTypeLike, /) -> FInfo:
    """Return the limits of a floating-point type; an array stands for its type.

    Of a complex type: those of its parts. Raises DTypeError for other types. Source: array API
    2025.12, ``finfo``.
    """
    dtype = real_type(_of(type))
    if dtype.kind != "f":
        raise errors.DTypeError(f"{dtype.name} is not a floating-point type", "use iinfo")
    if dtype.name == "bfloat16":
        top = float(2.0**127 * (2 - 2.0**-7))
        return FInfo(16, 2.0**-7, top, -top, 2.0**-126, dtype)
    limits = np.finfo(dtype.name)
    low, high = float(limits.min), float(limits.max)
    return FInfo(limits.bits, float(limits.eps), high, low, float(limits.smallest_normal), dtype)


def iinfo(type: DTypeLike, /) -> IInfo:
    """Return the limits of an integer type; an array stands for its type.

    Raises DTypeError for other types. Source: array API 2025.12, ``iinfo``.
    """
    dtype = _of(type)
    if dtype.kind not in "iu":
        raise errors.DTypeError(f"{dtype.name} is not an integer type", "use finfo")
    limits = np.iinfo(dtype.name)
    return IInfo(limits.bits, int(limits.max), int(limits.min), dtype)


def _promoted(a: DType, b: DType) -> DType:
    if a == b:
        return a
    low, high = sorted((a, b), key=lambda dtype: _ORDER.index(dtype.kind))
    if low.kind == high.kind == "f" and low.itemsize == high.itemsize:
        return float32  # float16 and bfloat16: neither holds the other
    if low.kind == high.kind:
        return low if low.itemsize > high.itemsize else high
    if (low.kind, high.kind) == ("f", "c"):
        return complex128 if low == float64 else high
    if (low.kind, high.kind) != ("u", "i"):
        return high  # bool gives way to numbers, integers to floats
    bits = 8 * max(high.itemsize, 2 * low.itemsize)
    if bits > 64:
        raise errors.DTypeError(
            f"no data type holds both {a.name} and {b.name}", "convert one of them with astype"
        )
    return _table[f"int{bits}"]


def result_type(*arrays_and_dtypes: Any) -> DType:
    """Return the type to which arrays, types and Python scalars are promoted together.

    Beyond the standard (array API 2025.12), bool gives way to numbers and integers to floats, and
    a float scalar makes integers float32, a complex one complex64. Raises DTypeError where no type
    holds both.
    """
    scalars = [x for x in arrays_and_dtypes if isinstance(x, bool | int | float | complex)]
    firm = [_of(x) for x in arrays_and_dtypes if not isinstance(x, bool | int | float | complex)]
    if not firm:
        raise errors.InvalidArgumentError("result_type needs at least one array or dtype", "")
    result = firm[0]
    for dtype in firm[1:]:
        result = _promoted(result, dtype)
    for scalar in scalars:
        result = _with_scalar(result, scalar)
    return result


def _with_scalar(dtype: DType, scalar: Any) -> DType:
    """Return the type of an operation of an array and a Python scalar."""
    if isinstance(scalar, complex):
        return complex_type(dtype)
    if isinstance(scalar, bool) or dtype.kind in "fc":
        return dtype
    if isinstance(scalar, int):
        return default_int if dtype.kind == "b" else dtype
    return default_float


def can_cast(from_: Any, to: DTypeLike, /) -> bool:
    """Tell whether promotion leads from one type (or array) to another.

    Source: array API 2025.12, ``can_cast``.
    """
    source, target = _of(from_), as_dtype(to)
    try:
        return _promoted(source, target) == target
    except errors.DTypeError:
        return False


def astype(
    x: _core.Tensor, dtype: DTypeLike, /, *, copy: bool = True, device: Any = None
) -> _core.Tensor:
    """Convert an array to a type; with ``copy=False`` an array of that type is returned as it is.

    Floats are rounded half to even, float to integer truncates, to bool means "not zero". On
    another device when one is named. Complex numbers become complex or bool only: DTypeError.
    Source: array API 2025.12, ``astype``.
    """
    wanted = as_dtype(dtype)
    if x.dtype.kind == "c" and wanted.kind not in "cb":
        raise errors.DTypeError(
            f"astype: {x.dtype.name} to {wanted.name} would lose the imaginary parts",
            "convert real(x), imag(x) or abs(x)",
        )
    if device is not None:
        from device_api.devices import as_device

        x = _core.to_device(x, as_device(device))
    return x if not copy and wanted == x.dtype else _core.astype(x, wanted)
