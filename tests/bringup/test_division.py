# SPDX-License-Identifier: Apache-2.0
"""Floor division and remainder of floats over the whole range, against exact fractions."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import bringup_devices
import numpy as np
import pytest

import device_api as xp
from device_api import _core


def _pairs(dtype: str) -> tuple[Any, Any]:
    """Return numbers of random bits, near and far from each other, and the ends of the range."""
    rng = np.random.default_rng(11)
    kind = np.dtype(dtype)
    x, y = (np.frombuffer(rng.bytes(1500 * kind.itemsize), dtype=dtype).copy() for _ in range(2))
    with np.errstate(all="ignore"):
        y[:500] = x[:500] * rng.uniform(1e-4, 1.5, 500).astype(dtype)
    info = np.finfo(dtype)
    ends = [info.max, -info.max / 2, info.tiny, info.smallest_subnormal, 1.0, -3.0]
    x[-36:], y[-36:] = (part.ravel() for part in np.meshgrid(ends, ends))
    bad = ~np.isfinite(x) | ~np.isfinite(y) | (y == 0)
    x[bad], y[bad] = 7, 3
    return x, y


def _rounded(x: Fraction, dtype: str) -> float:
    """Return the nearest number of a type, as float; an infinity beyond its range."""
    try:
        return float(np.dtype(dtype).type(float(x)))
    except OverflowError:
        return math.inf if x > 0 else -math.inf


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_float_division_is_exact(dtype: str) -> None:
    x, y = _pairs(dtype)
    device = _core.as_device(bringup_devices.bare())
    operands = [_core.from_numpy(part, None, device) for part in (x, y)]
    with xp.fallback_policy("error"):
        quotients, remainders = (
            _core.apply(op, operands).numpy() for op in ("floor_divide", "remainder")
        )
    for a, b, quotient, remainder in zip(x, y, quotients, remainders, strict=True):
        exact = Fraction(float(a)) // Fraction(float(b))
        rest = Fraction(float(a)) - exact * Fraction(float(b))
        with np.errstate(over="ignore"):
            assert float(quotient) == _rounded(exact, dtype), (a, b)
            assert float(remainder) == _rounded(rest, dtype), (a, b)
