# SPDX-License-Identifier: Apache-2.0
"""Memory across streams, limits, snapshots, pinned host memory, copies between devices."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

import device_api as xp

MIB = 1 << 20


@contextmanager
def busy(stream: xp.Stream) -> Iterator[Callable[[], None]]:
    """Keep a stream of an asynchronous device from going on until the function given is called."""
    gate = threading.Event()
    stream.add_callback(gate.wait)
    try:
        yield gate.set
    finally:
        gate.set()
        stream.synchronize()


@pytest.fixture
def npu() -> Iterator[None]:
    """The simulated chip, which works asynchronously, as the current device."""
    with xp.device_guard("npu:0"):
        xp.synchronize()
        xp.empty_cache()
        yield


@pytest.mark.parametrize("elements", [10, MIB])
def test_recorded_memory_is_not_reused_before_the_stream_has_passed(
    npu: None, elements: int
) -> None:
    other = xp.Stream()
    with busy(other) as release:
        x = xp.empty(elements, dtype=xp.float32)
        address = x.data_ptr
        x.record_stream(other)
        del x
        assert xp.memory_stats()["held_back"] >= 4 * elements
        y = xp.empty(elements, dtype=xp.float32)
        assert y.data_ptr != address
        release()
        other.synchronize()
    assert xp.memory_stats()["held_back"] == 0
    again = [xp.empty(elements, dtype=xp.float32) for _ in range(2)]
    assert address in [z.data_ptr for z in again]


def test_memory_that_nobody_else_uses_is_reused_at_once(device: str) -> None:
    x = xp.empty(1000, dtype=xp.float32)
    address = x.data_ptr
    x.record_stream(xp.current_stream())
    del x
    assert xp.empty(1000, dtype=xp.float32).data_ptr == address


def test_ops_on_another_stream_record_it_by_themselves(npu: None) -> None:
    other = xp.Stream()
    x = xp.ones(MIB)
    address = x.data_ptr
    xp.synchronize()
    with busy(other) as release:
        with xp.stream_guard(other):
            y = x + 1.0
        del x
        z = xp.zeros(MIB)  # would overwrite what the sum has yet to read
        assert z.data_ptr != address
        release()
        other.synchronize()
    assert (y.numpy() == 2.0).all()


def test_what_record_stream_refuses(device: str) -> None:
    x = xp.ones(3)
    with pytest.raises(TypeError, match="Stream is needed, not int"):
        x.record_stream(3)  # type: ignore[arg-type]
    elsewhere = xp.Stream("npu:1")
    with pytest.raises(xp.DeviceMismatchError, match="npu:1"):
        x.record_stream(elsewhere)
    with xp.device_guard("cpu"):
        foreign = xp.from_dlpack(np.ones(3))
        with pytest.raises(xp.DeviceApiError, match="another library"):
            foreign.record_stream(xp.current_stream())


def test_the_memory_fraction_is_a_limit_that_the_error_names(device: str) -> None:
    xp.synchronize()
    xp.empty_cache()
    share = (xp.memory_reserved() + 32 * MIB) / xp.memory_stats()["total"]
    xp.set_memory_fraction(share)
    try:
        assert 0 < xp.memory_stats()["limit"] - xp.memory_reserved() <= 33 * MIB
        fits = xp.empty(20 * MIB, dtype=xp.uint8)
        with pytest.raises(xp.OutOfMemoryError, match="memory limit") as caught:
            xp.empty(64 * MIB, dtype=xp.uint8)
        assert "set_memory_fraction" in str(caught.value)
        del fits
        assert xp.empty(24 * MIB, dtype=xp.uint8).nbytes == 24 * MIB
    finally:
        xp.set_memory_fraction(1)
    assert xp.memory_stats()["limit"] == 0
    assert xp.empty(64 * MIB, dtype=xp.uint8).nbytes == 64 * MIB


@pytest.mark.parametrize("fraction", [0, -0.5, 1.5, float("nan")])
def test_fractions_outside_their_range_are_refused(device: str, fraction: float) -> None:
    with pytest.raises(ValueError, match="at most 1"):
        xp.set_memory_fraction(fraction)


def test_a_snapshot_adds_up_and_is_plain_data(device: str, tmp_path: Path) -> None:
    keep = [xp.ones(MIB), xp.exp(xp.ones(50)), xp.ones(MIB) + 1.0]
    file = tmp_path / "memory.json"
    snapshot = xp.memory_snapshot(file=file)
    assert json.loads(file.read_text()) == snapshot
    stats = snapshot["stats"]
    blocks = [block for segment in snapshot["segments"] for block in segment["blocks"]]
    assert sum(segment["bytes"] for segment in snapshot["segments"]) == stats["reserved"]
    assert sum(block["bytes"] for block in blocks) == stats["reserved"]
    live = {block["address"]: block for block in blocks if block["state"] == "live"}
    assert sum(block["bytes"] for block in live.values()) == stats["allocated"]
    first, small, last = (live[x.data_ptr] for x in keep)
    assert (small["owner"], last["owner"]) == ("exp", "add")
    assert first["age"] > small["age"] > last["age"] == 0
    assert first["seconds"] >= last["seconds"] >= 0
    assert small["seconds"] is None


def test_the_picture_shows_every_block(device: str, tmp_path: Path) -> None:
    x = xp.exp(xp.ones(MIB))
    snapshot = xp.memory_snapshot()
    file = tmp_path / "memory.html"
    xp.memory_snapshot_html(file, snapshot=snapshot)
    page = file.read_text()
    blocks = [block for segment in snapshot["segments"] for block in segment["blocks"]]
    assert page.count("<div class=") == len(blocks) + len(snapshot["segments"])
    assert f"at {x.data_ptr:#x}; owner exp" in page
    assert f"Memory of {x.device}" in page
    xp.memory_snapshot_html(file)
    assert "owner exp" in file.read_text()


def test_fragmentation_is_the_share_outside_the_largest_block(device: str) -> None:
    xp.synchronize()
    xp.empty_cache()
    parts = [xp.empty(512 << 10, dtype=xp.uint8) for _ in range(9)]
    del parts[1::2]
    xp.synchronize()
    stats = xp.memory_stats()
    assert 0 < stats["fragmentation"] < 1
    assert 4 * (512 << 10) <= stats["stranded"] <= stats["cached"]


def test_pinned_arrays_come_from_a_pool(device: str) -> None:
    xp.empty_cache()
    base = xp.memory_stats()
    a = xp.empty_pinned((3, 5), np.int16)
    assert (a.shape, a.dtype, a.flags.c_contiguous, a.flags.writeable) == ((3, 5), "i2", True, True)
    address = a.ctypes.data
    view = a[1:]
    del a
    assert xp.memory_stats()["pinned_live"] == base["pinned_live"] + 1
    view[...] = 4
    del view
    b = xp.pin_memory(np.arange(6.0).reshape(2, 3))
    assert b.ctypes.data == address
    assert b.tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]
    assert xp.asarray(b).tolist() == b.tolist()
    assert xp.empty_pinned(0).shape == (0,)
    del b
    xp.empty_cache()
    assert xp.memory_stats()["pinned_reserved"] == base["pinned_reserved"]


def test_what_empty_pinned_refuses(device: str) -> None:
    with pytest.raises(TypeError, match="numbers"):
        xp.empty_pinned(3, object)
    with pytest.raises(xp.ShapeError, match="negative"):
        xp.empty_pinned((2, -1))
    with pytest.raises(xp.OutOfMemoryError):
        xp.empty_pinned(1 << 60)


@pytest.mark.parametrize("pinned", [False, True])
def test_copies_with_host_memory(device: str, pinned: bool) -> None:
    make = xp.pin_memory if pinned else np.array
    source, target = make(np.arange(1000.0)), make(np.zeros(1000))
    x = xp.zeros(1000, dtype=xp.float64)
    xp.copy_from_host(x, source)
    xp.copy_to_host(target, x)
    xp.current_stream().synchronize()
    assert (target == np.arange(1000.0)).all()


def test_copies_from_pageable_memory_are_done_on_return(device: str) -> None:
    x = xp.zeros(MIB)
    source = np.ones(MIB, np.float32)
    xp.copy_from_host(x, source)
    source[...] = 7
    assert (x.numpy() == 1).all()
    xp.copy_to_host(source, x)
    assert (source == 1).all()


def test_copies_from_pinned_memory_are_enqueued_and_keep_it(npu: None) -> None:
    stream = xp.Stream()
    x = xp.zeros(1000)
    xp.synchronize()
    with busy(stream) as release:
        source = xp.pin_memory(np.full(1000, 3, np.float32))
        address = source.ctypes.data
        xp.copy_from_host(x, source, stream)  # would not return if it waited
        del source
        other = xp.empty_pinned(1000)
        assert other.ctypes.data != address
        other[...] = 9
        release()
        stream.synchronize()
    assert (x.numpy() == 3).all()
    assert address in [a.ctypes.data for a in [xp.empty_pinned(1000) for _ in range(2)]]


def test_copies_to_pinned_memory_are_enqueued(npu: None) -> None:
    stream = xp.Stream()
    x = xp.full(1000, 3.0)
    target = xp.pin_memory(np.zeros(1000, np.float32))
    xp.synchronize()
    with busy(stream) as release:
        xp.copy_to_host(target, x, stream)  # would not return if it waited
        assert (target == 0).all()
        release()
        stream.synchronize()
    assert (target == 3).all()


def test_what_copies_with_host_memory_refuse(device: str) -> None:
    x = xp.zeros((4, 6))
    with pytest.raises(xp.ShapeError, match="equal shapes and types"):
        xp.copy_from_host(x, np.zeros((6, 4), np.float32))
    with pytest.raises(xp.ShapeError, match="equal shapes and types"):
        xp.copy_to_host(np.zeros((4, 6)), x)
    with pytest.raises(xp.ShapeError, match="dense"):
        xp.copy_from_host(x.T, np.zeros((6, 4), np.float32))
    with pytest.raises(TypeError, match="NumPy"):
        xp.copy_from_host(x, [[0.0] * 6] * 4)  # type: ignore[arg-type]


def test_copies_with_host_memory_refuse_the_other_byte_order(device: str) -> None:
    """Bytes are moved as they are: swapped ones would be wrong numbers without a word."""
    swapped = np.arange(4, dtype=np.dtype(np.float32).newbyteorder())
    x = xp.zeros((4,), device=device)
    for copy in (lambda: xp.copy_from_host(x, swapped), lambda: xp.copy_to_host(swapped, x)):
        with pytest.raises(xp.ShapeError, match="order") as caught:
            copy()
        assert "astype" in caught.value.remedy
    xp.copy_from_host(x, swapped.astype(np.float32))
    assert (x.numpy() == np.arange(4)).all() and (swapped == np.arange(4)).all()


def test_a_memory_fraction_is_no_text(device: str) -> None:
    with pytest.raises(TypeError, match="number such as"):
        xp.set_memory_fraction("0.5", device)  # type: ignore[arg-type]


def test_devices_of_one_type_copy_straight(npu: None) -> None:
    before = xp.memory_stats("npu:1")
    x = xp.reshape(xp.arange(6000.0), (60, 100))
    y = x.T.to_device("npu:1")
    after = xp.memory_stats("npu:1")
    assert str(y.device) == "npu:1"
    assert (y.numpy() == np.arange(6000.0).reshape(60, 100).T).all()
    assert after["peer_copies"] == before["peer_copies"] + 1
    assert after["staged_copies"] == before["staged_copies"]
