# SPDX-License-Identifier: Apache-2.0
"""Rules of the two-phase operators: executors, lifetimes, workspaces, threads, argument checks."""

import ctypes as C
import threading

import numpy as np
import pytest
from cann_client import BF16

NULL, INVALID, RUNTIME, INNER, INNER_NULL, NO_KERNEL = 161001, 161002, 361001, 561000, 561103, 561003


def vector(cann, n=4, dtype="float32"):
    return cann.upload(np.arange(n).astype(dtype))


def add(cann, n=4):
    """Phase 1 of an addition: executor, and the tensors (self, other, out) with alpha."""
    a, b = vector(cann, n), vector(cann, n)
    out = cann.tensor(cann.malloc(4 * n), (n,), "float32")
    alpha = cann.scalar(1.0)
    status, size, executor = cann.phase1("Add", a, b, alpha, out)
    cann.ok(status)
    assert size == 0
    return executor, (a, b, out, alpha)


def strided_add(cann):
    """Phase 1 of an addition that asks for a workspace: size, executor, address of out."""
    a = cann.tensor(cann.to_device(np.ones(8, np.float32)), (4,), "float32", (2,), storage=8)
    p = cann.malloc(16)
    out = cann.tensor(p, (4,), "float32")
    status, size, executor = cann.phase1("Add", a, vector(cann), cann.scalar(1.0), out)
    cann.ok(status)
    assert size > 0
    return size, executor, p


def misuse_grows(cann, function):
    before = cann.control.misuse_count()
    function()
    assert cann.control.misuse_count() > before


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
        cann, lambda: cann.fails(cann.aclnnMul(None, 0, executor, None), INNER_NULL, says="aclnnAdd")
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
        cann, lambda: cann.fails(cann.aclDestroyTensor(a), INVALID, says="belongs to an aclTensorList")
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


# ---- workspaces ----------------------------------------------------------------------------------


def test_workspace_is_used(cann):
    size, executor, p = strided_add(cann)
    w = cann.malloc(size)
    cann.ok(cann.aclnnAdd(w, size, executor, None))
    cann.ok(cann.aclrtSynchronizeStream(None))
    assert cann.to_host(p, 4, np.float32).tolist() == [1, 2, 3, 4]
    assert cann.to_host(w, 4, np.float32).tolist() == [1, 1, 1, 1]  # the contiguous copy


def test_workspace_too_small(cann):
    size, executor, _ = strided_add(cann)
    w = cann.malloc(size)
    misuse_grows(
        cann, lambda: cann.fails(cann.aclnnAdd(w, size - 1, executor, None), INVALID, says="asked for")
    )


def test_workspace_freed_before_the_stream_ran(cann):
    size, executor, _ = strided_add(cann)
    w = cann.malloc(size)
    with cann.hold(None):
        cann.ok(cann.aclnnAdd(w, size, executor, None))
        cann.ok(cann.aclrtFree(w))
    misuse_grows(cann, lambda: cann.fails(cann.aclrtSynchronizeStream(None), 507035))


def test_workspace_reused_before_the_stream_ran(cann):
    _, executor, _ = strided_add(cann)
    size = 48 << 20  # large, so that the addresses soon come round again
    w = cann.malloc(size)
    with cann.hold(None):
        cann.ok(cann.aclnnAdd(w, size, executor, None))
        cann.ok(cann.aclrtFree(w))
        places = []
        while w not in places and len(places) < 16:
            places.append(cann.malloc(size))
            if places[-1] != w:
                cann.ok(cann.aclrtFree(places[-1]))
        assert w in places  # another allocation at the workspace's address
    misuse_grows(cann, lambda: cann.fails(cann.aclrtSynchronizeStream(None), 507035))


def test_workspace_of_host_memory(cann):
    size, executor, _ = strided_add(cann)
    host = np.zeros(size, np.uint8)
    cann.ok(cann.aclnnAdd(host.ctypes.data, size, executor, None))
    cann.fails(cann.aclrtSynchronizeStream(None), 507035)


def test_contiguous_operands_need_no_workspace_and_mixed_types_do(cann):
    out = cann.tensor(cann.malloc(32), (4,), "float32")
    args = vector(cann, dtype="int32"), vector(cann), cann.scalar(1.0), out
    status, size, executor = cann.phase1("Add", *args)
    cann.ok(status)
    assert size > 0  # a cast of self
    cann.ok(cann.aclDestroyAclOpExecutor(executor))
    a = cann.upload(np.ones((3, 4), np.float32))
    transposed = cann.tensor(cann.malloc(48), (4, 3), "float32", (1, 4), storage=12)
    out = cann.tensor(cann.malloc(64), (4, 4), "float32")
    status, size, executor = cann.phase1("Mm", transposed, a, out, 0)
    cann.ok(status)
    assert size == 0  # the cube unit reads transposed matrices
    cann.ok(cann.aclDestroyAclOpExecutor(executor))


# ---- threads, devices, streams -------------------------------------------------------------------


def in_thread(function):
    result = []
    thread = threading.Thread(target=lambda: result.append(function()))
    thread.start()
    thread.join()
    return result[0]


def test_phases_on_two_threads(cann):
    executor, _ = add(cann)

    def there():
        cann.ok(cann.aclrtSetDevice(0))
        code = cann.aclnnAdd(None, 0, executor, None)
        text = cann.message()
        cann.ok(cann.aclrtResetDevice(0))
        return code, text

    before = cann.control.misuse_count()
    code, text = in_thread(there)
    assert code == INNER
    assert "another thread" in text
    assert cann.control.misuse_count() == before + 1


def test_thread_without_device(cann):
    args = vector(cann), vector(cann), cann.scalar(1.0), vector(cann)

    def there():
        status, _, _ = cann.phase1("Add", *args)
        return status, cann.aclrtPeekAtLastError(0), cann.message()

    status, last, text = in_thread(there)
    assert (status, last) == (RUNTIME, 107002)
    assert "aclrtSetDevice" in text


def test_wrong_streams(cann):
    cann.ok(cann.aclrtSetDevice(1))
    foreign = cann.stream()
    cann.ok(cann.aclrtSetDevice(0))
    gone = cann.stream()
    cann.ok(cann.aclrtDestroyStream(gone))
    for stream, code in ((foreign, 107003), (gone, 107017)):
        executor, _ = add(cann)
        assert cann.aclnnAdd(None, 0, executor, stream) == RUNTIME
        assert cann.aclrtGetLastError(0) == code
    assert cann.live("aclOpExecutor") == 0


def test_device_switched_between_the_phases(cann):
    executor, _ = add(cann)
    cann.ok(cann.aclrtSetDevice(1))
    misuse_grows(
        cann, lambda: cann.fails(cann.aclnnAdd(None, 0, executor, None), RUNTIME, says="device 1")
    )


def test_injected_launch_failure(cann):
    cann.fault(2, b"aclnnAdd")  # DAS_FAULT_LAUNCH
    executor, _ = add(cann)
    assert cann.aclnnAdd(None, 0, executor, None) == RUNTIME
    assert cann.aclrtGetLastError(0) == 507000


# ---- arguments -----------------------------------------------------------------------------------


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
