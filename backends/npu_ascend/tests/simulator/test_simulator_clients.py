# SPDX-License-Identifier: Apache-2.0
"""What other clients than the adapter use: defaults of aclInit's file, phases on two threads,
options read back, logs, and functions that are there only to be refused."""

import ctypes as C
import json
import os
import re
import threading

import numpy as np
import pytest
from cann_client import HEADERS
from two_phase import add

NO_CONTEXT, INVALID_PARAM, INVALID_DEVICE, UNSUPPORTED, INNER = (
    107002,
    100000,
    107001,
    200006,
    561000,
)
ANY = (None, False)  # what torch_npu passes to the functions around phase 1


def config(folder, content) -> bytes:
    path = folder / "acl.json"
    path.write_text(json.dumps(content))
    return str(path).encode()


def device(cann) -> int:
    return cann.out(cann.aclrtGetDevice, kind=C.c_int32)


def elsewhere(function):
    """The result of a call on a thread of its own."""
    result = []
    thread = threading.Thread(target=lambda: result.append(function()))
    thread.start()
    thread.join()
    return result[0]


# ---- the default device --------------------------------------------------------------------------


def test_threads_without_device_use_the_default_one(fresh, tmp_path):
    fresh.setup(devices=2)
    content = {"dump": {"dump_scene": "lite_exception"}, "defaultDevice": {"default_device": "1"}}
    fresh.ok(fresh.aclInit(config(tmp_path, content)))
    assert device(fresh) == 1
    assert elsewhere(lambda: device(fresh)) == 1
    fresh.ok(fresh.aclrtSetDevice(0))  # what a thread sets comes first
    assert device(fresh) == 0
    assert elsewhere(lambda: device(fresh)) == 1
    fresh.ok(fresh.aclrtResetDevice(0))
    before = fresh.control.misuse_count()
    fresh.ok(fresh.aclFinalize())  # the context that nobody asked for is nobody's leak
    assert fresh.control.misuse_count() == before
    fresh.ok(fresh.aclInit(None))
    fresh.fails(fresh.aclrtGetDevice(C.byref(C.c_int32())), NO_CONTEXT)


def test_default_device_that_is_no_number(fresh, tmp_path):
    for section in ({}, {"default_device": "first"}):
        path = config(tmp_path, {"defaultDevice": section})
        fresh.fails(fresh.aclInit(path), INVALID_PARAM, says="default_device")
    assert fresh.aclInit(None) == 0


def test_default_device_that_is_not_there(fresh, tmp_path):
    fresh.ok(fresh.aclInit(config(tmp_path, {"defaultDevice": {"default_device": "9"}})))
    fresh.fails(fresh.aclrtGetDevice(C.byref(C.c_int32())), NO_CONTEXT)


# ---- phases on two threads -----------------------------------------------------------------------


def values(cann, tensor) -> np.ndarray:
    address = C.c_void_p()
    cann.ok(cann.aclGetRawTensorAddr(tensor, C.byref(address)))
    return cann.to_host(address.value, 4, np.float32)


def phase2_elsewhere(cann, executor) -> int:
    def there():
        cann.ok(cann.aclrtSetDevice(0))
        code = cann.aclnnAdd(None, 0, executor, None)
        cann.ReleaseHugeMem(*ANY)
        cann.ok(cann.aclrtSynchronizeStream(None))
        cann.ok(cann.aclrtResetDevice(0))
        return code

    return elsewhere(there)


def test_an_executor_that_is_handed_over_runs_on_another_thread(cann):
    assert cann.InitHugeMemThreadLocal(*ANY) == 0
    executor, (self, other, out, _) = add(cann)
    cann.UnInitHugeMemThreadLocal(*ANY)
    before = cann.control.misuse_count()
    assert phase2_elsewhere(cann, executor) == 0
    assert cann.control.misuse_count() == before
    a, b, c = (values(cann, tensor) for tensor in (self, other, out))
    assert c.tolist() == (a + b).tolist()


def test_an_executor_made_after_the_handover_stays(cann):
    assert cann.InitHugeMemThreadLocal(*ANY) == 0
    cann.UnInitHugeMemThreadLocal(*ANY)
    executor, _ = add(cann)
    assert phase2_elsewhere(cann, executor) == INNER


# ---- options, process, logs ----------------------------------------------------------------------


@pytest.mark.parametrize("scope", ["", "Ctx"])
def test_options_are_read_back(cann, scope):
    write, read = (getattr(cann, f"aclrt{scope}{verb}SysParamOpt") for verb in ("Set", "Get"))
    value = C.c_int64(-1)
    cann.ok(read(0, C.byref(value)))
    assert value.value == 0
    cann.ok(write(0, 1))
    cann.ok(read(0, C.byref(value)))
    assert value.value == 1
    cann.fails(read(99, C.byref(value)), INVALID_PARAM, says="99")
    cann.fails(read(0, None), INVALID_PARAM, says="null")


def test_process_and_time_limits(cann):
    assert cann.out(cann.aclrtDeviceGetBareTgid, kind=C.c_int32) == os.getpid()
    cann.ok(cann.aclrtSetOpExecuteTimeOut(60))
    cann.ok(cann.aclrtSetOpWaitTimeout(0))


def test_logs_go_to_standard_output_on_request(cann, monkeypatch, capfd):
    def log(level):
        cann.aclAppLog(level, b"f", b"file.c", 7, b"%s %d", C.c_char_p(b"seen"), C.c_int(level))
        return capfd.readouterr().out

    assert log(3) == ""
    monkeypatch.setenv("ASCEND_SLOG_PRINT_TO_STDOUT", "1")
    assert "[ERROR] file.c:7 f: seen 3" in log(3)
    assert log(1) == ""
    monkeypatch.setenv("ASCEND_GLOBAL_LOG_LEVEL", "1")
    assert "[INFO] file.c:7 f: seen 1" in log(1)


# ---- functions that are refused ------------------------------------------------------------------

REFUSED = re.findall(r'X\((\w+), (\w+), "([^"]+)", \w+\)', (HEADERS / "cann_clients.h").read_text())
RESULTS = {"code": UNSUPPORTED, "status": UNSUPPORTED, "handle": None, "undefined": -1, "number": 0}


@pytest.mark.parametrize(("kind", "name", "what"), REFUSED, ids=[row[1] for row in REFUSED])
def test_what_is_not_simulated_is_refused(fresh, library, capfd, kind, name, what):
    function = getattr(C.CDLL(str(library)), name)
    function.restype = {"handle": C.c_void_p, "nothing": None, "number": C.c_uint64}.get(
        kind, C.c_int
    )
    assert function() == RESULTS.get(kind)
    text = fresh.message()
    assert name in text and what in text and str(UNSUPPORTED) in text
    # A function without a code would fail unseen.
    assert (name in capfd.readouterr().err) == (kind in ("nothing", "number", "undefined"))


def test_cumprod_takes_an_axis_of_64_bits(cann):
    x = np.array([[1, 2, 3], [4, 5, 6]], np.float32)
    p = cann.malloc(x.nbytes)
    out = cann.tensor(p, x.shape, "float32")
    status, size, executor = cann.phase1("Cumprod", cann.upload(x), cann.scalar(1, "int64"), 0, out)
    cann.ok(status)
    cann.ok(cann.aclnnCumprod(cann.malloc(size) if size else None, size, executor, None))
    cann.ok(cann.aclrtSynchronizeStream(None))
    assert cann.to_host(p, x.shape, np.float32).tolist() == np.cumprod(x, 1).tolist()
