# SPDX-License-Identifier: Apache-2.0
"""Rules of the simulated runtime: host callbacks on a stream."""

import ctypes as C
import threading

CALLBACK = C.CFUNCTYPE(None, C.c_void_p)


def test_host_func_runs_in_order(cann):
    stream, d, seen = cann.stream(), cann.malloc(8), []
    callback = CALLBACK(lambda args: seen.append(args))
    cann.ok(cann.aclrtMemsetAsync(d, 8, 1, 8, stream))
    cann.ok(cann.aclrtLaunchHostFunc(stream, C.cast(callback, C.c_void_p), 17))
    cann.ok(cann.aclrtSynchronizeStream(stream))
    assert seen == [17]
    cann.fails(cann.aclrtLaunchHostFunc(stream, None, None), 100000)


def test_callback_must_not_allocate_launch_or_wait(cann):
    stream, codes = cann.stream(), []

    def body(_):
        codes.append(cann.aclrtMalloc(C.byref(C.c_void_p()), 8, 0))
        codes.append(cann.aclrtSynchronizeDevice())

    callback = CALLBACK(body)
    cann.ok(cann.aclrtLaunchHostFunc(stream, C.cast(callback, C.c_void_p), None))
    cann.ok(cann.aclrtSynchronizeStream(stream))
    assert codes == [107000, 107000]
    assert any("host callback" in text for text in cann.misuses())


def test_reported_callbacks(cann):
    stream, seen, processed = cann.stream(), [], []
    callback = CALLBACK(lambda _: seen.append(threading.get_ident()))
    function = C.cast(callback, C.c_void_p)
    cann.fails(cann.aclrtLaunchCallback(function, None, 1, stream), 107015)
    cann.fails(cann.aclrtProcessReport(10), 107012)
    cann.fails(cann.aclrtProcessReport(0), 100000)
    ready, subscribed = threading.Event(), threading.Event()
    server = []

    def serve():
        server.append(threading.get_ident())
        ready.set()
        subscribed.wait()
        processed.append(cann.aclrtProcessReport(5000))
        processed.append(cann.aclrtProcessReport(10))

    thread = threading.Thread(target=serve)
    thread.start()
    ready.wait()
    cann.ok(cann.aclrtSubscribeReport(server[0], stream))
    cann.fails(cann.aclrtSubscribeReport(server[0], stream), 107011)
    subscribed.set()
    cann.ok(cann.aclrtLaunchCallback(function, None, 1, stream))
    cann.ok(cann.aclrtSynchronizeStream(stream))
    thread.join()
    assert seen == server
    assert processed == [0, 507012]
    cann.fails(cann.aclrtLaunchHostFunc(stream, function, None), 107000, says="do not mix")
    cann.ok(cann.aclrtUnSubscribeReport(server[0], stream))
    cann.fails(cann.aclrtUnSubscribeReport(server[0], stream), 107012)
