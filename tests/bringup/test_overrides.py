# SPDX-License-Identifier: Apache-2.0
"""A backend's own kernel comes before the composite; other ops are still composed."""

from __future__ import annotations

import bringup_devices
import numpy as np
import pytest

import device_api as xp
from device_api import _core

X = np.array([[0.5, -2.0, 3.0], [7.0, -0.25, -9.0]], dtype=np.float32)
OVERRIDES = {"softmax": (1,), "gelu": (), "sort": (1, 1)}


@pytest.mark.parametrize("op", OVERRIDES)
@pytest.mark.parametrize("dense", [True, False])
def test_an_own_kernel_is_used(op: str, dense: bool) -> None:
    loaded = bringup_devices.tuned()
    device = _core.as_device(loaded.type)
    x = _core.from_numpy(X, None, device)
    if not dense:
        x = _core.flip(x, 0)  # the kernels take dense operands only
    before = loaded.calls(op)
    native = _core.native_counts(device).get(op, 0)
    composed = _core.composed_counts(device).get(op, 0)
    with xp.fallback_policy("error"):
        got = _core.apply(op, [x], attributes=OVERRIDES[op])
    assert loaded.calls(op) == before + 1
    assert _core.native_counts(device)[op] == native + 1
    assert _core.composed_counts(device).get(op, 0) == composed
    wanted = _core.apply(op, [x.to_device("cpu")], attributes=OVERRIDES[op])
    np.testing.assert_allclose(got.numpy(), wanted.numpy(), rtol=1e-6)


@pytest.mark.parametrize(
    ("op", "dtype", "attributes"),
    [("softmax", "float64", (1,)), ("sort", "float16", (1, 0)), ("silu", "float32", ())],
)
def test_other_types_and_ops_are_composed(
    op: str, dtype: str, attributes: tuple[float, ...]
) -> None:
    loaded = bringup_devices.tuned()
    device = _core.as_device(loaded.type)
    x = _core.from_numpy(X, _core.dtypes[dtype], device)
    composed = _core.composed_counts(device).get(op, 0)
    with xp.fallback_policy("error"):
        got = _core.apply(op, [x], attributes=attributes)
    assert _core.composed_counts(device)[op] == composed + 1
    wanted = _core.apply(op, [x.to_device("cpu")], attributes=attributes)
    np.testing.assert_allclose(got.numpy(), wanted.numpy(), rtol=1e-6)


def test_a_composite_uses_an_own_kernel() -> None:
    # Attention is composed, of the device's softmax.
    loaded = bringup_devices.tuned()
    device = _core.as_device(loaded.type)
    x = _core.from_numpy(X[None], None, device)
    before = loaded.calls("softmax")
    with xp.fallback_policy("error"):
        got = _core.apply("attention", [x, x, x], attributes=(0.5, 1))
    assert loaded.calls("softmax") == before + 1
    np.testing.assert_allclose(got.numpy()[0, 0], X[0], rtol=1e-6)
