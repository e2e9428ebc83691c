# SPDX-License-Identifier: Apache-2.0
"""Truth of sums: exact for integers, and for floats the exact sum of exact products.

Sums of floating-point numbers come from `math.fsum` (the exact sum, rounded once) and a second
pass for the rest; products are exact in float64 for types up to float32, and split into two
float64 (Dekker) for float64 itself.
"""

from __future__ import annotations

import math

import numpy as np

from device_api_conformance.expectation import Bounded
from device_api_conformance.formats import Array
from device_api_conformance.ulp import Reference

_SPLITTER = 134217729.0  # 2^27 + 1


def two_product_rest(a: Array, b: Array) -> Array:
    """a * b - fl(a * b) for float64 of moderate size, exactly."""
    a_high = a * _SPLITTER - (a * _SPLITTER - a)
    b_high = b * _SPLITTER - (b * _SPLITTER - b)
    a_low, b_low = a - a_high, b - b_high
    rest: Array = a_low * b_low - (((a * b - a_high * b_high) - a_low * b_high) - a_high * b_low)
    return rest


def sums(dtype: str, rows: Array, rests: Array | None = None) -> Bounded:
    """Sum of each row of a two-dimensional float64 array (plus `rests`, element by element)."""
    high, low = np.empty(len(rows)), np.zeros(len(rows))
    for i, row in enumerate(rows):
        if not np.isfinite(row).all():
            high[i] = _special_sum(row)
            continue
        terms = row.tolist() + ([] if rests is None else rests[i].tolist())
        high[i] = math.fsum(terms)
        low[i] = math.fsum([*terms, -high[i]]) if dtype == "float64" or rests is not None else 0.0
    with np.errstate(invalid="ignore"):
        magnitude = np.abs(rows).sum(axis=1)
    return Bounded(Reference.of(dtype, high, low), magnitude, max(rows.shape[1], 1))


def _special_sum(row: Array) -> float:
    plus, minus = bool((row == np.inf).any()), bool((row == -np.inf).any())
    if np.isnan(row).any() or (plus and minus):
        return float("nan")
    return float("inf") if plus else float("-inf")


def reshaped(bounded: Bounded, shape: tuple[int, ...]) -> Bounded:
    """The same sums as an array of `shape`."""
    reference = Reference(
        bounded.reference.high.reshape(shape), bounded.reference.low.reshape(shape)
    )
    return Bounded(reference, bounded.magnitude.reshape(shape), bounded.terms)


def reduced(dtype: str, x: Array, axes: tuple[int, ...]) -> Bounded:
    """Sum of a float64 array over `axes`."""
    kept = [a for a in range(x.ndim) if a not in axes]
    shape = tuple(x.shape[a] for a in kept)
    terms = math.prod(x.shape[a] for a in axes)
    rows = x.transpose(*kept, *axes).reshape(math.prod(shape), terms)
    return reshaped(sums(dtype, rows), shape)


def product(dtype: str, a: Array, b: Array) -> Bounded:
    """Batched matrix product of float64 arrays."""
    left = np.broadcast_to(a[..., :, None, :], (*a.shape[:-1], b.shape[-1], a.shape[-1]))
    right = np.broadcast_to(np.swapaxes(b, -1, -2)[..., None, :, :], left.shape)
    with np.errstate(invalid="ignore"):
        terms = left * right
        rests = two_product_rest(left, right) if dtype == "float64" else None
    shape, k = terms.shape[:-1], terms.shape[-1]
    count = math.prod(shape)
    flat = None if rests is None else rests.reshape(count, k)
    return reshaped(sums(dtype, terms.reshape(count, k), flat), shape)


def accumulated(dtype: str, x: Array, index: Array, updates: Array, axis: int) -> Bounded:
    """A copy of `x` to which updates are added at the indices along `axis`."""
    moved, where, what = (np.moveaxis(v, axis, -1) for v in (x, index, updates))
    shape = moved.shape
    lists = [[v] for v in moved.reshape(-1).tolist()]
    n = shape[-1]
    lines = (math.prod(where.shape[:-1]), where.shape[-1])
    rows = zip(where.reshape(lines), what.reshape(lines), strict=True)
    for r, (targets, values) in enumerate(rows):
        for target, value in zip(targets.tolist(), values.tolist(), strict=True):
            lists[r * n + target].append(value)
    longest = max((len(v) for v in lists), default=1)
    padded = np.zeros((len(lists), longest))
    for i, terms in enumerate(lists):
        padded[i, : len(terms)] = terms
    found = reshaped(sums(dtype, padded), shape)
    return Bounded(
        Reference(
            np.moveaxis(found.reference.high, -1, axis), np.moveaxis(found.reference.low, -1, axis)
        ),
        np.moveaxis(found.magnitude, -1, axis),
        longest,
    )
