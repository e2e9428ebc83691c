# SPDX-License-Identifier: Apache-2.0
"""A process that keeps the device under test busy while a case of a soak runs.

Run as ``python -m device_api_conformance.soak_load DEVICE HANDLE``. It says "busy" once it is, and
ends when its standard input does.
"""

from __future__ import annotations

import selectors
import subprocess
import sys
import threading

import numpy as np

from device_api_conformance import layouts, opening
from device_api_conformance.formats import Host

SIDE = 256
START = 30.0
"""Seconds until it is busy at most; without it the case runs all the same, and says so."""


class Load:
    """The process, inside a `with` block; `told` says whether the device is busy."""

    def __init__(self) -> None:
        self.told = "no device is open"
        self.process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Load:
        if opening.opened is None:
            return self
        spec, device = opening.opened
        self.process = subprocess.Popen(
            [sys.executable, "-m", "device_api_conformance.soak_load", device, spec], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        assert self.process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            said = self.process.stdout.readline() if selector.select(START) else ""
        busy = said.strip() == "busy"
        self.told = "another process keeps the device busy" if busy else "no load: it did not start"
        return self

    def __exit__(self, *error: object) -> None:
        if self.process is None:
            return
        try:
            self.process.communicate(timeout=10)  # the end of its input ends it
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()


def main(device: str, spec: str) -> int:
    """Multiply and add until the end of standard input."""
    ended = threading.Event()

    def wait() -> None:
        sys.stdin.read()
        ended.set()

    handle = opening.open_handle(spec, device)
    ones = Host("float32", np.ones((SIDE, SIDE), dtype=np.float32))
    x = handle.put(layouts.place(ones, "contiguous", np.random.default_rng(0)))
    declared = [op for op in ("matmul", "add") if op in handle.capabilities()]
    threading.Thread(target=wait, daemon=True).start()
    print("busy", flush=True)
    while not ended.is_set():
        for op in declared:
            handle.run(op, [x, x], {})
        handle.synchronize()
        ended.wait(0.001)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
