# SPDX-License-Identifier: Apache-2.0
"""Normalisation, as in paddle.nn.functional 3.3: layer, RMS, group and batch norm, normalize.

Arrays are floating. Weight and bias may have another floating type than x; the computation then
is in the wider one, the result in x's type. Shapes that do not fit raise ShapeError.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from device_api import _core, errors
from device_api._core import Tensor
from device_api.dtypes import DType
from device_api.nn.functional._arrays import (
    apply,
    cast,
    channels_first,
    channels_last,
    check_floating,
    common_type,
    per_channel,
    real,
    stored,
    wide,
    wide_type,
)
from device_api.reductions import as_axes

_CHANNEL_FIRST = ("NC", "NCL", "NCHW", "NCDHW")
_CHANNEL_LAST = ("NLC", "NHWC", "NDHWC")


def layer_norm(
    x: Tensor,
    normalized_shape: int | Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    epsilon: float = 1e-05,
    name: str | None = None,
) -> Tensor:
    """Return ``(x - mean) / sqrt(var + epsilon) * weight + bias`` over the last axes.

    ``normalized_shape``: the sizes of these axes; ``weight`` and ``bias`` have as many elements.
    """
    check_floating("layer_norm", x, weight, bias)
    n = _joined_size(x, normalized_shape, "layer_norm", weight, bias)
    work = common_type(x, weight, bias)
    parameters = [_parameter(weight, 1, n, x, work), _parameter(bias, 0, n, x, work)]
    y = apply("layer_norm", [_lines(cast(x, work), n), *parameters], [epsilon])
    return _core.reshape(cast(y, x.dtype), x.shape)


def rms_norm(
    input: Tensor,
    normalized_shape: int | Sequence[int],
    weight: Tensor | None = None,
    eps: float = 1e-05,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Return ``x / sqrt(mean(x * x) + eps) * weight`` over the last axes, and the factors.

    Two arrays, as in Paddle: the result, of x's shape and type, and ``1 / sqrt(mean + eps)``,
    rank 1, one for each line of axes that are normalised together, float32 (float64 for float64).
    """
    check_floating("rms_norm", input, weight)
    n = _joined_size(input, normalized_shape, "rms_norm", weight)
    work = common_type(input, weight)
    lines = _lines(cast(input, work), n)
    y = apply("rms_norm", [lines, _parameter(weight, 1, n, input, work)], [eps])
    flat = wide(_core.reshape(lines, (_rows(input, n), n)))
    mean = _core.divide(_core.sum(_core.multiply(flat, flat), axis=-1), float(n))
    factor = _core.divide(1.0, _core.sqrt(_core.add(mean, eps)))
    return _core.reshape(cast(y, input.dtype), input.shape), factor


def _joined_size(
    x: Tensor, normalized_shape: int | Sequence[int], function: str, *parameters: Tensor | None
) -> int:
    shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
    if not shape or x.shape[-len(shape) :] != shape:
        raise errors.ShapeError(
            f"{function}: normalized_shape {shape}, x has shape {x.shape}",
            "give the sizes of the last axes of x",
        )
    n = math.prod(shape)
    for parameter in parameters:
        if parameter is not None and parameter.size != n:
            raise errors.ShapeError(
                f"{function}: a parameter of shape {parameter.shape} for {n} elements",
                f"give weight and bias the shape {shape}",
            )
    return n


def _rows(x: Tensor, n: int) -> int:
    return x.size // n if n else 0


def _lines(x: Tensor, n: int) -> Tensor:
    """Return x with the axes that are normalised together as its last one."""
    return x if x.ndim and x.shape[-1] == n else _core.reshape(x, (_rows(x, n), n))


def _parameter(given: Tensor | None, default: float, n: int, x: Tensor, dtype: DType) -> Tensor:
    if given is None:
        return _core.full((n,), default, dtype, x.device)
    return cast(_core.reshape(given, (n,)), dtype)


def group_norm(
    x: Tensor,
    num_groups: int,
    epsilon: float = 1e-05,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Tensor:
    """Return x normalised over groups of channels and all positions, times weight plus bias.

    x: (N, C, ...) or, by ``data_format`` NLC, NHWC and NDHWC, (N, ..., C); weight, bias: (C,).
    ShapeError where num_groups does not divide C.
    """
    check_floating("group_norm", x, weight, bias)
    last = _is_channel_last(x, data_format, "group_norm")
    first = channels_first(x) if last else x
    batch, channels = first.shape[:2]
    if num_groups < 1 or channels % num_groups:
        raise errors.ShapeError(
            f"group_norm: {channels} channels in {num_groups} groups",
            "give a number of groups that divides the channels",
        )
    work = wide_type(x, weight, bias)
    size = first.size // (batch * num_groups) if batch else 0
    lines = _core.reshape(cast(first, work), (batch, num_groups, size))
    ones, zeros = _parameter(None, 1, size, x, work), _parameter(None, 0, size, x, work)
    y = _core.reshape(apply("layer_norm", [lines, ones, zeros], [epsilon]), first.shape)
    y = cast(_affine(y, weight, bias, 1, work, "group_norm"), x.dtype)
    return channels_last(y) if last else y


def _is_channel_last(x: Tensor, data_format: str, function: str) -> bool:
    if data_format not in _CHANNEL_FIRST + _CHANNEL_LAST:
        raise errors.InvalidArgumentError(
            f"{function}: data_format is {data_format!r}",
            f"give one of {', '.join(_CHANNEL_FIRST + _CHANNEL_LAST)}",
        )
    if x.ndim < 2:
        raise errors.ShapeError(f"{function}: x has shape {x.shape}", "give 2 dimensions or more")
    return data_format in _CHANNEL_LAST


def _affine(
    y: Tensor, weight: Tensor | None, bias: Tensor | None, axis: int, dtype: DType, function: str
) -> Tensor:
    for parameter in (weight, bias):
        if parameter is not None and parameter.size != y.shape[axis]:
            raise errors.ShapeError(
                f"{function}: a parameter of shape {parameter.shape} for {y.shape[axis]} channels",
                "give one element per channel",
            )
    if weight is not None:
        y = _core.multiply(y, per_channel(cast(weight, dtype), y.ndim, axis))
    return y if bias is None else _core.add(y, per_channel(cast(bias, dtype), y.ndim, axis))


def batch_norm(
    x: Tensor,
    running_mean: Tensor,
    running_var: Tensor,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.9,
    epsilon: float = 1e-05,
    data_format: str = "NCHW",
    use_global_stats: bool | None = None,
    name: str | None = None,
) -> Tensor:
    """Return ``(x - mean) / sqrt(var + epsilon) * weight + bias`` per channel.

    x: (N, C, ...), or (N, ..., C) by data_format; the others: (C,). Mean and variance are the
    running ones, or, in training (or with ``use_global_stats=False``), those of the batch; then
    the running ones become ``momentum * running + (1 - momentum) * batch``, in place. As in
    Paddle, the variance divides by the count, and a batch with one element or none per channel
    is returned as it is and leaves the running ones alone.
    """
    check_floating("batch_norm", x, running_mean, running_var, weight, bias)
    axis = x.ndim - 1 if _is_channel_last(x, data_format, "batch_norm") else 1
    for running in (running_mean, running_var):
        if running.shape != (x.shape[axis],):
            raise errors.ShapeError(
                f"batch_norm: running statistics of shape {running.shape}",
                f"give them the shape ({x.shape[axis]},)",
            )
    work = wide_type(x, running_mean, running_var, weight, bias)
    given = cast(x, work)
    of_batch = not use_global_stats if use_global_stats is not None else training
    if of_batch:
        count = x.size // x.shape[axis] if x.shape[axis] else 0
        if count <= 1:
            return _core.copy(x)
        mean, variance = _statistics(given, axis, count)
        _advance(running_mean, mean, momentum, work)
        _advance(running_var, variance, momentum, work)
    else:
        mean, variance = cast(running_mean, work), cast(running_var, work)
    scale = _core.sqrt(_core.add(variance, epsilon))
    y = _core.subtract(given, per_channel(mean, x.ndim, axis))
    y = _core.divide(y, per_channel(scale, x.ndim, axis))
    return cast(_affine(y, weight, bias, axis, work, "batch_norm"), x.dtype)


def _statistics(x: Tensor, axis: int, count: int) -> tuple[Tensor, Tensor]:
    others = tuple(i for i in range(x.ndim) if i != axis)
    mean = _core.divide(_core.sum(x, axis=others), float(count))
    centred = _core.subtract(x, per_channel(mean, x.ndim, axis))
    squares = _core.sum(_core.multiply(centred, centred), axis=others)
    return mean, _core.divide(squares, float(count))


def _advance(running: Tensor, batch: Tensor, momentum: float, work: DType) -> None:
    kept = _core.multiply(cast(running, work), momentum)
    new = _core.add(kept, _core.multiply(batch, 1 - momentum))
    _core.copyto(running, cast(new, running.dtype))


def normalize(
    x: Tensor,
    p: float = 2,
    axis: int = 1,
    epsilon: float = 1e-12,
    out: Tensor | None = None,
    name: str | None = None,
) -> Tensor:
    """Return x over ``max(norm, epsilon)``, the norm of order p along an axis.

    p: 1, 2, another number, 0 (how many are not 0), or an infinity (the largest or smallest).
    """
    check_floating("normalize", x)
    (along,) = as_axes(axis, x.ndim)
    work = wide(x)
    if x.size == 0:
        return stored(_core.copy(x), out)
    size = _core.maximum(norm_along(work, real(p, "p", "normalize"), along), epsilon)
    return stored(cast(_core.divide(work, size), x.dtype), out)


def norm_along(x: Tensor, p: float, axis: int) -> Tensor:
    """Return the norm of order p along an axis, which is kept with size 1."""
    if p == 2:
        return _core.sqrt(_core.sum(_core.multiply(x, x), axis=axis, keepdims=True))
    size = _core.abs(x)
    if math.isinf(p):
        sign = 1.0 if p > 0 else -1.0
        signed = size if p > 0 else _core.negative(size)
        return _core.multiply(_core.max(signed, axis=axis, keepdims=True), sign)
    if p == 0:
        there = _core.astype(_core.not_equal(x, 0.0), x.dtype)
        return _core.sum(there, axis=axis, keepdims=True)
    powers = size if p == 1 else _core.pow(size, p)
    total = _core.sum(powers, axis=axis, keepdims=True)
    return total if p == 1 else _core.pow(total, 1 / p)
