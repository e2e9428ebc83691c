# SPDX-License-Identifier: Apache-2.0
"""Floor division and remainder.

Of floating-point numbers the remainder comes from long division, one bit of the quotient a step:
every step is exact. The quotient is then what is left without the remainder over the divisor,
in two words.
"""

from __future__ import annotations

from device_api._core import Tensor
from device_api.composites import _words as w
from device_api.composites import intdivision
from device_api.composites._registry import composes

_USES = "mul div less where add neg equal logical_and logical_not where:bool"


def _size_remainder(left: Tensor, divisor: Tensor) -> Tensor:
    """Return the remainder of sizes: finite numbers, the divisor above 0.

    What is left is below twice the scaled divisor before each step, so that the difference is
    exact (Sterbenz). The scaled divisor may overflow to the infinity, which does not fit.
    """
    form = w.format_of(left)
    hop = 1000 if form.digits == 53 else 100  # the powers of 2 must be numbers of the type
    hops = [w.neg(divisor)]
    for _ in range(2):
        hops.append(w.mul(hops[-1], 2.0**hop))
    for k in range(form.most - form.least - 1, -1, -1):
        scaled = w.mul(hops[k // hop], 2.0 ** (k % hop))
        reduced = w.add(left, scaled)
        left = w.where(w.less(reduced, 0), left, reduced)
    return left


def _float_remainder(x1: Tensor, x2: Tensor) -> Tensor:
    """Return the remainder with the sign of x2, rounded once where both signs differ."""
    size1, size2 = w.size_of(x1), w.size_of(x2)
    sound = w.both(w.less(size1, w.INF), w.less(w.like(x1, 0), size2))
    finite = w.both(sound, w.less(size2, w.INF))
    left = _size_remainder(
        w.where(sound, size1, w.like(x1, 0)), w.where(finite, size2, w.like(x1, 1))
    )
    left = w.where(finite, left, size1)  # also by an infinity
    below1, below2 = w.is_negative(x1), w.is_negative(x2)
    apart = w.either(w.both(below1, w.no(below2)), w.both(below2, w.no(below1)))
    nothing = w.equal(left, 0)
    left = w.where(w.both(apart, w.no(nothing)), w.add(size2, w.neg(left)), left)
    found = w.with_sign(left, below2)
    sound = w.both(sound, w.equal(x2, x2))
    return w.where(sound, found, w.like(x1, w.NAN))


def _scaled_quotient(x1: Tensor, x2: Tensor, left: Tensor) -> Tensor:
    """Return (x1 - left) / x2, in two words; for quotients and numbers of middling size."""
    total, rest = w.two_sum(x1, w.neg(left))
    first = w.div(total, x2)
    product, error = w.two_product(first, x2)
    rest = w.add(w.add(w.add(total, w.neg(product)), w.neg(error)), rest)
    return w.add(first, w.div(rest, x2))


def _float_floor_divide(x1: Tensor, x2: Tensor) -> Tensor:
    plain = w.div(x1, x2)
    size1, size2 = w.size_of(x1), w.size_of(x2)
    form = w.format_of(x1)
    middle = 2.0 ** (form.most // 2)
    # Scale so that no product leaves the range.
    up, down = w.less(size2, 1 / middle), w.less(w.like(x2, middle), size2)
    scale = w.where(up, w.like(x1, 2.0 ** (form.most // 2 - form.most // 8)), w.like(x1, 1))
    scale = w.where(down, w.like(x1, 2.0 ** -(form.most // 4)), scale)
    left = _float_remainder(x1, x2)
    found = _scaled_quotient(w.mul(x1, scale), w.mul(x2, scale), w.mul(left, scale))
    below = w.both(w.is_negative(plain), w.no(w.equal(x1, 0)))
    smaller = w.where(below, w.like(x1, -1), w.mul(plain, 0))
    found = w.where(w.less(size1, size2), smaller, found)
    # Quotients so large that their floor is far below their rounding, infinities and NaN.
    large = w.no(w.less(w.size_of(plain), 2.0 ** (4 * form.digits if form.digits > 24 else 60)))
    found = w.where(large, plain, found)
    # Zeros and quotients by an infinity keep the quotient's sign.
    return w.where(w.either(w.equal(x1, 0), w.equal(size2, w.INF)), plain, found)


@composes("floor_divide", uses=_USES, integer_uses=intdivision.USES, in_float32=True)
def floor_divide(x1: Tensor, x2: Tensor) -> Tensor:
    """Return the quotient rounded down."""
    if w.is_float(x1):
        return _float_floor_divide(x1, x2)
    return intdivision.whole_divmod(x1, x2)[0]


@composes("remainder", uses=_USES, integer_uses=intdivision.USES, in_float32=True)
def remainder(x1: Tensor, x2: Tensor) -> Tensor:
    """Return x1 - floor(x1 / x2) * x2, with the sign of x2."""
    if w.is_float(x1):
        return _float_remainder(x1, x2)
    return intdivision.whole_divmod(x1, x2)[1]
