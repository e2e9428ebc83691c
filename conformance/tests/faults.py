# SPDX-License-Identifier: Apache-2.0
"""Planted faults of ops: each a small change at the boundary of the fake device.

`FAULTS` names the device, the branches of cases on which it is tried, and the chapters one of
which must see it.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import fake_ops
import numpy as np
from fake_device import FakeDevice

from device_api_conformance import philox
from device_api_conformance.formats import FLOATS, FORMATS, INTEGERS, Host, decode, storage
from device_api_conformance.truth_move import converted

FAULTS: dict[str, tuple[type[FakeDevice], tuple[str, ...], str]] = {}


def plant(name: str, only: str, chapters: str):
    """Register a fault: patterns of cases (spaces between them) and letters of chapters."""

    def register(kind: type[FakeDevice]) -> type[FakeDevice]:
        FAULTS[name] = (kind, tuple(only.split()), chapters)
        return kind

    return register


class Changed(FakeDevice):
    """A device whose results of some ops are changed after the fact."""

    ops: tuple[str, ...] = ()
    dtypes: tuple[str, ...] = ()

    def compute(self, op, dtypes, views, attributes):
        dtype, values = super().compute(op, dtypes, views, attributes)
        key = dtypes[1 if op == "where" else 0] if dtypes else attributes["dtype"]
        if (self.ops and op not in self.ops) or (self.dtypes and key not in self.dtypes):
            return dtype, values
        with np.errstate(all="ignore"):
            changed = self.change(op, dtype, np.array(values), views, attributes)
        return dtype, np.asarray(changed)

    def change(self, op, dtype, values, views, attributes):
        raise NotImplementedError


def scaled(dtype, values, factor):
    return fake_ops.narrow(dtype, decode(dtype, values) * factor)


# ---- numerics ----


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


# ---- edge values ----


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


# ---- layouts ----


class Misread(FakeDevice):
    """A device that reads operands of some layouts wrongly."""

    def fetch(self, tensor):
        placed = tensor.placed
        read = self.misread(placed)
        return tensor.view if read is None else read.reshape(placed.shape)

    def misread(self, placed):
        raise NotImplementedError

    def dense(self, placed, start):
        n = int(np.prod(placed.shape))
        return np.resize(placed.buffer[start : start + n], n)


@plant("transposed input is read as contiguous", "L/*/transposed/*", "L")
class Transposed(Misread):
    def misread(self, placed):
        if len(placed.shape) < 2 or placed.strides[0] >= placed.strides[-1] or 0 in placed.strides:
            return None
        return self.dense(placed, placed.offset)


@plant("steps are ignored", "L/*/stepped/*", "L")
class Stepped(Misread):
    def misread(self, placed):
        return (
            self.dense(placed, placed.offset)
            if placed.strides and placed.strides[-1] == 3
            else None
        )


@plant("negative strides are taken as positive", "L/*/negative/*", "L")
class Negative(Misread):
    def misread(self, placed):
        if not placed.strides or placed.strides[-1] >= 0:
            return None
        return self.dense(placed, placed.offset - int(np.prod(placed.shape)) + 1)


@plant("zero strides are taken as dense", "L/*/zero_stride/*", "L")
class ZeroStride(Misread):
    def misread(self, placed):
        return self.dense(placed, placed.offset) if 0 in placed.strides else None


@plant("the offset of a view is ignored", "L/*/offset/*", "L")
class Offset(Misread):
    def misread(self, placed):
        return self.dense(placed, 32) if placed.offset == 37 else None


@plant("an input is overwritten", "N/mul/float32", "N")
class Overwritten(FakeDevice):
    def finished(self, op, operands, out):
        if op == "mul" and operands[0].view.size == out.size:
            operands[0].view[...] = out.reshape(operands[0].view.shape)


@plant("a result ends one element late", "L/copy/update L/fill/update", "L")
class TooFar(FakeDevice):
    def store(self, target, values):
        super().store(target, values)
        p = target.placed
        last = p.offset + sum(max(s, 0) * (n - 1) for s, n in zip(p.strides, p.shape, strict=True))
        p.buffer[last + 1] = p.buffer[last]


@plant("a result fills the gaps of its view", "L/copy/update L/add/update", "L")
class Gaps(FakeDevice):
    def store(self, target, values):
        super().store(target, values)
        p = target.placed
        if p.strides and p.strides[-1] == 3:
            p.buffer[p.offset + 1] = p.buffer[p.offset]


# ---- shapes, indices, random ----


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


# ---- other verdicts ----


@plant("results differ from run to run", "N/add/float32", "N")
class Flaky(Changed):
    ops = ("add",)

    def change(self, op, dtype, values, views, attributes):
        self.turn = getattr(self, "turn", 0) + 1
        values.reshape(-1)[self.turn % max(values.size, 1)] = 1
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


@plant("a silent fallback", "N/exp/float32", "N")
class Silent(FakeDevice):
    def _check(self, op, dtypes, operands, attributes):
        super()._check(op, dtypes, operands, attributes)
        if op == "exp":
            self.counts[op] -= 1


class Crashing(FakeDevice):
    """For the watchdog: dies in floor."""

    def compute(self, op, dtypes, views, attributes):
        if op == "floor" and dtypes == ["float32"]:
            os.abort()
        return super().compute(op, dtypes, views, attributes)


class Hanging(FakeDevice):
    """For the watchdog: never ends in floor."""

    def compute(self, op, dtypes, views, attributes):
        if op == "floor" and dtypes == ["float32"]:
            if "FAULT_MARKER" in os.environ:  # tells a test that the hang has begun
                Path(os.environ["FAULT_MARKER"]).touch()
            time.sleep(3600)
        return super().compute(op, dtypes, views, attributes)


def crashing(device: str) -> FakeDevice:
    return Crashing()


def hanging(device: str) -> FakeDevice:
    return Hanging()


def flaky(device: str) -> FakeDevice:
    return Flaky()
