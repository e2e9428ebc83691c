# SPDX-License-Identifier: Apache-2.0
"""Memory figures, streams, events, fallback policy and the health check through the Python face."""

from __future__ import annotations

import copy
import pickle
import sys
import threading
import warnings

import numpy as np
import pytest

import device_api as xp


def test_memory_figures_follow_arrays(device: str) -> None:
    xp.synchronize()
    before = xp.memory_allocated()
    xp.reset_peak_memory_stats()
    x = xp.empty(1 << 20, dtype=xp.uint8)
    held = xp.memory_allocated() - before
    assert held >= x.nbytes
    assert xp.max_memory_allocated() >= before + held
    assert xp.memory_reserved() >= xp.memory_allocated()
    del x
    xp.synchronize()
    assert xp.memory_allocated() == before
    assert xp.max_memory_allocated() >= before + held
    xp.reset_peak_memory_stats()
    assert xp.max_memory_allocated() == before
    assert xp.max_memory_reserved() >= xp.memory_reserved()
    assert xp.memory_stats()["allocated"] == before


def test_emptying_the_cache_gives_memory_back(device: str) -> None:
    x = xp.empty(64 << 20, dtype=xp.uint8)
    del x
    xp.synchronize()
    reserved = xp.memory_reserved()
    xp.empty_cache()
    assert xp.memory_reserved() <= reserved - (64 << 20)


def test_streams_and_events(device: str) -> None:
    first, second = xp.current_stream(), xp.Stream()
    start, end = xp.Event(enable_timing=True), xp.Event(enable_timing=True)
    x = xp.ones((64, 64))
    start.record()
    y = x @ x
    end.record()
    second.wait_event(end)
    with xp.stream_guard(second):
        z = y + 1.0
        second.synchronize()
    assert (z.numpy() == 65.0).all()
    end.synchronize()
    assert end.query()
    assert start.elapsed_time(end) >= 0.0
    assert second.query()
    assert xp.current_stream().device == first.device == xp.current_device()


def test_fallback_policy_as_function_and_as_context() -> None:
    with xp.fallback_policy("allow"):
        assert xp.fallback_policy() == "allow"
        with pytest.raises(KeyError), xp.fallback_policy("error"):
            assert xp.fallback_policy() == "error"
            raise KeyError
        assert xp.fallback_policy() == "allow"
        xp.fallback_policy("error")
        assert xp.fallback_policy() == "error"
    assert xp.fallback_policy() == "warn"


def test_a_policy_in_a_block_is_the_threads_own() -> None:
    seen: list[str] = []
    with xp.fallback_policy("error"):
        thread = threading.Thread(target=lambda: seen.append(xp.fallback_policy()))
        thread.start()
        thread.join()
        assert xp.fallback_policy() == "error"
    assert seen == ["warn"]
    try:
        xp.fallback_policy("allow")
        thread = threading.Thread(target=lambda: seen.append(xp.fallback_policy()))
        thread.start()
        thread.join()
    finally:
        xp.fallback_policy("warn")
    assert seen == ["warn", "allow"]


def test_a_guard_is_the_threads_own() -> None:
    seen: list[str] = []
    with xp.device_guard("npu:1"):
        thread = threading.Thread(target=lambda: seen.append(xp.get_device()))
        thread.start()
        thread.join()
        assert xp.get_device() == "npu:1"
    assert seen == ["cpu"]


def test_arrays_travel(device: str) -> None:
    """By DLPack, NumPy's protocol and pickle."""
    host = np.arange(6, dtype=np.float32).reshape(2, 3).T
    x = xp.asarray(host)
    np.testing.assert_array_equal(np.asarray(x), host)
    copied = pickle.loads(pickle.dumps(x))
    assert copied.device == x.device
    np.testing.assert_array_equal(copied.numpy(), host)
    np.testing.assert_array_equal(copy.deepcopy(x).numpy(), host)
    if device == "cpu":
        shared = xp.from_dlpack(host)
        host[0, 0] = 9.0
        assert float(shared[0, 0]) == 9.0
        np.testing.assert_array_equal(np.from_dlpack(x), x.numpy())
    else:
        with pytest.raises((BufferError, RuntimeError, xp.DeviceApiError)):
            np.from_dlpack(x)


def test_a_fallback_is_refused_told_once_and_counted() -> None:
    """The simulated chip has no float64 matmul."""
    with xp.device_guard("npu:0"):
        x = xp.asarray(np.eye(4))
        with xp.fallback_policy("error"), pytest.raises(xp.FallbackError) as caught:
            x @ x
        assert caught.value.op == "matmul"
        assert caught.value.remedy
        xp.reset_op_counts()
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            with xp.fallback_policy("warn"):
                for _ in range(3):
                    y = x @ x
        ours = [w for w in told if issubclass(w.category, xp.FallbackWarning)]
        assert len(ours) == 1
        assert "matmul" in str(ours[0].message)
        assert "float64" in str(ours[0].message)
        np.testing.assert_array_equal(y.numpy(), np.eye(4))
        (record,) = (r for r in xp.fallback_report() if r["op"] == "matmul")
        assert (record["dtype"], record["count"]) == ("float64", 3)
        assert record["device"] == "npu:0"
        assert record["bytes"] > 0
        assert record["seconds"] > 0


def test_a_fallback_warning_as_an_error_is_reported_and_not_raised(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reported: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda told: reported.append(told.exc_value))
    with xp.device_guard("npu:0"), warnings.catch_warnings():
        warnings.simplefilter("error")
        x = xp.asarray(np.eye(4))
        xp.reset_op_counts()
        with xp.fallback_policy("warn"):
            y = x @ x
        np.testing.assert_array_equal(y.numpy(), np.eye(4))
    (warning,) = reported
    assert isinstance(warning, xp.FallbackWarning)
    assert "matmul" in str(warning)


def test_native_ops_are_listed_and_counted(device: str) -> None:
    listed = xp.native_ops(device)
    assert "float32" in listed["add"]["dtypes"]
    xp.reset_op_counts()
    xp.add(xp.ones(3), xp.ones(3))
    assert xp.native_op_counts(device)["add"] == 1


def test_run_check(device: str) -> None:
    report = xp.run_check(device)
    assert report, report.as_dict()
    assert report.healthy
    assert report.simulated == (device != "cpu")
    assert {step.name for step in report.steps} >= {"allocate", "copy", "matmul", "time"}
    assert report.as_dict()["healthy"] is True


def test_moving_between_devices() -> None:
    host = np.arange(6, dtype=np.float32).reshape(2, 3)
    x = xp.asarray(host, device="cpu")
    there = x.to_device("npu:1")
    assert there.device == "npu:1"
    assert xp.asarray(there, device="npu:0").device == "npu:0"
    np.testing.assert_array_equal(there.to_device("cpu").numpy(), host)
    back = xp.asarray(there[:, ::-1], device="cpu")
    np.testing.assert_array_equal(back.numpy(), host[:, ::-1])


def test_device_properties(device: str) -> None:
    told = xp.get_device_properties()
    assert told["name"]
    assert told == xp.get_device_properties(device)
