# SPDX-License-Identifier: Apache-2.0
"""Ordinary values of each type, in the domain of an op; and the container of a case's inputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from device_api_conformance.formats import FORMATS, PARTS, Array, Host, joined, rounded, storage


@dataclass
class Inputs:
    """Dense operands, and the attributes of the call (with `dtype` and `shape` where free)."""

    operands: list[Host]
    attributes: dict[str, Any] = field(default_factory=dict)


SMALL = ("pow", "sum", "matmul", "index_accumulate", "cumsum")
"""Ops whose whole numbers stay small."""


def ordinary(dtype: str, shape: tuple[int, ...], rng: np.random.Generator, op: str = "") -> Array:
    """Values in which nothing special happens, in the domain of `op`."""
    if dtype == "bool":
        return np.asarray(rng.integers(0, 2, shape)).astype(np.bool_)
    if dtype in PARTS:
        return _complex(dtype, shape, rng, op)
    if dtype not in FORMATS:
        info = np.iinfo(storage(dtype))
        if op in ("prod", "cumprod"):  # odd, so that no product becomes 0
            odd = 2 * rng.integers(-4 if info.min < 0 else 0, 4, shape) + 1
            return np.asarray(odd).astype(storage(dtype))
        bound = 7 if op in SMALL else info.max
        low = -min(bound, info.max) if info.min < 0 else 0
        return np.asarray(rng.integers(low, bound, shape, dtype=storage(dtype), endpoint=True))
    draw = _DOMAINS.get(op, _wide)
    return rounded(dtype, np.asarray(draw(dtype, shape, rng)))


def _complex(dtype: str, shape: tuple[int, ...], rng: np.random.Generator, op: str) -> Array:
    """Numbers of moderate size in all directions; near 1 for products."""
    pair = rng.normal(0, 1.5, (*shape, 2))
    if op in ("prod", "cumprod"):
        angle, size = rng.uniform(-3, 3, shape), np.exp2(rng.uniform(-0.25, 0.25, shape))
        pair = np.stack([size * np.cos(angle), size * np.sin(angle)], axis=-1)
    elif op in ("", "abs", "magnitude", "mul", "div", "add", "sub", "log", "sqrt", "reciprocal"):
        pair = pair * np.exp2(rng.uniform(-20, 20, (*shape, 1)))
    elif op in ("expm1", "log1p"):
        pair = pair * np.exp2(rng.uniform(-20, 0, (*shape, 1)))
    return joined(rounded(PARTS[dtype], pair))


_Draw = Callable[[str, tuple[int, ...], np.random.Generator], Array]


def _wide(dtype: str, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    reach = min(FORMATS[dtype].emax // 2, 20)
    return rng.uniform(-2, 2, shape) * np.exp2(rng.uniform(-reach, min(reach, 6), shape))


def _uniform(low: float, high: float) -> _Draw:
    return lambda dtype, shape, rng: rng.uniform(low, high, shape)


def _scaled(spread: float, low: float, high: float) -> _Draw:
    """Normal numbers of which the scale itself varies: many of them are small."""
    return lambda dtype, shape, rng: (
        rng.normal(0, spread, shape) * np.exp2(rng.uniform(low, high, shape))
    )


def _positive(dtype: str, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    reach = FORMATS[dtype].emax - 1
    near = rng.uniform(0.5, 2, shape)
    return np.where(
        rng.random(shape) < 0.4, near, near * np.exp2(rng.uniform(-reach, reach, shape))
    )


def _exponents(dtype: str, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    reach = FORMATS[dtype].emax * np.log(2.0)
    small = rng.uniform(-3, 3, shape)
    return np.where(rng.random(shape) < 0.5, small, rng.uniform(-1.05 * reach, reach, shape))


def _exponents_or_tiny(dtype: str, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    tiny = rng.normal(0, 1, shape) * np.exp2(rng.uniform(-14, -2, shape))
    return np.where(rng.random(shape) < 0.4, tiny, _exponents(dtype, shape, rng))


def _log1p(dtype: str, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    tiny = rng.normal(0, 1, shape) * np.exp2(rng.uniform(-14, -4, shape))
    return np.where(rng.random(shape) < 0.5, tiny, _positive(dtype, shape, rng) - 0.5)


def _angles(dtype: str, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    far = rng.uniform(-1, 1, shape) * np.exp2(rng.uniform(0, FORMATS[dtype].emax - 1, shape))
    return np.where(rng.random(shape) < 0.7, rng.uniform(-10, 10, shape), far)


def _from_one(dtype: str, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    return np.asarray(np.minimum(1 + np.abs(_wide(dtype, shape, rng)), FORMATS[dtype].largest))


def _factors(dtype: str, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    return np.exp2(rng.uniform(-0.25, 0.25, shape)) * np.where(rng.random(shape) < 0.5, -1, 1)


def _one_sign(dtype: str, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """Away from the zero of log(exp(x1) + exp(x2))."""
    return np.where(
        rng.random(shape) < 0.5, rng.uniform(0.5, 30, shape), rng.uniform(-30, -3, shape)
    )


_NEAR_ONE = _uniform(-2, 2)
_ACTIVATED = _scaled(3.0, -6, 1)

_DOMAINS: dict[str, _Draw] = {
    "log": _positive, "log2": _positive, "log10": _positive, "sqrt": _positive,
    "rsqrt": _positive, "exp": _exponents, "sinh": _exponents_or_tiny, "cosh": _exponents,
    "expm1": _exponents_or_tiny, "log1p": _log1p, "tanh": _scaled(1.0, -12, 4),
    "sin": _angles, "cos": _angles, "tan": _angles, "asin": _uniform(-1, 1),
    "acos": _uniform(-1, 1), "atanh": _uniform(-1, 1), "acosh": _from_one,
    "erf": _scaled(1.5, -10, 1), "logaddexp": _one_sign, "round": _scaled(8.0, -3, 3),
    "ceil": _scaled(8.0, -3, 3), "trunc": _scaled(8.0, -3, 3), "floor": _scaled(8.0, -3, 3),
    "sum": _NEAR_ONE, "matmul": _NEAR_ONE, "index_accumulate": _NEAR_ONE, "cumsum": _NEAR_ONE,
    "convolution": _NEAR_ONE, "attention": _NEAR_ONE, "prod": _factors, "cumprod": _factors,
    "avg_pool": _NEAR_ONE, "softmax": _uniform(-4, 4), "log_softmax": _uniform(-4, 4),
    "layer_norm": _NEAR_ONE, "rms_norm": _NEAR_ONE, "gelu": _scaled(2.0, -6, 0.5),
    "gelu_tanh": _scaled(2.0, -6, 0.5), "sigmoid": _ACTIVATED, "silu": _ACTIVATED,
    "mish": _ACTIVATED, "softplus": _ACTIVATED, "hardswish": _ACTIVATED, "elu": _ACTIVATED,
    "hardsigmoid": _ACTIVATED,
}  # fmt: skip
