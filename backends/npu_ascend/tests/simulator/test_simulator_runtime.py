# SPDX-License-Identifier: Apache-2.0
"""Rules of the simulated runtime: initialisation, devices, contexts, error texts."""

import ctypes as C
import os
import subprocess
import sys
import threading

from cann_client import SONAMES, library_folder, read_signatures


def in_thread(function):
    """Run in another thread and return its result."""
    result = []
    thread = threading.Thread(target=lambda: result.append(function()))
    thread.start()
    thread.join()
    return result[0]


def test_every_declared_symbol_is_exported(fresh):
    names = read_signatures()
    assert sum(n.startswith(("aclrt", "aclInit", "aclFinalize", "aclGet")) for n in names) >= 80
    assert sum(n.endswith("GetWorkspaceSize") for n in names) >= 49
    for name in names:
        assert hasattr(fresh.library, name)


def test_vendor_sonames_share_one_state():
    code = f"""
import ctypes as C, os
folder = {str(library_folder())!r}
libs = [C.CDLL(os.path.join(folder, n), mode=os.RTLD_LOCAL) for n in {SONAMES!r}]
assert libs[0].aclInit(None) == 0
assert [l.aclInit(None) for l in libs[1:]] == [100002] * 5
assert libs[1].aclrtSetDevice(0) == 0
device = C.c_int32(-1)
assert libs[0].aclrtGetDevice(C.byref(device)) == 0 and device.value == 0
assert libs[3].aclrtResetDevice(0) == 0 and libs[2].aclFinalize() == 0
try:
    C.CDLL(None).aclInit
except AttributeError:
    print("local")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "local\n", done.stderr


def test_second_init_is_100002_and_finalize_ends_all(fresh):
    fresh.ok(fresh.aclInit(None))
    fresh.fails(fresh.aclInit(None), 100002)
    fresh.ok(fresh.aclFinalize())
    fresh.fails(fresh.aclrtSetDevice(0), 100001, says="aclInit")
    fresh.fails(fresh.aclFinalize(), 100037)
    fresh.ok(fresh.aclInit(None))
    fresh.ok(fresh.aclFinalize())


def test_finalize_reference_counts(fresh):
    left = C.c_uint64(9)
    fresh.ok(fresh.aclInit(None))
    assert fresh.aclInit(None) == 100002
    fresh.ok(fresh.aclFinalizeReference(C.byref(left)))
    assert left.value == 1
    fresh.ok(fresh.aclrtSetDevice(0))
    fresh.ok(fresh.aclrtResetDevice(0))
    fresh.ok(fresh.aclFinalizeReference(None))
    fresh.fails(fresh.aclFinalizeReference(None), 100037)


def test_init_with_a_configuration(fresh, tmp_path):
    config = tmp_path / "acl.json"
    fresh.fails(fresh.aclInit(str(config).encode()), 100003, says="acl.json")
    config.write_text("{}")
    fresh.ok(fresh.aclInit(str(config).encode()))
    fresh.fails(fresh.aclInit(str(config).encode()), 100002)
    fresh.fails(fresh.aclInit(None), 100000, says="another configuration")


def test_finalize_with_a_device_still_set_is_reported(cann):
    cann.ok(cann.aclFinalize())
    assert any("contexts were left" in text for text in cann.misuses())


def test_calls_before_init_are_a_misuse(fresh):
    fresh.fails(fresh.aclrtSetDevice(0), 100001)
    assert fresh.control.misuse_count() == 1


def test_thread_without_device_gets_107002(cann):
    code, text = in_thread(lambda: (cann.aclrtMalloc(C.byref(C.c_void_p()), 8, 0), cann.message()))
    assert code == 107002
    assert "aclrtSetDevice" in text
    assert in_thread(lambda: cann.aclrtSynchronizeDevice()) == 107002
    assert in_thread(lambda: cann.aclrtGetDevice(C.byref(C.c_int32()))) == 107002


def test_device_ids_are_checked(cann):
    cann.fails(cann.aclrtSetDevice(2), 107001, says="no device 2")
    cann.fails(cann.aclrtSetDevice(-1), 107001)
    cann.fails(cann.aclrtResetDevice(7), 107001)


def test_set_device_is_counted(cann):
    cann.ok(cann.aclrtSetDevice(0))  # the second time
    cann.ok(cann.aclrtResetDevice(0))
    assert cann.out(cann.aclrtGetDevice, kind=C.c_int32) == 0
    cann.ok(cann.aclrtResetDevice(0))
    cann.fails(cann.aclrtGetDevice(C.byref(C.c_int32())), 107002)
    before = cann.control.misuse_count()
    cann.fails(cann.aclrtResetDevice(0), 107002, says="not set")
    assert cann.control.misuse_count() == before + 1


def test_threads_of_one_device_share_its_default_context(cann):
    here = cann.out(cann.aclrtGetCurrentContext)

    def there():
        cann.ok(cann.aclrtSetDevice(0))
        context = cann.out(cann.aclrtGetCurrentContext)
        cann.ok(cann.aclrtResetDevice(0))
        return context

    assert in_thread(there) == here
    cann.ok(cann.aclrtSynchronizeDevice())


def test_reset_force_frees_at_once(cann):
    cann.ok(cann.aclrtSetDevice(0))
    stream, p = cann.stream(), cann.malloc(1024)
    cann.ok(cann.aclrtResetDeviceForce(0))
    cann.fails(cann.aclrtSynchronizeStream(stream), 107002)
    cann.ok(cann.aclrtSetDevice(0))
    cann.fails(cann.aclrtSynchronizeStream(stream), 107017)
    cann.fails(cann.aclrtFree(p), 107000)


def test_reset_force_ends_explicit_contexts_too(cann):
    made = cann.out(cann.aclrtCreateContext, 0)
    cann.ok(cann.aclrtResetDeviceForce(0))
    cann.fails(cann.aclrtSetCurrentContext(made), 107017)
    assert cann.live("aclrtContext") == 0


def test_reset_destroys_the_streams_of_the_context(cann):
    cann.stream()
    assert cann.live("stream") == 2  # the default stream and ours
    cann.ok(cann.aclrtResetDevice(0))
    assert cann.live("stream") == 0
    assert cann.live("aclrtContext") == 0


def test_contexts(cann):
    default = cann.out(cann.aclrtGetCurrentContext)
    made = cann.out(cann.aclrtCreateContext, 1)
    assert cann.out(cann.aclrtGetCurrentContext) == made
    assert cann.out(cann.aclrtGetDevice, kind=C.c_int32) == 1
    cann.ok(cann.aclrtSetCurrentContext(default))
    assert cann.out(cann.aclrtGetDevice, kind=C.c_int32) == 0
    cann.fails(cann.aclrtDestroyContext(default), 100000, says="default")
    cann.ok(cann.aclrtDestroyContext(made))
    cann.fails(cann.aclrtDestroyContext(made), 107017)
    cann.fails(cann.aclrtSetCurrentContext(made), 107017)
    cann.fails(cann.aclrtSetCurrentContext(None), 100000)


def test_error_text_is_cleared_when_read_and_per_thread(cann):
    assert cann.aclGetRecentErrMsg() is None
    assert cann.aclrtFree(None) == 100000
    assert in_thread(cann.aclGetRecentErrMsg) is None
    text = cann.aclGetRecentErrMsg().decode()
    assert text.startswith("EE1001")
    assert "aclrtFree" in text
    assert cann.aclGetRecentErrMsg() is None


def test_last_error_peek_and_get(cann):
    assert cann.aclrtPeekAtLastError(0) == 0
    assert cann.aclrtFree(None) == 100000
    assert cann.aclrtPeekAtLastError(0) == 100000
    assert cann.aclrtGetLastError(0) == 100000
    assert cann.aclrtGetLastError(0) == 0
    assert cann.aclrtGetLastError(1) == 100000  # no such level


def test_peer_access_is_one_way(cann):
    can = C.c_int32()
    cann.ok(cann.aclrtDeviceCanAccessPeer(C.byref(can), 0, 1))
    assert can.value == 1
    cann.fails(cann.aclrtDeviceCanAccessPeer(C.byref(can), 0, 0), 107000)
    cann.fails(cann.aclrtDeviceEnablePeerAccess(1, 4), 107000, says="flags")
    cann.ok(cann.aclrtDeviceEnablePeerAccess(1, 0))
    status = C.c_int32()
    cann.ok(cann.aclrtDevicePeerAccessStatus(0, 1, C.byref(status)))
    assert status.value == 1
    cann.ok(cann.aclrtDevicePeerAccessStatus(1, 0, C.byref(status)))
    assert status.value == 0
    cann.ok(cann.aclrtDeviceDisablePeerAccess(1))


def test_lost_device_is_lost_until_reset(cann):
    cann.ok(cann.aclrtSynchronizeDevice())
    assert cann.control.device_lose(0) == 0
    cann.fails(cann.aclrtMalloc(C.byref(C.c_void_p()), 8, 0), 507010)
    status = C.c_int()
    cann.ok(cann.aclrtQueryDeviceStatus(0, C.byref(status)))
    assert status.value == 1
    cann.ok(cann.aclrtResetDevice(0))
    cann.ok(cann.aclrtSetDevice(0))
    cann.malloc(8)


def test_forked_child_is_told(cann):
    read, write = os.pipe()
    if (pid := os.fork()) == 0:
        code = cann.aclrtSynchronizeDevice()
        os.write(write, str(code).encode())
        os._exit(0)
    os.waitpid(pid, 0)
    assert os.read(read, 100) == b"507899"
    os.close(read)
    os.close(write)
