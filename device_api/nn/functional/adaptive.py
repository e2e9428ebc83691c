# SPDX-License-Identifier: Apache-2.0
"""Adaptive pooling, as in paddle.nn.functional 3.3: the number of results is given.

Window i of n along a side of size m reaches from ``floor(i * m / n)`` to ``ceil((i + 1) * m / n)``.
x: (N, C, L) or (N, C, H, W), floating, with sides of 1 or more (else ShapeError).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from device_api import _core, dtypes, errors, indexing
from device_api._core import Tensor
from device_api._host_memory import host_memory
from device_api.creation import as_shape
from device_api.nn.functional._arrays import (
    apply,
    cast,
    channels_first,
    channels_last,
    check_floating,
    check_rank,
    host_array,
    is_channel_last,
    numbers,
    wide,
)
from device_api.nn.functional._windows import windows

OutputSize: TypeAlias = int | Sequence[int | None]
Positions: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"
Truths: TypeAlias = "np.ndarray[Any, np.dtype[np.bool]]"


def adaptive_avg_pool1d(x: Tensor, output_size: int, name: str | None = None) -> Tensor:
    """Return means of windows, (N, C, output_size)."""
    return _avg(x, _sizes(x, output_size, "adaptive_avg_pool1d", 1))


def adaptive_avg_pool2d(
    x: Tensor, output_size: OutputSize, data_format: str = "NCHW", name: str | None = None
) -> Tensor:
    """Return means of windows; ``output_size``: one number, or two, None keeping a side."""
    if is_channel_last(data_format, "NCHW", "NHWC", "adaptive_avg_pool2d"):
        check_rank(x, 4, "adaptive_avg_pool2d")
        return channels_last(adaptive_avg_pool2d(channels_first(x), output_size))
    return _avg(x, _sizes(x, output_size, "adaptive_avg_pool2d", 2))


def adaptive_max_pool1d(
    x: Tensor, output_size: int, return_mask: bool = False, name: str | None = None
) -> Tensor | tuple[Tensor, Tensor]:
    """Return the largest elements of windows; with ``return_mask`` also where they stand, int32."""
    return _max(x, _sizes(x, output_size, "adaptive_max_pool1d", 1), return_mask)


def adaptive_max_pool2d(
    x: Tensor, output_size: OutputSize, return_mask: bool = False, name: str | None = None
) -> Tensor | tuple[Tensor, Tensor]:
    """Return the largest elements of windows; parameters as in the other functions.

    With ``return_mask`` also where they stand in the plane, ``row * W + column``, int32.
    """
    return _max(x, _sizes(x, output_size, "adaptive_max_pool2d", 2), return_mask)


def _sizes(x: Tensor, output_size: OutputSize, function: str, count: int) -> tuple[int, ...]:
    check_floating(function, x)
    check_rank(x, count + 2, function)
    if min(x.shape[2:]) < 1:
        raise errors.ShapeError(f"{function}: x has shape {x.shape}", "give sides of 1 or more")
    given = output_size
    if isinstance(given, list | tuple) and len(given) == count:
        given = [m if n is None else n for n, m in zip(given, x.shape[2:], strict=True)]
    sizes = numbers(given, count, "output_size", function)
    as_shape((*x.shape[:2], *sizes))  # raises ShapeError for more than an array can have
    return sizes


def _table(size: int, wanted: int) -> tuple[Positions, Truths]:
    """Return the indices of each window, one row each, and which of them are no repetition."""
    with host_memory("adaptive pooling"):
        i = np.arange(wanted)
        start, stop = i * size // wanted, -(-(i + 1) * size // wanted)
        steps = np.arange(int((stop - start).max()))
        index = start[:, None] + steps
        return np.minimum(index, stop[:, None] - 1), index < stop[:, None]


def _even(op: str, x: Tensor, sizes: tuple[int, ...]) -> Tensor | None:
    """Return the pool by the op for plain windows, where all are of one size and side by side."""
    sides = x.shape[2:]
    if any(n % wanted for n, wanted in zip(sides, sizes, strict=True)):
        return None
    window = [n // wanted for n, wanted in zip(sides, sizes, strict=True)]
    w = windows(sides, window, window, 0, function=op)
    last = ["dilation"] if op == "max_pool" else []
    attributes = w.attributes("window", "stride", "before", *last)
    return apply(op, [x], attributes if last else [*attributes, 0], (*x.shape[:2], *sizes))


def _avg(x: Tensor, sizes: tuple[int, ...]) -> Tensor:
    even = _even("avg_pool", x, sizes)
    if even is not None:
        return even
    y = wide(x)
    for axis, wanted in enumerate(sizes, start=2):
        index, counts = _table(x.shape[axis], wanted)
        parts = indexing.take(y, index, axis=axis)
        after = (1,) * (x.ndim - axis - 1)
        if not counts.all():
            mask = host_array(counts, x, dtypes.bool_)
            mask = _core.reshape(mask, (*counts.shape, *after))
            parts = _core.where(_core.broadcast_to(mask, parts.shape), parts, 0.0)
        number = host_array(counts.sum(1, dtype=np.float64), x, y.dtype)
        y = _core.divide(_core.sum(parts, axis=axis + 1), _core.reshape(number, (wanted, *after)))
    return cast(y, x.dtype)


def _max(x: Tensor, sizes: tuple[int, ...], return_mask: bool) -> Tensor | tuple[Tensor, Tensor]:
    even = None if return_mask else _even("max_pool", x, sizes)
    if even is not None:
        return even
    tables = [_table(n, wanted)[0] for n, wanted in zip(x.shape[2:], sizes, strict=True)]
    parts = x
    for i, index in enumerate(tables):
        parts = indexing.take(parts, index, axis=2 + 2 * i)
    count = len(sizes)
    order = (0, 1, *(2 + 2 * i for i in range(count)), *(3 + 2 * i for i in range(count)))
    width = math.prod(index.shape[1] for index in tables)
    joined = _core.reshape(_core.permute_dims(parts, order), (*x.shape[:2], *sizes, width))
    if joined.size == 0:
        nothing = _core.empty(joined.shape[:-1], x.dtype, x.device)
        places = _core.empty(nothing.shape, dtypes.int32, x.device)
        return (nothing, places) if return_mask else nothing
    y = _core.max(joined, axis=-1)
    if not return_mask:
        return y
    positions = _places(tables, x.shape[2:])
    spread = _core.broadcast_to(host_array(positions, x, dtypes.int64), joined.shape)
    place = _core.argmax(joined, axis=-1, keepdims=True)
    found = _core.take_along_axis(spread, place, joined.ndim - 1)
    return y, cast(_core.reshape(found, y.shape), dtypes.int32)


def _places(tables: list[Positions], sizes: tuple[int, ...]) -> Positions:
    """Return where in the plane each element of each window stands: (*results, elements)."""
    if len(tables) == 1:
        return tables[0]
    rows, columns = tables
    places = rows[:, None, :, None] * sizes[1] + columns[None, :, None, :]
    return places.reshape(*places.shape[:2], -1)
