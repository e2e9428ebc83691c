# SPDX-License-Identifier: Apache-2.0
"""Pooling, as in paddle.nn.functional 3.3.

x: (N, C, L) or (N, C, H, W), or (N, H, W, C) by ``data_format="NHWC"``; floating. ``stride=None``
means the window's size; ``padding`` is as in convolutions; ``ceil_mode`` rounds the number of
positions up. A window that lies wholly outside x gives -inf (maximum) or NaN (mean). ShapeError
where no window fits.
"""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np

from device_api import _core, dtypes, errors, indexing
from device_api._core import Tensor
from device_api._host_memory import host_memory
from device_api.nn.functional._arrays import (
    apply,
    cast,
    channels_first,
    channels_last,
    check_floating,
    check_rank,
    host_array,
    is_channel_last,
    wide,
)
from device_api.nn.functional._windows import Padding, Sizes, Windows, window_view, windows

Positions: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"


def max_pool1d(
    x: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Padding = 0,
    return_mask: bool = False,
    ceil_mode: bool = False,
    name: str | None = None,
) -> Tensor | tuple[Tensor, Tensor]:
    """Return the largest element of each window, (N, C, positions); NaN where one is NaN.

    With ``return_mask`` also where it stands in x, the first of several, int32.
    """
    return _max_pool("max_pool1d", x, kernel_size, stride, padding, return_mask, ceil_mode, False)


def max_pool2d(
    x: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Padding = 0,
    return_mask: bool = False,
    ceil_mode: bool = False,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Tensor | tuple[Tensor, Tensor]:
    """Return the largest element of each window; NaN where one is NaN.

    With ``return_mask`` also where it stands in the plane, as ``row * W + column``, int32; not
    for "NHWC" (InvalidArgumentError).
    """
    last = is_channel_last(data_format, "NCHW", "NHWC", "max_pool2d")
    return _max_pool("max_pool2d", x, kernel_size, stride, padding, return_mask, ceil_mode, last)


def avg_pool1d(
    x: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Padding = 0,
    exclusive: bool = True,
    ceil_mode: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the mean of each window, (N, C, positions).

    ``exclusive``: the mean of the elements that lie in x; else padding counts as zeros.
    """
    return _avg_pool("avg_pool1d", x, kernel_size, stride, padding, exclusive, ceil_mode, False)


def avg_pool2d(
    x: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Padding = 0,
    ceil_mode: bool = False,
    exclusive: bool = True,
    divisor_override: float | None = None,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Tensor:
    """Return the mean of each window; ``exclusive`` as in avg_pool1d.

    ``divisor_override``: as in Paddle the mean, times the window's number of elements, over this.
    """
    last = is_channel_last(data_format, "NCHW", "NHWC", "avg_pool2d")
    if divisor_override is None:
        return _avg_pool("avg_pool2d", x, kernel_size, stride, padding, exclusive, ceil_mode, last)
    if divisor_override == 0:
        raise errors.InvalidArgumentError("avg_pool2d: divisor_override is 0", "give another one")
    y = _avg_pool("avg_pool2d", wide(x), kernel_size, stride, padding, exclusive, ceil_mode, last)
    sides = kernel_size if not isinstance(kernel_size, int) else (kernel_size, kernel_size)
    return cast(_core.multiply(y, math.prod(sides) / divisor_override), x.dtype)


def _prepared(
    function: str,
    x: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None,
    padding: Padding,
    ceil_mode: bool,
    last: bool,
) -> tuple[Tensor, Windows]:
    check_floating(function, x)
    check_rank(x, int(function[-2]) + 2, function)  # of ..1d, ..2d
    first = channels_first(x) if last else x
    w = windows(
        first.shape[2:], kernel_size, kernel_size if stride is None else stride, padding,
        channel_last=last, ceil_mode=ceil_mode, function=function,
    )  # fmt: skip
    return first, w


def _max_pool(
    function: str,
    x: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None,
    padding: Padding,
    return_mask: bool,
    ceil_mode: bool,
    last: bool,
) -> Tensor | tuple[Tensor, Tensor]:
    first, w = _prepared(function, x, kernel_size, stride, padding, ceil_mode, last)
    if return_mask and last:
        raise errors.InvalidArgumentError(
            f"{function}: return_mask with data_format 'NHWC'", "use 'NCHW'"
        )
    attributes = w.attributes("window", "stride", "before", "dilation")
    y = apply("max_pool", [first], attributes, (*first.shape[:2], *w.positions))
    if return_mask:
        with host_memory(function):
            return y, _mask(first, w)
    return channels_last(y) if last else y


def _mask(x: Tensor, w: Windows) -> Tensor:
    """Return where in its plane each window's largest element stands, int32."""
    view = window_view(x, w, -math.inf)
    count = len(w.sizes)
    steps = [math.prod(w.sizes[i + 1 :]) for i in range(count)]
    in_window = _grid([np.arange(k) * n for k, n in zip(w.window, steps, strict=True)])
    starts = zip(w.positions, w.stride, w.before, steps, strict=True)
    corner = _grid([(np.arange(p) * s - b) * n for p, s, b, n in starts])
    joined = _core.reshape(view, (*view.shape[:-count], math.prod(w.window)))
    if joined.size == 0:
        return _core.full(joined.shape[:-1], 0, dtypes.int32, x.device)
    place = _core.argmax(joined, axis=-1)
    table = host_array(in_window.ravel(), x, dtypes.int64)
    offset = indexing.take(table, place, axis=0)
    found = _core.add(offset, host_array(corner, x, dtypes.int64))
    return cast(found, dtypes.int32)


def _grid(parts: list[Positions]) -> Positions:
    """Return the sums of one number of each part, an axis for each part."""
    total: Positions = np.zeros((), np.int64)
    for part in parts:
        total = total[..., None] + part
    return total


def _avg_pool(
    function: str,
    x: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None,
    padding: Padding,
    exclusive: bool,
    ceil_mode: bool,
    last: bool,
) -> Tensor:
    first, w = _prepared(function, x, kernel_size, stride, padding, ceil_mode, last)
    attributes = [*w.attributes("window", "stride", "before"), 0 if exclusive else 1]
    y = apply("avg_pool", [first], attributes, (*first.shape[:2], *w.positions))
    return channels_last(y) if last else y
