# SPDX-License-Identifier: Apache-2.0
"""Truth of elementwise functions against known values and independent implementations."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

from device_api_abi import optable
from device_api_conformance import truth_float
from device_api_conformance.formats import FLOATS, FORMATS, Host, decode, rounded
from device_api_conformance.truth import expected

INF, NAN = math.inf, math.nan


def one(op, dtype, *row, **attributes):
    """The expected value of one call on scalars."""
    operands = [Host(dtype, rounded(dtype, np.array([v], dtype=np.float64))) for v in row]
    found = expected(op, operands, attributes, False)
    if found.exact is None:
        return float(found.reference.high[0])
    value = found.exact.data
    return float(decode(dtype, value)[0]) if found.dtype in FLOATS else value[0]


EDGES = [
    ("expm1", (-0.0,), -0.0), ("expm1", (-INF,), -1.0), ("expm1", (INF,), INF),
    ("log1p", (-0.0,), -0.0), ("log1p", (-1.0,), -INF), ("log1p", (-2.0,), NAN),
    ("log1p", (INF,), INF), ("log2", (0.0,), -INF), ("log2", (-1.0,), NAN), ("log2", (1.0,), 0.0),
    ("log2", (8.0,), 3.0), ("log10", (0.0,), -INF), ("log10", (INF,), INF), ("log10", (1.0,), 0.0),
    ("sin", (-0.0,), -0.0), ("sin", (INF,), NAN), ("cos", (0.0,), 1.0), ("cos", (-INF,), NAN),
    ("tan", (-0.0,), -0.0), ("tan", (INF,), NAN), ("asin", (-0.0,), -0.0), ("asin", (1.5,), NAN),
    ("acos", (1.0,), 0.0), ("acos", (-1.5,), NAN), ("atan", (-0.0,), -0.0),
    ("atan", (INF,), math.pi / 2), ("sinh", (-0.0,), -0.0), ("sinh", (-INF,), -INF),
    ("cosh", (0.0,), 1.0), ("cosh", (-INF,), INF), ("asinh", (-0.0,), -0.0),
    ("asinh", (-INF,), -INF), ("acosh", (1.0,), 0.0), ("acosh", (0.5,), NAN),
    ("acosh", (INF,), INF), ("atanh", (-0.0,), -0.0), ("atanh", (1.0,), INF),
    ("atanh", (1.5,), NAN), ("reciprocal", (0.0,), INF), ("reciprocal", (-0.0,), -INF),
    ("reciprocal", (-INF,), -0.0), ("rsqrt", (0.0,), INF), ("rsqrt", (-1.0,), NAN),
    ("rsqrt", (INF,), 0.0), ("rsqrt", (4.0,), 0.5), ("erf", (-0.0,), -0.0), ("erf", (INF,), 1.0),
    ("erf", (-INF,), -1.0), ("ceil", (-0.5,), -0.0), ("ceil", (-0.0,), -0.0),
    ("ceil", (INF,), INF), ("trunc", (-0.5,), -0.0), ("trunc", (-2.5,), -2.0),
    ("round", (0.5,), 0.0), ("round", (1.5,), 2.0), ("round", (-0.5,), -0.0),
    ("round", (-INF,), -INF), ("signbit", (-0.0,), True), ("isfinite", (NAN,), False),
    ("isinf", (-INF,), True), ("floor_divide", (1.0, 0.0), INF), ("floor_divide", (0.0, 0.0), NAN),
    ("floor_divide", (1.0, -INF), -0.0), ("floor_divide", (-1.0, INF), -0.0),
    ("floor_divide", (1.0, INF), 0.0), ("floor_divide", (-INF, 2.0), -INF),
    ("floor_divide", (INF, INF), NAN), ("floor_divide", (-0.0, 2.0), -0.0),
    ("floor_divide", (-1.0, 2.0), -1.0), ("remainder", (1.0, 0.0), NAN),
    ("remainder", (INF, 2.0), NAN), ("remainder", (1.0, INF), 1.0),
    ("remainder", (-1.0, INF), INF), ("remainder", (1.0, -INF), -INF),
    ("remainder", (-4.0, 2.0), 0.0), ("remainder", (4.0, -2.0), -0.0),
    ("remainder", (-1.0, 3.0), 2.0), ("atan2", (0.0, -0.0), math.pi), ("atan2", (-0.0, 0.0), -0.0),
    ("atan2", (INF, -INF), 3 * math.pi / 4), ("hypot", (INF, NAN), INF), ("hypot", (3.0, 4.0), 5.0),
    ("copysign", (1.0, -0.0), -1.0), ("nextafter", (1.0, 1.0), 1.0),
    ("nextafter", (0.0, -0.0), -0.0), ("nextafter", (NAN, 1.0), NAN),
    ("logaddexp", (-INF, -INF), -INF), ("logaddexp", (INF, 0.0), INF),
    ("logaddexp", (0.0, 0.0), math.log(2)), ("not_equal", (NAN, NAN), True),
    ("not_equal", (-0.0, 0.0), False), ("less_equal", (NAN, 1.0), False),
    ("less_equal", (1.0, 1.0), True),
]  # fmt: skip


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(("op", "row", "want"), EDGES)
def test_edges_of_the_op_table(dtype, op, row, want):
    got = one(op, dtype, *row)
    if math.isnan(want):
        assert math.isnan(got)
        return
    assert got == pytest.approx(want, rel=1e-15)
    if want == 0:
        assert math.copysign(1, got) == math.copysign(1, want)


@pytest.mark.parametrize("dtype", FLOATS)
def test_neighbours(dtype):
    f = FORMATS[dtype]
    assert one("nextafter", dtype, 0.0, 1.0) == f.smallest
    assert one("nextafter", dtype, 0.0, -1.0) == -f.smallest
    assert one("nextafter", dtype, 1.0, INF) == 1 + 2 * f.roundoff
    assert one("nextafter", dtype, -1.0, INF) == -1 + f.roundoff
    assert one("nextafter", dtype, f.largest, INF) == INF
    assert one("nextafter", dtype, -f.smallest, 1.0) == 0.0


def test_quotients_are_exact_before_they_are_rounded():
    assert one("floor_divide", "float64", 1.0, 0.1) == 9.0  # 0.1 is a little above a tenth
    assert one("remainder", "float64", 1.0, 0.1) == math.fmod(1.0, 0.1)
    assert one("remainder", "float64", -1e-300, 1.0) == 1.0
    assert one("floor_divide", "float64", 1e300, 1e-300) == INF
    assert one("floor_divide", "float32", 2.0**127, 2.0**-20) == INF
    assert one("floor_divide", "float32", -1.0, 2.0**100) == -1.0


MPMATH = {"log2": lambda x: mpmath.log(x, 2), "rsqrt": lambda x: 1 / mpmath.sqrt(x),
          "reciprocal": lambda x: 1 / x}  # fmt: skip


@pytest.mark.parametrize(
    "op",
    [o.name for o in optable.load() if o.error == "ulp" and o.kind == "unary"
     and "float64" in o.dtypes],
)  # fmt: skip
def test_references_against_mpmath_with_more_bits(op):
    rng = np.random.default_rng(5)
    x = rng.uniform(0.05, 0.95, 20) + (1.0 if op == "acosh" else 0.0)
    precise = truth_float.reference(op, "float64", x)
    plain = truth_float.reference(op, "float32", x)
    function = MPMATH.get(op) or getattr(mpmath, op)
    with mpmath.workprec(300):
        for v, high, low, narrow in zip(x.tolist(), precise.high.tolist(), precise.low.tolist(),
                                        plain.high.tolist(), strict=True):  # fmt: skip
            truth = function(mpmath.mpf(v))
            rest = (truth - mpmath.mpf(high)) / mpmath.mpf(np.spacing(abs(high)))
            assert abs(float(rest) - low) < 1e-9
            assert abs(float((mpmath.mpf(narrow) - truth) / truth)) < 1e-14


@pytest.mark.parametrize("op", ["sin", "cos", "tan"])
def test_large_arguments_are_reduced_exactly(op):
    for x in (1e22, 3.4e38, 65504.0):
        with mpmath.workprec(1200):
            truth = float(getattr(mpmath, op)(mpmath.mpf(x)))
        for dtype in ("float32", "float64"):
            got = float(truth_float.reference(op, dtype, np.array([x])).high[0])
            assert got == pytest.approx(truth, rel=1e-13)


def test_whole_numbers():
    def run(op, dtype, *columns):
        operands = [Host(dtype, np.array(c, dtype=dtype)) for c in columns]
        return expected(op, operands, {}, False).exact.data.tolist()

    assert run("floor_divide", "int8", [-128, 7, -7, 5], [-1, -2, 2, 0]) == [-128, -4, -4, 0]
    assert run("remainder", "int8", [7, -7, -7, 5], [-2, 2, -2, 0]) == [-1, 1, -1, 0]
    assert run("shift_left", "int8", [1, 1, 3, -1], [7, 8, 7, 1]) == [-128, 0, -128, -2]
    assert run("shift_right", "int8", [-128, -1, 127, 64], [7, 100, 8, 3]) == [-1, -1, 0, 8]
    assert run("shift_right", "uint8", [255, 255], [7, 8]) == [1, 0]
    assert run("bitwise_not", "uint16", [0]) == [65535]
    assert run("bitwise_xor", "int64", [-1], [1]) == [-2]
    assert run("not_equal", "uint64", [2**63], [2**63]) == [False]


ACTIVATIONS = [
    ("relu", {}, [(NAN, NAN), (-2.0, 0.0), (3.0, 3.0), (INF, INF)]),
    ("sigmoid", {}, [(0.0, 0.5), (-INF, 0.0), (INF, 1.0), (NAN, NAN), (2.0, 0.8807970779778823)]),
    ("silu", {}, [(-INF, 0.0), (INF, INF), (1.0, 0.7310585786300049)]),
    ("gelu", {}, [(-INF, 0.0), (INF, INF), (1.0, 0.8413447460685429), (-2.0, -0.0455002638963584)]),
    ("gelu_tanh", {}, [(1.0, 0.8411919906082768), (-INF, 0.0)]),
    ("mish", {}, [(1.0, 0.8650983882673103), (-INF, 0.0), (INF, INF)]),
    ("hardswish", {}, [(1.0, 2 / 3), (-4.0, 0.0), (7.0, 7.0), (NAN, NAN)]),
    ("hardsigmoid", {"slope": 0.25, "offset": 0.5}, [(1.0, 0.75), (-3.0, 0.0), (INF, 1.0)]),
    ("softplus", {"beta": 2.0, "threshold": 20.0}, [(0.0, math.log(2) / 2), (11.0, 11.0),
                                                     (-INF, 0.0), (INF, INF)]),
    ("leaky_relu", {"slope": 0.125}, [(-8.0, -1.0), (2.0, 2.0), (-INF, -INF)]),
    ("elu", {"alpha": 1.5}, [(-1.0, 1.5 * math.expm1(-1.0)), (2.0, 2.0), (-INF, -1.5)]),
]  # fmt: skip


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("op", "attributes", "rows"), ACTIVATIONS)
def test_activations(dtype, op, attributes, rows):
    for x, want in rows:
        assert one(op, dtype, x, **attributes) == pytest.approx(want, rel=1e-14, nan_ok=True)
