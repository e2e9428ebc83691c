# SPDX-License-Identifier: Apache-2.0
"""Fractional units in the last place of the output format, against an unrounded reference.

The unit at x is the distance of the two format values around x; where x is itself a value, that of
the two nearest values (so the smaller one at a power of two). The subnormal range has one fixed
unit. Infinity counts as the value that would follow the largest finite one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from device_api_conformance.formats import FORMATS, Array, Format


@dataclass
class Reference:
    """Unrounded results: `high` in float64, and the rest `low` in units of the output format."""

    high: Array
    low: Array

    @classmethod
    def of(cls, dtype: str, high: Array, rest: Array | float = 0.0) -> Reference:
        """Reference from a float64 and its rest as an absolute number."""
        high = np.asarray(high, dtype=np.float64)
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            low = np.asarray(rest, dtype=np.float64) / unit(FORMATS[dtype], high)
        return cls(high, np.where(np.isfinite(low), low, 0.0))


def unit(fmt: Format, x: Array) -> Array:
    """Size of one unit in the last place of `fmt` at `x` (float64 in, float64 out)."""
    mantissa, exponent = np.frexp(np.abs(np.asarray(x, dtype=np.float64)))
    exponent = exponent - 1 - (mantissa == 0.5)
    usable = np.isfinite(x) & (np.asarray(x) != 0)
    exponent = np.where(usable, np.clip(exponent, fmt.emin, fmt.emax), fmt.emin)
    return np.asarray(np.ldexp(1.0, exponent - fmt.precision + 1))


def errors(dtype: str, got: Array, reference: Reference, at: Array | None = None) -> Array:
    """Signed errors of `got` (decoded to float64) in units in the last place.

    The units are those at the reference, or at the numbers `at`.

    NaN expected and got, or the same infinity: 0. NaN on one side only: inf. A zero of the wrong
    sign is no error here; the judge counts those apart.
    """
    fmt = FORMATS[dtype]
    got = np.asarray(got, dtype=np.float64)
    high = reference.high
    half = got * 0.5  # half of everything, so that 2^1024 stays representable
    beyond = np.copysign(np.ldexp(1.0, fmt.emax), got)
    half = np.where(np.isinf(got), beyond, half)
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        overflowed = np.isinf(got) & np.isfinite(high) & (np.abs(high) * 0.5 >= np.abs(beyond))
        step = unit(fmt, high if at is None else at)
        error = (half - high * 0.5) / (step * 0.5)
        bound = 4 * fmt.smallest_normal  # below it, halving could round
        small = (np.abs(got) < bound) & (np.abs(high) < bound)
        low = reference.low if at is None else reference.low * (unit(fmt, high) / step)
        error = np.where(small, (got - high) / step, error) - low
    error = np.where(overflowed & (np.signbit(got) == np.signbit(high)), 0.0, error)
    return _specials(error, got, high)


def _specials(error: Array, got: Array, high: Array) -> Array:
    error = np.where(np.isinf(high), np.where(got == high, 0.0, np.inf), error)
    nan_got, nan_wanted = np.isnan(got), np.isnan(high)
    error = np.where(nan_got != nan_wanted, np.inf, error)
    return np.where(nan_got & nan_wanted, 0.0, error)
