# SPDX-License-Identifier: Apache-2.0
"""Inverse trigonometric functions: arguments brought near 0, then fitted polynomials.

The polynomials in z = x * x are (asin(x) / x - 1) / z up to x = 0.5 and (atan(x) / x - 1) / z up to
x = 0.44, Chebyshev fits with relative errors of the results below 2 ** -27 and 2 ** -57.
"""

from __future__ import annotations

import math

from device_api._core import Tensor
from device_api.composites import _words as w
from device_api.composites import complexarcs
from device_api.composites._registry import composes

# fmt: off
_ASIN = {
    24: (0.03370072632136513, 0.017143716819253568, 0.031101727829067168, 0.04459931916287114,
         0.07500094761172901, 0.1666666633654049),
    53: (0.02877844261259304, -0.014881409392818066, 0.017419357964884856, 0.00545087818772055,
         0.010324318288744113, 0.011478952690257387, 0.013971235301124539, 0.017352391265909227,
         0.022372173002005596, 0.030381944137085216, 0.04464285714637338, 0.07499999999998425,
         0.16666666666666669),
}
_ATAN = {
    24: (-0.061904005469320775, 0.10659778388897531, -0.14255680848521138, 0.19999285695163185,
         -0.3333333057673011),
    53: (0.014615839938233758, -0.03296880680941433, 0.04485306882130795, -0.05214969245542561,
         0.058766858068169454, -0.06666216480317129, 0.07692283964891745, -0.09090908293874873,
         0.11111111095252532, -0.14285714285550768, 0.19999999999999338, -0.3333333333333333),
}
# fmt: on
# Where atan is computed anew: from x on, around which point.
_POINTS = ((0.4375, 0.5), (0.6875, 1.0), (1.1875, 1.5), (2.4375, None))
_TAILS = {  # of pi / 2 and the arc tangents of the points, below float64
    None: 6.123233995736766e-17,
    0.5: 2.2698777452961687e-17,
    1.0: 3.061616997868383e-17,
    1.5: 1.3903311031230998e-17,
}


def _two_words(x: Tensor, value: float, tail: float) -> tuple[float, float]:
    """Return a constant in two words of the type of x."""
    if w.format_of(x).digits == 53:
        return value, tail
    first = math.ldexp(round(math.ldexp(value, 22)), -22)
    return first, value - first


def _near_zero(x: Tensor, table: dict[int, tuple[float, ...]]) -> Tensor:
    """Return the part that the polynomial adds to x."""
    square = w.mul(x, x)
    return w.mul(w.mul(x, square), w.horner(square, table[w.format_of(x).digits]))


def _atan_of_size(size: Tensor) -> Tensor:
    """Return the arc tangent of numbers that are not negative."""
    one = w.like(size, 1)
    number, upper, lower = size, w.filled(size, 0), w.filled(size, 0)
    for least, point in _POINTS:
        inside = w.no(w.less(size, least))
        if point is None:
            moved = w.div(-1.0, w.where(inside, size, one))
            angle = math.pi / 2
        else:
            safe = w.where(w.less(size, 4.0), size, one)
            moved = w.div(w.add(safe, -point), w.add(w.mul(safe, point), 1))
            angle = math.atan(point)
        first, second = _two_words(size, angle, _TAILS[point])
        number = w.where(inside, moved, number)
        upper = w.where(inside, w.like(size, first), upper)
        lower = w.where(inside, w.like(size, second), lower)
    return w.add(upper, w.add(number, w.add(lower, _near_zero(number, _ATAN))))


_ATAN_USES = "less neg where add mul div equal logical_not"
_ASIN_USES = "less neg where add mul div equal sqrt logical_not"


@composes("atan", uses=_ATAN_USES, in_float32=True, complex_uses=complexarcs.USES["atan"])
def atan(x: Tensor) -> Tensor:
    """Return the arc tangent."""
    if w.is_complex(x):
        return w.from_parts(*complexarcs.atan(w.parts(x)))
    return w.with_sign(_atan_of_size(w.size_of(x)), w.is_negative(x))


@composes("atan2", uses=_ATAN_USES + " logical_and", in_float32=True)
def atan2(x1: Tensor, x2: Tensor) -> Tensor:
    """Return the arc tangent of the sizes' quotient, mirrored into the quadrant."""
    size1, size2 = w.size_of(x1), w.size_of(x2)
    same = w.equal(size1, size2)  # of infinities and zeros, too, which have no quotient
    ratio = w.div(size1, w.where(same, w.like(x1, 1), size2))
    ratio = w.where(same, w.where(w.equal(size1, 0), w.like(x1, 0), w.like(x1, 1)), ratio)
    angle = _atan_of_size(ratio)
    first, second = _two_words(x1, math.pi, 1.2246467991473532e-16)
    mirrored = w.add(w.sub(w.like(x1, first), angle), second)
    angle = w.where(w.is_negative(x2), mirrored, angle)
    return w.with_sign(angle, w.is_negative(x1))


def _asin_half(rest: Tensor) -> Tensor:
    """Return asin(sqrt(rest)) for rest up to 1 / 4."""
    root = w.sqrt(rest)
    return w.add(root, w.mul(w.mul(root, rest), w.horner(rest, _ASIN[w.format_of(rest).digits])))


@composes("asin", uses=_ASIN_USES, in_float32=True, complex_uses=complexarcs.USES["asin"])
def asin(x: Tensor) -> Tensor:
    """Return the polynomial up to 1 / 2, pi / 2 - 2 * asin(sqrt((1 - |x|) / 2)) beyond."""
    if w.is_complex(x):
        return w.from_parts(*complexarcs.asin(w.parts(x)))
    size = w.size_of(x)
    near = w.less(size, 0.5)
    small = w.where(near, size, w.like(x, 0))
    far = _asin_half(w.mul(w.sub(w.like(x, 1), size), 0.5))
    first, second = _two_words(x, math.pi / 2, _TAILS[None])
    far = w.add(w.sub(w.like(x, first), w.add(far, far)), second)
    found = w.where(near, w.add(small, _near_zero(small, _ASIN)), far)
    return w.with_sign(found, w.is_negative(x))


@composes("acos", uses=_ASIN_USES, in_float32=True, complex_uses=complexarcs.USES["acos"])
def acos(x: Tensor) -> Tensor:
    """Return pi / 2 less the arc sine up to 1 / 2, by the half angle beyond."""
    if w.is_complex(x):
        return w.from_parts(*complexarcs.acos(w.parts(x)))
    size = w.size_of(x)
    near = w.less(size, 0.5)
    small = w.where(near, x, w.like(x, 0))
    first, second = _two_words(x, math.pi / 2, _TAILS[None])
    middle = w.sub(w.like(x, second), w.add(small, _near_zero(small, _ASIN)))
    middle = w.add(w.like(x, first), middle)
    far = _asin_half(w.mul(w.sub(w.like(x, 1), size), 0.5))
    far = w.add(far, far)
    upper, lower = _two_words(x, math.pi, 2 * _TAILS[None])
    mirrored = w.add(w.sub(w.like(x, upper), far), lower)
    return w.where(near, middle, w.where(w.less(x, 0), mirrored, far))
