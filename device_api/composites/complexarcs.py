# SPDX-License-Identifier: Apache-2.0
"""Inverse circular and hyperbolic functions of complex numbers, by their parts.

Near the origin by Kahan's formulas (Branch cuts for complex elementary functions, 1987), in which
no terms cancel; far from it by the logarithm, to which they come close.
"""

from __future__ import annotations

import math

from device_api import _core
from device_api._core import Tensor
from device_api.composites import _words as w
from device_api.composites.complexexp import Part, is_finite, turned

_LN2 = math.log(2)
_PART = (
    "less:part neg:part where:part add:part mul:part div:part equal:part logical_and logical_not "
    "where:bool atan2:part"
)
_ROOTS = f"{_PART} sqrt hypot:part log:part asinh:part copysign:part"
USES = {
    "asinh": _ROOTS,
    "asin": _ROOTS,
    "acos": _ROOTS,
    "acosh": _ROOTS,
    "atanh": f"{_PART} hypot:part log:part log1p:part copysign:part",
    "atan": f"{_PART} hypot:part log:part log1p:part copysign:part",
}


def _far(x: Part, bits: int) -> Tensor:
    """Return whether a part is infinite or of at least so many bits."""
    limit = 2.0**bits
    far = [w.less(w.like(part, limit), w.size_of(part)) for part in x]
    return w.either(*far)


def _near(x: Part, far: Tensor) -> Part:
    zero = w.like(x[0], 0)
    return w.where(far, zero, x[0]), w.where(far, zero, x[1])


def _roots(a: Tensor, b: Tensor) -> tuple[Part, Part]:
    """Return the square roots of 1 - x and 1 + x."""
    lower = w.from_parts(w.sub(w.like(a, 1), a), w.neg(b))
    upper = w.from_parts(w.add(a, 1), b)
    return w.parts(w.sqrt(lower)), w.parts(w.sqrt(upper))


def _log_of_double(x: Part) -> Tensor:
    """Return log(2 * |x|)."""
    quarter = _core.hypot(w.mul(x[0], 0.25), w.mul(x[1], 0.25))
    return w.add(w.log(quarter), 3 * _LN2)


def _half_digits(x: Tensor) -> int:
    return w.format_of(x).digits // 2 + 2


def asin(x: Part) -> Part:
    """Return atan2(a, Re(sqrt(1 - x) sqrt(1 + x))), asinh(Im(conj(sqrt(1 - x)) sqrt(1 + x)))."""
    far = _far(x, _half_digits(x[0]))
    a, b = _near(x, far)
    lower, upper = _roots(a, b)
    first = _core.atan2(a, w.sub(w.mul(lower[0], upper[0]), w.mul(lower[1], upper[1])))
    second = w.sub(w.mul(lower[0], upper[1]), w.mul(lower[1], upper[0]))
    second = _core.asinh(second)
    a, b = x
    first = w.where(far, _core.atan2(a, w.size_of(b)), first)
    second = w.where(far, _log_of_double(x), second)
    # A real axis without a number: asin(0 + NaN i) = 0 + NaN i.
    first = w.where(w.both(w.equal(a, 0), w.no(w.equal(b, b))), a, first)
    return first, _core.copysign(second, b)


def asinh(x: Part) -> Part:
    """Return i asin(-i x)."""
    first, second = asin((x[1], w.neg(x[0])))
    return w.neg(second), first


def acos(x: Part) -> Part:
    """Return 2 atan2(Re sqrt(1 - x), Re sqrt(1 + x)), asinh(Im(conj(sqrt(1 + x)) sqrt(1 - x)))."""
    far = _far(x, _half_digits(x[0]))
    a, b = _near(x, far)
    lower, upper = _roots(a, b)
    first = w.mul(_core.atan2(lower[0], upper[0]), 2)
    second = w.sub(w.mul(upper[0], lower[1]), w.mul(upper[1], lower[0]))
    second = _core.asinh(second)
    a, b = x
    first = w.where(far, _core.atan2(w.size_of(b), a), first)
    second = w.where(far, _log_of_double(x), second)
    still = w.both(w.equal(a, 0), w.no(w.equal(b, b)))
    first = w.where(still, w.like(a, math.pi / 2), first)
    return first, _core.copysign(second, w.neg(b))


def acosh(x: Part) -> Part:
    """Return i acos(x) or -i acos(x), whichever has no negative real part."""
    first, second = acos(x)
    return w.size_of(second), _core.copysign(first, x[1])


def _atanh_far(x: Part) -> Part:
    """Return x / |x| ** 2, and a quarter turn."""
    a, b = x
    size = _core.hypot(a, b)
    first = w.div(w.div(a, size), size)
    some = w.equal(size, w.INF)
    first = w.where(some, w.like(a, 0), first)
    second = w.filled(a, math.pi / 2)
    unknown = w.no(w.both(w.either(w.equal(a, a), w.equal(w.size_of(b), w.INF)), w.equal(b, b)))
    return first, w.where(unknown, w.like(a, w.NAN), second)


def atanh(x: Part) -> Part:
    """Return log1p(4 a / ((1 - a) ** 2 + b * b)) / 4, atan2(2 b, (1 - a)(1 + a) - b * b) / 2."""
    far = _far(x, w.format_of(x[0]).digits + 2)
    a, b = (w.size_of(part) for part in _near(x, far))
    square = w.mul(b, b)
    less_one = w.sub(w.like(a, 1), a)
    below = w.add(w.mul(less_one, less_one), square)
    edge = w.both(w.equal(a, 1), w.less(b, 2.0 ** -_half_digits(a)))
    first = w.div(w.mul(a, 4), w.where(edge, w.like(a, 1), below))
    first = w.mul(_core.log1p(first), 0.25)
    first = w.where(edge, w.mul(w.sub(w.like(a, _LN2), w.log(b)), 0.5), first)
    angle = w.sub(w.mul(less_one, w.add(a, 1)), square)
    second = w.mul(_core.atan2(w.add(b, b), angle), 0.5)
    distant = _atanh_far(x)
    first, second = w.where(far, distant[0], first), w.where(far, distant[1], second)
    a, b = x
    first = w.where(w.both(w.equal(a, 0), w.no(is_finite(b))), w.like(a, 0), first)
    return _core.copysign(first, a), _core.copysign(second, b)


def atan(x: Part) -> Part:
    """Return -i atanh(i x)."""
    return turned(x, atanh)
