# SPDX-License-Identifier: Apache-2.0
"""Waits inside the core: callbacks in Python run meanwhile, and failures met there are not lost."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

START = """
import time, threading, numpy as np, device_api as xp
from device_api import errors, simulation
simulation.enable("npu", memory="64MiB", seed=1)
xp.set_device("npu")
x = xp.ones((100,))
xp.synchronize()
"""


def run(program: str) -> str:
    code = START + textwrap.dedent(program)
    ended = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == 0, ended.stderr
    assert not ended.stderr
    return ended.stdout.strip()


@pytest.mark.parametrize(
    "what",
    ["xp.asarray(np.ones(1000))", "x[[1, 2]]", "xp.empty_cache()", "x.tolist()",
     "__import__('pickle').dumps(x)"],
)  # fmt: skip
def test_a_callback_runs_while_the_core_waits(what: str) -> None:
    run(f"xp.current_stream().add_callback(lambda: time.sleep(0.1))\n{what}\n")


def test_a_callback_may_free_arrays_while_memory_is_short() -> None:
    run("""
    held = [xp.ones((1000,))]
    def callback():
        time.sleep(0.2)
        held.clear()
    xp.current_stream().add_callback(callback)
    def shortage():
        try:
            xp.empty((1 << 26,))
        except errors.OutOfMemoryError:
            pass
    threads = [threading.Thread(target=shortage) for _ in range(3)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    """)


@pytest.mark.parametrize("what", ["xp.empty_cache()", "shortage()"])
def test_a_failure_is_reported_after_a_silent_wait(what: str) -> None:
    run(f"""
    def shortage():
        try:
            xp.empty((1 << 26,))
        except errors.OutOfMemoryError:
            pass
    with simulation.inject("npu", "async"):
        y = xp.exp(x)
        {what}
    try:
        xp.synchronize()
    except errors.InternalError:
        raise SystemExit(0)
    raise SystemExit("the failure is lost")
    """)


@pytest.mark.parametrize("seed", range(4))
def test_a_process_ends_with_callbacks_waiting_for_the_interpreter(seed: int) -> None:
    run(f"""
    stream = xp.Stream()
    for _ in range({3 + seed}):
        stream.add_callback(lambda: time.sleep(0.01))
    threading.Thread(target=lambda: [x + 1 for _ in range(10**6)], daemon=True).start()
    """)


def test_an_array_made_on_another_stream_is_ready_when_it_is_read() -> None:
    program = """
    wrong = 0
    for i in range(50):
        side = xp.Stream("npu:0")
        with xp.device_guard("npu:0"), xp.stream_guard(side):
            x = xp.full((64,), float(i))
            for _ in range(20):
                x = x + 1.0
        wrong += x.tolist() != [i + 20.0] * 64
        wrong += x.to_device("cpu").tolist() != [i + 20.0] * 64
    print(wrong)
    """
    assert run(program) == "0"
