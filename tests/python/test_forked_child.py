# SPDX-License-Identifier: Apache-2.0
"""Every way into a used accelerator, tried in a forked child: each says what to do instead."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import os, pickle, sys
import device_api as xp
from device_api import simulation

simulation.enable("npu", devices=2)
xp.set_device("npu:0")
x, s, e = xp.ones(3), xp.Stream(), xp.Event()
e.record()
data = pickle.dumps(x)
xp.synchronize()
ways = {
    "op": lambda: x + x,
    "empty": lambda: xp.empty(3),
    "stream": xp.Stream,
    "event": xp.Event,
    "record": lambda: e.record(s),
    "query of an event": e.query,
    "wait for an event": e.synchronize,
    "elapsed": lambda: e.elapsed_time(e),
    "query of a stream": s.query,
    "wait for a stream": s.synchronize,
    "wait_event": lambda: s.wait_event(e),
    "wait_stream": lambda: s.wait_stream(s),
    "callback": lambda: s.add_callback(print),
    "record_stream": lambda: x.record_stream(s),
    "current stream": xp.current_stream,
    "stream guard": lambda: xp.stream_guard(s).__enter__(),
    "synchronize": xp.synchronize,
    "pickle": lambda: pickle.dumps(x),
    "unpickle": lambda: pickle.loads(data),
    "DLPack": x.__dlpack__,
    "numpy": x.numpy,
    "item": lambda: x[0].item(),
    "print": lambda: repr(x),
    "to_device": lambda: x.to_device("cpu"),
    "pinned memory": lambda: xp.empty_pinned(3),
    "empty_cache": xp.empty_cache,
    "memory_stats": xp.memory_stats,
    "snapshot": xp.memory_snapshot,
    "the same device": lambda: xp.set_device("npu:0"),
    "another device": lambda: xp.set_device("npu:1"),
}
for name, way in ways.items():
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        try:
            way()
            print(name, "raised nothing")
        except xp.ForkedError as error:
            if "spawn" not in error.remedy:
                print(name, "has no remedy:", error)
        except BaseException as error:
            print(name, "raised", repr(error))
        sys.stdout.flush()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if status:
        print(name, "ended with", status)
assert ((x + x).numpy() == 2.0).all()  # the parent goes on
print(len(ways), "ways tried")
"""


def test_every_way_into_a_used_accelerator_is_refused_with_a_remedy() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", PROGRAM],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "30 ways tried\n"
