# SPDX-License-Identifier: Apache-2.0
"""Special cases of complex elementwise functions, by the tables of the array API standard 2025.12.

The tables name one quadrant; the others follow by symmetry: f(conj z) is conj f(z) for all of them,
and odd or even functions are mirrored. The functions of trigonometry follow from the hyperbolic
ones, by which the standard defines them: sin z = -j sinh(j z) and so on.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import device_api as xp

inf, nan, pi = math.inf, math.nan, math.pi
COMPLEX = [xp.complex64, xp.complex128]


class Either(float):
    """A part whose sign is not specified."""


EITHER_0, EITHER_1, EITHER_INF = Either(0), Either(1), Either(inf)
Row = tuple[float, float, float, float]
C1, S1 = math.cos(1.0), math.sin(1.0)

# function -> (real, imaginary part, real part of the result, imaginary part of the result)
TABLES: dict[str, list[Row]] = {
    "acos": [
        (0, 0, pi / 2, -0.0), (-0.0, 0, pi / 2, -0.0), (0, nan, pi / 2, nan),
        (-0.0, nan, pi / 2, nan), (1, inf, pi / 2, -inf), (-1, inf, pi / 2, -inf),
        (1, nan, nan, nan), (-inf, 1, pi, -inf), (inf, 1, 0, -inf), (-inf, inf, 3 * pi / 4, -inf),
        (inf, inf, pi / 4, -inf), (inf, nan, nan, EITHER_INF), (-inf, nan, nan, EITHER_INF),
        (nan, 1, nan, nan), (nan, inf, nan, -inf), (nan, nan, nan, nan),
    ],
    "acosh": [
        (0, 0, 0, pi / 2), (-0.0, 0, 0, pi / 2), (1, inf, inf, pi / 2), (-1, inf, inf, pi / 2),
        (1, nan, nan, nan), (0, nan, nan, Either(pi / 2)), (-inf, 1, inf, pi), (inf, 1, inf, 0),
        (-inf, inf, inf, 3 * pi / 4), (inf, inf, inf, pi / 4), (inf, nan, inf, nan),
        (-inf, nan, inf, nan), (nan, 1, nan, nan), (nan, inf, inf, nan), (nan, nan, nan, nan),
    ],
    "asinh": [
        (0, 0, 0, 0), (1, inf, inf, pi / 2), (1, nan, nan, nan), (inf, 1, inf, 0),
        (inf, inf, inf, pi / 4), (nan, 0, nan, 0), (nan, 1, nan, nan), (nan, inf, EITHER_INF, nan),
        (nan, nan, nan, nan),
    ],
    "atanh": [
        (0, 0, 0, 0), (0, nan, 0, nan), (1, 0, inf, 0), (1, inf, 0, pi / 2), (1, nan, nan, nan),
        (inf, 1, 0, pi / 2), (inf, inf, 0, pi / 2), (inf, nan, 0, nan), (nan, 1, nan, nan),
        (nan, inf, EITHER_0, pi / 2), (nan, nan, nan, nan),
    ],
    "cosh": [
        (0, 0, 1, 0), (0, inf, nan, EITHER_0), (0, nan, nan, EITHER_0), (1, inf, nan, nan),
        (1, nan, nan, nan), (inf, 0, inf, 0), (inf, 1, inf, inf), (inf, 2, -inf, inf),
        (inf, inf, EITHER_INF, nan), (inf, nan, inf, nan), (nan, 0, nan, EITHER_0),
        (nan, -0.0, nan, EITHER_0), (nan, 1, nan, nan), (nan, nan, nan, nan),
    ],
    "exp": [
        (0, 0, 1, 0), (-0.0, 0, 1, 0), (1, inf, nan, nan), (1, nan, nan, nan), (inf, 0, inf, 0),
        (-inf, 1, 0, 0), (-inf, 2, -0.0, 0), (inf, 1, inf, inf), (inf, 2, -inf, inf),
        (-inf, inf, EITHER_0, EITHER_0), (inf, inf, EITHER_INF, nan),
        (-inf, nan, EITHER_0, EITHER_0), (inf, nan, EITHER_INF, nan), (nan, 0, nan, 0),
        (nan, 1, nan, nan), (nan, inf, nan, nan), (nan, nan, nan, nan),
    ],
    "expm1": [
        (0, 0, 0, 0), (-0.0, 0, 0, 0), (1, inf, nan, nan), (1, nan, nan, nan),
        (inf, 0, inf, 0), (-inf, 1, -1, 0), (inf, 1, inf, inf), (inf, 2, -inf, inf),
        (-inf, inf, -1, EITHER_0), (inf, inf, EITHER_INF, nan), (-inf, nan, -1, EITHER_0),
        (inf, nan, EITHER_INF, nan), (nan, 0, nan, 0), (nan, 1, nan, nan), (nan, nan, nan, nan),
    ],
    "log": [
        (-0.0, 0, -inf, pi), (0, 0, -inf, 0), (1, inf, inf, pi / 2), (1, nan, nan, nan),
        (-inf, 1, inf, pi), (inf, 1, inf, 0), (-inf, inf, inf, 3 * pi / 4), (inf, inf, inf, pi / 4),
        (inf, nan, inf, nan), (-inf, nan, inf, nan), (nan, 1, nan, nan), (nan, inf, inf, nan),
        (nan, nan, nan, nan),
    ],
    "log1p": [
        (-1, 0, -inf, 0), (1, inf, inf, pi / 2), (1, nan, nan, nan), (-inf, 1, inf, pi),
        (inf, 1, inf, 0), (-inf, inf, inf, 3 * pi / 4), (inf, inf, inf, pi / 4),
        (inf, nan, inf, nan), (-inf, nan, inf, nan), (nan, 1, nan, nan), (nan, inf, inf, nan),
        (nan, nan, nan, nan),
    ],
    "sinh": [
        (0, 0, 0, 0), (0, inf, EITHER_0, nan), (0, nan, EITHER_0, nan), (1, inf, nan, nan),
        (1, nan, nan, nan), (inf, 0, inf, 0), (inf, 1, inf, inf), (inf, 2, -inf, inf),
        (inf, inf, EITHER_INF, nan), (inf, nan, EITHER_INF, nan), (nan, 0, nan, 0),
        (nan, 1, nan, nan), (nan, nan, nan, nan),
    ],
    "sqrt": [
        (0, 0, 0, 0), (-0.0, 0, 0, 0), (1, inf, inf, inf), (nan, inf, inf, inf),
        (-inf, inf, inf, inf), (inf, inf, inf, inf), (1, nan, nan, nan), (-inf, 1, 0, inf),
        (inf, 1, inf, 0), (-inf, nan, nan, EITHER_INF), (inf, nan, inf, nan), (nan, 1, nan, nan),
        (nan, nan, nan, nan),
    ],
    "tanh": [
        (0, 0, 0, 0), (1, inf, nan, nan), (0, inf, 0, nan), (1, nan, nan, nan), (0, nan, 0, nan),
        (inf, 1, 1, 0), (inf, 2, 1, 0), (inf, inf, 1, EITHER_0), (inf, nan, 1, EITHER_0),
        (nan, 0, nan, 0), (nan, 1, nan, nan), (nan, nan, nan, nan),
    ],
}  # fmt: skip

ODD, EVEN = {"asinh", "atanh", "sinh", "tanh"}, {"cosh"}


def negated(part: float) -> float:
    return part if isinstance(part, Either) else -float(part)


def all_quadrants(name: str) -> list[Row]:
    """The rows of a table with those that symmetry adds."""
    rows = list(TABLES[name])
    if name in ODD | EVEN:
        sign = negated if name in ODD else (lambda part: part)
        rows += [(negated(a), negated(b), sign(re), sign(im)) for a, b, re, im in rows]
    return rows + [(a, negated(b), re, negated(im)) for a, b, re, im in rows]


def rotated(name: str) -> list[Row]:
    """The rows of a function g with g(z) = -j f(j z), from those of f: j z = (-b, a)."""
    return [(b, negated(a), im, negated(re)) for a, b, re, im in all_quadrants(name)]


CASES: dict[str, list[Row]] = {name: all_quadrants(name) for name in TABLES}
CASES |= {"sin": rotated("sinh"), "tan": rotated("tanh")}
CASES |= {"asin": rotated("asinh"), "atan": rotated("atanh")}
CASES["cos"] = [(b, negated(a), re, im) for a, b, re, im in all_quadrants("cosh")]  # cosh(j z)
CASES["round"] = [
    (0.5, 1.5, 0, 2), (-0.5, -1.5, -0.0, -2), (nan, 1.4, nan, 1), (inf, -0.0, inf, -0.0),
]  # fmt: skip
CASES["conj"] = [(1, 0, 1, -0.0), (nan, -0.0, nan, 0), (-0.0, inf, -0.0, -inf)]
CASES["negative"] = [(0, -0.0, -0.0, 0), (inf, 1, -inf, -1)]
CASES["sign"] = [
    (0, 0, EITHER_0, EITHER_0), (-0.0, 0, EITHER_0, EITHER_0), (nan, 1, nan, nan),
    (1, nan, nan, nan), (3, 4, 0.6, 0.8), (-5, 0, -1, EITHER_0), (0, -2, EITHER_0, -1),
]  # fmt: skip


def agrees(found: float, expected: float, tolerance: float) -> bool:
    if isinstance(expected, Either):
        found, expected = abs(found), abs(float(expected))
    if math.isnan(expected):
        return math.isnan(found)
    if math.copysign(1, found) != math.copysign(1, expected):
        return False
    return found == expected or math.isclose(found, expected, rel_tol=tolerance)


def array_of(rows: list[Row], dtype: xp.DType) -> xp.Tensor:
    host = np.array([complex(a, b) for a, b, _, _ in rows])
    return xp.asarray(host.astype(dtype.name))


@pytest.mark.parametrize("dtype", COMPLEX, ids=lambda d: d.name)
@pytest.mark.parametrize("name", CASES)
def test_parts(device: str, name: str, dtype: xp.DType) -> None:
    rows = CASES[name] * 2
    result = getattr(xp, name)(array_of(rows, dtype))
    assert result.dtype == dtype
    tolerance = 8 * float(xp.finfo(dtype).eps)
    wrong = [
        (row, found)
        for row, found in zip(rows, result.tolist(), strict=True)
        if not (agrees(found.real, row[2], tolerance) and agrees(found.imag, row[3], tolerance))
    ]
    assert not wrong


@pytest.mark.parametrize("dtype", COMPLEX, ids=lambda d: d.name)
def test_the_magnitude(device: str, dtype: xp.DType) -> None:
    cases = [
        (inf, nan, inf), (nan, -inf, inf), (-inf, 1, inf), (0, -2, 2), (-3, 0, 3), (nan, 1, nan),
        (1, nan, nan), (nan, nan, nan), (3, 4, 5), (-0.0, -0.0, 0),
    ]  # fmt: skip
    rows = [(a, b, 0.0, 0.0) for a, b, _ in cases]
    result = xp.abs(array_of(rows, dtype))
    assert result.dtype == {xp.complex64: xp.float32, xp.complex128: xp.float64}[dtype]
    np.testing.assert_array_equal(result.numpy(), [size for _, _, size in cases])


@pytest.mark.parametrize("dtype", COMPLEX, ids=lambda d: d.name)
def test_the_magnitude_does_not_overflow_on_the_way(device: str, dtype: xp.DType) -> None:
    big = float(xp.finfo(dtype).max) / 2
    tiny = float(xp.finfo(dtype).smallest_normal)
    found = xp.abs(xp.asarray([complex(big, big), complex(tiny, tiny)], dtype=dtype)).tolist()
    assert found == pytest.approx([big * math.sqrt(2), tiny * math.sqrt(2)], rel=1e-6)


@pytest.mark.parametrize("dtype", COMPLEX, ids=lambda d: d.name)
def test_questions_about_parts(device: str, dtype: xp.DType) -> None:
    pairs = [(1, 2), (nan, 1), (1, nan), (inf, nan), (nan, -inf), (-inf, 1), (0, -0.0)]
    z = array_of([(a, b, 0.0, 0.0) for a, b in pairs], dtype)
    for name in ("isnan", "isinf", "isfinite"):
        expected = getattr(np, name)(z.numpy())
        np.testing.assert_array_equal(getattr(xp, name)(z).numpy(), expected, err_msg=name)
    assert xp.equal(z, z).tolist() == [True, False, False, False, False, True, True]
    assert xp.not_equal(z, z).tolist() == [False, True, True, True, True, False, False]
    assert xp.astype(z, xp.bool).tolist() == [True] * 6 + [False]
    assert xp.logical_not(z).tolist() == [False] * 6 + [True]


@pytest.mark.parametrize("dtype", COMPLEX, ids=lambda d: d.name)
def test_sums_and_products_go_by_parts(device: str, dtype: xp.DType) -> None:
    def parts(z: xp.Tensor) -> list[tuple[float, float]]:
        return [(v.real, v.imag) for v in z.tolist()]

    zeros = xp.asarray([complex(-0.0, 0.0)], dtype=dtype)
    others = xp.asarray([complex(-0.0, -0.0)], dtype=dtype)
    assert str(parts(zeros + others)) == "[(-0.0, 0.0)]"
    z = xp.asarray([complex(inf, 1.0), complex(nan, 1.0)], dtype=dtype)
    assert str(parts(z + 1)) == "[(inf, 1.0), (nan, 1.0)]"
    finite = xp.asarray([complex(1, 2)], dtype=dtype)
    assert parts(finite * complex(3, -1)) == [(5, 5)]
    assert parts(finite / complex(1, -1)) == [(-0.5, 1.5)]
    lost = xp.asarray([complex(nan, nan)], dtype=dtype)
    for result in (lost * lost, lost / lost):
        assert all(math.isnan(part) for part in parts(result)[0])


def test_mean_keeps_a_nan_in_its_part(device: str) -> None:
    z = xp.asarray([complex(nan, 1.0), complex(1.0, 3.0)])
    mean = complex(xp.mean(z))
    assert math.isnan(mean.real)
    assert mean.imag == 2.0
    nothing = complex(xp.mean(xp.zeros((0,), dtype=xp.complex64)))
    assert math.isnan(nothing.real)
    assert math.isnan(nothing.imag)
