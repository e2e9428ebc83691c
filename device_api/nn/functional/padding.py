# SPDX-License-Identifier: Apache-2.0
"""Padding of arrays, as ``pad`` of paddle.nn.functional 3.3."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from device_api import _core, errors, indexing
from device_api._core import Tensor
from device_api._host_memory import host_memory
from device_api.creation import as_shape
from device_api.nn.functional._windows import Pair, padded

_MODES = ("constant", "reflect", "replicate", "circular")
_FORMATS = {3: ("NCL", "NLC"), 4: ("NCHW", "NHWC"), 5: ("NCDHW", "NDHWC")}

Positions: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"


def pad(
    x: Tensor,
    pad: Sequence[int],
    mode: str = "constant",
    value: float = 0.0,
    data_format: str | None = None,
    pad_from_left_axis: bool = True,
    name: str | None = None,
) -> Tensor:
    """Return x with elements added before and after its axes; any type.

    ``mode``: "constant" adds ``value``; "reflect" mirrors x at its edge, "replicate" repeats the
    edge, "circular" goes round, more than once if need be. With 2 * (ndim - 2) numbers, and
    always in the three last modes (x then has 3 to 5 dimensions), ``pad`` is (left, right, top,
    bottom, front, back) for the spatial axes, the last one first, where ``data_format`` says which
    these are. Else, in "constant", it has an even number of integers, at most two per axis: with
    two per axis from the first axis on (from the last one with ``pad_from_left_axis=False``), with
    fewer from the last one on. Negative numbers cut off, in "constant". InvalidArgumentError for
    others and for "reflect" by the axis's size or more.
    """
    if mode not in _MODES:
        raise errors.InvalidArgumentError(
            f"pad: mode is {mode!r}", f"give one of {', '.join(_MODES)}"
        )
    try:
        given = [operator.index(n) for n in pad]
    except TypeError as error:
        raise errors.InvalidArgumentError(f"pad: pad is {pad!r}", "give integers") from error
    if not given:
        return _core.copy(x)
    if mode == "constant" and len(given) != 2 * (x.ndim - 2):
        pairs = _any_axes(x, given, pad_from_left_axis)
    else:
        pairs = _spatial_axes(x, given, data_format)
    if mode == "constant":
        return _constant(x, pairs, value)
    for axis, pair in enumerate(pairs):
        if any(pair):
            x = indexing.take(x, _source(mode, x.shape[axis], pair), axis=axis)
    return x if any(any(pair) for pair in pairs) else _core.copy(x)


def _any_axes(x: Tensor, given: list[int], from_left: bool) -> list[Pair]:
    if len(given) % 2 or len(given) > 2 * x.ndim:
        raise errors.InvalidArgumentError(
            f"pad: {len(given)} numbers for {x.ndim} dimensions",
            "give an even number of integers, at most two per axis",
        )
    pairs = list(zip(given[::2], given[1::2], strict=True))
    if len(pairs) == x.ndim and from_left:
        return pairs
    return [(0, 0)] * (x.ndim - len(pairs)) + pairs[::-1]


def _spatial_axes(x: Tensor, given: list[int], data_format: str | None) -> list[Pair]:
    formats = _FORMATS.get(x.ndim)
    if formats is None or len(given) != 2 * (x.ndim - 2):
        raise errors.InvalidArgumentError(
            f"pad: {len(given)} numbers for shape {x.shape}",
            "give 3 to 5 dimensions and two integers per spatial axis, the last axis first",
        )
    chosen = formats[0] if data_format is None else data_format
    if chosen not in formats:
        raise errors.InvalidArgumentError(
            f"pad: data_format {chosen!r} for {x.ndim} dimensions", f"give one of {formats}"
        )
    pairs = list(zip(given[::2], given[1::2], strict=True))[::-1]
    none = (0, 0)
    return [none, *pairs, none] if chosen == formats[1] else [none, none, *pairs]


def _constant(x: Tensor, pairs: list[Pair], value: float) -> Tensor:
    kept = []
    for size, (before, after) in zip(x.shape, pairs, strict=True):
        start, stop = max(0, -before), size - max(0, -after)
        if start > stop:
            raise errors.InvalidArgumentError(
                f"pad: {(before, after)} cuts off more than the {size} elements there are",
                "cut off less",
            )
        kept.append(slice(start, stop))
    inner: Tensor = x[tuple(kept)] if x.ndim else x
    added = [(max(0, before), max(0, after)) for before, after in pairs]
    y = padded(inner, added, value)
    return _core.copy(y) if y is inner else y


def _source(mode: str, size: int, pair: Pair) -> Positions:
    """Return which element of the axis stands at each place of the result."""
    before, after = pair
    least = 1 if mode != "reflect" else max(before, after) + 1
    if min(pair) < 0 or size < least:
        raise errors.InvalidArgumentError(
            f"pad: {mode} by {pair} along an axis of size {size}",
            "give integers from 0 on" + (", below the size" if mode == "reflect" else ""),
        )
    (length,) = as_shape((before + size + after,))
    with host_memory("pad"):
        return _places(mode, size, np.arange(-before, length - before))


def _places(mode: str, size: int, place: Positions) -> Positions:
    if mode == "circular":
        return place % size
    if mode == "replicate":
        return np.clip(place, 0, size - 1)
    place = np.abs(place)
    return np.where(place >= size, 2 * (size - 1) - place, place)
