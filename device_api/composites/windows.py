# SPDX-License-Identifier: Apache-2.0
"""Convolution and pooling: windows as views of a padded copy; then a product, maximum or sum."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from device_api import _core
from device_api._core import Tensor
from device_api.composites import _words as w
from device_api.composites._registry import composes


@dataclass(frozen=True)
class Windows:
    """Where windows lie: per spatial dimension."""

    window: tuple[int, ...]
    stride: tuple[int, ...]
    pad: tuple[int, ...]
    dilation: tuple[int, ...]
    positions: tuple[int, ...]

    def span(self, k: int) -> int:
        """Return how many elements all windows together see along one dimension."""
        seen = (self.positions[k] - 1) * self.stride[k]
        return seen + self.dilation[k] * (self.window[k] - 1) + 1


def _padded(x: Tensor, windows: Windows, value: float, rest: float | None = None) -> Tensor:
    """Return what the windows see of x, and `value` beside it.

    With `rest`, `value` reaches as far as the padding only, on both sides, and `rest` beyond.
    """
    spatial = x.shape[2:]
    spans = [windows.span(k) for k in range(len(spatial))]
    first = value if rest is None else rest
    made = _core.full([*x.shape[:2], *spans], first, x.dtype, x.device)
    if rest is not None:
        reach = [slice(0, n + 2 * pad) for n, pad in zip(spatial, windows.pad, strict=True)]
        _core.fill_(made[(slice(None), slice(None), *reach)], value)
    here: list[slice] = [slice(None)] * 2
    there: list[slice] = [slice(None)] * 2
    for n, pad, span in zip(spatial, windows.pad, spans, strict=True):
        length = max(0, min(n, span - pad))
        here.append(slice(pad, pad + length))
        there.append(slice(0, length))
    source = x[tuple(there)]
    if source.size:
        _core.copyto(made[tuple(here)], source)
    return made


def _view(x: Tensor, windows: Windows) -> Tensor:
    """Return (N, C, *positions, *window), a view of a padded copy."""
    strides = x.strides[2:]
    steps = [s * n for s, n in zip(strides, windows.stride, strict=True)]
    inner = [s * n for s, n in zip(strides, windows.dilation, strict=True)]
    shape = [*x.shape[:2], *windows.positions, *windows.window]
    return _core.as_strided(x, shape, [*x.strides[:2], *steps, *inner], 0)


def _last(values: Sequence[int], n: int) -> tuple[int, ...]:
    return tuple(int(value) for value in values[len(values) - n :])


@composes("convolution", uses="copy fill matmul", in_float32=True, shaped=True)
def convolution(x: Tensor, weight: Tensor, *attributes: int, shape: tuple[int, ...]) -> Tensor:
    """Return products of the weights with the windows, group by group."""
    n = x.ndim - 2
    stride, pad, dilation = (_last(attributes[k : k + 3], n) for k in (0, 3, 6))
    groups = int(attributes[9])
    windows = Windows(tuple(weight.shape[2:]), stride, pad, dilation, tuple(shape[2:]))
    seen = _view(_padded(x, windows, 0), windows)
    taps = 1
    for size in weight.shape[1:]:
        taps *= size
    places = 1
    for size in shape[2:]:
        places *= size
    # (N, C, *positions, *window) to (N, groups, C / groups * window, positions)
    order = [0, 1, *range(2 + n, 2 + 2 * n), *range(2, 2 + n)]
    columns = _core.reshape(_core.permute_dims(seen, order), (x.shape[0], groups, taps, places))
    rows = _core.reshape(weight, (1, groups, shape[1] // groups, taps))
    return _core.reshape(_core.matmul(rows, columns), shape)


@composes("max_pool", uses="copy fill max", shaped=True)
def max_pool(x: Tensor, *attributes: int, shape: tuple[int, ...]) -> Tensor:
    """Return the maxima of the windows, -inf beside x."""
    n = x.ndim - 2
    window, stride, pad, dilation = (_last(attributes[k : k + 3], n) for k in (0, 3, 6, 9))
    windows = Windows(window, stride, pad, dilation, tuple(shape[2:]))
    seen = _view(_padded(x, windows, -w.INF), windows)
    return _core.max(seen, axis=tuple(range(2 + n, 2 + 2 * n)))


@composes("avg_pool", uses="copy fill sum div", in_float32=True, shaped=True)
def avg_pool(x: Tensor, *attributes: int, shape: tuple[int, ...]) -> Tensor:
    """Return the sums of the windows over those of ones in the place of x."""
    n = x.ndim - 2
    window, stride, pad = (_last(attributes[k : k + 3], n) for k in (0, 3, 6))
    windows = Windows(window, stride, pad, (1,) * n, tuple(shape[2:]))
    ones = _core.full((1, 1, *x.shape[2:]), 1, x.dtype, x.device)
    counted = _padded(ones, windows, 1, 0) if attributes[9] else _padded(ones, windows, 0)
    total, count = (
        _core.sum(_view(seen, windows), axis=tuple(range(2 + n, 2 + 2 * n)))
        for seen in (_padded(x, windows, 0), counted)
    )
    return w.div(total, count)
