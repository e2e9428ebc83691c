# SPDX-License-Identifier: Apache-2.0
"""Rules of the two-phase operators: workspaces, threads, devices, streams."""

import threading

import numpy as np
from two_phase import add, misuse_grows, strided_add, vector

NULL, INVALID, RUNTIME, INNER, INNER_NULL = 161001, 161002, 361001, 561000, 561103


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
        cann,
        lambda: cann.fails(cann.aclnnAdd(w, size - 1, executor, None), INVALID, says="asked for"),
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
