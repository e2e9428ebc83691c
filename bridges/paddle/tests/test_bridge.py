# SPDX-License-Identifier: Apache-2.0
"""Paddle on a simulated chip: the user's first steps, every native kernel, training, memory."""

from __future__ import annotations

import math
import struct
from pathlib import Path

import pytest


def test_the_device_is_one_of_paddles_own(child):
    answer = child("basics").answer
    assert answer["types"] == ["npu"]
    assert answer["devices"] == ["npu:0", "npu:1"]
    assert answer["device"] == "npu:0"
    assert answer["place"] == "Place(npu:0)"
    assert answer["total"] == [[5.5, 14.5], [14.5, 50.5]]
    assert answer["second"] == ["Place(npu:1)", [2.0, 4.0]]
    assert answer["moved"] == ["Place(npu:0)", [1.0, 2.0]]
    assert answer["native"] == {"add": 2, "fill": 1, "matmul": 1}
    assert answer["last_error"] == ""


def test_the_core_fits_into_a_full_process(child):
    """Paddle's libraries leave little static thread-local storage for one that is opened later."""
    core = Path(child("basics").answer["libraries"]["core"]).read_bytes()
    start, size, count = (
        struct.unpack_from("<Q", core, 32)[0],
        *struct.unpack_from("<HH", core, 54),
    )
    headers = [struct.unpack_from("<I36xQ", core, start + i * size) for i in range(count)]
    thread_local = [in_memory for kind, in_memory in headers if kind == 7]  # PT_TLS
    assert len(thread_local) == 1 and thread_local[0] <= 256


def test_the_files_in_use_are_named(child):
    files = child("basics").answer["libraries"]
    assert files["bridge"].endswith("device_api_paddle/lib/libpaddle-custom-device_api.so")
    assert files["core"].endswith("device_api/lib/libdevice_api.so")
    assert files["plugin"].endswith(".so") and "npu" in files["plugin"]


def test_native_kernels_agree_with_the_cpu(child):
    answer = child("kernels").answer
    assert answer["wrong"] == []
    assert answer["cases"] >= 100
    assert {"add", "matmul", "fill", "copy"} <= set(answer["native"])
    assert answer["launched"] == sum(answer["native"].values())
    assert answer["misuse"] == []


@pytest.mark.parametrize("optimizer", ["SGD", "Momentum", "Adam"])
def test_training_agrees_with_the_cpu(child, optimizer):
    answer = child("train", optimizer).answer
    cpu, npu = answer["cpu"], answer["npu"]
    assert len(cpu) == len(npu) == 40
    assert cpu[-1] < cpu[0] - 0.01
    assert all(math.isclose(a, b, rel_tol=1e-5) for a, b in zip(cpu, npu, strict=True))


def test_native_ops_are_what_the_chip_saw(child):
    answer = child("train", "SGD").answer
    assert answer["before"] == {}
    steps = len(answer["npu"])
    # Forward only: Paddle's gradient kernels have names of their own and fall back.
    assert answer["native"]["matmul"] == answer["native"]["add"] == 2 * steps
    assert answer["native"]["fill"] >= steps
    assert answer["launched"] == sum(answer["native"].values())
    assert answer["misuse"] == []


def test_memory_is_counted_on_both_sides(child):
    answer = child("memory").answer
    assert answer["grown"] >= 16 << 20
    assert answer["paddle_allocated"] >= 16 << 20
    assert answer["given_back"] >= 16 << 20


def test_out_of_memory_is_paddles_error_and_passes(child):
    answer = child("memory").answer
    assert "MemoryError" in answer["refused"]
    assert "Out of memory error on npu:0. Cannot allocate 4.0" in answer["refused"]
    assert answer["last_error"].startswith("allocating device memory: ")
    assert answer["still_works"] == 16.0


def test_a_refused_launch_is_told_in_paddles_error(child):
    answer = child("broken", "launch").answer
    assert answer["strikes"] == 1
    assert "the op 'matmul' failed" in answer["told"]
    assert "injected fault" in answer["told"]
    assert answer["same_after"]


@pytest.mark.parametrize("kind", ["async", "ecc"])
def test_a_late_failure_is_told_beside_paddles_number(child, kind):
    finished = child("broken", kind)
    answer = finished.answer
    assert answer["strikes"] == 1
    assert "CustomDevice error" in answer["told"]
    assert answer["last_error"].startswith("synchronizing a stream: ")
    assert "injected fault" in answer["last_error"]
    assert f"device_api_paddle: {answer['last_error']}" in finished.errors
    assert answer["same_after"]


def test_streams_events_and_forked_loaders(child):
    answer = child("streams").answer
    assert answer["finished"] == [True, True]
    assert answer["on_stream"] == [261.0, 261.0]
    assert answer["loaded"] == [120.0] * 4


@pytest.mark.parametrize(("way", "code"), [("end", 0), ("exit", 7), ("raise", 1)])
def test_processes_end_cleanly(child, way, code):
    finished = child("leave", way)
    assert finished.code == code
    assert "device_api_paddle:" not in finished.errors
    assert "Segmentation fault" not in finished.errors
