# SPDX-License-Identifier: Apache-2.0
"""Every mistake gives an exception of the one hierarchy, with its cause and what to do."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import device_api as xp
from device_api import errors

HUGE = 1 << 50

MISTAKES: dict[str, tuple[Callable[[], object], type[xp.DeviceApiError], str]] = {
    "unknown type": (lambda: xp.set_device("nosuch"), xp.UnknownDeviceError, "nosuch"),
    "unreadable name": (lambda: xp.set_device("cpu:x"), xp.UnknownDeviceError, "cpu:x"),
    "empty name": (lambda: xp.zeros(1, device=""), xp.UnknownDeviceError, "device name"),
    "index": (lambda: xp.set_device("cpu:99"), xp.DeviceIndexError, "cpu:99"),
    "index on creation": (lambda: xp.zeros(1, device="cpu:99"), xp.DeviceIndexError, "cpu:99"),
    "dtype": (lambda: xp.finfo(xp.int64), xp.DTypeError, "int64"),
    "bool arithmetic": (lambda: xp.add(xp.asarray(True), xp.asarray(True)), xp.DTypeError, "bool"),
    "no promotion": (lambda: xp.arange(2) + xp.ones(2, dtype=xp.uint64), xp.DTypeError, "uint64"),
    "name of a dtype": (lambda: xp.zeros(1, dtype="float99"), xp.DTypeError, "float99"),
    "complex to real": (lambda: xp.astype(xp.asarray([1j]), xp.float32), xp.DTypeError, "imag"),
    "long double": (lambda: xp.asarray(np.longdouble([1])), xp.DTypeError, "cannot make"),
    "text": (lambda: xp.asarray(["a"]), xp.DTypeError, "data"),
    "ragged": (lambda: xp.asarray([[1], [1, 2]]), xp.InvalidArgumentError, "array"),
    "shapes": (lambda: xp.zeros((2, 3)) + xp.zeros(4), xp.ShapeError, "3"),
    "matmul": (lambda: xp.zeros((2, 3)) @ xp.zeros((4, 2)), xp.ShapeError, "3"),
    "reshape": (lambda: xp.reshape(xp.zeros(6), (4, 2)), xp.ShapeError, "6"),
    "broadcast": (lambda: xp.broadcast_to(xp.zeros(3), (2, 2)), xp.ShapeError, "3"),
    "concat": (lambda: xp.concat([xp.zeros((2, 2)), xp.zeros((3, 3))]), xp.ShapeError, "3"),
    "stack": (lambda: xp.stack([xp.zeros(2), xp.zeros(3)]), xp.ShapeError, "different"),
    "negative size": (lambda: xp.zeros((2, -1)), xp.ShapeError, "negative"),
    "huge size": (lambda: xp.zeros((2**40, 2**40)), xp.ShapeError, "more elements"),
    "no size": (lambda: xp.zeros("ab"), xp.ShapeError, "not a shape"),  # type: ignore[arg-type]
    "out of memory": (lambda: xp.zeros(HUGE), xp.OutOfMemoryError, "cpu"),
    "axis": (lambda: xp.sum(xp.zeros((2, 2)), axis=2), xp.OutOfRangeError, "2"),
    "axis twice": (
        lambda: xp.mean(xp.zeros((2, 2)), axis=(0, 0)),
        xp.InvalidArgumentError,
        "twice",
    ),
    "squeeze": (lambda: xp.squeeze(xp.zeros((2, 2)), axis=0), xp.InvalidArgumentError, "size 1"),
    "step": (lambda: xp.arange(0, 3, 0), xp.InvalidArgumentError, "step"),
    "endless range": (lambda: xp.arange(float("inf")), xp.InvalidArgumentError, "number of steps"),
    "range to NaN": (lambda: xp.arange(float("nan")), xp.InvalidArgumentError, "number of steps"),
    "huge range": (lambda: xp.arange(1e30), xp.ShapeError, "more elements"),
    "range past 64 bits": (lambda: xp.arange(10**400), xp.ShapeError, "more elements"),
    "policy": (lambda: xp.fallback_policy("never"), xp.InvalidArgumentError, "never"),  # type: ignore[call-overload]
}


@pytest.mark.parametrize("name", list(MISTAKES))
def test_mistake(name: str, cpu: str) -> None:
    mistake, kind, cause = MISTAKES[name]
    with pytest.raises(kind) as caught:
        mistake()
    error = caught.value
    assert isinstance(error, xp.DeviceApiError)
    assert cause in error.cause
    assert error.remedy
    assert str(error).endswith(f"Remedy: {error.remedy}")


def test_mixed_devices() -> None:
    with pytest.raises(xp.DeviceMismatchError, match="npu:0") as caught:
        xp.add(xp.zeros(2, device="cpu"), xp.zeros(2, device="npu:0"))
    assert "cpu" in caught.value.cause
    assert caught.value.remedy
    with pytest.raises(xp.DeviceMismatchError):
        xp.take(xp.zeros(2, device="npu:0"), xp.arange(2, device="npu:1"))


def test_index_of_an_accelerator_out_of_range() -> None:
    with pytest.raises(xp.DeviceIndexError, match="npu:200"):
        xp.set_device("npu:200")


def test_out_of_memory_tells_who_holds_it() -> None:
    """Asked, free and held are in the text, and a smaller request still succeeds afterwards."""
    held = xp.zeros(1 << 20, device="npu:0")
    with pytest.raises(MemoryError) as caught:
        xp.zeros(1 << 48, dtype=xp.uint8, device="npu:0")
    error = caught.value
    assert isinstance(error, xp.OutOfMemoryError)
    assert "256" in error.cause, "the size asked for, 256 TiB"
    assert "free" in error.cause
    assert re.search(r"most is held by: \w+ 4(\.0+)? MiB", error.cause), "the largest holder"
    assert float(xp.sum(held + xp.ones(1 << 20, device="npu:0"))) == 1 << 20


def test_built_in_kinds_are_kept() -> None:
    pairs = {
        xp.InvalidArgumentError: ValueError,
        xp.DTypeError: TypeError,
        xp.OutOfRangeError: IndexError,
        xp.DeviceIndexError: IndexError,
        xp.OutOfMemoryError: MemoryError,
        xp.DeviceTimeoutError: TimeoutError,
        xp.UnknownDeviceError: ValueError,
    }
    for ours, built_in in pairs.items():
        assert issubclass(ours, built_in)
        assert str(ours("cause", "remedy")) == "cause\nRemedy: remedy"


@pytest.mark.parametrize("kind", sorted(errors._KINDS))
def test_errors_of_the_core_keep_all_they_know(kind: str) -> None:
    error = errors.from_core(kind, "it failed", "mend it", "add", "npu:1", 507000, "EZ9999", 10)
    copied = pickle.loads(pickle.dumps(error))
    for one in (error, copied):
        assert type(one) is errors._KINDS[kind]
        assert (one.op, one.device, one.vendor_code, one.status) == ("add", "npu:1", 507000, 10)
        assert str(one) == ("it failed\nThe vendor's library said 507000: EZ9999\nRemedy: mend it")


def test_an_unknown_kind_is_an_internal_error() -> None:
    assert isinstance(errors.from_core("new", "text"), xp.InternalError)


def test_scalars_that_do_not_fit(cpu: str) -> None:
    with pytest.raises(xp.DTypeError, match="300"):
        xp.asarray([1, 2], dtype=xp.uint8) + 300
    with pytest.raises(TypeError):
        xp.zeros(2) + "text"  # type: ignore[operator]
    with pytest.raises((TypeError, ValueError)):
        bool(xp.zeros(2))
    assert isinstance(np.asarray(xp.zeros(2)), np.ndarray)


NO_TRUTH: dict[str, Callable[[Any], Any]] = {
    "sum": lambda x: xp.sum(x, keepdims=x),
    "max": lambda x: xp.max(x, keepdims=x),
    "all": lambda x: xp.all(x, keepdims=x),
    "argmax": lambda x: xp.argmax(x, keepdims=x),
    "reshape": lambda x: xp.reshape(x, (3,), copy=x),
    "astype": lambda x: xp.astype(x, xp.int32, copy=x),
    "from_dlpack": lambda x: xp.from_dlpack(x, copy=x),
}


@pytest.mark.parametrize("name", NO_TRUTH)
def test_switches_need_a_truth_value(cpu: str, name: str) -> None:
    with pytest.raises((TypeError, ValueError)):
        NO_TRUTH[name](xp.ones((3,)))


NO_UNICODE = {
    "to_device": lambda x: x.to_device("\ud800"),
    "stream": lambda x: xp.Stream("\ud800"),
    "astype": lambda x: xp.astype(x, "\ud800"),
    "dtype": lambda x: xp.ones((2,), dtype="\ud800"),
}


@pytest.mark.parametrize("name", NO_UNICODE)
def test_names_that_are_no_unicode_are_refused_like_others(cpu: str, name: str) -> None:
    x = xp.ones((3,))
    with pytest.raises((xp.DeviceApiError, TypeError)):
        NO_UNICODE[name](x)
    assert x.dtype != "\ud800"
    assert x.device != "\ud800"
