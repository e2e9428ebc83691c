# SPDX-License-Identifier: Apache-2.0
"""Ordinary values of each type, in the domain of an op; and the container of a case's inputs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from device_api_conformance.formats import FORMATS, Array, Host, rounded, storage


@dataclass
class Inputs:
    """Dense operands, and the attributes of the call (with `dtype` and `shape` where free)."""

    operands: list[Host]
    attributes: dict[str, Any] = field(default_factory=dict)


def ordinary(dtype: str, shape: tuple[int, ...], rng: np.random.Generator, op: str = "") -> Array:
    """Values in which nothing special happens, in the domain of `op`."""
    if dtype == "bool":
        return np.asarray(rng.integers(0, 2, shape)).astype(np.bool_)
    if dtype not in FORMATS:
        info = np.iinfo(storage(dtype))
        bound = 7 if op in ("pow", "sum", "matmul", "index_accumulate") else info.max
        low = -min(bound, info.max) if info.min < 0 else 0
        return np.asarray(rng.integers(low, bound, shape, dtype=storage(dtype), endpoint=True))
    draw = _DOMAINS.get(op, _wide)
    return rounded(dtype, np.asarray(draw(dtype, shape, rng)))


def _wide(dtype: str, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    reach = min(FORMATS[dtype].emax // 2, 20)
    return rng.uniform(-2, 2, shape) * np.exp2(rng.uniform(-reach, min(reach, 6), shape))


def _near_one(dtype: str, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    return rng.uniform(-2, 2, shape)


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


def _tanh(dtype: str, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    return rng.normal(0, 1, shape) * np.exp2(rng.uniform(-12, 4, shape))


_DOMAINS = {
    "log": _positive, "sqrt": _positive, "exp": _exponents, "tanh": _tanh, "sum": _near_one,
    "matmul": _near_one, "index_accumulate": _near_one,
}  # fmt: skip
