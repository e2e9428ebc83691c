# SPDX-License-Identifier: Apache-2.0
"""Losses, as in paddle.nn.functional 3.3.

``reduction``: "mean", "sum" (both 0-d) or "none"; others raise InvalidArgumentError. 16-bit types
are summed in float32. The mean of nothing is NaN. A class out of range raises OutOfRangeError on
the CPU; an accelerator takes the nearest.
"""

from __future__ import annotations

from device_api import _core, dtypes, errors, indexing
from device_api._core import Tensor
from device_api.nn.functional._arrays import apply, cast, check_floating, wide_type
from device_api.nn.functional.common import one_hot
from device_api.reductions import as_axes


def _check_reduction(reduction: str, function: str) -> None:
    if reduction not in ("mean", "sum", "none"):
        raise errors.InvalidArgumentError(
            f"{function}: reduction is {reduction!r}", "give 'mean', 'sum' or 'none'"
        )


def _reduced(loss: Tensor, reduction: str) -> Tensor:
    if reduction == "none":
        return loss
    total = _core.sum(loss)
    return total if reduction == "sum" else _core.divide(total, float(loss.size))


def mse_loss(
    input: Tensor, label: Tensor, reduction: str = "mean", name: str | None = None
) -> Tensor:
    """Return the squares of ``input - label``, floating, reduced; the two broadcast."""
    _check_reduction(reduction, "mse_loss")
    check_floating("mse_loss", input, label)
    work = wide_type(input, label)
    apart = _core.subtract(cast(input, work), cast(label, work))
    return cast(_reduced(_core.multiply(apart, apart), reduction), input.dtype)


def l1_loss(
    input: Tensor, label: Tensor, reduction: str = "mean", name: str | None = None
) -> Tensor:
    """Return ``abs(input - label)``, floating, reduced; the two broadcast."""
    _check_reduction(reduction, "l1_loss")
    check_floating("l1_loss", input, label)
    work = wide_type(input, label)
    apart = _core.abs(_core.subtract(cast(input, work), cast(label, work)))
    return cast(_reduced(apart, reduction), input.dtype)


def nll_loss(
    input: Tensor,
    label: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    name: str | None = None,
) -> Tensor:
    """Return ``-weight[label] * input[label]``: input (N, C, ...) of log-probabilities.

    label: (N, ...) of integers; weight: (C,). Where label is ``ignore_index`` the loss is 0.
    "mean" divides by the sum of the weights that count; 0 where none does.
    """
    _check_reduction(reduction, "nll_loss")
    check_floating("nll_loss", input, weight)
    if input.ndim < 2 or label.shape != (input.shape[0], *input.shape[2:]):
        raise errors.ShapeError(
            f"nll_loss: input {input.shape}, label {label.shape}", "give (N, C, ...) and (N, ...)"
        )
    work = wide_type(input, weight)
    loss, weights = _picked(
        cast(input, work), _core.expand_dims(label, 1), 1, weight, ignore_index, "nll_loss"
    )
    loss, weights = _core.squeeze(loss, 1), _core.squeeze(weights, 1)
    if reduction != "mean":
        return cast(_reduced(loss, reduction), input.dtype)
    return cast(_weighted_mean(loss, weights), input.dtype)


def _picked(
    logs: Tensor, label: Tensor, axis: int, weight: Tensor | None, ignore_index: int, function: str
) -> tuple[Tensor, Tensor]:
    """Return the loss of each sample and its weight, 0 where ignored; the axis has size 1."""
    if label.dtype.kind not in "iu":
        raise errors.DTypeError(
            f"{function}: label is {label.dtype.name}", "give integers, for example int64"
        )
    classes = logs.shape[axis]
    if weight is not None and weight.shape != (classes,):
        raise errors.ShapeError(
            f"{function}: weight {weight.shape} for {classes} classes", "give one per class"
        )
    wide_label = cast(label, dtypes.int64)
    counts = _core.not_equal(wide_label, ignore_index)
    index = _core.where(counts, wide_label, _core.full((), 0, dtypes.int64, label.device))
    zero = _core.full((), 0, logs.dtype, logs.device)
    if label.size == 0:
        nothing = _core.full(label.shape, 0, logs.dtype, logs.device)
        return nothing, nothing
    _check_classes(index, classes, function)
    loss = _core.negative(indexing.take_along_axis(logs, index, axis=axis))
    if weight is None:
        weights = _core.astype(counts, logs.dtype)
    else:
        chosen = indexing.take(cast(weight, logs.dtype), index, axis=0)
        weights = _core.where(counts, chosen, zero)
        loss = _core.multiply(loss, weights)
    return _core.where(counts, loss, zero), weights


def _check_classes(index: Tensor, classes: int, function: str) -> None:
    """Raise OutOfRangeError for classes of a CPU array out of range, and where there are none."""
    if classes == 0:
        raise errors.OutOfRangeError(f"{function}: input has no classes", "give one class or more")
    if index.device.type != "cpu":
        return
    host = index.numpy()
    low, high = int(host.min()), int(host.max())
    if low < 0 or high >= classes:
        raise errors.OutOfRangeError(
            f"{function}: label {low if low < 0 else high} for {classes} classes",
            f"give classes from 0 to {classes - 1}, or ignore_index",
        )


def _weighted_mean(loss: Tensor, weights: Tensor) -> Tensor:
    total = _core.sum(weights)
    one = _core.full((), 1, total.dtype, total.device)
    return _core.divide(_core.sum(loss), _core.where(_core.equal(total, 0.0), one, total))


def cross_entropy(
    input: Tensor,
    label: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    soft_label: bool = False,
    axis: int = -1,
    use_softmax: bool = True,
    label_smoothing: float = 0.0,
    name: str | None = None,
) -> Tensor:
    """Return the cross entropy of input's softmax along an axis and label.

    input: logits, or probabilities with ``use_softmax=False``. label: integers of input's shape
    without the axis, or with size 1 there; or with ``soft_label`` probabilities of input's shape.
    ``label_smoothing`` e makes labels ``(1 - e) * label + e / classes``. weight: (classes,);
    a soft label weighs by its mean. Where label is ``ignore_index`` the loss is 0.

    "none" keeps the axis with size 1, unless label is of integers without it and not smoothed.
    "mean" divides, as in Paddle, by the sum of the weights that count if there is a weight, else
    by the labels not ignored if ignore_index is 0 or more, else by the number of samples, ignored
    ones included; 0 where the divisor is 0. NaN of an empty input.
    """
    _check_reduction(reduction, "cross_entropy")
    check_floating("cross_entropy", input, weight)
    (along,) = as_axes(axis, input.ndim)
    _check_label(input, label, along, soft_label, ignore_index, label_smoothing)
    work = wide_type(input, weight)
    given = cast(input, work)
    logs = apply("log_softmax", [given], [along]) if use_softmax else _core.log(given)
    squeezed = label.ndim < input.ndim
    if soft_label or label_smoothing > 0:
        soft = _soft(label, input, along, label_smoothing, work)
        loss, weights = _soft_loss(logs, soft, along, weight)
        squeezed, counted = False, weight is not None
    else:
        hard = _core.expand_dims(label, along) if squeezed else label
        loss, weights = _picked(logs, hard, along, weight, ignore_index, "cross_entropy")
        counted = weight is not None or ignore_index >= 0
    if reduction == "none":
        return cast(_core.squeeze(loss, along) if squeezed else loss, input.dtype)
    if reduction == "mean" and counted and input.size:
        return cast(_weighted_mean(loss, weights), input.dtype)
    return cast(_reduced(loss, reduction), input.dtype)


def _check_label(
    input: Tensor, label: Tensor, axis: int, soft: bool, ignore_index: int, smoothing: float
) -> None:
    inner = tuple(n for i, n in enumerate(input.shape) if i != axis)
    kept = tuple(1 if i == axis else n for i, n in enumerate(input.shape))
    allowed = {input.shape} if soft else {inner, kept}
    if smoothing > 0:
        allowed |= {input.shape, inner, kept}
    if label.shape not in allowed:
        raise errors.ShapeError(
            f"cross_entropy: input {input.shape}, label {label.shape}, axis {axis}",
            f"give a label of shape {' or '.join(map(str, sorted(allowed)))}",
        )
    if (soft and ignore_index > 0) or not 0 <= smoothing <= 1:
        raise errors.InvalidArgumentError(
            f"cross_entropy: ignore_index {ignore_index}, label_smoothing {smoothing}",
            "ignore_index is for integer labels; label_smoothing is from 0 to 1",
        )


def _soft(label: Tensor, input: Tensor, axis: int, smoothing: float, work: dtypes.DType) -> Tensor:
    """Return labels as probabilities of input's shape."""
    classes = input.shape[axis]
    if label.shape != input.shape:
        flat = label if label.ndim < input.ndim else _core.squeeze(label, axis)
        order = list(range(flat.ndim))
        order.insert(axis, flat.ndim)
        label = _core.permute_dims(one_hot(flat, classes), order)
    soft = cast(label, work)
    if smoothing > 0:
        soft = _core.add(_core.multiply(soft, 1 - smoothing), smoothing / max(classes, 1))
    return soft


def _soft_loss(
    logs: Tensor, soft: Tensor, axis: int, weight: Tensor | None
) -> tuple[Tensor, Tensor]:
    loss = _core.negative(_core.sum(_core.multiply(soft, logs), axis=axis, keepdims=True))
    if weight is None:
        return loss, loss
    shape = [1] * logs.ndim
    shape[axis] = weight.size
    each = _core.reshape(cast(weight, logs.dtype), shape)
    weights = _core.sum(_core.multiply(soft, each), axis=axis, keepdims=True)
    return _core.multiply(loss, weights), weights
