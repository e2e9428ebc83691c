# SPDX-License-Identifier: Apache-2.0
"""Inputs of reductions, scans and matrix products: cancellation, exact integers, sweeps."""

from __future__ import annotations

import numpy as np

from device_api_conformance import specials
from device_api_conformance.case import Case
from device_api_conformance.formats import (
    FORMATS,
    PARTS,
    Array,
    Host,
    decode,
    joined,
    parts_of,
    rounded,
    storage,
)
from device_api_conformance.values import Inputs, ordinary


def reduce(case: Case, rng: np.random.Generator) -> Inputs:
    """Operand of a reduction or arg-reduction."""
    shape = case.shape or ()
    data = _REDUCED.get(case.values, _plain)(case, shape, rng)
    return Inputs([Host(case.dtype, data)], {"axes": case.axes})


def scan(case: Case, rng: np.random.Generator) -> Inputs:
    """Operand of a running sum or product."""
    made = reduce(case, rng)
    return Inputs(made.operands, {"axis": (case.axes or (0,))[0]})


def _plain(case: Case, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    return ordinary(case.dtype, shape, rng, case.op)


def _cancel(case: Case, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    rows, n = shape
    half = rng.uniform(-8, 8, (rows, n // 2))
    values = np.concatenate(
        [half, -half, rng.uniform(-1e-2, 1e-2, (rows, n - 2 * (n // 2)))], axis=1
    )
    return rounded(case.dtype, rng.permuted(values, axis=1))


def _growing(case: Case, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    scale = np.exp2(np.linspace(-6, 6, shape[1]))
    return rounded(case.dtype, rng.uniform(0.5, 1, shape) * scale)


def _small_integers(case: Case, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    return rounded(case.dtype, rng.integers(-64, 65, shape).astype(np.float64))


def _ones(case: Case, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    return rounded(case.dtype, np.ones(shape))


def _few(case: Case, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    if case.dtype == "bool":
        return ordinary("bool", shape, rng)
    values = np.asarray(rng.integers(0, 4, shape))
    if case.dtype in FORMATS:
        return rounded(case.dtype, values.astype(np.float64))
    return values.astype(storage(case.dtype))


def _negative_zeros(case: Case, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    return rounded(case.dtype, np.full(shape, -0.0))


_OWN = ("prod", "cumprod", "any", "all")


def _sweep(case: Case, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """One special value per row, at the position of the row's number."""
    data = np.asarray(ordinary(case.dtype, shape, rng, case.op if case.op in _OWN else "sum"))
    rows = np.arange(shape[0])
    if case.dtype == "bool":
        data[...] = rows[:, None] % 2 == 0  # rows of one value but for one place
        data[rows, rows] = rows % 2 == 1
        return data
    if case.op in ("any", "all"):
        data[::2] = 0
    if case.dtype in PARTS:
        pair = parts_of(data)
        pair[rows, rows, rows // 4 % 2] = np.array([np.nan, np.inf, -np.inf, 0])[rows % 4]
        return joined(pair)
    if case.dtype in FORMATS:
        values = rounded(case.dtype, np.array([np.nan, np.inf, -np.inf, np.nan, np.nan]))
        data[rows, rows] = values[rows % values.size]
        data[::3, -1] = rounded(case.dtype, np.array(np.nan))
        data[1::5, :] = rounded(case.dtype, np.array(-0.0))
        return data
    values = specials.integers(case.dtype)
    data[rows, rows] = values[rows // 2 % values.size]
    return data


def _one_sided(case: Case, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """Nothing above -1 where the largest is asked for, nothing below 1 where the smallest is."""
    sign = -1 if case.op in ("max", "argmax") else 1
    if case.dtype in PARTS:
        return ordinary(case.dtype, shape, rng, "sum")
    if case.dtype in FORMATS:
        return rounded(case.dtype, sign * rng.uniform(1, 100, shape))
    kind = storage(case.dtype)
    low, high = (-100, -1) if sign < 0 and np.iinfo(kind).min < 0 else (1, 100)
    return np.asarray(rng.integers(low, high, shape, endpoint=True)).astype(kind)


def limits(dtype: str, shape: tuple[int, ...], lowest: bool) -> Array:
    """Nothing but the lowest value of the type, or the highest."""
    if dtype == "bool":
        return np.full(shape, not lowest)
    if dtype in FORMATS:
        return rounded(dtype, np.full(shape, -np.inf if lowest else np.inf))
    info = np.iinfo(storage(dtype))
    return np.full(shape, info.min if lowest else info.max, dtype=storage(dtype))


def _limits(case: Case, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    if case.dtype in PARTS:
        return ordinary(case.dtype, shape, rng, "sum")
    return limits(case.dtype, shape, case.op in ("max", "argmax"))


def _subnormal(case: Case, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    smallest = FORMATS[case.dtype].smallest
    return rounded(case.dtype, rng.integers(-90, 90, shape).astype(np.float64) * smallest)


_REDUCED = {
    "one_sided": _one_sided, "limits": _limits, "subnormal": _subnormal,
    "cancel": _cancel, "growing": _growing, "integers": _small_integers, "ones": _ones,
    "ties": _few, "edges": _sweep, "negative_zeros": _negative_zeros,
}  # fmt: skip


# ---- contractions and indexed ops ------------------------------------------------------------


def matmul(case: Case, rng: np.random.Generator) -> Inputs:
    """Factors of a batched matrix product; the case's shape is (batch.., m, k, n)."""
    *batch, m, k, n = case.shape or ()
    left, right = (*batch, m, k), (*batch, k, n)
    a = np.asarray(ordinary(case.dtype, left, rng, "matmul"))
    b = np.asarray(ordinary(case.dtype, right, rng, "matmul"))
    if case.values == "integers":
        a, b = _exact_factors(case.dtype, left, right, rng)
    if case.values == "cancel":
        a[..., 1::2], b[..., 1::2, :] = a[..., ::2], b[..., ::2, :]
        negative = rounded(case.dtype, -decode(case.dtype, b[..., 1::2, :]))
        b[..., 1::2, :] = negative
        a[..., 0] = rounded(case.dtype, decode(case.dtype, a[..., 0]) * (1 + 2.0**-6))
    if case.values == "nan_row":
        a[m // 2, k // 3] = rounded(case.dtype, np.array(np.nan))
        b[k - 1, n // 2] = rounded(case.dtype, np.array(np.inf))
    if case.values == "nan_sweep":  # at every place of a row, in every second row
        rows = np.arange(0, m, 2)
        a[rows, rows // 2 % k] = rounded(case.dtype, np.array(np.nan))
    if case.values == "subnormal":
        tiny = FORMATS[case.dtype].smallest * rng.integers(-40, 40, left)
        a, b = rounded(case.dtype, tiny), rounded(case.dtype, rng.integers(-4, 5, right) * 1.0)
    return Inputs([Host(case.dtype, a), Host(case.dtype, b)])


def _exact_factors(
    dtype: str, left: tuple[int, ...], right: tuple[int, ...], rng: np.random.Generator
) -> tuple[Array, Array]:
    """Whole numbers of which every partial sum is exact in the accumulator, in any order."""
    if dtype not in FORMATS:
        info = np.iinfo(storage(dtype))
        low = -100 if info.min < 0 else 0
        return tuple(rng.integers(low, 100, s, endpoint=True).astype(storage(dtype))
                     for s in (left, right))  # type: ignore[return-value]  # fmt: skip
    bits = {"float16": (8, 4), "bfloat16": (8, 7), "float32": (12, 6), "float64": (25, 20)}[dtype]
    factors = [rng.integers(-(2**b) + 1, 2**b, s).astype(np.float64)
               for b, s in zip(bits, (left, right), strict=True)]  # fmt: skip
    return rounded(dtype, factors[0]), rounded(dtype, factors[1])
