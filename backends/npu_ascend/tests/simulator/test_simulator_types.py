# SPDX-License-Identifier: Apache-2.0
"""Types of the simulated operators: promotion, conversion, limits by chip, cubeMathType."""

import numpy as np
import pytest
from cann_client import BF16, DTYPES

F16, F32, F64 = DTYPES["float16"], DTYPES["float32"], DTYPES["float64"]
I8, I16, I32, I64 = (DTYPES[f"int{n}"] for n in (8, 16, 32, 64))
U8, U16, U32, U64 = (DTYPES[f"uint{n}"] for n in (8, 16, 32, 64))
BOOL = DTYPES["bool"]
INVALID, NO_KERNEL = 161002, 561003
A2, OLD, INFERENCE = "Ascend910B3", "Ascend910A", "Ascend310P3"


def tensor(cann, dtype, shape=(4,)):
    return cann.tensor(cann.malloc(256), shape, dtype)


def status(cann, op, *args):
    """Status of phase 1; its executor is given up."""
    code, _, executor = cann.phase1(op, *args)
    if executor:
        cann.ok(cann.aclDestroyAclOpExecutor(executor))
    return code


def binary(cann, op, a, b, out):
    alpha = [cann.scalar(1, "int64")] if op in ("Add", "Sub") else []
    return status(cann, op, tensor(cann, a), tensor(cann, b), *alpha, tensor(cann, out))


# Cells of the published table: two types and what they promote to; None: an error.
PROMOTION = [
    (F32, F32, F32), (F64, F32, F64), (F64, I8, F64), (F64, BOOL, F64), (F32, F16, F32),
    (F32, BF16, F32), (F32, I64, F32), (F32, BOOL, F32), (F16, BF16, F32), (F16, I64, F16),
    (F16, BOOL, F16), (BF16, I32, BF16), (BF16, U8, BF16), (I8, U8, I16), (I8, I16, I16),
    (I16, I32, I32), (I32, I64, I64), (U8, I16, I16), (U8, I32, I32), (U8, I64, I64),
    (U8, BOOL, U8), (BOOL, I8, I8), (BOOL, BOOL, BOOL), (U16, U16, U16), (U16, I32, None),
    (U32, I64, None), (U64, F32, None), (U64, BOOL, None), (U16, U32, None),
]  # fmt: skip


@pytest.mark.parametrize(("a", "b", "result"), PROMOTION)
def test_promotion(cann, a, b, result):
    """Seen through the select operator, which takes all types, and the outputs it allows."""
    for x, y in ((a, b), (b, a)):
        args = tensor(cann, BOOL), tensor(cann, x), tensor(cann, y)
        if result is None:
            cann.refuses("SWhere", *args, tensor(cann, F32), says="promote")
            continue
        assert status(cann, "SWhere", *args, tensor(cann, result)) == 0
        # Only bool converts to bool.
        to_bool = status(cann, "SWhere", *args, tensor(cann, BOOL))
        assert to_bool == (0 if result == BOOL else INVALID)


def test_promoted_type_is_the_one_computed_in(cann):
    a = np.array([100, 100], np.int8)
    b = np.array([200, 27], np.uint8)
    out = cann.tensor(p := cann.malloc(4), (2,), "int16")
    cann.run("Add", cann.upload(a), cann.upload(b), cann.scalar(1, "int64"), out)
    assert cann.to_host(p, 2, np.int16).tolist() == [300, 127]
    a, b = np.array([2049], np.float16), np.array([1], np.int32)
    out = cann.tensor(p := cann.malloc(4), (1,), "float32")
    cann.run("Add", cann.upload(a), cann.upload(b), cann.scalar(1, "int64"), out)
    assert cann.to_host(p, 1, np.float32) == np.float16(2049) + np.float16(1)


@pytest.mark.parametrize(
    ("self_type", "scalar", "result"),
    [("float16", "float64", F16), ("int32", "float32", F32), ("bool", "float32", F32),
     ("int8", "int64", I8), ("bool", "int32", I32), ("int16", "bool", I16), ("bool", "bool", BOOL)],
)  # fmt: skip
def test_promotion_with_a_scalar(cann, self_type, scalar, result):
    value = cann.scalar(1, scalar)
    assert status(cann, "Muls", tensor(cann, self_type), value, tensor(cann, result)) == 0
    if result != BOOL:
        cann.refuses("Muls", tensor(cann, self_type), value, tensor(cann, BOOL))


def test_conversion_of_results(cann):
    assert binary(cann, "Add", F32, F32, I32) == 0  # float to integer is allowed
    assert binary(cann, "Add", I32, I32, F16) == 0
    assert binary(cann, "Add", F32, F32, F64) == 0
    assert binary(cann, "Add", I32, I32, BOOL) == INVALID
    assert binary(cann, "Add", F32, F32, BOOL) == INVALID
    assert binary(cann, "LtTensor", F32, F32, F16) == 0  # bool converts to anything


def test_alpha_must_convert(cann):
    ints = [tensor(cann, I32) for _ in range(3)]
    cann.refuses("Add", ints[0], ints[1], cann.scalar(1.5), ints[2], says="alpha")
    assert status(cann, "Add", ints[0], ints[1], cann.scalar(1, "int8"), ints[2]) == 0


# ---- types that an operator does not take, on every chip ----------------------------------------


@pytest.mark.parametrize(
    ("op", "dtype"),
    [("Neg", I16), ("Neg", U8), ("Neg", BOOL), ("Exp", I32), ("Tanh", F64), ("Floor", BF16),
     ("Sign", I8), ("Sign", U8), ("Relu", F64), ("Sigmoid", F64), ("Abs", U16), ("Log", U32)],
)  # fmt: skip
def test_unary_types(cann, op, dtype):
    cann.refuses(op, tensor(cann, dtype), tensor(cann, dtype))


@pytest.mark.parametrize(
    ("op", "dtype", "code"),
    [("Add", U16, INVALID), ("Mul", U32, INVALID), ("Maximum", U64, INVALID),
     ("EqTensor", U32, INVALID), ("EqTensor", U64, INVALID), ("EqTensor", U16, INVALID),
     ("NeTensor", U64, 0), ("LtTensor", U16, 0), ("LtTensor", U64, 0), ("LeTensor", U16, 0),
     ("LeTensor", U64, INVALID), ("LeTensor", U32, INVALID), ("GtTensor", U32, 0)],
)  # fmt: skip
def test_unsigned_types_of_a2(cann, op, dtype, code):
    out = BOOL if op.endswith("Tensor") else dtype
    assert binary(cann, op, dtype, dtype, out) == code


def test_power_of_two_booleans(cann):
    assert binary(cann, "PowTensorTensor", BOOL, BOOL, BOOL) == INVALID
    assert binary(cann, "PowTensorTensor", BOOL, I32, I32) == 0


def test_types_of_the_others(cann):
    flat = tensor(cann, F32)
    cann.refuses("SWhere", tensor(cann, I32), flat, flat, flat, says="condition")
    cann.refuses("Cast", flat, I32, tensor(cann, I64), says="must be equal")
    cann.refuses("ReduceSum", flat, cann.ints(), False, F64, tensor(cann, F32, ()), says="equal")
    cann.refuses("ArgMax", tensor(cann, BOOL), 0, False, tensor(cann, I64, ()))
    cann.refuses("ArgMax", flat, 0, False, tensor(cann, F32, ()))
    cann.refuses("InplaceZero", tensor(cann, U32))
    cann.refuses("InplaceZero", tensor(cann, U64))
    cann.refuses("Arange", *(cann.scalar(v, "int64") for v in (0, 4, 1)), tensor(cann, I16))
    cann.refuses("Gather", flat, 0, flat, flat, says="index")
    cann.refuses("Gather", flat, 0, tensor(cann, I64), tensor(cann, F16), says="must be equal")
    cann.refuses("ScatterAdd", flat, 0, tensor(cann, I32), tensor(cann, F16), flat)


def test_structure_of_the_others(cann):
    flat, index = tensor(cann, F32), tensor(cann, I64)
    matrix = tensor(cann, F32, (2, 2))
    cann.refuses("ReduceSum", matrix, cann.ints(2), False, F32, flat, says="axes")
    cann.refuses("ReduceSum", matrix, cann.ints(0, -2), False, F32, flat, says="axes")
    cann.refuses("Amax", tensor(cann, F32, (0,)), cann.ints(), False, tensor(cann, F32, ()))
    cann.refuses("ArgMax", matrix, 2, False, tensor(cann, I64, (2,)))
    cann.refuses("Mm", flat, matrix, flat, 0, says="rank")
    cann.refuses("BatchMatMul", matrix, matrix, matrix, 0, says="rank")
    a, b = tensor(cann, F32, (1, 2, 2)), tensor(cann, F32, (2, 2, 2))
    cann.refuses("BatchMatMul", a, b, b, 0, says="batches")
    cann.refuses("Mm", matrix, tensor(cann, F32, (3, 2)), matrix, 0, says="do not multiply")
    cann.refuses("Gather", matrix, 0, index, flat, says="rank")
    cann.refuses("Gather", flat, 1, index, flat, says="dim 1")
    cann.refuses("Gather", matrix, 0, tensor(cann, I64, (2, 3)), tensor(cann, F32, (2, 3)))
    cann.refuses("ScatterAdd", flat, 0, index, tensor(cann, F32, (3,)), flat, says="larger")
    cann.refuses("Arange", *(cann.scalar(v, "int64") for v in (0, 4, 1)), tensor(cann, I64, (5,)))
    cann.refuses("Arange", *(cann.scalar(v, "int64") for v in (0, 4, -1)), index, says="step")
    cann.refuses("Arange", *(cann.scalar(v, "int64") for v in (0, 4, 0)), index, says="step")
    cann.refuses("InplaceCopy", flat, tensor(cann, F32, (3,)), says="broadcast")


def test_length_of_arange_follows_f32(cann):
    """From 0 to 0.3 by 0.1, rounded to f32: 3 steps when divided in f32, 4 in double."""
    end, step = np.float32(0.3), np.float32(0.1)
    in_f32 = int(np.ceil(end / step))
    in_double = int(np.ceil(float(end) / float(step)))
    assert (in_f32, in_double) == (3, 4)
    scalars = [cann.scalar(v) for v in (0.0, end, step)]
    cann.refuses("Arange", *scalars, tensor(cann, F32, (in_double,)))
    assert status(cann, "Arange", *scalars, tensor(cann, F32, (in_f32,))) == 0


# ---- limits by chip ------------------------------------------------------------------------------


@pytest.mark.parametrize(("chip", "code"), [(A2, 0), ("Ascend910_9391", 0), (OLD, INVALID)])
def test_bf16_by_chip(on_chip, chip, code):
    cann = on_chip(chip)
    bf16 = [tensor(cann, BF16) for _ in range(3)]
    assert status(cann, "Abs", bf16[0], bf16[1]) == code
    assert status(cann, "Mul", *bf16) == code
    assert status(cann, "Cast", tensor(cann, F32), BF16, bf16[0]) == code
    assert status(cann, "InplaceCopy", bf16[0], tensor(cann, F32)) == code
    assert status(cann, "Abs", tensor(cann, F16), tensor(cann, F16)) == 0


@pytest.mark.parametrize(
    ("chip", "op", "code"),
    [(A2, "Exp", 0), (OLD, "Exp", NO_KERNEL), (INFERENCE, "Exp", NO_KERNEL), (OLD, "Sqrt", 0),
     (INFERENCE, "Sqrt", NO_KERNEL), (INFERENCE, "Neg", NO_KERNEL), (INFERENCE, "Abs", 0)],
)  # fmt: skip
def test_operators_by_chip(on_chip, chip, op, code):
    cann = on_chip(chip)
    assert status(cann, op, tensor(cann, F32), tensor(cann, F32)) == code


def test_more_limits_of_the_old_chips(on_chip):
    cann = on_chip(OLD)
    assert binary(cann, "Minimum", BOOL, BOOL, BOOL) == INVALID
    assert binary(cann, "Maximum", BOOL, BOOL, BOOL) == 0
    assert status(cann, "InplaceFillScalar", tensor(cann, U16), cann.scalar(1, "int8")) == INVALID
    flat, index = tensor(cann, F32), tensor(cann, I64)
    assert status(cann, "Gather", flat, 0, index, flat) == NO_KERNEL
    assert status(cann, "ScatterAdd", flat, 0, index, flat, flat) == NO_KERNEL
    cann = on_chip(INFERENCE)
    assert binary(cann, "Add", F32, F32, F32) == NO_KERNEL
    assert binary(cann, "Mul", F32, F32, F32) == 0


CUBE = [
    # chip, dtype, cubeMathType, code
    (A2, F32, 0, 0), (A2, F32, 1, 0), (A2, F32, 2, 0), (A2, F32, 3, 0), (A2, F32, 5, INVALID),
    (A2, F16, 0, 0), (A2, F16, 3, INVALID), (A2, BF16, 0, 0), (A2, BF16, 2, INVALID),
    (A2, BF16, 3, INVALID), (A2, F64, 0, INVALID), (A2, I32, 0, INVALID),
    (OLD, F32, 0, INVALID), (OLD, F32, 1, 0), (OLD, F32, 2, 0), (OLD, F32, 3, INVALID),
    (OLD, F16, 0, 0), (OLD, BF16, 0, INVALID), (OLD, BF16, 1, INVALID),
    (INFERENCE, F32, 0, INVALID), (INFERENCE, F16, 0, 0),
]  # fmt: skip


@pytest.mark.parametrize(("chip", "dtype", "cube", "code"), CUBE)
def test_cube_math_type(on_chip, chip, dtype, cube, code):
    cann = on_chip(chip)
    a, b, out = (tensor(cann, dtype, (2, 2)) for _ in range(3))
    for op in ("Mm", "Matmul"):
        assert status(cann, op, a, b, out, cube) == code
    a, b, out = (tensor(cann, dtype, (2, 2, 2)) for _ in range(3))
    assert status(cann, "BatchMatMul", a, b, out, cube) == code


@pytest.mark.parametrize(
    ("chip", "cube", "kept"),
    [(A2, 0, 2.0**-22), (A2, 1, 2.0**-11), (A2, 3, 2.0**-11), (A2, 2, 2.0**-10),
     (OLD, 1, 2.0**-10)],
)  # fmt: skip
def test_cube_math_type_changes_the_result(on_chip, chip, cube, kept):
    """1 + `kept` survives the rounding of the inputs, half of its last kept bit does not."""
    cann = on_chip(chip)
    for value, expected in ((1 + kept, 1 + kept), (1 + kept / 4, 1.0)):
        value = np.float32(value)
        out = cann.tensor(p := cann.malloc(4), (1, 1), "float32")
        a = cann.upload(np.full((1, 1), value, np.float32))
        cann.run("Mm", a, cann.upload(np.ones((1, 1), np.float32)), out, cube)
        result = cann.to_host(p, 1, np.float32)[0]
        assert result == (np.float32(expected) if cube else value)
