# SPDX-License-Identifier: Apache-2.0
"""Elementwise ops of the fake device in NumPy: real functions, complex ones, activations."""

from __future__ import annotations

import math

import numpy as np

Array = np.ndarray
_erf = np.vectorize(math.erf, otypes=[np.float64])
_erfc = np.vectorize(math.erfc, otypes=[np.float64])

FUNCTIONS = {
    "exp": np.exp, "log": np.log, "sqrt": np.sqrt, "tanh": np.tanh, "expm1": np.expm1,
    "log1p": np.log1p, "log2": np.log2, "log10": np.log10, "sin": np.sin, "cos": np.cos,
    "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "sinh": np.sinh,
    "cosh": np.cosh, "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh,
    "reciprocal": lambda x: 1 / x, "rsqrt": lambda x: 1 / np.sqrt(x),
    "erf": lambda x: _erf(x) if x.size else x,
    "atan2": np.arctan2, "hypot": np.hypot, "logaddexp": np.logaddexp,
}  # fmt: skip
"""Functions that are computed in float64 and rounded."""

EXACT = {
    "neg": np.negative, "abs": np.abs, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc,
    "round": np.rint, "sign": np.sign, "isnan": np.isnan, "isinf": np.isinf,
    "isfinite": np.isfinite, "signbit": np.signbit, "logical_not": np.logical_not,
    "bitwise_not": np.invert, "add": np.add, "sub": np.subtract, "mul": np.multiply,
    "div": np.divide, "pow": np.power, "maximum": np.maximum, "minimum": np.minimum,
    "copysign": np.copysign, "equal": np.equal, "not_equal": np.not_equal, "less": np.less,
    "less_equal": np.less_equal, "logical_and": np.logical_and, "logical_or": np.logical_or,
    "bitwise_and": np.bitwise_and, "bitwise_or": np.bitwise_or, "bitwise_xor": np.bitwise_xor,
}  # fmt: skip
"""Functions of which the computing type's result is the result."""


# ---- whole numbers ----


def power(x: Array, y: Array) -> Array:
    """Integer power that wraps."""
    result, base, left = np.ones_like(x), x.copy(), np.where(y < 0, 0, y)
    while left.any():
        result = np.where(left & 1, result * base, result)
        base, left = base * base, left >> 1
    odd = np.where(y & 1, x, 1).astype(x.dtype)
    negative = np.where(x == 1, 1, np.where(x + 1 == 0, odd, 0))
    return np.where(y < 0, negative, result).astype(x.dtype)


def shift(op: str, x: Array, y: Array) -> Array:
    """Shifts of which a count of the width or more is no accident."""
    width = x.itemsize * 8
    count = np.minimum(y, width - 1).astype(x.dtype)
    if op == "shift_right":
        return np.where(y < width, x >> count, (x >> count) >> 1).astype(x.dtype)
    return np.where(y < width, x << count, 0).astype(x.dtype)


def divided(op: str, x: Array, y: Array) -> Array:
    """floor_divide and remainder of integers; 0 where the divisor is 0."""
    safe = np.where(y == 0, 1, y).astype(x.dtype)
    found = np.floor_divide(x, safe) if op == "floor_divide" else np.remainder(x, safe)
    return np.where(y == 0, 0, found).astype(x.dtype)


def float_divided(op: str, x: Array, y: Array) -> Array:
    """floor_divide and remainder of floats in Python's exact whole numbers."""
    rows = zip(x.astype(np.float64).ravel().tolist(), y.astype(np.float64).ravel().tolist(),
               strict=True)  # fmt: skip
    found = [_one(op, a, b) for a, b in rows]
    return np.array(found, dtype=np.longdouble).reshape(x.shape)


def _one(op: str, a: float, b: float):
    if op == "remainder":
        if math.isinf(a) or math.isnan(a) or math.isnan(b) or b == 0:
            return math.nan
        rest = np.longdouble(math.fmod(a, b))
        if rest == 0:
            return math.copysign(0.0, b)
        return rest + np.longdouble(b) if (rest < 0) != (b < 0) else rest
    if math.isinf(a) or b == 0 or a == 0 or math.isnan(a) or math.isnan(b):
        return np.float64(a) / np.float64(b)
    if math.isinf(b):
        return a / b
    (p, q), (r, s) = a.as_integer_ratio(), b.as_integer_ratio()
    whole = (p * s) // (q * r)
    try:
        return float(whole)
    except OverflowError:
        return math.inf if whole > 0 else -math.inf


# ---- complex ----


def complex_function(op: str, z: Array, *rest: Array) -> Array:
    """A complex function, in complex128."""
    if op in ("log1p", "expm1", "reciprocal"):
        return {"log1p": _log1p, "expm1": _expm1, "reciprocal": _reciprocal}[op](z)
    if op == "mul":
        return _mul(z, *rest)
    if op == "div":
        return _div(z, *rest)
    return {**FUNCTIONS, **EXACT}[op](z, *rest)


def _log1p(z: Array) -> Array:
    a, b = z.real, z.imag
    moved = z.copy()
    moved.real += 1  # 1 + z would lose the sign of a zero imaginary part
    near = 0.5 * np.log1p(2 * a + a * a + b * b) + 1j * np.arctan2(b, 1 + a)
    return np.where((np.abs(z) < 100) & (np.abs(moved) > 0.5), near, np.log(moved))


def _expm1(z: Array) -> Array:
    return np.where(np.isfinite(z), np.expm1(z), np.exp(z) - 1)


def _infinite(z: Array) -> Array:
    return np.isinf(z.real) | np.isinf(z.imag)


def _reciprocal(z: Array) -> Array:
    found = np.where(z == 0, complex(np.inf, np.nan), 1 / z)
    return np.where(_infinite(z), 0, found)


def _mul(z: Array, w: Array) -> Array:
    """With the repair of C99 annex G: infinite times not zero is infinite."""
    found = z * w
    able = [_infinite(v) | (np.isfinite(v) & (v != 0)) for v in (z, w)]
    infinite = (_infinite(z) & able[1]) | (_infinite(w) & able[0])
    return np.where(infinite & np.isnan(found), complex(np.inf, np.inf), found)


def _div(z: Array, w: Array) -> Array:
    found = z / w
    grows = (_infinite(z) & np.isfinite(w)) | ((w == 0) & (np.isfinite(z) & (z != 0)))
    found = np.where(grows, complex(np.inf, np.inf), found)
    return np.where(np.isfinite(z) & _infinite(w), 0, found)


# ---- activations ----


def _sigmoid(x: Array) -> Array:
    e = np.exp(-np.abs(x))
    return np.where(x >= 0, 1 / (1 + e), e / (1 + e))


def _silu(x: Array) -> Array:
    return np.where(x == -np.inf, 0, x * _sigmoid(x))


def _gelu(x: Array) -> Array:
    half = _erfc(-x / math.sqrt(2)) / 2 if x.size else x
    return np.where(x == -np.inf, 0, x * half)


def _gelu_tanh(x: Array) -> Array:
    inner = 2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x)
    return np.where(x == -np.inf, 0, x * _sigmoid(inner))


def _mish(x: Array) -> Array:
    e = np.exp(np.minimum(x, 40))
    found = x * (e * (e + 2) / (e * (e + 2) + 2))
    return np.where(x == -np.inf, 0, found)


def _softplus(x: Array, a: dict) -> Array:
    scaled = a["beta"] * x
    soft = np.maximum(scaled, 0) + np.log1p(np.exp(-np.abs(scaled)))
    return np.where(scaled > a["threshold"], x, soft / a["beta"])


ACTIVATIONS = {
    "relu": lambda x, a: np.maximum(x, 0),
    "sigmoid": lambda x, a: _sigmoid(x),
    "silu": lambda x, a: _silu(x),
    "gelu": lambda x, a: _gelu(x),
    "gelu_tanh": lambda x, a: _gelu_tanh(x),
    "mish": lambda x, a: _mish(x),
    "hardswish": lambda x, a: x * (np.clip(x + 3, 0, 6) / 6),
    "hardsigmoid": lambda x, a: np.clip(a["slope"] * x + a["offset"], 0, 1),
    "softplus": _softplus,
    "leaky_relu": lambda x, a: np.where(x > 0, x, a["slope"] * x),
    "elu": lambda x, a: np.where(x > 0, x, a["alpha"] * np.expm1(np.minimum(x, 0))),
}  # fmt: skip
"""Activations, computed in float64."""
