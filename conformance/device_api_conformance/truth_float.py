# SPDX-License-Identifier: Apache-2.0
"""Truth of elementwise floating-point functions.

float16, bfloat16 and float32 are judged by float64 arithmetic (its error is below 1e-8 of their
unit); float64 by exact rationals (add, subtract, multiply) or by mpmath with 160 bits. Infinite,
NaN and zero operands follow IEEE 754 and C99 annex F; nothing is rounded there.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

import mpmath
import numpy as np

from device_api_conformance.formats import FORMATS, Array, rounded
from device_api_conformance.ulp import Reference

PRECISION = 160
"""Bits with which mpmath computes; more than twice what float64 needs."""

_erf = np.vectorize(math.erf, otypes=[np.float64])

_PLAIN: dict[str, Callable[..., Any]] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "pow": np.power,
    "exp": np.exp, "log": np.log, "sqrt": np.sqrt, "tanh": np.tanh, "expm1": np.expm1,
    "log1p": np.log1p, "log2": np.log2, "log10": np.log10, "sin": np.sin, "cos": np.cos,
    "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "sinh": np.sinh,
    "cosh": np.cosh, "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh,
    "reciprocal": lambda x: 1.0 / x, "rsqrt": lambda x: 1.0 / np.sqrt(x),
    "erf": lambda x: _erf(x) if np.size(x) else x, "atan2": np.arctan2, "hypot": np.hypot,
    "logaddexp": np.logaddexp,
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
    """Unrounded result of a function in class `ulp` on decoded operands of `dtype`."""
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
    """Whether the row is inside the domain; all else is known from IEEE 754 and C99 annex F."""
    if any(x - x != 0 for x in row):
        return False
    if any(x == 0 for x in row):
        return op == "logaddexp"
    x = row[0]
    if op in ("log", "sqrt", "log2", "log10", "rsqrt"):
        return x > 0
    if op in _DOMAINS:
        low, high = _DOMAINS[op]
        return low < x < high
    return not (op == "pow" and x < 0 and row[1] != int(row[1]))


_DOMAINS = {
    "log1p": (-1.0, math.inf), "asin": (-1.0, 1.0), "acos": (-1.0, 1.0),
    "acosh": (1.0, math.inf), "atanh": (-1.0, 1.0),
}  # fmt: skip


@lru_cache(maxsize=65536)
def _precise(op: str, *row: float) -> tuple[float, float]:
    with mpmath.workprec(PRECISION):
        value = _MPMATH[op](*(mpmath.mpf(x) for x in row))
        return split(value)


def split(value: Any) -> tuple[float, float]:
    """An mpmath number as a float64 and the rest in units of float64."""
    if value == 0:
        return 0.0, 0.0
    positive, size = value > 0, mpmath.mag(value)  # 2^(size - 1) <= |value| < 2^size
    if size > 1024:
        return (math.inf if positive else -math.inf), 0.0
    if size < -1080:
        return (0.0, 2.0**-6) if positive else (-0.0, -(2.0**-6))
    high = float(value)
    if np.isinf(high):  # between the largest float64 and 2^1024
        high = float(np.copysign(FORMATS["float64"].largest, high))
    return high, float(mpmath.ldexp(value - high, -_step(high)))


def _step(high: float) -> int:
    """Exponent of the unit of float64 at a finite number."""
    mantissa, exponent = math.frexp(abs(high))
    exponent -= 1 + (mantissa == 0.5)
    return (max(min(exponent, 1023), -1022) if high else -1022) - 52


def _mp_pow(x: Any, y: Any) -> Any:
    magnitude = y * mpmath.log(abs(x), 2)
    if abs(magnitude) > 1200:
        value = mpmath.ldexp(1, 1200 if magnitude > 0 else -1200)
    else:
        value = mpmath.power(abs(x), y)
    return -value if x < 0 and int(y) % 2 else value


def _mp_exp(x: Any) -> Any:
    return mpmath.exp(max(min(x, mpmath.mpf(2000)), mpmath.mpf(-2000)))


def _near(function: Callable[[Any], Any], side: int) -> Callable[[Any], Any]:
    """An odd-like function that is x beside 0: larger in size than x there, or smaller."""

    def apply(x: Any) -> Any:
        if abs(x) < mpmath.ldexp(1, -60):  # f(x) = x +- x^k/n ...
            return x * (1 + side * mpmath.ldexp(1, -119))
        return function(x)

    return apply


def _mp_tanh(x: Any) -> Any:
    if abs(x) > 100:
        return mpmath.sign(x) * (1 - mpmath.ldexp(1, -120))
    return mpmath.tanh(x)


def _mp_sinh(x: Any) -> Any:
    return mpmath.sinh(max(min(x, mpmath.mpf(2000)), mpmath.mpf(-2000)))


def _mp_expm1(x: Any) -> Any:
    return mpmath.expm1(max(min(x, mpmath.mpf(2000)), mpmath.mpf(-200)))


def _mp_erf(x: Any) -> Any:
    return mpmath.erf(max(min(x, mpmath.mpf(12)), mpmath.mpf(-12)))


def _mp_logaddexp(x: Any, y: Any) -> Any:
    high, low = max(x, y), min(x, y)
    rest = low - high
    return high + (mpmath.log1p(mpmath.exp(rest)) if rest > -2000 else mpmath.ldexp(1, -1200))


_MPMATH: dict[str, Callable[..., Any]] = {
    "div": lambda x, y: x / y, "exp": _mp_exp, "log": mpmath.log, "sqrt": mpmath.sqrt,
    "tanh": _near(_mp_tanh, -1), "pow": _mp_pow, "expm1": _mp_expm1, "log1p": mpmath.log1p,
    "log2": lambda x: mpmath.log(x) / mpmath.log(2), "log10": mpmath.log10,
    "sin": _near(mpmath.sin, -1), "cos": mpmath.cos, "tan": _near(mpmath.tan, 1),
    "asin": _near(mpmath.asin, 1), "acos": mpmath.acos, "atan": _near(mpmath.atan, -1),
    "sinh": _near(_mp_sinh, 1),
    "cosh": lambda x: mpmath.cosh(min(abs(x), mpmath.mpf(2000))),
    "asinh": _near(mpmath.asinh, -1), "acosh": mpmath.acosh, "atanh": _near(mpmath.atanh, 1),
    "reciprocal": lambda x: 1 / x, "rsqrt": lambda x: 1 / mpmath.sqrt(x), "erf": _mp_erf,
    "atan2": mpmath.atan2, "hypot": mpmath.hypot, "logaddexp": _mp_logaddexp,
}  # fmt: skip
