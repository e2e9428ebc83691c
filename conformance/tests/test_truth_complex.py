# SPDX-License-Identifier: Apache-2.0
"""Truth of complex numbers against the C library's functions, and the rules of their judgement."""

from __future__ import annotations

import math

import numpy as np
import pytest

from device_api_conformance.case import Case
from device_api_conformance.formats import Host, joined, parts_of
from device_api_conformance.judge import judge
from device_api_conformance.observe import observe
from device_api_conformance.truth import expected
from device_api_conformance.truth_special import FREE, INFINITE, special

INF, NAN = math.inf, math.nan
FUNCTIONS = {
    "exp": np.exp, "log": np.log, "log2": np.log2, "log10": np.log10, "sqrt": np.sqrt,
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos,
    "atan": np.arctan, "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "asinh": np.arcsinh,
    "acosh": np.arccosh, "atanh": np.arctanh,
}  # fmt: skip
"""NumPy hands these to the C library; its own log1p and expm1 are weak at special values."""
FINITE = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 1e-9]
SPECIAL = [0.0, -0.0, 1.0, -1.0, 2.5, -2.5, INF, -INF, NAN]


def number(re, im):
    return joined(np.array([[re, im]], dtype=np.float64))


def host(*pairs, dtype="complex64"):
    kind = np.float32 if dtype == "complex64" else np.float64
    return Host(dtype, joined(np.array(pairs, dtype=kind)))


def verdict(op, got, *operands):
    """Verdict of the judge on a result of complex operands."""
    want = expected(op, list(operands), {}, False)
    case = Case("N", "numeric", op, operands[0].dtype, layout="contiguous", values="ordinary")
    return judge(case, observe(want, got, list(operands)) | {"native": 1}).verdict


@pytest.mark.parametrize("op", sorted(FUNCTIONS))
def test_finite_numbers_on_both_sides_of_branch_cuts(op):
    for re in FINITE:
        for im in FINITE:
            if special(op, [re, im]) is not None:
                continue
            z = number(re, im)
            found = expected(op, [Host("complex128", z)], {}, False).reference.high[0]
            got = parts_of(FUNCTIONS[op](z))[0]
            assert np.abs(found - got).max() <= 1e-14 * np.abs(found).max(), (re, im)


@pytest.mark.parametrize("op", sorted(FUNCTIONS))
def test_special_values_are_those_of_the_c_library(op):
    for re in SPECIAL:
        for im in SPECIAL:
            answer = special(op, [re, im])
            if answer is None:
                continue
            with np.errstate(all="ignore"):
                got = parts_of(FUNCTIONS[op](number(re, im)))[0]
            if answer[0] == INFINITE:
                assert np.isinf(got).any(), (re, im)
            elif answer[0] != FREE:
                for part, want in zip(got.tolist(), answer[1:], strict=True):
                    assert want is None or part == pytest.approx(want, nan_ok=True), (re, im)


@pytest.mark.parametrize(
    ("op", "row", "want"),
    [
        ("expm1", (INF, 0.0), (INF, 0.0)), ("expm1", (-INF, INF), (-1.0, 0.0)),
        ("expm1", (NAN, 0.0), (NAN, 0.0)), ("log1p", (-1.0, 0.0), (-INF, 0.0)),
        ("log1p", (-INF, 1.0), (INF, math.pi)), ("log1p", (INF, -INF), (INF, -math.pi / 4)),
        ("log", (-0.0, -0.0), (-INF, -math.pi)), ("sqrt", (NAN, INF), (INF, INF)),
        ("reciprocal", (INF, NAN), (0.0, 0.0)), ("sign", (0.0, -0.0), (0.0, 0.0)),
    ],
)  # fmt: skip
def test_special_values_of_the_array_api(op, row, want):
    _, re, im = special(op, list(row))
    assert (re, im) == pytest.approx(want, nan_ok=True)


@pytest.mark.parametrize(("op", "sign"), [("acosh", -1.0), ("acos", 1.0)])
def test_beside_a_branch_point_both_parts_are_roots_of_the_distance(op, sign):
    z = host((1.0, -(2.0**-532)), dtype="complex128")
    root = 2.0**-266
    assert verdict(op, Host("complex128", number(root, sign * root)), z) == "PASS"
    assert verdict(op, Host("complex128", number(root, 0.0)), z) == "FAIL"
    assert verdict(op, Host("complex128", number(0.0, sign * root)), z) == "FAIL"


def test_small_numbers_keep_their_digits():
    z = host((1e-9, -1e-12), dtype="complex128")
    for op in ("expm1", "log1p", "sin", "atan", "atanh", "asinh"):
        found = expected(op, [z], {}, False).reference.high[0]
        assert found == pytest.approx([1e-9, -1e-12], rel=2e-8)


def test_a_product_of_infinities_is_infinite_and_a_small_error_is_seen():
    infinite, one = host((INF, NAN)), host((1, 0))
    assert verdict("mul", host((INF, NAN)), infinite, one) == "PASS"
    assert verdict("mul", host((NAN, -INF)), infinite, one) == "PASS"
    assert verdict("mul", host((NAN, NAN)), infinite, one) == "FAIL"
    a, b = host((3, 4)), host((5, -6))
    assert verdict("mul", host((39, 2)), a, b) == "PASS"
    near = 39 * (1 + 3 * 2.0**-23)
    assert verdict("mul", host((near, 2)), a, b) == "PASS"
    assert verdict("mul", host((39 * (1 + 9 * 2.0**-23), 2)), a, b) == "FAIL"


def test_the_sign_of_a_zero_part_counts_for_exact_ops_only():
    z = host((2, 0))
    assert verdict("conj", host((2, -0.0)), z) == "PASS"
    assert verdict("conj", host((2, 0)), z) == "FAIL"
    assert verdict("sin", host((math.sin(2), -0.0)), z) == "PASS"
    assert verdict("sqrt", host((0, -1)), host((-1, 0))) == "FAIL"
    assert verdict("sqrt", host((0, -1)), host((-1, -0.0))) == "PASS"


def test_parts_and_kinds():
    z = host((1.5, -0.0), (-2.5, NAN))
    assert expected("imag", [z], {}, False).exact.bits()[0] == 0x80000000
    assert expected("real", [z], {}, False).dtype == "float32"
    assert expected("magnitude", [z], {}, False).reference.high[0] == 1.5
    assert expected("isnan", [z], {}, False).exact.data.tolist() == [False, True]
    assert expected("equal", [z, z], {}, False).exact.data.tolist() == [True, False]
    pair = [Host("float64", np.array([1.0, INF])), Host("float64", np.array([-0.0, NAN]))]
    made = expected("make_complex", pair, {}, False)
    assert (made.dtype, made.shape) == ("complex128", (2,))
    assert made.exact.data[0].tolist() == [1.0, -0.0]
    rounded = expected("round", [host((2.5, -0.5))], {}, False).exact.data
    assert rounded.tolist() == [[2.0, -0.0]]


def test_complex_sums_and_products():
    rng = np.random.default_rng(1)
    x, y = (rng.normal(size=s) + 1j * rng.normal(size=s) for s in ((3, 4), (4, 2)))
    hosts = [Host("complex128", v) for v in (x, y)]
    found = expected("matmul", hosts, {}, False)
    assert found.shape == (3, 2)
    assert joined(found.reference.high) == pytest.approx(x @ y, rel=1e-14)
    total = expected("sum", hosts[:1], {"axes": (0,)}, False)
    assert joined(total.reference.high) == pytest.approx(x.sum(axis=0), rel=1e-14)
    product = expected("prod", hosts[:1], {"axes": (1,)}, False)
    assert joined(product.reference.high) == pytest.approx(x.prod(axis=1), rel=1e-13)
    running = expected("cumprod", hosts[:1], {"axis": 1}, False)
    assert joined(running.reference.high) == pytest.approx(np.cumprod(x, axis=1), rel=1e-13)


def test_a_cast_to_a_complex_type():
    real = Host("int32", np.array([3, -2], dtype=np.int32))
    found = expected("cast", [real], {"dtype": "complex64"}, False)
    assert found.exact.data.tolist() == [[3.0, 0.0], [-2.0, 0.0]]
    wide = host((1 + 2.0**-40, -1e300), dtype="complex128")
    narrow = expected("cast", [wide], {"dtype": "complex64"}, False).exact.data
    assert narrow.tolist() == [[1.0, -INF]]
    assert expected("cast", [wide], {"dtype": "bool"}, False).exact.data.tolist() == [True]
