# SPDX-License-Identifier: Apache-2.0
"""Reductions other than sum and max, and the positions of extremes."""

from __future__ import annotations

from device_api import _core
from device_api._core import Tensor
from device_api.composites import _words as w
from device_api.composites._registry import composes

_ARG = "max where equal logical_not where:bool iota:int64 max:int64 add:int64 neg:int64 where:int64"


def axes_of(mask: int) -> tuple[int, ...]:
    """Return the axes of a bit mask."""
    return tuple(axis for axis in range(mask.bit_length()) if mask >> axis & 1)


def _reversed(x: Tensor) -> Tensor:
    """Return numbers in the opposite order: -x, of integers -1 - x, which no integer lacks."""
    if w.is_float(x):
        return w.neg(x)
    ones = -1 if x.dtype.kind == "i" else 2 ** (x.dtype.itemsize * 8) - 1
    return w.add(w.neg(x), w.like(x, ones))


@composes("min", uses="max neg add")
def minimum(x: Tensor, axes: int) -> Tensor:
    """Return the largest number in the opposite order."""
    return _reversed(_core.max(_reversed(x), axis=axes_of(axes)))


def _first_of(x: Tensor, axis: int) -> Tensor:
    """Return the first position of the largest element, or of the first NaN."""
    most = _core.max(x, axis=axis, keepdims=True)
    hit = w.either(w.equal(x, most), w.no(w.equal(x, x)))
    n = x.shape[axis]
    shape = [1] * x.ndim
    shape[axis] = n
    left = _core.reshape(_core.iota(n, n, -1, w.INT64, x.device), shape)
    best = _core.max(w.where(hit, left, w.like(left, 0)), axis=axis)
    return w.add(w.neg(best), n)


@composes("argmax", uses=_ARG)
def argmax(x: Tensor, axis: int) -> Tensor:
    """Return the first position of the largest element."""
    return _first_of(x, axis)


@composes("argmin", uses=_ARG + " neg add")
def argmin(x: Tensor, axis: int) -> Tensor:
    """Return the first position of the largest element in the opposite order."""
    return _first_of(_reversed(x), axis)


def _truth(x: Tensor) -> Tensor:
    """Return 1 where x is not zero, as int32."""
    truth = x if x.dtype == w.BOOL else w.no(w.equal(x, 0))
    return _core.astype(truth, w.INT32)


_TRUTH = "cast equal logical_not cast:bool cast:int32 max:int32 less:int32"


@composes("any", uses=_TRUTH, complex_uses=_TRUTH)
def some(x: Tensor, axes: int) -> Tensor:
    """Return whether the largest truth is 1."""
    found = _core.max(_truth(x), axis=axes_of(axes))
    return w.less(w.like(found, 0), found)


@composes("all", uses=_TRUTH + " neg:int32", complex_uses=_TRUTH + " neg:int32")
def every(x: Tensor, axes: int) -> Tensor:
    """Return whether the smallest truth is 1."""
    found = _core.max(w.neg(_truth(x)), axis=axes_of(axes))
    return w.less(found, 0)


@composes("prod", uses="mul", complex_uses="mul", in_float32=True)
def prod(x: Tensor, axes: int) -> Tensor:
    """Return the product, by products of halves."""
    reduced = axes_of(axes)
    kept = [axis for axis in range(x.ndim) if axis not in reduced]
    shape = [x.shape[axis] for axis in kept]
    moved = _core.permute_dims(x, [*kept, *reduced])
    left = _core.reshape(moved, [*shape, x.size // max(1, _count(shape))])
    while (n := left.shape[-1]) > 1:
        half = n // 2
        product = w.mul(left[..., :half], left[..., half : 2 * half])
        left = _core.concat([product, left[..., 2 * half :]], -1) if n % 2 else product
    return _core.reshape(left, shape)


def _count(shape: list[int]) -> int:
    count = 1
    for n in shape:
        count *= n
    return count
