# SPDX-License-Identifier: Apache-2.0
"""Units in the last place: known values, neighbours of powers of two, subnormals, infinities."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from device_api_conformance.formats import FLOATS, FORMATS, decode
from device_api_conformance.ulp import Reference, errors, unit


def error(dtype, got, high, low=0.0):
    return float(errors(dtype, np.array([got]), Reference(np.array([high]), np.array([low])))[0])


@pytest.mark.parametrize(
    ("dtype", "x", "want"),
    [
        ("float32", 1.5, 2.0**-23),
        ("float32", 1.0, 2.0**-24),
        ("float32", 0.0, 2.0**-149),
        ("float32", 1e-44, 2.0**-149),
        ("float32", 2.0**-126, 2.0**-149),
        ("float32", 3e38, 2.0**104),
        ("float32", 1e300, 2.0**104),
        ("float64", 1.5, 2.0**-52),
        ("float64", 5e-324, 5e-324),
        ("float16", 1.5, 2.0**-10),
        ("float16", 6e-8, 2.0**-24),
        ("bfloat16", -3.0, 2.0**-6),
    ],
)
def test_unit(dtype, x, want):
    assert float(unit(FORMATS[dtype], np.array(x))) == want


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_unit_is_the_distance_of_neighbours(dtype):
    kind = np.dtype(dtype).type
    for x in (1.7, 3.25, 1e-3, 0.9, 100.5):
        value = kind(x)
        near = np.nextafter(value, kind(np.inf)) - value
        assert float(unit(FORMATS[dtype], np.float64(value))) == float(near)


@pytest.mark.parametrize("dtype", FLOATS)
def test_one_step_is_one_unit(dtype):
    f = FORMATS[dtype]
    step = 2 * f.roundoff
    assert error(dtype, 1.5 + step, 1.5) == 1.0
    assert error(dtype, 1.5 - 3 * step, 1.5) == -3.0
    assert error(dtype, 1.5, 1.5, 0.25) == -0.25
    assert error(dtype, 1.0 + step, 1.0) == 2.0  # the smaller unit at a power of two
    assert error(dtype, f.smallest, 0.0) == 1.0
    assert error(dtype, 3 * f.smallest, f.smallest) == 2.0


@pytest.mark.parametrize("dtype", FLOATS)
def test_infinity_follows_the_largest_value(dtype):
    f = FORMATS[dtype]
    assert error(dtype, np.inf, f.largest) == 1.0
    assert error(dtype, -np.inf, -f.largest) == -1.0
    assert error(dtype, np.inf, np.inf) == 0.0
    assert error(dtype, f.largest, np.inf) == np.inf
    assert error(dtype, -np.inf, np.inf) == np.inf


def test_overflow_of_a_finite_reference():
    assert error("float32", np.inf, 1e39) == 0.0
    assert error("float32", np.inf, 2.0**128) == 0.0
    assert abs(error("float32", FORMATS["float32"].largest, 1e39)) > 1e7


@pytest.mark.parametrize("dtype", FLOATS)
def test_nan(dtype):
    assert error(dtype, np.nan, np.nan) == 0.0
    assert error(dtype, np.nan, 1.0) == np.inf
    assert error(dtype, 1.0, np.nan) == np.inf


def test_fractions_against_mpmath():
    """Errors of float32 values of exp, in exact arithmetic."""
    x = np.linspace(-20, 20, 57).astype(np.float32)
    got = np.exp(x)
    found = errors(
        "float32", decode("float32", got), Reference.of("float32", np.exp(x.astype(float)))
    )
    with mpmath.workprec(120):
        for i, (a, b) in enumerate(zip(x.tolist(), got.tolist(), strict=True)):
            truth = mpmath.exp(a)
            step = mpmath.ldexp(1, int(mpmath.floor(mpmath.log(truth, 2))) - 23)
            assert abs(float((mpmath.mpf(b) - truth) / step) - found[i]) < 1e-6
