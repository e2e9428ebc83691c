# SPDX-License-Identifier: Apache-2.0
"""Elementwise functions (array API standard 2025.12): native, but for the few that follow.

All take arrays that broadcast together; of two operands one may be a Python scalar, which takes the
array's type. Types are promoted by the standard; a type outside a function's table raises
DTypeError, shapes that do not broadcast ShapeError, operands on two devices DeviceMismatchError.
"""

from __future__ import annotations

from device_api import _core, dtypes, errors
from device_api._core import Tensor

# These run in the core without a Python frame.
abs, negative, sign, signbit = _core.abs, _core.negative, _core.sign, _core.signbit
exp, expm1, log, log1p = _core.exp, _core.expm1, _core.log, _core.log1p
log2, log10, sqrt, reciprocal = _core.log2, _core.log10, _core.sqrt, _core.reciprocal
sin, cos, tan = _core.sin, _core.cos, _core.tan
asin, acos, atan = _core.asin, _core.acos, _core.atan
sinh, cosh, tanh = _core.sinh, _core.cosh, _core.tanh
asinh, acosh, atanh = _core.asinh, _core.acosh, _core.atanh
ceil, floor, round, trunc = _core.ceil, _core.floor, _core.round, _core.trunc
isfinite, isinf, isnan = _core.isfinite, _core.isinf, _core.isnan
add, subtract, multiply, divide = _core.add, _core.subtract, _core.multiply, _core.divide
floor_divide, remainder, pow = _core.floor_divide, _core.remainder, _core.pow
maximum, minimum, hypot, atan2 = _core.maximum, _core.minimum, _core.hypot, _core.atan2
copysign, nextafter, logaddexp = _core.copysign, _core.nextafter, _core.logaddexp
equal, not_equal, less, less_equal = _core.equal, _core.not_equal, _core.less, _core.less_equal
greater, greater_equal, where = _core.greater, _core.greater_equal, _core.where
logical_and, logical_or, logical_not = _core.logical_and, _core.logical_or, _core.logical_not
bitwise_and, bitwise_or, bitwise_xor = _core.bitwise_and, _core.bitwise_or, _core.bitwise_xor
bitwise_invert, bitwise_left_shift = _core.bitwise_invert, _core.bitwise_left_shift
bitwise_right_shift = _core.bitwise_right_shift


def _numeric(x: Tensor, name: str) -> None:
    if not isinstance(x, Tensor):
        raise errors.not_an_array(x, name)
    if x.dtype.kind == "b":
        raise errors.DTypeError(f"{name} is not defined for bool", "convert with astype", op=name)


def positive(x: Tensor, /) -> Tensor:
    """Return a copy of x (numeric)."""
    _numeric(x, "positive")
    return _core.copy(x)


def square(x: Tensor, /) -> Tensor:
    """Return x * x (numeric); integers wrap."""
    return _core.multiply(x, x)


def real(x: Tensor, /) -> Tensor:
    """Return the real parts (numeric): of real numbers a copy."""
    _numeric(x, "real")
    return _core.real(x) if x.dtype.kind == "c" else _core.copy(x)


def imag(x: Tensor, /) -> Tensor:
    """Return the imaginary parts (numeric): of real numbers zeros."""
    _numeric(x, "imag")
    return _core.imag(x) if x.dtype.kind == "c" else _core.full(x.shape, 0, x.dtype, x.device)


def conj(x: Tensor, /) -> Tensor:
    """Return the complex conjugates (numeric): of real numbers a copy."""
    _numeric(x, "conj")
    return _core.conj(x) if x.dtype.kind == "c" else _core.copy(x)


def _truth(x: Tensor | bool) -> Tensor | bool:
    if isinstance(x, Tensor) and x.dtype.kind != "b":
        return _core.not_equal(x, 0)
    return x


def logical_xor(x1: Tensor | bool, x2: Tensor | bool, /) -> Tensor:
    """Return whether exactly one holds; bool result, numbers as 'not zero'."""
    return _core.not_equal(_truth(x1), _truth(x2))


def clip(
    x: Tensor,
    /,
    min: Tensor | float | None = None,
    max: Tensor | float | None = None,
) -> Tensor:
    """Return x limited to min and max (real); NaN in x or a limit gives NaN; min wins over max.

    The limits are scalars or arrays that broadcast with x. The result has the type of x, so limits
    of a wider type raise DTypeError; whole scalars beyond the range of an integer type count as
    its ends.
    """
    if x.dtype.kind in "bc":
        raise errors.DTypeError(f"clip is not defined for {x.dtype.name}", "use real numbers")
    result = x
    for limit, apply in ((max, _core.minimum), (min, _core.maximum)):
        if limit is not None:
            result = apply(result, _within(limit, x.dtype))
    if result.dtype != x.dtype:
        raise errors.DTypeError(
            f"clip: limits of a wider type than {x.dtype.name}", "convert them with astype"
        )
    return _core.copy(x) if result is x else result


def _within(limit: Tensor | float, dtype: dtypes.DType) -> Tensor | float:
    """Return a limit, whole numbers brought into the range of an integer type."""
    if dtype.kind in "iu" and isinstance(limit, int):
        ends = dtypes.iinfo(dtype)
        return sorted((ends.min, limit, ends.max))[1]
    return limit
