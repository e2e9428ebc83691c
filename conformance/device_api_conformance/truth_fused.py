# SPDX-License-Identifier: Apache-2.0
"""Truth of fused ops: activations, softmax, norms and attention, by formulas that lose nothing.

Bounds of class `sum`: a norm, a logarithm of a sum and an attention are judged against the sum of
the magnitudes that their definition adds up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from device_api_abi.optable import Op
from device_api_conformance import wide
from device_api_conformance.expectation import Bounded, Expected, within
from device_api_conformance.formats import Array, Host
from device_api_conformance.ulp import Reference

Attributes = dict[str, Any]


# ---- activations -----------------------------------------------------------------------------


@wide.precisely
def activation(op: Op, dtype: str, operands: list[Host], attributes: Attributes) -> Expected:
    """An elementwise function; infinite and NaN operands have the limit of the function."""
    values = operands[0].exact()
    finite = np.isfinite(values)
    plain = np.where(finite, values, 0.0)
    some, back = np.unique(plain, return_inverse=True) if dtype == "float64" else (plain, None)
    found = wide.reference(dtype, _ACTIVATIONS[op.name](wide.lift(dtype, some), attributes))
    if back is not None:
        found = Reference(*(v[back].reshape(values.shape) for v in (found.high, found.low)))
    left, right = _LIMITS.get(op.name, (0.0, np.inf))
    if op.name == "leaky_relu":
        left = -np.inf
    if op.name == "elu":
        left = -float(attributes["alpha"])
    limits = np.where(values > 0, right, np.where(values < 0, left, np.nan))
    found.high = np.where(finite, found.high, limits)
    found.low = np.where(finite, found.low, 0.0)
    free = (values == -np.inf) if op.name == "hardswish" else None
    either = np.ones(values.shape, dtype=np.bool_) if op.name in _SIGNLESS else None
    return Expected(dtype, values.shape, reference=found, free=free, zero_either=either)


_SIGNLESS = ("relu", "silu", "gelu", "gelu_tanh", "mish", "hardswish", "leaky_relu", "elu",
             "hardsigmoid")  # fmt: skip
"""Functions of which a zero may have either sign."""

_LIMITS = {"sigmoid": (0.0, 1.0), "hardsigmoid": (0.0, 1.0)}


def _sigmoid(x: Any) -> Any:
    return 1 / (1 + wide.exp(-x))


def _gelu(x: Any, a: Attributes) -> Any:
    return x * wide.erfc(-x / wide.sqrt(x * 0 + 2)) / 2


def _gelu_tanh(x: Any, a: Attributes) -> Any:
    pi = wide.atan(x * 0 + 1) * 4
    cubic = x * x * x * wide.decimal("0.044715", x)
    return x * _sigmoid(2 * wide.sqrt(2 / pi) * (x + cubic))


def _mish(x: Any, a: Attributes) -> Any:
    e = wide.exp(np.where(x > 300, 300 + 0 * x, x))
    return x * (e * (e + 2)) / (e * (e + 2) + 2)


def _softplus(x: Any, a: Attributes) -> Any:
    beta = a["beta"]
    scaled = beta * x
    small = np.where(scaled > a["threshold"], 0 * x, scaled)
    soft = np.where(small > 0, small, 0 * x) + wide.log1p(wide.exp(-abs(small)))
    return np.where(scaled > a["threshold"], x, soft / beta)


def _elu(x: Any, a: Attributes) -> Any:
    return np.where(x > 0, x, a["alpha"] * wide.expm1(np.where(x > 0, 0 * x, x)))


def _between(x: Any, low: float, high: float) -> Any:
    return np.where(x < low, low + 0 * x, np.where(x > high, high + 0 * x, x))


_ACTIVATIONS: dict[str, Callable[[Any, Attributes], Any]] = {
    "relu": lambda x, a: np.where(x > 0, x, 0 * x),
    "sigmoid": lambda x, a: _sigmoid(x),
    "silu": lambda x, a: x * _sigmoid(x),
    "gelu": _gelu,
    "gelu_tanh": _gelu_tanh,
    "mish": _mish,
    "hardswish": lambda x, a: x * _between(x + 3, 0, 6) / 6,
    "hardsigmoid": lambda x, a: _between(a["slope"] * x + a["offset"], 0, 1),
    "softplus": _softplus,
    "leaky_relu": lambda x, a: np.where(x > 0, x, a["slope"] * x),
    "elu": _elu,
}


# ---- along an axis ---------------------------------------------------------------------------


def _exponentials(x: Any, axis: int) -> tuple[Any, Any, Any]:
    """x minus its largest element, the exponential of that, and its sum."""
    top = np.max(x, axis=axis, keepdims=True)
    shifted = x - top
    e = wide.exp(shifted)
    return shifted, e, np.sum(e, axis=axis, keepdims=True)


@wide.precisely
def softmax(op: Op, dtype: str, operands: list[Host], attributes: Attributes) -> Expected:
    """softmax and log_softmax."""
    values, axis = operands[0].exact(), attributes["axis"]
    if not values.size:
        return Expected(dtype, values.shape, reference=wide.reference(dtype, values))
    x = wide.lift(dtype, values)
    broken = np.broadcast_to(_broken(values, axis), values.shape)
    x = np.where(broken, 0 * wide.lift(dtype, np.ones(values.shape)), x)
    shifted, e, total = _exponentials(x, axis)
    quotient = e / total if op.name == "softmax" else shifted - wide.log(total)
    found = wide.reference(dtype, quotient)
    found.high, found.low = np.where(broken, np.nan, found.high), np.where(broken, 0.0, found.low)
    if op.name == "softmax":
        return Expected(dtype, values.shape, reference=found)
    top = np.max(np.where(broken, 0.0, values), axis=axis, keepdims=True)
    size = np.abs(values) + np.abs(top + wide.lower(wide.log(total))) + 1
    return within(dtype, Bounded(found, size, values.shape[axis]))


def _broken(values: Array, axis: int) -> Array:
    """Lines that give NaN: with a NaN, with +inf, or with nothing but -inf."""
    top = np.max(values, axis=axis, keepdims=True)
    return np.asarray(~np.isfinite(top))


@wide.precisely
def normalized(op: Op, dtype: str, operands: list[Host], attributes: Attributes) -> Expected:
    """layer_norm and rms_norm, over the last axis."""
    values = [h.exact() for h in operands]
    if not values[0].size:
        reference = wide.reference(dtype, values[0])
        return within(dtype, Bounded(reference, np.zeros(values[0].shape), 1))
    x, weight, *rest = (wide.lift(dtype, v) for v in values)
    n = values[0].shape[-1]
    epsilon = attributes["epsilon"]
    mean = np.sum(x, axis=-1, keepdims=True) / n if rest else 0 * x
    centred = x - mean
    scale = 1 / wide.sqrt(np.sum(centred * centred, axis=-1, keepdims=True) / n + epsilon)
    found = centred * scale * weight + (rest[0] if rest else 0)
    size = np.abs(lowered := wide.lower(centred * scale * weight)) + np.abs(wide.lower(found))
    if rest:
        average = np.mean(np.abs(values[0]), axis=-1, keepdims=True)
        added = (np.abs(values[0]) + average) * wide.lower(scale) * np.abs(values[1])
        size = np.abs(lowered) + added + np.abs(values[2])
    return within(dtype, Bounded(wide.reference(dtype, found), size, n))


@wide.precisely
def attention(op: Op, dtype: str, operands: list[Host], attributes: Attributes) -> Expected:
    """softmax(query key^T * scale) value; the error of a score counts with its magnitudes."""
    values = [h.exact() for h in operands]
    query, key, value = (wide.lift(dtype, v) for v in values)
    depth, count = query.shape[-1], key.shape[-2]
    shape = (*query.shape[:-1], value.shape[-1])
    if 0 in shape:
        empty = wide.reference(dtype, np.zeros(shape))
        return within(dtype, Bounded(empty, np.zeros(shape), 1))
    plain = np.matmul(values[0], np.swapaxes(values[1], -1, -2)) * attributes["scale"]
    hidden = plain == -np.inf
    if attributes["causal"]:
        hidden |= np.arange(count) > np.arange(query.shape[-2])[:, None]
    broken = ((np.isnan(plain) | (plain == np.inf)) & ~hidden).any(axis=-1) | hidden.all(axis=-1)
    scores = np.matmul(query, np.swapaxes(key, -1, -2)) * attributes["scale"]
    scores = np.where(broken[..., None], 0 * wide.lift(dtype, np.ones(scores.shape)), scores)
    hidden &= ~broken[..., None]
    top = np.array(np.where(hidden, plain.dtype.type(-np.inf), scores)).max(axis=-1, keepdims=True)
    shifted = np.where(hidden, 0 * wide.lift(dtype, np.ones(scores.shape)), scores - top)
    e = np.where(hidden, 0, wide.exp(shifted))
    weights = e / np.sum(e, axis=-1, keepdims=True)
    found = np.matmul(weights, value)
    sizes = np.matmul(np.abs(values[0]), np.swapaxes(np.abs(values[1]), -1, -2))
    worst = np.where(hidden, 0.0, sizes).max(axis=-1, keepdims=True) * abs(attributes["scale"])
    size = np.matmul(wide.lower(weights), np.abs(values[2])) * (1 + 2 * worst)
    reference = wide.reference(dtype, found)
    reference.high = np.where(broken[..., None], np.nan, reference.high)
    reference.low = np.where(broken[..., None], 0.0, reference.low)
    return within(dtype, Bounded(reference, size, depth + count))
