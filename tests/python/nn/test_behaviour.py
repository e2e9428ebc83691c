# SPDX-License-Identifier: Apache-2.0
"""What formulas do not tell: dropout, results in place, views, statistics that are left alone."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys

import numpy as np
import pytest
from nn import comparing
from nn.cases import normal

import device_api as xp
import device_api.nn.functional as F
from device_api import random


def test_the_package_loads_on_first_use(cpu: str) -> None:
    assert xp.nn.functional is F
    assert "nn" in dir(xp)


@pytest.mark.parametrize("dtype", comparing.DTYPES)
def test_dropout_keeps_its_share_and_scales_it(device: str, dtype: str) -> None:
    random.seed(7)
    x = xp.astype(xp.ones((100, 100)), getattr(xp, dtype))
    y = comparing.to_host(F.dropout(x, 0.25))
    kept = y != 0
    assert abs(kept.mean() - 0.75) < 4 * np.sqrt(0.75 * 0.25 / y.size)
    np.testing.assert_allclose(y[kept], 4 / 3, rtol=comparing.EPSILON[dtype])
    plain = comparing.to_host(F.dropout(x, 0.25, mode="downscale_in_infer"))
    assert set(np.unique(plain)) == {0.0, 1.0}


def test_dropout_is_the_same_of_a_seed_on_every_device() -> None:
    found = []
    for name in ("cpu", "npu:0"):
        with xp.device_guard(name), xp.fallback_policy("allow"):
            random.seed(3)
            found.append(F.dropout(xp.ones((4, 50))).numpy())
    np.testing.assert_array_equal(*found)


def test_dropout_along_axes_drops_whole_slices(device: str) -> None:
    random.seed(1)
    y = F.dropout(xp.ones((40, 3, 5)), 0.5, axis=[0, 1]).numpy()
    assert ((y == 0).all(-1) | (y == 2).all(-1)).all()
    assert 0 < (y == 0).mean() < 1
    z = F.dropout(xp.ones((3, 40)), 0.5, axis=-1).numpy()
    assert ((z == 0).all(0) | (z == 2).all(0)).all()


def test_dropout_outside_training_and_at_its_ends(device: str) -> None:
    x = xp.asarray(np.array([1.0, -2.0, np.nan, np.inf], np.float32))
    np.testing.assert_array_equal(F.dropout(x, 0.5, training=False).numpy(), x.numpy())
    halved = F.dropout(x, 0.5, training=False, mode="downscale_in_infer").numpy()
    np.testing.assert_array_equal(halved, x.numpy() / 2)
    assert F.dropout(x, 0) is x
    np.testing.assert_array_equal(F.dropout(x, 1.0).numpy(), np.zeros(4))
    assert F.dropout(xp.zeros((0, 3))).shape == (0, 3)
    y = xp.ones((50,))
    assert F.dropout(y, 1.0, inplace=True) is y
    assert not y.numpy().any()


def test_attention_with_dropout_drops_weights(device: str) -> None:
    random.seed(5)
    q = xp.zeros((1, 4, 1, 2))
    value = xp.ones((1, 64, 1, 3))
    y = F.scaled_dot_product_attention(q, xp.zeros((1, 64, 1, 2)), value, dropout_p=0.5).numpy()
    kept = y * 32  # each of 64 equal weights is 0 or 2 / 64
    np.testing.assert_allclose(kept, np.round(kept), atol=1e-4)
    assert not np.allclose(y, 1)
    calm = F.scaled_dot_product_attention(
        q, xp.zeros((1, 64, 1, 2)), value, dropout_p=0.5, training=False
    )
    np.testing.assert_allclose(calm.numpy(), 1, rtol=1e-6)


def test_results_go_where_they_are_told(device: str) -> None:
    x, out = xp.asarray(normal(3, 4).astype(np.float32)), xp.zeros((3, 4))
    for function in (F.sigmoid, F.softmax):
        assert function(x, out=out) is out
        np.testing.assert_array_equal(out.numpy(), function(x).numpy())
    assert F.normalize(x, out=out) is out
    np.testing.assert_array_equal(out.numpy(), F.normalize(x).numpy())
    expected = F.silu(x).numpy()
    assert F.silu(x, inplace=True) is x
    np.testing.assert_array_equal(x.numpy(), expected)


def test_softmax_converts_first(device: str) -> None:
    x = xp.asarray([[1, 2, 3]])
    y = F.softmax(x, dtype="float64")
    assert y.dtype == xp.float64
    np.testing.assert_allclose(y.numpy().sum(), 1, rtol=1e-15)
    assert F.log_softmax(x, dtype=xp.float32).dtype == xp.float32


def test_views_of_any_stride_are_taken(device: str) -> None:
    host = normal(3, 8, 8, 6).astype(np.float32)
    view = xp.permute_dims(xp.asarray(host), (0, 3, 1, 2))[:, ::2, ::-1, 1:]
    dense = xp.asarray(np.ascontiguousarray(host.transpose(0, 3, 1, 2)[:, ::2, ::-1, 1:]))
    weight = xp.asarray(normal(2, 3, 3, 3).astype(np.float32))
    calls = [
        lambda a: F.conv2d(a, weight, padding=1), lambda a: F.max_pool2d(a, 2),
        lambda a: F.max_pool2d(a, 2, return_mask=True)[1], lambda a: F.unfold(a, 2),
        lambda a: F.softmax(a, 1), lambda a: F.layer_norm(a, 7), lambda a: F.gelu(a),
        lambda a: F.pad(a, [1, 1, 0, 0], "reflect"), lambda a: F.adaptive_avg_pool2d(a, 3),
        lambda a: F.scaled_dot_product_attention(a, a, a), lambda a: F.group_norm(a, 3),
        lambda a: F.interpolate(a, [3, 3], mode="bilinear"),
    ]  # fmt: skip
    for call in calls:
        np.testing.assert_allclose(call(view).numpy(), call(dense).numpy(), rtol=1e-5, atol=1e-6)


def test_results_never_share_memory_with_their_input(device: str) -> None:
    x = xp.ones((1, 2, 2, 2))
    for call in (
        lambda: F.pad(x, [0, 0, 0, 0]), lambda: F.pad(x, []), lambda: F.unfold(x, 1),
        lambda: F.pad(x, [0, 0, 0, 0], "circular"), lambda: F.relu(x), lambda: F.layer_norm(x, 2),
        lambda: F.dropout(x, 0.5, training=False), lambda: F.interpolate(x, [2, 2]),
        lambda: F.adaptive_avg_pool2d(x, 2), lambda: F.adaptive_max_pool2d(x, 2),
        lambda: F.max_pool2d(x, 1), lambda: F.group_norm(x, 2),
    ):  # fmt: skip
        y = call()
        y[...] = 7
        assert (x.numpy() == 1).all()


def test_a_batch_of_one_is_not_normalised_and_leaves_the_statistics(device: str) -> None:
    mean, var = xp.zeros((2,)), xp.ones((2,))
    x = xp.asarray([[3.0, 5.0]])
    np.testing.assert_array_equal(F.batch_norm(x, mean, var, training=True).numpy(), x.numpy())
    F.batch_norm(xp.zeros((0, 2)), mean, var, training=True)
    assert mean.tolist() == [0, 0] and var.tolist() == [1, 1]


def test_parameters_may_be_wider_than_the_array(device: str) -> None:
    x = xp.astype(xp.asarray(normal(3, 6)), xp.float16)
    weight = xp.astype(xp.asarray(normal(6, seed=1)), xp.float32)
    y = F.layer_norm(x, 6, weight)
    assert y.dtype == xp.float16
    exact = F.layer_norm(xp.astype(x, xp.float32), 6, weight)
    np.testing.assert_array_equal(y.numpy(), exact.numpy().astype(np.float16))


def test_windows_wholly_outside_have_no_mean_and_no_maximum(device: str) -> None:
    x = xp.ones((1, 1, 3))
    assert F.max_pool1d(x, 1, 3, 1, ceil_mode=True).tolist() == [[[-np.inf, 1, -np.inf]]]
    means = F.avg_pool1d(x, 1, 3, 1, ceil_mode=True).numpy()
    assert np.isnan(means[0, 0, 0]) and means[0, 0, 1] == 1


FAR_WINDOWS = """
import sys
import device_api
from device_api import _core
device_api.fallback_policy("allow")
device = _core.as_device(sys.argv[1])
x = _core.reshape(_core.iota(5, 1, 1, _core.dtypes["float32"], device), (1, 1, 5))
far = 2**30
def pool(op, positions, *numbers):
    return _core.apply(op, [x], (1, 1, positions), attributes=numbers).tolist()[0][0]
inf = float("inf")
assert pool("max_pool", 3, 1, 1, far, 1, 1, far, 0, 0, far, 1, 1, 1) == [-inf, 5, -inf]
assert pool("max_pool", 3, 1, 1, far, 1, 1, 1, 0, 0, far, 1, 1, 2) == [5, 4, 5]
assert pool("avg_pool", 1, 1, 1, far, 1, 1, far, 0, 0, far - 1, 0) == [1]
assert pool("avg_pool", 1, 1, 1, far, 1, 1, far, 0, 0, far - 8, 1) == [15 / far]
weight = _core.reshape(_core.iota(3, 1, 1, x.dtype, x.device), (1, 1, 3))
numbers = (1, 1, 1, 0, 0, far, 1, 1, far, 1)
y = _core.apply("convolution", [x, weight], (1, 1, 5), attributes=numbers)
assert y.tolist() == [[[2, 4, 6, 8, 10]]]
"""


def test_windows_far_beyond_the_array_take_no_time(device: str) -> None:
    command = [sys.executable, "-c", FAR_WINDOWS, device]
    chips = {**os.environ, "DEVICE_API_SIMULATE": "npu"}
    subprocess.run(command, check=True, timeout=60, env=chips)  # what hangs takes no signal


def test_every_function_takes_paddles_last_parameter_and_says_what_it_does() -> None:
    for name, function in vars(F).items():
        if inspect.isfunction(function):
            assert inspect.getdoc(function), name
            if name != "cosine_similarity":  # Paddle's has none
                assert inspect.signature(function).parameters["name"].default is None, name
