# SPDX-License-Identifier: Apache-2.0
"""Rules of the simulated runtime: device memory, pinned memory, copies and fills."""

import ctypes as C
import subprocess
import sys

import numpy as np
import pytest
from cann_client import D2D, D2H, DEFAULT, H2D, H2H


def test_malloc_codes(cann):
    p = C.c_void_p()
    cann.fails(cann.aclrtMalloc(None, 8, 0), 100000)
    cann.fails(cann.aclrtMalloc(C.byref(p), 0, 0), 100000, says="size is 0")
    cann.fails(cann.aclrtMalloc(C.byref(p), 8, 99), 100000, says="policy")
    cann.fails(cann.aclrtMalloc(C.byref(p), 1 << 40, 0), 207001)
    assert not p.value
    for policy in (0, 2, 7, 0x100, 0x1000 | 1):
        cann.ok(cann.aclrtMalloc(C.byref(p), 100, policy))
        assert p.value % 64 == 0
    cann.fails(cann.aclrtFree(None), 100000)


def test_out_of_memory_leaves_the_rest_usable(cann):
    free, total = C.c_size_t(), C.c_size_t()
    cann.ok(cann.aclrtGetMemInfo(1, C.byref(free), C.byref(total)))
    assert total.value == free.value == 64 << 20
    p = cann.malloc(40 << 20)
    cann.fails(cann.aclrtMalloc(C.byref(C.c_void_p()), 40 << 20, 0), 207001)
    cann.ok(cann.aclrtGetMemInfo(1, C.byref(free), C.byref(total)))
    assert free.value <= 24 << 20
    cann.ok(cann.aclrtGetMemInfo(0, C.byref(free), C.byref(total)))
    assert (free.value, total.value) == (0, 0)  # no DDR on this chip
    cann.fails(cann.aclrtGetMemInfo(77, C.byref(free), C.byref(total)), 100000)
    cann.ok(cann.aclrtFree(p))
    cann.malloc(40 << 20)


def test_double_free_and_foreign_pointers_are_misuses(cann):
    p = cann.malloc(64)
    cann.ok(cann.aclrtFree(p))
    cann.fails(cann.aclrtFree(p), 107000)
    cann.fails(cann.aclrtFree(12345), 107000)
    assert cann.control.misuse_count() == 2


def test_the_other_ways_to_allocate(cann):
    for function in (cann.aclrtMallocAlign32, cann.aclrtMallocCached):
        cann.ok(cann.aclrtFree(cann.out(function, 128, 0)))
    cann.ok(cann.aclrtFree(cann.out(cann.aclrtMallocWithCfg, 128, 0, None)))
    cann.ok(cann.aclrtFreeWithDevSync(cann.malloc(128)))
    assert cann.live("allocation") == 0


def test_host_read_of_device_memory_faults(library):
    code = f"""
import ctypes as C
l = C.CDLL({str(library)!r})
p = C.c_void_p()
assert l.aclInit(None) == l.aclrtSetDevice(0) == l.aclrtMalloc(C.byref(p), C.c_size_t(64), 0) == 0
print("allocated", flush=True)
print(C.c_int.from_address(p.value).value)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "allocated\n"
    assert done.returncode < 0  # killed by a signal


def test_fresh_memory_is_poisoned_not_zero(cann):
    values = cann.to_host(cann.malloc(64), (16,), np.float32)
    assert np.isnan(values).all()


def test_pinned_memory(cann):
    p = C.c_void_p()
    cann.fails(cann.aclrtMallocHost(C.byref(p), 0), 100000)
    cann.fails(cann.aclrtFreeHost(None), 100000)
    cann.ok(cann.aclrtMallocHost(C.byref(p), 256))
    C.memset(p, 7, 256)
    d = cann.malloc(256)
    cann.ok(cann.aclrtMemcpy(d, 256, p, 256, H2D))
    assert (cann.to_host(d, 256, np.uint8) == 7).all()
    cann.ok(cann.aclrtFreeHost(p))
    cann.fails(cann.aclrtFreeHost(p), 107000)


def test_pointer_attributes(cann):
    attributes = (C.c_uint32 * 7)()
    pinned, device, host = cann.out(cann.aclrtMallocHost, 64), cann.malloc(64), np.zeros(4)
    for p, location in ((pinned, 0), (device + 8, 1), (host.ctypes.data, 2)):
        cann.ok(cann.aclrtPointerGetAttributes(p, attributes))
        assert attributes[1] == location


def test_host_register_needs_alignment_and_the_chip(on_chip):
    buffer = np.zeros(3 * 4096, np.uint8)
    page = -(-buffer.ctypes.data // 4096) * 4096
    device = C.c_void_p()
    cann = on_chip("Ascend910B3")
    cann.fails(cann.aclrtHostRegister(page + 64, 64, 0, C.byref(device)), 107000, says="4 KiB")
    cann.ok(cann.aclrtHostRegister(page, 4096, 0, C.byref(device)))
    cann.ok(cann.aclrtHostUnregister(page))
    cann = on_chip("Ascend910A")
    cann.fails(cann.aclrtHostRegister(page, 4096, 0, C.byref(device)), 207000)


def test_copy_codes(cann):
    d, host = cann.malloc(16), np.arange(4, dtype=np.int32)
    h = host.ctypes.data
    cann.fails(cann.aclrtMemcpy(None, 16, h, 16, H2D), 100000)
    cann.fails(cann.aclrtMemcpy(d, 8, h, 16, H2D), 107000, says="destMax")
    cann.fails(cann.aclrtMemcpy(d, 16, h, 16, 6), 100000, says="kind")
    cann.fails(cann.aclrtMemcpy(d, 16, h, 16, 7), 100000)
    cann.ok(cann.aclrtMemcpy(None, 0, None, 0, H2D))  # nothing to do
    cann.ok(cann.aclrtMemcpy(d, 16, h, 16, DEFAULT))
    assert (cann.to_host(d, 4, np.int32) == host).all()
    other = np.zeros(4, np.int32)
    cann.ok(cann.aclrtMemcpy(other.ctypes.data, 16, h, 16, H2H))
    assert (other == host).all()


def test_wrong_kind_of_pointer_is_a_misuse(cann):
    d, host = cann.malloc(16), np.arange(4, dtype=np.int32)
    before = cann.control.misuse_count()
    cann.fails(cann.aclrtMemcpy(d, 16, host.ctypes.data, 16, D2D), 107000)
    cann.fails(cann.aclrtMemcpy(host.ctypes.data, 16, d, 16, H2D), 107000)
    cann.fails(cann.aclrtMemcpy(d, 32, host.ctypes.data, 32, H2D), 107000)  # out of bounds
    assert cann.control.misuse_count() == before + 3


def test_async_pageable_copy_waits_and_pinned_does_not(cann):
    stream, d = cann.stream(), cann.malloc(1 << 16)
    status = C.c_int()
    host = np.full(1 << 16, 5, np.uint8)
    cann.ok(cann.aclrtMemcpyAsync(d, 1 << 16, host.ctypes.data, 1 << 16, H2D, stream))
    host[:] = 9  # too late to matter: the copy has been made
    cann.ok(cann.aclrtStreamQuery(stream, C.byref(status)))
    assert status.value == 0
    assert (cann.to_host(d, 1 << 16, np.uint8) == 5).all()

    pinned = cann.out(cann.aclrtMallocHost, 1 << 16)
    C.memset(pinned, 1, 1 << 16)
    with cann.hold(stream):
        cann.ok(cann.aclrtMemcpyAsync(d, 1 << 16, pinned, 1 << 16, H2D, stream))
        C.memset(pinned, 2, 1 << 16)  # the copy reads later
    cann.ok(cann.aclrtSynchronizeStream(stream))
    assert (cann.to_host(d, 1 << 16, np.uint8) == 2).all()


def test_memcpy_does_not_wait_for_streams(cann):
    stream, d = cann.stream(), cann.malloc(64)
    cann.ok(cann.aclrtMemset(d, 64, 1, 64))
    with cann.hold(stream):
        cann.ok(cann.aclrtMemsetAsync(d, 64, 2, 64, stream))
        early = cann.to_host(d, 64, np.uint8)
    cann.ok(cann.aclrtSynchronizeStream(stream))
    assert (early == 1).all()
    assert (cann.to_host(d, 64, np.uint8) == 2).all()


def test_async_host_to_host_is_207000(cann):
    a = np.zeros(8)
    for kind in (H2H, DEFAULT):
        code = cann.aclrtMemcpyAsync(a.ctypes.data, 64, a.ctypes.data, 64, kind, None)
        cann.fails(code, 207000)
    code = cann.aclrtMemcpyAsync(cann.malloc(8), 4, a.ctypes.data, 8, H2D, None)
    cann.fails(code, 107000)


def test_async_copy_of_another_device_is_refused(cann):
    p0, stream0 = cann.malloc(64), cann.stream()
    cann.ok(cann.aclrtSetDevice(1))
    p1, stream1 = cann.malloc(64), cann.stream()
    cann.fails(cann.aclrtMemcpyAsync(p1, 64, p0, 64, D2D, stream1), 107000, says="peer access")
    cann.fails(cann.aclrtMemcpyAsync(p1, 64, p1, 64, D2D, stream0), 107003)
    cann.ok(cann.aclrtDeviceEnablePeerAccess(0, 0))
    cann.ok(cann.aclrtMemset(p0, 64, 3, 64))
    cann.ok(cann.aclrtMemcpyAsync(p1, 64, p0, 64, D2D, stream1))
    cann.ok(cann.aclrtSynchronizeStream(stream1))
    assert (cann.to_host(p1, 64, np.uint8) == 3).all()
    cann.ok(cann.aclrtResetDevice(1))


def test_memory_freed_under_queued_work_is_a_late_error(cann):
    stream, d = cann.stream(), cann.malloc(64)
    with cann.hold(stream):
        cann.ok(cann.aclrtMemsetAsync(d, 64, 2, 64, stream))
        cann.ok(cann.aclrtFree(d))  # at once: it does not wait
    cann.fails(cann.aclrtSynchronizeStream(stream), 507013)
    assert cann.control.misuse_count() >= 1
    cann.ok(cann.aclrtSynchronizeStream(stream))  # reported once


def test_memset_codes(cann):
    d = cann.malloc(64)
    cann.fails(cann.aclrtMemset(None, 8, 0, 8), 100000)
    cann.fails(cann.aclrtMemset(d, 8, 0, 16), 107000)
    cann.fails(cann.aclrtMemsetAsync(d, 8, 0, 16, None), 107000)
    cann.fails(cann.aclrtMemset(np.zeros(8).ctypes.data, 8, 0, 8), 107000)  # pageable host
    cann.ok(cann.aclrtMemset(None, 0, 0, 0))
    pinned = cann.out(cann.aclrtMallocHost, 64)
    cann.ok(cann.aclrtMemset(pinned, 64, 0x55, 64))
    assert C.string_at(pinned, 64) == b"\x55" * 64


def test_two_dimensional_copies(cann):
    host = np.arange(64, dtype=np.uint8).reshape(8, 8)
    d = cann.malloc(64)
    cann.ok(cann.aclrtMemset(d, 64, 0, 64))
    cann.ok(cann.aclrtMemcpy2d(d, 8, host.ctypes.data, 8, 4, 8, H2D))
    expected = host.copy()
    expected[:, 4:] = 0
    assert (cann.to_host(d, (8, 8), np.uint8) == expected).all()
    cann.fails(cann.aclrtMemcpy2d(d, 8, d, 8, 4, 8, D2D), 100000)
    cann.fails(cann.aclrtMemcpy2d(d, 4, host.ctypes.data, 8, 5, 8, H2D), 107000)
    back = np.zeros((8, 8), np.uint8)
    cann.ok(cann.aclrtMemcpy2dAsync(back.ctypes.data, 8, d, 8, 8, 8, D2H, None))
    cann.ok(cann.aclrtSynchronizeStream(None))
    assert (back == expected).all()


@pytest.mark.parametrize(("chip", "code"), [("Ascend910B3", 0), ("Ascend910A", 100000)])
def test_two_dimensional_device_copy_by_chip(on_chip, chip, code):
    cann = on_chip(chip)
    d = cann.malloc(128)
    assert cann.aclrtMemcpy2dAsync(d, 8, d + 64, 8, 8, 8, D2D, None) == code
    cann.ok(cann.aclrtSynchronizeStream(None))
