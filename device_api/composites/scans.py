# SPDX-License-Identifier: Apache-2.0
"""Cumulative sums and products: each step joins runs of twice the length."""

from __future__ import annotations

from collections.abc import Callable

from device_api import _core
from device_api._core import Tensor
from device_api.composites import _words as w
from device_api.composites._registry import composes


def _scan(x: Tensor, axis: int, join: Callable[[Tensor, Tensor], Tensor]) -> Tensor:
    """Join each element with all before it; in the order of the axis, the rounding as in a tree."""
    n = x.shape[axis]
    before = (slice(None),) * axis
    reach = 1
    while reach < n:
        head, late = x[(*before, slice(None, reach))], x[(*before, slice(reach, None))]
        early = x[(*before, slice(None, n - reach))]
        x = _core.concat([head, join(early, late)], axis)
        reach *= 2
    return x


@composes("cumsum", uses="add", complex_uses="add", in_float32=True)
def cumsum(x: Tensor, axis: int) -> Tensor:
    """Return the sums."""
    return _scan(x, axis, w.add)


@composes("cumprod", uses="mul", complex_uses="mul", in_float32=True)
def cumprod(x: Tensor, axis: int) -> Tensor:
    """Return the products."""
    return _scan(x, axis, w.mul)
