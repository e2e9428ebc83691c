# SPDX-License-Identifier: Apache-2.0
"""Processes and threads: fork, spawn, the end of a process, waiting threads, Ctrl-C.

Each case runs a small program in a process of its own, on a simulated chip where one is needed.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

PRELUDE = """
import os, signal, sys, threading, time
import numpy as np
import device_api as xp
from device_api import errors, simulation
"""


def start(program: str, **more: str) -> subprocess.Popen[str]:
    """Start a program that finds device_api as this process does."""
    environment = os.environ | {"DEVICE_API_SIMULATE": "npu"} | more
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    return subprocess.Popen(
        [sys.executable, "-P", "-c", PRELUDE + textwrap.dedent(program)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
    )  # fmt: skip


def run(program: str, **more: str) -> str:
    """Run a program to its clean end and return what it printed."""
    child = start(program, **more)
    out, err = child.communicate(timeout=120)
    assert child.returncode == 0, f"exit {child.returncode}\n{out}\n{err}"
    assert not err.strip(), err
    return out.strip()


FORK = """
def in_child(function):
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            print(function(), flush=True)
            code = 0
        finally:
            os._exit(code)
    assert os.waitpid(pid, 0)[1] == 0
"""


def test_the_cpu_works_in_a_forked_child() -> None:
    program = """
    x = xp.asarray(np.arange(1 << 20, dtype=np.float32), device="cpu")
    expected = xp.sum(x).item()
    def work():
        return xp.sum(x).item() == expected and (x @ x).item() > 0
    in_child(work)
    print(xp.sum(x).item() == expected)
    """
    assert run(FORK + textwrap.dedent(program)).split() == ["True", "True"]


def test_a_child_forked_while_a_plugin_loads_can_load_it() -> None:
    program = """
    from device_api import plugins
    inside, held = threading.Event(), plugins._load
    def slowly(plugin):
        inside.set()
        time.sleep(0.5)
        held(plugin)
    plugins._load = slowly
    loader = threading.Thread(target=xp.ones, args=(3,), kwargs={"device": "cpu"})
    loader.start()
    inside.wait()
    in_child(lambda: xp.sum(xp.ones(3, device="cpu")).item())
    loader.join()
    """
    assert run(FORK + textwrap.dedent(program)) == "3.0"


def test_a_used_accelerator_is_refused_in_a_forked_child() -> None:
    program = """
    x = xp.asarray([1.0, 2.0], device="npu:0")
    stream = xp.current_stream("npu:0")
    def attempts():
        told = []
        for attempt in (lambda: x + x, lambda: xp.ones(3, device="npu"), lambda: x.numpy(),
                        lambda: xp.synchronize("npu"), lambda: stream.synchronize(),
                        lambda: xp.asarray([1.0], device="cpu").to_device("npu:0"),
                        lambda: xp.Stream("npu:0"), lambda: xp.Event(device="npu:0")):
            try:
                attempt()
                told.append("worked")
            except errors.ForkedError as error:
                told.append("refused" if "spawn" in str(error) else str(error))
        return set(told)
    in_child(attempts)
    print((x + x).tolist())
    """
    assert run(FORK + textwrap.dedent(program)).splitlines() == ["{'refused'}", "[2.0, 4.0]"]


def test_an_unused_accelerator_may_be_opened_in_a_forked_child() -> None:
    program = """
    def work():
        return xp.asarray([1.0, 2.0], device="npu:0").tolist()
    in_child(work)
    """
    assert run(FORK + textwrap.dedent(program)) == "[1.0, 2.0]"


def test_listing_types_initialises_nothing_that_breaks_a_fork() -> None:
    program = """
    assert "npu" in xp.get_all_device_type()
    in_child(lambda: xp.asarray([3.0], device="npu:0").item())
    """
    assert run(FORK + textwrap.dedent(program)) == "3.0"


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_arrays_travel_to_worker_processes(method: str, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent(f"""
        import multiprocessing
        import device_api as xp

        def double(x):
            return x + x

        if __name__ == "__main__":
            with multiprocessing.get_context("{method}").Pool(1) as pool:
                y = pool.apply(double, (xp.asarray([1.0, 2.0], device="npu:0"),))
            print(y.device, y.tolist())
        """)
    )
    environment = os.environ | {"DEVICE_API_SIMULATE": "npu"}
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    done = subprocess.run(
        [sys.executable, str(program)], capture_output=True, text=True, env=environment,
        timeout=120, check=False,
    )  # fmt: skip
    assert done.stdout.strip() == "npu:0 [2.0, 4.0]", done.stderr


ENDS = {
    "live arrays": "x = xp.ones((100, 100), device=DEVICE)",
    "pending work": "x = xp.ones((300, 300), device=DEVICE)\nfor _ in range(50): x = x @ x * 0.003",
    "live streams and events": (
        "s = xp.Stream(DEVICE); e = xp.Event(device=DEVICE)\n"
        "with xp.stream_guard(s):\n    x = xp.ones(10, device=DEVICE) + 1\n    e.record(s)"
    ),
    "a daemon thread at work": (
        "def work():\n"
        "    x = xp.ones((64, 64), device=DEVICE)\n"
        "    while True: x = x + 1.0\n"
        "threading.Thread(target=work, daemon=True).start(); time.sleep(0.2)"
    ),
    # Long ops give the interpreter lock up: the thread wants it back while the interpreter ends.
    "a daemon thread inside a long op": (
        "def work():\n"
        "    x = xp.ones((2000, 2000), device=DEVICE)\n"
        "    while True: x = xp.tanh(x)\n"
        "threading.Thread(target=work, daemon=True).start(); time.sleep(0.3)"
    ),
    "an exception on the way": "x = xp.ones(3, device=DEVICE)\ntry: x + xp.ones(4, device=DEVICE)\n"
    "except errors.ShapeError: raise SystemExit(0)",
    "a callback under way": (
        "s = xp.Stream(DEVICE)\ns.add_callback(lambda: None)\nx = xp.ones(9, device=DEVICE)"
    ),
    # The first use of what pybind11 looks up late falls into the end of the interpreter.
    "daemon threads that read arrays": (
        "def work():\n"
        "    while True: (xp.ones(9, device=DEVICE) + 1.0).numpy()\n"
        "for _ in range(2): threading.Thread(target=work, daemon=True).start()"
    ),
    "daemon threads that make errors": (
        "def work():\n"
        "    x = xp.ones(9, device=DEVICE)\n"
        "    while True:\n"
        "        try: x + xp.ones(4, device=DEVICE)\n"
        "        except errors.ShapeError: pass\n"
        "for _ in range(2): threading.Thread(target=work, daemon=True).start()"
    ),
    "an observer at work in a daemon thread": (
        "from device_api import observers\n"
        "seen = observers.observe(lambda o: o.op); seen.__enter__()\n"
        "def work():\n"
        "    x = xp.ones(9, device=DEVICE)\n"
        "    while True: x = x + 1.0\n"
        "threading.Thread(target=work, daemon=True).start(); time.sleep(0.05)"
    ),
    "an open profile": (
        "from device_api import profiler\n"
        "p = profiler.profile(); p.__enter__(); x = xp.ones(9, device=DEVICE) + 1.0"
    ),
    "a daemon thread that reads telemetry": (
        "def work():\n"
        "    while True: xp.telemetry(DEVICE)\n"
        "xp.ones(9, device=DEVICE)\n"
        "threading.Thread(target=work, daemon=True).start(); time.sleep(0.05)"
    ),
    "an open group of ranks": (
        "from device_api import distributed\n"
        "g = distributed.local_groups(['npu:0'])  # local groups are of accelerators\n"
        "x = xp.ones(9, device='npu:0'); y = xp.ones(9, device=DEVICE)\n"
        "distributed.all_reduce(x, group=g[0])"
    ),
    "all of it at once": (
        "xp.set_device(DEVICE); keep = []\n"
        "s = [xp.Stream() for _ in range(3)]; e = xp.Event(enable_timing=True)\n"
        "for i in s:\n"
        "    with xp.stream_guard(i):\n"
        "        keep.append(xp.ones((64, 64)) @ xp.ones((64, 64))); e.record()\n"
        "        i.add_callback(lambda: keep.append(1))\n"
        "p = xp.pin_memory(np.ones(100, np.float32)); y = xp.ones(100)\n"
        "xp.copy_from_host(y, p, s[0])\n"
        "def work():\n"
        "    while True: (xp.ones(9) + 1.0).numpy()\n"
        "for _ in range(2): threading.Thread(target=work, daemon=True).start()\n"
        "try: raise ValueError(xp.ones(4))\n"
        "except ValueError as error: held = error"
    ),
    "sys.exit in a thread pool": (
        "from concurrent.futures import ThreadPoolExecutor\n"
        "pool = ThreadPoolExecutor(4)\n"
        "total = lambda: xp.sum(xp.ones(1000, device=DEVICE)).item()\n"
        "fs = [pool.submit(total) for _ in range(20)]\n"
        "assert [f.result() for f in fs] == [1000.0] * 20"
    ),
}


@pytest.mark.parametrize("device", ["cpu:0", "npu:0"])
@pytest.mark.parametrize("what", ENDS)
def test_a_process_ends_cleanly_with(what: str, device: str) -> None:
    assert run(f"DEVICE = {device!r}\n{ENDS[what]}") == ""


@pytest.mark.long
@pytest.mark.parametrize("device", ["cpu:0", "npu:0"])
@pytest.mark.parametrize("what", ENDS)
def test_a_process_ends_cleanly_every_time_with(what: str, device: str) -> None:
    for _ in range(200):
        assert run(f"DEVICE = {device!r}\n{ENDS[what]}") == ""


def test_other_threads_run_while_one_waits() -> None:
    program = """
    stream = xp.Stream("npu:0")
    gate = threading.Event()
    stream.add_callback(lambda: gate.wait(10))  # holds the stream until another thread opens it
    ticks = 0
    def work():
        global ticks
        while not gate.is_set():
            ticks += 1
            time.sleep(0.001)
            if ticks == 50: gate.set()
    thread = threading.Thread(target=work); thread.start()
    stream.synchronize()
    thread.join()
    print(ticks)
    """
    assert int(run(textwrap.dedent(program))) >= 50


def test_ctrl_c_interrupts_a_wait() -> None:
    program = """
    stream = xp.Stream("npu:0")
    gate = threading.Event()
    stream.add_callback(lambda: gate.wait(20))
    print("waiting", flush=True)
    begin = time.monotonic()
    try:
        stream.synchronize()
    except KeyboardInterrupt:
        gate.set()
        stream.synchronize()
        print("interrupted", time.monotonic() - begin < 15)
    """
    child = start(textwrap.dedent(program))
    assert child.stdout is not None and child.stdout.readline() == "waiting\n"
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert (out, child.returncode) == ("interrupted True\n", 0), err


@pytest.mark.parametrize(
    "what", ["xp.empty(1 << 46, dtype=xp.uint8, device='npu:0')", "xp.empty_cache('npu:0')"]
)
def test_ctrl_c_interrupts_a_wait_for_memory(what: str) -> None:
    program = f"""
    stream = xp.Stream("npu:0")
    gate = threading.Event()
    stream.add_callback(lambda: gate.wait(20))
    print("waiting", flush=True)
    begin = time.monotonic()
    try:
        {what}
    except KeyboardInterrupt:
        print("interrupted", time.monotonic() - begin < 15, xp.memory_allocated("npu:0"))
    gate.set()
    stream.synchronize()
    print(xp.ones(3, device="npu:0").tolist())
    """
    child = start(textwrap.dedent(program))
    assert child.stdout is not None and child.stdout.readline() == "waiting\n"
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert (out, child.returncode) == ("interrupted True 0\n[1.0, 1.0, 1.0]\n", 0), err


def test_a_wait_with_a_limit_ends() -> None:
    program = """
    stream = xp.Stream("npu:0")
    gate = threading.Event()
    stream.add_callback(lambda: gate.wait(20))
    try:
        stream.synchronize(timeout=0.2)
    except errors.DeviceTimeoutError as error:
        print("Remedy" in str(error))
    gate.set()
    stream.synchronize()
    print(stream.query())
    """
    assert run(textwrap.dedent(program)).split() == ["True", "True"]
