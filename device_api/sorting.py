# SPDX-License-Identifier: Apache-2.0
"""Sorting and searching in sorted arrays (Python array API standard 2025.12).

NaN counts as the largest value, the zeros of both signs as equal. Types are real or bool; complex
ones raise DTypeError, since they have no order. Bad axes raise OutOfRangeError.
"""

from __future__ import annotations

from typing import Literal

from device_api import _core, dtypes, errors
from device_api._core import Tensor
from device_api.reductions import as_axes


def sort(x: Tensor, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Tensor:
    """Return the elements in order along an axis; always stable."""
    attributes = (_axis(x, axis, "sort"), int(descending))
    return _core.apply("sort", [x], attributes=attributes) if x.size else _core.copy(x)


def argsort(
    x: Tensor, /, *, axis: int = -1, descending: bool = False, stable: bool = True
) -> Tensor:
    """Return the indices that put the elements in order along an axis, int64; always stable."""
    attributes = (_axis(x, axis, "argsort"), int(descending))
    if x.size == 0:
        return _core.empty(x.shape, dtypes.int64, x.device)
    return _core.apply("argsort", [x], attributes=attributes)


def _axis(x: Tensor, axis: int, name: str) -> int:
    """Return the axis, counted from the front, after a check of the type."""
    if not isinstance(x, Tensor):
        raise errors.not_an_array(x, name)
    if x.dtype.kind == "c":
        raise errors.DTypeError(
            f"{name}: {x.dtype.name} has no order", "sort by real(x) or abs(x)", op=name
        )
    return as_axes(axis, x.ndim)[0]


def searchsorted(
    x1: Tensor,
    x2: Tensor | int | float,
    /,
    *,
    side: Literal["left", "right"] = "left",
    sorter: Tensor | None = None,
) -> Tensor:
    """Return where elements of x2 would be inserted into x1, which is ascending; int64.

    ``side="left"`` finds the first place that fits, "right" the last. ``sorter`` has the indices
    that put x1 in order. Raises ShapeError when x1 is not of rank 1.
    """
    if side not in ("left", "right"):
        raise errors.InvalidArgumentError(f"searchsorted: side {side!r}", "use 'left' or 'right'")
    if x1.ndim != 1:
        raise errors.ShapeError(
            f"searchsorted: an array of {x1.ndim} dimensions", "search in one of rank 1"
        )
    if sorter is not None:
        x1 = _in_order(x1, sorter)
    common = dtypes.result_type(x1, x2)
    values = x2 if isinstance(x2, Tensor) else _core.full((), x2, common, x1.device)
    if common.kind == "c":
        raise errors.DTypeError(f"searchsorted: {common.name} has no order", "use real types")
    if x1.size == 0 or values.size == 0:
        return _core.full(values.shape, 0, dtypes.int64, x1.device)
    inputs = [_core.astype(part, common, False) for part in (x1, values)]
    return _core.apply("searchsorted", inputs, values.shape, attributes=(int(side == "right"),))


def _in_order(x: Tensor, sorter: Tensor) -> Tensor:
    from device_api.indexing import take

    if sorter.shape != x.shape:
        raise errors.ShapeError(
            f"searchsorted: a sorter of shape {sorter.shape} for {x.shape}",
            "give one index for each element, as argsort does",
        )
    return take(x, sorter)


def lexical_order(x: Tensor) -> Tensor:
    """Return the indices that put a rank-1 array in order; complex by real, then imaginary part."""
    if x.dtype.kind != "c":
        return argsort(x)
    parts = [_core.real(x), _core.imag(x)]
    by_imaginary = argsort(parts[1])
    then = argsort(_core.take_along_axis(parts[0], by_imaginary, 0))
    return _core.take_along_axis(by_imaginary, then, 0)
