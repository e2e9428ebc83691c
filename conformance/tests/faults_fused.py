# SPDX-License-Identifier: Apache-2.0
"""Planted faults of activations, softmax, norms and attention."""

from __future__ import annotations

import math

import fake_math
import fake_structured
import numpy as np
from faults import changed

F16 = ("float16",)
F32 = ("float32",)
EN = "E/{}/float32 N/{}/float32"


def _double(views):
    return views[0].astype(np.float64)


@changed("gelu is its approximation by tanh", EN, "NE", "gelu", F32)
def _gelu(dtype, values, views, a):
    return fake_math.ACTIVATIONS["gelu_tanh"](_double(views), a).astype(np.float32)


@changed("the tail of gelu cancels", EN, "NE", "gelu", F32)
def _gelu_tail(dtype, values, views, a):
    erf = fake_math._erf(_double(views) / math.sqrt(2)).astype(np.float32)
    return np.where(views[0] < 0, views[0] * ((1 + erf) / np.float32(2)), values)


@changed("gelu_tanh forgets the cube", EN, "NE", "gelu_tanh", F32)
def _gelu_tanh(dtype, values, views, a):
    x = _double(views)
    return (x / (1 + np.exp(-2 * math.sqrt(2 / math.pi) * x))).astype(np.float32)


@changed("silu of -inf is NaN", EN, "E", "silu mish", F32)
def _silu(dtype, values, views, a):
    return np.where(views[0] == -np.inf, np.float32(np.nan), values)


@changed("sigmoid is 0 where its exponential overflows", EN, "E", "sigmoid", F32)
def _sigmoid(dtype, values, views, a):
    return np.float32(1) / (np.float32(1) + np.exp(-views[0]))


@changed("sigmoid is approximated by tanh", EN, "NE", "sigmoid", F32)
def _sigmoid_tanh(dtype, values, views, a):
    return (np.tanh(views[0] / np.float32(2)) + np.float32(1)) / np.float32(2)


@changed("relu loses NaN", EN, "E", "relu", F32)
def _relu(dtype, values, views, a):
    return np.fmax(views[0], np.float32(0))


@changed("leaky_relu has the usual slope", EN, "NE", "leaky_relu", F32)
def _leaky(dtype, values, views, a):
    return np.where(views[0] > 0, views[0], np.float32(0.01) * views[0])


@changed("elu loses small arguments", EN, "NE", "elu", F32)
def _elu(dtype, values, views, a):
    return np.where(views[0] > 0, views[0], np.float32(1.5) * (np.exp(views[0]) - np.float32(1)))


@changed("softplus forgets beta", EN, "NE", "softplus", F32)
def _softplus(dtype, values, views, a):
    return np.log1p(np.exp(np.minimum(views[0], 80)))


@changed("softplus loses negative arguments", EN, "NE", "softplus", F32)
def _softplus_tail(dtype, values, views, a):
    soft = np.log(np.float32(1) + np.exp(2 * views[0])) / np.float32(2)
    return np.where(views[0] < 0, soft, values)


@changed("mish takes softplus for its logarithm beyond 8", EN, "NE", "mish", F32)
def _mish(dtype, values, views, a):
    return np.where(views[0] < -8, np.float32(0), values)


@changed("hardswish ends at 6", EN, "NE", "hardswish", F32)
def _hardswish(dtype, values, views, a):
    return np.minimum(values, np.float32(6))


@changed("hardsigmoid has a slope of a sixth", EN, "NE", "hardsigmoid", F32)
def _hardsigmoid(dtype, values, views, a):
    return np.clip(views[0] / np.float32(6) + np.float32(0.5), 0, 1)


# ---- along an axis ----


def _sum(x, a):
    return np.sum(x, axis=a["axis"], keepdims=True)


@changed("softmax does not subtract the maximum", "N/{}/float32", "N", "softmax", F32)
def _softmax(dtype, values, views, a):
    e = np.exp(views[0])
    return e / _sum(e, a)


@changed("softmax of nothing but -inf is 0", "E/{}/float32", "E", "softmax", F32)
def _masked(dtype, values, views, a):
    return np.nan_to_num(values, nan=0.0)


@changed("softmax runs along the last axis", "N/{}/float32", "N", "softmax log_softmax", F32)
def _axis(dtype, values, views, a):
    logarithm = bool(values.size and (values < 0).any())
    return fake_structured.softmax(views[0], -1, logarithm)


@changed("softmax sums float16 in float16", "N/{}/float16", "N", "softmax", F16)
def _half(dtype, values, views, a):
    x = views[0]
    e = np.exp((x - np.max(x, axis=a["axis"], keepdims=True)).astype(np.float16))
    return e / np.add.accumulate(e, axis=a["axis"], dtype=np.float16).take([-1], axis=a["axis"])


@changed("log_softmax is the logarithm of softmax", "N/{}/float32 E/{}/float32", "NE",
         "log_softmax", F32)  # fmt: skip
def _log_of(dtype, values, views, a):
    return np.where(values < -3, np.float32(-np.inf), values)


@changed("log_softmax overflows", "N/{}/float32", "N", "log_softmax", F32)
def _log_overflow(dtype, values, views, a):
    return views[0] - np.log(_sum(np.exp(views[0]), a))


@changed("the variance is a difference of squares", "N/{}/float32", "N", "layer_norm", F32)
def _variance(dtype, values, views, a):
    x, weight, bias = views
    if not x.size:
        return values
    mean = np.mean(x, axis=-1, keepdims=True)
    variance = np.mean(x * x, axis=-1, keepdims=True) - mean * mean
    return (x - mean) / np.sqrt(np.maximum(variance, 0) + np.float32(a["epsilon"])) * weight + bias


@changed("the variance divides by n - 1", "N/{}/float32", "N", "layer_norm", F32)
def _unbiased(dtype, values, views, a):
    x, weight, bias = views
    if not x.size or x.shape[-1] < 2:
        return values
    scale = np.sqrt(np.var(x, axis=-1, keepdims=True, ddof=1) + np.float32(a["epsilon"]))
    return (x - np.mean(x, axis=-1, keepdims=True)) / scale * weight + bias


@changed("epsilon is added to the deviation", "N/{}/float32 E/{}/float32", "NE", "layer_norm", F32)
def _epsilon(dtype, values, views, a):
    x, weight, bias = views
    if not x.size:
        return values
    centred = x - np.mean(x, axis=-1, keepdims=True)
    deviation = np.sqrt(np.mean(centred * centred, axis=-1, keepdims=True))
    return centred / (deviation + np.float32(a["epsilon"])) * weight + bias


@changed("rms_norm has no epsilon", "N/{}/float32", "N", "rms_norm", F32)
def _no_epsilon(dtype, values, views, a):
    return fake_structured.norm(*views, None, 0.0)


@changed("rms_norm subtracts the mean", "N/{}/float32", "N", "rms_norm", F32)
def _centred(dtype, values, views, a):
    return fake_structured.norm(*views, views[1] * 0, a["epsilon"])


@changed("weights of a norm are ignored", "N/{}/float32", "N", "layer_norm rms_norm", F32)
def _unweighted(dtype, values, views, a):
    rest = views[2] if len(views) == 3 else None
    return fake_structured.norm(views[0], views[1] * 0 + 1, rest, a["epsilon"])


@changed("norms of float16 add up in float16", "N/{}/float16", "N", "rms_norm", F16)
def _half_norm(dtype, values, views, a):
    x = views[0]
    if not x.size:
        return values
    squares = np.add.accumulate(x * x, axis=-1, dtype=np.float16)[..., -1:]
    return x / np.sqrt(squares / np.float16(x.shape[-1]) + np.float16(a["epsilon"])) * views[1]


# ---- attention ----


@changed("causal hides the diagonal, too", "N/{}/float32", "N", "attention", F32)
def _diagonal(dtype, values, views, a):
    if not a["causal"]:
        return values
    query = np.concatenate([views[0][..., :1, :], views[0][..., 1:, :]], axis=-2)
    scores = query @ np.swapaxes(views[1], -1, -2) * np.float32(a["scale"])
    above = np.arange(scores.shape[-1]) >= np.arange(scores.shape[-2])[:, None]
    above[0, 0] = False
    return fake_structured.softmax(np.where(above, -np.inf, scores), -1, False) @ views[2]


@changed("causal is counted from the last key", "N/{}/float32", "N", "attention", F32)
def _from_the_end(dtype, values, views, a):
    if not a["causal"]:
        return values
    scores = views[0] @ np.swapaxes(views[1], -1, -2) * np.float32(a["scale"])
    rows, columns = scores.shape[-2:]
    above = np.arange(columns) > np.arange(rows)[:, None] + columns - rows
    return fake_structured.softmax(np.where(above, -np.inf, scores), -1, False) @ views[2]


@changed("rows from 64 on see one key too few", "X/{}/float32", "X", "attention", F32)
def _blocks(dtype, values, views, a):
    if not a["causal"] or values.shape[-2] <= 64:
        return values
    scores = views[0] @ np.swapaxes(views[1], -1, -2) * np.float32(a["scale"])
    rows, columns = np.ogrid[: scores.shape[-2], : scores.shape[-1]]
    hidden = columns > rows - (rows >= 64)
    return fake_structured.softmax(np.where(hidden, -np.inf, scores), -1, False) @ views[2]


@changed("the scale of attention is 1 / sqrt(D)", "N/{}/float32", "N", "attention", F32)
def _scale(dtype, values, views, a):
    return fake_structured.attention(*views, a | {"scale": views[0].shape[-1] ** -0.5})


@changed("attention rounds its weights to float16", "N/{}/float32", "N", "attention", F32)
def _rounded(dtype, values, views, a):
    scores = views[0] @ np.swapaxes(views[1], -1, -2) * np.float32(a["scale"])
    weights = fake_structured.softmax(scores, -1, False).astype(np.float16).astype(np.float32)
    return values if a["causal"] or not values.size else weights @ views[2]


@changed("attention overflows", "N/{}/float32", "N", "attention", F32)
def _overflow(dtype, values, views, a):
    scores = views[0] @ np.swapaxes(views[1], -1, -2) * np.float32(a["scale"])
    e = np.exp(scores * np.float32(1))
    return values if a["causal"] or a["scale"] < 1 else e / e.sum(-1, keepdims=True) @ views[2]
