# SPDX-License-Identifier: Apache-2.0
"""Convolutions, pools, resizing and padding by PyTorch in float64, called as PaddlePaddle's."""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F
from nn.cases import Host
from nn.torch_reference import back, first, tensor


def _each(value: Any, count: int) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value] * count


def _pairs(padding: Any, sizes: Any, window: Any, stride: Any, last: bool) -> list[Any]:
    if padding == "VALID":
        return [(0, 0)] * len(sizes)
    if padding == "SAME":  # of PyTorch only with stride 1
        totals = [
            max(((n + s - 1) // s - 1) * s + k - n, 0)
            for n, k, s in zip(sizes, window, stride, strict=True)
        ]
        return [(t // 2, t - t // 2) for t in totals]
    given = _each(padding, len(sizes))
    if isinstance(given[0], list | tuple):
        return [tuple(p) for p in (given[1:-1] if last else given[2:])]
    if len(given) == 2 * len(sizes):
        return list(zip(given[::2], given[1::2], strict=True))
    return [(p, p) for p in given]


def _padded(x: Any, pairs: list[Any], value: float = 0.0) -> Any:
    return F.pad(x, [n for pair in pairs[::-1] for n in pair], value=value)


def _conv(
    x: Host, weight: Host, bias: Any = None, stride: Any = 1, padding: Any = 0,
    dilation: Any = 1, groups: int = 1, data_format: str = "NCHW",
) -> Host:  # fmt: skip
    last = data_format[1] != "C"
    given = first(x, last)
    n = given.ndim - 2
    stride, dilation = _each(stride, n), 1 if padding == "SAME" else dilation
    given = _padded(given, _pairs(padding, given.shape[2:], weight.shape[2:], stride, last))
    call = (F.conv1d, F.conv2d, F.conv3d)[n - 1]
    return back(call(given, tensor(weight), tensor(bias), stride, 0, dilation, groups), last)


conv1d = conv2d = conv3d = _conv


def conv2d_transpose(
    x: Host, weight: Host, bias: Any = None, stride: Any = 1, padding: Any = 0,
    output_padding: Any = 0, dilation: Any = 1, groups: int = 1, output_size: Any = None,
    data_format: str = "NCHW",
) -> Host:  # fmt: skip
    last = data_format == "NHWC"
    given = first(x, last)
    if output_size is not None:
        plain = F.conv_transpose2d(
            given, tensor(weight), None, stride, padding, 0, groups, dilation
        ).shape[2:]
        output_padding = [n - m for n, m in zip(output_size, plain, strict=True)]
    y = F.conv_transpose2d(
        given, tensor(weight), tensor(bias), stride, padding, output_padding, groups, dilation
    )
    return back(y, last)


def _max_pool(
    x: Host, kernel_size: Any, stride: Any = None, padding: Any = 0, return_mask: bool = False,
    ceil_mode: bool = False, data_format: str = "NCHW",
) -> Any:  # fmt: skip
    last = data_format == "NHWC"
    given = first(x, last)
    n = given.ndim - 2
    if padding == "SAME":
        pairs = _pairs(padding, given.shape[2:], _each(kernel_size, n), _each(stride, n), last)
        given, padding = _padded(given, pairs, float("-inf")), 0
    call = (F.max_pool1d, F.max_pool2d)[n - 1]
    if return_mask:
        y, mask = call(given, kernel_size, stride, padding, 1, ceil_mode, True)
        return y.numpy(), mask.numpy()
    return back(call(given, kernel_size, stride, padding, 1, ceil_mode), last)


max_pool1d = max_pool2d = _max_pool


def avg_pool1d(
    x: Host, kernel_size: Any, stride: Any = None, padding: Any = 0, exclusive: bool = True,
    ceil_mode: bool = False,
) -> Host:  # fmt: skip
    return F.avg_pool1d(tensor(x), kernel_size, stride, padding, ceil_mode, not exclusive).numpy()


def avg_pool2d(
    x: Host, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
    exclusive: bool = True, divisor_override: Any = None, data_format: str = "NCHW",
) -> Host:  # fmt: skip
    last = data_format == "NHWC"
    given = first(x, last)
    if padding == "SAME":  # sums of x and of ones
        pairs = _pairs(padding, given.shape[2:], _each(kernel_size, 2), _each(stride, 2), last)
        parts = [_padded(a, pairs) for a in (given, torch.ones_like(given))]
        total, number = (F.avg_pool2d(a, kernel_size, stride) for a in parts)
        return back(total / number, last)
    y = F.avg_pool2d(
        given, kernel_size, stride, padding, ceil_mode, not exclusive, divisor_override
    )
    return back(y, last)


def adaptive_avg_pool1d(x: Host, output_size: Any) -> Host:
    return F.adaptive_avg_pool1d(tensor(x), output_size).numpy()


def adaptive_avg_pool2d(x: Host, output_size: Any, data_format: str = "NCHW") -> Host:
    last = data_format == "NHWC"
    return back(F.adaptive_avg_pool2d(first(x, last), output_size), last)


def _adaptive_max(x: Host, output_size: Any, return_mask: bool = False) -> Any:
    call = F.adaptive_max_pool1d if x.ndim == 3 else F.adaptive_max_pool2d
    y, mask = call(tensor(x), output_size, return_indices=True)
    return (y.numpy(), mask.numpy()) if return_mask else y.numpy()


adaptive_max_pool1d = adaptive_max_pool2d = _adaptive_max


def interpolate(
    x: Host, size: Any = None, scale_factor: Any = None, mode: str = "nearest",
    align_corners: bool = False, align_mode: int = 0, data_format: str = "NCHW",
    recompute_scale_factor: bool | None = None,
) -> Host:  # fmt: skip
    last = data_format[1] != "C"
    given = first(x, last)
    if align_mode == 1:  # PyTorch has no such positions: as a matrix for each axis
        return _by_positions(given, size).numpy()
    corners = align_corners if mode not in ("nearest", "area") else None
    scale = scale_factor if scale_factor is None else _each(scale_factor, given.ndim - 2)
    y = F.interpolate(given, size, scale, mode, corners, recompute_scale_factor)
    return back(y, last)


def _by_positions(x: Any, size: Any) -> Any:
    for axis, n in enumerate(size, start=2):
        m = x.shape[axis]
        places = torch.arange(n, dtype=torch.float64) * m / n
        distance = (places.clamp(max=m - 1)[:, None] - torch.arange(m)).abs()
        x = torch.tensordot((1 - distance).clamp(min=0), x, ([1], [axis])).movedim(0, axis)
    return x


def pad(
    x: Host, pad: Any, mode: str = "constant", value: float = 0.0, data_format: str = "NCHW",
    pad_from_left_axis: bool = True,
) -> Host:  # fmt: skip
    spatial = len(pad) == 2 * (x.ndim - 2)
    given = list(pad)
    if spatial and data_format[1] != "C":
        return back(F.pad(first(x, True), given, mode, value if mode == "constant" else None), True)
    if len(pad) == 2 * x.ndim and pad_from_left_axis:  # PyTorch's order: from the last axis on
        given = [n for i in range(x.ndim - 1, -1, -1) for n in given[2 * i : 2 * i + 2]]
    if x.size == 0:  # PyTorch refuses an empty batch here
        return F.pad(tensor(x), given).numpy()
    return F.pad(tensor(x), given, mode, value if mode == "constant" else None).numpy()


def unfold(
    x: Host, kernel_sizes: Any, strides: Any = 1, paddings: Any = 0, dilations: Any = 1
) -> Host:
    given = tensor(x)
    if isinstance(paddings, list):
        top, left, bottom, right = (paddings * 2)[:4]
        given, paddings = F.pad(given, [left, right, top, bottom]), 0
    return F.unfold(given, kernel_sizes, dilations, paddings, strides).numpy()
