# SPDX-License-Identifier: Apache-2.0
"""Truth of elementwise ops with one right result: float64 and bits for floats, exact integers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from device_api_abi.optable import Op
from device_api_conformance import truth_float
from device_api_conformance.expectation import Expected, exactly, truths
from device_api_conformance.formats import (
    Array,
    Host,
    bits_of,
    decode,
    rounded,
    storage,
    wrapped,
)


def floating(op: Op, dtype: str, operands: list[Host]) -> Expected:
    """Expected result of an exact or correctly rounded op on floats."""
    if op.name == "nextafter":
        return exactly(dtype, _next_after(dtype, operands[0].data, operands[1].data))
    values = [h.exact() for h in operands]
    if op.result == "bool":
        return truths(_TESTS[op.name](*values))
    if op.error == "rounded":
        return exactly(dtype, truth_float.rounded_result(op.name, dtype, *values))
    if op.name in _QUOTIENTS:
        return exactly(dtype, _by_rationals(op.name, dtype, *values))
    data = rounded(dtype, _EXACT[op.name](*values))
    either = None
    if op.name in ("maximum", "minimum"):
        either = (
            (values[0] == 0) & (values[1] == 0) & (np.signbit(values[0]) != np.signbit(values[1]))
        )
    if op.name == "sign":
        either = values[0] == 0
    return exactly(dtype, data, zero_either=either)


_TESTS: dict[str, Callable[..., Any]] = {
    "equal": lambda a, b: a == b, "not_equal": lambda a, b: a != b,
    "less": lambda a, b: a < b, "less_equal": lambda a, b: a <= b,
    "isnan": np.isnan, "isinf": np.isinf, "isfinite": np.isfinite, "signbit": np.signbit,
}  # fmt: skip

_EXACT: dict[str, Callable[..., Array]] = {
    "neg": lambda a: -a, "abs": np.abs, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc,
    "round": np.rint, "sign": np.sign, "maximum": np.maximum, "minimum": np.minimum,
    "copysign": np.copysign,
}  # fmt: skip


def _next_after(dtype: str, a: Array, b: Array) -> Array:
    """By the bits: floats of one sign are ordered as their bits are."""
    x, y = decode(dtype, a), decode(dtype, b)
    bits = bits_of(a).astype(np.uint64)
    sign = 1 << (storage(dtype).itemsize * 8 - 1)
    grows = (x > 0) == (y > x)
    moved = np.where(grows, bits + np.uint64(1), bits - np.uint64(1))
    smallest = np.where(y > 0, 1, sign + 1).astype(np.uint64)
    bits = np.where(x == 0, smallest, moved)
    kind = bits_of(a).dtype
    found = np.where(x == y, bits_of(b), bits.astype(kind))
    nan = bits_of(rounded(dtype, np.array(np.nan)))
    found = np.where(np.isnan(x) | np.isnan(y), nan, found).astype(kind)
    return found.view(storage(dtype))


# ---- floor_divide and remainder: exact rationals, rounded once --------------------------------


def _by_rationals(name: str, dtype: str, a: Array, b: Array) -> Array:
    high, low = np.empty(a.shape), np.zeros(a.shape)
    flat_high, flat_low = high.reshape(-1), low.reshape(-1)
    known: dict[tuple[float, float, bool, bool], tuple[float, float]] = {}
    rows = zip(a.reshape(-1).tolist(), b.reshape(-1).tolist(), strict=True)
    signs = zip(np.signbit(a).reshape(-1).tolist(), np.signbit(b).reshape(-1).tolist(), strict=True)
    for i, ((x, y), (sx, sy)) in enumerate(zip(rows, signs, strict=True)):
        key = (x, y, sx, sy)
        if key not in known:
            known[key] = _QUOTIENTS[name](x, y, sx != sy)
        flat_high[i], flat_low[i] = known[key]
    return rounded(dtype, flat_high.reshape(a.shape), flat_low.reshape(a.shape))


def _floor_divide(x: float, y: float, negative: bool) -> tuple[float, float]:
    if x != x or y != y or (x - x != 0 and y - y != 0) or (x == 0 and y == 0):
        return float("nan"), 0.0
    if y == 0 or x - x != 0:
        return (float("-inf") if negative else float("inf")), 0.0
    if x == 0 or y - y != 0:
        return (-0.0 if negative else 0.0), 0.0
    return _parts(Fraction(Fraction(x) // Fraction(y)))


def _remainder(x: float, y: float, negative: bool) -> tuple[float, float]:
    if x != x or y != y or x - x != 0 or y == 0:
        return float("nan"), 0.0
    if y - y != 0 and x != 0:
        return (y if negative else x), 0.0
    exact = Fraction(0) if x == 0 else Fraction(x) % Fraction(y)
    return _parts(exact) if exact else (np.copysign(0.0, y), 0.0)


def _parts(value: Fraction) -> tuple[float, float]:
    """A rational as the nearest float64 and what is left."""
    try:
        high = value.numerator / value.denominator
    except OverflowError:
        return (float("inf") if value > 0 else float("-inf")), 0.0
    return high, float(value - Fraction(high))


_QUOTIENTS = {"floor_divide": _floor_divide, "remainder": _remainder}


# ---- integers --------------------------------------------------------------------------------


def integer(op: Op, dtype: str, operands: list[Host]) -> Expected:
    """Expected result of an elementwise op on integers or bools."""
    shape = operands[0].shape
    if op.name in _BITS:
        return exactly(dtype, _BITS[op.name](*(h.data for h in operands)))
    values = [h.exact().reshape(-1).tolist() for h in operands]
    if op.name in _SHIFTS:
        width = storage(dtype).itemsize * 8
        values.append([width] * len(values[0]))
    function = _SHIFTS.get(op.name) or _INTEGER[op.name]
    found = np.empty(len(values[0]), dtype=object)
    found[:] = [function(*row) for row in zip(*values, strict=True)]
    found = found.reshape(shape)
    if op.result == "bool":
        return truths(found)
    return exactly(dtype, wrapped(dtype, found))


def _integer_pow(a: int, b: int) -> int:
    if b >= 0:
        return pow(a, b, 1 << 64)
    return {1: 1, -1: -1 if b % 2 else 1}.get(a, 0)


_BITS: dict[str, Callable[..., Array]] = {
    "bitwise_not": np.invert, "bitwise_and": np.bitwise_and, "bitwise_or": np.bitwise_or,
    "bitwise_xor": np.bitwise_xor,
}  # fmt: skip

_SHIFTS: dict[str, Callable[[int, int, int], int]] = {
    "shift_left": lambda a, n, width: a << n if n < width else 0,
    "shift_right": lambda a, n, width: a >> min(n, width),
}

_INTEGER: dict[str, Callable[..., Any]] = {
    "neg": lambda a: -a,
    "abs": abs,
    "sign": lambda a: (a > 0) - (a < 0),
    "logical_not": lambda a: not a,
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "maximum": max,
    "minimum": min,
    "pow": _integer_pow,
    "floor_divide": lambda a, b: a // b if b else 0,
    "remainder": lambda a, b: a % b if b else 0,
    "equal": lambda a, b: a == b,
    "not_equal": lambda a, b: a != b,
    "less": lambda a, b: a < b,
    "less_equal": lambda a, b: a <= b,
    "logical_and": lambda a, b: a and b,
    "logical_or": lambda a, b: a or b,
}
