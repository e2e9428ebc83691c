# SPDX-License-Identifier: Apache-2.0
"""array-api-compat, array-api-extra and einops, unchanged, on every device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import array_api_compat
import array_api_extra as xpx
import einops.array_api
import numpy as np
import pytest

import device_api as xp

X = np.linspace(-2, 3, 24, dtype=np.float32).reshape(6, 4)


def test_compat_knows_the_namespace(device: str) -> None:
    x = xp.asarray(X)
    assert array_api_compat.array_namespace(x, xp.ones((2,))) is xp
    assert array_api_compat.is_array_api_obj(x)
    assert not array_api_compat.is_numpy_array(x)
    assert array_api_compat.size(x) == 24
    assert array_api_compat.device(x) == x.device
    there = array_api_compat.to_device(x, "cpu")
    assert (there.device.type, there.shape) == ("cpu", (6, 4))
    back = array_api_compat.to_device(there, x.device)
    np.testing.assert_array_equal(back.numpy(), X)
    with pytest.raises(TypeError, match=r"[Mm]ultiple namespaces"):
        array_api_compat.array_namespace(x, X)


Z = np.array([[1 + 2j, 0.5 - 1j], [3j, -2]], dtype=np.complex64)
EXTRA: dict[str, Callable[[Any, Any], Any]] = {
    "apply_where": lambda n, x: xpx.apply_where(x > 0, x, lambda a: a * 2, fill_value=-1.0),
    "at_add": lambda n, x: xpx.at(n.asarray(x, copy=True))[1:3].add(2.0),
    "at_mask": lambda n, x: xpx.at(n.asarray(x, copy=True))[x > 1].set(0.0),
    "at_max": lambda n, x: xpx.at(n.asarray(x, copy=True))[:, 2].max(0.5),
    "atleast_nd": lambda n, x: xpx.atleast_nd(x, ndim=4),
    "cov": lambda n, x: xpx.cov(x),
    "create_diagonal": lambda n, x: xpx.create_diagonal(x[:, 0], offset=1),
    "isclose": lambda n, x: xpx.isclose(x, x + 1e-9),
    "kron": lambda n, x: xpx.kron(x[:2, :2], x),
    "nunique": lambda n, x: xpx.nunique(n.round(x)),
    "one_hot": lambda n, x: xpx.one_hot(n.asarray([1, 0, 3]), 4, dtype=n.float32),
    "pad": lambda n, x: xpx.pad(x, ((1, 2), (0, 1)), constant_values=7.0),
    "partition": lambda n, x: n.sort(xpx.partition(x, 2, axis=0)[:3, :], axis=0),
    "setdiff1d": lambda n, x: xpx.setdiff1d(n.asarray([5, 1, 3, 1, 2]), n.asarray([3, 2])),
    "sinc": lambda n, x: xpx.sinc(x),
    "angle": lambda n, x: xpx.angle(n.asarray(Z)),
}


@pytest.mark.parametrize("name", EXTRA)
def test_array_api_extra(device: str, same: Any, name: str) -> None:
    same(EXTRA[name](xp, xp.asarray(X)), EXTRA[name](np, X))


EINOPS: dict[str, Callable[[Any], Any]] = {
    "split": lambda x: einops.array_api.rearrange(x, "(a b) c -> b a c", a=2),
    "flatten": lambda x: einops.array_api.rearrange(x, "a b -> (b a)"),
    "mean": lambda x: einops.array_api.reduce(x, "(a b) c -> a c", "mean", b=3),
    "max": lambda x: einops.array_api.reduce(x, "a b -> b", "max"),
    "repeat": lambda x: einops.array_api.repeat(x, "a b -> a (b c)", c=2),
    "pack": lambda x: einops.array_api.pack([x, x[:, 0]], "a *")[0],
}


@pytest.mark.parametrize("name", EINOPS)
def test_einops(device: str, same: Any, name: str) -> None:
    same(EINOPS[name](xp.asarray(X)), EINOPS[name](X))
