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

Axis: TypeAlias = int | Sequence[int] | None

sum, prod, max, min = _core.sum, _core.prod, _core.max, _core.min
any, all, argmax, argmin = _core.any, _core.all, _core.argmax, _core.argmin


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


def _floating(x: Tensor, name: str) -> Tensor:
    if not isinstance(x, Tensor):
        raise errors.not_an_array(x, name)
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
    if isinstance(x, Tensor) and x.dtype.kind == "c":
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
