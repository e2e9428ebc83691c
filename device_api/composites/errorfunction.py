# SPDX-License-Identifier: Apache-2.0
"""The error function and the activation that is made of it.

Two fitted polynomials, with relative errors below 2 ** -27 and 2 ** -56: erf(y) / y in y * y up to
y = 1, and (1 + 2 * y) * exp(y * y) * erfc(y) in (y - 4) / (y + 4), up to y = 15 and 28.
"""

from __future__ import annotations

import math

from device_api._core import Tensor
from device_api.composites import _words as w
from device_api.composites._registry import composes

# fmt: off
_ERF = {
    24: (7.875875062685488e-05, -0.000801686428716587, 0.005189087423433974,
         -0.026854212010626412, 0.11283594715160218, -0.37612626666720334, 1.1283791658483509),
    53: (5.957176147748911e-11, -1.1372848856791674e-09, 1.4659775274047436e-08,
         -1.6350312701054695e-07, 1.6461000484121368e-06, -1.4925595266831182e-05,
         0.0001205533111164271, -0.000854832698083379, 0.0052239776248180145,
         -0.026866170645076792, 0.11283791670954879, -0.3761263890318375, 1.1283791670955126),
}
_SCALED = {
    24: (-0.0005566182321021755, -0.0008700480381675948, 0.005296105566699971,
         -0.016025196912515242, 0.037102984388476055, -0.0663922711483005, 0.09373803935033112,
         -0.10103040510760027, 0.06809703948118725, 0.0153792259432095, -0.13962112147808964,
         1.2329951220327602),
    53: (1.263782858042137e-09, 1.868487385473519e-09, -1.4091982822555755e-08,
         -1.799947545903142e-08, 1.1005996198640057e-07, 7.471952780500971e-08,
         -8.254699744871162e-07, 2.9377854943443786e-07, 5.709784760966506e-06,
         -1.1222046316669005e-05, -2.439924428312988e-05, 0.00015062169704678355,
         -0.00019925668432389153, -0.0007577732973669146, 0.005031969975753176,
         -0.01619773405599449, 0.03716751553777026, -0.0663303658124095, 0.09373283499833023,
         -0.10103906603629459, 0.06809705425469323, 0.015379652102619558, -0.13962111684056253,
         1.2329951186255526),
}
# fmt: on
_LARGEST = {24: 14.5, 53: 27.5}  # beyond, exp(-y * y) is 0
_USES = "less neg where add mul div exp equal maximum"


def _limited(x: Tensor, limit: float) -> Tensor:
    """Return the smaller one of a size and a limit."""
    return w.where(w.less(x, limit), x, w.like(x, limit))


def _scaled_complement(size: Tensor) -> Tensor:
    """Return exp(y * y) * erfc(y) for y >= 0."""
    digits = w.format_of(size).digits
    size = _limited(size, _LARGEST[digits])
    moved = w.div(w.add(size, -4), w.add(size, 4))
    return w.div(w.horner(moved, _SCALED[digits]), w.add(w.add(size, size), 1))


def _exp_of_square(size: Tensor, factor: float) -> Tensor:
    """Return exp(factor * size ** 2), the square in two words; the factor is a power of 2."""
    size = _limited(size, 2 * _LARGEST[w.format_of(size).digits])
    square, error = w.two_product(size, size)
    found = w.exp(w.mul(square, factor))
    return w.add(found, w.mul(found, w.mul(error, factor)))


@composes("erf", uses=_USES, in_float32=True)
def erf(x: Tensor) -> Tensor:
    """Return the polynomial up to 1, one less the complement beyond."""
    size = w.size_of(x)
    near = w.less(size, 1)
    small = w.where(near, size, w.like(x, 0))
    inner = w.mul(small, w.horner(w.mul(small, small), _ERF[w.format_of(x).digits]))
    outer = w.sub(w.like(x, 1), w.mul(_scaled_complement(size), _exp_of_square(size, -1.0)))
    found = w.with_sign(w.where(near, inner, outer), w.is_negative(x))
    return w.where(w.equal(x, x), found, x)


@composes("gelu", uses=_USES, in_float32=True)
def gelu(x: Tensor) -> Tensor:
    """Return x * erfc(-x / sqrt(2)) / 2, whose small results for negative x keep their digits."""
    size = w.size_of(x)
    scaled = w.mul(size, math.sqrt(0.5))
    half = w.mul(w.mul(_scaled_complement(scaled), 0.5), _exp_of_square(size, -0.5))
    share = w.where(w.less(x, 0), half, w.sub(w.like(x, 1), half))
    far = w.less(size, 2 * _LARGEST[w.format_of(x).digits])  # beyond, shares are 0 and 1
    found = w.where(far, w.mul(x, share), w.where(w.less(x, 0), w.like(x, -0.0), x))
    return w.where(w.equal(x, x), found, x)
