# SPDX-License-Identifier: Apache-2.0
"""Floor division and remainder of integers: long division of the sizes, bit by bit."""

from __future__ import annotations

from device_api import _core
from device_api._core import Tensor
from device_api.composites import _words as w
from device_api.composites.integers import bit, signed

USES = (
    "less where add neg equal cast:signed less:signed add:signed cast:unsigned less:unsigned "
    "where:unsigned add:unsigned neg:unsigned logical_and logical_not where:bool equal:int32"
)


def _unsigned(x: Tensor) -> Tensor:
    return _core.astype(x, _core.dtypes[f"uint{x.dtype.itemsize * 8}"], False)


def _long_division(number: Tensor, divisor: Tensor) -> tuple[Tensor, Tensor]:
    """Divide unsigned numbers; of a divisor 0 nothing sensible comes.

    What is left stays below the divisor, so that its double has one bit more than the type at
    most: where the top bit was set before, the doubled number counts as larger.
    """
    minus = w.neg(divisor)
    bits = signed(number)
    quotient = left = w.filled(number, 0)
    for _ in range(number.dtype.itemsize * 8):
        over = w.less(signed(left), 0)
        left = w.add(w.add(left, left), bit(w.less(bits, 0), left.dtype))
        bits = w.add(bits, bits)
        fits = w.either(over, w.no(w.less(left, divisor)))
        left = w.where(fits, w.add(left, minus), left)
        quotient = w.add(w.add(quotient, quotient), bit(fits, quotient.dtype))
    return quotient, left


def whole_divmod(x1: Tensor, x2: Tensor) -> tuple[Tensor, Tensor]:
    """Return quotient and remainder of integers, rounded down; both are 0 where x2 is 0."""
    zero = w.like(x1, 0)
    dead = w.equal(x2, zero)
    if x1.dtype.kind == "u":
        quotient, left = _long_division(x1, x2)
        return w.where(dead, zero, quotient), w.where(dead, zero, left)
    below1, below2 = w.less(x1, 0), w.less(x2, 0)
    quotient, left = (
        _core.astype(part, x1.dtype)
        for part in _long_division(_unsigned(w.size_of(x1)), _unsigned(w.size_of(x2)))
    )
    # Of the sizes to the numbers: the remainder takes the sign of x1, then that of x2.
    left = w.with_sign(left, below1)
    apart = w.no(w.equal(_core.astype(below1, w.INT32), _core.astype(below2, w.INT32)))
    quotient = w.with_sign(quotient, apart)
    beyond = w.both(apart, w.no(w.equal(left, zero)))
    left = w.where(beyond, w.add(left, x2), left)
    quotient = w.add(quotient, w.neg(bit(beyond, quotient.dtype)))
    return w.where(dead, zero, quotient), w.where(dead, zero, left)
