# SPDX-License-Identifier: Apache-2.0
"""Planted faults of special values in the core ops."""

from __future__ import annotations

import fake_ops
import numpy as np
from faults import Changed, plant

from device_api_conformance.formats import FLOATS, INTEGERS, decode


@plant("NaN is lost in max", "E/max/float32", "E")
class MaxIgnoresNan(Changed):
    ops = ("max",)

    def change(self, op, dtype, values, views, attributes):
        if dtype not in ("float32", "float64") or not views[0].size:
            return values
        return np.fmax.reduce(views[0], axis=attributes["axes"])


@plant("NaN is lost in maximum on the right", "E/maximum/float32", "E")
class MaximumRight(Changed):
    ops, dtypes = ("maximum",), ("float32", "float64")

    def change(self, op, dtype, values, views, attributes):
        return np.where(
            views[0] > views[1], views[0], np.where(np.isnan(views[1]), views[0], views[1])
        )


@plant("-0 is lost", "E/neg/float32 E/mul/float32 E/floor/float32", "E")
class NoNegativeZero(Changed):
    ops, dtypes = ("neg", "mul", "floor"), FLOATS

    def change(self, op, dtype, values, views, attributes):
        bits = values.view(f"u{values.itemsize}")
        return np.where(decode(dtype, values) == 0, 0, bits).astype(bits.dtype).view(values.dtype)


@plant("max of 8193 negative zeros is -inf", "E/max/float32", "E")
class MaxIdentity(Changed):
    ops, dtypes = ("max",), ("float32",)

    def change(self, op, dtype, values, views, attributes):
        wrong = views[0].size > 8192 and not views[0].any()
        return np.full_like(values, -np.inf) if wrong else values


@plant("argmax gives the last of equal ones", "E/argmax", "E")
class ArgmaxLast(Changed):
    ops = ("argmax",)

    def change(self, op, dtype, values, views, attributes):
        (axis,) = attributes["axes"]
        wide = fake_ops.widen(self.key(values, views), views[0])
        return wide.shape[axis] - 1 - np.argmax(np.flip(wide, axis), axis=axis)

    def key(self, values, views):
        return str(views[0].dtype)


@plant("a NaN leaks into other rows", "E/matmul/float32", "E")
class NanLeak(Changed):
    ops, dtypes = ("matmul",), ("float32",)

    def change(self, op, dtype, values, views, attributes):
        if np.isnan(views[0]).any() and views[0].shape[-1] % 32:
            values[..., -1, :] = np.nan
        return values


@plant("where drops the payload of NaN", "E/where/float32", "E")
class Payload(Changed):
    ops, dtypes = ("where",), ("float32",)

    def change(self, op, dtype, values, views, attributes):
        return np.where(np.isnan(values), np.float32(np.nan), values)


@plant("float to bool truncates first", "E/cast/float32-bool N/cast/float32-bool", "NE")
class BoolTruncates(Changed):
    ops, dtypes = ("cast",), ("float32",)

    def change(self, op, dtype, values, views, attributes):
        if dtype != "bool":
            return values
        return np.trunc(views[0]) != 0


@plant("float to integer rounds", "N/cast/float32-int32 E/cast/float32-int32", "NE")
class CastRounds(Changed):
    ops, dtypes = ("cast",), ("float32",)

    def change(self, op, dtype, values, views, attributes):
        return np.rint(views[0]).astype(values.dtype) if dtype in INTEGERS else values
