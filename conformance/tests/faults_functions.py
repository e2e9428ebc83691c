# SPDX-License-Identifier: Apache-2.0
"""Planted faults of elementwise functions: cancellation, ranges, signs, whole-number corners."""

from __future__ import annotations

import numpy as np
from faults import changed

from device_api_conformance.formats import INTEGERS

F32 = ("float32",)
F64 = ("float64",)
SIGNED = INTEGERS[:4]
EN = "E/{}/float32 N/{}/float32"


@changed("log1p forgets that 1 + x rounds", EN, "NE", "log1p", F32)
def _log1p(dtype, values, views, a):
    return np.log(np.float32(1) + views[0])


@changed("expm1 is exp minus 1", EN, "NE", "expm1", F32)
def _expm1(dtype, values, views, a):
    return np.exp(views[0]) - np.float32(1)


@changed("large arguments of sin are reduced by a rounded period", EN, "NE", "sin", F32)
def _sin(dtype, values, views, a):
    return np.sin(np.fmod(views[0], np.float32(2 * np.pi)))


@changed("the cosine of infinity is 1", EN, "NE", "cos", F32)
def _cos(dtype, values, views, a):
    return np.where(np.isinf(views[0]), np.float32(1), values)


@changed("tan is a quotient of float32 sines of a reduced argument", EN, "NE", "tan", F32)
def _tan(dtype, values, views, a):
    x = np.fmod(views[0], np.float32(np.pi))
    return np.sin(x) / np.cos(x)


@changed("asin clamps its argument", EN, "E", "asin", F32)
def _asin(dtype, values, views, a):
    return np.arcsin(np.clip(views[0], -1, 1))


@changed("acos is pi / 2 minus asin", EN, "NE", "acos", F32)
def _acos(dtype, values, views, a):
    return np.float32(np.pi / 2) - np.arcsin(views[0])


@changed("atanh of 1 is NaN", EN, "E", "atanh", F32)
def _atanh(dtype, values, views, a):
    return np.where(np.abs(views[0]) == 1, np.float32(np.nan), values)


@changed("sinh loses small arguments", EN, "NE", "sinh", F32)
def _sinh(dtype, values, views, a):
    return (np.exp(views[0]) - np.exp(-views[0])) / np.float32(2)


@changed("cosh overflows with exp", EN, "E", "cosh", F32)
def _cosh(dtype, values, views, a):
    return (np.exp(views[0]) + np.exp(-views[0])) / np.float32(2)


@changed("asinh cancels for negative arguments", EN, "NE", "asinh", F32)
def _asinh(dtype, values, views, a):
    return np.log(views[0] + np.sqrt(views[0] * views[0] + np.float32(1)))


@changed("acosh below 1 is 0", EN, "E", "acosh", F32)
def _acosh(dtype, values, views, a):
    return np.where(views[0] < 1, np.float32(0), values)


@changed("the reciprocal of -0 is +inf", EN, "E", "reciprocal", F32)
def _reciprocal(dtype, values, views, a):
    return np.where(views[0] == 0, np.float32(np.inf), values)


@changed("rsqrt of 0 is NaN after a Newton step", EN, "E", "rsqrt", F32)
def _rsqrt(dtype, values, views, a):
    return values * (np.float32(1.5) - np.float32(0.5) * views[0] * values * values)


@changed("erf of float64 is computed in float32", "N/{}/float64", "NE", "erf atan log2", F64)
def _narrow(dtype, values, views, a):
    return values.astype(np.float32).astype(np.float64)


@changed("log10 of a subnormal is -inf", EN, "E", "log10 log2", F32)
def _log10(dtype, values, views, a):
    return np.where((views[0] > 0) & (views[0] < 2.0**-126), np.float32(-np.inf), values)


@changed("ceil of -0.5 is +0", EN, "NE", "ceil", F32)
def _ceil(dtype, values, views, a):
    return values + np.float32(0)


@changed("halves are rounded away from zero", EN, "E", "round", F32)
def _round(dtype, values, views, a):
    return np.copysign(np.floor(np.abs(views[0]) + np.float32(0.5)), views[0])


@changed("trunc rounds down", EN, "NE", "trunc", F32)
def _trunc(dtype, values, views, a):
    return np.floor(views[0])


@changed("NaN is finite", EN, "E", "isfinite", F32)
def _isfinite(dtype, values, views, a):
    return ~np.isinf(views[0])


@changed("only +inf is infinite", EN, "E", "isinf", F32)
def _isinf(dtype, values, views, a):
    return views[0] == np.inf


@changed("the sign bit of -0 is not seen", EN, "E", "signbit", F32)
def _signbit(dtype, values, views, a):
    return views[0] < 0


@changed("hypot overflows on the way", EN, "E", "hypot", F32)
def _hypot(dtype, values, views, a):
    return np.sqrt(views[0] * views[0] + views[1] * views[1])


@changed("hypot of infinity and NaN is NaN", EN, "E", "hypot", F32)
def _hypot_nan(dtype, values, views, a):
    return np.where(np.isnan(views[0] + views[1]), np.float32(np.nan), values)


@changed("atan2 is the arc tangent of a quotient", EN, "NE", "atan2", F32)
def _atan2(dtype, values, views, a):
    return np.arctan(views[0] / views[1])


@changed("copysign ignores the sign of a zero", EN, "E", "copysign", F32)
def _copysign(dtype, values, views, a):
    return np.where(views[1] < 0, -np.abs(views[0]), np.abs(views[0]))


@changed("nextafter of float64 steps in float32", "N/{}/float64", "NE", "nextafter", F64)
def _nextafter(dtype, values, views, a):
    return np.nextafter(*(v.astype(np.float32) for v in views)).astype(np.float64)


@changed("nextafter from 0 flushes", EN, "E", "nextafter", F32)
def _nextafter_zero(dtype, values, views, a):
    return np.where(np.abs(values) < 2.0**-126, np.float32(0), values)


@changed("logaddexp overflows on the way", EN, "NE", "logaddexp", F32)
def _logaddexp(dtype, values, views, a):
    return np.log(np.exp(views[0]) + np.exp(views[1]))


@changed("remainder has the sign of C", "N/{}/* E/{}/*", "NE", "remainder", (*SIGNED, "float32"))
def _remainder(dtype, values, views, a):
    return np.fmod(*views)


@changed("a remainder of 0 has the sign of the dividend", EN, "E", "remainder", F32)
def _remainder_zero(dtype, values, views, a):
    return np.where(values == 0, np.copysign(values, views[0]), values)


@changed("floor_divide rounds towards zero", "N/{}/int32 N/{}/float32", "NE", "floor_divide")
def _floor_divide(dtype, values, views, a):
    if dtype in ("float16", "bfloat16") or dtype.startswith("u"):
        return values
    exact = views[0].astype(np.float64) / views[1]
    return np.where(np.isfinite(exact), np.trunc(exact), 0).astype(values.dtype)


@changed("floor_divide rounds the quotient first", EN, "NE", "floor_divide", F32)
def _floor_rounded(dtype, values, views, a):
    return np.where(np.isfinite(views[1]), np.floor(views[0] / views[1]), values)


@changed("an integer over 0 is -1", "E/{}/int32", "E", "floor_divide", ("int32",))
def _over_zero(dtype, values, views, a):
    return np.where(views[1] == 0, -1, values)


@changed("int64 is divided in float64", "E/{}/int64 N/{}/int64", "NE", "floor_divide", ("int64",))
def _float_quotient(dtype, values, views, a):
    quotient = np.floor(views[0].astype(np.float64) / np.where(views[1] == 0, 1, views[1]))
    return np.where(views[1] == 0, 0, np.clip(quotient, -(2.0**63), 2.0**63 - 1024)).astype("int64")


@changed("shift counts are taken modulo the width", "N/{}/int32 E/{}/int32", "NE",
         "shift_left shift_right", ("int32",))  # fmt: skip
def _shift(dtype, values, views, a):
    count = views[1] & 31
    left = np.array_equal(values, np.where(views[1] < 32, views[0] << count, 0))
    return views[0] << count if left else views[0] >> count


@changed("signed numbers are shifted right with zeros", "N/{}/int32", "N", "shift_right", SIGNED)
def _logical_shift(dtype, values, views, a):
    kind = np.dtype(f"u{values.itemsize}")
    width = values.itemsize * 8
    count = np.minimum(views[1], width - 1).astype(kind)
    return np.where(views[1] < width, views[0].view(kind) >> count, 0).astype(kind).view(dtype)


@changed("bits above 32 are lost", "N/{}/int64", "N", "bitwise_and bitwise_or bitwise_xor")
def _low_bits(dtype, values, views, a):
    return values & 0xFFFFFFFF if dtype == "int64" else values


@changed("bitwise_not is minus x", "N/{}/int32", "N", "bitwise_not")
def _not(dtype, values, views, a):
    return -views[0]


@changed("NaN is not unequal", EN, "E", "not_equal", F32)
def _not_equal(dtype, values, views, a):
    return (views[0] < views[1]) | (views[0] > views[1])


@changed("less_equal is not greater", EN, "E", "less_equal", F32)
def _less_equal(dtype, values, views, a):
    return ~(views[0] > views[1])
