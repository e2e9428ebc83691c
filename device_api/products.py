# SPDX-License-Identifier: Apache-2.0
"""Products of arrays (Python array API standard 2025.12); matmul is native."""

from __future__ import annotations

import math
from collections.abc import Sequence

from device_api import _core, errors
from device_api._core import Tensor
from device_api.reductions import as_axes

matmul = _core.matmul


def matrix_transpose(x: Tensor, /) -> Tensor:
    """Return a view with the last two axes exchanged; ShapeError below two dimensions."""
    if not isinstance(x, Tensor):
        raise errors.not_an_array(x, "matrix_transpose")
    return x.mT


def vecdot(x1: Tensor, x2: Tensor, /, *, axis: int = -1) -> Tensor:
    """Return the sum of products along an axis of both (numeric); the other axes broadcast.

    Complex x1 is conjugated. Integers wrap in the type of the product.
    """
    nearest = min(x1.ndim, x2.ndim)
    if not -nearest <= axis < 0:
        raise errors.OutOfRangeError(
            f"vecdot: axis {axis} is not in both arrays", f"use an axis from {-nearest} to -1"
        )
    if x1.shape[axis] != x2.shape[axis]:
        raise errors.ShapeError(
            f"vecdot: sizes {x1.shape[axis]} and {x2.shape[axis]} along axis {axis}",
            "they must be equal",
        )
    product = _core.multiply(_core.conj(x1) if x1.dtype.kind == "c" else x1, x2)
    return _core.sum(product, axis=axis, dtype=product.dtype)


def tensordot(
    x1: Tensor, x2: Tensor, /, *, axes: int | tuple[Sequence[int], Sequence[int]] = 2
) -> Tensor:
    """Return the sum of products over pairs of axes: the last n of x1 and first n of x2, or named.

    Raises ShapeError when the sizes of paired axes differ.
    """
    if isinstance(axes, int):
        if axes < 0:
            raise errors.InvalidArgumentError(f"tensordot: axes is {axes}", "give 0 or more")
        if axes > min(x1.ndim, x2.ndim):
            raise errors.OutOfRangeError(
                f"tensordot: {axes} axes of {x1.ndim} and {x2.ndim} dimensions",
                f"give 0 to {min(x1.ndim, x2.ndim)}",
            )
        left, right = list(range(x1.ndim - axes, x1.ndim)), list(range(axes))
    else:
        left, right = list(axes[0]), list(axes[1])
    as_axes(left, x1.ndim), as_axes(right, x2.ndim)
    left, right = [i % x1.ndim for i in left], [i % x2.ndim for i in right]
    inner = [x1.shape[i] for i in left]
    if inner != [x2.shape[i] for i in right]:
        raise errors.ShapeError(
            f"tensordot: shapes {x1.shape} and {x2.shape} do not fit along {axes}",
            "paired axes must have equal sizes",
        )
    rows = [i for i in range(x1.ndim) if i not in left]
    columns = [i for i in range(x2.ndim) if i not in right]
    k = math.prod(inner)
    row_shape = tuple(x1.shape[i] for i in rows)
    column_shape = tuple(x2.shape[i] for i in columns)
    a = _core.reshape(_core.permute_dims(x1, (*rows, *left)), (math.prod(row_shape), k))
    b = _core.reshape(_core.permute_dims(x2, (*right, *columns)), (k, math.prod(column_shape)))
    return _core.reshape(_core.matmul(a, b), row_shape + column_shape)
