# SPDX-License-Identifier: Apache-2.0
"""The simulated reductions, matrix products, gather and scatter against NumPy."""

import numpy as np
import pytest
from cann_client import DTYPES
from operands import Out, check

RNG = np.random.default_rng(7)
X = RNG.uniform(0.2, 3, (3, 4)).astype(np.float32)
Y = RNG.uniform(-2, 2, (3, 4)).astype(np.float32)


@pytest.mark.parametrize("axes", [(), (0,), (1,), (-1,), (0, 1)])
@pytest.mark.parametrize("keep", [False, True])
def test_reductions(cann, axes, keep):
    numpy_axes = axes or None
    for op, function in (("ReduceSum", np.sum), ("Amax", np.max), ("Amin", np.min)):
        expected = function(Y, axis=numpy_axes, keepdims=keep)
        out = Out(cann, expected.shape)
        extra = [DTYPES["float32"]] if op == "ReduceSum" else []
        cann.run(op, cann.upload(Y), cann.ints(*axes), keep, *extra, out.tensor)
        check(out.read(), expected)


def test_sum_in_a_wider_type(cann):
    a = np.full(300, 100, np.int8)
    out = Out(cann, (), "int64")
    cann.run("ReduceSum", cann.upload(a), cann.ints(), False, DTYPES["int64"], out.tensor)
    assert out.read() == 30000


@pytest.mark.parametrize(("op", "function"), [("ArgMax", np.argmax), ("ArgMin", np.argmin)])
@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_arg_reductions(cann, op, function, dtype):
    for axis in (0, 1, -1):
        expected = function(Y, axis=axis)
        out = Out(cann, expected.shape, dtype)
        cann.run(op, cann.upload(Y), axis, False, out.tensor)
        assert (out.read() == expected).all()


@pytest.mark.parametrize(
    ("a", "b"), [((2, 3), (3, 4)), ((3,), (3,)), ((3,), (3, 4)), ((5, 2, 3), (3,)),
                 ((5, 1, 2, 3), (2, 3, 4)), ((2, 0), (0, 3))]
)  # fmt: skip
def test_matmul(cann, a, b):
    x, y = (RNG.standard_normal(s).astype(np.float32) for s in (a, b))
    expected = np.matmul(x, y)
    out = Out(cann, expected.shape)
    cann.run("Matmul", cann.upload(x), cann.upload(y), out.tensor, 0)
    check(out.read(), expected, 1e-5)


def test_mm_and_bmm_read_transposed_matrices(cann):
    x, y = (RNG.standard_normal((3, 4)).astype(np.float32) for _ in range(2))
    t = cann.tensor(cann.to_device(y), (4, 3), "float32", (1, 4), storage=12)
    out = Out(cann, (3, 3))
    cann.run("Mm", cann.upload(x), t, out.tensor, 0)
    check(out.read(), x @ y.T, 1e-5)
    z = RNG.standard_normal((2, 4, 5)).astype(np.float32)
    batch = np.stack([x, y])
    out = Out(cann, (2, 3, 5))
    cann.run("BatchMatMul", cann.upload(batch), cann.upload(z), out.tensor, 0)
    check(out.read(), batch @ z, 1e-5)


def test_flip(cann):
    for axes, want in (((0,), X[::-1]), ((1,), X[:, ::-1]), ((0, -1), X[::-1, ::-1])):
        out = Out(cann, X.shape)
        cann.run("Flip", cann.upload(X), cann.ints(*axes), out.tensor)
        assert (out.read() == want).all()
    out = Out(cann, X.shape)
    for axes in ((), (2,), (1, 1)):
        status, _, _ = cann.phase1("Flip", cann.upload(X), cann.ints(*axes), out.tensor)
        cann.fails(status, 161002, says="axes")


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_gather(cann, dtype):
    index = np.array([[0, 3], [2, 2]], dtype)
    out = Out(cann, index.shape)
    cann.run("Gather", cann.upload(X), 1, cann.upload(index), out.tensor)
    assert (out.read() == np.take_along_axis(X[:2], index, 1)).all()


def test_gather_out_of_range_is_a_late_error(cann):
    out = Out(cann, (1, 1))
    index = cann.upload(np.array([[9]], np.int64))
    status, _, executor = cann.phase1("Gather", cann.upload(X), 1, index, out.tensor)
    cann.ok(status)
    cann.ok(cann.aclnnGather(None, 0, executor, None))
    cann.fails(cann.aclrtSynchronizeStream(None), 507035, says="aclnnGather")


def test_scatter_add_sums_repeated_indices(cann):
    index = np.array([[0, 0, 1, 3], [2, 2, 2, 2]], np.int64)
    expected = X.copy()
    for i in range(2):
        np.add.at(expected[i], index[i], Y[i])
    out = Out(cann, X.shape)
    args = cann.upload(X), 1, cann.upload(index), cann.upload(Y), out.tensor
    cann.run("ScatterAdd", *args)
    check(out.read(), expected)
    p = cann.to_device(X)  # in place
    same = cann.tensor(p, X.shape, X.dtype)
    cann.run("ScatterAdd", same, 1, cann.upload(index), cann.upload(Y), same)
    check(cann.to_host(p, X.shape, X.dtype), expected)
