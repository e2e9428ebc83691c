# SPDX-License-Identifier: Apache-2.0
"""Activations. Exponentials are of -|x|, which cannot overflow."""

from __future__ import annotations

import math

from device_api import _core
from device_api._core import Tensor
from device_api.composites import _words as w
from device_api.composites._registry import composes

_GATE = "less neg where add exp mul div equal"


def _limit(x: Tensor, least: float, most: float) -> Tensor:
    """Return x between two limits; NaN stays."""
    x = w.where(w.less(x, least), w.like(x, least), x)
    return w.where(w.less(w.like(x, most), x), w.like(x, most), x)


def _shares(x: Tensor) -> tuple[Tensor, Tensor]:
    """Return numerator and denominator of 1 / (1 + exp(-x))."""
    e = w.exp(w.neg(w.size_of(x)))
    return w.where(w.less(x, 0), e, w.like(x, 1)), w.add(e, 1)


def _gated(x: Tensor, share: Tensor) -> Tensor:
    """Return x * share, and -0 for -inf."""
    return w.where(w.equal(x, -w.INF), w.like(x, -0.0), w.mul(x, share))


@composes("relu", uses="maximum")
def relu(x: Tensor) -> Tensor:
    """Return the larger one of x and 0."""
    return _core.maximum(x, 0)


@composes("sigmoid", uses=_GATE, in_float32=True)
def sigmoid(x: Tensor) -> Tensor:
    """Return 1 / (1 + exp(-x))."""
    upper, lower = _shares(x)
    return w.div(upper, lower)


@composes("silu", uses=_GATE, in_float32=True)
def silu(x: Tensor) -> Tensor:
    """Return x / (1 + exp(-x))."""
    upper, lower = _shares(x)
    return _gated(x, w.div(upper, lower))


@composes("gelu_tanh", uses=_GATE + " maximum", in_float32=True)
def gelu_tanh(x: Tensor) -> Tensor:
    """Return x / (1 + exp(-y)), y = sqrt(8 / pi) * (x + 0.044715 * x ** 3) in two words."""
    form = w.format_of(x)
    limit = 12.0 if form.digits == 24 else 32.0  # beyond, the shares are 0 and 1
    near = _limit(x, -limit, limit)
    upper, lower = _cubic(near, *(_constant(near, value) for value in _GELU_TANH))
    below = w.less(near, 0)
    e = w.exp(w.where(below, upper, w.neg(upper)))
    e = w.add(e, w.mul(e, w.where(below, lower, w.neg(lower))))
    share = w.div(w.where(below, e, w.like(x, 1)), w.add(e, 1))
    return _gated(x, share)


# sqrt(8 / pi) and sqrt(8 / pi) * 0.044715, in two words of float64.
_GELU_TANH = (
    (1.5957691216057308, -9.96930880911092e-17),
    (0.07135481627260025, -6.175149918155315e-19),
)


def _constant(x: Tensor, words: tuple[float, float]) -> tuple[float, float]:
    """Return a constant in two words of the type of x."""
    if w.format_of(x).digits == 53:
        return words
    first = math.ldexp(round(math.ldexp(words[0], 22)), -22)
    return first, words[0] - first


def _cubic(
    x: Tensor, linear: tuple[float, float], cubic: tuple[float, float]
) -> tuple[Tensor, Tensor]:
    """Return x * (linear + cubic * x * x) in two words."""
    square, error = w.two_product(x, x)
    factor, rest = w.two_product(square, w.like(x, cubic[0]))
    rest = w.add(rest, w.add(w.mul(error, cubic[0]), w.mul(square, cubic[1])))
    factor, more = w.two_sum(factor, w.like(x, linear[0]))
    rest = w.add(w.add(rest, more), linear[1])
    found, more = w.two_product(x, factor)
    return found, w.add(more, w.mul(x, rest))


@composes("mish", uses=_GATE, in_float32=True)
def mish(x: Tensor) -> Tensor:
    """Return x * tanh(log(1 + exp(x))), by tanh(log(a)) = (a * a - 1) / (a * a + 1)."""
    e = w.exp(w.neg(w.size_of(x)))
    below = w.less(x, 0)
    square = w.mul(e, e)
    # With e = exp(x): (e * e + 2 * e) / (e * e + 2 * e + 2); divided by exp(2 * x) for x above 0.
    double = w.add(e, e)
    upper = w.where(below, w.add(square, double), w.add(double, 1))
    lower = w.where(below, w.add(w.add(square, double), 2), w.add(upper, w.add(square, square)))
    return _gated(x, w.div(upper, lower))


@composes("hardswish", uses="less where add mul div", in_float32=True)
def hardswish(x: Tensor) -> Tensor:
    """Return x * min(max(x + 3, 0), 6) / 6."""
    return w.mul(x, w.div(_limit(w.add(x, 3), 0, 6), 6.0))


@composes("hardsigmoid", uses="less where add neg mul", in_float32=True)
def hardsigmoid(x: Tensor, slope: float, offset: float) -> Tensor:
    """Return slope * x + offset, the product in two words, between 0 and 1."""
    limit = w.format_of(x).top ** 0.5
    near = _limit(x, -limit, limit)
    product, error = w.two_product(near, w.like(x, slope))
    total, rest = w.two_sum(product, w.like(x, offset))
    return _limit(w.add(total, w.add(rest, error)), 0, 1)


@composes("softplus", uses="less where add neg mul div exp log1p equal", in_float32=True)
def softplus(x: Tensor, beta: float, threshold: float) -> Tensor:
    """Return log1p(exp(y)) / beta with y = beta * x in two words, which exp would magnify."""
    limit = w.format_of(x).top ** 0.5
    near = _limit(x, -limit, limit)
    product, error = w.two_product(near, w.like(x, beta))
    beyond = w.less(w.like(x, threshold), product)
    inner = w.where(beyond, w.like(x, 0), product)
    e = w.exp(inner)
    e = w.where(w.equal(e, 0), e, w.add(e, w.mul(e, _limit(error, -1, 1))))
    # With e above 1 the logarithm is y + log1p(1 / e).
    large = w.less(w.like(x, 0), inner)
    inverse = w.exp(w.neg(w.size_of(inner)))
    found = _core.log1p(w.where(large, inverse, e))
    found = w.where(large, w.add(inner, w.add(found, error)), found)
    return w.where(beyond, x, w.div(found, w.like(x, beta)))


@composes("leaky_relu", uses="less where mul", in_float32=True)
def leaky_relu(x: Tensor, slope: float) -> Tensor:
    """Return x where x > 0, else slope * x."""
    return w.where(w.less(w.like(x, 0), x), x, w.mul(x, slope))


@composes("elu", uses="less where mul expm1", in_float32=True)
def elu(x: Tensor, alpha: float) -> Tensor:
    """Return x where x > 0, else alpha * expm1(x)."""
    return w.where(w.less(w.like(x, 0), x), x, w.mul(_core.expm1(x), alpha))
