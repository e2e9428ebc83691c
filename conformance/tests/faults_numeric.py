# SPDX-License-Identifier: Apache-2.0
"""Planted faults of arithmetic: rounding, accumulation, ranges, types."""

from __future__ import annotations

import fake_ops
import numpy as np
from faults import Changed, plant, scaled

from device_api_conformance.formats import FORMATS, INTEGERS, Host, storage
from device_api_conformance.truth_move import converted


@plant("matmul gives zeros", "N/matmul", "N")
class MatmulZeros(Changed):
    ops = ("matmul",)

    def change(self, op, dtype, values, views, attributes):
        return np.zeros_like(values)


@plant("float16 is truncated, not rounded", "N/add/float16 N/mul/float16", "NE")
class Truncated(Changed):
    ops, dtypes = ("add", "mul"), ("float16",)

    def change(self, op, dtype, values, views, attributes):
        wide = views[0].astype(np.float64) * 1
        exact = wide + views[1] if op == "add" else wide * views[1]
        over = np.abs(values.astype(np.float64)) > np.abs(exact)
        return np.where(over & np.isfinite(values), np.nextafter(values, np.float16(0)), values)


@plant("ties are rounded away from zero", "N/cast/float32-bfloat16 E/cast/float32-bfloat16", "E")
class TiesAway(Changed):
    ops, dtypes = ("cast",), ("float32",)

    def change(self, op, dtype, values, views, attributes):
        if dtype != "bfloat16":
            return values
        bits = views[0].view(np.uint32)
        return np.where(np.isfinite(views[0]), ((bits + 0x8000) >> 16).astype(np.uint16), values)


@plant("subnormals are flushed", "E/mul/float32 E/sqrt/float32 E/add/float32", "E")
class Flushed(Changed):
    dtypes = ("float32",)

    def change(self, op, dtype, values, views, attributes):
        if dtype != "float32":
            return values
        return np.where(np.abs(values) < FORMATS["float32"].smallest_normal, 0 * values, values)


@plant("log of a subnormal is -inf", "E/log/float32", "E")
class LogSubnormal(Changed):
    ops, dtypes = ("log",), ("float32",)

    def change(self, op, dtype, values, views, attributes):
        tiny = (views[0] > 0) & (views[0] < FORMATS["float32"].smallest_normal)
        return np.where(tiny, np.float32(-np.inf), values)


@plant("last element of the vector tail is wrong", "N/add X/add", "NX")
class Tail(Changed):
    ops = ("add",)

    def change(self, op, dtype, values, views, attributes):
        flat = values.reshape(-1)
        if flat.size > 8 and flat.size % 8:
            flat[-1] = flat[-2]
        return flat.reshape(values.shape)


@plant("tanh of a small number is 0", "N/tanh E/tanh", "NE")
class TanhSmall(Changed):
    ops, dtypes = ("tanh",), ("float32",)

    def change(self, op, dtype, values, views, attributes):
        return np.where(np.abs(views[0]) < 1e-4, np.float32(0), values)


@plant("exp is off by ten units", "N/exp/float32", "NE")
class ExpOff(Changed):
    ops, dtypes = ("exp",), ("float32",)

    def change(self, op, dtype, values, views, attributes):
        return scaled(dtype, values, 1 + 10 * 2.0**-23)


@plant("float64 exp is computed in float32", "N/exp/float64", "NE")
class ExpNarrow(Changed):
    ops, dtypes = ("exp",), ("float64",)

    def change(self, op, dtype, values, views, attributes):
        return np.exp(views[0].astype(np.float32)).astype(np.float64)


@plant("division by a rounded reciprocal, twice", "N/div/float32", "NE")
class Reciprocal(Changed):
    ops, dtypes = ("div",), ("float32",)

    def change(self, op, dtype, values, views, attributes):
        return scaled(dtype, values, 1 + 3 * 2.0**-23)


@plant("matmul rounds its inputs to 11 bits", "N/matmul/float32", "N")
class Reduced(Changed):
    ops, dtypes = ("matmul",), ("float32",)

    def change(self, op, dtype, values, views, attributes):
        short = [
            (v.view(np.uint32) & 0xFFFFE000).view(np.float32)
            for v in map(np.ascontiguousarray, views)
        ]
        return np.matmul(*short)


@plant("matmul accumulates float16 in float16", "N/matmul/float16", "N")
class HalfMatmul(Changed):
    ops, dtypes = ("matmul",), ("float16",)

    def change(self, op, dtype, values, views, attributes):
        a, b = views
        total = np.zeros_like(values)
        for k in range(a.shape[-1]):
            total = total + a[..., :, k : k + 1] * b[..., k : k + 1, :]
        return total


@plant("sum accumulates float16 in float16", "N/sum/float16", "N")
class HalfSum(Changed):
    ops, dtypes = ("sum",), ("float16",)

    def change(self, op, dtype, values, views, attributes):
        axis = attributes["axes"][0]
        if len(attributes["axes"]) > 1 or not views[0].size:
            return values
        return np.add.accumulate(views[0], axis=axis, dtype=np.float16).take(-1, axis=axis)


@plant("sum drops the last of 257 terms", "N/sum", "N")
class ShortSum(Changed):
    ops = ("sum",)

    def change(self, op, dtype, values, views, attributes):
        if views[0].shape != (257,):
            return values
        return fake_ops.compute("sum", [dtype], [views[0][:256]], attributes)[1]


@plant("integer addition saturates", "N/add/int32 E/add/int32", "NE")
class Saturated(Changed):
    ops, dtypes = ("add",), tuple(INTEGERS)

    def change(self, op, dtype, values, views, attributes):
        info = np.iinfo(storage(dtype))
        exact = views[0].astype(object) + views[1].astype(object)
        return np.clip(exact, info.min, info.max).astype(storage(dtype))


@plant("int64 goes through float64", "E/add/int64 E/maximum/int64", "E")
class Int64AsFloat(Changed):
    ops, dtypes = ("maximum", "neg", "copy"), ("int64",)

    def change(self, op, dtype, values, views, attributes):
        return np.clip(values.astype(np.float64), -(2.0**63), 2.0**63 - 1024).astype(np.int64)


@plant("uint64 is compared as signed", "E/less/uint64", "NE")
class UnsignedAsSigned(Changed):
    ops, dtypes = ("less",), ("uint64",)

    def change(self, op, dtype, values, views, attributes):
        return views[0].astype(np.int64) < views[1].astype(np.int64)


@plant(
    "float64 to float16 rounds twice", "E/cast/float64-float16 N/cast/float64-bfloat16 E/cast", "NE"
)
class DoubleRounding(Changed):
    ops, dtypes = ("cast",), ("float64", "int64")

    def change(self, op, dtype, values, views, attributes):
        if dtype != "bfloat16":
            return values
        return converted(Host("float32", views[0].astype(np.float32)), "bfloat16")
