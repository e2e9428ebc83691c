# SPDX-License-Identifier: Apache-2.0
"""Inputs of ops that sort, search, gather and scatter: ties, NaN, zeros of both signs."""

from __future__ import annotations

from typing import Any

import numpy as np

from device_api_conformance import specials
from device_api_conformance.case import Case
from device_api_conformance.formats import FORMATS, Array, Host, bits_of, decode, rounded, storage
from device_api_conformance.inputs_sum import limits
from device_api_conformance.values import Inputs, ordinary


def order(case: Case, rng: np.random.Generator) -> Inputs:
    """Operand of sort, argsort or topk; the case's values say the order, too."""
    kind, _, direction = case.values.partition("_")
    shape, axis = case.shape or (), (case.axes or (0,))[0]
    data = _VALUES[kind](case.dtype, shape, rng)
    attributes: dict[str, Any] = {"axis": axis}
    if case.op == "topk":
        k = {"all": shape[axis], "none": 0}.get(kind, -(-shape[axis] // 3))
        result = tuple(k if a == axis else n for a, n in enumerate(shape))
        attributes |= {"smallest": int(direction == "down"), "k": k, "shape": result}
    else:
        attributes["descending"] = int(direction == "down")
    return Inputs([Host(case.dtype, data)], attributes)


def _plain(dtype: str, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    return ordinary(dtype, shape, rng)


def _ties(dtype: str, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """Few different values; zeros of both signs among floats."""
    if dtype == "bool":
        return ordinary(dtype, shape, rng)
    values = np.asarray(rng.integers(0, 4, shape))
    if dtype not in FORMATS:
        return values.astype(storage(dtype))
    signed = np.where(rng.random(shape) < 0.5, -0.0, values - 1.0)
    return rounded(dtype, signed)


def _specials(dtype: str, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    values = specials.of(dtype)
    return values[rng.integers(0, values.size, shape)]


def _limits(dtype: str, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """Nothing but the highest value in even rows, the lowest one in the others."""
    found = limits(dtype, shape, False)
    found[1::2] = limits(dtype, found[1::2].shape, True)
    return found


_VALUES = {
    "limits": _limits,
    "ordinary": _plain, "ties": _ties, "edges": _specials, "all": _ties, "none": _plain,
}  # fmt: skip


def search(case: Case, rng: np.random.Generator) -> Inputs:
    """An ascending line (NaN last) with repeats, and values in and between its elements."""
    kind, _, side = case.values.partition("_")
    n, *shape = case.shape or (0,)
    make = _specials if kind == "edges" else _plain if kind == "ordinary" else _ties
    line = make(case.dtype, (n,), rng)
    values = make(case.dtype, tuple(shape), rng)
    if n and kind == "ordinary":
        line[n // 2 :] = np.resize(line[: n // 2], n - n // 2) if n > 1 else line
        chosen = line[rng.integers(0, n, tuple(shape))]
        values = np.where(rng.random(tuple(shape)) < 0.5, chosen, values).astype(line.dtype)
    return Inputs(
        [Host(case.dtype, _ascending(case.dtype, line)), Host(case.dtype, np.asarray(values))],
        {"right": int(side == "right"), "shape": tuple(shape)},
    )


def _ascending(dtype: str, line: Array) -> Array:
    if dtype not in FORMATS:
        return np.sort(line)
    wide = decode(dtype, line)
    return line[np.lexsort((bits_of(line), np.where(np.isnan(wide), 0, wide), np.isnan(wide)))]


def along_axis(case: Case, rng: np.random.Generator) -> Inputs:
    """Operands of a gather or scatter; indices are in range."""
    shape, axis = case.shape or (), (case.axes or (0,))[0]
    picked = list(shape)
    picked[axis] = shape[axis] * 3 + 1 if case.values == "duplicates" else shape[axis] + 4
    if case.values == "none":
        picked[axis] = 0
    index = rng.integers(0, shape[axis], picked).astype(case.other)
    op = "index_accumulate" if case.op == "index_accumulate" else ""
    operands = [Host(case.dtype, np.asarray(ordinary(case.dtype, shape, rng, op))),
                Host(case.other, index)]  # fmt: skip
    if case.op != "take_along_axis":
        operands.append(Host(case.dtype, np.asarray(ordinary(case.dtype, tuple(picked), rng, op))))
    return Inputs(operands, {"axis": axis})
