# SPDX-License-Identifier: Apache-2.0
"""A fake device on NumPy with late, in-order streams; faults.py breaks it on purpose."""

from __future__ import annotations

import os
import threading
import weakref
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

import fake_ops
import numpy as np
from fake_memory import FakeMemory
from fake_streams import Event, Stream

from device_api_abi import optable
from device_api_conformance.formats import Host, storage
from device_api_conformance.handle import Capability, Handle, Identity
from device_api_conformance.layouts import Placed


class NotHere(Exception):
    """The device lacks this."""


@dataclass
class Tensor:
    """A view on a NumPy buffer."""

    placed: Placed

    @property
    def view(self) -> np.ndarray:
        return self.placed.view()


class Viewing(Tensor):
    """A view on memory of others."""

    def __init__(self, seen: np.ndarray, dtype: str, strides: tuple[int, ...]) -> None:
        super().__init__(Placed(dtype, seen, seen.shape, strides, 0))
        self.seen = seen

    @property
    def view(self) -> np.ndarray:
        return self.seen


ERRORS = {
    "out_of_memory": MemoryError, "shape": ValueError, "dtype": TypeError,
    "invalid_argument": ValueError, "fallback": NotHere, "not_supported": NotHere,
    "device_lost": ConnectionError, "index": IndexError, "forked": ChildProcessError,
}  # fmt: skip


@cache
def declared(lacks: tuple[tuple[str, str], ...]) -> dict[str, Capability]:
    return {op.name: Capability(tuple(d for d in op.dtypes if (op.name, d) not in lacks),
                                op.others, ("strided",)) for op in optable.load()}  # fmt: skip


class FakeDevice(Handle):
    """The clean device."""

    lacks: tuple[tuple[str, str], ...] = (("tanh", "float64"),)
    memory_type, stream_type, event_type = FakeMemory, Stream, Event

    def __init__(self) -> None:
        self.memory, self.counts, self.gone = self.memory_type(), Counter(), Counter()
        self.streams: weakref.WeakSet[Stream] = weakref.WeakSet()
        self.process, self.family = os.getpid(), [self]
        self.broken: list[Exception] = []
        self.local = threading.local()
        self.default = self.stream()
        self.mode = "error"

    def identity(self) -> Identity:
        return Identity("fake:0", "Fake device (simulated)", "nobody", simulated=True)

    def capabilities(self) -> dict[str, Capability]:
        return declared(self.lacks)

    def error(self, kind: str) -> type[BaseException]:
        return ERRORS[kind]

    # ---- ops ----

    def current(self) -> Stream:
        return getattr(self.local, "stream", self.default)

    def put(self, placed: Placed) -> Tensor:
        buffer = placed.buffer.copy()
        return Tensor(Placed(placed.dtype, buffer, placed.shape, placed.strides, placed.offset))

    def view(self, tensor: Tensor, placed: Placed) -> Tensor:
        return Tensor(Placed(placed.dtype, tensor.placed.buffer, placed.shape, placed.strides,
                             placed.offset))  # fmt: skip

    def get(self, tensor: Tensor) -> Host:
        self.current().synchronize()
        return Host(tensor.placed.dtype, tensor.view.copy())

    def buffer(self, tensor: Tensor) -> np.ndarray:
        self.synchronize()
        return tensor.placed.buffer.copy()

    def compute(self, op, dtypes, views, attributes):
        return fake_ops.compute(op, dtypes, views, attributes)

    def check_process(self) -> None:
        """Whoever forks gets a word."""
        if os.getpid() != self.process:
            raise ChildProcessError("the device belongs to the parent")

    def run(self, op: str, operands: list[Tensor], attributes: dict[str, Any]) -> Tensor:
        self.check_process()
        dtypes = [t.placed.dtype for t in operands]
        self._check(op, dtypes, operands, attributes)
        dtype, shape = fake_ops.form(op, dtypes, [t.placed.shape for t in operands], attributes)
        form = np.zeros(shape, dtype=storage(dtype))
        out = form.reshape(-1)
        strides = tuple(s // form.itemsize for s in form.strides)
        result = Tensor(Placed(dtype, out, form.shape, strides, 0))

        def task() -> None:
            values = self.compute(op, dtypes, [self.fetch(t) for t in operands], attributes)[1]
            out[...] = np.ascontiguousarray(values).reshape(-1)
            self.finished(op, operands, out)

        self.current().submit(task)
        return result

    def _check(self, op, dtypes, operands, attributes) -> None:
        key = dtypes[1 if op == "where" else 0] if dtypes else attributes["dtype"]
        if key not in optable.by_name()[op].dtypes:
            raise TypeError(f"{op} takes no {key}")
        self.check_form(op, [t.placed.shape for t in operands], attributes)
        if key not in self.capabilities()[op].dtypes:
            if self.mode == "error":
                raise NotHere(f"no {op} on {key}")
            self.gone[op, key] += 1
        else:
            self.counts[op] += 1

    def check_form(self, op, shapes, attributes) -> None:
        """What the op table rules out."""
        axis = attributes.get("axis", 0)
        if shapes and axis and not -len(shapes[0]) <= axis < len(shapes[0]):
            raise IndexError(f"axis {axis} is out of range")
        wrong = fake_ops.WRONG.get(op)
        if wrong is not None and wrong(shapes, attributes):
            raise ValueError(f"{op} of shapes {shapes}")

    def fetch(self, tensor: Tensor) -> np.ndarray:
        """How a kernel reads an operand."""
        return tensor.view

    def finished(self, op: str, operands: list[Tensor], out: np.ndarray) -> None:
        """After a kernel; `out` is the dense result."""

    def update(self, op, target, operands, attributes) -> None:
        if not target.view.flags.writeable:
            raise ValueError("the memory may not be written")
        first = [target] if op in ("add", "mul") else []
        result = self.run(op, first + operands, attributes)
        self.current().submit(lambda: self.store(target, result.view))

    def store(self, target: Tensor, values: np.ndarray) -> None:
        target.view[...] = values

    # ---- accounts ----

    def native_counts(self) -> dict[str, int]:
        return dict(self.counts)

    def fallbacks(self) -> list[dict[str, Any]]:
        return [{"op": o, "dtype": d, "count": n} for (o, d), n in self.gone.items()]

    @contextmanager
    def policy(self, name: str):
        before, self.mode = self.mode, name
        yield
        self.mode = before

    # ---- memory ----

    def alloc(self, size: int) -> int:
        return self.memory.alloc(size)

    def free(self, address: int) -> None:
        self.memory.free(address)

    def write(self, address: int, data: bytes) -> None:
        target, at = self.memory.place(address)
        target[at : at + len(data)] = data

    def read(self, address: int, size: int) -> bytes:
        source, at = self.memory.place(address)
        return bytes(source[at : at + size])

    def fill(self, address: int, value: int, size: int) -> None:
        self.write(address, bytes([value]) * size)

    def pinned(self, size: int) -> np.ndarray:
        return np.zeros(size, dtype=np.uint8)

    def start_copy(self, tensor: Tensor, host: np.ndarray, to_host: bool) -> None:
        there = host.view(tensor.view.dtype).reshape(tensor.view.shape)

        def task() -> None:
            target, source = (there, tensor.view) if to_host else (tensor.view, there)
            target[...] = source

        self.current().submit(task)

    def statistics(self) -> dict[str, int]:
        m = self.memory
        return {"allocated": m.allocated, "reserved": m.reserved, "peak_allocated": m.peak,
                "free": m.TOTAL - m.reserved, "total": m.TOTAL}  # fmt: skip

    def reset_peak(self) -> None:
        self.memory.peak = self.memory.allocated

    def empty_cache(self) -> None:
        self.memory.cached.clear()
        self.memory.reserved = self.memory.allocated

    # ---- what it says of itself ----

    def properties(self, kept: bool = False) -> dict[str, Any]:
        return {"name": self.identity().name, "total_memory": self.memory.TOTAL, "alignment": 512,
                "compute_units": 4, "stream_priorities": (0, 0)}  # fmt: skip

    def device_count(self, kept: bool = False) -> int:
        return 2

    def telemetry(self) -> dict[str, Any] | None:
        m = self.memory
        known = {"temperature": 41.0, "power": 88.5, "utilization": 0.25, "memory_total": m.TOTAL,
                 "memory_used": m.reserved, "ecc_corrected": 0, "ecc_uncorrected": 0,
                 "clock_mhz": 1500, "health": "ok", "source": "the fake"}  # fmt: skip
        unknown = ("memory_temperature", "power_limit", "bandwidth_utilization",
                   "memory_clock_mhz", "throttle")  # fmt: skip
        return dict.fromkeys(unknown) | known

    # ---- other devices and libraries ----

    def peers(self) -> list[Handle]:
        if len(self.family) == 1:
            self.family.append(type(self)())
            self.family[1].family = self.family
        return [device for device in self.family if device is not self]

    def in_new_process(self) -> str | None:
        return "right"

    def receive(self, tensor: Tensor) -> Tensor:
        for device in self.family:
            device.synchronize()
        p = tensor.placed
        return Tensor(Placed(p.dtype, p.buffer.copy(), p.shape, p.strides, p.offset))

    def part(self, tensor: Tensor, start: int, size: int) -> Tensor:
        if isinstance(tensor, Viewing):
            return Viewing(tensor.seen[start : start + size], tensor.placed.dtype, (1,))
        p = tensor.placed
        return Tensor(Placed(p.dtype, p.buffer, (size,), (1,), p.offset + start))

    def exported(self, tensor: Tensor) -> Any:
        if tensor.placed.dtype == "bfloat16":  # NumPy has no such type
            return None
        self.current().synchronize()
        return tensor.view

    def imported(self, source: Any) -> Tensor:
        seen = np.from_dlpack(source)
        strides = tuple(s // seen.itemsize for s in seen.strides)
        return Viewing(seen, str(seen.dtype), strides)

    # ---- streams ----

    def synchronize(self) -> None:
        for stream in list(self.streams):
            stream.synchronize()

    def stream(self) -> Stream:
        stream = self.stream_type(self)
        self.streams.add(stream)
        return stream

    def event(self, timing: bool = False) -> Event:
        return self.event_type(timing)

    @contextmanager
    def using(self, stream: Stream):
        before = self.current()
        self.local.stream = stream
        yield
        self.local.stream = before


def clean(device: str = "fake:0") -> FakeDevice:
    """The device without faults (a handle factory for the worker)."""
    return FakeDevice()
