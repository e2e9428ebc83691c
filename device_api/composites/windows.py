# SPDX-License-Identifier: Apache-2.0
"""Convolution and pooling: windows as views of a padded copy; then a product, maximum or sum."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

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

    def clipped(self, sizes: Sequence[int]) -> tuple[list[slice], Windows]:
        """Return the windows without elements that never see x, and which elements remain.

        They keep one element at least; their padding is negative where they begin inside x.
        """
        kept = []
        for k, n in enumerate(sizes):
            last = (self.positions[k] - 1) * self.stride[k]
            first = min(max(0, -((last - self.pad[k]) // self.dilation[k])), self.window[k] - 1)
            end = min(self.window[k], -((-n - self.pad[k]) // self.dilation[k]))
            kept.append(slice(first, max(end, first + 1)))
        window = tuple(part.stop - part.start for part in kept)
        pad = tuple(
            before - part.start * step
            for before, part, step in zip(self.pad, kept, self.dilation, strict=True)
        )
        return kept, Windows(window, self.stride, pad, self.dilation, self.positions)

    def near(self, sizes: Sequence[int]) -> bool:
        """Tell whether a copy of all that the windows see is not much larger than x and result."""
        return all(
            self.span(k) <= 16 * (n + self.positions[k] * self.stride[k]) + 64
            and self.stride[k] <= 16 * (n + 64)
            for k, n in enumerate(sizes)
        )

    def counts(self, k: int, n: int, with_pad: bool) -> list[int]:
        """Return how many elements of each window lie in x, or with the padding on its sides."""
        margin = self.pad[k] if with_pad else 0
        starts = (p * self.stride[k] - self.pad[k] for p in range(self.positions[k]))
        return [
            max(0, min(start + self.window[k], n + margin) - max(start, -margin))
            for start in starts
        ]


def _padded(x: Tensor, windows: Windows, value: float) -> Tensor:
    """Return what the windows see of x, and `value` beside it."""
    spatial = x.shape[2:]
    spans = [windows.span(k) for k in range(len(spatial))]
    made = _core.full([*x.shape[:2], *spans], value, x.dtype, x.device)
    here: list[slice] = [slice(None)] * 2
    there: list[slice] = [slice(None)] * 2
    for n, pad, span in zip(spatial, windows.pad, spans, strict=True):
        first = max(0, -pad)
        length = max(0, min(n - first, span - max(0, pad)))
        here.append(slice(max(0, pad), max(0, pad) + length))
        there.append(slice(first, first + length))
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
def convolution(
    x: Tensor, weight: Tensor, *attributes: int, shape: tuple[int, ...]
) -> Tensor | None:
    """Return products of the weights with the windows, group by group."""
    n = x.ndim - 2
    stride, pad, dilation = (_last(attributes[k : k + 3], n) for k in (0, 3, 6))
    groups = int(attributes[9])
    windows = Windows(tuple(weight.shape[2:]), stride, pad, dilation, tuple(shape[2:]))
    kept, windows = windows.clipped(x.shape[2:])
    if not windows.near(x.shape[2:]):
        return None
    weight = weight[(slice(None), slice(None), *kept)]
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
def max_pool(x: Tensor, *attributes: int, shape: tuple[int, ...]) -> Tensor | None:
    """Return the maxima of the windows, -inf beside x."""
    n = x.ndim - 2
    window, stride, pad, dilation = (_last(attributes[k : k + 3], n) for k in (0, 3, 6, 9))
    _, windows = Windows(window, stride, pad, dilation, tuple(shape[2:])).clipped(x.shape[2:])
    if not windows.near(x.shape[2:]):
        return None
    seen = _view(_padded(x, windows, -w.INF), windows)
    return _core.max(seen, axis=tuple(range(2 + n, 2 + 2 * n)))


@composes("avg_pool", uses="copy fill sum div", in_float32=True, shaped=True)
def avg_pool(x: Tensor, *attributes: int, shape: tuple[int, ...]) -> Tensor | None:
    """Return the sums of the windows over their numbers of elements, which the host works out."""
    n = x.ndim - 2
    window, stride, pad = (_last(attributes[k : k + 3], n) for k in (0, 3, 6))
    whole = Windows(window, stride, pad, (1,) * n, tuple(shape[2:]))
    _, windows = whole.clipped(x.shape[2:])
    if not windows.near(x.shape[2:]):
        return None
    seen = _view(_padded(x, windows, 0), windows)
    total = _core.sum(seen, axis=tuple(range(2 + n, 2 + 2 * n)))
    count = np.ones((1, 1, *(1,) * n))
    for k, size in enumerate(x.shape[2:]):
        counts = np.asarray(whole.counts(k, size, bool(attributes[9])), dtype=np.float64)
        count = count * counts.reshape([-1 if axis == k + 2 else 1 for axis in range(n + 2)])
    if (count == count.flat[0]).all():
        return w.div(total, float(count.flat[0]))
    return w.div(total, _core.from_numpy(count, x.dtype, x.device))
