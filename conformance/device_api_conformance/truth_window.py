# SPDX-License-Identifier: Apache-2.0
"""Truth of convolutions and pools: each output element from the elements that its window sees."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from device_api_abi.optable import Op
from device_api_conformance import truth_sum
from device_api_conformance.expectation import Bounded, Expected, exactly, within
from device_api_conformance.formats import Array, Host, rounded
from device_api_conformance.ulp import Reference
from device_api_conformance.windows import AXES, Geometry

Attributes = dict[str, Any]


def convolution(
    op: Op, dtype: str, operands: list[Host], attributes: Attributes, exact: bool
) -> Expected:
    """Sums of products over channels and window; zeros outside x."""
    x, weight = (h.exact() for h in operands)
    groups, shape = attributes["groups"], tuple(attributes["shape"])
    geometry = Geometry.of(attributes, weight.shape[2:])
    spatial, size = x.shape[2:], math.prod(weight.shape[2:])
    flat = x.reshape(*x.shape[:2], math.prod(spatial))
    kernel = weight.reshape(*weight.shape[:2], size)
    inputs, outputs = kernel.shape[1], max(shape[1] // groups, 1)
    rows = np.zeros((math.prod(shape), inputs * size))
    rests = np.zeros_like(rows)
    seen = {at: list(geometry.seen(at, spatial)) for at in np.ndindex(shape[2:])}
    for i, (n, o, *at) in enumerate(np.ndindex(shape)):
        pairs = seen[tuple(at)]
        if not pairs:
            continue
        k, p = (list(v) for v in zip(*pairs, strict=True))
        first = o // outputs * inputs
        a, b = flat[n, first : first + inputs][:, p].reshape(-1), kernel[o][:, k].reshape(-1)
        with np.errstate(invalid="ignore"):
            rows[i, : a.size] = a * b
            if dtype == "float64":
                rests[i, : a.size] = truth_sum.two_product_rest(a, b)
    found = truth_sum.sums(dtype, rows, rests if dtype == "float64" else None)
    found = truth_sum.reshaped(found, shape)
    if exact:
        high = found.reference.high
        return exactly(dtype, rounded(dtype, high), zero_either=high == 0)
    return within(dtype, found)


def _pooled(
    operands: list[Host], attributes: Attributes, reduce: Callable[..., None]
) -> tuple[int, ...]:
    """Call `reduce` with each output position (flat), the lines of x and what is seen there."""
    x, shape = operands[0].exact(), tuple(attributes["shape"])
    spatial = x.shape[2:]
    window = tuple(int(attributes[f"window_{a}"]) for a in AXES[3 - len(spatial) :])
    geometry = Geometry.of(attributes, window)
    flat = x.reshape(*x.shape[:2], math.prod(spatial))
    for i, at in enumerate(np.ndindex(shape[2:])):
        points = [p for _, p in geometry.seen(at, spatial)]
        reduce(i, flat[..., points], geometry.padded(at, spatial))
    return shape


def max_pool(op: Op, dtype: str, operands: list[Host], attributes: Attributes) -> Expected:
    """NaN in a window gives NaN; a window wholly outside x gives -inf."""
    columns: list[Array] = []
    mixed: list[Array] = []

    def reduce(i: int, values: Array, padded: int) -> None:
        n = values.shape[:2]
        empty = not values.shape[-1]
        columns.append(np.full(n, -np.inf) if empty else np.max(values, axis=-1))
        zeros = np.zeros(n, dtype=np.bool_) if empty else (values == 0).any(axis=-1)
        mixed.append(zeros)

    shape = _pooled(operands, attributes, reduce)
    if not columns:
        return exactly(dtype, rounded(dtype, np.zeros(shape)))
    found = np.stack(columns, axis=-1).reshape(shape)
    either = np.stack(mixed, axis=-1).reshape(shape)
    return exactly(dtype, rounded(dtype, found), zero_either=either)


def avg_pool(op: Op, dtype: str, operands: list[Host], attributes: Attributes) -> Expected:
    """Sum of what a window sees over the number of its elements inside x, or inside the padding."""
    columns: list[Bounded] = []
    divisors: list[int] = []

    def reduce(i: int, values: Array, padded: int) -> None:
        divisors.append(padded if attributes["count_pad"] else values.shape[-1])
        lines = values.reshape(math.prod(values.shape[:2]), values.shape[-1])
        columns.append(truth_sum.sums(dtype, lines))

    shape = _pooled(operands, attributes, reduce)
    if not columns:
        return exactly(dtype, rounded(dtype, np.zeros(shape)))
    count = np.array(divisors, dtype=np.float64)
    high = np.stack([c.reference.high for c in columns], axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        quotient = high / count
        magnitude = np.stack([c.magnitude for c in columns], axis=-1) / count + np.abs(quotient)
    terms = max(c.terms for c in columns)
    bounded = Bounded(Reference.of(dtype, quotient), magnitude, terms)
    return within(dtype, truth_sum.reshaped(bounded, shape))
