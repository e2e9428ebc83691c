# SPDX-License-Identifier: Apache-2.0
"""The functions of nn.functional by PyTorch on its CPU, in float64, called as PaddlePaddle's are.

What differs between the two is adapted here: the layout of linear's weight and of attention, the
names and order of parameters, channels at the end, padding "SAME", the momentum of statistics.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from nn.cases import Host


def tensor(x: Any) -> Any:
    return x if x is None else torch.from_numpy(x)  # shares memory: what is written is seen


def _elementwise(function: str) -> Any:
    def call(x: Host, **options: Any) -> Host:
        return getattr(F, function)(tensor(x), **options).numpy()

    return call


def leaky_relu(x: Host, negative_slope: float = 0.01) -> Host:
    return F.leaky_relu(tensor(x), negative_slope).numpy()


def selu(x: Host, scale: float = 1.0507009873554805, alpha: float = 1.6732632423543772) -> Host:
    return (scale * F.elu(tensor(x), alpha)).numpy()


def gelu(x: Host, approximate: Any = False) -> Host:
    """Return PyTorch's gelu above -1; below, where 1 + erf cancels, by erfc and sigmoid."""
    given = tensor(x)
    if approximate:
        inner = 2 * (2 / torch.pi) ** 0.5 * (given + 0.044715 * given**3)
        low = given * torch.sigmoid(inner)
    else:
        low = given * torch.special.erfc(-given / 2**0.5) / 2
    found = F.gelu(given, approximate="tanh" if approximate else "none")
    found = torch.where(given < -1, low, found)
    return torch.where(torch.isneginf(given), 0.0, found).numpy()


def silu(x: Host) -> Host:
    return torch.where(torch.isneginf(tensor(x)), 0.0, F.silu(tensor(x))).numpy()


def mish(x: Host) -> Host:
    return torch.where(torch.isneginf(tensor(x)), 0.0, F.mish(tensor(x))).numpy()


def hardsigmoid(x: Host, slope: float = 0.1666667, offset: float = 0.5) -> Host:
    if slope == 1 / 6:  # PyTorch's only one
        return F.hardsigmoid(tensor(x)).numpy()
    return torch.clamp(tensor(x) * slope + offset, 0, 1).numpy()


def softmax(x: Host, axis: int = -1) -> Host:
    return F.softmax(tensor(x), axis).numpy()


def log_softmax(x: Host, axis: int = -1) -> Host:
    return F.log_softmax(tensor(x), axis).numpy()


def layer_norm(
    x: Host, normalized_shape: Any, weight: Any = None, bias: Any = None, epsilon: float = 1e-5
) -> Host:
    shape = [normalized_shape] if isinstance(normalized_shape, int) else normalized_shape
    return F.layer_norm(tensor(x), shape, tensor(weight), tensor(bias), epsilon).numpy()


def rms_norm(
    input: Host, normalized_shape: Any, weight: Any = None, eps: float = 1e-5
) -> tuple[Host, Host]:
    y = F.rms_norm(tensor(input), normalized_shape, tensor(weight), eps).numpy()
    flat = tensor(input).flatten(-len(normalized_shape))
    return y, torch.rsqrt((flat**2).mean(-1) + eps).flatten().numpy()


def group_norm(
    x: Host, num_groups: int, epsilon: float = 1e-5, weight: Any = None, bias: Any = None,
    data_format: str = "NCHW",
) -> Host:  # fmt: skip
    last = data_format[1] != "C"
    y = F.group_norm(first(x, last), num_groups, tensor(weight), tensor(bias), epsilon)
    return back(y, last)


def first(x: Host, last: bool) -> Any:
    return tensor(x).movedim(-1, 1).contiguous() if last else tensor(x)


def back(y: Any, last: bool) -> Host:
    return (y.movedim(1, -1) if last else y).numpy()


def batch_norm(
    x: Host, running_mean: Host, running_var: Host, weight: Any = None, bias: Any = None,
    training: bool = False, momentum: float = 0.9, epsilon: float = 1e-5,
    data_format: str = "NCHW", use_global_stats: bool | None = None,
) -> Host:  # fmt: skip
    last = data_format[1] != "C"
    of_batch = training if use_global_stats is None else not use_global_stats
    mean, var = torch.clone(tensor(running_mean)), torch.clone(tensor(running_var))
    y = F.batch_norm(
        first(x, last), mean, var, tensor(weight), tensor(bias), of_batch, 1 - momentum, epsilon
    )
    running_mean[:] = mean.numpy()
    if of_batch:  # PyTorch's running variance divides by the count less 1
        count = x.size // x.shape[-1 if last else 1]
        biased = (count - 1) / count
        running_var[:] = momentum * running_var + (var.numpy() - momentum * running_var) * biased
    return back(y, last)


def normalize(x: Host, p: float = 2, axis: int = 1, epsilon: float = 1e-12) -> Host:
    return F.normalize(tensor(x), p, axis, epsilon).numpy()


def linear(x: Host, weight: Host, bias: Any = None) -> Host:
    return F.linear(tensor(x), tensor(weight).T, tensor(bias)).numpy()


def embedding(
    x: Host, weight: Host, padding_idx: int | None = None, max_norm: float | None = None
) -> Host:
    y = F.embedding(tensor(x), tensor(weight), None, max_norm)
    if padding_idx is not None:  # PyTorch's is about gradients only
        y[tensor(x) == padding_idx % len(weight)] = 0
    return y.numpy()


def one_hot(x: Host, num_classes: int = -1) -> Host:
    return F.one_hot(tensor(x), num_classes).double().numpy()


def cosine_similarity(x1: Host, x2: Host, axis: int = 1, eps: float = 1e-8) -> Host:
    return F.cosine_similarity(tensor(x1), tensor(x2), axis, eps).numpy()


def mse_loss(input: Host, label: Host, reduction: str = "mean") -> Host:
    both = torch.broadcast_tensors(tensor(input), tensor(label))
    return F.mse_loss(*both, reduction=reduction).numpy()


def l1_loss(input: Host, label: Host, reduction: str = "mean") -> Host:
    both = torch.broadcast_tensors(tensor(input), tensor(label))
    return F.l1_loss(*both, reduction=reduction).numpy()


def nll_loss(
    input: Host, label: Host, weight: Any = None, ignore_index: int = -100,
    reduction: str = "mean",
) -> Host:  # fmt: skip
    if reduction == "mean" and (label == ignore_index).all():
        return torch.zeros((), dtype=torch.float64).numpy()  # NaN in PyTorch
    given = tensor(input), tensor(label), tensor(weight)
    return F.nll_loss(*given, ignore_index=ignore_index, reduction=reduction).numpy()


def cross_entropy(
    input: Host, label: Host, weight: Any = None, ignore_index: int = -100,
    reduction: str = "mean", soft_label: bool = False, axis: int = -1, use_softmax: bool = True,
    label_smoothing: float = 0.0,
) -> Host:  # fmt: skip
    logits = tensor(input if use_softmax else np.log(input))
    hard = not soft_label and not label_smoothing
    if hard and reduction == "mean" and input.size and (label == ignore_index).all():
        return torch.zeros((), dtype=torch.float64).numpy()  # NaN in PyTorch
    kept = label.ndim == input.ndim
    target = tensor(label).movedim(axis, 1) if soft_label else tensor(label)
    target = target.squeeze(axis) if kept and not soft_label else target
    weighed = tensor(weight) if hard else None
    each = F.cross_entropy(
        logits.movedim(axis, 1), target, weighed, ignore_index=ignore_index,
        reduction="none", label_smoothing=label_smoothing,
    )  # fmt: skip
    divisor = each.numel()
    if weight is not None and soft_label:
        weights = (tensor(label) * tensor(weight)).sum(-1)
        each, divisor = each * weights, weights.sum()
    elif weight is not None:
        divisor = tensor(weight)[target[target != ignore_index]].sum()
    elif ignore_index >= 0:
        divisor = (target != ignore_index).sum()
    if reduction == "none":
        return (each.unsqueeze(axis) if kept or label_smoothing else each).numpy()
    return (each.sum() if reduction == "sum" else each.sum() / divisor).numpy()


def scaled_dot_product_attention(
    query: Host, key: Host, value: Host, attn_mask: Any = None, is_causal: bool = False,
    scale: float | None = None,
) -> Host:  # fmt: skip
    heads = [tensor(a).transpose(-3, -2) for a in (query, key, value)]
    mask = None if is_causal else tensor(attn_mask)
    y = F.scaled_dot_product_attention(
        *heads, mask, 0.0, is_causal, scale=scale, enable_gqa=query.shape[-2] != key.shape[-2]
    )
    if mask is not None and mask.dtype == torch.bool:  # PyTorch gives 0 where no key is seen
        y = torch.where(mask.any(-1, keepdim=True), y, float("nan"))
    return y.transpose(-3, -2).numpy()


relu, relu6, elu, sigmoid = map(_elementwise, ("relu", "relu6", "elu", "sigmoid"))
hardswish, softplus = map(_elementwise, ("hardswish", "softplus"))
