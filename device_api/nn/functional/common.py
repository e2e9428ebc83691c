# SPDX-License-Identifier: Apache-2.0
"""linear, embedding, one_hot, dropout, cosine_similarity and unfold of paddle.nn.functional 3.3."""

from __future__ import annotations

import math
from collections.abc import Sequence

from device_api import _core, dtypes, errors, indexing, random
from device_api._core import Tensor
from device_api.creation import as_shape
from device_api.nn.functional._arrays import (
    cast,
    check_floating,
    check_rank,
    common_type,
    is_whole,
    numbers,
    real,
    wide,
    wide_type,
)
from device_api.nn.functional._windows import Sizes, window_view, windows
from device_api.nn.functional.norm import norm_along
from device_api.reductions import as_axes


def linear(
    x: Tensor, weight: Tensor, bias: Tensor | None = None, name: str | None = None
) -> Tensor:
    """Return ``x @ weight + bias``: (..., in) by (in, out) gives (..., out), in x's type.

    The weight is (in, out), as in Paddle; bias (out,). ShapeError where sizes differ.
    """
    check_floating("linear", x, weight, bias)
    if weight.ndim != 2 or x.ndim < 1 or x.shape[-1] != weight.shape[0]:
        raise errors.ShapeError(
            f"linear: x {x.shape} and weight {weight.shape}", "give (..., in) and (in, out)"
        )
    if bias is not None and bias.shape not in ((weight.shape[1],), (1,)):
        raise errors.ShapeError(
            f"linear: bias {bias.shape} for weight {weight.shape}", "give the bias shape (out,)"
        )
    work = common_type(x, weight, bias)
    y = _core.matmul(cast(x, work), cast(weight, work))
    return cast(y if bias is None else _core.add(y, cast(bias, work)), x.dtype)


def embedding(
    x: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    sparse: bool = False,
    scale_grad_by_freq: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return rows of weight: x (...) of integers, weight (n, size) gives (..., size).

    ``padding_idx``, from -n on: where x is that row, zeros. ``max_norm``: rows that are asked for
    and have a larger norm (of order ``norm_type``) are first scaled to it, in weight itself.
    ``sparse`` and ``scale_grad_by_freq`` are about gradients and have no effect. Numbers of x out
    of range raise OutOfRangeError on the CPU; an accelerator takes the nearest row. Of a weight
    without rows every number is out of range, on every device.
    """
    check_rank(weight, 2, "embedding", "weight")
    _check_integers(x, "embedding")
    rows = weight.shape[0]
    if rows == 0 and x.size:
        raise errors.OutOfRangeError(
            f"embedding: {x.size} numbers for a weight without rows",
            "give a weight of one row or more",
            op="embedding",
        )
    if padding_idx is not None and not -rows <= padding_idx < rows:
        raise errors.InvalidArgumentError(
            f"embedding: padding_idx {padding_idx} for {rows} rows",
            f"give a number from {-rows} to {rows - 1}" if rows else "leave padding_idx out",
        )
    _check_range(x, rows, "embedding")
    if max_norm and weight.size:
        _limit_rows(weight, x, max_norm, norm_type)
    if weight.size == 0 or x.size == 0:
        return _core.full((*x.shape, weight.shape[1]), 0, weight.dtype, weight.device)
    y = indexing.take(weight, x, axis=0)
    if padding_idx is None:
        return y
    here = _core.expand_dims(_core.equal(x, padding_idx % rows), x.ndim)
    return _core.where(here, _core.full((), 0, y.dtype, y.device), y)


def _limit_rows(weight: Tensor, x: Tensor, max_norm: float, norm_type: float) -> None:
    check_floating("embedding", weight)
    work = wide(weight)
    size = norm_along(work, real(norm_type, "norm_type", "embedding"), 1)
    scale = _core.divide(max_norm, _core.add(size, 1e-7))
    flat = cast(_core.reshape(x, (x.size,)), dtypes.int64)
    ones = _core.full((x.size,), 1.0, dtypes.float32, x.device)
    none = _core.full((weight.shape[0],), 0.0, dtypes.float32, x.device)
    asked = _core.expand_dims(_core.greater(_core.index_accumulate(none, flat, ones, 0), 0.0), 1)
    large = _core.logical_and(asked, _core.greater(size, max_norm))
    limited = _core.where(large, _core.multiply(work, scale), work)
    _core.copyto(weight, cast(limited, weight.dtype))


def _check_integers(x: Tensor, function: str) -> None:
    if x.dtype.kind not in "iu":
        raise errors.DTypeError(
            f"{function}: x is {x.dtype.name}", "give integers, for example int64", op=function
        )


def _check_range(x: Tensor, count: int, function: str) -> None:
    """Raise OutOfRangeError for numbers of a CPU array that are not in 0 .. count - 1."""
    if x.device.type != "cpu" or x.size == 0:
        return
    host = x.numpy()
    if int(host.min()) < 0 or int(host.max()) >= count:
        raise errors.OutOfRangeError(
            f"{function}: numbers from {host.min()} to {host.max()}, of {count}",
            f"give numbers from 0 to {count - 1}",
        )


def one_hot(x: Tensor, num_classes: int = -1, name: str | None = None) -> Tensor:
    """Return float32 of shape (..., num_classes): 1 at the place that x (integers) says, else 0.

    ``num_classes=-1``: the largest number plus 1, which waits for x. Numbers out of range raise
    OutOfRangeError on the CPU and give zeros on an accelerator.
    """
    _check_integers(x, "one_hot")
    if num_classes == -1:
        num_classes = int(_core.max(x)) + 1 if x.size else 0
    if not is_whole(num_classes) or num_classes < 0 or (num_classes == 0 and x.size):
        raise errors.InvalidArgumentError(
            f"one_hot: num_classes is {num_classes}", "give a number from 1 on, or -1"
        )
    as_shape((*x.shape, num_classes))  # raises ShapeError for more than an array can have
    _check_range(x, num_classes, "one_hot")
    places = _core.iota(num_classes, 0, 1, dtypes.int64, x.device)
    hit = _core.equal(_core.expand_dims(cast(x, dtypes.int64), x.ndim), places)
    return _core.astype(hit, dtypes.float32)


def dropout(
    x: Tensor,
    p: float = 0.5,
    axis: int | Sequence[int] | None = None,
    training: bool = True,
    inplace: bool = False,
    mode: str = "upscale_in_train",
    name: str | None = None,
) -> Tensor:
    """Return x with elements set to 0, each with probability p, by ``device_api.random``.

    ``axis``: whole slices over the other axes are dropped together. ``mode``:
    "upscale_in_train" divides what stays by 1 - p and leaves x alone outside training;
    "downscale_in_infer" keeps it, and outside training multiplies by 1 - p. p = 0 returns x.
    InvalidArgumentError for a p outside 0 .. 1 and for other modes.
    """
    if not 0 <= p <= 1 or mode not in ("upscale_in_train", "downscale_in_infer"):
        raise errors.InvalidArgumentError(
            f"dropout: p {p}, mode {mode!r}",
            "give a p from 0 to 1, and the mode 'upscale_in_train' or 'downscale_in_infer'",
        )
    check_floating("dropout", x)
    if p == 0:
        return x
    y = _dropped(x, p, axis, training, mode == "upscale_in_train")
    if not inplace:
        return y
    _core.copyto(x, y)
    return x


def _dropped(
    x: Tensor, p: float, axis: int | Sequence[int] | None, training: bool, upscale: bool
) -> Tensor:
    if not training:
        return _core.copy(x) if upscale else _core.multiply(x, 1 - p)
    axes = as_axes(axis, x.ndim)
    shape = tuple(n if i in axes else 1 for i, n in enumerate(x.shape))
    keep = _core.greater_equal(random.rand(shape, dtype=dtypes.float32, device=x.device), p)
    kept = _core.multiply(x, 1 / (1 - p)) if upscale and p < 1 else x
    zero = _core.full((), 0, x.dtype, x.device)
    return _core.where(_core.broadcast_to(keep, x.shape), kept, zero)


def cosine_similarity(x1: Tensor, x2: Tensor, axis: int = 1, eps: float = 1e-08) -> Tensor:
    """Return ``sum(x1 * x2) / sqrt(max(sum(x1^2) * sum(x2^2), eps^2))`` along an axis.

    The other axes broadcast; the axis is left out of the result. An empty axis gives 0.
    """
    check_floating("cosine_similarity", x1, x2)
    as_axes(axis, x1.ndim)
    as_axes(axis, x2.ndim)
    work, kind = wide_type(x1, x2), common_type(x1, x2)
    a, b = cast(x1, work), cast(x2, work)
    product = _core.multiply(a, b)
    (along,) = as_axes(axis, product.ndim)
    both = _core.sum(product, axis=along)
    if x1.shape[axis] == 0 or x2.shape[axis] == 0:
        return cast(both, kind)
    squares = [_core.multiply(v, v) for v in (a, b)]
    size = max(x1.shape[axis], x2.shape[axis])
    lengths = [
        _core.multiply(_core.sum(v, axis=axis), float(size // v.shape[axis])) for v in squares
    ]
    below = _core.sqrt(_core.maximum(_core.multiply(*lengths), eps * eps))
    return cast(_core.divide(both, below), kind)


def unfold(
    x: Tensor,
    kernel_sizes: Sizes,
    strides: Sizes = 1,
    paddings: Sizes = 0,
    dilations: Sizes = 1,
    name: str | None = None,
) -> Tensor:
    """Return the windows of (N, C, H, W) as columns: (N, C * h * w, positions).

    ``paddings``: an integer, (height, width) or (top, left, bottom, right), as in Paddle.
    ShapeError where no window fits.
    """
    check_floating("unfold", x)
    check_rank(x, 4, "unfold")
    if not isinstance(paddings, int) and len(paddings) == 4:
        top, left, bottom, right = paddings
        paddings = (top, bottom, left, right)
    elif not isinstance(paddings, int):
        paddings = numbers(paddings, 2, "paddings", "unfold", low=0)
    w = windows(x.shape[2:], kernel_sizes, strides, paddings, dilations, function="unfold")
    view = _core.permute_dims(window_view(x, w, 0.0), (0, 1, 4, 5, 2, 3))
    rows = x.shape[1] * math.prod(w.window)
    y = _core.reshape(view, (x.shape[0], rows, math.prod(w.positions)))
    return _core.copy(y) if _shares(y, w.window) else y


def _shares(y: Tensor, window: tuple[int, ...]) -> bool:
    """Tell whether reshaping may have given a view: only windows of one element allow that."""
    return math.prod(window) == 1 or y.size == 0
