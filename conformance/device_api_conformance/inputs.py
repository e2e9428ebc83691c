# SPDX-License-Identifier: Apache-2.0
"""Input values of a case: operands (dense) and attributes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from device_api_abi import optable

from device_api_conformance import specials
from device_api_conformance.case import Case
from device_api_conformance.formats import FORMATS, Array, Host, decode, rounded, storage, wrapped


@dataclass
class Inputs:
    """Dense operands, and the attributes of the call (with `dtype` and `shape` where free)."""

    operands: list[Host]
    attributes: dict[str, Any] = field(default_factory=dict)


def make(case: Case, rng: np.random.Generator) -> Inputs:
    """Operands and attributes of a numeric case; equal generators give equal inputs."""
    op = optable.by_name()[case.op]
    return _MAKERS.get(op.kind, _elementwise)(case, rng)


# ---- values ----------------------------------------------------------------------------------


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
    return np.where(rng.random(shape) < 0.4, near, near * np.exp2(rng.uniform(-reach, reach, shape)))


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


# ---- elementwise -----------------------------------------------------------------------------


def _elementwise(case: Case, rng: np.random.Generator) -> Inputs:
    op = optable.by_name()[case.op]
    if case.values == "exhaustive":
        every = np.arange(65536, dtype=np.uint16).view(storage(case.dtype))
        return Inputs([Host(case.dtype, every)])
    operands = _edge_operands if case.values == "edges" else _ordinary_operands
    found = operands(case, len(op.inputs), rng)
    attributes = {"dtype": case.other} if op.kind == "cast" else {}
    if op.kind == "cast":
        found[0].data = _castable(case.dtype, case.other, found[0].data)
    return Inputs(found, attributes)


def _ordinary_operands(case: Case, n: int, rng: np.random.Generator) -> list[Host]:
    shape = case.shape or ()
    data = [ordinary(case.dtype, shape, rng, case.op) for _ in range(n)]
    if case.op in ("equal", "less", "maximum", "minimum"):  # some equal pairs
        data[1] = np.where(rng.random(shape) < 0.3, data[0], data[1]).astype(data[0].dtype)
    if case.op == "pow":
        data = _powers(case.dtype, shape, rng)
    if case.op == "where":
        data[0] = ordinary("bool", shape, rng)
    return [Host("bool" if case.op == "where" and i == 0 else case.dtype, np.asarray(d))
            for i, d in enumerate(data)]  # fmt: skip


def _powers(dtype: str, shape: tuple[int, ...], rng: np.random.Generator) -> list[Array]:
    if dtype not in FORMATS:
        signed = np.iinfo(storage(dtype)).min < 0
        base = rng.integers(-9 if signed else 0, 10, shape)
        return [np.asarray(d).astype(storage(dtype))
                for d in (base, rng.integers(-3 if signed else 0, 12, shape))]  # fmt: skip
    base = np.exp2(rng.uniform(-6, 6, shape))
    whole = rng.integers(-4, 5, shape)
    power = np.where(rng.random(shape) < 0.2, whole, rng.uniform(-9, 9, shape))
    negative = (power == whole) & (rng.random(shape) < 0.5)
    return [rounded(dtype, np.where(negative, -base, base)), rounded(dtype, power)]


def _edge_operands(case: Case, n: int, rng: np.random.Generator) -> list[Host]:
    values = specials.of(case.dtype)
    if n == 1:
        return [Host(case.dtype, specials.at_every_lane(values))]
    first, second = specials.pairs(values, values)
    if n == 2:
        return [Host(case.dtype, first), Host(case.dtype, second)]
    condition = ordinary("bool", first.shape, rng)
    return [Host("bool", condition), Host(case.dtype, first), Host(case.dtype, second)]


def _castable(dtype: str, target: str, data: Array) -> Array:
    """Replace the values whose cast the op table leaves open: floats outside an integer's range."""
    if dtype not in FORMATS or target in FORMATS or target == "bool":
        return data
    info = np.iinfo(storage(target))
    values = decode(dtype, data)
    with np.errstate(invalid="ignore"):
        whole = np.trunc(values)
        inside = (whole >= float(info.min)) & (whole < float(info.max) + (info.max < 2**53))
    return np.where(inside, data, rounded(dtype, np.array(1.0)))


# ---- makers without operands -----------------------------------------------------------------


def scalar(dtype: str, kind: str, rng: np.random.Generator) -> Any:
    """A Python scalar for `fill`: bool, int or float by the type."""
    if dtype == "bool":
        return kind != "zero"
    if dtype not in FORMATS:
        info = np.iinfo(storage(dtype))
        low = info.min + 1 if info.min < 0 else info.max // 2
        return {"zero": 0, "extreme": int(low)}.get(kind, int(rng.integers(1, 100)))
    f = FORMATS[dtype]
    values = {"zero": -0.0, "extreme": f.largest, "nan": float("nan"), "tie": 1 + f.roundoff}
    return values.get(kind, float(rng.uniform(-3, 3)))


def _fill(case: Case, rng: np.random.Generator) -> Inputs:
    value = scalar(case.dtype, case.values, rng)
    return Inputs([], {"value": value, "dtype": case.dtype, "shape": case.shape})


def _iota(case: Case, rng: np.random.Generator) -> Inputs:
    floating = case.dtype in FORMATS
    start, step = {"count": (0, 1), "down": (100, -1), "large": (_large(case.dtype), 1),
                   "fraction": (0.5, 0.0625)}[case.values]  # fmt: skip
    if floating:
        start, step = float(start), float(step)
    return Inputs([], {"start": start, "step": step, "dtype": case.dtype, "shape": case.shape})


def _large(dtype: str) -> int:
    if dtype in FORMATS:
        return int(min(1 / FORMATS[dtype].roundoff, 2.0**40))
    return int(np.iinfo(storage(dtype)).max) - 100


def _random(case: Case, rng: np.random.Generator) -> Inputs:
    seed, offset = {"small_seed": (7, 0), "large_seed": (0xFEDCBA9876543210, 0),
                    "carry": (3, 2**32 - 5), "offset": (2**33 + 1, 12345)}[case.values]  # fmt: skip
    return Inputs([], {"seed": seed, "offset": offset, "dtype": case.dtype, "shape": case.shape})


# ---- reductions ------------------------------------------------------------------------------


def _reduce(case: Case, rng: np.random.Generator) -> Inputs:
    shape = case.shape or ()
    data = _REDUCED.get(case.values, _plain)(case, shape, rng)
    return Inputs([Host(case.dtype, data)], {"axes": case.axes})


def _plain(case: Case, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    return ordinary(case.dtype, shape, rng, case.op)


def _cancel(case: Case, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    rows, n = shape
    half = rng.uniform(-8, 8, (rows, n // 2))
    values = np.concatenate([half, -half, rng.uniform(-1e-2, 1e-2, (rows, n - 2 * (n // 2)))], axis=1)
    return rounded(case.dtype, rng.permuted(values, axis=1))


def _growing(case: Case, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    scale = np.exp2(np.linspace(-6, 6, shape[1]))
    return rounded(case.dtype, rng.uniform(0.5, 1, shape) * scale)


def _small_integers(case: Case, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    return rounded(case.dtype, rng.integers(-64, 65, shape).astype(np.float64))


def _ones(case: Case, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    return rounded(case.dtype, np.ones(shape))


def _few(case: Case, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    values = np.asarray(rng.integers(0, 4, shape))
    if case.dtype in FORMATS:
        return rounded(case.dtype, values.astype(np.float64))
    return values.astype(storage(case.dtype))


def _negative_zeros(case: Case, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    return rounded(case.dtype, np.full(shape, -0.0))


def _sweep(case: Case, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """One special value per row, at the position of the row's number."""
    data = np.asarray(ordinary(case.dtype, shape, rng, "sum"))
    rows = np.arange(shape[0])
    if case.dtype in FORMATS:
        values = rounded(case.dtype, np.array([np.nan, np.inf, -np.inf, np.nan, np.nan]))
        data[rows, rows] = values[rows % values.size]
        data[::3, -1] = rounded(case.dtype, np.array(np.nan))
        data[1::5, :] = rounded(case.dtype, np.array(-0.0))
        return data
    values = specials.integers(case.dtype)
    data[rows, rows] = values[rows % values.size]
    return data


_REDUCED = {
    "cancel": _cancel, "growing": _growing, "integers": _small_integers, "ones": _ones,
    "ties": _few, "edges": _sweep, "negative_zeros": _negative_zeros,
}  # fmt: skip


# ---- contractions and indexed ops ------------------------------------------------------------


def _matmul(case: Case, rng: np.random.Generator) -> Inputs:
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


def _along_axis(case: Case, rng: np.random.Generator) -> Inputs:
    shape, axis = case.shape or (), (case.axes or (0,))[0]
    picked = list(shape)
    picked[axis] = shape[axis] * 3 + 1 if case.values == "duplicates" else shape[axis] + 4
    index = rng.integers(0, shape[axis], picked).astype(case.other)
    op = "index_accumulate" if case.op == "index_accumulate" else ""
    operands = [Host(case.dtype, np.asarray(ordinary(case.dtype, shape, rng, op))),
                Host(case.other, index)]  # fmt: skip
    if case.op == "index_accumulate":
        operands.append(Host(case.dtype, np.asarray(ordinary(case.dtype, tuple(picked), rng, op))))
    return Inputs(operands, {"axis": axis})


_MAKERS = {
    "fill": _fill, "iota": _iota, "random": _random, "reduce": _reduce, "arg_reduce": _reduce,
    "matmul": _matmul, "gather": _along_axis, "scatter": _along_axis,
}  # fmt: skip
