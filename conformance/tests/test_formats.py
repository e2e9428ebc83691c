# SPDX-License-Identifier: Apache-2.0
"""Rounding into formats against independent implementations, and the storage of values."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from device_api_conformance.formats import (
    FLOATS,
    FORMATS,
    Host,
    bits_of,
    decode,
    encode,
    round_to_odd,
    rounded,
    wrapped,
)  # fmt: skip


def nearest(dtype, exact: Fraction) -> float:
    """Half to even by exact arithmetic."""
    f = FORMATS[dtype]
    if exact == 0:
        return 0.0
    size = abs(exact)
    exponent = f.emin
    while exponent < f.emax + 1 and size >= Fraction(2) ** (exponent + 1):
        exponent += 1
    step = Fraction(2) ** (exponent - f.precision + 1)
    value = round(size / step) * step  # Python rounds halves to even
    found = float("inf") if value > Fraction(f.largest) else float(value)
    return -found if exact < 0 else found


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_rounding_against_exact_arithmetic(dtype):
    rng = np.random.default_rng(1)
    f = FORMATS[dtype]
    wide = rng.normal(size=300) * np.exp2(rng.uniform(f.emin - 12, f.emax + 2, 300))
    ties = (1 + (2 * rng.integers(0, 50, 100) + 1) * f.roundoff) * np.exp2(rng.integers(-9, 9, 100))
    values = np.concatenate(
        [wide, ties, -ties, [f.largest, f.largest * (1 + f.roundoff), f.smallest / 2]]
    )
    found = decode(dtype, rounded(dtype, values))
    assert found.tolist() == [nearest(dtype, Fraction(v)) for v in values.tolist()]


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_rounding_against_numpy(dtype):
    values = np.random.default_rng(2).normal(size=5000) * np.exp2(np.linspace(-160, 140, 5000))
    with np.errstate(over="ignore"):
        want = values.astype(dtype)
    assert np.array_equal(bits_of(rounded(dtype, values)), bits_of(want))


def test_signed_zero_and_specials_survive():
    values = np.array([-0.0, np.inf, -np.inf, np.nan, -1e-60])
    found = decode("float32", rounded("float32", values))
    assert np.signbit(found).tolist()[:3] == [True, False, True]
    assert np.isnan(found[3])
    assert np.signbit(found[4])
    assert found[4] == 0


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_a_sum_in_two_parts_is_rounded_once(dtype):
    tie = 1 + FORMATS[dtype].roundoff
    high, low = np.array([tie, tie, tie]), np.array([2.0**-80, -(2.0**-80), 0.0])
    found = decode(dtype, rounded(dtype, high, low)).tolist()
    assert found == [1 + 2 * FORMATS[dtype].roundoff, 1.0, 1.0]


def test_round_to_odd_keeps_exact_values():
    values = np.array([1.0, -2.5, np.inf, np.nan])
    assert np.array_equal(round_to_odd(values, np.zeros(4)), values, equal_nan=True)


def test_every_bfloat16_survives_the_round_trip():
    every = np.arange(65536, dtype=np.uint16)
    values = decode("bfloat16", every)
    again = encode("bfloat16", values)
    assert np.array_equal(again[~np.isnan(values)], every[~np.isnan(values)])


def test_wrapping():
    assert wrapped("int8", np.array([128, -129, 256], dtype=object)).tolist() == [-128, 127, 0]
    assert wrapped("uint64", np.array([-1, 2**64], dtype=object)).tolist() == [2**64 - 1, 0]


@pytest.mark.parametrize("dtype", FLOATS)
def test_limits(dtype):
    f = FORMATS[dtype]
    for value in (f.largest, f.smallest, f.smallest_normal):
        assert float(decode(dtype, rounded(dtype, np.array(value)))) == value


def test_exact_values_of_integers_are_python_integers():
    host = Host("uint64", np.array([2**64 - 1], dtype=np.uint64))
    assert host.exact()[0] == 2**64 - 1
