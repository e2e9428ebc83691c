# SPDX-License-Identifier: Apache-2.0
"""What composites share: short names of core ops, facts of types, arithmetic in two words.

A two-word number is an unevaluated sum of a value and its rounding error. The functions need
products and sums that are rounded to nearest, and no fused multiplication and addition.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from device_api import _core
from device_api._core import DType, Tensor

INF = float("inf")
NAN = float("nan")

add, mul, div, neg = _core.add, _core.multiply, _core.divide, _core.negative
less, equal, where, floor = _core.less, _core.equal, _core.where, _core.floor
both, no, exp, log, sqrt = _core.logical_and, _core.logical_not, _core.exp, _core.log, _core.sqrt

BOOL = _core.dtypes["bool"]
INT32 = _core.dtypes["int32"]
INT64 = _core.dtypes["int64"]
FLOAT32 = _core.dtypes["float32"]
_PARTS = {"complex64": FLOAT32, "complex128": _core.dtypes["float64"]}


@dataclass(frozen=True)
class Format:
    """A binary floating-point type: bits of the significand, exponents, splitting constant."""

    digits: int
    least: int  # exponent of the smallest subnormal
    most: int  # below 2 ** most

    @property
    def half_digits(self) -> int:
        """Bits of the upper half when a significand is split in two."""
        return self.digits // 2

    @property
    def tiny(self) -> float:
        """The smallest number above 0."""
        return 2.0**self.least

    @property
    def top(self) -> float:
        """The largest finite number."""
        return (2.0 - 2.0 ** (1 - self.digits)) * 2.0 ** (self.most - 1)


FORMATS = {
    "float16": Format(11, -24, 16),
    "bfloat16": Format(8, -133, 128),
    "float32": Format(24, -149, 128),
    "float64": Format(53, -1074, 1024),
}


def format_of(x: Tensor) -> Format:
    """Return the format of a floating-point tensor."""
    return FORMATS[x.dtype.name]


def is_float(x: Tensor) -> bool:
    """Tell whether x has a real floating-point type."""
    return x.dtype.name in FORMATS


def is_complex(x: Tensor) -> bool:
    """Tell whether x has a complex type."""
    return x.dtype.name in _PARTS


def parts(x: Tensor) -> tuple[Tensor, Tensor]:
    """Return real and imaginary part, as views."""
    pair = _core.view_as_real(x)
    return pair[..., 0], pair[..., 1]


def from_parts(real: Tensor, imaginary: Tensor) -> Tensor:
    """Return the complex tensor of two parts, by two copies."""
    name = next(name for name, part in _PARTS.items() if part == real.dtype)
    made = _core.empty(real.shape, _core.dtypes[name], real.device)
    for target, source in zip(parts(made), (real, imaginary), strict=True):
        _core.copyto(target, source)
    return made


def sub(a: Tensor, b: Tensor) -> Tensor:
    """Return a - b by core ops: x - x gives +0 and integers wrap."""
    return add(a, neg(b))


def either(a: Tensor, b: Tensor) -> Tensor:
    """Return a or b, of bool tensors, by one core op."""
    return where(a, a, b)


def size_of(x: Tensor) -> Tensor:
    """Return the absolute value; of floats -0 gives +0."""
    found = where(less(x, 0), neg(x), x)
    return add(found, 0) if is_float(x) else found


def is_nan(x: Tensor) -> Tensor:
    """Return whether x is NaN."""
    return no(equal(x, x))


def is_negative(x: Tensor) -> Tensor:
    """Return whether the sign of x is set, -0 included; NaN counts as positive."""
    return less(where(equal(x, 0), div(1.0, x), x), 0)


def with_sign(size: Tensor, negative: Tensor) -> Tensor:
    """Return size, which is not negative, negated where told."""
    return where(negative, neg(size), size)


def horner(x: Tensor, coefficients: Sequence[float]) -> Tensor:
    """Return the polynomial with these coefficients, that of the highest power first."""
    result = add(mul(x, coefficients[0]), coefficients[1])
    for coefficient in coefficients[2:]:
        result = add(mul(result, x), coefficient)
    return result


def two_sum(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    """Return a + b and its rounding error; the error is NaN where the sum is not finite."""
    total = add(a, b)
    part = sub(total, a)
    return total, add(sub(a, sub(total, part)), sub(b, part))


def halves(x: Tensor) -> tuple[Tensor, Tensor]:
    """Split x into an upper and a lower half of its bits; x must not be near the largest number."""
    form = format_of(x)
    scaled = mul(x, 2.0 ** (form.digits - form.half_digits) + 1)
    upper = sub(scaled, sub(scaled, x))
    return upper, sub(x, upper)


def two_product(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    """Return a * b and its rounding error; see `halves` for the range."""
    product = mul(a, b)
    (a1, a2), (b1, b2) = halves(a), halves(b)
    error = sub(mul(a1, b1), product)
    error = add(add(error, mul(a1, b2)), mul(a2, b1))
    return product, add(error, mul(a2, b2))


def like(x: Tensor, value: float) -> Tensor:
    """Return a tensor of rank 0 with one value, in the type and on the device of x."""
    return _core.full((), value, x.dtype, x.device)


def filled(x: Tensor, value: float, dtype: DType | None = None) -> Tensor:
    """Return a tensor with the shape of x, all of one value."""
    return _core.full(x.shape, value, dtype or x.dtype, x.device)


def steps(n: int, x: Tensor) -> Tensor:
    """Return 0 .. n - 1 as int64 on the device of x."""
    return _core.iota(n, 0, 1, INT64, x.device)
