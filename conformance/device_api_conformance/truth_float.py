# SPDX-License-Identifier: Apache-2.0
"""Truth of elementwise floating-point functions.

float16, bfloat16 and float32 are judged by float64 arithmetic (its error is below 1e-8 of their
unit); float64 by exact rationals (add, subtract, multiply) or by mpmath with 160 bits. Infinite,
NaN and zero operands follow IEEE 754 and C99 annex F; nothing is rounded there.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

import mpmath
import numpy as np

from device_api_conformance.formats import FORMATS, Array, rounded
from device_api_conformance.ulp import Reference, unit

PRECISION = 160
"""Bits with which mpmath computes; more than twice what float64 needs."""

_PLAIN: dict[str, Callable[..., Any]] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "pow": np.power,
    "exp": np.exp, "log": np.log, "sqrt": np.sqrt, "tanh": np.tanh,
}  # fmt: skip


def _plain(op: str, *operands: Array) -> Array:
    with np.errstate(all="ignore"):
        return np.asarray(_PLAIN[op](*operands), dtype=np.float64)


# ---- correctly rounded -----------------------------------------------------------------------


def rounded_result(op: str, dtype: str, a: Array, b: Array) -> Array:
    """add, sub or mul of float64 arrays that hold values of `dtype`, rounded once (stored)."""
    if op == "sub":
        b = -b
    op = "mul" if op == "mul" else "add"
    if dtype == "float64":
        return _exact_rounding(op, a, b)
    high = _plain(op, a, b)
    if op == "mul":  # two 24-bit factors: exact in float64
        return rounded(dtype, high)
    return rounded(dtype, high, _two_sum_rest(a, b, high))


def _two_sum_rest(a: Array, b: Array, total: Array) -> Array:
    """a + b - total, exactly (Knuth's two-sum); 0 where something is not finite."""
    with np.errstate(invalid="ignore"):
        part = total - a
        rest = (a - (total - part)) + (b - part)
    return np.where(np.isfinite(total), rest, 0.0)


def _exact_rounding(op: str, a: Array, b: Array) -> Array:
    out = np.array(_plain(op, a, b)).reshape(-1)  # kept for special operands only
    flat = zip(a.reshape(-1).tolist(), b.reshape(-1).tolist(), strict=True)
    for i, (x, y) in enumerate(flat):
        if x - x == 0 and y - y == 0 and x != 0 and y != 0:
            out[i] = _rational(op, x, y)
    return out.reshape(np.shape(a))


@lru_cache(maxsize=65536)
def _rational(op: str, x: float, y: float) -> float:
    exact = Fraction(x) * Fraction(y) if op == "mul" else Fraction(x) + Fraction(y)
    negative = (x < 0) != (y < 0) if op == "mul" else exact < 0
    try:
        value = abs(exact.numerator / exact.denominator)  # correctly rounded by the language
    except OverflowError:
        value = float("inf")
    return -value if negative else value


# ---- elementary functions --------------------------------------------------------------------


def reference(op: str, dtype: str, *operands: Array) -> Reference:
    """Unrounded result of div, pow, exp, log, sqrt or tanh on decoded operands of `dtype`."""
    high = _plain(op, *operands)
    if dtype != "float64":
        return Reference.of(dtype, high)
    high = high.reshape(-1)
    low = np.zeros_like(high)
    rows = zip(*(x.reshape(-1).tolist() for x in operands), strict=True)
    for i, row in enumerate(rows):
        if _needs_mpmath(op, row):
            high[i], low[i] = _precise(op, *row)
    shape = np.shape(operands[0])
    return Reference(high.reshape(shape), low.reshape(shape))


def _needs_mpmath(op: str, row: tuple[float, ...]) -> bool:
    if any(x - x != 0 or x == 0 for x in row):
        return False
    if op in ("log", "sqrt"):
        return row[0] > 0
    return not (op == "pow" and row[0] < 0 and row[1] != int(row[1]))


@lru_cache(maxsize=65536)
def _precise(op: str, *row: float) -> tuple[float, float]:
    with mpmath.workprec(PRECISION):
        value = _MPMATH[op](*(mpmath.mpf(x) for x in row))
        return _split(value)


def _split(value: Any) -> tuple[float, float]:
    """An mpmath number as a float64 and the rest in units of float64."""
    if value == 0:
        return 0.0, 0.0
    if abs(value) >= mpmath.ldexp(1, 1024):
        return float("inf") * (1 if value > 0 else -1), 0.0
    if abs(value) < mpmath.ldexp(1, -1080):
        return (0.0 if value > 0 else -0.0), float(mpmath.sign(value)) * 2.0**-6
    high = float(value)
    if np.isinf(high):  # between the largest float64 and 2^1024
        high = float(np.copysign(FORMATS["float64"].largest, high))
    step = mpmath.mpf(float(unit(FORMATS["float64"], np.array(high))))
    return high, float((value - mpmath.mpf(high)) / step)


def _mp_pow(x: Any, y: Any) -> Any:
    magnitude = y * mpmath.log(abs(x), 2)
    if abs(magnitude) > 1200:
        value = mpmath.ldexp(1, 1200 if magnitude > 0 else -1200)
    else:
        value = mpmath.power(abs(x), y)
    return -value if x < 0 and int(y) % 2 else value


def _mp_exp(x: Any) -> Any:
    return mpmath.exp(max(min(x, mpmath.mpf(2000)), mpmath.mpf(-2000)))


def _mp_tanh(x: Any) -> Any:
    if abs(x) > 100:
        return mpmath.sign(x) * (1 - mpmath.ldexp(1, -120))
    if abs(x) < mpmath.ldexp(1, -60):  # tanh x = x - x^3/3 + ...
        return x * (1 - mpmath.ldexp(1, -119))
    return mpmath.tanh(x)


_MPMATH: dict[str, Callable[..., Any]] = {
    "div": lambda x, y: x / y, "exp": _mp_exp, "log": mpmath.log, "sqrt": mpmath.sqrt,
    "tanh": _mp_tanh, "pow": _mp_pow,
}  # fmt: skip
