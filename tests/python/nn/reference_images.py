# SPDX-License-Identifier: Apache-2.0
"""Convolutions, pools, resizing and padding by their definitions, in float64, window by window."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
from nn.cases import Host


def _each(value: Any, count: int) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value] * count


def _pairs(padding: Any, sizes: Any, window: Any, stride: Any, last: bool) -> list[Any]:
    """Return before and after of each dimension, by the rules of the documentation."""
    if padding == "VALID":
        return [(0, 0)] * len(sizes)
    if padding == "SAME":
        totals = [
            max((math.ceil(n / s) - 1) * s + k - n, 0)
            for n, k, s in zip(sizes, window, stride, strict=True)
        ]
        return [(t // 2, t - t // 2) for t in totals]
    given = _each(padding, len(sizes))
    if isinstance(given[0], list | tuple):
        return [tuple(p) for p in (given[1:-1] if last else given[2:])]
    if len(given) == 2 * len(sizes):
        return list(zip(given[::2], given[1::2], strict=True))
    return [(p, p) for p in given]


def _conv(
    x: Host, weight: Host, bias: Any = None, stride: Any = 1, padding: Any = 0,
    dilation: Any = 1, groups: int = 1, data_format: str = "NCHW",
) -> Host:  # fmt: skip
    last = data_format[1] != "C"
    x = np.moveaxis(x, -1, 1) if last else x
    sizes, window = x.shape[2:], weight.shape[2:]
    n = len(sizes)
    stride, dilation = _each(stride, n), _each(dilation, n)
    if padding == "SAME":
        dilation = [1] * n
    pairs = _pairs(padding, sizes, window, stride, last)
    x = np.pad(x, [(0, 0), (0, 0), *pairs])
    span = [d * (k - 1) + 1 for d, k in zip(dilation, window, strict=True)]
    positions = [(x.shape[2 + i] - span[i]) // stride[i] + 1 for i in range(n)]
    y = np.zeros((x.shape[0], weight.shape[0], *positions))
    filters, channels = weight.shape[0] // groups, weight.shape[1]
    for place in itertools.product(*map(range, positions)):
        cut = tuple(
            slice(p * s, p * s + w, d)
            for p, s, w, d in zip(place, stride, span, dilation, strict=True)
        )
        for g in range(groups):
            part = x[(slice(None), slice(g * channels, (g + 1) * channels), *cut)]
            rows = weight[g * filters : (g + 1) * filters]
            y[(slice(None), slice(g * filters, (g + 1) * filters), *place)] = np.tensordot(
                part, rows, (list(range(1, n + 2)),) * 2
            )
    return _finished(y, bias, last)


def _finished(y: Host, bias: Any, last: bool) -> Host:
    y = y if bias is None else y + bias.reshape(-1, *[1] * (y.ndim - 2))
    return np.moveaxis(y, 1, -1) if last else y


conv1d = conv2d = conv3d = _conv


def conv2d_transpose(
    x: Host, weight: Host, bias: Any = None, stride: Any = 1, padding: Any = 0,
    output_padding: Any = 0, dilation: Any = 1, groups: int = 1, output_size: Any = None,
    data_format: str = "NCHW",
) -> Host:  # fmt: skip
    last = data_format == "NHWC"
    x = np.moveaxis(x, -1, 1) if last else x
    stride, dilation = _each(stride, 2), _each(dilation, 2)
    (top, bottom), (left, right) = _pairs(padding, x.shape[2:], weight.shape[2:], stride, last)
    full = [(x.shape[2 + i] - 1) * stride[i] + dilation[i] * (weight.shape[2 + i] - 1) + 1
            for i in range(2)]  # fmt: skip
    extra = _each(output_padding, 2)
    size = [full[0] - top - bottom + extra[0], full[1] - left - right + extra[1]]
    size = size if output_size is None else _each(output_size, 2)
    per, channels = weight.shape[1], x.shape[1] // groups
    y = np.zeros((x.shape[0], per * groups, full[0] + 99, full[1] + 99))
    for c, h, w in np.ndindex(x.shape[1:]):
        g = c // channels
        target = y[
            :, g * per : (g + 1) * per, h * stride[0] :: dilation[0], w * stride[1] :: dilation[1]
        ]
        target[:, :, : weight.shape[2], : weight.shape[3]] += (
            x[:, c, h, w][:, None, None, None] * weight[c]
        )
    return _finished(y[:, :, top : top + size[0], left : left + size[1]], bias, last)


def _windows(x: Host, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool) -> Any:
    """Yield position, what of x its window covers (with its corner), and the padded area."""
    n = x.ndim - 2
    window = _each(kernel_size, n)
    stride = window if stride is None else _each(stride, n)
    pairs = _pairs(padding, x.shape[2:], window, stride, False)
    rounded = math.ceil if ceil_mode else math.floor
    positions = [
        rounded((m + sum(p) - k) / s) + 1
        for m, p, k, s in zip(x.shape[2:], pairs, window, stride, strict=True)
    ]
    found = []
    for place in itertools.product(*map(range, positions)):
        cut, area = [], 1
        for p, s, k, (before, _), m in zip(place, stride, window, pairs, x.shape[2:], strict=True):
            start = p * s - before
            area *= min(start + k, m + before) - start
            cut.append(slice(max(start, 0), min(start + k, m)))
        found.append((place, tuple(cut), area))
    return positions, found


def _joined(part: Host) -> Host:
    return part.reshape(*part.shape[:2], math.prod(part.shape[2:]))


def _max_pool(
    x: Host, kernel_size: Any, stride: Any = None, padding: Any = 0, return_mask: bool = False,
    ceil_mode: bool = False, data_format: str = "NCHW",
) -> Any:  # fmt: skip
    if data_format == "NHWC":
        return np.moveaxis(_max_pool(np.moveaxis(x, -1, 1), kernel_size, stride, padding), 1, -1)
    positions, found = _windows(x, kernel_size, stride, padding, ceil_mode)
    return _largest(x, positions, [(place, cut) for place, cut, _ in found], return_mask)


def _largest(x: Host, positions: Any, found: Any, return_mask: bool) -> Any:
    y = np.zeros((*x.shape[:2], *positions))
    mask = np.zeros(y.shape, np.int32)
    numbers = np.arange(math.prod(x.shape[2:])).reshape(x.shape[2:])
    for place, cut in found:
        part = _joined(x[(..., *cut)])
        at = (slice(None), slice(None), *place)
        y[at] = part.max(-1)
        mask[at] = numbers[cut].ravel()[part.argmax(-1)]
    return (y, mask) if return_mask else y


max_pool1d = max_pool2d = _max_pool


def avg_pool2d(
    x: Host, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
    exclusive: bool = True, divisor_override: Any = None, data_format: str = "NCHW",
) -> Host:  # fmt: skip
    if data_format == "NHWC":
        first = np.moveaxis(x, -1, 1)
        return np.moveaxis(avg_pool2d(first, kernel_size, stride, padding, ceil_mode), 1, -1)
    positions, found = _windows(x, kernel_size, stride, padding, ceil_mode)
    y = np.zeros((*x.shape[:2], *positions))
    for place, cut, area in found:
        part = _joined(x[(..., *cut)])
        number = divisor_override or (part.shape[-1] if exclusive else area)
        y[(slice(None), slice(None), *place)] = part.sum(-1) / number
    return y


avg_pool1d = avg_pool2d


def _adaptive(x: Host, output_size: Any) -> tuple[list[int], Any]:
    sizes = [m if n is None else n
             for n, m in zip(_each(output_size, x.ndim - 2), x.shape[2:], strict=True)]  # fmt: skip
    found = []
    for place in itertools.product(*map(range, sizes)):
        ends = zip(place, sizes, x.shape[2:], strict=True)
        cut = tuple(slice(i * m // n, math.ceil((i + 1) * m / n)) for i, n, m in ends)
        found.append((place, cut))
    return sizes, found


def adaptive_avg_pool2d(x: Host, output_size: Any, data_format: str = "NCHW") -> Host:
    if data_format == "NHWC":
        return np.moveaxis(adaptive_avg_pool2d(np.moveaxis(x, -1, 1), output_size), 1, -1)
    sizes, found = _adaptive(x, output_size)
    y = np.zeros((*x.shape[:2], *sizes))
    for place, cut in found:
        y[(slice(None), slice(None), *place)] = (
            x[(..., *cut)].mean(tuple(range(2, x.ndim)))
        )  # fmt: skip
    return y


adaptive_avg_pool1d = adaptive_avg_pool2d


def _adaptive_max(x: Host, output_size: Any, return_mask: bool = False) -> Any:
    return _largest(x, *_adaptive(x, output_size), return_mask)


adaptive_max_pool1d = adaptive_max_pool2d = _adaptive_max


def interpolate(
    x: Host, size: Any = None, scale_factor: Any = None, mode: str = "nearest",
    align_corners: bool = False, align_mode: int = 0, data_format: str = "NCHW",
    recompute_scale_factor: bool = False,
) -> Host:  # fmt: skip
    if mode == "area":
        return adaptive_avg_pool2d(x, size)
    if data_format[1] != "C":
        first = np.moveaxis(x, -1, 1)
        return np.moveaxis(interpolate(first, size, scale_factor, mode), 1, -1)
    for axis in range(2, x.ndim):
        m = x.shape[axis]
        scale = None if scale_factor is None else _each(scale_factor, x.ndim - 2)[axis - 2]
        n = size[axis - 2] if scale is None else int(m * scale)
        ratio = m / n if scale is None or recompute_scale_factor else 1 / scale
        if align_corners:
            ratio = (m - 1) / (n - 1) if n > 1 else 0
        lines = np.moveaxis(x, axis, 0)
        x = np.moveaxis(np.stack([_at(lines, i, ratio, mode, align_corners or align_mode == 1)
                                  for i in range(n)]), 0, axis)  # fmt: skip
    return x


def _at(lines: Host, i: int, ratio: float, mode: str, whole: bool) -> Host:
    if mode == "nearest":
        return lines[min(math.floor(ratio * i), len(lines) - 1)]
    place = ratio * i if whole else max(ratio * (i + 0.5) - 0.5, 0)
    low = min(math.floor(place), len(lines) - 1)
    high = min(low + 1, len(lines) - 1)
    return lines[low] * (1 - (place - low)) + lines[high] * (place - low)


def pad(
    x: Host, pad: Any, mode: str = "constant", value: float = 0.0, data_format: str = "NCHW",
    pad_from_left_axis: bool = True,
) -> Host:  # fmt: skip
    pairs = list(zip(pad[::2], pad[1::2], strict=True))
    none = [(0, 0)]
    if len(pairs) == x.ndim and pad_from_left_axis:
        pass
    elif len(pairs) == x.ndim - 2 and data_format[1] != "C":
        pairs = none + pairs[::-1] + none
    else:
        pairs = none * (x.ndim - len(pairs)) + pairs[::-1]
    x = x[
        tuple(slice(max(0, -a), n - max(0, -b)) for n, (a, b) in zip(x.shape, pairs, strict=True))
    ]
    pairs = [(max(a, 0), max(b, 0)) for a, b in pairs]
    if mode == "constant":
        return np.pad(x, pairs, constant_values=value)
    return np.pad(x, pairs, {"reflect": "reflect", "replicate": "edge", "circular": "wrap"}[mode])


def unfold(
    x: Host, kernel_sizes: Any, strides: Any = 1, paddings: Any = 0, dilations: Any = 1
) -> Host:
    (kh, kw), (sh, sw), (dh, dw) = (_each(v, 2) for v in (kernel_sizes, strides, dilations))
    top, left, bottom, right = (
        (list(paddings) * 2)[:4] if isinstance(paddings, list) else [paddings] * 4
    )
    x = np.pad(x, [(0, 0), (0, 0), (top, bottom), (left, right)])
    columns = [
        x[:, :, h : h + dh * (kh - 1) + 1 : dh, w : w + dw * (kw - 1) + 1 : dw]
        for h in range(0, x.shape[2] - dh * (kh - 1), sh)
        for w in range(0, x.shape[3] - dw * (kw - 1), sw)
    ]
    return np.stack([c.reshape(x.shape[0], x.shape[1] * kh * kw) for c in columns], -1)
