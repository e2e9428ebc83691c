# SPDX-License-Identifier: Apache-2.0
"""The simulated operators: results against NumPy, for contiguous and strided operands."""

import numpy as np
import pytest
from cann_client import DTYPES, read_signatures
from operands import Out, check, strided
from operator_cases import CASES, FORMATS

RNG = np.random.default_rng(7)
X = RNG.uniform(0.2, 3, (3, 4)).astype(np.float32)
Y = RNG.uniform(-2, 2, (3, 4)).astype(np.float32)

UNARY = {
    "Neg": np.negative, "Abs": np.abs, "Exp": np.exp, "Log": np.log, "Sqrt": np.sqrt,
    "Rsqrt": lambda x: 1 / np.sqrt(x), "Reciprocal": np.reciprocal, "Tanh": np.tanh,
    "Floor": np.floor, "Sign": np.sign, "Relu": lambda x: np.maximum(x, 0),
    "Sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "LogicalNot": lambda x: np.logical_not(x).astype(x.dtype),
}  # fmt: skip
BINARY = {
    "Mul": np.multiply, "Div": np.divide, "Maximum": np.maximum, "Minimum": np.minimum,
    "PowTensorTensor": np.power,
}  # fmt: skip
COMPARE = {
    "EqTensor": np.equal, "NeTensor": np.not_equal, "LtTensor": np.less,
    "LeTensor": np.less_equal, "GtTensor": np.greater, "GeTensor": np.greater_equal,
    "LogicalAnd": np.logical_and, "LogicalOr": np.logical_or,
}  # fmt: skip
COVERED_BELOW = {
    "Add", "Sub", "Adds", "Subs", "Muls", "Divs", "PowTensorScalar", "SWhere", "Cast",
    "InplaceCopy", "InplaceFillScalar", "InplaceZero", "Arange", "ReduceSum", "Amax", "Amin",
    "ArgMax", "ArgMin", "Matmul", "Mm", "BatchMatMul", "Gather", "ScatterAdd",
    "Flip",
}  # fmt: skip


def test_every_operator_is_tested_here():
    names = {n[5:-16] for n in read_signatures() if n.endswith("GetWorkspaceSize")}
    assert names == UNARY.keys() | BINARY.keys() | COMPARE.keys() | COVERED_BELOW | CASES.keys()


@pytest.mark.parametrize("op", UNARY)
def test_unary(cann, op):
    x = X if op in ("Log", "Sqrt", "Rsqrt") else Y
    for upload in (cann.upload, lambda a: strided(cann, a)):
        out = Out(cann, x.shape)
        cann.run(op, upload(x), out.tensor)
        check(out.read(), UNARY[op](x))


@pytest.mark.parametrize("op", CASES)
@pytest.mark.parametrize("dense", [True, False])
def test_case(cann, op, dense):
    case = CASES[op]
    inputs = []
    for array in case.inputs:
        place = cann.upload if dense or array.ndim == 0 else lambda a: strided(cann, a)
        inputs.append(place(array) if not case.spatial else spatial(cann, array))
    expected = case.expected(*case.inputs)
    expected = expected if isinstance(expected, tuple) else (expected,)
    outs = [Out(cann, e.shape, e.dtype) for e in expected]
    tensors = [o.tensor if not case.spatial else spatial(cann, o) for o in outs]
    cann.run(op, *case.arguments(cann, inputs, tensors))
    for out, want in zip(outs, expected, strict=True):
        check(out.read(), want, 1e-5)
    assert cann.kernels().count(f"aclnn{op}") == 1


def spatial(cann, array):
    """An aclTensor with the format tag of its rank, on an array or an output."""
    address = array.address if isinstance(array, Out) else cann.to_device(array)
    return cann.tensor(address, array.shape, array.dtype, fmt=FORMATS[len(array.shape)])


@pytest.mark.parametrize("op", BINARY)
def test_binary_with_broadcast(cann, op):
    row = Y[:1]
    for upload in (cann.upload, lambda a: strided(cann, a)):
        out = Out(cann, X.shape)
        cann.run(op, upload(X), upload(row), out.tensor)
        check(out.read(), BINARY[op](X, row))


@pytest.mark.parametrize("op", COMPARE)
def test_comparisons_and_logic(cann, op):
    a = np.array([0, 1, 2, 3], np.int32)
    b = np.array([[0], [2]], np.int32)
    for dtype in ("bool", "float32"):
        out = Out(cann, (2, 4), dtype)
        cann.run(op, cann.upload(a), cann.upload(b), out.tensor)
        assert (out.read() == COMPARE[op](a, b)).all()


@pytest.mark.parametrize(("op", "sign"), [("Add", 1), ("Sub", -1)])
def test_alpha(cann, op, sign):
    out = Out(cann, X.shape)
    cann.run(op, cann.upload(X), cann.upload(Y), cann.scalar(2.0), out.tensor)
    check(out.read(), X + sign * 2 * Y)
    ints = np.arange(5, dtype=np.int64)
    out = Out(cann, (5,), "int64")
    args = cann.upload(ints), cann.upload(ints), cann.scalar(3, "int64"), out.tensor
    cann.run(op, *args)
    assert (out.read() == ints + sign * 3 * ints).all()


def test_scalar_operand(cann):
    two, one = cann.scalar(2.0), cann.scalar(1.0)
    cases = {
        "Adds": ((two, one), X + 2), "Subs": ((two, one), X - 2), "Muls": ((two,), X * 2),
        "Divs": ((two,), X / 2), "PowTensorScalar": ((two,), X**2),
    }  # fmt: skip
    for op, (scalars, expected) in cases.items():
        out = Out(cann, X.shape)
        cann.run(op, cann.upload(X), *scalars, out.tensor)
        check(out.read(), expected)


def test_integers_with_a_float_scalar_are_f32(cann):
    ints = np.arange(4, dtype=np.int32)
    out = Out(cann, (4,))
    cann.run("Muls", cann.upload(ints), cann.scalar(1.5), out.tensor)
    check(out.read(), ints * 1.5)


def test_integer_division_is_true_division(cann):
    a, b = np.array([7, -7, 1], np.int32), np.array([2, 2, 4], np.int32)
    out = Out(cann, (3,))
    cann.run("Div", cann.upload(a), cann.upload(b), out.tensor)
    check(out.read(), a / b)


def test_float_functions_of_integers_are_f32(cann):
    ints = np.arange(1, 5, dtype=np.int64)
    out = Out(cann, (4,))
    cann.run("Exp", cann.upload(ints), out.tensor)
    check(out.read(), np.exp(ints.astype(np.float32)))


def test_select(cann):
    condition = np.array([True, False, True, False])
    for c in (condition, condition.astype(np.uint8)):
        out = Out(cann, X.shape)
        cann.run("SWhere", cann.upload(c), cann.upload(X), cann.upload(Y), out.tensor)
        assert (out.read() == np.where(condition, X, Y)).all()


@pytest.mark.parametrize("to", ["int32", "float16", "float64", "bool", "uint8", "int64"])
def test_cast(cann, to):
    out = Out(cann, Y.shape, to)
    cann.run("Cast", cann.upload(np.abs(Y)), DTYPES[to], out.tensor)
    assert (out.read() == np.abs(Y).astype(to)).all()


def test_strided_copy_broadcasts_and_casts(cann):
    p = cann.to_device(np.zeros((3, 8), np.int32))
    view = cann.tensor(p, (3, 4), "int32", (8, 2), offset=1, storage=24)
    status, size, executor = cann.phase1("InplaceCopy", view, cann.upload(X[0]))
    cann.ok(status)
    assert size == 0
    cann.ok(cann.aclnnInplaceCopy(None, 0, executor, None))
    cann.ok(cann.aclrtSynchronizeStream(None))
    expected = np.zeros((3, 8), np.int32)
    expected[:, 1::2] = X[0].astype(np.int32)
    assert (cann.to_host(p, (3, 8), np.int32) == expected).all()


def test_strided_output_keeps_what_is_between(cann):
    p = cann.to_device(np.full(8, 5, np.float32))
    view = cann.tensor(p, (4,), "float32", (2,), storage=8)
    cann.run("Neg", cann.upload(X[0]), view)
    values = cann.to_host(p, 8, np.float32)
    assert (values[1::2] == 5).all()
    assert (values[::2] == -X[0]).all()


def test_fill_and_zero(cann):
    out = Out(cann, (5,), "int16")
    cann.run("InplaceFillScalar", out.tensor, cann.scalar(-3, "int64"))
    assert (out.read() == -3).all()
    cann.run("InplaceZero", out.tensor)
    assert (out.read() == 0).all()


def test_arange(cann):
    out = Out(cann, (4,), "int64")
    cann.run("Arange", *(cann.scalar(v, "int64") for v in (3, 11, 2)), out.tensor)
    assert out.read().tolist() == [3, 5, 7, 9]
    out = Out(cann, (3,))
    cann.run("Arange", *(cann.scalar(v) for v in (1.0, 0.0, -0.4)), out.tensor)
    check(out.read(), [1, 0.6, 0.2])


def test_empty_tensors_are_launched_and_do_nothing(cann):
    cann.control.launch_clear()
    empty = cann.upload(np.zeros((0, 3), np.float32))
    cann.run("Neg", empty, empty)
    out = Out(cann, (3,))
    cann.run("ReduceSum", empty, cann.ints(0), False, 0, out.tensor)
    assert (out.read() == 0).all()
    assert cann.kernels() == ["aclnnNeg", "aclnnReduceSum"]


def test_scalars_of_rank_zero(cann):
    a = np.float32(3).reshape(())
    out = Out(cann, ())
    cann.run("Mul", cann.upload(a), cann.upload(a), out.tensor)
    assert out.read() == 9
    cann.run("ReduceSum", cann.upload(a), cann.ints(), False, 0, out.tensor)
    assert out.read() == 3
    index = Out(cann, (), "int64")
    cann.run("ArgMax", cann.upload(a), 0, False, index.tensor)
    assert index.read() == 0


def test_a_chain_on_one_stream_needs_no_waits_between(cann):
    cann.control.launch_clear()
    stream, n = cann.stream(), 20
    out = Out(cann, X.shape)
    cann.run("InplaceCopy", out.tensor, cann.upload(X), stream=stream)
    one = cann.scalar(1.0)
    for _ in range(n):
        status, _, executor = cann.phase1("Adds", out.tensor, one, one, out.tensor)
        cann.ok(status)
        cann.ok(cann.aclnnAdds(None, 0, executor, stream))
    cann.ok(cann.aclrtSynchronizeStream(stream))
    check(out.read(), X + n)
    assert cann.kernels() == ["aclnnInplaceCopy"] + ["aclnnAdds"] * n
    assert cann.control.misuse_count() == 0
