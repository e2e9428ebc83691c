# SPDX-License-Identifier: Apache-2.0
"""One fault of a simulated chip, seen through the public face: ``python fault_experiments.py N``.

Prints what was observed as JSON: what the user sees of the fault and when, and what still works
afterwards. Each probe runs on a thread of its own: one that does not come back "waits".
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

PATIENCE = 4.0  # seconds until a probe counts as waiting
SIZE = 1 << 16

# The fault as it is put in, and the work that it strikes.
FAULTS: list[tuple[str, dict[str, Any], str]] = [
    ("out_of_memory", {"count": 2}, "allocation"),
    ("launch", {"op": "aclnnAdd*"}, "add"),
    ("async", {"op": "aclnnAdd*"}, "add"),
    ("ecc", {"op": "aclnnAdd*"}, "add"),
    ("async", {"op": "memcpy_d2h"}, "read"),
    ("hang", {"op": "aclnnAdd*"}, "add"),
    ("device_lost", {"op": "aclnnAdd*"}, "add"),
    ("wrong_result", {"op": "aclnnAdd*"}, "add"),
    ("corrupt_copy", {"op": "memcpy_d2h"}, "read"),
    ("slow", {"op": "aclnnAdd*", "value": 100}, "timed add"),
    ("slow_link", {"op": "memcpy_h2d", "value": 100}, "timed upload"),
    ("telemetry", {"count": 0}, "telemetry"),
    ("telemetry_short", {"count": 0}, "telemetry"),
    ("telemetry_stale", {"count": 0}, "telemetry twice"),
    ("collective", {}, "all_reduce"),
]


class Laboratory:
    """Two simulated devices with arrays on them, and the probes."""

    def __init__(self) -> None:
        import device_api as xp
        from device_api import simulation

        simulation.enable("npu", devices=2, memory="256MiB", seed=1)
        self.xp, self.simulation = xp, simulation
        xp.set_device("npu:0")
        self.x = xp.ones((SIZE,))
        self.kept = xp.full((SIZE,), 7.0)
        self.neighbour = xp.full((SIZE,), 9.0, device="npu:1")
        self.host = np.ones(SIZE << 4, np.float32)
        xp.synchronize("npu:0")
        self.output: Any = None

    # ---- the work that is struck: each returns something true, or what it has measured ----

    def allocation(self) -> object:
        self.output = None
        self.xp.empty_cache()  # so that memory is asked of the vendor
        self.output = self.xp.empty((64 << 20,), dtype=self.xp.uint8)
        return True

    def add(self) -> object:
        self.output = self.xp.add(self.x, self.x)
        return True

    def read(self) -> object:
        self.output = np.asarray(self.xp.asarray(self.x, device="cpu"))
        return True

    def timed(self, work: Callable[[], object]) -> float:
        """Milliseconds of the simulated clock; the least of several."""
        xp, stream = self.xp, self.xp.current_stream()
        least = float("inf")
        for _ in range(8):
            start, end = xp.Event(enable_timing=True), xp.Event(enable_timing=True)
            start.record(stream)
            work()
            end.record(stream)
            end.synchronize()
            least = min(least, start.elapsed_time(end))
        return least

    def timed_add(self) -> float:
        return self.timed(self.add)

    def timed_upload(self) -> float:
        pinned = self.xp.pin_memory(self.host)
        target = self.xp.zeros(self.host.shape)
        return self.timed(lambda: self.xp.copy_from_host(target, pinned))

    def telemetry(self) -> object:
        return self.xp.telemetry("npu:0").as_dict()

    def telemetry_twice(self) -> object:
        """Whether the second reading shows that it has become warmer."""
        self.simulation.set_telemetry("npu", 0, ambient=10.0, advance=1000.0)
        before = self.xp.telemetry("npu:0").temperature
        self.simulation.set_telemetry("npu", 0, ambient=60.0, advance=1000.0)
        after = self.xp.telemetry("npu:0").temperature
        return before is not None and after is not None and after > before + 20

    def all_reduce(self) -> object:
        from device_api import distributed

        self.output = self.xp.ones((SIZE,))
        distributed.all_reduce(self.output)
        return True

    # ---- probes ----

    def right_output(self) -> bool:
        if isinstance(self.output, np.ndarray):
            return bool((self.output == 1).all())
        return self.read_right(self.output, 2.0)

    def read_right(self, array: Any, value: float) -> bool:
        return bool((np.asarray(self.xp.asarray(array, device="cpu")) == value).all())

    def later_work(self) -> bool:
        return self.read_right(self.xp.multiply(self.xp.full((4,), 3.0), 2.0), 6.0)

    def neighbour_works(self) -> bool:
        return self.read_right(self.xp.add(self.neighbour, 1.0), 10.0)


def probe(work: Callable[[], object]) -> str:
    """Return "works", "wrong", "waits", or the exception's name."""
    told: list[str] = []

    def run() -> None:
        try:
            told.append("works" if work() else "wrong")
        except Exception as error:
            told.append(type(error).__name__)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    return told[0] if told else "waits"


def noticed(lab: Laboratory, work: Callable[[], object]) -> dict[str, Any]:
    """Do the work and wait for it: the exception and when it came, or the value."""
    xp = lab.xp
    seen: dict[str, Any] = {"when": "at once"}
    try:
        seen["value"] = work()
        seen["when"] = "at the next wait"
        if work == lab.all_reduce:
            xp.synchronize()  # it ran on the group's stream
        else:
            xp.current_stream().synchronize(PATIENCE)
    except xp.DeviceApiError as error:
        return seen | {
            "error": type(error).__name__,
            "cause": error.cause,
            "code": error.vendor_code,
            "named": error.op,
            "may_be_late": "DEVICE_API_SYNC" in error.remedy,
        }
    return seen | {"when": "never"}


def prepare_group() -> None:
    """A group of one rank, in place of the one there was: its part of a collective is all of it."""
    from device_api import distributed

    if distributed.is_initialized():
        distributed.destroy_process_group()
    os.environ.update(RANK="0", WORLD_SIZE="1", MASTER_ADDR="127.0.0.1", MASTER_PORT="0")
    distributed.init_process_group()


def experiment(number: int) -> dict[str, Any]:
    """Put the fault in, do the work, and see what is left."""
    kind, given, name = FAULTS[number]
    lab = Laboratory()
    if name == "all_reduce":
        prepare_group()
    work = getattr(lab, name.replace(" ", "_"))
    healthy = work()
    lab.xp.synchronize()
    fault = lab.simulation.inject("npu", kind, **given)
    seen = noticed(lab, work)
    seen["healthy"], seen["strikes"] = healthy, fault.strikes
    if name in ("add", "read") and "error" not in seen:
        seen["output"] = probe(lab.right_output)
    elif name == "add":
        seen["output"] = probe(lab.right_output) if seen["when"] != "at once" else "none"
    seen["others"] = probe(lambda: lab.read_right(lab.kept, 7.0))
    seen["later"] = probe(lab.later_work)
    seen["neighbour"] = probe(lab.neighbour_works)
    if given.get("count") == 0 or "value" in given:  # these strike until they are removed
        fault.remove()
    if name == "all_reduce":
        prepare_group()
    seen["retry"] = probe(lambda: bool(work()) and (lab.xp.synchronize() or True))
    fault.remove()
    if seen["retry"] != "works":
        seen["reset"] = probe(lambda: (lab.xp.reset_device("npu:0"), lab.later_work())[1])
        seen["after_reset"] = probe(lambda: lab.read_right(lab.kept, 7.0))
    return seen


if __name__ == "__main__":
    print("OBSERVED " + json.dumps(experiment(int(sys.argv[1]))), flush=True)
