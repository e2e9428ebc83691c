# SPDX-License-Identifier: Apache-2.0
"""Input values of a case: operands (dense) and attributes."""

from __future__ import annotations

from typing import Any

import numpy as np

from device_api_abi import optable
from device_api_conformance import (
    inputs_elementwise,
    inputs_fused,
    inputs_order,
    inputs_sum,
    inputs_window,
)
from device_api_conformance.case import Case
from device_api_conformance.formats import FORMATS, PARTS, storage
from device_api_conformance.values import Inputs


def make(case: Case, rng: np.random.Generator) -> Inputs:
    """Operands and attributes of a numeric case; equal generators give equal inputs."""
    op = optable.by_name()[case.op]
    return _MAKERS.get(op.kind, inputs_elementwise.make)(case, rng)


# ---- makers without operands -----------------------------------------------------------------


def scalar(dtype: str, kind: str, rng: np.random.Generator) -> Any:
    """A Python scalar for `fill`: bool, int, float or complex by the type."""
    if dtype == "bool":
        return kind != "zero"
    if dtype in PARTS:
        return complex(scalar(PARTS[dtype], kind, rng), scalar(PARTS[dtype], "ordinary", rng))
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
                    "carry": (3, 2**32 - 5), "offset": (2**33 + 1, 12345),
                    "far": (2**63 + 11, 2**62 + 2**40 + 7)}[case.values]  # fmt: skip
    return Inputs([], {"seed": seed, "offset": offset, "dtype": case.dtype, "shape": case.shape})


_MAKERS = {
    "fill": _fill,
    "iota": _iota,
    "random": _random,
    "reduce": inputs_sum.reduce,
    "arg_reduce": inputs_sum.reduce,
    "scan": inputs_sum.scan,
    "matmul": inputs_sum.matmul,
    "gather": inputs_order.along_axis,
    "scatter": inputs_order.along_axis,
    "sort": inputs_order.order,
    "search": inputs_order.search,
    "convolution": inputs_window.convolution,
    "pool": inputs_window.pool,
    "normalize": inputs_fused.normalize,
    "attention": inputs_fused.attention,
}
