# SPDX-License-Identifier: Apache-2.0
"""Planted faults of layouts, and of what lies around a view."""

from __future__ import annotations

import numpy as np
from fake_device import FakeDevice
from faults import plant


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
        moved = placed.offset > 32 and all(s > 0 for s in placed.strides)
        return self.dense(placed, 32) if moved else None


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


@plant("a write reads what it has written already", "L/copy/overlap L/add/overlap", "L")
class Forward(FakeDevice):
    """Element after element, with no look at where source and target lie."""

    def update(self, op, target, operands, attributes):
        mine = [o for o in operands if o.placed.buffer is target.placed.buffer]
        if not mine:
            super().update(op, target, operands, attributes)
            return
        self.counts[op] += 1
        to, source = target.view, operands[0].view
        for at in np.ndindex(to.shape):
            to[at] = source[at] if op == "copy" else to[at] + source[at]
