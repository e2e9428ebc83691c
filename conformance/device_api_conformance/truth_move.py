# SPDX-License-Identifier: Apache-2.0
"""Truth of ops that move or make values: selection, copies, casts, fills, indices, random bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from device_api_abi.optable import Op
from device_api_conformance import philox
from device_api_conformance.expectation import Expected, exactly
from device_api_conformance.formats import (
    FORMATS,
    PARTS,
    Array,
    Host,
    parts_of,
    rounded,
    storage,
    wrapped,
)

Attributes = dict[str, Any]


def _kept(dtype: str, data: Array) -> Expected:
    return exactly(dtype, parts_of(data) if dtype in PARTS else data, payload=True)


def select(op: Op, dtype: str, operands: list[Host], attributes: Attributes) -> Expected:
    """where"""
    condition, first, second = (h.data for h in operands)
    return _kept(dtype, np.where(condition, first, second))


def copy(op: Op, dtype: str, operands: list[Host], attributes: Attributes) -> Expected:
    """copy"""
    return _kept(dtype, operands[0].data)


def gather(op: Op, dtype: str, operands: list[Host], attributes: Attributes) -> Expected:
    """take_along_axis"""
    x, index = operands
    return _kept(dtype, np.take_along_axis(x.data, index.data.astype(np.int64), attributes["axis"]))


def put(op: Op, dtype: str, operands: list[Host], attributes: Attributes) -> Expected:
    """put_along_axis: one after the other, so that the last of equal indices counts."""
    x, index, updates = (h.data for h in operands)
    axis, found = attributes["axis"], x.copy()
    for at in np.ndindex(index.shape):
        found[(*at[:axis], int(index[at]), *at[axis + 1 :])] = updates[at]
    return _kept(dtype, found)


# ---- casts -----------------------------------------------------------------------------------


def cast(op: Op, dtype: str, operands: list[Host], attributes: Attributes) -> Expected:
    """cast"""
    target, source = attributes["dtype"], operands[0]
    if target in PARTS:
        return exactly(target, _to_complex(source, PARTS[target]))
    if target == dtype:
        return exactly(target, source.data)
    return exactly(target, converted(source, target))


def _to_complex(source: Host, part: str) -> Array:
    """Parts of a complex number; a real number has the imaginary part 0."""
    if source.dtype in PARTS:
        return converted(source.parts(), part)
    real = source.data if source.dtype == part else converted(source, part)
    return np.stack([real, np.zeros_like(real)], axis=-1)


def converted(source: Host, target: str) -> Array:
    """Values of `source` in the storage of `target`, by the rules of the op `cast`."""
    values = source.exact()
    if target == "bool":
        return np.asarray(values != 0).astype(np.bool_)
    if source.dtype in FORMATS:
        if target in FORMATS:
            return rounded(target, values)
        return wrapped(
            target, np.vectorize(int, otypes=[object])(values) if values.size else values
        )
    if target not in FORMATS:
        return wrapped(target, values)
    high = values.astype(np.float64)  # Python's conversion: correctly rounded
    rest = (
        np.vectorize(lambda v, h: float(v - int(h)), otypes=[np.float64])(values, high)
        if values.size
        else high
    )
    return rounded(target, high, rest)


# ---- ops without operands --------------------------------------------------------------------


def fill(op: Op, dtype: str, operands: list[Host], attributes: Attributes) -> Expected:
    """fill"""
    value, shape = attributes["value"], tuple(attributes["shape"])
    if dtype in PARTS:
        pair = np.broadcast_to([complex(value).real, complex(value).imag], (*shape, 2))
        return exactly(dtype, rounded(PARTS[dtype], pair))
    if dtype in FORMATS:
        return exactly(dtype, rounded(dtype, np.full(shape, value, dtype=np.float64)))
    return exactly(dtype, np.full(shape, value, dtype=storage(dtype)))


def iota(op: Op, dtype: str, operands: list[Host], attributes: Attributes) -> Expected:
    """iota"""
    start, step, (n,) = attributes["start"], attributes["step"], attributes["shape"]
    if dtype in FORMATS:  # the cases choose start and step so that float64 is exact
        return exactly(dtype, rounded(dtype, start + np.arange(n) * float(step)))
    whole = np.array([start + i * step for i in range(n)], dtype=object)
    return exactly(dtype, wrapped(dtype, whole))


def random(op: Op, dtype: str, operands: list[Host], attributes: Attributes) -> Expected:
    """random_bits"""
    (n,) = attributes["shape"]
    return exactly(dtype, philox.words(n, attributes["seed"], attributes["offset"]))
