# SPDX-License-Identifier: Apache-2.0
"""Normalisation along an axis, and attention."""

from __future__ import annotations

from device_api import _core
from device_api._core import Tensor
from device_api.composites import _words as w
from device_api.composites._registry import composes

_SOFTMAX = "max sum exp add neg mul equal where div"


def _exponentials(x: Tensor, axis: int) -> Tensor:
    """Return exp(x - max), the difference in two words: exp would magnify its rounding."""
    distance, error = w.two_sum(x, w.neg(_core.max(x, axis=axis, keepdims=True)))
    found = w.exp(distance)
    sound = w.equal(w.mul(error, 0), 0)
    return w.where(sound, w.add(found, w.mul(found, error)), found)


@composes("softmax", uses=_SOFTMAX, in_float32=True)
def softmax(x: Tensor, axis: int) -> Tensor:
    """Return the shares of the exponentials."""
    found = _exponentials(x, axis)
    return w.div(found, _core.sum(found, axis=axis, keepdims=True))


@composes("log_softmax", uses=_SOFTMAX + " log", in_float32=True)
def log_softmax(x: Tensor, axis: int) -> Tensor:
    """Return x less the largest and the logarithm of the sum of exponentials."""
    distance = w.sub(x, _core.max(x, axis=axis, keepdims=True))
    total = _core.sum(_exponentials(x, axis), axis=axis, keepdims=True)
    return w.sub(distance, w.log(total))


def _mean(x: Tensor) -> Tensor:
    return w.div(_core.sum(x, axis=-1, keepdims=True), float(x.shape[-1]))


@composes("layer_norm", uses="sum div add neg mul sqrt", in_float32=True)
def layer_norm(x: Tensor, weight: Tensor, bias: Tensor, epsilon: float) -> Tensor:
    """Return (x - mean) / sqrt(variance + epsilon) * weight + bias."""
    centred = w.sub(x, _mean(x))
    scale = w.sqrt(w.add(_mean(w.mul(centred, centred)), epsilon))
    return w.add(w.mul(w.div(centred, scale), weight), bias)


@composes("rms_norm", uses="sum div add mul sqrt", in_float32=True)
def rms_norm(x: Tensor, weight: Tensor, epsilon: float) -> Tensor:
    """Return x / sqrt(mean of squares + epsilon) * weight."""
    scale = w.sqrt(w.add(_mean(w.mul(x, x)), epsilon))
    return w.mul(w.div(x, scale), weight)


@composes(
    "attention", uses="softmax matmul mul where less:int64 iota:int64 logical_not", in_float32=True
)
def attention(query: Tensor, key: Tensor, value: Tensor, scale: float, causal: int) -> Tensor:
    """Return softmax(query key^T * scale) value."""
    scores = w.mul(_core.matmul(query, key.mT), scale)
    if causal:
        rows, columns = scores.shape[-2:]
        row = _core.expand_dims(w.steps(rows, query), 1)
        hidden = w.less(row, w.steps(columns, query))
        scores = w.where(hidden, w.like(scores, -w.INF), scores)
    shares = _core.apply("softmax", [scores], attributes=(scores.ndim - 1,))
    return _core.matmul(shares, value)
