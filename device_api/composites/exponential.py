# SPDX-License-Identifier: Apache-2.0
"""Exponentials, logarithms and hyperbolic functions."""

from __future__ import annotations

import math

from device_api import _core
from device_api._core import Tensor
from device_api.composites import _words as w
from device_api.composites import complexarcs, complexexp
from device_api.composites._registry import composes

_LN2 = math.log(2)


@composes(
    "expm1",
    uses="exp add log mul div where equal less neg logical_and logical_not",
    in_float32=True,
    complex_uses=complexexp.USES["expm1"],
)
def expm1(x: Tensor) -> Tensor:
    """Return (u - 1) * x / log(u) with u = exp(x): the rounding of u cancels out (Kahan)."""
    if w.is_complex(x):
        return w.from_parts(*complexexp.expm1(w.parts(x)))
    u = w.exp(x)
    less_one = w.add(u, -1)
    middle = w.both(w.less(w.size_of(x), 40.0), w.less(w.like(x, 0), u))
    middle = w.both(middle, w.no(w.equal(u, 1)))
    safe = w.where(middle, u, w.like(x, 2))
    found = w.mul(less_one, w.div(x, w.log(safe)))
    found = w.where(middle, found, less_one)
    return w.where(w.equal(u, 1), x, found)


@composes(
    "log1p",
    uses="log add neg div equal where less mul logical_and",
    in_float32=True,
    complex_uses=complexexp.USES["log1p"],
)
def log1p(x: Tensor) -> Tensor:
    """Return log(u) with u = 1 + x, less what rounding added to u, over u."""
    if w.is_complex(x):
        return w.from_parts(*complexexp.log1p(w.parts(x)))
    u = w.add(x, 1)
    error = w.sub(w.add(u, -1), x)
    sound = w.both(w.less(u, w.INF), w.less(w.like(x, 0), u))
    found = w.sub(w.log(u), w.div(error, w.where(sound, u, w.like(x, 1))))
    found = w.where(sound, found, w.log(u))
    return w.where(w.equal(x, 0), x, found)


def _log_times(x: Tensor, factor: float, rest: float) -> Tensor:
    """Return log(x) times a constant of two words."""
    size = w.log(x)
    double = size.dtype.name == "float64"
    first = factor if double else math.ldexp(round(math.ldexp(factor, 23)), -23)
    second = rest if double else factor - first
    found = w.mul(size, first)
    finite = w.equal(w.mul(size, 0), 0)
    return w.add(found, w.where(finite, w.mul(size, second), w.like(size, 0)))


@composes(
    "log2", uses="log mul add equal where", in_float32=True, complex_uses=complexexp.USES["log2"]
)
def log2(x: Tensor) -> Tensor:
    """Return log(x) / log(2)."""
    if w.is_complex(x):
        return w.from_parts(*complexexp.scaled_log(x, 2))
    return _log_times(x, 1.4426950408889634, 2.0355273740931033e-17)


@composes(
    "log10", uses="log mul add equal where", in_float32=True, complex_uses=complexexp.USES["log10"]
)
def log10(x: Tensor) -> Tensor:
    """Return log(x) / log(10)."""
    if w.is_complex(x):
        return w.from_parts(*complexexp.scaled_log(x, 10))
    return _log_times(x, 0.4342944819032518, 1.098319650216765e-17)


@composes(
    "sinh",
    uses="expm1 exp less neg where add equal div mul",
    in_float32=True,
    complex_uses=complexexp.USES["sinh"],
)
def sinh(x: Tensor) -> Tensor:
    """Return (e + e / (e + 1)) / 2 with e = expm1(|x|), and exp(|x|) / 2 for large x."""
    if w.is_complex(x):
        return w.from_parts(*complexexp.sinh(w.parts(x)))
    size = w.size_of(x)
    small = w.less(size, 20.0)
    e = _core.expm1(w.where(small, size, w.like(x, 1)))
    found = w.mul(w.add(e, w.div(e, w.add(e, 1))), 0.5)
    root = w.exp(w.mul(size, 0.5))
    found = w.where(small, found, w.mul(w.mul(root, 0.5), root))
    return w.with_sign(found, w.is_negative(x))


@composes(
    "cosh",
    uses="exp less neg where add div mul",
    in_float32=True,
    complex_uses=complexexp.USES["cosh"],
)
def cosh(x: Tensor) -> Tensor:
    """Return (e + 1 / e) / 2 with e = exp(|x|); by half of x where that would overflow."""
    if w.is_complex(x):
        return w.from_parts(*complexexp.cosh(w.parts(x)))
    size = w.size_of(x)
    small = w.less(size, 20.0)
    e = w.exp(w.where(small, size, w.like(x, 1)))
    root = w.exp(w.mul(size, 0.5))
    found = w.mul(w.add(e, w.div(1, e)), 0.5)
    return w.where(small, found, w.mul(w.mul(root, 0.5), root))


@composes(
    "asinh",
    uses="log log1p sqrt less neg where add equal div mul",
    in_float32=True,
    complex_uses=complexarcs.USES["asinh"],
)
def asinh(x: Tensor) -> Tensor:
    """Return log1p(|x| + x * x / (1 + sqrt(1 + x * x))), and log(|x|) + log(2) for large x."""
    if w.is_complex(x):
        return w.from_parts(*complexarcs.asinh(w.parts(x)))
    size = w.size_of(x)
    large = w.less(w.like(x, 2.0**30), size)
    safe = w.where(large, w.like(x, 1), size)
    square = w.mul(safe, safe)
    root = w.sqrt(w.add(square, 1))
    found = _core.log1p(w.add(safe, w.div(square, w.add(root, 1))))
    far = w.add(w.log(w.where(large, size, w.like(x, 1))), _LN2)
    found = w.where(large, far, found)
    return w.with_sign(w.where(w.equal(x, x), found, size), w.is_negative(x))


@composes(
    "acosh",
    uses="log log1p sqrt less where add mul",
    in_float32=True,
    complex_uses=complexarcs.USES["acosh"],
)
def acosh(x: Tensor) -> Tensor:
    """Return log1p(t + sqrt(2 * t + t * t)) with t = x - 1, and log(x) + log(2) for large x."""
    if w.is_complex(x):
        return w.from_parts(*complexarcs.acosh(w.parts(x)))
    large = w.less(w.like(x, 2.0**30), x)
    t = w.add(w.where(large, w.like(x, 1), x), -1)
    found = _core.log1p(w.add(t, w.sqrt(w.add(w.add(t, t), w.mul(t, t)))))
    found = w.where(w.less(x, 1), w.like(x, w.NAN), found)
    return w.where(large, w.add(w.log(x), _LN2), found)


@composes(
    "atanh",
    uses="log1p less neg where add equal div mul",
    in_float32=True,
    complex_uses=complexarcs.USES["atanh"],
)
def atanh(x: Tensor) -> Tensor:
    """Return half of log1p(2 * |x| / (1 - |x|)), with the sign of x."""
    if w.is_complex(x):
        return w.from_parts(*complexarcs.atanh(w.parts(x)))
    size = w.size_of(x)
    found = w.mul(_core.log1p(w.div(w.add(size, size), w.sub(w.like(x, 1), size))), 0.5)
    return w.with_sign(found, w.is_negative(x))


@composes("logaddexp", uses="exp log1p maximum add neg less equal where", in_float32=True)
def logaddexp(x1: Tensor, x2: Tensor) -> Tensor:
    """Return the larger one and log1p(exp(-distance)); equal infinities have none."""
    same = w.equal(x1, x2)
    distance = w.where(same, w.like(x1, 0), w.size_of(w.sub(x1, x2)))
    return w.add(_core.maximum(x1, x2), _core.log1p(w.exp(w.neg(distance))))
