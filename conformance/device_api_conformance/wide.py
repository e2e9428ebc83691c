# SPDX-License-Identifier: Apache-2.0
"""Arithmetic far better than the type under test: float64, or mpmath numbers for float64 itself.

The functions here take what `lift` gives, so that one formula serves all types.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np

from device_api_conformance.formats import Array
from device_api_conformance.truth_float import PRECISION, split
from device_api_conformance.ulp import Reference

_mpf = np.vectorize(mpmath.mpf, otypes=[object])
_mpc = np.vectorize(mpmath.mpc, otypes=[object])


def lift(dtype: str, values: Array) -> Array:
    """float64 numbers in the wider arithmetic for results of `dtype`."""
    if dtype != "float64" or not np.size(values):
        return np.asarray(values, dtype=np.float64)
    return np.asarray(_mpf(values), dtype=object)


def lift_complex(part: str, values: Array) -> Array:
    """complex128 numbers in the wider arithmetic for results with parts of type `part`."""
    if part != "float64" or not np.size(values):
        return np.asarray(values, dtype=np.complex128)
    return np.asarray(_mpc(values.real, values.imag), dtype=object)


def parts(values: Any) -> Array:
    """Complex numbers as real ones with the parts on a last axis."""
    values = np.asarray(values)
    if values.dtype != object:
        return np.stack([values.real, values.imag], axis=-1)
    flat = [mpmath.mpc(v) for v in values.reshape(-1).tolist()]
    pairs = np.empty((len(flat), 2), dtype=object)
    pairs[:, 0], pairs[:, 1] = [v.real for v in flat], [v.imag for v in flat]
    return pairs.reshape(*values.shape, 2)


def precisely(function: Callable[..., Any]) -> Callable[..., Any]:
    """Run a function with the precision of the truth, silent about infinities and NaN."""

    def run(*args: Any, **kwargs: Any) -> Any:
        with mpmath.workprec(PRECISION), np.errstate(all="ignore"):
            return function(*args, **kwargs)

    return run


def lower(values: Any) -> Array:
    """The nearest float64."""
    return np.asarray(values).astype(np.float64)


def reference(dtype: str, values: Any) -> Reference:
    """Unrounded results for the judge."""
    values = np.asarray(values)
    if values.dtype != object:
        return Reference.of(dtype, values)
    pairs = [_pair(v) for v in values.reshape(-1).tolist()]
    high, low = (np.array([p[i] for p in pairs]).reshape(values.shape) for i in (0, 1))
    return Reference(high, low)


def _pair(value: Any) -> tuple[float, float]:
    value = mpmath.mpf(value)
    return split(value) if mpmath.isfinite(value) else (float(value), 0.0)


def _either(plain: Callable[[Any], Any], precise: Callable[[Any], Any]) -> Callable[[Any], Array]:
    elementwise = np.vectorize(precise, otypes=[object])

    def apply(x: Any) -> Array:
        given: Array = np.asarray(x)
        if not given.size:
            return given
        return np.asarray(elementwise(given) if given.dtype == object else plain(given))

    return apply


def _mp_exp(x: Any) -> Any:
    return mpmath.exp(max(x, mpmath.mpf(-3000))) if mpmath.isfinite(x) else mpmath.exp(x)


def _mp_sqrt(x: Any) -> Any:
    return mpmath.sqrt(x) if x >= 0 else mpmath.mpf("nan")


def _mp_log(x: Any) -> Any:
    if x == 0:
        return mpmath.mpf("-inf")
    return mpmath.log(x) if x > 0 else mpmath.mpf("nan")


def _mp_erfc(x: Any) -> Any:
    return mpmath.erfc(max(min(x, mpmath.mpf(100)), mpmath.mpf(-100)))


exp = _either(np.exp, _mp_exp)
log = _either(np.log, _mp_log)
expm1 = _either(np.expm1, lambda x: mpmath.expm1(x) if mpmath.isfinite(x) else mpmath.exp(x) - 1)
log1p = _either(np.log1p, lambda x: mpmath.log1p(x) if mpmath.isfinite(x) else mpmath.log(x))
sqrt = _either(np.sqrt, _mp_sqrt)
erfc = _either(np.vectorize(math.erfc, otypes=[np.float64]), _mp_erfc)
is_nan = _either(np.isnan, mpmath.isnan)
atan = _either(np.arctan, mpmath.atan)


def decimal(text: str, like: Array) -> Any:
    """A decimal number in the arithmetic of `like`."""
    return mpmath.mpf(text) if np.asarray(like).dtype == object else float(text)
