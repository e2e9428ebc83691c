# SPDX-License-Identifier: Apache-2.0
"""Layouts: how values lie in a buffer, with sentinels around them and poison in the gaps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from device_api_conformance.formats import (
    FLOATS,
    PARTS,
    Array,
    Host,
    bits_of,
    joined,
    storage,
)

OFFSETS = 12
"""Number of different offsets of dense views."""
GUARD = 32
"""Elements of sentinel before and after the values."""

BASIC = (
    "contiguous",
    "transposed",
    "stepped",
    "negative",
    "offset",
    "zero_stride",
    "odd_unit",
)
LAYOUTS = (*BASIC, "pitched", "permuted", "flipped", "zero_last", "scalar", "overlapping")
"""Names of the layouts; `view` says what each means."""

SHARING = ("zero_stride", "zero_last", "scalar", "overlapping")
"""Layouts in which elements share memory: no result can be written there."""


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

    Where elements share memory the view's values differ from `values`: use `Placed.values()`
    afterwards. A dense view with an offset starts at one of several places.
    """
    shape = values.shape
    strides, extent, start = view(shape, layout)
    if layout == "offset":
        more = int(rng.integers(0, OFFSETS))
        start, extent = start + more, extent + more
    buffer = poison(values.dtype, 2 * GUARD + extent, rng)
    placed = Placed(values.dtype, buffer, shape, strides, GUARD + start)
    if values.data.size:
        placed.view()[...] = _repeated(values.data, strides)
    return placed


def _repeated(data: Array, strides: tuple[int, ...]) -> Array:
    for axis, (n, stride) in enumerate(zip(data.shape, strides, strict=True)):
        if stride == 0 and n > 1:
            data = np.broadcast_to(data.take([0], axis=axis), data.shape)
    return data


def view(shape: tuple[int, ...], layout: str) -> tuple[tuple[int, ...], int, int]:
    """Strides, size of the region in elements and offset of the first element in it.

    `stepped`: gaps between all elements; `pitched`: between rows only; `permuted`: the second axis
    lies innermost, as channels often do; `negative`: all axes run backwards, `flipped`: the last
    one; `zero_stride`: the first axis repeats, `zero_last`: the last one, `scalar`: all of them;
    `overlapping`: each row starts one element after the one before; `odd_unit`: strides of single
    elements mean nothing.
    """
    rank = len(shape)
    order = _ORDERS[layout](rank) if layout in _ORDERS else list(range(rank))
    steps = _STEPS[layout](rank) if layout in _STEPS else [1] * rank
    strides = [0] * rank
    run = 1
    for place, axis in enumerate(reversed(order)):
        strides[axis] = run * steps[axis]
        run *= max(shape[axis], 1) * abs(steps[axis])
        run += PITCH if place == 0 and layout == "pitched" else 0
    start = sum(-s * (n - 1) for s, n in zip(strides, shape, strict=True) if s < 0 and n > 0)
    if layout == "offset":
        start, run = start + 1, run + 1
    if layout in ("zero_stride", "zero_last"):
        strides = _with_zero(shape, layout == "zero_last")
    if layout == "odd_unit":
        strides = [s if n != 1 else 977 for s, n in zip(strides, shape, strict=True)]
    if layout in ("overlapping", "scalar"):
        strides = [int(layout == "overlapping")] * rank
    return tuple(strides), max(run, 1), start


PITCH = 3
"""Elements between the rows of a view that is `pitched`."""

_ORDERS: dict[str, Callable[[int], list[int]]] = {
    "transposed": lambda n: list(range(n))[::-1],
    "permuted": lambda n: [0, *range(2, n), 1] if n > 2 else list(range(n))[::-1],
}
"""Axes from the outermost in memory to the innermost, by the rank."""

_STEPS: dict[str, Callable[[int], list[int]]] = {
    "stepped": lambda n: [2] * (n - 1) + [3] * (n > 0),
    "negative": lambda n: [-1] * n,
    "flipped": lambda n: [1] * (n - 1) + [-1] * (n > 0),
}
"""Distances of neighbours in units of what lies inside them, by the rank."""


def _with_zero(shape: tuple[int, ...], last: bool) -> list[int]:
    long = [a for a, n in enumerate(shape) if n > 1]
    repeated = long[-1 if last else 0] if long else None
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
    quiet = {
        "float16": 0x7E00,
        "bfloat16": 0x7FC0,
        "float32": 0x7FC00000,
        "float64": 0x7FF8 << 48,
    }
    payload = (noise % 31).astype(np.uint64) + np.uint64(quiet[dtype])
    width = storage(dtype).itemsize
    values: Array = payload.astype(f"u{width}").view(storage(dtype))
    return values
