# SPDX-License-Identifier: Apache-2.0
"""Planted faults of convolutions and pools: borders, strides, groups, what counts."""

from __future__ import annotations

import fake_structured
import numpy as np
from faults import changed

F16 = ("float16",)
F32 = ("float32",)
N = "N/{}/float32"


def _convolved(views, a, **other):
    return fake_structured.convolution(*views, a | other)


def _shifted(x, by):
    return np.roll(x, by, axis=-1)


@changed("padding is off by one", N, "N", "convolution", F32)
def _padding(dtype, values, views, a):
    return _convolved(views, a, pad_w=max(a["pad_w"] - 1, 0)) if a["pad_w"] else values


@changed("the stride of rows is that of columns", N, "N", "convolution", F32)
def _strides(dtype, values, views, a):
    return _convolved(views, a, stride_h=a["stride_w"])


@changed("the paddings of rows and columns are exchanged", N, "N", "convolution", F32)
def _exchanged(dtype, values, views, a):
    return _convolved(views, a, pad_h=a["pad_w"], pad_w=a["pad_h"])


@changed("output channels beyond a block of 4 are those before it", "N/{}/float32 X/{}/float32",
         "NX", "convolution", F32)  # fmt: skip
def _channels(dtype, values, views, a):
    if values.shape[1] > 4 and values.size:
        values[:, 4:] = values[:, : values.shape[1] - 4]
    return values


@changed("dilation is ignored", "N/{}/float32", "N", "convolution", F32)
def _dilation(dtype, values, views, a):
    return _convolved(views, a, dilation_h=1, dilation_w=1)


@changed("groups take the channels of the first group", "N/{}/float32 X/{}/float32", "NX",
         "convolution", F32)  # fmt: skip
def _groups(dtype, values, views, a):
    x, weight = views
    first = np.concatenate([x[:, : weight.shape[1]]] * a["groups"], axis=1)
    return _convolved([first, weight], a) if x.size else values


@changed("the window is mirrored", N, "N", "convolution", F32)
def _mirrored(dtype, values, views, a):
    return _convolved([views[0], views[1][..., ::-1]], a)


@changed("a convolution accumulates float16 in float16", "N/{}/float16", "N", "convolution", F16)
def _half(dtype, values, views, a):
    x, weight = (v.astype(np.float16) for v in views)
    total = np.zeros(a["shape"], dtype=np.float16)
    for c in range(weight.shape[1]):
        if a["groups"] > 1:
            return values
        total = total + _convolved([x[:, c : c + 1], weight[:, c : c + 1]], a)
    return total


@changed("a convolution reduces its inputs to 11 bits", N, "N", "convolution", F32)
def _reduced(dtype, values, views, a):
    short = [(np.ascontiguousarray(v).view(np.uint32) & 0xFFFFE000).view(np.float32) for v in views]
    return _convolved(short, a)


@changed("a NaN spoils windows that do not see it", "E/{}/float32", "E", "convolution", F32)
def _leak(dtype, values, views, a):
    return np.where(np.isnan(values).any(axis=-1, keepdims=True), np.float32(np.nan), values)


@changed("depth is not convolved", "X/{}/float32", "X", "convolution", F32)
def _depth(dtype, values, views, a):
    return np.broadcast_to(values[:, :, :1], values.shape) if values.ndim == 5 else values


def _pooled(op, views, a, **other):
    return getattr(fake_structured, op)(views[0], a | other)


@changed("max_pool pads with 0", N, "N", "max_pool", F32)
def _pads_zero(dtype, values, views, a):
    border = [(0, 0), (0, 0), *((2, 2) for _ in views[0].shape[2:])]
    moved = {f"pad_{x}": a[f"pad_{x}"] + 2 for x in "dhw"}
    return _pooled("max_pool", [np.pad(views[0], border)], a, **moved) if values.size else values


@changed("max_pool loses NaN", "E/{}/float32", "E", "max_pool", F32)
def _pool_nan(dtype, values, views, a):
    return _pooled("max_pool", [np.where(np.isnan(views[0]), -np.inf, views[0])], a)


@changed("a window outside gives the lowest number", "E/{}/float32", "E", "max_pool", F32)
def _outside(dtype, values, views, a):
    return np.where(values == -np.inf, np.finfo(np.float32).min, values)


@changed("max_pool ignores dilation", N, "N", "max_pool", F32)
def _pool_dilation(dtype, values, views, a):
    return _pooled("max_pool", views, a, dilation_h=1, dilation_w=1)


@changed("windows of a pool do not overlap", N, "N", "max_pool avg_pool", F32)
def _overlap(dtype, values, views, a):
    if a["stride_w"] != 1 or not values.size:
        return values
    return np.repeat(values[..., ::3], 3, axis=-1)[..., : values.shape[-1]]


@changed("avg_pool divides by the window at the border", N, "N", "avg_pool", F32)
def _border(dtype, values, views, a):
    size = np.prod([a[f"window_{x}"] for x in "dhw"][-(values.ndim - 2) :])
    ones = _pooled("avg_pool", [np.ones_like(views[0])], a, count_pad=1)
    inside = _pooled("avg_pool", [np.ones_like(views[0])], a | {"count_pad": 1})
    return values if a["count_pad"] else values * inside + 0 * (ones + size)


@changed("avg_pool never counts the padding", N, "N", "avg_pool", F32)
def _not_counted(dtype, values, views, a):
    return _pooled("avg_pool", views, a, count_pad=0)


@changed("avg_pool counts beyond the padding", N, "N", "avg_pool", F32)
def _beyond(dtype, values, views, a):
    if not a["count_pad"]:
        return values
    size = np.prod([a[f"window_{x}"] for x in "dhw"][-(values.ndim - 2) :])
    inside = _pooled("avg_pool", [np.ones_like(views[0])], a, count_pad=0)
    total = _pooled("avg_pool", views, a, count_pad=0) * inside
    seen = np.zeros_like(values)
    for _, part in fake_structured._windows(np.ones_like(views[0]), a, _window(views, a), 0.0):
        seen = seen + part
    return total * seen / np.float32(size)


def _window(views, a):
    return tuple(a[f"window_{x}"] for x in "dhw")[-(views[0].ndim - 2) :]


@changed("avg_pool sums float16 in float16", "N/{}/float16", "N", "avg_pool", F16)
def _half_pool(dtype, values, views, a):
    total, seen = np.zeros_like(values), np.zeros_like(values)
    for _, part in fake_structured._windows(views[0], a, _window(views, a), 0.0):
        total = total + part
    for _, part in fake_structured._windows(np.ones_like(views[0]), a, _window(views, a), 0.0):
        seen = seen + part
    return values if a["count_pad"] else total / seen
