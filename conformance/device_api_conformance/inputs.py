# SPDX-License-Identifier: Apache-2.0
"""Input values of a case: operands (dense) and attributes."""

from __future__ import annotations

from typing import Any

import numpy as np

from device_api_abi import optable
from device_api_conformance import inputs_sum, specials
from device_api_conformance.case import Case
from device_api_conformance.formats import FORMATS, Array, Host, decode, rounded, storage
from device_api_conformance.values import Inputs, ordinary


def make(case: Case, rng: np.random.Generator) -> Inputs:
    """Operands and attributes of a numeric case; equal generators give equal inputs."""
    op = optable.by_name()[case.op]
    return _MAKERS.get(op.kind, _elementwise)(case, rng)


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


_MAKERS = {
    "fill": _fill,
    "iota": _iota,
    "random": _random,
    "reduce": inputs_sum.reduce,
    "arg_reduce": inputs_sum.reduce,
    "matmul": inputs_sum.matmul,
    "gather": inputs_sum.along_axis,
    "scatter": inputs_sum.along_axis,
}
