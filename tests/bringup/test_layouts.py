# SPDX-License-Identifier: Apache-2.0
"""Composites on views: strides of every sign and 0, rank 0, and results written into views."""

from __future__ import annotations

from typing import Any

import bringup_devices
import bringup_samples as samples
import numpy as np
import pytest
import test_structured
from test_elementwise import ATTRIBUTES, OPS

import device_api as xp
from device_api import _core
from device_api._core import Tensor
from device_api_abi import optable
from device_api_abi.optable import Op

LAYOUTS = {
    "transposed": lambda x: _core.permute_dims(x, (1, 0)),
    "reversed": lambda x: _core.flip(x, None),
    "every second": lambda x: x[:, ::2],
    "repeated": lambda x: _core.broadcast_to(x[:1], (5, x.shape[1])),
    "rank 0": lambda x: x[1, 2],
    "rank 4": lambda x: _core.expand_dims(_core.expand_dims(x, 0), 2),
}


def _inputs(op: Op, device: str) -> list[Tensor]:
    dtype = next((t for t in ("float32", "int32", "bool") if t in op.dtypes), op.dtypes[-1])
    rng = np.random.default_rng(op.id)
    made = []
    for _ in op.inputs:
        values: Any = rng.uniform(0.1, 0.9, (4, 6)) * 5
        if dtype in optable.COMPLEX:
            values = values + 1j * rng.normal(size=(4, 6))
        elif dtype != "float32":
            values = values.astype(dtype)
        made.append(samples.upload(values, dtype, device))
    return made


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("op", OPS, ids=[op.name for op in OPS])
def test_elementwise_views_give_what_dense_copies_give(op: Op, layout: str) -> None:
    views = [LAYOUTS[layout](x) for x in _inputs(op, bringup_devices.bare())]
    attributes = ATTRIBUTES.get(op.name, ())
    with xp.fallback_policy("error"):
        got = _core.apply(op.name, views, attributes=attributes)
        dense = _core.apply(op.name, [_core.copy(x) for x in views], attributes=attributes)
    assert got.shape == views[0].shape
    np.testing.assert_array_equal(samples.as_wide(got), samples.as_wide(dense))


_FIRST = {case.op: case for case, _ in reversed(test_structured.CASES)}


@pytest.mark.parametrize("op", sorted(_FIRST))
def test_structured_views_give_what_dense_copies_give(op: str) -> None:
    case, dtype = _FIRST[op], test_structured.TABLE[op].dtypes[-1]
    dtype = dtype if dtype not in optable.COMPLEX else "float64"
    inputs = test_structured._inputs(case, dtype, np.random.default_rng(3))
    inputs = [x.to_device(bringup_devices.bare()) for x in inputs]
    views = []
    for x in inputs:
        twice = _core.concat([_core.expand_dims(x, x.ndim)] * 2, -1)
        views.append(_core.flip(_core.flip(twice, None)[..., 0], None))
    with xp.fallback_policy("error"):
        got, dense = (
            _core.apply(op, operands, case.shape, attributes=case.attributes)
            for operands in (views, inputs)
        )
    np.testing.assert_array_equal(samples.as_wide(got), samples.as_wide(dense))


def test_results_are_written_into_views() -> None:
    device = bringup_devices.bare()
    with xp.device_guard(device), xp.fallback_policy("error"):
        x = xp.reshape(xp.arange(12, dtype=xp.float32), (3, 4))
        x[:, ::2] -= 1
        x[1] //= 2
        np.testing.assert_array_equal(x.numpy(), [[-1, 1, 1, 3], [1, 2, 2, 3], [7, 9, 9, 11]])
