# SPDX-License-Identifier: Apache-2.0
"""Truth of ops that order or test elements: extremes, sorting, searching, any and all.

NaN counts as the largest; equal elements keep their order (Python's sort is stable, also in
reverse).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Any

import numpy as np

from device_api_abi.optable import Op
from device_api_conformance.expectation import Expected, exactly, truths
from device_api_conformance.formats import FORMATS, Array, Host, rounded, storage

Attributes = dict[str, Any]


def _kept(shape: tuple[int, ...], axes: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(n for a, n in enumerate(shape) if a not in axes)


def extreme(op: Op, dtype: str, operands: list[Host], attributes: Attributes) -> Expected:
    """max and min: NaN anywhere gives NaN; the sign of a zero is judged where all zeros agree."""
    x, axes = operands[0].exact(), tuple(attributes["axes"])
    largest = op.name == "max"
    if not x.size:
        return exactly(dtype, np.zeros(_kept(x.shape, axes), storage(dtype)))
    found = np.max(x, axis=axes) if largest else np.min(x, axis=axes)
    if dtype not in FORMATS:
        return exactly(dtype, np.asarray(found, dtype=object).astype(storage(dtype)))
    negative = np.all((x == 0) <= np.signbit(x), axis=axes)  # every zero is -0
    positive = np.all((x == 0) <= ~np.signbit(x), axis=axes)
    data = np.where(found == 0, np.where(negative, -0.0, 0.0), found)
    mixed = np.asarray((found == 0) & ~negative & ~positive)
    return exactly(dtype, rounded(dtype, data), zero_either=mixed)


def quantified(op: Op, dtype: str, operands: list[Host], attributes: Attributes) -> Expected:
    """any and all; NaN is not zero."""
    nonzero = np.asarray(operands[0].exact() != 0).astype(np.bool_)
    test = np.any if op.name == "any" else np.all
    return truths(test(nonzero, axis=tuple(attributes["axes"])))


def _ordered(line: list[Any]) -> list[tuple[bool, Any]]:
    """Keys of a line: NaN above everything, equal to itself."""
    return [(v != v, 0 if v != v else v) for v in line]


def _lines(x: Array, axis: int) -> tuple[Array, tuple[int, ...]]:
    moved = np.moveaxis(x, axis, -1)
    return moved.reshape(-1, moved.shape[-1]) if moved.size else moved, moved.shape


def arg_reduce(op: Op, dtype: str, operands: list[Host], attributes: Attributes) -> Expected:
    """argmax and argmin: the first extreme element; the first NaN wins."""
    (axis,) = attributes["axes"]
    lines = np.moveaxis(operands[0].exact(), axis, -1)
    found = np.empty(lines.shape[:-1], dtype=np.int64)
    for at in np.ndindex(found.shape):
        found[at] = _first(lines[at].tolist(), op.name == "argmax")
    return exactly("int64", found)


def _first(line: list[Any], largest: bool) -> int:
    best = 0
    for i, value in enumerate(line):
        if value != value:
            return i
        if (value > line[best]) if largest else (value < line[best]):
            best = i
    return best


def order(op: Op, dtype: str, operands: list[Host], attributes: Attributes) -> Expected:
    """sort, argsort and topk."""
    x, axis = operands[0], attributes["axis"]
    down = bool(attributes.get("descending", 0))
    if op.name == "topk":
        down = not attributes["smallest"]
    values = x.exact()
    lines, shape = _lines(values, axis)
    index = np.empty((len(lines) if values.size else 0, shape[-1]), dtype=np.int64)
    for i in range(len(index)):
        keys = _ordered(lines[i].tolist())
        index[i] = sorted(range(len(keys)), key=keys.__getitem__, reverse=down)
    found = np.moveaxis(index.reshape(shape), -1, axis)
    if op.name == "topk":
        return exactly("int64", np.take(found, range(attributes["k"]), axis=axis))
    if op.name == "argsort":
        return exactly("int64", found)
    return exactly(dtype, np.take_along_axis(x.data, found, axis=axis))


def search(op: Op, dtype: str, operands: list[Host], attributes: Attributes) -> Expected:
    """searchsorted"""
    x, values = (h.exact().reshape(-1).tolist() for h in operands)
    find = bisect_right if attributes["right"] else bisect_left
    keys = _ordered(x)
    found = [find(keys, key) for key in _ordered(values)]
    return exactly("int64", np.array(found, dtype=np.int64).reshape(operands[1].shape))
