# SPDX-License-Identifier: Apache-2.0
"""Exponentials, logarithms, sines and cosines of complex numbers, by their parts.

What infinities and NaN give is as in the array API standard, which follows annex G of C. An i in
front of an argument swaps the parts: sin(z) = -i sinh(i z), and so on.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from device_api import _core
from device_api._core import Tensor
from device_api.composites import _words as w

_PART = (
    "less:part neg:part where:part add:part mul:part equal:part logical_and logical_not where:bool"
)
_WAVES = f"{_PART} sin:part cos:part exp:part"
USES = {
    "sinh": f"{_WAVES} sinh:part cosh:part",
    "cosh": f"{_WAVES} sinh:part cosh:part",
    "sin": f"{_WAVES} sinh:part cosh:part",
    "cos": f"{_WAVES} sinh:part cosh:part",
    "tan": f"{_PART} tanh",
    "expm1": f"{_WAVES} expm1:part",
    "log1p": f"{_PART} log log1p:part",
    "log2": "log mul:part",
    "log10": "log mul:part",
}

Part = tuple[Tensor, Tensor]


def turned(x: Part, function: Callable[[Part], Part]) -> Part:
    """Return -i * function(i * x)."""
    a, b = function((w.neg(x[1]), x[0]))
    return b, w.neg(a)


def is_finite(x: Tensor) -> Tensor:
    """Return whether a part is neither infinite nor NaN."""
    return w.equal(w.mul(x, 0), 0)


def _infinite(x: Tensor) -> Tensor:
    return w.equal(w.size_of(x), w.INF)


def _exp_times(x: Tensor, factor: Tensor) -> Tensor:
    """Return exp(x) * factor, in halves, so that exp does not overflow before a small factor."""
    root = w.exp(w.mul(x, 0.5))
    return w.mul(w.mul(root, factor), root)


def _growth(x: Tensor, y: Tensor, odd: bool) -> Part:
    """Return sinh(x) * cos(y), cosh(x) * sin(y); with odd False cosh and sinh."""
    size, below = w.size_of(x), w.less(x, 0)
    large = w.less(w.like(x, 40.0), size)
    near = w.where(large, w.like(x, 0), x)
    first, second = _core.sinh(near), _core.cosh(near)
    if not odd:
        first, second = second, first
    cosine, sine = _core.cos(y), _core.sin(y)
    far = [w.mul(_exp_times(size, part), 0.5) for part in (cosine, sine)]
    k = 0 if odd else 1  # the part with the hyperbolic sine
    far[k] = w.where(below, w.neg(far[k]), far[k])
    return w.where(large, far[0], w.mul(first, cosine)), w.where(large, far[1], w.mul(second, sine))


def sinh(x: Part) -> Part:
    """Return sinh(a) cos(b), cosh(a) sin(b)."""
    a, b = x
    first, second = _growth(a, b, True)
    sound = is_finite(b)
    first = w.where(w.both(_infinite(a), w.no(sound)), w.like(a, w.INF), first)
    first = w.where(w.both(w.equal(a, 0), w.no(sound)), a, first)
    return first, w.where(w.equal(b, 0), b, second)


def cosh(x: Part) -> Part:
    """Return cosh(a) cos(b), sinh(a) sin(b)."""
    a, b = x
    first, second = _growth(a, b, False)
    sound = is_finite(b)
    infinite = w.both(_infinite(a), w.no(sound))
    first = w.where(infinite, w.like(a, w.INF), first)
    second = w.where(w.both(w.equal(a, 0), w.no(sound)), w.like(a, 0), second)
    still = w.both(w.equal(b, 0), w.no(is_finite(a)))
    return first, w.where(still, w.where(w.less(a, 0), w.neg(b), b), second)


def sin(x: Part) -> Part:
    """Return -i sinh(i x)."""
    first, second = turned(x, sinh)
    unsigned = w.both(_infinite(x[1]), w.no(is_finite(x[0])))  # an infinity of either sign
    return first, w.where(unsigned, w.size_of(second), second)


def cos(x: Part) -> Part:
    """Return cosh(i x)."""
    return cosh((w.neg(x[1]), x[0]))


def tan(x: Part) -> Part:
    """Return -i tanh(i x)."""
    return turned(x, lambda z: w.parts(_core.tanh(w.from_parts(*z))))


def expm1(x: Part) -> Part:
    """Return expm1(a) cos(b) - 2 sin(b / 2) ** 2, exp(a) sin(b)."""
    a, b = x
    cosine, sine, half = _core.cos(b), _core.sin(b), _core.sin(w.mul(b, 0.5))
    large = w.less(w.like(a, 40.0), a)
    near = w.where(large, w.like(a, 0), a)
    first = w.sub(w.mul(_core.expm1(near), cosine), w.mul(w.mul(half, half), 2))
    first = w.where(large, _exp_times(a, cosine), first)
    second = _exp_times(a, sine)
    sound, least = is_finite(b), w.equal(a, -w.INF)
    first = w.where(least, w.like(a, -1), first)
    first = w.where(w.both(w.equal(a, w.INF), w.no(sound)), a, first)
    second = w.where(w.both(least, w.no(sound)), w.with_sign(w.filled(a, 0), w.less(b, 0)), second)
    return w.add(first, 0), w.where(w.equal(b, 0), b, second)


def log1p(x: Part) -> Part:
    """Return log(1 + x), whose real part is log1p(2 a + a * a + b * b) / 2 where that is small."""
    a, b = x
    first, second = w.parts(_core.log(w.from_parts(w.add(a, 1), b)))
    near = w.both(w.less(w.size_of(a), 3.0), w.less(w.size_of(b), 3.0))
    small_a, small_b = (w.where(near, part, w.like(a, 0)) for part in x)
    total, rest = w.add(small_a, small_a), w.like(a, 0)
    for part in (small_a, small_b):
        square, error = w.two_product(part, part)
        total, more = w.two_sum(total, square)
        rest = w.add(rest, w.add(more, error))
    total = w.add(total, rest)
    middle = w.both(w.less(w.like(a, -0.75), total), w.less(total, 2.0))
    inner = w.where(middle, total, w.like(a, 0))
    near = w.both(near, middle)
    first = w.where(near, w.mul(_core.log1p(inner), 0.5), first)
    return w.where(w.both(w.equal(a, 0), w.equal(b, 0)), a, first), second


def scaled_log(x: Tensor, base: float) -> Part:
    """Return the parts of log(x) / log(base)."""
    first, second = w.parts(_core.log(x))
    factor = 1 / math.log(base)
    return w.mul(first, factor), w.mul(second, factor)
