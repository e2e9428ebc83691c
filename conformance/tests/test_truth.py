# SPDX-License-Identifier: Apache-2.0
"""Truth against known values: edges of the op table, correct rounding, sums, Philox vectors."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from device_api_abi import optable
from device_api_conformance import philox, truth_float, truth_sum
from device_api_conformance.formats import FLOATS, Host, decode, rounded
from device_api_conformance.truth import expected
from device_api_conformance.truth_move import converted

INF, NAN = math.inf, math.nan


def host(dtype, *values):
    return Host(dtype, rounded(dtype, np.array(values, dtype=np.float64)))


def one(op, dtype, *row):
    """The expected value of one call on scalars."""
    found = expected(op, [host(dtype, v) for v in row], {}, False)
    if found.exact is not None:
        return (
            float(decode(dtype, found.exact.data)[0])
            if found.dtype in FLOATS
            else found.exact.data[0]
        )
    return float(found.reference.high[0])


EDGES = [
    ("exp", (-INF,), 0.0), ("exp", (INF,), INF), ("exp", (NAN,), NAN), ("exp", (0.0,), 1.0),
    ("exp", (-0.0,), 1.0), ("log", (0.0,), -INF), ("log", (-1.0,), NAN), ("log", (INF,), INF),
    ("log", (1.0,), 0.0), ("sqrt", (-0.0,), -0.0), ("sqrt", (-1.0,), NAN), ("sqrt", (INF,), INF),
    ("tanh", (-0.0,), -0.0), ("tanh", (INF,), 1.0), ("tanh", (-INF,), -1.0),
    ("floor", (-0.0,), -0.0), ("floor", (-0.5,), -1.0),
    ("neg", (0.0,), -0.0), ("abs", (-0.0,), 0.0),
    ("add", (INF, -INF), NAN), ("add", (-0.0, -0.0), -0.0), ("add", (-0.0, 0.0), 0.0),
    ("sub", (INF, INF), NAN), ("sub", (1.5, 1.5), 0.0), ("mul", (0.0, INF), NAN),
    ("mul", (-0.0, 2.0), -0.0), ("div", (1.0, 0.0), INF), ("div", (0.0, 0.0), NAN),
    ("div", (1.0, -0.0), -INF), ("pow", (NAN, 0.0), 1.0), ("pow", (1.0, NAN), 1.0),
    ("pow", (-2.0, 0.5), NAN), ("pow", (0.0, -1.0), INF), ("pow", (-2.0, 3.0), -8.0),
    ("maximum", (NAN, 1.0), NAN), ("minimum", (1.0, NAN), NAN),
]  # fmt: skip


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(("op", "row", "want"), EDGES)
def test_edges_of_the_op_table(dtype, op, row, want):
    got = one(op, dtype, *row)
    assert math.isnan(got) if math.isnan(want) else got == want
    if want == 0:
        assert math.copysign(1, got) == math.copysign(1, want)


@pytest.mark.parametrize("op", ["add", "sub", "mul"])
def test_float64_is_rounded_once(op):
    rng = np.random.default_rng(3)
    a, b = (rng.normal(size=200) * np.exp2(rng.integers(-70, 70, 200)) for _ in range(2))
    found = truth_float.rounded_result(op, "float64", a, b)
    exact = {"add": lambda x, y: x + y, "sub": lambda x, y: x - y, "mul": lambda x, y: x * y}[op]
    with mpmath.workprec(400):
        for x, y, z in zip(a.tolist(), b.tolist(), found.tolist(), strict=True):
            assert z == float(exact(mpmath.mpf(x), mpmath.mpf(y)))


def test_float32_sums_are_rounded_once_although_float64_rounds_before():
    a, b = np.array([1.0 + 2.0**-23]), np.array([2.0**-24 + 2.0**-60])
    exact = Fraction(a[0]) + Fraction(2.0**-24) + Fraction(2.0**-60)
    found = float(truth_float.rounded_result("add", "float32", a, b)[0])
    assert abs(Fraction(found) - exact) < Fraction(2) ** -24
    assert found == 1.0 + 2 * 2.0**-23


@pytest.mark.parametrize("op", ["exp", "log", "sqrt", "tanh"])
def test_float64_references_are_far_better_than_float64(op):
    x = np.abs(np.random.default_rng(4).normal(size=40)) + 1e-3
    found = truth_float.reference(op, "float64", x)
    with mpmath.workprec(300):
        for v, high, low in zip(x.tolist(), found.high.tolist(), found.low.tolist(), strict=True):
            truth = getattr(mpmath, op)(mpmath.mpf(v))
            rest = (truth - mpmath.mpf(high)) / mpmath.mpf(np.spacing(abs(high)))
            assert abs(low) <= 0.5 + 1e-9
            assert abs(float(rest) - low) < 1e-12


@pytest.mark.parametrize(
    ("op", "row", "want"),
    [
        ("exp", (710.0,), INF), ("exp", (-746.0,), 0.0), ("exp", (1e308,), INF),
        ("tanh", (1e-300,), 1e-300), ("tanh", (300.0,), 1.0), ("pow", (1e300, 2.0), INF),
        ("pow", (-1e300, 3.0), -INF), ("pow", (1e-300, 2.0), 0.0),
        ("log", (5e-324,), -744.4400719213812),
    ],
)  # fmt: skip
def test_far_values_of_float64(op, row, want):
    assert one(op, "float64", *row) == want


def test_integers():
    def run(op, dtype, *columns):
        return expected(
            op, [Host(dtype, np.array(c, dtype=dtype)) for c in columns], {}, False
        ).exact.data.tolist()

    assert run("neg", "int8", [-128, 5]) == [-128, -5]
    assert run("neg", "uint8", [1]) == [255]
    assert run("abs", "int64", [-(2**63)]) == [-(2**63)]
    assert run("add", "int32", [2**31 - 1], [1]) == [-(2**31)]
    assert run("mul", "uint64", [2**63], [3]) == [2**63]
    assert run("pow", "int8", [2, 3, -1, 0, 2], [7, -1, -3, -1, 100]) == [-128, 0, -1, 0, 0]
    assert run("less", "uint64", [2**63], [1]) == [False]
    assert run("sign", "int8", [-128, 0, 3]) == [-1, 0, 1]


def test_casts():
    f = host("float32", 65519.0, 65520.0, -2.7, 0.25, NAN)
    assert decode("float16", converted(f, "float16")).tolist()[:2] == [65504.0, INF]
    assert converted(host("float32", -2.7, 2.7), "int8").tolist() == [-2, 2]
    assert converted(f, "bool").tolist() == [True] * 5
    wide = Host("int64", np.array([2**60 + 2**36 + 1, 2**60 + 2**36], dtype=np.int64))
    assert converted(wide, "float32").tolist() == [2.0**60 + 2.0**37, 2.0**60]
    assert converted(Host("int64", np.array([-1, 300])), "uint8").tolist() == [255, 44]


def test_sums_are_exact():
    rows = np.array([[1e16, 1.0, -1e16, 2.0**-30], [0.1] * 4])
    found = truth_sum.sums("float64", rows)
    assert found.reference.high[0] == 1 + 2.0**-30
    exact = sum(Fraction(0.1) for _ in range(4))
    rest = Fraction(float(found.reference.low[1])) * Fraction(np.spacing(0.4))
    assert abs(Fraction(found.reference.high[1]) + rest - exact) < Fraction(2) ** -110
    assert found.magnitude.tolist() == [2e16 + 1, 0.4]


def test_special_sums():
    found = truth_sum.sums("float32", np.array([[INF, 1], [INF, -INF], [NAN, 1]])).reference.high
    assert found[0] == INF
    assert np.isnan(found[1:]).all()


def test_products_of_float64_keep_what_rounding_loses():
    a, b = np.array([[1 + 2.0**-52, 1.0]]), np.array([[1 + 2.0**-52], [-1.0]])
    found = truth_sum.product("float64", a, b).reference
    assert found.high[0, 0] == 2.0**-51 + 2.0**-104


def test_scatter_adds_duplicates():
    x = Host("int64", np.array([[1, 2]]))
    index, updates = Host("int64", np.array([[0, 0, 1]])), Host("int64", np.array([[10, 20, 30]]))
    found = expected("index_accumulate", [x, index, updates], {"axis": 1}, False)
    assert found.exact.data.tolist() == [[31, 32]]


def test_argmax_takes_the_first_and_the_first_nan():
    x = host("float32", 1.0, 3.0, 3.0)
    assert expected("argmax", [x], {"axes": (0,)}, False).exact.data.tolist() == 1
    y = host("float32", 1.0, NAN, 3.0, NAN)
    assert expected("argmax", [y], {"axes": (0,)}, False).exact.data.tolist() == 1


# Known answers of the authors' Random123 distribution (kat_vectors, philox4x32 10).
VECTORS = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    ((0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344), (0xA4093822, 0x299F31D0),
     (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1)),
]  # fmt: skip


@pytest.mark.parametrize(("counter", "key", "want"), VECTORS)
def test_philox(counter, key, want):
    assert philox.blocks(np.array([counter], dtype=np.uint64), key)[0].tolist() == list(want)


def test_philox_counters_carry_into_the_second_word():
    across = philox.words(12, 3, 2**32 - 1)
    assert across[4:8].tolist() == philox.words(4, 3, 2**32).tolist()
    assert across[4:8].tolist() != philox.words(4, 3, 0).tolist()


def test_every_op_of_the_table_has_a_truth():
    from device_api_conformance import inputs
    from device_api_conformance.cases import generate
    from device_api_conformance.seeds import generator

    seen = set()
    for case in generate():
        if case.check == "numeric" and (case.op, case.dtype) not in seen:
            seen.add((case.op, case.dtype))
            made = inputs.make(case, generator(case.id, 0))
            assert expected(case.op, made.operands, made.attributes, False).shape is not None
    assert {op for op, _ in seen} == set(optable.by_name())
