# SPDX-License-Identifier: Apache-2.0
"""Signs, comparisons and rounding, of real numbers."""

from __future__ import annotations

from device_api import _core
from device_api._core import Tensor
from device_api.composites import _words as w
from device_api.composites._registry import composes


@composes("abs", uses="less neg where add")
def absolute(x: Tensor) -> Tensor:
    """Return the absolute value."""
    return _core.copy(x) if x.dtype.kind == "u" else w.size_of(x)


def _unit(part: Tensor, other: Tensor, size: Tensor) -> Tensor:
    """Return part / size; 1 with its sign where only the part is infinite."""
    found = w.div(part, w.where(w.equal(size, 0), w.like(size, 1), size))
    alone = w.both(isinf(part), isfinite(other))
    return w.where(alone, w.with_sign(w.filled(part, 1), w.less(part, 0)), found)


_SIGN_OF_COMPLEX = (
    "div:part where:part equal:part less:part neg:part mul:part maximum:part "
    "magnitude hypot:part logical_and"
)


@composes("sign", uses="less where add", complex_uses=_SIGN_OF_COMPLEX)
def sign(x: Tensor) -> Tensor:
    """Return -1, 0 or 1; x over its magnitude for complex numbers."""
    if w.is_complex(x):
        first, second = w.parts(x)
        large = w.equal(_core.apply("magnitude", [x]), w.INF)
        first, second = (w.where(large, w.mul(part, 0.5), part) for part in (first, second))
        size = _core.hypot(first, second)
        return w.from_parts(_unit(first, second, size), _unit(second, first, size))
    zero = w.add(x, 0) if w.is_float(x) else x
    positive = w.less(w.like(x, 0), x)
    if x.dtype.kind == "u":
        return w.where(positive, w.like(x, 1), zero)
    return w.where(positive, w.like(x, 1), w.where(w.less(x, 0), w.like(x, -1), zero))


@composes("isnan", uses="equal logical_not", complex_uses="equal logical_not")
def isnan(x: Tensor) -> Tensor:
    """Return whether x differs from itself."""
    return w.is_nan(x)


@composes("isfinite", uses="mul equal", complex_uses="mul:part equal:part logical_and")
def isfinite(x: Tensor) -> Tensor:
    """Return whether x * 0 is 0, and not NaN."""
    if w.is_complex(x):
        return w.both(*(w.equal(w.mul(part, 0), 0) for part in w.parts(x)))
    return w.equal(w.mul(x, 0), 0)


@composes(
    "isinf", uses="maximum neg equal", complex_uses="maximum:part neg:part equal:part where:bool"
)
def isinf(x: Tensor) -> Tensor:
    """Return whether the larger one of x and -x is the infinity."""
    if w.is_complex(x):
        return w.either(*(isinf(part) for part in w.parts(x)))
    return w.equal(_core.maximum(x, w.neg(x)), w.INF)


@composes("signbit", uses="less:bits")
def signbit(x: Tensor) -> Tensor:
    """Return whether the bits are those of a negative integer, of NaN too."""
    return w.less(_core.view_as_bits(x), 0)


@composes("copysign", uses="less neg where add signbit")
def copysign(x1: Tensor, x2: Tensor) -> Tensor:
    """Return the size of x1 with the sign of x2, of NaN too."""
    return w.with_sign(w.size_of(x1), _core.signbit(x2))


@composes("not_equal", uses="equal logical_not", complex_uses="equal logical_not")
def not_equal(x1: Tensor, x2: Tensor) -> Tensor:
    """Return the negation of equal."""
    return w.no(w.equal(x1, x2))


@composes("less_equal", uses="less equal where:bool")
def less_equal(x1: Tensor, x2: Tensor) -> Tensor:
    """Return less or equal: NaN makes both false."""
    return w.either(w.less(x1, x2), w.equal(x1, x2))


@composes("logical_or", uses="where:bool")
def logical_or(x1: Tensor, x2: Tensor) -> Tensor:
    """Return x1 where it holds, else x2."""
    return w.either(x1, x2)


@composes("ceil", uses="neg floor")
def ceil(x: Tensor) -> Tensor:
    """Return the floor from the other side."""
    return w.neg(w.floor(w.neg(x)))


@composes("trunc", uses="neg floor less where")
def trunc(x: Tensor) -> Tensor:
    """Return the floor or the ceiling, whichever is nearer to 0."""
    return w.where(w.less(x, 0), ceil(x), w.floor(x))


@composes(
    "round",
    uses="less neg where add floor equal mul logical_not logical_and where:bool",
    complex_uses="less:part neg:part where:part add:part floor:part equal:part mul:part "
    "logical_not logical_and where:bool",
)
def round_half_even(x: Tensor) -> Tensor:
    """Return the nearest whole number, by the distance to the floor, which is exact."""
    if w.is_complex(x):
        return w.from_parts(*(round_half_even(part) for part in w.parts(x)))
    size = w.size_of(x)
    low = w.floor(size)
    fraction = w.sub(size, low)
    half = w.mul(low, 0.5)
    odd = w.no(w.equal(w.floor(half), half))
    up = w.either(w.less(w.like(x, 0.5), fraction), w.both(w.equal(fraction, 0.5), odd))
    rounded = w.where(up, w.add(low, 1), low)
    return w.where(w.equal(x, 0), x, w.with_sign(rounded, w.less(x, 0)))
