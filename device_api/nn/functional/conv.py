# SPDX-License-Identifier: Apache-2.0
"""Convolutions, as in paddle.nn.functional 3.3 (the window is not mirrored).

x: (N, C, *sizes), or (N, *sizes, C) by ``data_format``; weight: (O, C / groups, *window) in
either case; bias: (O,). Floating; the result has the type of x. ``padding``: an integer, one per
dimension, before and after of each dimension in one list, a pair per axis of x, ``"VALID"``, or
``"SAME"``, with which the dilation counts as 1. What lies outside x counts as 0. ShapeError where
no window fits, or channels and groups do not fit the weight.
"""

from __future__ import annotations

from device_api import _core, errors
from device_api._core import Tensor
from device_api.creation import as_shape
from device_api.nn.functional._arrays import (
    apply,
    cast,
    channels_first,
    channels_last,
    check_floating,
    check_rank,
    common_type,
    is_channel_last,
    numbers,
    per_channel,
    wide_type,
)
from device_api.nn.functional._windows import Padding, Sizes, resolved_padding, windows


def conv1d(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Sizes = 1,
    padding: Padding = 0,
    dilation: Sizes = 1,
    groups: int = 1,
    data_format: str = "NCL",
    name: str | None = None,
) -> Tensor:
    """Return the convolution over one dimension: (N, O, positions), or by "NLC" (N, positions, O).

    See the module for parameters and errors.
    """
    last = is_channel_last(data_format, "NCL", "NLC", "conv1d")
    return _conv("conv1d", x, weight, bias, stride, padding, dilation, groups, last)


def conv2d(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Sizes = 1,
    padding: Padding = 0,
    dilation: Sizes = 1,
    groups: int = 1,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Tensor:
    """Return the convolution over two dimensions; data_format "NCHW" or "NHWC".

    See the module for shapes, parameters and errors.
    """
    last = is_channel_last(data_format, "NCHW", "NHWC", "conv2d")
    return _conv("conv2d", x, weight, bias, stride, padding, dilation, groups, last)


def conv3d(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Sizes = 1,
    padding: Padding = 0,
    dilation: Sizes = 1,
    groups: int = 1,
    data_format: str = "NCDHW",
    name: str | None = None,
) -> Tensor:
    """Return the convolution over three dimensions; data_format "NCDHW" or "NDHWC".

    See the module for shapes, parameters and errors.
    """
    last = is_channel_last(data_format, "NCDHW", "NDHWC", "conv3d")
    return _conv("conv3d", x, weight, bias, stride, padding, dilation, groups, last)


def _conv(
    function: str,
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Sizes,
    padding: Padding,
    dilation: Sizes,
    groups: int,
    last: bool,
) -> Tensor:
    count = int(function[4])  # of conv1d, conv2d, conv3d
    check_floating(function, x, weight, bias)
    check_rank(x, count + 2, function)
    check_rank(weight, count + 2, function, "weight")
    first = channels_first(x) if last else x
    _check_groups(function, first.shape[1], weight.shape[0], weight.shape[1], groups)
    w = windows(
        first.shape[2:], weight.shape[2:], stride, padding, dilation,
        channel_last=last, function=function,
    )  # fmt: skip
    work = common_type(x, weight)
    shape = (first.shape[0], weight.shape[0], *w.positions)
    if weight.shape[1] == 0:
        y = _core.full(shape, 0, work, x.device)
    else:
        attributes = [*w.attributes("stride", "before", "dilation"), groups]
        y = apply("convolution", [cast(first, work), cast(weight, work)], attributes, shape)
    return _finished(y, bias, x, last, function)


def _check_groups(function: str, channels: int, filters: int, per_group: int, groups: int) -> None:
    if groups < 1 or channels != per_group * groups or filters % groups:
        raise errors.ShapeError(
            f"{function}: {channels} channels in {groups} groups, weight for {per_group} channels "
            f"each and {filters} results",
            "groups must divide both, and weight have shape (O, C / groups, ...)",
            op=function,
        )


def _finished(y: Tensor, bias: Tensor | None, x: Tensor, last: bool, function: str) -> Tensor:
    if bias is not None:
        if bias.shape != (y.shape[1],):
            raise errors.ShapeError(
                f"{function}: bias of shape {bias.shape}", f"give it the shape ({y.shape[1]},)"
            )
        work = common_type(y, bias)
        y = _core.add(cast(y, work), per_channel(cast(bias, work), y.ndim, 1))
    y = cast(y, x.dtype)
    return channels_last(y) if last else y


def conv2d_transpose(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Sizes = 1,
    padding: Padding = 0,
    output_padding: Sizes = 0,
    dilation: Sizes = 1,
    groups: int = 1,
    output_size: Sizes | None = None,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Tensor:
    """Return the transposed convolution over two dimensions: conv2d's map from result to input.

    x: (N, C, H, W) or, by "NHWC", (N, H, W, C); weight: (C, O / groups, h, w); bias: (O,). A side
    of the result is ``(size - 1) * stride - before - after + dilation * (window - 1) + 1``, plus
    ``output_padding``, which is below the larger of stride and dilation; or ``output_size``, from
    that side on, less than a stride above it. InvalidArgumentError for others or for both,
    ShapeError for a negative side; one of 0 is an empty array.
    """
    function = "conv2d_transpose"
    last = is_channel_last(data_format, "NCHW", "NHWC", function)
    check_floating(function, x, weight, bias)
    check_rank(x, 4, function)
    check_rank(weight, 4, function, "weight")
    first = channels_first(x) if last else x
    if groups < 1 or first.shape[1] != weight.shape[0] or weight.shape[0] % groups:
        raise errors.ShapeError(
            f"{function}: {first.shape[1]} channels in {groups} groups, weight {weight.shape}",
            "groups must divide the channels, and weight have shape (C, O / groups, h, w)",
        )
    steps = numbers(stride, 2, "stride", function)
    spread = numbers(dilation, 2, "dilation", function)
    if isinstance(padding, str) and padding.upper() == "SAME":
        spread = (1, 1)
    pairs = resolved_padding(padding, first.shape[2:], weight.shape[2:], steps, last, function)
    full = [
        (n - 1) * s + d * (k - 1) + 1
        for n, s, d, k in zip(first.shape[2:], steps, spread, weight.shape[2:], strict=True)
    ]
    plain = [n - sum(pair) for n, pair in zip(full, pairs, strict=True)]
    extra = _extra(plain, output_padding, output_size, steps, spread)
    sizes = [
        max(pair[0] + n + e, m) for pair, n, e, m in zip(pairs, plain, extra, full, strict=True)
    ]
    if min(n + e for n, e in zip(plain, extra, strict=True)) < 0:
        raise errors.ShapeError(f"{function}: padding {pairs} takes more than the {full} there are",
                                "use less padding")  # fmt: skip
    y = _spread_out(first, weight, steps, spread, groups, sizes)
    top, left = pairs[0][0], pairs[1][0]
    y = y[:, :, top : top + plain[0] + extra[0], left : left + plain[1] + extra[1]]
    return _finished(y, bias, x, last, function)


def _extra(
    plain: list[int],
    output_padding: Sizes,
    output_size: Sizes | None,
    stride: tuple[int, ...],
    dilation: tuple[int, ...],
) -> tuple[int, ...]:
    """Return how many elements the result has more than the formula says, per side."""
    function = "conv2d_transpose"
    extra = numbers(output_padding, 2, "output_padding", function, low=0)
    limits = [max(s, d) for s, d in zip(stride, dilation, strict=True)]
    if output_size is not None:
        if any(extra):
            raise errors.InvalidArgumentError(
                f"{function}: output_padding and output_size", "give one of them"
            )
        wanted = numbers(output_size, 2, "output_size", function, low=0)
        extra = tuple(n - m for n, m in zip(wanted, plain, strict=True))
        limits = list(stride)
    if not all(0 <= e < limit for e, limit in zip(extra, limits, strict=True)):
        raise errors.InvalidArgumentError(
            f"{function}: {extra} elements more than {tuple(plain)}",
            f"output_padding, or output_size less {tuple(plain)}, must be from 0 on and below "
            f"{tuple(limits)}",
        )
    return extra


def _spread_out(
    x: Tensor,
    weight: Tensor,
    stride: tuple[int, ...],
    dilation: tuple[int, ...],
    groups: int,
    sizes: list[int],
) -> Tensor:
    """Add ``x * weight`` to each position that a window covers; (N, O, *sizes).

    One matrix product gives what every element adds, then each place in the window adds its part.
    """
    batch, channels, high, wide = x.shape
    per_group, (kh, kw) = weight.shape[1], weight.shape[2:]
    work = wide_type(x, weight)
    rows = _core.reshape(cast(weight, work), (groups, channels // groups, per_group * kh * kw))
    columns = _core.reshape(cast(x, work), (batch, groups, channels // groups, high * wide))
    parts = _core.matmul(_core.permute_dims(rows, (0, 2, 1)), columns)
    parts = _core.reshape(parts, (batch, groups * per_group, kh, kw, high, wide))
    y = _core.full(as_shape((batch, groups * per_group, *sizes)), 0, work, x.device)
    for i in range(kh):
        for j in range(kw):
            down = slice(i * dilation[0], i * dilation[0] + (high - 1) * stride[0] + 1, stride[0])
            across = slice(j * dilation[1], j * dilation[1] + (wide - 1) * stride[1] + 1, stride[1])
            place = y[:, :, down, across]
            place += parts[:, :, i, j]
    return y
