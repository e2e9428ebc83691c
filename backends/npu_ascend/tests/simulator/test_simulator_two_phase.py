# SPDX-License-Identifier: Apache-2.0
"""Rules of the two-phase operators: executors and lifetimes."""

import ctypes as C

import numpy as np
import pytest
from two_phase import add, misuse_grows, strided_add, vector

NULL, INVALID, RUNTIME, INNER, INNER_NULL = 161001, 161002, 361001, 561000, 561103


# ---- executors -----------------------------------------------------------------------------------


def test_one_launch_per_phase_two(cann):
    cann.control.launch_clear()
    executor, (_, _, out, _) = add(cann)
    assert cann.kernels() == []  # phase 1 launches nothing
    cann.ok(cann.aclnnAdd(None, 0, executor, None))
    cann.ok(cann.aclrtSynchronizeStream(None))
    assert cann.kernels() == ["aclnnAdd"]
    p = C.c_void_p()
    cann.ok(cann.aclGetRawTensorAddr(out, C.byref(p)))
    assert cann.to_host(p.value, 4, np.float32).tolist() == [0, 2, 4, 6]


def test_executor_is_for_one_use(cann):
    executor, _ = add(cann)
    cann.ok(cann.aclnnAdd(None, 0, executor, None))
    misuse_grows(
        cann,
        lambda: cann.fails(cann.aclnnAdd(None, 0, executor, None), INNER_NULL, says="used up"),
    )
    cann.ok(cann.aclrtSynchronizeStream(None))
    assert cann.kernels() == ["aclnnAdd"]


def test_executor_is_gone_after_a_failed_phase_two(cann):
    size, executor, _ = strided_add(cann)
    cann.fails(cann.aclnnAdd(None, size, executor, None), NULL, says="workspace is null")
    assert cann.live("aclOpExecutor") == 0
    cann.fails(cann.aclnnAdd(None, size, executor, None), INNER_NULL)


def test_null_executor(cann):
    cann.fails(cann.aclnnAdd(None, 0, None, None), NULL)


def test_executor_of_another_operator(cann):
    executor, _ = add(cann)
    misuse_grows(
        cann,
        lambda: cann.fails(cann.aclnnMul(None, 0, executor, None), INNER_NULL, says="aclnnAdd"),
    )


def test_abandoned_executors_are_counted(cann):
    add(cann)
    executor, _ = add(cann)
    assert cann.live("aclOpExecutor") == 2
    cann.ok(cann.aclDestroyAclOpExecutor(executor))
    assert cann.live("aclOpExecutor") == 1
    cann.fails(cann.aclDestroyAclOpExecutor(None), INNER_NULL)


def test_repeatable_executor_runs_again_with_new_addresses(cann):
    executor, (a, _, out, _) = add(cann)
    cann.ok(cann.aclSetAclOpExecutorRepeatable(executor))
    cann.ok(cann.aclnnAdd(None, 0, executor, None))
    p = cann.malloc(16)
    cann.ok(cann.aclSetOutputTensorAddr(executor, 0, out, p))
    cann.ok(cann.aclSetInputTensorAddr(executor, 0, a, cann.to_device(np.full(4, 9, np.float32))))
    cann.ok(cann.aclnnAdd(None, 0, executor, None))
    cann.ok(cann.aclrtSynchronizeStream(None))
    assert cann.to_host(p, 4, np.float32).tolist() == [9, 10, 11, 12]
    cann.fails(cann.aclSetInputTensorAddr(executor, 7, a, p), INVALID)
    cann.fails(cann.aclSetInputTensorAddr(executor, 1, a, p), INVALID, says="operand 1")
    cann.fails(cann.aclSetAclOpExecutorRepeatable(executor), INNER)
    cann.fails(cann.aclSetAclOpExecutorRepeatable(None), INNER_NULL)
    cann.ok(cann.aclDestroyAclOpExecutor(executor))
    assert cann.live("aclOpExecutor") == 0


# ---- lifetimes -----------------------------------------------------------------------------------


@pytest.mark.parametrize("victim", [0, 1, 2, 3])
def test_object_destroyed_before_phase_two(cann, victim):
    executor, objects = add(cann)
    destroy = cann.aclDestroyScalar if victim == 3 else cann.aclDestroyTensor
    cann.ok(destroy(objects[victim]))
    misuse_grows(
        cann,
        lambda: cann.fails(
            cann.aclnnAdd(None, 0, executor, None), INNER_NULL, says="destroyed before"
        ),
    )


def test_objects_may_be_destroyed_once_phase_two_has_returned(cann):
    executor, (a, b, out, alpha) = add(cann)
    p = C.c_void_p()
    cann.ok(cann.aclGetRawTensorAddr(out, C.byref(p)))
    with cann.hold(None):
        cann.ok(cann.aclnnAdd(None, 0, executor, None))
        for t in (a, b, out):
            cann.ok(cann.aclDestroyTensor(t))
        cann.ok(cann.aclDestroyScalar(alpha))
    cann.ok(cann.aclrtSynchronizeStream(None))
    assert cann.to_host(p.value, 4, np.float32).tolist() == [0, 2, 4, 6]
    assert cann.live("aclTensor") == cann.live("aclScalar") == 0


def test_destroying_twice_is_a_misuse_and_null_is_nothing(cann):
    t = vector(cann)
    cann.ok(cann.aclDestroyTensor(t))
    misuse_grows(cann, lambda: cann.fails(cann.aclDestroyTensor(t), INVALID))
    for destroy in ("Tensor", "Scalar", "IntArray", "FloatArray", "BoolArray", "TensorList"):
        cann.ok(getattr(cann, f"aclDestroy{destroy}")(None))


def test_a_list_owns_its_tensors(cann):
    a, b = vector(cann), vector(cann)
    members = (C.c_void_p * 2)(a, b)
    owner = cann.aclCreateTensorList(members, 2)
    size = C.c_uint64()
    cann.ok(cann.aclGetTensorListSize(owner, C.byref(size)))
    assert size.value == 2
    misuse_grows(
        cann,
        lambda: cann.fails(cann.aclDestroyTensor(a), INVALID, says="belongs to an aclTensorList"),
    )
    assert cann.aclCreateTensorList(members, 2) is None  # a second owner
    cann.fails(INVALID, INVALID, says="another list")
    cann.ok(cann.aclDestroyTensorList(owner))
    assert cann.live("aclTensor") == 0
    cann.fails(cann.aclDestroyTensor(a), INVALID)


def test_buffer_freed_before_the_stream_ran(cann):
    executor, (_, _, out, _) = add(cann)
    p = C.c_void_p()
    cann.ok(cann.aclGetRawTensorAddr(out, C.byref(p)))
    with cann.hold(None):
        cann.ok(cann.aclnnAdd(None, 0, executor, None))
        cann.ok(cann.aclrtFree(p))
    misuse_grows(
        cann, lambda: cann.fails(cann.aclrtSynchronizeStream(None), 507035, says="aclnnAdd")
    )
