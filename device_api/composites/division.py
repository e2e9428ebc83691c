# SPDX-License-Identifier: Apache-2.0
"""Floor division and remainder.

Of floating-point numbers the remainder comes from long division, of which every step is exact. The
quotient is then what is left without the remainder over the divisor, in two words.
"""

from __future__ import annotations

from device_api import _core
from device_api._core import Tensor
from device_api.composites import _words as w
from device_api.composites import intdivision
from device_api.composites._registry import composes


def _digit(left: Tensor, *divisor_and_halves: Tensor) -> Tensor:
    """Return left less as many divisors as fit, of half as many bits as the type at most.

    The quotient may be one too large. The product with the divisor has two words, of which the
    first is so near to what is left that the difference is exact (Sterbenz), and so is the rest.
    """
    divisor, upper, lower = divisor_and_halves
    quotient = w.neg(w.floor(w.div(left, divisor)))
    product = w.mul(quotient, divisor)
    error = w.add(w.mul(quotient, upper), w.neg(product))
    error = w.add(error, w.mul(quotient, lower))
    found = w.add(w.add(left, product), error)
    found = w.where(w.less(found, 0), w.add(found, divisor), found)
    return w.where(w.less(left, divisor), left, found)  # also by a divisor that overflowed


def _size_remainder(size: Tensor, divisor: Tensor, form: w.Format) -> Tensor:
    """Return the remainder of sizes: finite numbers in a format, the divisor above 0.

    Both are scaled so that nothing near the divisor's multiples overflows: down where the divisor
    is not small; else the number is, and what is left once more divided.
    """
    own = w.format_of(size)
    one = w.like(size, 1)
    small = w.less(divisor, 1.0)
    high = w.both(small, w.no(w.less(size, 1.0)))
    down = own.digits - own.half_digits + 4  # splitting the divisor must not overflow
    scale = w.where(small, one, w.like(size, 2.0**-down))
    left = w.mul(size, w.where(high, w.like(size, 2.0**-4), scale))
    scaled = w.mul(divisor, scale)
    words = (scaled, *w.halves(scaled))
    hop = 1000 if own.digits == 53 else 100  # the powers of 2 must be numbers of the type
    hops: list[tuple[Tensor, ...]] = [words]
    for _ in range((form.most - form.least) // hop):
        hops.append(tuple(w.mul(word, 2.0**hop) for word in hops[-1]))
    width = own.half_digits
    for k in range((form.most - form.least) // width, -1, -1):
        factor = 2.0 ** (k * width % hop)
        left = _digit(left, *(w.mul(word, factor) for word in hops[k * width // hop]))
    left = _digit(w.mul(left, w.where(high, w.like(size, 2.0**4), one)), *words)
    left = w.mul(left, w.where(small, one, w.like(size, 2.0**down)))
    return w.where(w.less(size, divisor), size, left)


def _float_remainder(x1: Tensor, x2: Tensor, form: w.Format) -> Tensor:
    """Return the remainder with the sign of x2, rounded once where both signs differ."""
    size1, size2 = w.size_of(x1), w.size_of(x2)
    sound = w.both(w.less(size1, w.INF), w.less(w.like(x1, 0), size2))
    finite = w.both(sound, w.less(size2, w.INF))
    left = _size_remainder(
        w.where(sound, size1, w.like(x1, 0)), w.where(finite, size2, w.like(x1, 1)), form
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


def _float_floor_divide(x1: Tensor, x2: Tensor, narrow: w.Format) -> Tensor:
    plain = w.div(x1, x2)
    size1, size2 = w.size_of(x1), w.size_of(x2)
    form = w.format_of(x1)
    middle = 2.0 ** (form.most // 2)
    # Scale so that no product leaves the range.
    up, down = w.less(size2, 1 / middle), w.less(w.like(x2, middle), size2)
    scale = w.where(up, w.like(x1, 2.0 ** (form.most // 2 - form.most // 8)), w.like(x1, 1))
    scale = w.where(down, w.like(x1, 2.0 ** -(form.most // 4)), scale)
    left = _float_remainder(x1, x2, narrow)
    found = _scaled_quotient(w.mul(x1, scale), w.mul(x2, scale), w.mul(left, scale))
    below = w.both(w.is_negative(plain), w.no(w.equal(x1, 0)))
    smaller = w.where(below, w.like(x1, -1), w.mul(plain, 0))
    found = w.where(w.less(size1, size2), smaller, found)
    # Quotients so large that their floor is far below their rounding, infinities and NaN.
    large = w.no(w.less(w.size_of(plain), 2.0 ** (4 * form.digits if form.digits > 24 else 60)))
    found = w.where(large, plain, found)
    # Zeros and quotients by an infinity keep the quotient's sign.
    return w.where(w.either(w.equal(x1, 0), w.equal(size2, w.INF)), plain, found)


def _wide(x: Tensor) -> Tensor:
    return _core.astype(x, w.FLOAT32, False) if w.format_of(x).digits < 24 else x


_USES = (
    "mul:wide div:wide less:wide where:wide add:wide neg:wide equal:wide floor:wide logical_and "
    "logical_not where:bool"
)


@composes("floor_divide", uses=_USES, integer_uses=intdivision.USES)
def floor_divide(x1: Tensor, x2: Tensor) -> Tensor:
    """Return the quotient rounded down."""
    if w.is_float(x1):
        return _float_floor_divide(_wide(x1), _wide(x2), w.format_of(x1))
    return intdivision.whole_divmod(x1, x2)[0]


@composes("remainder", uses=_USES, integer_uses=intdivision.USES)
def remainder(x1: Tensor, x2: Tensor) -> Tensor:
    """Return x1 - floor(x1 / x2) * x2, with the sign of x2."""
    if w.is_float(x1):
        return _float_remainder(_wide(x1), _wide(x2), w.format_of(x1))
    return intdivision.whole_divmod(x1, x2)[1]
