# SPDX-License-Identifier: Apache-2.0
"""Rules of phase 1: nulls, handles, shapes, storage; and the objects that operators take."""

import ctypes as C

import numpy as np
from cann_client import BF16
from two_phase import misuse_grows, vector

NULL, INVALID, RUNTIME, NO_KERNEL = 161001, 161002, 361001, 561003


def test_nulls_are_161001(cann):
    a, alpha = vector(cann), cann.scalar(1.0)
    for args in ((None, a, alpha, a), (a, None, alpha, a), (a, a, None, a), (a, a, alpha, None)):
        cann.refuses("Add", *args, code=NULL, says="is null")
    size = C.c_uint64()
    status = cann.aclnnNegGetWorkspaceSize(a, a, C.byref(size), None)
    cann.fails(status, NULL)
    cann.refuses("Amax", a, None, False, a, code=NULL, says="dim is null")


def test_bad_handles_in_phase_one(cann):
    a = vector(cann)
    gone = vector(cann)
    cann.ok(cann.aclDestroyTensor(gone))
    misuse_grows(cann, lambda: cann.refuses("Neg", gone, a, says="self"))
    misuse_grows(cann, lambda: cann.refuses("Neg", cann.scalar(1.0), a))
    misuse_grows(cann, lambda: cann.refuses("Neg", 4096, a))


def test_creation_of_tensors_is_checked(cann):
    assert cann.aclCreateTensor(None, 2, 0, None, 0, 2, None, 0, None) is None
    assert cann.tensor(None, (2, -1), "float32") is None
    assert cann.tensor(None, (2,), "float32", (-1,), storage=4) is None
    assert cann.tensor(None, (2,), "float32", (1,), offset=-1, storage=4) is None
    assert "negative" in cann.message()
    assert cann.aclCreateScalar(None, 0) is None
    assert cann.aclCreateIntArray(None, 3) is None


def test_inspection_of_tensors(cann):
    t = cann.tensor(4096, (2, 3), "int64", (1, 2), offset=5, storage=20)
    for name, expected in (("ViewShape", [2, 3]), ("ViewStrides", [1, 2]), ("StorageShape", [20])):
        values, n = C.POINTER(C.c_int64)(), C.c_uint64()
        cann.ok(getattr(cann, f"aclGet{name}")(t, C.byref(values), C.byref(n)))
        assert values[: n.value] == expected
    offset, dtype, fmt = C.c_int64(), C.c_int(), C.c_int()
    cann.ok(cann.aclGetViewOffset(t, C.byref(offset)))
    cann.ok(cann.aclGetDataType(t, C.byref(dtype)))
    cann.ok(cann.aclGetFormat(t, C.byref(fmt)))
    assert (offset.value, dtype.value, fmt.value) == (5, 9, 2)
    cann.fails(cann.aclGetDataType(None, C.byref(dtype)), NULL)


def test_shapes_are_checked(cann):
    a, alpha = vector(cann), cann.scalar(1.0)
    cann.refuses("Add", a, vector(cann, 3), alpha, a, says="do not broadcast")
    cann.refuses("Add", a, a, alpha, vector(cann, 5), says="result has [4]")
    cann.refuses("Neg", a, vector(cann, 1))
    deep = cann.tensor(cann.malloc(4), (1,) * 9, "float32")
    cann.refuses("Neg", deep, deep, says="rank 9")


def test_view_beyond_its_storage(cann):
    t = cann.tensor(cann.malloc(64), (4,), "float32", (3,), storage=9)
    cann.refuses("Neg", t, vector(cann), says="beyond its storage")


def test_storage_alignment_and_private_formats(cann):
    p = cann.malloc(128)
    out = vector(cann)
    t = cann.tensor(p + 4, (4,), "float32")
    misuse_grows(cann, lambda: cann.refuses("Neg", t, out, says="32 bytes"))
    cann.refuses("Neg", cann.tensor(p, (4,), "float32", fmt=29), out, says="format 29")


def test_tensor_without_address(cann):
    empty = cann.tensor(None, (4,), "float32")
    status, _, executor = cann.phase1("Neg", empty, vector(cann))
    cann.ok(status)
    cann.fails(cann.aclnnNeg(None, 0, executor, None), NULL, says="no device address")


def test_address_set_between_the_phases(cann):
    late = cann.tensor(None, (4,), "float32")
    p = cann.malloc(16)
    status, _, executor = cann.phase1("Neg", vector(cann), late)
    cann.ok(status)
    cann.ok(cann.aclSetRawTensorAddr(late, p))
    cann.ok(cann.aclnnNeg(None, 0, executor, None))
    cann.ok(cann.aclrtSynchronizeStream(None))
    assert cann.to_host(p, 4, np.float32).tolist() == [0, -1, -2, -3]


def test_host_memory_as_an_operand_is_a_late_error(cann):
    host = np.zeros(16, np.float32)
    p = -(-host.ctypes.data // 32) * 32
    status, _, executor = cann.phase1("Neg", cann.tensor(p, (4,), "float32"), vector(cann))
    cann.ok(status)
    cann.ok(cann.aclnnNeg(None, 0, executor, None))
    cann.fails(cann.aclrtSynchronizeStream(None), 507035)


def test_unknown_kernels_are_refused_not_guessed(cann):
    t = cann.tensor(cann.malloc(64), (4,), 16)  # complex64: documented, not computed here
    cann.refuses("Neg", t, t, code=NO_KERNEL)
    t = cann.tensor(cann.malloc(64), (4,), BF16)
    cann.run("Neg", t, t)


def test_operators_init_alone_is_enough_for_objects(fresh):
    fresh.ok(fresh.aclnnInit(None))
    fresh.fails(fresh.aclnnInit(None), RUNTIME)
    fresh.ok(fresh.aclrtSetDevice(0))
    fresh.run("Neg", vector(fresh), vector(fresh))
    fresh.ok(fresh.aclrtResetDevice(0))
    fresh.ok(fresh.aclnnFinalize())
