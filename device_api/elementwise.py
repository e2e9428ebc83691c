# SPDX-License-Identifier: Apache-2.0
"""Elementwise functions: the native ones, and those composed of them (array API standard 2025.12).

All take arrays that broadcast together; of two operands one may be a Python scalar, which takes the
array's type. Types are promoted by the standard; a type outside a function's table raises
DTypeError, shapes that do not broadcast ShapeError, operands on two devices DeviceMismatchError.
"""

from __future__ import annotations

import numpy as np

from device_api import _core, dtypes, errors
from device_api._core import Tensor

# The native ones run in the core without a Python frame.
negative, abs, exp, log = _core.negative, _core.abs, _core.exp, _core.log
sqrt, tanh, sign, logical_not = _core.sqrt, _core.tanh, _core.sign, _core.logical_not
add, subtract, multiply, divide = _core.add, _core.subtract, _core.multiply, _core.divide
maximum, minimum, pow = _core.maximum, _core.minimum, _core.pow
equal, not_equal, less, less_equal = _core.equal, _core.not_equal, _core.less, _core.less_equal
greater, greater_equal = _core.greater, _core.greater_equal
logical_and, logical_or, where = _core.logical_and, _core.logical_or, _core.where


def _numeric(x: Tensor, name: str) -> None:
    if x.dtype.kind == "b":
        raise errors.DTypeError(f"{name} is not defined for bool", "convert with astype", op=name)


def _is_whole(x: Tensor, name: str) -> bool:
    """Tell whether x has integers, whose rounding and finiteness need no work."""
    _numeric(x, name)
    return x.dtype.kind in "iu"


def _constant(x: Tensor, value: bool) -> Tensor:
    return _core.full(x.shape, value, dtypes.bool_, x.device)


def positive(x: Tensor, /) -> Tensor:
    """Return a copy of x (numeric)."""
    _numeric(x, "positive")
    return _core.copy(x)


def square(x: Tensor, /) -> Tensor:
    """Return x * x (numeric); integers wrap."""
    return _core.multiply(x, x)


def reciprocal(x: Tensor, /) -> Tensor:
    """Return 1 / x (floating)."""
    return _core.divide(1, x)


def floor(x: Tensor, /) -> Tensor:
    """Return the largest whole number not above x (numeric, same type)."""
    return _core.copy(x) if _is_whole(x, "floor") else _core.floor(x)


def ceil(x: Tensor, /) -> Tensor:
    """Return the smallest whole number not below x (numeric, same type)."""
    if _is_whole(x, "ceil"):
        return _core.copy(x)
    return _core.negative(_core.floor(_core.negative(x)))


def trunc(x: Tensor, /) -> Tensor:
    """Return x without its fraction (numeric, same type)."""
    if _is_whole(x, "trunc"):
        return _core.copy(x)
    return _core.where(_core.less(x, 0), ceil(x), _core.floor(x))


def round(x: Tensor, /) -> Tensor:
    """Return x rounded to a whole number, halves to the even one (numeric, same type)."""
    if _is_whole(x, "round"):
        return _core.copy(x)
    size = _core.abs(x)
    low = _core.floor(size)
    fraction = _core.subtract(size, low)  # exact: both are of one magnitude
    half = _core.multiply(low, 0.5)
    odd = _core.not_equal(_core.floor(half), half)
    up = _core.logical_or(
        _core.greater(fraction, 0.5), _core.logical_and(_core.equal(fraction, 0.5), odd)
    )
    rounded = _core.where(up, _core.add(low, 1), low)
    signed = _core.where(_core.less(x, 0), _core.negative(rounded), rounded)
    return _core.where(_core.equal(x, 0), x, signed)  # keeps -0


def isnan(x: Tensor, /) -> Tensor:
    """Return whether each element is NaN (numeric); bool result."""
    return _constant(x, False) if _is_whole(x, "isnan") else _core.isnan(x)


def isfinite(x: Tensor, /) -> Tensor:
    """Return whether each element is neither infinite nor NaN (numeric); bool result."""
    if _is_whole(x, "isfinite"):
        return _constant(x, True)
    return _core.less(_core.abs(x), float("inf"))


def isinf(x: Tensor, /) -> Tensor:
    """Return whether each element is an infinity (numeric); bool result."""
    if _is_whole(x, "isinf"):
        return _constant(x, False)
    return _core.equal(_core.abs(x), float("inf"))


def _truth(x: Tensor | bool) -> Tensor | bool:
    if isinstance(x, Tensor) and x.dtype.kind != "b":
        return _core.not_equal(x, 0)
    return x


def logical_xor(x1: Tensor | bool, x2: Tensor | bool, /) -> Tensor:
    """Return whether exactly one holds; bool result, numbers as 'not zero'."""
    return _core.not_equal(_truth(x1), _truth(x2))


def bitwise_xor(x1: Tensor | bool, x2: Tensor | bool, /) -> Tensor:
    """Return the exclusive or of bool arrays; NotSupportedError for integers, DTypeError else."""
    for x in (x1, x2):
        if isinstance(x, Tensor) and x.dtype.kind == "f":
            raise errors.DTypeError(f"bitwise_xor of {x.dtype.name}", "use integers or bool")
        if not isinstance(x, bool) and not (isinstance(x, Tensor) and x.dtype.kind == "b"):
            raise errors.NotSupportedError(
                "bitwise_xor is not supported for integers yet", "compute on the host: x.numpy()"
            )
    return _core.not_equal(x1, x2)


def bitwise_invert(x: Tensor, /) -> Tensor:
    """Return x with every bit flipped (bool or integer)."""
    if x.dtype.kind == "f":
        raise errors.DTypeError(
            f"bitwise_invert is not defined for {x.dtype.name}", "use integers or bool"
        )
    if x.dtype.kind == "b":
        return _core.logical_not(x)
    return _core.subtract(-1 if x.dtype.kind == "i" else dtypes.iinfo(x.dtype).max, x)


def clip(
    x: Tensor,
    /,
    min: Tensor | float | None = None,
    max: Tensor | float | None = None,
) -> Tensor:
    """Return x limited to min and max (numeric); NaN stays NaN; the result has the type of x.

    The limits are scalars or arrays that broadcast with x, whose types must not be wider than
    that of x (DTypeError).
    """
    _numeric(x, "clip")
    result = x
    for limit, apply in ((min, _core.maximum), (max, _core.minimum)):
        if limit is not None:
            result = apply(result, limit)
    if result.dtype != x.dtype:
        raise errors.DTypeError(
            f"clip: limits of a wider type than {x.dtype.name}", "convert them with astype"
        )
    return _core.copy(x) if result is x else result


def _sides(x1: Tensor | float, x2: Tensor | float) -> tuple[Tensor, Tensor]:
    """Return both operands as arrays of their common type and device."""
    like = x1 if isinstance(x1, Tensor) else x2
    if not isinstance(like, Tensor):
        raise errors.InvalidArgumentError("one operand must be an array", "use asarray")
    dtype = dtypes.result_type(x1, x2)
    return _side(x1, dtype, like), _side(x2, dtype, like)


def _side(x: Tensor | float, dtype: dtypes.DType, like: Tensor) -> Tensor:
    if isinstance(x, Tensor):
        return _core.astype(x, dtype, False)
    return _core.full((), x, dtype, like.device)


def _whole_divmod(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Return quotient and remainder of integers, rounded down; both are 0 where y is 0.

    A quotient in float64 is off by at most 2**11 for 64-bit integers; dividing what is left brings
    it within one, and a comparison to the right one. Products and differences wrap, which cancels
    out. An unsigned quotient is kept low, since what is left must not become negative.
    """
    shape = np.broadcast_shapes(x.shape, y.shape)
    left, y = _core.broadcast_to(x, shape), _core.broadcast_to(y, shape)
    zero, one = (_core.full((), value, x.dtype, x.device) for value in (0, 1))
    dead = _core.equal(y, zero)
    safe = _core.where(dead, one, y)
    divisor = _core.astype(safe, dtypes.float64)
    quotient = _core.full(shape, 0, x.dtype, x.device)
    for _ in range(3):
        step = _core.floor(_core.divide(_core.astype(left, dtypes.float64), divisor))
        whole = _narrowed(step, x.dtype)
        quotient = _core.add(quotient, whole)
        left = _core.subtract(left, _core.multiply(whole, safe))
    last = _last_step(left, safe, x.dtype)
    quotient = _core.add(quotient, last)
    left = _core.subtract(left, _core.multiply(last, safe))
    return _core.where(dead, zero, quotient), _core.where(dead, zero, left)


def _narrowed(step: Tensor, dtype: dtypes.DType) -> Tensor:
    """Convert whole float64 quotients to integers, within the range of the widest type."""
    if dtype.kind == "u":
        step = _core.floor(_core.multiply(step, 1 - 2.0**-51))
        widest, top = dtypes.uint64, 2.0**64 - 4096
    else:
        widest, top = dtypes.int64, 2.0**63 - 2048
    return _core.astype(_core.astype(_core.minimum(step, top), widest), dtype, False)


def _last_step(left: Tensor, y: Tensor, dtype: dtypes.DType) -> Tensor:
    """Return 1 where one more divisor fits into what is left, -1 where it was one too many."""
    if dtype.kind == "u":
        return _core.astype(_core.greater_equal(left, y), dtype)
    up, down = _core.greater(y, 0), _core.less(y, 0)
    more = _core.logical_or(
        _core.logical_and(up, _core.greater_equal(left, y)),
        _core.logical_and(down, _core.less_equal(left, y)),
    )
    fewer = _core.logical_or(
        _core.logical_and(up, _core.less(left, 0)), _core.logical_and(down, _core.greater(left, 0))
    )
    return _core.subtract(_core.astype(more, dtype), _core.astype(fewer, dtype))


def floor_divide(x1: Tensor | float, x2: Tensor | float, /) -> Tensor:
    """Return the quotient rounded down (numeric).

    Integers: exact; 0 where the divisor is 0; needs float64 on the device or falls back. Floats:
    the rounded quotient's floor, as accurate as the division.
    """
    a, b = _sides(x1, x2)
    if _is_whole(a, "floor_divide"):
        return _whole_divmod(a, b)[0]
    return _core.floor(_core.divide(a, b))


def remainder(x1: Tensor | float, x2: Tensor | float, /) -> Tensor:
    """Return x1 - floor(x1 / x2) * x2, which has the sign of x2 (numeric).

    Integers: exact; 0 where the divisor is 0. Floats: computed as written, so that its absolute
    error grows with the quotient; a finite x1 with an infinite x2 gives NaN.
    """
    a, b = _sides(x1, x2)
    if _is_whole(a, "remainder"):
        return _whole_divmod(a, b)[1]
    return _core.subtract(a, _core.multiply(_core.floor(_core.divide(a, b)), b))
