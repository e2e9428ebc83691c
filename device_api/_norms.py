# SPDX-License-Identifier: Apache-2.0
"""Norms, traces and small products of the ``linalg`` extension, composed of ops of the device.

Source: Python array API standard 2025.12, "linalg".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

from device_api import _core, dtypes, errors
from device_api._core import Tensor
from device_api._decompositions import floating, inv, matrices, svdvals
from device_api.dtypes import DTypeLike

Order: TypeAlias = int | float | Literal["fro", "nuc"] | None


def cross(x1: Tensor, x2: Tensor, /, *, axis: int = -1) -> Tensor:
    """Return cross products of vectors along an axis of size 3 in both; the others broadcast."""
    for x in (x1, x2):
        if x.dtype.kind == "b":
            raise errors.DTypeError("cross is not defined for bool", "convert with astype")
        if not -x.ndim <= axis < x.ndim:
            raise errors.OutOfRangeError(
                f"cross: axis {axis} is out of range for {x.ndim} dimensions", "use -1"
            )
        if x.shape[axis] != 3:
            raise errors.ShapeError(
                f"cross: size {x.shape[axis]} along axis {axis}", "vectors have 3 elements"
            )
    a, b = (_moved(x, axis, -1) for x in (x1, x2))
    parts = [
        _core.subtract(_core.multiply(a[..., i], b[..., j]), _core.multiply(a[..., j], b[..., i]))
        for i, j in ((1, 2), (2, 0), (0, 1))
    ]
    stacked = _core.concat([_core.expand_dims(p, p.ndim) for p in parts], -1)
    return _moved(stacked, -1, axis)


def _moved(x: Tensor, source: int, target: int) -> Tensor:
    source, target = source % x.ndim, target % x.ndim
    axes = [i for i in range(x.ndim) if i != source]
    axes.insert(target, source)
    return _core.permute_dims(x, axes)


def diagonal(x: Tensor, /, *, offset: int = 0) -> Tensor:
    """Return the diagonals of matrices ``(..., M, N)`` as ``(..., K)``: a view."""
    if x.ndim < 2:
        raise errors.ShapeError(f"diagonal: {x.ndim} dimensions", "give two or more")
    rows, columns = x.shape[-2:]
    first_row, first_column = max(-offset, 0), max(offset, 0)
    size = max(min(rows - first_row, columns - first_column), 0)
    *outer, row, column = x.strides
    start = first_row * row + first_column * column if size else 0
    return _core.as_strided(x, (*x.shape[:-2], size), (*outer, row + column), start)


def trace(x: Tensor, /, *, offset: int = 0, dtype: DTypeLike | None = None) -> Tensor:
    """Return the sums along diagonals of matrices; types as in ``sum``."""
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    return _core.sum(diagonal(x, offset=offset), axis=-1, dtype=wanted)


def outer(x1: Tensor, x2: Tensor, /) -> Tensor:
    """Return the products of all pairs of two vectors ``(N,)`` and ``(M,)`` as ``(N, M)``."""
    if x1.ndim != 1 or x2.ndim != 1:
        raise errors.ShapeError(f"outer: shapes {x1.shape} and {x2.shape}", "give two vectors")
    return _core.multiply(_core.expand_dims(x1, 1), _core.expand_dims(x2, 0))


def matrix_power(x: Tensor, n: int, /) -> Tensor:
    """Return square matrices to the power n: by squaring; the inverse's for a negative n."""
    x = matrices(x, "linalg.matrix_power", True)
    if n < 0:
        x, n = inv(x), -n
    ones = _core.full((x.shape[-1],), 1, x.dtype, x.device)
    result = _core.full(x.shape, 0, x.dtype, x.device)
    _core.copyto(diagonal(result), ones)
    while n:
        if n & 1:
            result = _core.matmul(result, x)
        n >>= 1
        if n:
            x = _core.matmul(x, x)
    return result


def _wide(x: Tensor) -> Tensor:
    return _core.astype(x, dtypes.float32) if x.dtype.itemsize == 2 else x


def _norm_of(size: Tensor, order: float, axis: tuple[int, ...], keepdims: bool) -> Tensor:
    """Return the vector norm of absolute values."""
    if order in (math.inf, -math.inf):
        least = order < 0
        return (_core.min if least else _core.max)(size, axis=axis, keepdims=keepdims)
    if order == 0:
        return _core.sum(
            _core.astype(_core.not_equal(size, 0), size.dtype), axis=axis, keepdims=keepdims
        )
    if order == 1:
        return _core.sum(size, axis=axis, keepdims=keepdims)
    if order == 2:
        return _core.sqrt(_core.sum(_core.multiply(size, size), axis=axis, keepdims=keepdims))
    powers = _core.sum(_core.pow(size, order), axis=axis, keepdims=keepdims)
    return _core.pow(powers, 1.0 / order)


def vector_norm(
    x: Tensor,
    /,
    *,
    axis: int | Sequence[int] | None = None,
    keepdims: bool = False,
    ord: float = 2,
) -> Tensor:
    """Return norms of vectors over axes (all by default), real.

    ``ord``: a number (2 is the Euclidean norm), infinity (the largest absolute value), -infinity
    (the smallest) or 0 (how many are not zero).
    """
    size = _core.abs(floating(x, "linalg.vector_norm"))
    wide = _wide(size)
    if axis is None:
        axes = tuple(range(x.ndim))
    else:
        axes = (axis,) if isinstance(axis, int) else tuple(axis)
    empty = any(x.shape[i] == 0 for i in axes if -x.ndim <= i < x.ndim)
    if empty and ord == math.inf:
        ord = 1  # of nothing: 0
    return _core.astype(_norm_of(wide, ord, axes, keepdims), size.dtype, False)


def matrix_norm(x: Tensor, /, *, keepdims: bool = False, ord: Order = "fro") -> Tensor:
    """Return norms of matrices, real: 'fro', 'nuc', 1, -1, 2, -2, infinity or -infinity.

    'nuc', 2 and -2 need singular values, which NumPy computes on the host.
    """
    x = matrices(x, "linalg.matrix_norm")
    if ord is None or ord == "fro":
        return vector_norm(x, axis=(-2, -1), keepdims=keepdims)
    if ord in ("nuc", 2, -2):
        values = svdvals(x)
        reductions: dict[object, Callable[..., Tensor]] = {
            "nuc": _core.sum, 2: _core.max, -2: _core.min,
        }  # fmt: skip
        norm = _core.full(values.shape[:-1], 0, values.dtype, x.device)
        if values.shape[-1]:
            norm = reductions[ord](values, axis=-1)
        return _core.reshape(norm, (*norm.shape, 1, 1)) if keepdims else norm
    if ord not in (1, -1, math.inf, -math.inf):
        raise errors.InvalidArgumentError(
            f"matrix_norm: order {ord!r}", "use 'fro', 'nuc', 1, -1, 2, -2, inf or -inf"
        )
    size = _core.abs(x)
    summed, kept = (-2, -1) if ord in (1, -1) else (-1, -2)
    sums = _core.sum(_wide(size), axis=summed, keepdims=True)
    if sums.shape[kept] == 0:
        norm = _core.full((*sums.shape[:-2], 1, 1), 0, sums.dtype, x.device)
    else:
        norm = (_core.max if ord > 0 else _core.min)(sums, axis=kept, keepdims=True)
    norm = _core.astype(norm, size.dtype, False)
    return norm if keepdims else _core.reshape(norm, norm.shape[:-2])
