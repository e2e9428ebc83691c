# SPDX-License-Identifier: Apache-2.0
"""Inputs of softmax, norms and attention: far means, wide ranges, infinities, masked rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from device_api_conformance.case import Case
from device_api_conformance.formats import Array, Host, rounded
from device_api_conformance.values import Inputs, ordinary

EPSILON = 2.0**-12


def normalize(case: Case, rng: np.random.Generator) -> Inputs:
    """Operands of softmax, log_softmax, layer_norm or rms_norm."""
    shape = case.shape or ()
    make = _VALUES.get(case.values)
    data = make(case.dtype, shape, rng) if make else _plain(case, shape, rng)
    if case.op in ("softmax", "log_softmax"):
        return Inputs([Host(case.dtype, data)], {"axis": (case.axes or (0,))[0]})
    operands = [Host(case.dtype, data)]
    for _ in range(2 if case.op == "layer_norm" else 1):
        operands.append(Host(case.dtype, rounded(case.dtype, rng.uniform(-2, 2, shape[-1:]))))
    return Inputs(operands, {"epsilon": EPSILON})


def _plain(case: Case, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    return ordinary(case.dtype, shape, rng, case.op)


def _far(dtype: str, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """A large number with small differences: exp overflows, squares cancel."""
    base, spread = {"float16": (1000.0, 8.0), "bfloat16": (1024.0, 64.0)}.get(dtype, (16384.0, 3.0))
    return rounded(dtype, base + rng.uniform(-spread, spread, shape))


def _constant(dtype: str, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    return rounded(dtype, np.full(shape, 2.5))


def _infinities(dtype: str, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """Rows with -inf, with nothing else, with +inf, with NaN, and ordinary ones."""
    data = rng.uniform(-4, 4, shape)
    data[0::5, 1::3] = -np.inf
    data[1::5] = -np.inf
    data[2::5, -1] = np.inf
    data[3::5, 0] = np.nan
    return rounded(dtype, data)


def _below(dtype: str, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """Far below 0: no element is larger than a maximum that starts at 0."""
    base, spread = {"float16": (-1000.0, 8.0), "bfloat16": (-1024.0, 64.0)}.get(dtype, (-500, 3.0))
    return rounded(dtype, base + rng.uniform(-spread, spread, shape))


def _nan_row(dtype: str, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """A NaN in every third row, at another place each time."""
    data = rng.uniform(-4, 4, shape)
    rows = np.arange(0, shape[0], 3)
    data[rows, rows % shape[1]] = np.nan
    return rounded(dtype, data)


_VALUES: dict[str, Callable[[str, tuple[int, ...], np.random.Generator], Array]] = {
    "far": _far, "constant": _constant, "infinities": _infinities, "below": _below,
    "nan_row": _nan_row,
}  # fmt: skip


def attention(case: Case, rng: np.random.Generator) -> Inputs:
    """query, key and value; the case's shape is (batch.., L, S, D, E)."""
    *batch, rows, columns, depth, width = case.shape or ()
    shapes = ((rows, depth), (columns, depth), (columns, width))
    operands = [Host(case.dtype, np.asarray(ordinary(case.dtype, (*batch, *s), rng, "attention")))
                for s in shapes]  # fmt: skip
    if case.values == "masked":  # a score of -inf hides a column, another one in each row
        query, key = (h.exact() for h in operands[:2])
        query[..., :rows, :2] = 0.25 + np.arange(rows)[:, None] % 2 * [0.5, -0.25]
        key[..., ::3, 0], key[..., 1::4, 1] = -np.inf, -np.inf
        operands[:2] = [Host(case.dtype, rounded(case.dtype, v)) for v in (query, key)]
    if case.values == "nan_row":
        operands[0].data[..., 1::3, depth // 2] = rounded(case.dtype, np.array(np.nan))
    scale = {"far": 32.0}.get(case.values, 0.25)
    attributes: dict[str, Any] = {"scale": scale, "causal": int(case.values == "causal")}
    return Inputs(operands, attributes | {"shape": (*batch, rows, width)})
