# SPDX-License-Identifier: Apache-2.0
"""Cases of chapter O: random interleavings of all that a program does, replayed bit by bit.

Every turn has its own seed: memory with a shadow on the host, ops whose first result is golden,
streams, events, failures and readings of sensors, in random order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from device_api_conformance import layouts
from device_api_conformance.case import Case
from device_api_conformance.formats import Host
from device_api_conformance.handle import Handle
from device_api_conformance.record import Record, different_bytes
from device_api_conformance.seeds import generator

TURNS = 40
STEPS = 300
SIDES = (1, 7, 16, 33)
OPS: dict[str, int] = {"add": 2, "mul": 2, "exp": 1, "matmul": 2, "sqrt": 1, "neg": 1}


class _Turn:
    """What one turn holds: memory with its shadow, tensors, golden results, a stream."""

    def __init__(self, handle: Handle, case: Case, seed: int) -> None:
        self.handle, self.case, self.seed = handle, case, seed
        self.rng = generator(case.id, seed)
        self.blocks: dict[int, bytes] = {}
        self.inputs = {n: self.rng.standard_normal((2, n, n)).astype(np.float32) for n in SIDES}
        self.golden: dict[tuple[str, int], Any] = {}
        self.streams = [handle.stream() for _ in range(3)]
        self.wrong: dict[str, int] = {}
        self.done: dict[str, int] = {}
        self.ops = [op for op in OPS if "float32" in self._types(op)]

    def _types(self, op: str) -> tuple[str, ...]:
        found = self.handle.capabilities().get(op)
        return found.dtypes if found else ()

    def count(self, name: str, wrong: int) -> None:
        self.done[name] = self.done.get(name, 0) + 1
        self.wrong[name] = self.wrong.get(name, 0) + wrong

    def take(self) -> None:
        size = int(self.rng.integers(1, 200_000))
        data = self.rng.bytes(size)
        address = self.handle.alloc(size)
        self.handle.write(address, data)
        self.blocks[address] = data
        if len(self.blocks) > 20:
            self.give()

    def give(self) -> None:
        if self.blocks:
            address = list(self.blocks)[int(self.rng.integers(len(self.blocks)))]
            data = self.blocks.pop(address)
            self.count("memory", different_bytes(self.handle.read(address, len(data)), data))
            self.handle.free(address)

    def op(self) -> None:
        if not self.ops:
            return
        name = self.ops[int(self.rng.integers(len(self.ops)))]
        side = SIDES[int(self.rng.integers(len(SIDES)))]
        stream = self.streams[int(self.rng.integers(len(self.streams)))]
        with self.handle.using(stream):
            inputs = [self.put(x) for x in self.inputs[side][: OPS[name]]]
            got = self.handle.get(self.handle.run(name, inputs, {})).bits()
        want = self.golden.setdefault((name, side), got)
        self.count("ops", int(np.count_nonzero(got != want)))

    def put(self, data: Any) -> Any:
        placed = layouts.place(Host("float32", data), "contiguous", self.rng)
        return self.handle.put(placed)

    def order(self) -> None:
        a, b = self.streams[:2]
        with self.handle.using(a):
            x = self.put(np.full(3000, 2, dtype=np.float32))
            for _ in range(4):
                x = self.handle.run("add", [x, x], {})
            event = self.handle.event()
            a.record_event(event)
        with self.handle.using(b):
            b.wait_event(event)
            y = self.handle.run("add", [x, x], {})
            self.count("order", int(np.count_nonzero(self.handle.get(y).data != 64)))

    def fail(self) -> None:
        x, y = (self.put(np.ones(n, dtype=np.float32)) for n in (2, 3))
        try:
            self.handle.run("add", [x, y], {})
        except self.handle.error("shape"):
            self.count("failures", 0)
        else:
            self.count("failures", 1)

    def read_sensors(self) -> None:
        found = self.handle.telemetry()
        self.count("sensors", int(found is not None and found["health"] == "critical"))

    def tidy(self) -> None:
        self.streams[int(self.rng.integers(3))] = self.handle.stream()
        self.handle.empty_cache()


def interleave(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """One turn."""
    handle.synchronize()
    held = handle.statistics()["allocated"]
    turn = _Turn(handle, case, seed)
    kinds: list[Callable[[], None]] = [
        turn.take, turn.take, turn.give, turn.op, turn.op, turn.op, turn.order, turn.fail,
        turn.read_sensors, turn.tidy,
    ]  # fmt: skip
    for _ in range(STEPS):
        kinds[int(turn.rng.integers(len(kinds)))]()
    while turn.blocks:
        turn.give()
    handle.synchronize()
    for name, wrong in sorted(turn.wrong.items()):
        r.equal(f"{name}: what is wrong, of {turn.done[name]} steps", wrong, 0)
    r.equal("memory in use afterwards", handle.statistics()["allocated"], held)
    r.note_sensors(handle.telemetry())


CHECKS = {"interleave": interleave}


def cases() -> list[Case]:
    """All turns."""
    return [Case("O", "interleave", values=str(n)) for n in range(1, TURNS + 1)]
