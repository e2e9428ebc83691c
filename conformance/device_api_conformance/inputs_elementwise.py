# SPDX-License-Identifier: Apache-2.0
"""Operands of elementwise ops: ordinary values, special values, pairs of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from device_api_abi import optable
from device_api_conformance import specials
from device_api_conformance.case import Case
from device_api_conformance.formats import FORMATS, PARTS, Array, Host, decode, rounded, storage
from device_api_conformance.values import Inputs, ordinary

ATTRIBUTES: dict[str, dict[str, float]] = {
    "hardsigmoid": {"slope": 0.25, "offset": 0.5},
    "softplus": {"beta": 2.0, "threshold": 20.0},
    "leaky_relu": {"slope": 0.125},
    "elu": {"alpha": 1.5},
}
"""Attributes of activations: numbers that every type holds exactly."""

PERIOD = 1021
"""Length of what `repeated` repeats: a prime, so that no block or counter is a multiple of it."""

SOME_EQUAL = ("equal", "not_equal", "less", "less_equal", "maximum", "minimum", "nextafter")


def make(case: Case, rng: np.random.Generator) -> Inputs:
    """Operands of a unary, binary, compare, logical, select, cast, copy or activation op."""
    op = optable.by_name()[case.op]
    attributes: dict[str, Any] = dict(ATTRIBUTES.get(case.op, {}))
    if case.values == "repeated":  # many elements whose truth is cheap
        made = make(replace(case, shape=(PERIOD,), values="ordinary"), rng)
        (count,) = case.shape or (0,)
        return Inputs([Host(h.dtype, np.resize(h.data, count)) for h in made.operands],
                      made.attributes)  # fmt: skip
    found = _OPERANDS.get(case.values, _ordinary_operands)(case, len(op.inputs), rng)
    if op.kind == "cast":
        attributes = {"dtype": case.other}
        found[0].data = _castable(case.dtype, case.other, found[0].data)
    if case.op in ("shift_left", "shift_right"):
        found[1].data = _counts(case, found[1].data, rng)
    if case.op == "logaddexp":
        found = _well_conditioned(case.dtype, found)
    if case.op == "pow" and case.dtype in PARTS:
        found[1].data = _moderate(found[0].data, found[1].data)
    return Inputs(found, attributes)


def _exhaustive_operands(case: Case, n: int, rng: np.random.Generator) -> list[Host]:
    return [Host(case.dtype, values) for values in specials.every(case.dtype, n)]


def _stratified_operands(case: Case, n: int, rng: np.random.Generator) -> list[Host]:
    (count,) = case.shape or (0,)
    found = [specials.stratified(case.dtype, count, rng) for _ in range(n)]
    return [Host(case.dtype, rng.permutation(v) if i else v) for i, v in enumerate(found)]


def _ordinary_operands(case: Case, n: int, rng: np.random.Generator) -> list[Host]:
    shape = case.shape or ()
    data = [ordinary(case.dtype, shape, rng, case.op) for _ in range(n)]
    if case.op in SOME_EQUAL:
        data[1] = np.where(rng.random(shape) < 0.3, data[0], data[1]).astype(data[0].dtype)
    if case.op == "pow" and case.dtype not in PARTS:
        data = _powers(case.dtype, shape, rng)
    if case.op == "where":
        data[0] = ordinary("bool", shape, rng)
    if case.op in ("floor_divide", "remainder"):
        data[1] = _divisors(case.dtype, data[1], rng)
    return [Host("bool" if case.op == "where" and i == 0 else case.dtype, np.asarray(d))
            for i, d in enumerate(data)]  # fmt: skip


def _powers(dtype: str, shape: tuple[int, ...], rng: np.random.Generator) -> list[Array]:
    """Bases and exponents; negative ones of integers are edge values, which libraries refuse."""
    if dtype not in FORMATS:
        signed = np.iinfo(storage(dtype)).min < 0
        base = rng.integers(-9 if signed else 0, 10, shape)
        return [np.asarray(d).astype(storage(dtype))
                for d in (base, rng.integers(0, 12, shape))]  # fmt: skip
    base = np.exp2(rng.uniform(-6, 6, shape))
    whole = rng.integers(-4, 5, shape)
    power = np.where(rng.random(shape) < 0.2, whole, rng.uniform(-9, 9, shape))
    negative = (power == whole) & (rng.random(shape) < 0.5)
    return [rounded(dtype, np.where(negative, -base, base)), rounded(dtype, power)]


def _divisors(dtype: str, data: Array, rng: np.random.Generator) -> Array:
    """Small whole divisors for integers, so that quotients are not all 0 or -1."""
    if dtype in FORMATS:
        return data
    low = -9 if np.iinfo(storage(dtype)).min < 0 else 1
    small = rng.integers(low, 10, data.shape)
    return np.asarray(np.where(small == 0, 3, small)).astype(storage(dtype))


def _counts(case: Case, data: Array, rng: np.random.Generator) -> Array:
    """Shift counts from 0 to above the width; a negative count is not specified."""
    width = storage(case.dtype).itemsize * 8
    if case.values not in ("edges", "exhaustive"):
        return np.asarray(rng.integers(0, width + 2, data.shape)).astype(data.dtype)
    return np.where(data < 0, np.asarray(width - 1).astype(data.dtype), data)


def _well_conditioned(dtype: str, operands: list[Host]) -> list[Host]:
    """Replace pairs whose result is a small difference: no limit in units can be kept there."""
    x, y = (h.exact() for h in operands)
    with np.errstate(invalid="ignore", over="ignore"):
        found = np.logaddexp(x, y)
        bad = np.isfinite(found) & (np.abs(found) < 0.25 * np.maximum(np.abs(x), np.abs(y)))
        bad &= np.maximum(x, y) < 0
    one = rounded(dtype, np.array(1.0))
    return [Host(dtype, np.where(bad, one, h.data).astype(h.data.dtype)) for h in operands]


def _moderate(base: Array, power: Array) -> Array:
    """Replace complex powers that magnify the rounding of a logarithm beyond the limit."""
    with np.errstate(all="ignore"):
        exponent = np.abs(power.astype(np.complex128) * np.log(base.astype(np.complex128)))
    return np.where(exponent > 30, 1, power).astype(power.dtype)


def _edge_operands(case: Case, n: int, rng: np.random.Generator) -> list[Host]:
    rounding = optable.by_name()[case.op].error != "ulp" and case.dtype not in PARTS
    values = specials.of(case.dtype, short=n > 1 and not rounding)
    if n == 1:
        return [Host(case.dtype, specials.at_every_lane(values))]
    first, second = specials.pairs(values, values)
    if n == 2:
        return [Host(case.dtype, first), Host(case.dtype, second)]
    condition = ordinary("bool", first.shape, rng)
    return [Host("bool", condition), Host(case.dtype, first), Host(case.dtype, second)]


_OPERANDS = {
    "edges": _edge_operands, "exhaustive": _exhaustive_operands,
    "stratified": _stratified_operands,
}  # fmt: skip


def _castable(dtype: str, target: str, data: Array) -> Array:
    """Replace the values whose cast the op table leaves open: floats outside an integer's range."""
    if dtype not in FORMATS or target in FORMATS or target == "bool" or target in PARTS:
        return data
    info = np.iinfo(storage(target))
    values = decode(dtype, data)
    with np.errstate(invalid="ignore"):
        whole = np.trunc(values)
        inside = (whole >= float(info.min)) & (whole < float(info.max) + (info.max < 2**53))
    return np.where(inside, data, rounded(dtype, np.array(1.0)))
