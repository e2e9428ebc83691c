# SPDX-License-Identifier: Apache-2.0
"""Rules of the simulated runtime: streams and events."""

import ctypes as C

import numpy as np
import pytest

ASYNC, ECC = 3, 8  # das_fault_kind
SYNC, TIME_LINE = 1, 8


def query(cann, stream):
    return cann.out(lambda out, s: cann.aclrtStreamQuery(s, out), stream, kind=C.c_int)


def recorded(cann, event):
    """aclrtQueryEventStatus: 0 not ready, 1 complete."""
    return cann.out(lambda out, e: cann.aclrtQueryEventStatus(e, out), event, kind=C.c_int)


def test_default_stream_is_null(cann):
    d = cann.malloc(8)
    cann.ok(cann.aclrtMemsetAsync(d, 8, 3, 8, None))
    cann.ok(cann.aclrtSynchronizeStream(None))
    assert (cann.to_host(d, 8, np.uint8) == 3).all()
    cann.fails(cann.aclrtDestroyStream(None), 100000)


def test_bad_handles_are_107017_and_misuses(cann):
    stream = cann.stream()
    cann.ok(cann.aclrtDestroyStream(stream))
    event = cann.out(cann.aclrtCreateEvent)
    for bad in (stream, 4096, event):
        before = cann.control.misuse_count()
        cann.fails(cann.aclrtSynchronizeStream(bad), 107017)
        assert cann.control.misuse_count() == before + 1
    cann.fails(cann.aclrtSynchronizeEvent(stream), 107017)
    cann.fails(cann.aclrtDestroyStream(stream), 107017)


def test_stream_of_another_device_is_107003(cann):
    stream = cann.stream()
    cann.ok(cann.aclrtSetDevice(1))
    cann.fails(cann.aclrtSynchronizeStream(stream), 107003, says="device 0")
    cann.fails(cann.aclrtMemsetAsync(cann.malloc(8), 8, 0, 8, stream), 107003)
    assert any("belongs to" in text for text in cann.misuses())
    cann.ok(cann.aclrtSetDevice(0))
    cann.ok(cann.aclrtSynchronizeStream(stream))


def test_stream_of_another_context_is_107003(cann):
    stream = cann.stream()
    cann.out(cann.aclrtCreateContext, 0)
    cann.fails(cann.aclrtDestroyStream(stream), 107003, says="another context")


def test_stream_flags_and_limit(on_chip):
    cann = on_chip("Ascend310P3")
    assert cann.out(cann.aclrtCreateStreamWithConfig, 0, 3)
    cann.fails(cann.aclrtCreateStreamWithConfig(C.byref(C.c_void_p()), 1, 0), 107000)
    cann.fails(cann.aclrtCreateStreamWithConfig(C.byref(C.c_void_p()), 0, 0x400), 107000)
    for _ in range(1024 - 2):
        cann.stream()
    cann.fails(cann.aclrtCreateStream(C.byref(C.c_void_p())), 207008)


def test_query_numbering(cann):
    stream = cann.stream()
    held = cann.hold(stream)
    assert query(cann, stream) == 1
    held.release()
    cann.ok(cann.aclrtSynchronizeStream(stream))
    assert query(cann, stream) == 0


def test_waits_with_a_timeout(cann):
    stream = cann.stream()
    event = cann.out(cann.aclrtCreateEventExWithFlag, SYNC)
    held = cann.hold(stream)
    cann.ok(cann.aclrtRecordEvent(event, stream))
    cann.fails(cann.aclrtSynchronizeStreamWithTimeout(stream, 10), 507046)
    cann.fails(cann.aclrtSynchronizeDeviceWithTimeout(10), 507046)
    cann.fails(cann.aclrtSynchronizeEventWithTimeout(event, 10), 507047)
    for wait in (
        lambda: cann.aclrtSynchronizeStreamWithTimeout(stream, -2),
        lambda: cann.aclrtSynchronizeEventWithTimeout(event, -2),
        lambda: cann.aclrtSynchronizeDeviceWithTimeout(-2),
    ):
        cann.fails(wait(), 107000)
    held.release()
    cann.ok(cann.aclrtSynchronizeStreamWithTimeout(stream, -1))
    cann.ok(cann.aclrtSynchronizeEventWithTimeout(event, 1000))


def test_stream_ids_differ(cann):
    ids = {
        cann.out(lambda out, s: cann.aclrtStreamGetId(s, out), s, kind=C.c_int32)
        for s in (None, cann.stream(), cann.stream())
    }
    assert len(ids) == 3


def test_failure_mode_is_set_once(cann):
    stream = cann.stream()
    cann.fails(cann.aclrtSetStreamFailureMode(stream, 2), 100000)
    cann.fails(cann.aclrtSetStreamFailureMode(None, 1), 100000)
    cann.ok(cann.aclrtSetStreamFailureMode(stream, 1))
    cann.fails(cann.aclrtSetStreamFailureMode(stream, 0), 107000)
    d = cann.malloc(64)
    cann.ok(cann.aclrtMemset(d, 64, 0, 64))
    cann.fault(ASYNC, b"memset", count=1)
    cann.ok(cann.aclrtMemsetAsync(d, 32, 1, 32, stream))
    cann.ok(cann.aclrtMemsetAsync(d + 32, 32, 1, 32, stream))
    cann.fails(cann.aclrtSynchronizeStream(stream), 507013)
    assert (cann.to_host(d, 64, np.uint8)[32:] == 0).all()  # skipped after the failure


def test_late_errors_come_with_the_next_wait_and_their_code(cann):
    stream, d = cann.stream(), cann.malloc(64)
    cann.fault(ECC, b"memset")
    cann.ok(cann.aclrtMemsetAsync(d, 64, 0, 64, stream))
    cann.fails(cann.aclrtSynchronizeStream(stream), 507054, says="memset")
    cann.fault(ASYNC, b"memset", code=507014)
    cann.ok(cann.aclrtMemsetAsync(d, 64, 0, 64, stream))
    cann.fails(cann.aclrtSynchronizeDevice(), 507014)
    cann.ok(cann.aclrtSynchronizeStream(stream))


def test_destroying_a_stream_waits_and_force_does_not(cann):
    stream, d = cann.stream(), cann.malloc(64)
    cann.ok(cann.aclrtMemsetAsync(d, 64, 7, 64, stream))
    cann.ok(cann.aclrtDestroyStream(stream))
    assert (cann.to_host(d, 64, np.uint8) == 7).all()
    stream = cann.stream()
    cann.hold(stream)
    cann.ok(cann.aclrtDestroyStreamForce(stream))


# ---- events --------------------------------------------------------------------------------------


def test_event_query_numberings_are_opposite(cann):
    stream = cann.stream()
    event = cann.out(cann.aclrtCreateEvent)
    older = C.c_int()
    held = cann.hold(stream)
    cann.ok(cann.aclrtRecordEvent(event, stream))
    cann.ok(cann.aclrtQueryEvent(event, C.byref(older)))
    assert (recorded(cann, event), older.value) == (0, 1)
    held.release()
    cann.ok(cann.aclrtSynchronizeEvent(event))
    cann.ok(cann.aclrtQueryEvent(event, C.byref(older)))
    assert (recorded(cann, event), older.value) == (1, 0)
    cann.ok(cann.aclrtQueryEventWaitStatus(event, C.byref(older)))
    assert older.value == 0


def test_event_never_recorded(cann):
    assert recorded(cann, cann.out(cann.aclrtCreateEventExWithFlag, SYNC)) == 1
    assert recorded(cann, cann.out(cann.aclrtCreateEvent)) == 0


def test_extended_events_refuse_the_older_calls(cann):
    event = cann.out(cann.aclrtCreateEventExWithFlag, SYNC | TIME_LINE)
    status = C.c_int()
    for refused in (
        lambda: cann.aclrtQueryEvent(event, C.byref(status)),
        lambda: cann.aclrtQueryEventWaitStatus(event, C.byref(status)),
        lambda: cann.aclrtResetEvent(event, None),
    ):
        before = cann.control.misuse_count()
        cann.fails(refused(), 207000, says="aclrtQueryEventStatus")
        assert cann.control.misuse_count() == before + 1


def test_reset_needs_a_flagged_event_with_sync(cann):
    cann.fails(cann.aclrtResetEvent(cann.out(cann.aclrtCreateEvent), None), 107000)
    event = cann.out(cann.aclrtCreateEventWithFlag, SYNC)
    cann.ok(cann.aclrtRecordEvent(event, None))
    cann.ok(cann.aclrtSynchronizeEvent(event))
    assert recorded(cann, event) == 1
    cann.ok(cann.aclrtResetEvent(event, None))
    assert recorded(cann, event) == 0


@pytest.mark.parametrize("flag", [0, 0x100])
def test_event_flags_are_checked(cann, flag):
    cann.fails(cann.aclrtCreateEventWithFlag(C.byref(C.c_void_p()), flag), 107000)
    cann.fails(cann.aclrtCreateEventExWithFlag(C.byref(C.c_void_p()), flag), 107000)


def test_stream_waits_for_event(cann):
    first, second = cann.stream(), cann.stream()
    d = cann.malloc(64)
    event = cann.out(cann.aclrtCreateEventExWithFlag, SYNC)
    held = cann.hold(first)
    cann.ok(cann.aclrtMemsetAsync(d, 64, 1, 64, first))
    cann.ok(cann.aclrtRecordEvent(event, first))
    cann.ok(cann.aclrtStreamWaitEvent(second, event))
    cann.ok(cann.aclrtMemsetAsync(d, 64, 2, 64, second))
    cann.fails(cann.aclrtSynchronizeStreamWithTimeout(second, 20), 507046)
    held.release()
    cann.ok(cann.aclrtSynchronizeStream(second))
    assert (cann.to_host(d, 64, np.uint8) == 2).all()


def test_wait_needs_the_sync_flag(cann):
    event = cann.out(cann.aclrtCreateEventWithFlag, TIME_LINE)
    cann.fails(cann.aclrtStreamWaitEvent(None, event), 107000, says="ACL_EVENT_SYNC")


def test_elapsed_time(cann):
    stream, ms = cann.stream(), C.c_float()
    start, end, plain = (
        cann.out(cann.aclrtCreateEventExWithFlag, flag) for flag in (TIME_LINE, TIME_LINE, SYNC)
    )
    cann.fails(cann.aclrtEventElapsedTime(C.byref(ms), start, end), 107006)
    cann.ok(cann.aclrtRecordEvent(start, stream))
    d = cann.malloc(1 << 20)
    cann.ok(cann.aclrtMemsetAsync(d, 1 << 20, 0, 1 << 20, stream))
    held = cann.hold(stream)
    cann.ok(cann.aclrtRecordEvent(end, stream))
    cann.fails(cann.aclrtEventElapsedTime(C.byref(ms), start, end), 507006)
    held.release()
    cann.ok(cann.aclrtSynchronizeStream(stream))
    cann.ok(cann.aclrtEventElapsedTime(C.byref(ms), start, end))
    assert ms.value > 0
    cann.fails(cann.aclrtEventElapsedTime(C.byref(ms), end, start), 107007)
    cann.fails(cann.aclrtEventElapsedTime(C.byref(ms), start, plain), 107006, says="TIME_LINE")
    stamp = cann.out(lambda out, e: cann.aclrtEventGetTimestamp(e, out), end, kind=C.c_uint64)
    assert stamp > 0


def test_event_may_be_destroyed_before_it_completes(cann):
    stream = cann.stream()
    event = cann.out(cann.aclrtCreateEventExWithFlag, SYNC)
    held = cann.hold(stream)
    cann.ok(cann.aclrtRecordEvent(event, stream))
    cann.ok(cann.aclrtDestroyEvent(event))
    cann.fails(cann.aclrtDestroyEvent(event), 107017)
    held.release()
    cann.ok(cann.aclrtSynchronizeStream(stream))
