# SPDX-License-Identifier: Apache-2.0
"""Observers: what is told of ops, copies, memory, fallbacks and composites; late errors by name."""

from __future__ import annotations

import os
import pickle
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from composed import composed_call
from plugin_site import Site

import device_api as xp
from device_api import observers, simulation

NPU = "npu:0"


@pytest.fixture
def npu() -> Iterator[simulation.Control]:
    """The simulated NPU as the current device; faults are mended after the test."""
    with xp.device_guard(NPU), xp.fallback_policy("allow"):
        control = simulation.control("npu")
        yield control
        control.mend()


class Notes:
    """Keeps what an observer is told, as plain data."""

    def __init__(self) -> None:
        self.all: list[dict[str, Any]] = []

    def __call__(self, seen: observers.Observation) -> None:
        names = ("kind", "phase", "op", "span", "within", "depth", "status", "bytes", "reason")
        note = {name: getattr(seen, name) for name in names}
        self.all.append(note | {"device": str(seen.device), "operands": seen.operands})

    def ops(self, phase: str) -> list[str]:
        return [n["op"] for n in self.all if n["kind"] == "op" and n["phase"] == phase]

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [n for n in self.all if n["kind"] == kind]


def test_an_op_has_a_begin_and_an_end(device: str) -> None:
    x = xp.ones((2, 3), dtype=xp.float32)
    notes = Notes()
    with observers.observe(notes, "op"):
        xp.exp(x)
        y = x + x
    xp.log(y)
    assert notes.ops("begin") == notes.ops("end") == ["exp", "add"]
    begin, end = notes.all[:2]
    assert begin["span"] == end["span"] > 0
    assert begin["within"] == begin["depth"] == end["status"] == 0
    assert begin["operands"][0][1] == "float32"
    assert np.prod(begin["operands"][-1][0]) == 6
    assert begin["device"] == str(xp.Device(*_parts(device)))


def _parts(device: str) -> tuple[str, int]:
    kind, _, index = device.partition(":")
    return kind, int(index or 0)


def test_memory_is_told_with_its_size(device: str) -> None:
    notes = Notes()
    with observers.observe(notes, "alloc", "free"):
        x = xp.empty(1000, dtype=xp.float32)
        del x
    given, freed = notes.of("alloc"), notes.of("free")
    assert len(given) == len(freed) == 1
    assert given[0]["bytes"] == freed[0]["bytes"] >= 4000


def test_a_copy_is_told_once_with_both_ends(npu: simulation.Control) -> None:
    notes = Notes()
    x = xp.ones(256, dtype=xp.float32)
    with observers.observe(notes, "copy"):
        x.to_device("cpu")
        x.to_device("npu:1")
    assert [n["phase"] for n in notes.all] == ["begin", "end"] * (len(notes.all) // 2)
    assert len(notes.all) == 4, "the pieces of a staged copy are no copies of their own"
    assert {n["bytes"] for n in notes.all} == {1024}


def test_a_composite_encloses_its_ops(npu: simulation.Control) -> None:
    name, call = composed_call(NPU)
    notes = Notes()
    with observers.observe(notes, "op", "composed"):
        call()
    outer = next(n for n in notes.all if n["kind"] == "op" and n["op"] == name)
    inner = [n for n in notes.of("op") if n["depth"] == 1 and n["phase"] == "begin"]
    assert len(inner) > 1
    assert {n["within"] for n in inner} == {outer["span"]}
    assert outer["span"] in {n["within"] for n in notes.of("composed")}


def test_a_fallback_is_told_with_its_reason(npu: simulation.Control) -> None:
    x = xp.ones(8, dtype=xp.complex128)
    notes = Notes()
    with observers.observe(notes, "op", "fallback"):
        xp.tan(x)
    told = notes.of("fallback")
    assert told
    assert all(n["reason"] and n["bytes"] > 0 for n in told)
    spans = {n["span"] for n in notes.of("op")}
    assert {n["within"] for n in told} <= spans


def test_what_an_observer_computes_is_not_observed(cpu: str) -> None:
    calls = []

    def count(seen: observers.Observation) -> None:
        calls.append(seen.phase)
        xp.ones(3) + 1

    with observers.observe(count):
        xp.add(xp.ones(2), xp.ones(2))
    assert 0 < len(calls) < 20


def test_what_an_observer_raises_at_an_op_is_raised(device: str) -> None:
    class Stop(Exception):
        pass

    def object_to(seen: observers.Observation) -> None:
        if seen.op == "exp" and seen.phase == "end":
            raise Stop("no exp here")

    x = xp.ones(4)
    with observers.observe(object_to, "op"):
        xp.sqrt(x)
        with pytest.raises(Stop, match="no exp here"):
            xp.exp(x)
    assert xp.exp(x).shape == (4,)


def test_an_observation_ends_with_its_call(cpu: str) -> None:
    kept = []
    with observers.observe(kept.append, "op"):
        xp.exp(xp.ones(4))
    with pytest.raises(xp.InvalidArgumentError, match="is over"):
        _ = kept[0].op
    unknown: Any = "earthquake"
    with (
        pytest.raises(xp.InvalidArgumentError, match="nothing of the kind"),
        observers.observe(kept.append, unknown),
    ):
        pass


def test_all_threads_are_observed(cpu: str) -> None:
    threads: set[str] = set()

    def work() -> None:
        for _ in range(50):
            xp.add(xp.ones(4), 1.0)

    with observers.observe(lambda seen: threads.add(threading.current_thread().name), "op"):
        workers = [threading.Thread(target=work) for _ in range(3)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    assert len(threads) == 3
    assert threading.current_thread().name not in threads


@pytest.fixture
def synchronous() -> Iterator[None]:
    observers.synchronous_ops(True)
    yield
    observers.synchronous_ops(False)


def fail_later() -> xp.DeviceApiError:
    """Exp fails on the device after the call; return what is raised, at the latest by a wait."""
    x = xp.ones(4, dtype=xp.float32)
    xp.synchronize()
    with simulation.inject("npu", "async", op="*Exp*") as fault:
        with pytest.raises(xp.DeviceApiError) as caught:
            xp.exp(x)
            xp.add(x, x)
            xp.synchronize()
        assert fault.strikes == 1
    return caught.value


def test_a_late_error_says_that_it_is_late(npu: simulation.Control) -> None:
    error = fail_later()
    assert error.op is None
    assert error.device == NPU
    assert error.vendor_code
    assert "any op before" in error.remedy
    assert "DEVICE_API_SYNC=1" in error.remedy


def test_with_synchronous_ops_the_error_names_its_op(
    npu: simulation.Control, synchronous: None
) -> None:
    assert observers.synchronous_ops()
    error = fail_later()
    assert error.op == "exp"
    assert "'exp'" in error.cause
    assert error.device == NPU
    assert error.stream == xp.current_stream().id
    assert "DEVICE_API_SYNC" not in error.remedy
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.op, copy.stream, copy.remedy) == (error.op, error.stream, error.remedy)


def test_the_environment_asks_for_synchronous_ops(site: Site) -> None:
    program = "from device_api import observers; print(observers.synchronous_ops())"
    assert site.python(program, DEVICE_API_SYNC="1").strip() == "True"
    assert site.python(program, DEVICE_API_SYNC="0").strip() == "False"
    assert site.python(program).strip() == "False"


def test_a_failed_launch_names_op_device_and_stream(npu: simulation.Control) -> None:
    x = xp.ones(4, dtype=xp.float32)
    with simulation.inject("npu", "launch"), pytest.raises(xp.DeviceApiError) as caught:
        xp.exp(x)
    error = caught.value
    assert (error.op, error.device, error.stream) == ("exp", NPU, xp.current_stream().id)
    assert error.vendor_code
    assert error.remedy


def test_a_program_may_end_while_it_is_observed(site: Site) -> None:
    """With an observer, a thread at work and tensors left: the process ends as always."""
    program = """
        import threading
        import device_api as xp
        from device_api import _core, profiler
        xp.set_device("npu:0")
        seen = []
        _core.add_observer(("op", "alloc", "free", "copy"), lambda o: seen.append(o.kind))
        left = profiler.profile().__enter__()
        x = xp.ones(64)
        def work():
            while True:
                xp.exp(x)
        threading.Thread(target=work, daemon=True).start()
        while len(seen) < 100:
            xp.add(x, x)
        print("end")
    """
    for _ in range(3):
        assert site.python(program, DEVICE_API_SIMULATE="npu").strip() == "end"


def test_observers_in_a_forked_child(cpu: str) -> None:
    """A child of fork may go on with the CPU and the observers that it inherits."""
    with observers.observe(Notes(), "op"):
        child = os.fork()
        if child == 0:
            notes = Notes()
            with observers.observe(notes, "op"):
                xp.add(xp.ones(3), xp.ones(3))
            os._exit(0 if "add" in notes.ops("end") else 1)
    assert os.waitpid(child, 0)[1] == 0
