# SPDX-License-Identifier: Apache-2.0
"""Planted faults of complex numbers: infinities, overflow on the way, branch cuts, lost parts."""

from __future__ import annotations

import numpy as np
from faults import changed

C64 = ("complex64",)
C128 = ("complex128",)
BOTH = C64 + C128
EN = "E/{}/complex64 N/{}/complex64"


def _of(re, im):
    found = np.empty(np.shape(re), dtype=np.complex64)
    found.real, found.imag = re, im
    return found


@changed("a product of complex infinities is NaN", EN, "E", "mul", C64)
def _mul(dtype, values, views, a):
    (p, q), (r, s) = ((v.real, v.imag) for v in views)
    return _of(p * r - q * s, p * s + q * r)


@changed("the minus of a complex product is a plus", EN, "N", "mul", C64)
def _mul_sign(dtype, values, views, a):
    (p, q), (r, s) = ((v.real, v.imag) for v in views)
    return _of(p * r + q * s, p * s + q * r)


@changed("a complex quotient overflows on the way", EN, "E", "div", C64)
def _div(dtype, values, views, a):
    (p, q), (r, s) = ((v.real, v.imag) for v in views)
    size = r * r + s * s
    return _of((p * r + q * s) / size, (q * r - p * s) / size)


@changed("conj subtracts from 0", EN, "E", "conj", C64)
def _conj(dtype, values, views, a):
    return _of(views[0].real, np.float32(0) - views[0].imag)


@changed("conj does nothing", EN, "NE", "conj", BOTH)
def _no_conj(dtype, values, views, a):
    return views[0]


@changed("the magnitude overflows on the way", EN, "E", "magnitude", C64)
def _magnitude(dtype, values, views, a):
    return np.sqrt(views[0].real ** 2 + views[0].imag ** 2)


@changed("the square root does not see the sign of a zero", EN, "E", "sqrt", C64)
def _sqrt(dtype, values, views, a):
    return np.sqrt(views[0] + np.complex64(0))


@changed("the logarithm has angles from 0 to 2 pi", EN, "NE", "log", C64)
def _log(dtype, values, views, a):
    turn = np.where(values.imag < 0, np.float32(2 * np.pi), np.float32(0))
    return _of(values.real, values.imag + turn)


@changed("exp of infinity with a zero part is NaN", EN, "E", "exp", C64)
def _exp(dtype, values, views, a):
    size = np.exp(views[0].real)
    return _of(size * np.cos(views[0].imag), size * np.sin(views[0].imag))


@changed("tanh of a large number is NaN", EN, "E", "tanh", C64)
def _tanh(dtype, values, views, a):
    grown = np.exp(views[0] * 2)
    return (grown - 1) / (grown + 1)


@changed("complex128 goes through complex64", "N/{}/complex128", "N", "sin cos log exp sqrt", C128)
def _narrow(dtype, values, views, a):
    return values.astype(np.complex64).astype(np.complex128)


@changed("equality looks at real parts", EN, "NE", "equal not_equal", BOTH)
def _equal(dtype, values, views, a):
    same = views[0].real == views[1].real
    equal = np.array_equal(values, views[0] == views[1])
    return same if equal else ~same


@changed("a NaN in the imaginary part is not seen", EN, "E", "isnan", BOTH)
def _isnan(dtype, values, views, a):
    return np.isnan(views[0].real)


@changed("one finite part makes a number finite", EN, "E", "isfinite", BOTH)
def _isfinite(dtype, values, views, a):
    return np.isfinite(views[0].real) | np.isfinite(views[0].imag)


@changed("real and imaginary part are exchanged", EN, "N", "real", BOTH)
def _real(dtype, values, views, a):
    return views[0].imag


@changed("make_complex adds products", "E/{}/float32", "E", "make_complex", ("float32",))
def _make(dtype, values, views, a):
    return (views[0] + 1j * views[1]).astype(values.dtype)


@changed("only the real part is rounded", EN, "N", "round", BOTH)
def _round(dtype, values, views, a):
    return _of(values.real, views[0].imag) if dtype == "complex64" else values


@changed("the imaginary part of a sum is lost", "N/{}/complex64", "N", "sum cumsum", C64)
def _sum(dtype, values, views, a):
    return _of(values.real, np.zeros_like(values.real))


@changed("a complex matrix product adds the product of imaginary parts", "N/{}/complex64", "N",
         "matmul", C64)  # fmt: skip
def _matmul(dtype, values, views, a):
    x, y = views
    return _of(x.real @ y.real + x.imag @ y.imag, values.imag)


@changed("prod conjugates its factors", "N/{}/complex64", "N", "prod cumprod", C64)
def _prod(dtype, values, views, a):
    return np.conj(values)


@changed("any looks at real parts", "E/{}/complex64", "E", "any all", BOTH)
def _any(dtype, values, views, a):
    test = np.any if np.array_equal(values, np.any(views[0] != 0, axis=a["axes"])) else np.all
    return test(views[0].real != 0, axis=a["axes"])


@changed("a cast to complex64 takes the number for both parts", "N/{}/float32-complex64", "N",
         "cast", ("float32",))  # fmt: skip
def _cast(dtype, values, views, a):
    return _of(values.real, values.real) if dtype == "complex64" else values


@changed("a gather moves real parts only", "N/{}/complex64-int64", "N",
         "take_along_axis put_along_axis", C64)  # fmt: skip
def _gather(dtype, values, views, a):
    return _of(values.real, np.roll(values.imag, 1))
