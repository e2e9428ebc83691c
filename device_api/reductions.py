# SPDX-License-Identifier: Apache-2.0
"""Reductions; mean, var, std and count_nonzero are made of others (array API standard 2025.12).

``axis``: an axis, several, or None for all; negative axes count from the end. ``keepdims`` keeps
reduced axes with size 1. An axis out of range raises OutOfRangeError, a type outside a function's
table DTypeError, and a maximum or minimum of nothing InvalidArgumentError.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

from device_api import _core, dtypes, errors
from device_api._core import Tensor
from device_api.dtypes import DTypeLike

Axis: TypeAlias = int | Sequence[int] | None

sum, max, argmax = _core.sum, _core.max, _core.argmax


def as_axes(axis: Axis, ndim: int) -> tuple[int, ...]:
    """Return axes as distinct numbers from 0 to ndim - 1, in ascending order."""
    if axis is None:
        return tuple(range(ndim))
    given = (axis,) if isinstance(axis, int) else tuple(axis)
    for one in given:
        if not -ndim <= one < ndim:
            raise errors.OutOfRangeError(
                f"axis {one} is out of range for {ndim} dimensions",
                f"use an axis from {-ndim} to {ndim - 1}" if ndim else "a scalar has no axis",
            )
    axes = sorted(one % ndim for one in given)
    if len(set(axes)) != len(axes):
        raise errors.InvalidArgumentError(f"an axis is given twice in {axis}", "name it once")
    return tuple(axes)


def _result_shape(x: Tensor, axis: Axis, keepdims: bool) -> tuple[int, ...]:
    axes = as_axes(axis, x.ndim)
    if keepdims:
        return tuple(1 if i in axes else n for i, n in enumerate(x.shape))
    return tuple(n for i, n in enumerate(x.shape) if i not in axes)


def _mirrored(x: Tensor) -> Tensor:
    """Return values in the opposite order, without overflow."""
    if x.dtype.kind == "f":
        return _core.negative(x)
    if x.dtype.kind == "b":
        raise errors.DTypeError("min and max are not defined for bool", "use all or any")
    pivot = -1 if x.dtype.kind == "i" else dtypes.iinfo(x.dtype).max
    return _core.subtract(pivot, x)


def min(x: Tensor, /, *, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Return the smallest element over axes (numeric); NaN anywhere gives NaN."""
    return _mirrored(_core.max(_mirrored(x), axis=axis, keepdims=keepdims))


def argmin(x: Tensor, /, *, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Return the index of the first smallest element, int64; the first NaN wins."""
    return _core.argmax(_mirrored(x), axis=axis, keepdims=keepdims)


def _floating(x: Tensor, name: str) -> Tensor:
    if x.dtype.kind == "b":
        raise errors.DTypeError(f"{name} is not defined for bool", "convert with astype", op=name)
    return x if x.dtype.kind in "fc" else _core.astype(x, dtypes.default_float)


def _wide(x: Tensor) -> Tensor:
    """Return 16-bit floats as float32, in which their sums do not overflow."""
    return _core.astype(x, dtypes.float32) if x.dtype.itemsize == 2 else x


def mean(x: Tensor, /, *, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Return the mean over axes (floating, complex; integers as float32); NaN of nothing."""
    x = _floating(x, "mean")
    count = float(_count(x, axis))
    total = _core.sum(_wide(x), axis=axis, keepdims=keepdims)
    if x.dtype.kind == "c":  # each part by itself, so that a NaN stays in its part
        return _core.make_complex(
            _core.divide(_core.real(total), count), _core.divide(_core.imag(total), count)
        )
    return _core.astype(_core.divide(total, count), x.dtype, False)


def _count(x: Tensor, axis: Axis) -> int:
    return math.prod(x.shape[i] for i in as_axes(axis, x.ndim))


def var(
    x: Tensor, /, *, axis: Axis = None, correction: float = 0.0, keepdims: bool = False
) -> Tensor:
    """Return the variance over axes (floating; integers as float32).

    Divides by the count less ``correction``; NaN where that is not above 0.
    """
    if x.dtype.kind == "c":
        raise errors.DTypeError("var and std are not defined for complex", "use real(x), imag(x)")
    x = _floating(x, "var")
    wide = _wide(x)
    centred = _core.subtract(wide, mean(wide, axis=axis, keepdims=True))
    squares = _core.sum(_core.multiply(centred, centred), axis=axis, keepdims=keepdims)
    freedom = _count(x, axis) - correction
    divided = _core.divide(squares, float(freedom) if freedom > 0 else math.nan)
    return _core.astype(divided, x.dtype, False)


def std(
    x: Tensor, /, *, axis: Axis = None, correction: float = 0.0, keepdims: bool = False
) -> Tensor:
    """Return the standard deviation over axes: the root of ``var``."""
    return _core.sqrt(var(x, axis=axis, correction=correction, keepdims=keepdims))


def count_nonzero(x: Tensor, /, *, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Return how many elements over axes are not zero, int64."""
    truth = x if x.dtype.kind == "b" else _core.not_equal(x, 0)
    return _core.sum(_core.astype(truth, dtypes.int64), axis=axis, keepdims=keepdims)


def prod(
    x: Tensor,
    /,
    *,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
) -> Tensor:
    """Return the product over axes (numeric), 1 for nothing; multiplied in pairs.

    Small integers are widened to int64 or uint64 as in ``sum``; integers wrap.
    """
    if dtype is None:
        dtype = {"i": dtypes.int64, "u": dtypes.uint64}.get(x.dtype.kind, x.dtype)
    shape = _result_shape(x, axis, keepdims)
    axes = as_axes(axis, x.ndim)
    kept = [i for i in range(x.ndim) if i not in axes]
    work = _core.permute_dims(_core.astype(x, dtypes.as_dtype(dtype), False), (*axes, *kept))
    n = _count(x, axis)
    rest = tuple(x.shape[i] for i in kept)
    work = _core.reshape(work, (n, *rest))
    if n == 0:
        return _core.full(shape, 1, work.dtype, x.device)
    while n > 1:
        half = n // 2
        pairs = _core.multiply(work[:half], work[half : 2 * half])
        work = pairs if n % 2 == 0 else _core.concat([pairs, work[2 * half :]], 0)
        n -= half
    return _core.reshape(work, shape)


def any(x: Tensor, /, *, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Return whether some element over axes is not zero; bool; false for nothing."""
    if _count(x, axis) == 0 or x.size == 0:
        return _core.full(_result_shape(x, axis, keepdims), False, dtypes.bool_, x.device)
    truth = _core.astype(_truth(x), dtypes.float32)  # every device has the maximum of float32
    return _core.not_equal(_core.max(truth, axis=axis, keepdims=keepdims), 0)


def all(x: Tensor, /, *, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Return whether every element over axes is not zero; bool; true for nothing."""
    return _core.logical_not(any(_core.logical_not(_truth(x)), axis=axis, keepdims=keepdims))


def _truth(x: Tensor) -> Tensor:
    return x if x.dtype.kind == "b" else _core.not_equal(x, 0)
