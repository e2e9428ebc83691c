# SPDX-License-Identifier: Apache-2.0
"""Windows over spatial dimensions: their padding and number, by PaddlePaddle's rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from device_api import _core, errors
from device_api._core import Tensor
from device_api.creation import as_shape
from device_api.nn.functional._arrays import LARGEST, is_whole, numbers

Pair: TypeAlias = tuple[int, int]
Sizes: TypeAlias = int | Sequence[int]
Padding: TypeAlias = str | int | Sequence[Any]


@dataclass(frozen=True)
class Windows:
    """Windows along the spatial dimensions, a number of each kind for each dimension."""

    sizes: tuple[int, ...]
    window: tuple[int, ...]
    stride: tuple[int, ...]
    dilation: tuple[int, ...]
    before: tuple[int, ...]
    positions: tuple[int, ...]

    @property
    def reach(self) -> tuple[int, ...]:
        """Padding after the array that the last windows need, 0 or more."""
        spans = (d * (k - 1) + 1 for d, k in zip(self.dilation, self.window, strict=True))
        ends = zip(self.positions, self.stride, spans, self.before, self.sizes, strict=True)
        return tuple(max(0, (n - 1) * s + span - b - size) for n, s, span, b, size in ends)

    def attributes(self, *kinds: str) -> list[int]:
        """Return attributes of an op: three numbers of each kind, those of absent axes neutral."""
        found: list[int] = []
        for kind in kinds:
            given: tuple[int, ...] = getattr(self, kind)
            found += [0 if kind == "before" else 1] * (3 - len(given)) + list(given)
        return found


def padding_pairs(padding: Padding, count: int, channel_last: bool, function: str) -> list[Pair]:
    """Return how many elements stand before and after each spatial dimension.

    An integer for all; one per dimension; before and after of each in one list; or a pair per
    axis of the array, where batch and channel have (0, 0).
    """
    given: list[Any] = list(padding) if isinstance(padding, list | tuple) else [padding] * count
    if len(given) == count + 2 and all(isinstance(p, list | tuple) for p in given):
        spatial = given[1:-1] if channel_last else given[2:]
        rest = [given[0], given[-1] if channel_last else given[1]]
        if all(list(p) == [0, 0] for p in rest) and all(len(p) == 2 for p in spatial):
            given = [n for pair in spatial for n in pair]
    if len(given) == count:
        given = [n for n in given for _ in range(2)]
    if len(given) != 2 * count or not all(is_whole(n) and 0 <= n <= LARGEST for n in given):
        raise errors.InvalidArgumentError(
            f"{function}: padding is {padding!r}",
            f"give 'SAME', 'VALID', an integer, {count} or {2 * count} of them, or a pair per "
            f"axis, of integers from 0 to {LARGEST}",
        )
    given = [int(n) for n in given]
    return list(zip(given[::2], given[1::2], strict=True))


def same_padding(size: int, window: int, stride: int) -> Pair:
    """Return the padding with which a dimension has ``ceil(size / stride)`` positions."""
    total = max((-(-size // stride) - 1) * stride + window - size, 0)
    return total // 2, total - total // 2


def resolved_padding(
    padding: Padding,
    sizes: Sequence[int],
    window: Sequence[int],
    stride: Sequence[int],
    channel_last: bool,
    function: str,
) -> list[Pair]:
    """Return the padding of each dimension; "SAME" and "VALID" are worked out."""
    if not isinstance(padding, str):
        return padding_pairs(padding, len(sizes), channel_last, function)
    if padding.upper() == "VALID":
        return [(0, 0)] * len(sizes)
    if padding.upper() == "SAME":
        return [same_padding(*each) for each in zip(sizes, window, stride, strict=True)]
    raise errors.InvalidArgumentError(
        f"{function}: padding is {padding!r}", "the strings are 'SAME' and 'VALID'"
    )


def windows(
    sizes: Sequence[int],
    window: Sizes,
    stride: Sizes,
    padding: Padding,
    dilation: Sizes = 1,
    *,
    channel_last: bool = False,
    ceil_mode: bool = False,
    function: str,
) -> Windows:
    """Return the windows over an array; ShapeError where none fits.

    ``ceil_mode`` rounds the number of positions up. With "SAME" the dilation counts as 1.
    """
    count = len(sizes)
    window = numbers(window, count, "the window", function)
    stride = numbers(stride, count, "stride", function)
    dilation = numbers(dilation, count, "dilation", function)
    if isinstance(padding, str) and padding.upper() == "SAME":
        dilation = (1,) * count
    if isinstance(padding, str) and padding.upper() == "VALID" and ceil_mode:
        raise errors.InvalidArgumentError(
            f"{function}: ceil_mode with padding 'VALID'", "give padding 0 instead"
        )
    pairs = resolved_padding(padding, sizes, window, stride, channel_last, function)
    positions = []
    for size, k, s, d, (before, after) in zip(sizes, window, stride, dilation, pairs, strict=True):
        room = size + before + after - d * (k - 1) - 1
        positions.append((room + (s - 1 if ceil_mode else 0)) // s + 1 if room >= 0 else 0)
    if min(positions) < 1:
        raise errors.ShapeError(
            f"{function}: a window of {window} (dilation {dilation}) does not fit in {sizes} "
            f"with padding {pairs}",
            "use a smaller window or more padding",
            op=function,
        )
    leads = tuple(pair[0] for pair in pairs)
    return Windows(tuple(sizes), window, stride, dilation, leads, tuple(positions))


def padded(x: Tensor, pairs: Sequence[Pair], value: float) -> Tensor:
    """Return x with a value around its last axes; x itself where there is nothing to add."""
    if not any(any(pair) for pair in pairs):
        return x
    lead = x.ndim - len(pairs)
    shape = list(x.shape[:lead])
    inner: list[slice] = [slice(None)] * lead
    for size, (before, after) in zip(x.shape[lead:], pairs, strict=True):
        shape.append(before + size + after)
        inner.append(slice(before, before + size))
    y = _core.full(as_shape(shape), value, x.dtype, x.device)
    y[tuple(inner)] = x
    return y


def window_view(x: Tensor, w: Windows, value: float) -> Tensor:
    """Return all windows of (N, C, *sizes) as (N, C, *positions, *window), padded with a value.

    ShapeError where there are more elements in them than an array can have.
    """
    shape = as_shape((*x.shape[:2], *w.positions, *w.window))
    y = padded(x, list(zip(w.before, w.reach, strict=True)), value)
    inner = y.strides[2:]
    # An axis of size 1 needs no step, and a stride of that size may be beyond all bounds.
    steps = [s * n * (p > 1) for s, n, p in zip(inner, w.stride, w.positions, strict=True)]
    along = [s * d * (k > 1) for s, d, k in zip(inner, w.dilation, w.window, strict=True)]
    return _strided(y, shape, (*y.strides[:2], *steps, *along))


def _strided(x: Tensor, shape: Sequence[int], strides: Sequence[int]) -> Tensor:
    return _core.as_strided(x, shape, strides, 0)
