# SPDX-License-Identifier: Apache-2.0
"""Truth of sums and products over axes, running ones included, and of contractions.

Complex sums are sums of parts; a complex matrix product is one of real matrices twice as large.
Products are judged like sums: n factors, each multiplication one roundoff of the whole.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from device_api_abi.optable import Op
from device_api_conformance import truth_sum, wide
from device_api_conformance.expectation import Bounded, Expected, exactly, within
from device_api_conformance.formats import FORMATS, PARTS, Array, Host, rounded, wrapped
from device_api_conformance.ulp import Reference

Attributes = dict[str, Any]


def summed(
    op: Op, dtype: str, operands: list[Host], attributes: Attributes, exact: bool
) -> Expected:
    """sum, matmul, index_accumulate and cumsum; `exact` says that any order is exact."""
    if dtype in PARTS:
        return within(dtype, _SUMS[op.name](PARTS[dtype], *_by_parts(op, operands, attributes)))
    values = [h.exact() for h in operands]
    if dtype not in FORMATS:
        return exactly(dtype, wrapped(dtype, _WHOLE[op.name](values, attributes)))
    bounded = _SUMS[op.name](dtype, values, attributes)
    if exact:
        high = bounded.reference.high
        return exactly(dtype, rounded(dtype, high), zero_either=high == 0)
    return within(dtype, bounded)


def _by_parts(
    op: Op, operands: list[Host], attributes: Attributes
) -> tuple[list[Array], Attributes]:
    """Complex operands as real ones whose result has the parts on a last axis."""
    values = [h.parts().exact() for h in operands]
    if op.name == "matmul":  # (re, im) by ((re, im), (-im, re)), for both columns at once
        x, y = values
        left = np.concatenate([x[..., 0], x[..., 1]], axis=-1)
        real = np.concatenate([y[..., 0], -y[..., 1]], axis=-2)
        imag = np.concatenate([y[..., 1], y[..., 0]], axis=-2)
        right = np.stack([real, imag], axis=-1).reshape(*real.shape[:-1], 2 * real.shape[-1])
        return [left, right], {"pairs": True}
    if op.name == "index_accumulate":
        index = np.broadcast_to(operands[1].data[..., None], (*operands[1].shape, 2))
        values[1] = index
    return values, attributes


# ---- floating ----


def _sum(dtype: str, values: list[Array], attributes: Attributes) -> Bounded:
    return truth_sum.reduced(dtype, values[0], tuple(attributes["axes"]))


def _matmul(dtype: str, values: list[Array], attributes: Attributes) -> Bounded:
    found = truth_sum.product(dtype, *values)
    if not attributes.get("pairs"):
        return found
    high = found.reference.high
    return truth_sum.reshaped(found, (*high.shape[:-1], high.shape[-1] // 2, 2))


def _accumulate(dtype: str, values: list[Array], attributes: Attributes) -> Bounded:
    x, index, updates = values
    return truth_sum.accumulated(dtype, x, index.astype(np.int64), updates, attributes["axis"])


def _cumsum(dtype: str, values: list[Array], attributes: Attributes) -> Bounded:
    """Each running sum is exact: `fsum` of the elements up to there, kept as two floats."""
    lines, shape = _lines(values[0], attributes["axis"])
    high, low = np.zeros(lines.shape), np.zeros(lines.shape)
    for i, line in enumerate(lines.tolist()):
        total = rest = 0.0
        for j, value in enumerate(line):
            parts = (total, rest, value)
            total = sum(parts) if value - value else math.fsum(parts)
            rest = math.fsum((*parts, -total)) if total - total == 0 else 0.0
            high[i, j], low[i, j] = total, rest
    with np.errstate(invalid="ignore"):
        magnitude = np.cumsum(np.abs(lines), axis=-1)
    found = Bounded(Reference.of(dtype, high, low), magnitude, lines.shape[-1])
    return _moved(found, shape, attributes["axis"])


_SUMS: dict[str, Callable[..., Bounded]] = {
    "sum": _sum, "matmul": _matmul, "index_accumulate": _accumulate, "cumsum": _cumsum,
}  # fmt: skip


def _lines(x: Array, axis: int) -> tuple[Array, tuple[int, ...]]:
    moved = np.moveaxis(x, axis, -1)
    return moved.reshape(math.prod(moved.shape[:-1]), moved.shape[-1]), moved.shape


def _moved(found: Bounded, shape: tuple[int, ...], axis: int) -> Bounded:
    """Lines back into an array of which `axis` was moved to the end."""
    high, low, magnitude = (
        np.moveaxis(v.reshape(shape), -1, axis)
        for v in (found.reference.high, found.reference.low, found.magnitude)
    )
    return Bounded(Reference(high, low), magnitude, found.terms)


# ---- products ----


@wide.precisely
def multiplied(op: Op, dtype: str, operands: list[Host], attributes: Attributes) -> Expected:
    """prod and cumprod."""
    x = operands[0].exact()
    if dtype not in FORMATS and dtype not in PARTS:
        return exactly(dtype, wrapped(dtype, _WHOLE[op.name]([x], attributes)))
    part = PARTS.get(dtype, dtype)
    factors = wide.lift(dtype, x) if dtype in FORMATS else wide.lift_complex(part, x)
    fold, terms = _PRODUCTS[op.name]
    found = fold(factors, attributes)
    if dtype in FORMATS:
        reference = wide.reference(dtype, found)
        return within(dtype, Bounded(reference, np.abs(reference.high), terms(x, attributes)))
    pair = wide.parts(found)
    reference = wide.reference(part, pair)
    size = np.broadcast_to(np.abs(reference.high).max(axis=-1, keepdims=True), pair.shape)
    return within(dtype, Bounded(reference, size, 3 * terms(x, attributes)))


def _prod(factors: Array, attributes: Attributes) -> Array:
    return np.asarray(np.prod(factors, axis=tuple(attributes["axes"])))


def _cumprod(factors: Array, attributes: Attributes) -> Array:
    return np.asarray(np.cumprod(factors, axis=attributes["axis"]))


_PRODUCTS: dict[str, tuple[Callable[..., Array], Callable[..., int]]] = {
    "prod": (_prod, lambda x, a: max(math.prod(x.shape[i] for i in a["axes"]), 1)),
    "cumprod": (_cumprod, lambda x, a: max(x.shape[a["axis"]], 1)),
}


# ---- whole numbers ----


def _whole_matmul(values: list[Array], attributes: Attributes) -> Array:
    a, b = values
    if 0 in (*a.shape, *b.shape):
        return np.zeros((*a.shape[:-1], b.shape[-1]), dtype=object)
    return np.asarray(np.matmul(a, b), dtype=object)


def _whole_accumulate(values: list[Array], attributes: Attributes) -> Array:
    total, axis = values[0].copy(), attributes["axis"]
    index = values[1].astype(np.int64)
    for at in np.ndindex(index.shape):
        target = (*at[:axis], int(index[at]), *at[axis + 1 :])
        total[target] += values[2][at]
    return total


def _running(step: Callable[[int, int], int]) -> Callable[..., Array]:
    def run(values: list[Array], attributes: Attributes) -> Array:
        lines, shape = _lines(values[0], attributes["axis"])
        found = np.empty(lines.shape, dtype=object)
        for i, line in enumerate(lines.tolist()):
            kept = itertools.accumulate(line, lambda a, b: step(a, b) % (1 << 64))
            found[i, :] = list(kept)
        return np.moveaxis(found.reshape(shape), -1, attributes["axis"])

    return run


_WHOLE: dict[str, Callable[..., Array]] = {
    "sum": lambda v, a: np.asarray(np.sum(v[0], axis=tuple(a["axes"]), initial=0), dtype=object),
    "prod": lambda v, a: np.asarray(np.prod(v[0], axis=tuple(a["axes"]), initial=1), dtype=object),
    "matmul": _whole_matmul,
    "index_accumulate": _whole_accumulate,
    "cumsum": _running(lambda a, b: a + b),
    "cumprod": _running(lambda a, b: a * b),
}
