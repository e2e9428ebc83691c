# SPDX-License-Identifier: Apache-2.0
"""Special cases of real elementwise functions, by the tables of the array API standard 2025.12."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import device_api as xp

inf, nan, pi = math.inf, math.nan, math.pi
FLOATS = [xp.float32, xp.float64]

# function -> (x, result); a result of 0 has its sign.
UNARY: dict[str, list[tuple[float, Any]]] = {
    "abs": [(nan, nan), (-0.0, 0.0), (-inf, inf)],
    "acos": [(nan, nan), (1.5, nan), (-1.5, nan), (1.0, 0.0)],
    "acosh": [(nan, nan), (0.5, nan), (-inf, nan), (1.0, 0.0), (inf, inf)],
    "asin": [(nan, nan), (1.5, nan), (-1.5, nan), (0.0, 0.0), (-0.0, -0.0)],
    "asinh": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, inf), (-inf, -inf)],
    "atan": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, pi / 2), (-inf, -pi / 2)],
    "atanh": [
        (nan, nan), (-1.5, nan), (1.5, nan), (-1.0, -inf), (1.0, inf), (0.0, 0.0), (-0.0, -0.0),
    ],
    "ceil": [(3.0, 3.0), (inf, inf), (-inf, -inf), (0.0, 0.0), (-0.0, -0.0), (nan, nan),
             (-0.5, -0.0), (1.1, 2.0)],
    "cos": [(nan, nan), (0.0, 1.0), (-0.0, 1.0), (inf, nan), (-inf, nan)],
    "cosh": [(nan, nan), (0.0, 1.0), (-0.0, 1.0), (inf, inf), (-inf, inf)],
    "exp": [(nan, nan), (0.0, 1.0), (-0.0, 1.0), (inf, inf), (-inf, 0.0)],
    "expm1": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, inf), (-inf, -1.0)],
    "floor": [(3.0, 3.0), (inf, inf), (-inf, -inf), (0.0, 0.0), (-0.0, -0.0), (nan, nan),
              (-0.5, -1.0)],
    "isfinite": [(inf, False), (-inf, False), (nan, False), (1.0, True)],
    "isinf": [(inf, True), (-inf, True), (nan, False), (1.0, False)],
    "isnan": [(inf, False), (nan, True), (0.0, False)],
    "log": [(nan, nan), (-1.0, nan), (-inf, nan), (0.0, -inf), (-0.0, -inf), (1.0, 0.0),
            (inf, inf)],
    "log1p": [(nan, nan), (-2.0, nan), (-1.0, -inf), (-0.0, -0.0), (0.0, 0.0), (inf, inf)],
    "log2": [(nan, nan), (-1.0, nan), (0.0, -inf), (-0.0, -inf), (1.0, 0.0), (inf, inf)],
    "log10": [(nan, nan), (-1.0, nan), (0.0, -inf), (-0.0, -inf), (1.0, 0.0), (inf, inf)],
    "logical_not": [(nan, False), (0.0, True), (-0.0, True), (inf, False)],
    "negative": [(0.0, -0.0), (-0.0, 0.0), (inf, -inf)],
    "positive": [(-0.0, -0.0), (nan, nan)],
    "real": [(-0.0, -0.0), (nan, nan)],
    "conj": [(-0.0, -0.0), (nan, nan)],
    "imag": [(-1.0, 0.0), (nan, 0.0)],
    "reciprocal": [(0.0, inf), (-0.0, -inf), (inf, 0.0), (-inf, -0.0), (nan, nan)],
    "round": [(3.0, 3.0), (inf, inf), (-inf, -inf), (0.0, 0.0), (-0.0, -0.0), (nan, nan),
              (0.5, 0.0), (1.5, 2.0), (2.5, 2.0), (-0.5, -0.0), (-1.5, -2.0)],
    "sign": [(-3.0, -1.0), (-0.0, 0.0), (0.0, 0.0), (2.0, 1.0), (nan, nan), (-inf, -1.0)],
    "signbit": [(0.0, False), (-0.0, True), (inf, False), (-inf, True), (1.0, False), (-1.0, True),
                (nan, False), (-nan, True)],
    "sin": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, nan), (-inf, nan)],
    "sinh": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, inf), (-inf, -inf)],
    "sqrt": [(nan, nan), (-1.0, nan), (0.0, 0.0), (-0.0, -0.0), (inf, inf)],
    "square": [(-0.0, 0.0), (-inf, inf), (nan, nan)],
    "tan": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, nan), (-inf, nan)],
    "tanh": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, 1.0), (-inf, -1.0)],
    "trunc": [(3.0, 3.0), (inf, inf), (-inf, -inf), (0.0, 0.0), (-0.0, -0.0), (nan, nan),
              (-0.5, -0.0), (-1.5, -1.0)],
}  # fmt: skip

# function -> (x1, x2, result)
BINARY: dict[str, list[tuple[float, float, Any]]] = {
    "add": [
        (nan, 1, nan), (1, nan, nan), (inf, -inf, nan), (-inf, inf, nan), (inf, inf, inf),
        (-inf, -inf, -inf), (inf, 1, inf), (1, -inf, -inf), (-0.0, -0.0, -0.0), (-0.0, 0.0, 0.0),
        (0.0, -0.0, 0.0), (1.5, -1.5, 0.0), (-0.0, 2, 2),
    ],
    "subtract": [(-0.0, 0.0, -0.0), (0.0, 0.0, 0.0), (inf, inf, nan), (1, 1, 0.0), (-inf, 1, -inf)],
    "multiply": [
        (nan, 1, nan), (inf, 0.0, nan), (-0.0, inf, nan), (inf, -inf, -inf), (-inf, -2, inf),
        (2, -inf, -inf), (-0.0, 2, -0.0), (-0.0, -2, 0.0),
    ],
    "divide": [
        (nan, 1, nan), (1, nan, nan), (inf, -inf, nan), (0.0, -0.0, nan), (0.0, 1, 0.0),
        (-0.0, 1, -0.0), (0.0, -1, -0.0), (-0.0, -1, 0.0), (1, 0.0, inf), (1, -0.0, -inf),
        (-1, 0.0, -inf), (-1, -0.0, inf), (inf, 2, inf), (inf, -2, -inf), (-inf, 2, -inf),
        (-inf, -2, inf), (2, inf, 0.0), (2, -inf, -0.0), (-2, inf, -0.0), (-2, -inf, 0.0),
    ],
    "atan2": [
        (nan, 1, nan), (1, nan, nan), (1, 0.0, pi / 2), (1, -0.0, pi / 2), (0.0, 1, 0.0),
        (0.0, 0.0, 0.0), (0.0, -0.0, pi), (0.0, -1, pi), (-0.0, 1, -0.0), (-0.0, 0.0, -0.0),
        (-0.0, -0.0, -pi), (-0.0, -1, -pi), (-1, 0.0, -pi / 2), (-1, -0.0, -pi / 2),
        (1, inf, 0.0), (1, -inf, pi), (-1, inf, -0.0), (-1, -inf, -pi), (inf, 1, pi / 2),
        (-inf, 1, -pi / 2), (inf, inf, pi / 4), (inf, -inf, 3 * pi / 4), (-inf, inf, -pi / 4),
        (-inf, -inf, -3 * pi / 4),
    ],
    "copysign": [
        (1, -2, -1), (1, -0.0, -1), (-1, 0.0, 1), (-1, 2, 1), (1, nan, 1), (1, -nan, -1),
        (0.0, -1, -0.0), (inf, -1, -inf), (nan, -1, nan),
    ],
    "floor_divide": [
        (nan, 1, nan), (1, nan, nan), (inf, inf, nan), (-inf, inf, nan), (0.0, -0.0, nan),
        (0.0, 1, 0.0), (-0.0, 1, -0.0), (0.0, -1, -0.0), (-0.0, -1, 0.0), (1, 0.0, inf),
        (1, -0.0, -inf), (-1, 0.0, -inf), (-1, -0.0, inf), (inf, 2, inf), (inf, -2, -inf),
        (-inf, 2, -inf), (-inf, -2, inf), (2, inf, 0.0), (2, -inf, -0.0), (-2, inf, -0.0),
        (-2, -inf, 0.0), (7, 2, 3), (-7, 2, -4),
    ],
    "remainder": [
        (nan, 1, nan), (1, nan, nan), (inf, inf, nan), (0.0, 0.0, nan), (0.0, 1, 0.0),
        (-0.0, 1, 0.0), (0.0, -1, -0.0), (-0.0, -1, -0.0), (1, 0.0, nan), (-1, -0.0, nan),
        (inf, 2, nan), (-inf, -2, nan), (2, inf, 2), (2, -inf, -inf), (-2, inf, inf),
        (-2, -inf, -2), (7, -2, -1), (-7, 2, 1), (4, 2, 0.0), (-4, 2, 0.0), (4, -2, -0.0),
    ],
    "hypot": [
        (inf, nan, inf), (nan, -inf, inf), (-0.0, -2, 2), (3, 0.0, 3), (1, nan, nan), (nan, 0, nan),
        (1e30, 0.0, 1e30),
    ],
    "logaddexp": [
        (nan, 1, nan), (inf, nan, nan), (inf, 1, inf), (-inf, inf, inf), (-inf, -inf, -inf),
        (0.0, -inf, 0.0), (inf, inf, inf),
    ],
    "maximum": [(nan, 1, nan), (1, nan, nan), (-inf, 1, 1), (inf, nan, nan)],
    "minimum": [(nan, 1, nan), (1, nan, nan), (-inf, 1, -inf), (-inf, nan, nan)],
    "nextafter": [
        (nan, 1, nan), (1, nan, nan), (-0.0, 0.0, 0.0), (0.0, -0.0, -0.0), (inf, inf, inf),
    ],
    "pow": [
        (2, nan, nan), (nan, 0.0, 1), (nan, -0.0, 1), (5, 0.0, 1), (nan, 2, nan), (2, inf, inf),
        (-2, -inf, 0.0), (-1, inf, 1), (1, -inf, 1), (1, nan, 1), (0.5, inf, 0.0), (0.5, -inf, inf),
        (inf, 2, inf), (inf, -2, 0.0), (-inf, 3, -inf), (-inf, 2, inf), (-inf, -3, -0.0),
        (-inf, -2, 0.0), (0.0, 2, 0.0), (0.0, -1, inf), (-0.0, 3, -0.0), (-0.0, 2, 0.0),
        (-0.0, -3, -inf), (-0.0, -2, inf), (-2, 0.5, nan), (-0.0, 0.5, 0.0), (-inf, 0.5, inf),
    ],
    "equal": [(nan, nan, False), (inf, inf, True), (-0.0, 0.0, True), (inf, -inf, False)],
    "not_equal": [(nan, nan, True), (inf, -inf, True), (-0.0, 0.0, False), (inf, inf, False)],
    "less": [(nan, 1, False), (1, nan, False), (-0.0, 0.0, False), (-inf, 1, True)],
    "less_equal": [(nan, nan, False), (-0.0, 0.0, True), (0.0, -0.0, True), (inf, inf, True)],
    "greater": [(nan, 1, False), (0.0, -0.0, False), (inf, 1, True)],
    "greater_equal": [(nan, nan, False), (-0.0, 0.0, True), (-inf, -inf, True)],
    "logical_and": [(nan, 1, True), (0.0, 1, False)],
    "logical_or": [(nan, 0.0, True), (-0.0, 0.0, False)],
    "logical_xor": [(nan, 0.0, True), (nan, 1, False), (-0.0, 0.0, False)],
}  # fmt: skip


def agree(found: float, expected: Any, dtype: xp.DType) -> bool:
    if isinstance(expected, bool):
        return found is expected
    if math.isnan(expected):
        return math.isnan(found)
    tolerance = 4 * float(xp.finfo(dtype).eps)
    signs_agree = math.copysign(1, found) == math.copysign(1, expected)
    return signs_agree and (found == expected or math.isclose(found, expected, rel_tol=tolerance))


@pytest.mark.parametrize("dtype", FLOATS, ids=lambda d: d.name)
@pytest.mark.parametrize("name", UNARY)
def test_one_operand(device: str, name: str, dtype: xp.DType) -> None:
    rows = UNARY[name]
    # An array of several elements: vector code and its remainder see every case.
    x = xp.asarray(np.array([x for x, _ in rows] * 3), dtype=dtype)
    found = getattr(xp, name)(x).tolist()
    wrong = [
        (row, got)
        for row, got in zip(rows * 3, found, strict=True)
        if not agree(got, row[1], dtype)
    ]
    assert not wrong


@pytest.mark.parametrize("dtype", FLOATS, ids=lambda d: d.name)
@pytest.mark.parametrize("name", BINARY)
def test_two_operands(device: str, name: str, dtype: xp.DType) -> None:
    rows = BINARY[name]
    left, right = (xp.asarray(np.array([row[i] for row in rows] * 3, float)) for i in (0, 1))
    found = getattr(xp, name)(xp.astype(left, dtype), xp.astype(right, dtype)).tolist()
    wrong = [
        (row, got)
        for row, got in zip(rows * 3, found, strict=True)
        if not agree(got, row[2], dtype)
    ]
    assert not wrong


@pytest.mark.parametrize("name", BINARY)
def test_a_scalar_operand_gives_what_an_array_gives(device: str, name: str) -> None:
    function = getattr(xp, name)
    for a, b, _ in BINARY[name][::3]:
        x, y = xp.asarray([a], dtype=xp.float64), xp.asarray([b], dtype=xp.float64)
        expected = np.signbit(function(x, y).numpy()), function(x, y).numpy()
        if name.startswith("logical"):  # scalars there are bool
            continue
        for found in (function(x, float(b)), function(float(a), y)):
            np.testing.assert_array_equal(found.numpy(), expected[1], err_msg=f"{a}, {b}")
            if found.dtype == xp.float64 and not np.isnan(expected[1]).any():
                np.testing.assert_array_equal(np.signbit(found.numpy()), expected[0])


@pytest.mark.parametrize("dtype", FLOATS, ids=lambda d: d.name)
def test_clip_of_nan_is_nan(device: str, dtype: xp.DType) -> None:
    x = xp.asarray([nan, 1.0, 5.0, -5.0], dtype=dtype)
    np.testing.assert_array_equal(xp.clip(x, -2.0, 2.0).numpy(), [nan, 1, 2, -2])
    assert xp.all(xp.isnan(xp.clip(x, nan, 2.0)))
    assert xp.all(xp.isnan(xp.clip(x, -2.0, nan)))
    limits = xp.asarray([0.0, nan, 0.0, 0.0], dtype=dtype)
    np.testing.assert_array_equal(xp.clip(x, limits).numpy(), [nan, nan, 5, 0])


@pytest.mark.parametrize("dtype", FLOATS, ids=lambda d: d.name)
def test_the_sign_of_nan_is_copied(device: str, dtype: xp.DType) -> None:
    x = xp.asarray([nan, nan, nan, nan], dtype=dtype)
    signs = xp.asarray([-1.0, -0.0, 0.0, 1.0], dtype=dtype)
    assert xp.signbit(xp.copysign(x, signs)).tolist() == [True, True, False, False]
