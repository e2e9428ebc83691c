# SPDX-License-Identifier: Apache-2.0
"""Sine, cosine and tangent: an exact reduction of the argument, then power series.

The argument times 2 / pi is needed modulo 4, with all bits that count. As by Payne and Hanek only
those bits of 2 / pi are multiplied whose products are neither multiples of 4 nor too small: they
are gathered from a table, in pieces so short that each product with half an argument is exact.
The products are added up in three words.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

import numpy as np

from device_api import _core
from device_api._core import Tensor
from device_api.composites import _words as w
from device_api.composites import complexexp
from device_api.composites._registry import composes

_USES = (
    "less where add neg mul div floor log equal maximum add:int64 take_along_axis "
    "logical_and logical_not where:bool"
)
_PIECES = 9  # of the table, for one argument
_HALF_PI = {24: (1.5707963705062866, -4.371139000186241e-08),
            53: (1.5707963267948966, 6.123233995736766e-17)}  # fmt: skip
_TERMS = {24: 5, 53: 9}


def _scaled_pi(bits: int) -> int:
    """Return pi * 2 ** bits, but for some last bits, by Machin's formula."""

    def arctan_of_inverse(n: int) -> int:
        term = total = (1 << bits) // n
        k = 1
        while term:
            term //= n * n
            total += -(term // (2 * k + 1)) if k % 2 else term // (2 * k + 1)
            k += 1
        return total

    return 16 * arctan_of_inverse(5) - 4 * arctan_of_inverse(239)


@functools.cache
def _pieces(width: int, count: int) -> tuple[float, ...]:
    """Return the first bits of 2 / pi as whole numbers of `width` bits."""
    bits = width * count
    spare = bits + 64
    scaled = (1 << (bits + spare + 1)) // _scaled_pi(spare)
    mask = (1 << width) - 1
    return tuple(float(scaled >> (bits - (k + 1) * width) & mask) for k in range(count))


def _gather(values: Sequence[float], index: Tensor, x: Tensor) -> Tensor:
    """Return values[index] in the type of x; index is of rank 1."""
    table = _core.from_numpy(np.asarray(values, dtype=np.float64), x.dtype, x.device)
    return _core.take_along_axis(table, index, 0)


def _modulo_four(x: Tensor) -> Tensor:
    """Return x less a multiple of 4, exactly: from about -2 to 2, small numbers unchanged."""
    return w.sub(x, w.mul(w.floor(w.add(w.mul(x, 0.25), 0.5)), 4))


def _quarters(size: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return size * 2 / pi as quarter turns modulo 4, and the rest in two words.

    size has rank 1 and finite elements from 0.5 on.
    """
    form = w.format_of(size)
    width = form.half_digits
    exponent = w.floor(w.mul(w.log(size), 1 / math.log(2)))
    start = w.floor(w.mul(w.add(exponent, -(form.digits + 3)), 1 / width))
    start = _core.astype(_core.maximum(start, 0), w.INT64)
    starts = (form.most - form.digits) // width + 1
    near = w.mul(size, _gather([2.0 ** (-width * (k + 1)) for k in range(starts)], start, size))
    digits = _pieces(width, starts + _PIECES)
    total = [w.filled(size, 0)] * 3
    split = w.halves(near)
    for k in range(_PIECES):
        piece = _gather(digits, w.add(start, k), size)
        for half in split:
            part = _modulo_four(w.mul(w.mul(half, piece), 2.0 ** (-width * k)))
            first, error = w.two_sum(total[0], part)
            second, error = w.two_sum(total[1], error)
            total = [first, second, w.add(total[2], error)]
    turns = w.floor(w.add(total[0], 0.5))
    first, error = w.two_sum(w.sub(total[0], turns), total[1])
    first, error = w.two_sum(first, w.add(error, total[2]))
    return w.sub(turns, w.mul(w.floor(w.mul(turns, 0.25)), 4)), first, error


def _reduced(size: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return size as quarter turns modulo 4 and an angle of at most about pi / 4, in two words."""
    flat = _core.reshape(size, (size.size,))
    far = w.both(w.less(w.like(flat, 0.78), flat), w.less(flat, w.INF))
    turns, first, error = _quarters(w.where(far, flat, w.like(flat, 1)))
    upper, lower = _HALF_PI[w.format_of(size).digits]
    angle, rest = w.two_product(first, w.like(first, upper))
    rest = w.add(rest, w.add(w.mul(first, lower), w.mul(error, upper)))
    angle, rest = w.two_sum(angle, rest)
    zero = w.like(flat, 0)
    found = (w.where(far, turns, zero), w.where(far, angle, flat), w.where(far, rest, zero))
    turns, angle, rest = (_core.reshape(part, size.shape) for part in found)
    return turns, angle, rest


def _series(first: int, terms: int) -> list[float]:
    """Return coefficients of a sine (first = 3) or cosine (4) series after its first terms."""
    count = range(terms)
    signs = [-1.0 if (k % 2 == 0) == (first == 3) else 1.0 for k in count]
    found = [sign / math.factorial(first + 2 * k) for k, sign in zip(count, signs, strict=True)]
    return found[::-1]


def _sine_cosine(angle: Tensor, rest: Tensor) -> tuple[Tensor, Tensor]:
    """Return both of a small angle in two words."""
    terms = _TERMS[w.format_of(angle).digits]
    square = w.mul(angle, angle)
    half = w.mul(square, 0.5)
    bend = w.mul(w.mul(angle, square), w.horner(square, _series(3, terms)))
    sine = w.add(angle, w.add(bend, w.sub(rest, w.mul(rest, half))))
    flat = w.sub(w.like(angle, 1), half)
    error = w.sub(w.sub(w.like(angle, 1), flat), half)
    bend = w.mul(w.mul(square, square), w.horner(square, _series(4, terms)))
    return sine, w.add(flat, w.add(error, w.sub(bend, w.mul(angle, rest))))


def _circle(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return quarter turns of |x|, and sine and cosine of the rest; NaN for infinities."""
    size = w.size_of(x)
    turns, angle, rest = _reduced(size)
    sine, cosine = _sine_cosine(angle, rest)
    sound = w.less(size, w.INF)
    nan = w.like(x, w.NAN)
    return turns, w.where(sound, sine, nan), w.where(sound, cosine, nan)


def _odd(turns: Tensor) -> Tensor:
    return w.either(w.equal(turns, 1), w.equal(turns, 3))


@composes("sin", uses=_USES, in_float32=True, complex_uses=complexexp.USES["sin"])
def sin(x: Tensor) -> Tensor:
    """Return the sine."""
    if w.is_complex(x):
        return w.from_parts(*complexexp.sin(w.parts(x)))
    turns, sine, cosine = _circle(x)
    found = w.with_sign(w.where(_odd(turns), cosine, sine), w.less(w.like(x, 1), turns))
    return w.where(w.equal(x, 0), x, w.with_sign(found, w.less(x, 0)))


@composes("cos", uses=_USES, in_float32=True, complex_uses=complexexp.USES["cos"])
def cos(x: Tensor) -> Tensor:
    """Return the cosine."""
    if w.is_complex(x):
        return w.from_parts(*complexexp.cos(w.parts(x)))
    turns, sine, cosine = _circle(x)
    below = w.either(w.equal(turns, 1), w.equal(turns, 2))
    return w.with_sign(w.where(_odd(turns), sine, cosine), below)


@composes("tan", uses=_USES, in_float32=True, complex_uses=complexexp.USES["tan"])
def tan(x: Tensor) -> Tensor:
    """Return sine over cosine."""
    if w.is_complex(x):
        return w.from_parts(*complexexp.tan(w.parts(x)))
    turns, sine, cosine = _circle(x)
    odd = _odd(turns)
    found = w.div(w.where(odd, w.neg(cosine), sine), w.where(odd, sine, cosine))
    return w.where(w.equal(x, 0), x, w.with_sign(found, w.less(x, 0)))
