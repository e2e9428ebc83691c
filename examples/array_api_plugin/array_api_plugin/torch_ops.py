# SPDX-License-Identifier: Apache-2.0
"""Ops of the table that PyTorch has beyond the array API: activations, windows, norms, attention.

Left out are ops for which PyTorch promises less than the op table: topk and put_along_axis say
nothing of equal elements or indices, and hardsigmoid has fixed numbers.
"""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F

from array_api_plugin.calls import Call
from device_api_conformance.tensor_handle import Unsupported

Attributes = dict[str, Any]


def _numbers(a: Attributes, name: str, n: int) -> tuple[int, ...]:
    return tuple(a[f"{name}_{axis}"] for axis in "dhw"[3 - n :])


def _padding(x: Any, a: Attributes, window: tuple[int, ...]) -> list[tuple[int, int]]:
    """Padding before and after x, by dimension, that gives the output's shape."""
    n = len(window)
    stride, pad = (_numbers(a, name, n) for name in ("stride", "pad"))
    dilation = _numbers(a, "dilation", n) if "dilation_w" in a else (1,) * n
    rows = zip(a["shape"][2:], x.shape[2:], window, stride, pad, dilation, strict=True)
    return [
        (p, max((out - 1) * s + (w - 1) * d + 1 - size - p, p)) for out, size, w, s, p, d in rows
    ]


def _convolution(xp: Any, t: list[Any], a: Attributes) -> Any:
    x, weight = t
    n = x.ndim - 2
    around = _padding(x, a, tuple(weight.shape[2:]))
    pad = [p for p, _ in around]
    if any(before != after for before, after in around):
        x, pad = F.pad(x, [p for row in reversed(around) for p in row]), [0] * n
    call = (F.conv1d, F.conv2d, F.conv3d)[n - 1]
    return call(x, weight, stride=_numbers(a, "stride", n), padding=pad,
                dilation=_numbers(a, "dilation", n), groups=a["groups"])  # fmt: skip


def _pool(xp: Any, t: list[Any], a: Attributes) -> Any:
    """Maximum or average; with `ceil_mode` where the last window ends outside x."""
    (x,) = t
    n = x.ndim - 2
    window, pad = _numbers(a, "window", n), _numbers(a, "pad", n)
    if any(2 * p > w for p, w in zip(pad, window, strict=True)):
        raise Unsupported("PyTorch pads at most half a window")
    more = {"dilation": _numbers(a, "dilation", n)} if "dilation_w" in a else {
        "count_include_pad": bool(a["count_pad"])}  # fmt: skip
    largest, average = (F.max_pool1d, F.max_pool2d, F.max_pool3d), (
        F.avg_pool1d, F.avg_pool2d, F.avg_pool3d)  # fmt: skip
    call = (largest if "dilation_w" in a else average)[n - 1]
    for ceil in (False, True):
        found = call(x, window, _numbers(a, "stride", n), pad, ceil_mode=ceil, **more)
        if tuple(found.shape) == tuple(a["shape"]):
            return found
    raise Unsupported(f"no pool of PyTorch gives the shape {a['shape']}")


def _scatter_add(xp: Any, t: list[Any], a: Attributes) -> Any:
    return torch.scatter_add(t[0], a["axis"], t[1].long(), t[2])


def _attention(xp: Any, t: list[Any], a: Attributes) -> Any:
    return F.scaled_dot_product_attention(*t, is_causal=bool(a["causal"]), scale=a["scale"])


CALLS: dict[str, Call] = {
    "make_complex": lambda xp, t, a: torch.complex(*t),
    "index_accumulate": _scatter_add,
    "convolution": _convolution,
    "max_pool": _pool,
    "avg_pool": _pool,
    "attention": _attention,
    "softmax": lambda xp, t, a: F.softmax(t[0], a["axis"]),
    "log_softmax": lambda xp, t, a: F.log_softmax(t[0], a["axis"]),
    "layer_norm": lambda xp, t, a: F.layer_norm(t[0], t[0].shape[-1:], t[1], t[2], a["epsilon"]),
    "rms_norm": lambda xp, t, a: F.rms_norm(t[0], t[0].shape[-1:], t[1], a["epsilon"]),
    "relu": lambda xp, t, a: F.relu(t[0]),
    "sigmoid": lambda xp, t, a: torch.sigmoid(t[0]),
    "silu": lambda xp, t, a: F.silu(t[0]),
    "gelu": lambda xp, t, a: F.gelu(t[0]),
    "gelu_tanh": lambda xp, t, a: F.gelu(t[0], approximate="tanh"),
    "mish": lambda xp, t, a: F.mish(t[0]),
    "hardswish": lambda xp, t, a: F.hardswish(t[0]),
    "softplus": lambda xp, t, a: F.softplus(t[0], a["beta"], a["threshold"]),
    "leaky_relu": lambda xp, t, a: F.leaky_relu(t[0], a["slope"]),
    "elu": lambda xp, t, a: F.elu(t[0], a["alpha"]),
}
"""Calls by op."""
