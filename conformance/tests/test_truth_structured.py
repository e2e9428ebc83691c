# SPDX-License-Identifier: Apache-2.0
"""Truth of structured ops against loops and known values: order, windows, norms, attention."""

from __future__ import annotations

import math

import numpy as np
import pytest

from device_api_conformance.formats import Host, decode
from device_api_conformance.truth import expected
from device_api_conformance.windows import Geometry

INF, NAN = math.inf, math.nan


def f32(values):
    return Host("float32", np.array(values, dtype=np.float32))


def run(op, operands, **attributes):
    found = expected(op, operands, attributes, False)
    return found.exact.data if found.exact is not None else found.reference.high


def test_sorting_is_stable_with_nan_last():
    x = f32([3.0, NAN, -0.0, 0.0, 3.0, -INF])
    assert run("argsort", [x], axis=0, descending=0).tolist() == [5, 2, 3, 0, 4, 1]
    assert run("argsort", [x], axis=0, descending=1).tolist() == [1, 0, 4, 2, 3, 5]
    kept = run("sort", [x], axis=0, descending=0)
    assert np.signbit(kept).tolist() == [True, True, False, False, False, False]
    assert run("topk", [x], axis=0, smallest=0, k=3).tolist() == [1, 0, 4]
    assert run("topk", [x], axis=0, smallest=1, k=3).tolist() == [5, 2, 3]


def test_searching():
    x, values = f32([1.0, 2.0, 2.0, INF, NAN]), f32([0.0, 2.0, INF, NAN])
    assert run("searchsorted", [x, values], right=0).tolist() == [0, 1, 3, 4]
    assert run("searchsorted", [x, values], right=1).tolist() == [0, 3, 4, 5]


def test_extremes_and_quantifiers():
    x = f32([[1.0, NAN], [2.0, 2.0], [0.0, -0.0]])
    assert run("argmin", [x], axes=(1,)).tolist() == [1, 0, 0]
    assert run("min", [x], axes=(1,)).tolist()[1:] == [2.0, 0.0]
    assert run("any", [x], axes=(1,)).tolist() == [True, True, False]
    assert run("all", [x], axes=(1,)).tolist() == [True, True, False]


def test_the_last_of_equal_indices_counts():
    x, index = f32([1.0, 2.0, 3.0]), Host("int64", np.array([1, 1, 0]))
    assert run("put_along_axis", [x, index, f32([7.0, 8.0, 9.0])], axis=0).tolist() == [9, 8, 3]


def test_running_sums_and_products():
    x = Host("float64", np.array([[1e16, 1.0, -1e16, NAN], [2.0, 0.5, 3.0, 1.0]]))
    found = run("cumsum", [x], axis=1)
    assert found[0].tolist()[:3] == [1e16, 1e16, 1.0]
    assert np.isnan(found[0, 3])
    assert run("cumprod", [x], axis=1)[1].tolist() == [2.0, 1.0, 3.0, 3.0]
    whole = Host("int8", np.array([100, 100, 3], dtype=np.int8))
    assert run("cumsum", [whole], axis=0).tolist() == [100, -56, -53]
    assert run("prod", [whole], axes=(0,)).tolist() == (30000 + 128) % 256 - 128


@pytest.mark.parametrize(
    ("stride", "pad", "dilation", "groups"),
    [((1, 1), (0, 0), (1, 1), 1), ((2, 3), (1, 2), (1, 1), 1), ((1, 1), (2, 1), (2, 3), 2)],
)
def test_convolution_against_loops(stride, pad, dilation, groups):
    rng = np.random.default_rng(2)
    x, w = rng.normal(size=(2, 4, 7, 8)), rng.normal(size=(6, 4 // groups, 3, 2))
    geometry = Geometry((3, 2), stride, pad, dilation)
    shape = (2, 6, *geometry.positions((7, 8)))
    want = np.zeros(shape)
    for n, o, i, j in np.ndindex(shape):
        for c, k, m in np.ndindex(w.shape[1:]):
            row, column = i * stride[0] - pad[0] + k * dilation[0], j * stride[1] - pad[1]
            column += m * dilation[1]
            if 0 <= row < 7 and 0 <= column < 8:
                channel = o // (6 // groups) * w.shape[1] + c
                want[n, o, i, j] += x[n, channel, row, column] * w[o, c, k, m]
    attributes = geometry.attributes(False, True) | {"groups": groups, "shape": shape}
    found = run("convolution", [Host("float64", x), Host("float64", w)], **attributes)
    assert found == pytest.approx(want, abs=1e-13)


def test_pools():
    x = f32([[[1.0, -2.0, NAN, 4.0, -5.0]]])
    geometry = Geometry((2,), (2,), (1,), (1,))
    attributes = geometry.attributes(True, True) | {"shape": (1, 1, 3)}
    assert run("max_pool", [x], **attributes)[0, 0].tolist()[::2] == [1.0, 4.0]
    assert np.isnan(run("max_pool", [x], **attributes)[0, 0, 1])
    far = Geometry((1,), (1,), (2,), (1,)).attributes(True, True) | {"shape": (1, 1, 9)}
    assert run("max_pool", [x], **far)[0, 0].tolist()[:3] == [-INF, -INF, 1.0]
    y = f32([[[1.0, 2.0, 3.0]]])
    for count_pad, first in ((0, 1.0), (1, 0.5)):
        found = run("avg_pool", [y], **attributes | {"shape": (1, 1, 2), "count_pad": count_pad})
        assert found[0, 0].tolist() == [first, 2.5]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_softmax(dtype):
    x = Host(dtype, np.array([[1000.0, 1001.0, -INF], [-INF] * 3, [0.0, INF, 1.0]], dtype=dtype))
    found = run("softmax", [x], axis=1)
    low = 1 / (1 + math.e)
    assert found[0] == pytest.approx([low, 1 - low, 0.0], rel=1e-15)
    assert np.isnan(found[1:]).all()
    logs = run("log_softmax", [x], axis=1)
    assert logs[0] == pytest.approx([math.log(low), math.log(1 - low), -INF], rel=1e-14)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_norms(dtype):
    x = np.array([[16384.0, 16385.0, 16386.0, 16383.0]], dtype=dtype)
    weight, bias = (np.array(v, dtype=dtype) for v in ([1.0, 2.0, 1.0, 1.0], [0.0, 0.0, 5.0, 0.0]))
    hosts = [Host(dtype, v) for v in (x, weight, bias)]
    found = run("layer_norm", hosts, epsilon=0.25)
    scale = 1 / math.sqrt(1.25 + 0.25)
    assert found[0] == pytest.approx([-0.5 * scale, scale, 5 + 1.5 * scale, -1.5 * scale])
    small = Host(dtype, np.array([[3.0, 4.0]], dtype=dtype))
    found = run("rms_norm", [small, Host(dtype, np.ones(2, dtype=dtype))], epsilon=0.0)
    assert found[0] == pytest.approx([3 / math.sqrt(12.5), 4 / math.sqrt(12.5)], rel=1e-15)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_attention(dtype):
    rng = np.random.default_rng(3)
    query, key, value = (
        rng.normal(size=s).astype(dtype) for s in ((1, 3, 4), (1, 5, 4), (1, 5, 2))
    )
    hosts = [Host(dtype, v) for v in (query, key, value)]
    for causal in (0, 1):
        want = np.zeros((1, 3, 2))
        for row in range(3):
            seen = row + 1 if causal else 5
            scores = [math.exp(float(query[0, row].astype(float) @ key[0, j]) * 0.5)
                      for j in range(seen)]  # fmt: skip
            want[0, row] = np.array(scores) @ value[0, :seen] / sum(scores)
        found = run("attention", hosts, scale=0.5, causal=causal, shape=(1, 3, 2))
        assert found == pytest.approx(want, rel=1e-6)


def test_bfloat16_is_ordered_by_value():
    bits = np.array([0xC000, 0x4000, 0x7FC0, 0x8000], dtype=np.uint16)  # -2, 2, NaN, -0
    found = run("sort", [Host("bfloat16", bits)], axis=0, descending=0)
    assert decode("bfloat16", found).tolist()[:3] == [-2.0, 0.0, 2.0]
