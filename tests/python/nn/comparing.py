# SPDX-License-Identifier: Apache-2.0
"""Calls nn.functional with a case, and holds the result against a reference within the bound."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from nn.cases import BOUNDS, Bound, Case, Host

import device_api as xp
import device_api.nn.functional as functional

DTYPES = ("float32", "float64", "float16", "bfloat16")
EPSILON = {"float16": 2.0**-10, "bfloat16": 2.0**-7, "float32": 2.0**-23, "float64": 2.0**-52}
LARGEST = {"float16": 65504.0, "bfloat16": 3.3895e38, "float32": 3.4028e38, "float64": 1.79e308}
NORMAL = {"float16": 2.0**-14, "bfloat16": 2.0**-126, "float32": 2.0**-126, "float64": 2.0**-1022}
KINDS = {"one_hot": "float32"}  # types of results that are not those of the arrays
UPDATED = ("running_mean", "running_var", "weight")  # arrays that a function may write into


def on_device(array: Host, dtype: str) -> xp.Tensor:
    if array.dtype.kind != "f":
        return xp.asarray(array)
    return xp.astype(xp.asarray(array), getattr(xp, dtype))


def to_host(x: xp.Tensor) -> Host:
    """Return values as float64, of bfloat16 too; others as they are."""
    return np.array(xp.astype(x, xp.float64).numpy() if x.dtype.kind == "f" else x.numpy())


def check(case: Case, dtype: str, reference: Callable[..., Any]) -> None:
    """Compare the result, and arrays that are written into, with the reference's."""
    given = {name: on_device(a, dtype) for name, a in case.arrays.items()}
    rounded = {name: to_host(a) for name, a in given.items()}
    result = getattr(functional, case.function)(**given, **case.options)
    with np.errstate(all="ignore"):
        expected = reference(**rounded, **case.options)
    results = result if isinstance(result, tuple) else (result,)
    expected = expected if isinstance(expected, tuple) else (expected,)
    kinds = [KINDS.get(case.function, dtype), "float64" if dtype == "float64" else "float32"]
    for got, want, kind in zip(results, expected, kinds, strict=False):
        assert got.device == xp.current_device()
        near(case.function, got, np.asarray(want), kind)
    assert len(results) == len(expected)
    for name in set(UPDATED) & set(given):
        near(case.function, given[name], rounded[name], dtype)


def near(function: str, got: xp.Tensor, want: Host, kind: str) -> None:
    """Check shape, type and values; whole numbers must be equal, NaN and infinities the same."""
    assert got.shape == want.shape
    if got.dtype.kind != "f":
        assert np.array_equal(got.numpy(), want)
        return
    assert got.dtype.name == kind
    found = to_host(got)
    with np.errstate(all="ignore"):
        want = np.where(np.abs(want) > LARGEST[kind], np.copysign(np.inf, want), want)
        unknown = ~np.isfinite(want)
    assert np.array_equal(found[unknown], want[unknown], equal_nan=True)
    error = np.abs(found[~unknown] - want[~unknown])
    unit, allowed = _allowed(BOUNDS[function], np.abs(want[~unknown]), kind)
    worst = int(np.argmax(error - allowed)) if error.size else 0
    pair = [a[~unknown][worst] for a in (found, want)] if error.size else []
    assert (error <= allowed).all(), f"{pair}: {error[worst] / unit[worst]:.1f} units apart"


def _allowed(bound: Bound, size: Host, kind: str) -> tuple[Host, Host]:
    """Return the unit in the last place, and the error allowed, for each number."""
    if bound.of == "one":
        size = np.maximum(size, 1)
    elif bound.of == "largest" and size.size:
        size = np.full_like(size, size.max())
    unit = EPSILON[kind] * np.maximum(size, NORMAL[kind])
    return unit, unit * (bound.half if kind in ("float16", "bfloat16") else bound.single)
