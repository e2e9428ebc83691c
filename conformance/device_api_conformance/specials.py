# SPDX-License-Identifier: Apache-2.0
"""Special values of each type, and how they are laid at every lane of a vector register."""

from __future__ import annotations

import numpy as np

from device_api_conformance.formats import (
    FORMATS,
    PARTS,
    Array,
    bits_of,
    encode,
    joined,
    rounded,
    storage,
)

LANES = 16
"""Every special value is seen at every position modulo this number."""


_TIES = (1 + 2.0**-8, 1 + 3 * 2.0**-8, 1 + 2.0**-11, 1 + 3 * 2.0**-11, 1 + 2.0**-24)
_BESIDE_TIES = [base + side * 2.0**-30 for base in _TIES for side in (1, -1)]
"""Beside the middle of two values of a 16-bit type: rounding twice, by way of float32, is seen."""


def floats(dtype: str, short: bool = False) -> Array:
    """Special values of a floating type (stored): zeros, limits, ties, infinities, NaNs.

    The short list lacks what matters to correct rounding only.
    """
    f = FORMATS[dtype]
    eps = 2.0 * f.roundoff
    magnitudes = [
        0.0, f.smallest, 3 * f.smallest, f.smallest_normal - f.smallest, f.smallest_normal,
        f.smallest_normal * (1 + eps), f.roundoff, 3 * f.roundoff, eps, 0.25, 0.5, 1 - f.roundoff,
        1.0, 1 + eps, 1 + 3 * eps, 1.5, 2.0, 2.5, 3.0, np.pi, 10.0, 1 / eps - 1, 1 / eps,
        1 / eps + 2, 2 / eps, 65504.0, 65519.0, 65520.0, 1 + 2.0**-8, 1 + 3 * 2.0**-8,
        1 + 2.0**-11, 1 + 3 * 2.0**-11, *_BESIDE_TIES, 88.0, 89.0, f.largest / 2,
        f.largest * (1 - eps), f.largest, np.inf,
    ]  # fmt: skip
    if short:
        magnitudes = [
            0.0, f.smallest, f.smallest_normal, f.roundoff, 0.25, 0.5, 1 - f.roundoff, 1.0, 1 + eps,
            1.5, 2.0, 2.5, 3.0, 10.0, 1 / eps, 88.0, f.largest / 2, f.largest, np.inf,
        ]  # fmt: skip
    both = np.array(magnitudes + [-m for m in magnitudes])
    return np.concatenate([rounded(dtype, both), _nans(dtype)])


def stratified(dtype: str, n: int, rng: np.random.Generator) -> Array:
    """Random numbers of both signs and of every size: as many of each part of the exponents."""
    f = FORMATS[dtype]
    lowest = f.emin - f.precision + 1
    strata, total = max(n // 2, 1), f.emax + 1 - lowest
    places: Array = (np.arange(n) // 2 + rng.random(n)) * total / strata
    if n // 2 >= total:  # each power of two for sure
        places = np.arange(n) // 2 % total + 0.0
    exponent = lowest + np.minimum(np.floor(places), total - 1)
    size = np.ldexp(rng.uniform(1, 2, n), exponent.astype(np.int64))
    return rounded(dtype, np.minimum(size, f.largest) * np.where(np.arange(n) % 2, -1, 1))


def every(dtype: str, operands: int) -> list[Array]:
    """All values of a narrow type, or all pairs of them."""
    kind = storage(dtype)
    values = np.arange(1 << kind.itemsize * 8).astype(f"u{kind.itemsize}").view(kind)
    if operands == 1:
        return [values]
    return [np.repeat(values, values.size), np.tile(values, values.size)]


def _nans(dtype: str) -> Array:
    nan = int(bits_of(encode(dtype, np.array([np.nan])))[0])
    width = storage(dtype).itemsize
    sign = 1 << (width * 8 - 1)
    found = [nan & ~sign, nan | sign, (nan & ~sign) + 5]
    return np.array(found, dtype=f"u{width}").view(storage(dtype))


def integers(dtype: str) -> Array:
    """Special values of an integer type: limits, neighbours of zero, powers of two, 2^24 + 1."""
    info = np.iinfo(storage(dtype))
    candidates = [0, 1, 2, 3, 7, 8, 15, 100, 127, 128, 255, 256, 32767, 65535, 2**24 - 1, 2**24 + 1,
                  2**31 - 1, 2**31, 2**40 + 2**32 + 1, 2**53 - 1, 2**53 + 1,
                  2**60 + 2**36 + 1, 2**60 + 2**52 + 1, info.max - 1, info.max, -1, -2, -3, -7,
                  -128, -(2**24) - 1, -(2**53) - 1, info.min + 1, info.min]  # fmt: skip
    kept = sorted({v for v in candidates if info.min <= v <= info.max})
    return np.array(kept, dtype=storage(dtype))


def complexes(dtype: str, short: bool = False) -> Array:
    """Special complex numbers: all pairs of special parts, or a short list for pairs of numbers."""
    inf, nan, large = np.inf, np.nan, 2.0 ** (FORMATS[PARTS[dtype]].emax // 2 + 20)
    few = [(0, 0), (-0.0, 0), (1, 0), (-1, -0.0), (0, 1), (3, -2), (-0.5, 0.25), (large, large),
           (1 / large, 2 / large), (inf, 0), (0, -inf), (inf, inf), (-inf, nan), (nan, 1),
           (1, nan), (nan, nan), (2, inf)]  # fmt: skip
    one = [0.0, -0.0, 1.0, -1.0, 0.5, -3.0, 1e-3, -1 / large, large, -large, inf, -inf, nan]
    pairs = few if short else [(re, im) for re in one for im in one]
    return joined(rounded(PARTS[dtype], np.array(pairs, dtype=np.float64)))


def of(dtype: str, short: bool = False) -> Array:
    """Special values of any type, stored; `short` for pairs of what is not integer."""
    if dtype == "bool":
        return np.array([False, True])
    if dtype in PARTS:
        return complexes(dtype, short)
    return floats(dtype, short) if dtype in FORMATS else integers(dtype)


def at_every_lane(values: Array) -> Array:
    """Repeat the values so that each one occurs at every position modulo LANES."""
    if values.size % 2 == 0:  # an odd period walks through all lanes
        values = np.concatenate([values, values[:1]])
    return np.tile(values, LANES)


def pairs(values: Array, partner: Array) -> tuple[Array, Array]:
    """All pairs of both sets, with a number of pairs per row that walks through the lanes."""
    if partner.size % 2 == 0:
        partner = np.concatenate([partner, partner[:1]])
    return np.repeat(values, partner.size), np.tile(partner, values.size)
