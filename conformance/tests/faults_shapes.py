# SPDX-License-Identifier: Apache-2.0
"""Planted faults of shapes, indices, random numbers, refusals and accounts."""

from __future__ import annotations

import numpy as np
from fake_device import FakeDevice
from faults import Changed, changed, plant

from device_api_conformance import philox


@plant("an empty inner dimension gives garbage", "X/matmul", "X")
class EmptyK(Changed):
    ops = ("matmul",)

    def change(self, op, dtype, values, views, attributes):
        return np.ones_like(values) if views[0].shape[-1] == 0 else values


@plant("columns from 1024 on are wrong", "X/add/float32", "X")
class Tile(Changed):
    ops, dtypes = ("add",), ("float32",)

    def change(self, op, dtype, values, views, attributes):
        values.reshape(-1)[1024:] = 0
        return values


@plant("a batch of matmul uses the first matrix", "X/matmul", "X")
class Batch(Changed):
    ops = ("matmul",)

    def change(self, op, dtype, values, views, attributes):
        return np.broadcast_to(values[:1], values.shape) if values.ndim > 2 else values


@changed("the last share of many elements is left out", "X/{}/float32", "X", "add exp where gelu")
def _share(dtype, values, views, a):
    if values.size > 65536:
        values[-(values.size % 64) :] = 0
    return values


@changed("partial sums of many elements are dropped", "X/{}/float32", "X", "sum", ("float32",))
def _partial(dtype, values, views, a):
    return values - values * np.float32(1 / 1024) if views[0].shape[-1] > 32768 else values


@plant("the sum of an empty array is not 0", "X/sum", "X")
class EmptySum(Changed):
    ops, dtypes = ("sum",), ("float32",)

    def change(self, op, dtype, values, views, attributes):
        return np.ones_like(values) if not views[0].size else values


@plant("duplicate indices are added once", "N/index_accumulate", "N")
class Duplicates(Changed):
    ops, dtypes = ("index_accumulate",), ("float32",)

    def change(self, op, dtype, values, views, attributes):
        axis, total = attributes["axis"], views[0].copy()
        for at in np.ndindex(views[1].shape):
            target = (*at[:axis], int(views[1][at]), *at[axis + 1 :])
            total[target] = views[0][target] + views[2][at]
        return total


@plant("gather takes the index along the other axis", "N/take_along_axis", "N")
class WrongAxis(Changed):
    ops = ("take_along_axis",)

    def change(self, op, dtype, values, views, attributes):
        return np.roll(values, 1, axis=attributes["axis"])


@plant("the random counter has 32 bits", "G", "G")
class ShortCounter(Changed):
    ops = ("random_bits",)

    def change(self, op, dtype, values, views, attributes):
        n, seed, offset = attributes["shape"][0], attributes["seed"], attributes["offset"]
        blocks = [philox.words(4, seed, (offset + i) % 2**32) for i in range(-(-n // 4))]
        return np.concatenate(blocks)[:n]


@plant("the random tail is constant", "G", "G")
class ConstantTail(Changed):
    ops = ("random_bits",)

    def change(self, op, dtype, values, views, attributes):
        values[96:] = values[-1]
        return values


@plant("iota is off by one from 64 on", "N/iota", "N")
class Iota(Changed):
    ops = ("iota",)

    def change(self, op, dtype, values, views, attributes):
        values[64:] = np.roll(values, -1)[64:]
        return values


@plant("a declared op is refused", "N/floor", "N")
class Refused(FakeDevice):
    def _check(self, op, dtypes, operands, attributes):
        if op == "floor":
            raise self.error("not_supported")("not today")
        super()._check(op, dtypes, operands, attributes)


@plant("the wrong kind of error for what is lacking", "N/tanh/float64", "N")
class WrongError(FakeDevice):
    def _check(self, op, dtypes, operands, attributes):
        if (op, dtypes[:1]) == ("tanh", ["float64"]):
            raise RuntimeError("internal")
        super()._check(op, dtypes, operands, attributes)


@plant("an axis out of range is taken modulo the rank", "F/invalid_call", "F")
class AnyAxis(FakeDevice):
    def run(self, op, operands, attributes):
        if "axis" in attributes:
            rank = max(len(operands[0].placed.shape), 1)
            attributes = attributes | {"axis": attributes["axis"] % rank}
        return super().run(op, operands, attributes)


@plant("weights of another size are taken", "F/invalid_call/size_of_a_weight", "F")
class AnyWeight(FakeDevice):
    def check_form(self, op, shapes, attributes):
        if op != "rms_norm":
            super().check_form(op, shapes, attributes)

    def compute(self, op, dtypes, views, attributes):
        if op == "rms_norm":
            views = [views[0], np.resize(views[1], views[0].shape[-1:])]
        return super().compute(op, dtypes, views, attributes)


@plant("floats are taken as bits", "F/invalid_call/bits_of_floats", "F")
class FloatBits(FakeDevice):
    def run(self, op, operands, attributes):
        return super().run("mul" if op == "bitwise_and" else op, operands, attributes)


@plant("a silent fallback", "N/exp/float32", "N")
class Silent(FakeDevice):
    def _check(self, op, dtypes, operands, attributes):
        super()._check(op, dtypes, operands, attributes)
        if op == "exp":
            self.counts[op] -= 1
