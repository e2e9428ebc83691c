# SPDX-License-Identifier: Apache-2.0
"""One breach of each rule that the simulated chips check, for the table of docs/simulation.md."""

import ctypes as C
import os
import threading

import numpy as np
from cann_client import D2D, H2D
from two_phase import add, strided_add, vector

RACES, SHADOW, HOST = 1, 2, 4
CALLBACK = C.CFUNCTYPE(None, C.c_void_p)
PAGE = 4096
# Not to be broken through this vendor's interface, which refuses earlier; the engine's tests do.
NOT_HERE = {"null_handle", "wait_in_task", "declared_read"}
BREACHES = {}


def breach(words):
    """Register a function that breaks the rule of its name; words: what it does."""

    def register(function):
        BREACHES[function.__name__] = (words, function)
        return function

    return register


def queued_fill(cann, stream, p):
    cann.ok(cann.aclrtMemsetAsync(p, 64, 1, 64, stream))


@breach("`aclrtFree` of the same address twice")
def double_free(cann):
    p = cann.malloc(64)
    cann.aclrtFree(p)
    cann.aclrtFree(p)


@breach("`aclrtFree` of an address inside an allocation")
def wild_free(cann):
    cann.aclrtFree(cann.malloc(64) + 8)


@breach("`aclrtFree` while a queued `aclrtMemsetAsync` has not run")
def use_after_free(cann):
    stream, p = cann.stream(), cann.malloc(64)
    with cann.hold(stream):
        queued_fill(cann, stream, p)
        cann.aclrtFree(p)
    cann.aclrtSynchronizeStream(stream)


@breach("`aclrtMemset` of 4096 bytes in an allocation of 64")
def out_of_bounds(cann):
    cann.aclrtMemset(cann.malloc(64), 1 << 20, 0, 4096)


@breach("`aclnnAdd` with a workspace in host memory")
def host_memory_in_kernel(cann):
    size, executor, _ = strided_add(cann)
    host = np.zeros(size, np.uint8)
    cann.aclnnAdd(host.ctypes.data, size, executor, None)
    cann.aclrtSynchronizeStream(None)


@breach("`aclrtMemcpy` of host memory with the kind device to device")
def copy_kind(cann):
    host = np.zeros(64, np.uint8)
    cann.aclrtMemcpy(cann.malloc(64), 64, host.ctypes.data, 64, D2D)


@breach("`aclrtMemset` of pageable host memory")
def fill_target(cann):
    host = np.zeros(64, np.uint8)
    cann.aclrtMemset(host.ctypes.data, 64, 0, 64)


@breach("`aclrtHostRegister` of the same page twice")
def pinned_twice(cann):
    buffer = np.zeros(3 * PAGE, np.uint8)
    page = -(-buffer.ctypes.data // PAGE) * PAGE
    for _ in range(2):
        cann.aclrtHostRegister(page, PAGE, 0, C.byref(C.c_void_p()))
    cann.aclrtHostUnregister(page)


@breach("`aclrtHostRegister` of an address that is not a page's")
def host_alignment(cann):
    buffer = np.zeros(3 * PAGE, np.uint8)
    page = -(-buffer.ctypes.data // PAGE) * PAGE
    cann.aclrtHostRegister(page + 64, 64, 0, C.byref(C.c_void_p()))


@breach("`aclrtMemcpyAsync` from another device without peer access")
def peer_access(cann):
    p = cann.malloc(64)
    cann.ok(cann.aclrtSetDevice(1))
    cann.aclrtMemcpyAsync(cann.malloc(64), 64, p, 64, D2D, cann.stream())


@breach("`aclrtSynchronizeStream` of an event")
def wrong_handle(cann):
    cann.aclrtSynchronizeStream(cann.out(cann.aclrtCreateEventExWithFlag, 1))


@breach("`aclrtSynchronizeStream` of a destroyed stream")
def dead_handle(cann):
    stream = cann.stream()
    cann.ok(cann.aclrtDestroyStream(stream))
    cann.aclrtSynchronizeStream(stream)


@breach("with the check `shadow`: `aclnnAdd` of memory that was never written")
def uninitialised_read(cann):
    cann.control.set_checks(SHADOW)
    a = cann.tensor(cann.malloc(16), (4,), "float32")
    cann.run("Add", a, vector(cann), cann.scalar(1.0), vector(cann))


@breach("with the check `races`: two streams fill the same memory")
def unordered_access(cann):
    cann.control.set_checks(RACES)
    p = cann.malloc(64)
    queued_fill(cann, cann.stream(), p)
    queued_fill(cann, cann.stream(), p)


@breach("with the check `races`: `aclrtFree` before the host has waited, work done or not")
def free_unordered(cann):
    cann.control.set_checks(RACES)
    p = cann.malloc(64)
    queued_fill(cann, cann.stream(), p)
    cann.aclrtFree(p)


@breach("with the check `host`: the host writes to a pinned buffer whose upload is queued")
def host_buffer_changed(cann):
    cann.control.set_checks(HOST)
    stream, p, pinned = cann.stream(), cann.malloc(64), cann.out(cann.aclrtMallocHost, 64)
    with cann.hold(stream):
        cann.ok(cann.aclrtMemcpyAsync(p, 64, pinned, 64, H2D, stream))
        C.memset(pinned, 7, 64)
    cann.aclrtSynchronizeStream(stream)


@breach("`aclrtMalloc` after `aclFinalize`")
def not_initialised(cann):
    cann.aclrtResetDevice(0)
    cann.ok(cann.aclFinalize())
    cann.aclrtMalloc(C.byref(C.c_void_p()), 64, 0)


@breach("`aclrtMalloc` inside a host callback")
def call_in_callback(cann):
    stream = cann.stream()
    body = CALLBACK(lambda _: cann.aclrtMalloc(C.byref(C.c_void_p()), 8, 0) and None)
    cann.ok(cann.aclrtLaunchHostFunc(stream, C.cast(body, C.c_void_p), None))
    cann.aclrtSynchronizeStream(stream)


@breach("`aclrtLaunchCallback` after `aclrtLaunchHostFunc` on one stream")
def callback_style(cann):
    stream, body = cann.stream(), CALLBACK(lambda _: None)
    function = C.cast(body, C.c_void_p)
    cann.ok(cann.aclrtLaunchHostFunc(stream, function, None))
    cann.ok(cann.aclrtSubscribeReport(threading.get_ident(), stream))
    cann.aclrtLaunchCallback(function, None, 1, stream)
    cann.aclrtSynchronizeStream(stream)


@breach("`aclrtSynchronizeStream` with another device current")
def wrong_context(cann):
    stream = cann.stream()
    cann.ok(cann.aclrtSetDevice(1))
    cann.aclrtSynchronizeStream(stream)


@breach("`aclSetAclOpExecutorRepeatable` after phase 2 has run")
def executor_once(cann):
    executor, _ = add(cann)
    cann.ok(cann.aclSetAclOpExecutorRepeatable(executor))
    cann.ok(cann.aclnnAdd(None, 0, executor, None))
    cann.aclSetAclOpExecutorRepeatable(executor)
    cann.aclrtSynchronizeStream(None)


@breach("`aclnnMul` with an executor of `aclnnAdd`")
def executor_operator(cann):
    executor, _ = add(cann)
    cann.aclnnMul(None, 0, executor, None)


@breach("phase 2 on another thread than phase 1")
def executor_thread(cann):
    executor, _ = add(cann)

    def there():
        cann.ok(cann.aclrtSetDevice(0))
        cann.aclnnAdd(None, 0, executor, None)
        cann.ok(cann.aclrtResetDevice(0))

    thread = threading.Thread(target=there)
    thread.start()
    thread.join()


@breach("phase 2 with another device current than in phase 1")
def executor_device(cann):
    executor, _ = add(cann)
    cann.ok(cann.aclrtSetDevice(1))
    cann.aclnnAdd(None, 0, executor, None)


@breach("`aclSetInputTensorAddr` with a tensor that phase 1 did not see")
def executor_operands(cann):
    executor, _ = add(cann)
    cann.aclSetInputTensorAddr(executor, 0, vector(cann), cann.malloc(16))


@breach("a workspace with a byte less than phase 1 asked for")
def workspace_size(cann):
    size, executor, _ = strided_add(cann)
    cann.aclnnAdd(cann.malloc(size), size - 1, executor, None)


@breach("`aclDestroyTensor` between the phases")
def object_lifetime(cann):
    executor, (a, *_) = add(cann)
    cann.ok(cann.aclDestroyTensor(a))
    cann.aclnnAdd(None, 0, executor, None)


@breach("`aclnnAdd` with a tensor whose address is null")
def tensor_address(cann):
    a = cann.tensor(None, (4,), "float32")
    args = a, vector(cann), cann.scalar(1.0), vector(cann)
    _, _, executor = cann.phase1("Add", *args)
    cann.aclnnAdd(None, 0, executor, None)


@breach("`aclCreateTensor` with a negative dimension")
def tensor_description(cann):
    cann.tensor(cann.malloc(16), (-4,), "float32", (1,), storage=4)


@breach("`aclDestroyTensor` of a member of an `aclTensorList`")
def list_ownership(cann):
    a = vector(cann)
    cann.aclCreateTensorList((C.c_void_p * 1)(a), 1)
    cann.aclDestroyTensor(a)


@breach("`aclrtStreamWaitEvent` of an event that was made for timing only")
def event_kind(cann):
    event = cann.out(cann.aclrtCreateEventExWithFlag, 8)
    cann.aclrtStreamWaitEvent(cann.stream(), event)


@breach("`aclrtResetDevice` of a device that was not set")
def device_pairing(cann):
    cann.aclrtResetDevice(1)


@breach("`aclrtDestroyContext` of a default context")
def default_context(cann):
    cann.aclrtDestroyContext(cann.out(cann.aclrtGetCurrentContext))


@breach("`aclrtResetDevice` with a stream left")
def teardown_order(cann):
    cann.stream()
    cann.ok(cann.aclrtResetDevice(0))


@breach("`aclnnInit` twice")
def initialised_once(cann):
    cann.aclnnInit(None)
    cann.aclnnInit(None)


def two_ranks(cann):
    """Communicators of devices 0 and 1, and a stream and 64 written bytes on each."""
    comms = (C.c_void_p * 2)()
    cann.ok(cann.HcclCommInitAll(2, (C.c_int32 * 2)(0, 1), comms))
    found = []
    for device in (0, 1):
        cann.ok(cann.aclrtSetDevice(device))
        p = cann.malloc(64)
        cann.ok(cann.aclrtMemset(p, 64, 0, 64))
        found.append((comms[device], cann.stream(), p))
    return found


def all_reduce(cann, device, rank, offset=0, count=8, stream=None):
    """One rank's call, of 8 float32 in place unless told otherwise."""
    comm, own, p = rank
    cann.ok(cann.aclrtSetDevice(device))
    return cann.HcclAllReduce(p + offset, p + offset, count, 4, 0, comm, stream or own)


@breach("`HcclCommInitRootInfo` with a rank that another thread has taken")
def group_ranks(cann):
    info = C.create_string_buffer(4108)
    cann.ok(cann.HcclGetRootInfo(info))

    def join(device):
        cann.ok(cann.aclrtSetDevice(device))
        cann.HcclCommInitRootInfo(3, info, 0, C.byref(C.c_void_p()))

    os.environ["DEVICE_API_SIM_COLLECTIVE_TIMEOUT"] = "1"  # for the two that never come
    try:
        first = threading.Thread(target=join, args=(0,))
        first.start()
        join(1)
        first.join()
    finally:
        del os.environ["DEVICE_API_SIM_COLLECTIVE_TIMEOUT"]


@breach("`HcclAllReduce` of 8 elements at one rank and of 4 at the other")
def collective_mismatch(cann):
    ranks = two_ranks(cann)
    for device, rank in enumerate(ranks):
        all_reduce(cann, device, rank, count=8 >> device)
    for device, (_, stream, _) in enumerate(ranks):
        cann.ok(cann.aclrtSetDevice(device))
        cann.aclrtSynchronizeStream(stream)


@breach("`HcclAllReduce` of float32 at an odd address")
def collective_memory(cann):
    all_reduce(cann, 0, two_ranks(cann)[0], offset=2)


@breach("`HcclCommDestroy` while an `HcclAllReduce` has not run")
def comm_pending(cann):
    rank = two_ranks(cann)[0]
    cann.ok(cann.aclrtSetDevice(0))
    with cann.hold(rank[1]):
        all_reduce(cann, 0, rank)
        cann.HcclCommDestroy(rank[0])
    cann.aclrtSynchronizeStream(rank[1])
