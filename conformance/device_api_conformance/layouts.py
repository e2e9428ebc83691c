# SPDX-License-Identifier: Apache-2.0
"""Layouts: how values lie in a buffer, with sentinels around them and poison in the gaps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from device_api_conformance.formats import FLOATS, PARTS, Array, Host, bits_of, joined, storage

GUARD = 32
"""Elements of sentinel before and after the values."""

LAYOUTS = ("contiguous", "transposed", "stepped", "negative", "offset", "zero_stride", "odd_unit")
"""Names of the layouts; `view` says what each means."""


@dataclass
class Placed:
    """A buffer and a view of it: `strides` and `offset` in elements."""

    dtype: str
    buffer: Array
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int

    def values(self) -> Host:
        """What the view holds, as a dense array."""
        return Host(self.dtype, self.view().copy())

    def view(self, buffer: Array | None = None) -> Array:
        """The view on the buffer, or on another one of the same size."""
        base = self.buffer if buffer is None else buffer
        size = base.itemsize
        return np.lib.stride_tricks.as_strided(
            base[self.offset :], self.shape, tuple(s * size for s in self.strides)
        )

    def outside(self) -> Array:
        """Mask of the buffer's elements that the view does not reach."""
        mask = np.ones(self.buffer.shape, dtype=np.bool_)
        if all(self.shape):
            np.lib.stride_tricks.as_strided(mask[self.offset :], self.shape, self.strides)[...] = 0
        return mask


def damaged(placed: Placed, raw: Array, where: Array | None = None) -> int:
    """Number of elements of `raw` that differ in their bits from the buffer (within `where`)."""
    different = bits_of(raw) != bits_of(placed.buffer)
    if placed.dtype in PARTS:
        different = different.any(axis=-1)
    return int(np.count_nonzero(different if where is None else different & where))


def place(values: Host, layout: str, rng: np.random.Generator) -> Placed:
    """Lay `values` out in a new buffer.

    `zero_stride` repeats the first slice along the first axis of more than one element, so the
    view's values differ from `values`: use `Placed.values()` afterwards.
    """
    shape = values.shape
    strides, extent, start = view(shape, layout)
    buffer = poison(values.dtype, 2 * GUARD + extent, rng)
    placed = Placed(values.dtype, buffer, shape, strides, GUARD + start)
    if values.data.size:
        placed.view()[...] = (
            _repeated(values.data, strides) if layout == "zero_stride" else values.data
        )
    return placed


def _repeated(data: Array, strides: tuple[int, ...]) -> Array:
    for axis, (n, stride) in enumerate(zip(data.shape, strides, strict=True)):
        if stride == 0 and n > 1:
            return np.broadcast_to(data.take([0], axis=axis), data.shape)
    return data


def view(shape: tuple[int, ...], layout: str) -> tuple[tuple[int, ...], int, int]:
    """Strides, size of the region in elements and offset of the first element in it."""
    order = list(range(len(shape)))
    steps = [1] * len(shape)
    if layout == "transposed":
        order.reverse()
    elif layout == "stepped" and shape:
        steps = [2] * len(shape)
        steps[-1] = 3
    elif layout == "negative":
        steps = [-1] * len(shape)
    strides = [0] * len(shape)
    run = 1
    for axis in reversed(order):
        strides[axis] = run * steps[axis]
        run *= max(shape[axis], 1) * abs(steps[axis])
    start = sum(-s * (n - 1) for s, n in zip(strides, shape, strict=True) if s < 0 and n > 0)
    if layout == "offset":
        start, run = start + 5, run + 5
    if layout == "zero_stride":
        strides = _with_zero(shape)
    if layout == "odd_unit":
        strides = [s if n != 1 else 977 for s, n in zip(strides, shape, strict=True)]
    return tuple(strides), max(run, 1), start


def _with_zero(shape: tuple[int, ...]) -> list[int]:
    repeated = next((a for a, n in enumerate(shape) if n > 1), None)
    out, run = [0] * len(shape), 1
    for axis in reversed(range(len(shape))):
        if axis != repeated:
            out[axis] = run
            run *= max(shape[axis], 1)
    return out


def poison(dtype: str, size: int, rng: np.random.Generator) -> Array:
    """A buffer of values that spoil any result they leak into: NaN, extreme integers, noise."""
    kind = storage(dtype)
    noise = rng.integers(0, 2**31, size)
    if dtype == "bool":
        return np.asarray(noise % 2 == 0)
    if dtype in FLOATS:
        return _nans(dtype, noise)
    if dtype in PARTS:
        return joined(np.stack([_nans(PARTS[dtype], noise), _nans(PARTS[dtype], noise)], axis=-1))
    info = np.iinfo(kind)
    values: Array = kind.type(info.max) - (noise % 23).astype(kind)
    return values


def _nans(dtype: str, noise: Array) -> Array:
    quiet = {"float16": 0x7E00, "bfloat16": 0x7FC0, "float32": 0x7FC00000, "float64": 0x7FF8 << 48}
    payload = (noise % 31).astype(np.uint64) + np.uint64(quiet[dtype])
    width = storage(dtype).itemsize
    values: Array = payload.astype(f"u{width}").view(storage(dtype))
    return values
