# SPDX-License-Identifier: Apache-2.0
"""The functions of nn.functional by their formulas, in float64 on NumPy; slow and plain."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from nn.cases import Host

_erfc = np.vectorize(math.erfc, otypes=[np.float64])


def relu(x: Host) -> Host:
    return np.where(x < 0, 0.0, x)


def relu6(x: Host) -> Host:
    return np.clip(x, 0, 6)


def leaky_relu(x: Host, negative_slope: float = 0.01) -> Host:
    return np.where(x < 0, negative_slope * x, x)


def elu(x: Host, alpha: float = 1.0) -> Host:
    return np.where(x < 0, alpha * np.expm1(np.minimum(x, 0)), x)


def selu(x: Host, scale: float = 1.0507009873554805, alpha: float = 1.6732632423543772) -> Host:
    return scale * elu(x, alpha)


def gelu(x: Host, approximate: Any = False) -> Host:
    if approximate in (True, "tanh"):
        # (1 + tanh(t)) / 2 = 1 / (1 + exp(-2t)), which does not cancel
        t = math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)
        return _times(x, 1 / (1 + np.exp(-2 * t)))
    return _times(x, _erfc(-x / math.sqrt(2)) / 2)


def _times(x: Host, part: Host) -> Host:
    """Return the product, 0 for -inf times 0."""
    return np.where(np.isneginf(x), 0.0, x * part)


def silu(x: Host) -> Host:
    return _times(x, sigmoid(x))


def mish(x: Host) -> Host:
    return _times(x, np.tanh(np.logaddexp(0, x)))


def sigmoid(x: Host) -> Host:
    return 1 / (1 + np.exp(-x))


def hardswish(x: Host) -> Host:
    return x * np.clip(x + 3, 0, 6) / 6


def hardsigmoid(x: Host, slope: float = 0.1666667, offset: float = 0.5) -> Host:
    return np.clip(slope * x + offset, 0, 1)


def softplus(x: Host, beta: float = 1, threshold: float = 20) -> Host:
    return np.where(beta * x > threshold, x, np.logaddexp(0, beta * x) / beta)


def softmax(x: Host, axis: int = -1) -> Host:
    return np.exp(log_softmax(x, axis))


def log_softmax(x: Host, axis: int = -1) -> Host:
    if x.ndim == 0:
        return log_softmax(x.reshape(1)).reshape(())
    if x.size == 0:
        return x
    apart = x - x.max(axis, keepdims=True)
    return apart - np.log(np.exp(apart).sum(axis, keepdims=True))


def layer_norm(
    x: Host, normalized_shape: Any, weight: Any = None, bias: Any = None, epsilon: float = 1e-5
) -> Host:
    axes = tuple(range(-np.size(normalized_shape), 0))
    y = _standard(x, axes, epsilon)
    return y * (1 if weight is None else weight) + (0 if bias is None else bias)


def _standard(x: Host, axes: tuple[int, ...], epsilon: float) -> Host:
    if x.size == 0:
        return x
    mean, var = x.mean(axes, keepdims=True), x.var(axes, keepdims=True)
    return (x - mean) / np.sqrt(var + epsilon)


def rms_norm(
    input: Host, normalized_shape: Any, weight: Any = None, eps: float = 1e-5
) -> tuple[Host, Host]:
    n = int(np.prod(normalized_shape))
    lines = input.reshape(input.size // n, n)  # no -1, which an empty array does not allow
    factor = 1 / np.sqrt((lines**2).mean(1) + eps)
    y = lines * factor[:, None] * (1 if weight is None else weight.reshape(n))
    return y.reshape(input.shape), factor


def group_norm(
    x: Host, num_groups: int, epsilon: float = 1e-5, weight: Any = None, bias: Any = None,
    data_format: str = "NCHW",
) -> Host:  # fmt: skip
    if data_format[1] != "C":
        first = np.moveaxis(x, -1, 1)
        return np.moveaxis(group_norm(first, num_groups, epsilon, weight, bias), 1, -1)
    if x.size == 0:
        return x
    y = _standard(x.reshape(x.shape[0], num_groups, -1), (-1,), epsilon).reshape(x.shape)
    return _affine(y, weight, bias, 1)


def _affine(y: Host, weight: Any, bias: Any, axis: int) -> Host:
    shape = [1] * y.ndim
    shape[axis] = -1
    y = y if weight is None else y * weight.reshape(shape)
    return y if bias is None else y + bias.reshape(shape)


def batch_norm(
    x: Host, running_mean: Host, running_var: Host, weight: Any = None, bias: Any = None,
    training: bool = False, momentum: float = 0.9, epsilon: float = 1e-5,
    data_format: str = "NCHW", use_global_stats: bool | None = None,
) -> Host:  # fmt: skip
    axis = 1 if data_format[1] == "C" else x.ndim - 1
    others = tuple(i for i in range(x.ndim) if i != axis)
    mean, var = running_mean, running_var
    if training if use_global_stats is None else not use_global_stats:
        mean, var = x.mean(others), x.var(others)
        running_mean[:] = momentum * running_mean + (1 - momentum) * mean
        running_var[:] = momentum * running_var + (1 - momentum) * var
    y = _affine(x, 1 / np.sqrt(var + epsilon), -mean / np.sqrt(var + epsilon), axis)
    return _affine(y, weight, bias, axis)


def normalize(x: Host, p: float = 2, axis: int = 1, epsilon: float = 1e-12) -> Host:
    return x / np.maximum(np.linalg.norm(x, p, axis, keepdims=True), epsilon) if x.size else x


def linear(x: Host, weight: Host, bias: Any = None) -> Host:
    return x @ weight + (0 if bias is None else bias)


def embedding(
    x: Host, weight: Host, padding_idx: int | None = None, max_norm: float | None = None
) -> Host:
    if max_norm is not None:
        for row in set(x.ravel().tolist()):
            size = np.linalg.norm(weight[row])
            weight[row] *= max_norm / (size + 1e-7) if size > max_norm else 1
    y = weight[x]
    if padding_idx is not None:
        y[x == padding_idx % len(weight)] = 0
    return y


def one_hot(x: Host, num_classes: int = -1) -> Host:
    return np.eye(x.max() + 1 if num_classes == -1 else num_classes)[x]


def cosine_similarity(x1: Host, x2: Host, axis: int = 1, eps: float = 1e-8) -> Host:
    below = (x1**2).sum(axis) * (x2**2).sum(axis)
    return (x1 * x2).sum(axis) / np.sqrt(np.maximum(below, eps * eps))


def nll_loss(
    input: Host, label: Host, weight: Any = None, ignore_index: int = -100,
    reduction: str = "mean",
) -> Host:  # fmt: skip
    loss, weights = _picked(np.moveaxis(input, 1, -1), label, weight, ignore_index)
    if reduction == "mean":
        return np.asarray(loss.sum() / (weights.sum() or 1))
    return np.asarray(loss.sum()) if reduction == "sum" else loss


def _picked(logs: Host, label: Host, weight: Any, ignore_index: int) -> tuple[Host, Host]:
    loss, weights = np.zeros(label.shape), np.zeros(label.shape)
    for where in np.ndindex(label.shape):
        if label[where] != ignore_index:
            weights[where] = 1 if weight is None else weight[label[where]]
            loss[where] = -weights[where] * logs[where][label[where]]
    return loss, weights


def cross_entropy(
    input: Host, label: Host, weight: Any = None, ignore_index: int = -100,
    reduction: str = "mean", soft_label: bool = False, axis: int = -1, use_softmax: bool = True,
    label_smoothing: float = 0.0,
) -> Host:  # fmt: skip
    logs = np.moveaxis(log_softmax(input, axis) if use_softmax else np.log(input), axis, -1)
    classes, kept = input.shape[axis], label.ndim == input.ndim
    if soft_label or label_smoothing:
        soft = label if soft_label else np.eye(classes)[label]
        soft = (1 - label_smoothing) * soft + label_smoothing / classes
        weights = soft @ (np.ones(classes) if weight is None else weight)
        loss, kept, counted = -(soft * logs).sum(-1) * weights, True, weight is not None
    else:
        hard = label.reshape(logs.shape[:-1])
        loss, weights = _picked(logs, hard, weight, ignore_index)
        counted = weight is not None or ignore_index >= 0
    if reduction == "none":
        return np.expand_dims(loss, axis) if kept else loss
    if reduction == "sum":
        return np.asarray(loss.sum())
    if counted:
        return np.asarray(loss.sum() / (weights.sum() or 1))
    return _reduced(loss, reduction)


def mse_loss(input: Host, label: Host, reduction: str = "mean") -> Host:
    return _reduced((input - label) ** 2, reduction)


def l1_loss(input: Host, label: Host, reduction: str = "mean") -> Host:
    return _reduced(np.abs(input - label), reduction)


def _reduced(loss: Host, reduction: str) -> Host:
    if reduction == "none":
        return loss
    total = np.sum(loss)
    return np.asarray(total if reduction == "sum" else np.divide(total, loss.size))


def scaled_dot_product_attention(
    query: Host, key: Host, value: Host, attn_mask: Any = None, is_causal: bool = False,
    scale: float | None = None,
) -> Host:  # fmt: skip
    if query.ndim == 3:
        given = [a[None] for a in (query, key, value)]
        return scaled_dot_product_attention(*given, attn_mask, is_causal, scale)[0]
    groups = query.shape[2] // key.shape[2]
    key, value = np.repeat(key, groups, 2), np.repeat(value, groups, 2)
    factor = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = np.einsum("blhd,bshd->bhls", query, key) * factor
    if is_causal:
        scores = np.where(np.tri(*scores.shape[-2:], dtype=bool), scores, -np.inf)
    elif attn_mask is not None and attn_mask.dtype == bool:
        scores = np.where(attn_mask, scores, -np.inf)
    elif attn_mask is not None:
        scores = scores + attn_mask
    return np.einsum("bhls,bshe->blhe", softmax(scores), value)
