# SPDX-License-Identifier: Apache-2.0
"""Arithmetic of one or two numbers, exact or nearly so."""

from __future__ import annotations

from device_api import _core
from device_api._core import Tensor
from device_api.composites import _words as w
from device_api.composites._registry import composes


@composes("sub", uses="add neg", complex_uses="add neg")
def sub(x1: Tensor, x2: Tensor) -> Tensor:
    """Return x1 plus the negative of x2."""
    return w.sub(x1, x2)


@composes("minimum", uses="maximum neg less where")
def minimum(x1: Tensor, x2: Tensor) -> Tensor:
    """Return the negative of the larger negative one, which keeps NaN; a choice of integers."""
    if w.is_float(x1):
        return w.neg(_core.maximum(w.neg(x1), w.neg(x2)))
    return w.where(w.less(x2, x1), x2, x1)


@composes("reciprocal", uses="div", complex_uses="div")
def reciprocal(x: Tensor) -> Tensor:
    """Return 1 / x."""
    return w.div(1, x)


@composes("rsqrt", uses="div sqrt", in_float32=True)
def rsqrt(x: Tensor) -> Tensor:
    """Return 1 / sqrt(x)."""
    return w.div(1, w.sqrt(x))


@composes("hypot", uses="less neg where add maximum div mul sqrt equal", in_float32=True)
def hypot(x1: Tensor, x2: Tensor) -> Tensor:
    """Return large * sqrt(1 + (small / large) ** 2), so that no square overflows."""
    a, b = w.size_of(x1), w.size_of(x2)
    large = _core.maximum(a, b)
    small = w.neg(_core.maximum(w.neg(a), w.neg(b)))
    ratio = w.div(small, w.where(w.equal(large, 0), w.like(large, 1), large))
    found = w.mul(large, w.sqrt(w.add(w.mul(ratio, ratio), 1)))
    found = w.where(w.equal(a, w.INF), a, found)
    return w.where(w.equal(b, w.INF), b, found)


@composes("nextafter", uses="less neg where add equal mul div logical_and")
def nextafter(x1: Tensor, x2: Tensor) -> Tensor:
    """Return the neighbour, by an addition of a little more than half a unit in the last place.

    With u = 2 ** -digits, x + u * (1 + 2 * u) * |x| rounds to the next number, also where that has
    another exponent (Rump, Zimmermann, Boldo, Melquiond: Computing predecessor and successor in
    rounding to nearest, 2009). Small numbers are scaled up first; below twice the smallest
    normal number all neighbours are equally far.
    """
    form = w.format_of(x1)
    up, size, unit = w.less(x1, x2), w.size_of(x1), 2.0**-form.digits
    lift = 10 if x1.dtype.name == "float16" else (900 if form.digits == 53 else 100)
    low = w.less(size, 1.0)
    scale = w.where(low, w.like(x1, 2.0**lift), w.like(x1, 1.0))
    back = w.where(low, w.like(x1, 2.0**-lift), w.like(x1, 1.0))
    step = w.mul(w.mul(size, scale), unit * (1 + 2 * unit))
    found = w.add(w.mul(x1, scale), w.where(up, step, w.neg(step)))
    found = w.mul(found, back)
    even = w.less(size, 2.0 ** (form.least + form.digits))
    tiny = w.add(x1, w.where(up, w.like(x1, form.tiny), w.like(x1, -form.tiny)))
    found = w.where(even, tiny, found)
    found = w.where(w.both(w.equal(found, 0), w.less(x1, 0)), w.like(x1, -0.0), found)
    ended = w.where(w.less(x1, 0), w.like(x1, -form.top), w.like(x1, form.top))
    found = w.where(w.equal(size, w.INF), ended, found)
    found = w.where(w.equal(x1, x2), x2, found)
    sound = w.both(w.equal(x1, x1), w.equal(x2, x2))
    return w.where(sound, found, w.add(x1, x2))
