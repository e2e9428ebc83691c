# SPDX-License-Identifier: Apache-2.0
"""The handle of a real device: the public device_api and its native primitives, nothing below."""

from __future__ import annotations

import operator
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import device_api
from device_api import _core, errors, plugins, simulation
from device_api_abi import optable
from device_api_abi.optable import Op
from device_api_conformance.device_bits import OnDevice, array_of, download, upload
from device_api_conformance.device_group import group_of
from device_api_conformance.device_memory import DeviceMemory
from device_api_conformance.formats import INTEGERS, Array, Host
from device_api_conformance.handle import Capability, Event, Handle, Identity, Rank, Stream
from device_api_conformance.layouts import Placed

_ERRORS: dict[str, type[BaseException]] = {
    "out_of_memory": errors.OutOfMemoryError,
    "shape": errors.ShapeError,
    "dtype": errors.DTypeError,
    "index": errors.OutOfRangeError,
    "invalid_argument": errors.InvalidArgumentError,
    "fallback": errors.FallbackError,
    "not_supported": errors.NotSupportedError,
    "device_lost": errors.DeviceLostError,
    "forked": errors.ForkedError,
    "timeout": errors.DeviceTimeoutError,
}


_NEW_PROCESS = """
import sys
import device_api
x = device_api.ones(3, device=sys.argv[1])
print("right" if (x + x).tolist() == [2.0, 2.0, 2.0] else "wrong")
"""


class DeviceHandle(DeviceMemory):
    """One device of the installed device_api."""

    def __init__(self, name: str) -> None:
        self.device = device_api.set_device(name)
        _core.set_fallback_policy("error")
        self._capabilities = {
            op: Capability(tuple(row["dtypes"]), tuple(row["others"]), tuple(row["flags"]))
            for op, row in _core.ops(self.device).items()
        }

    # ---- what it is ----

    def tells_idle(self) -> bool:
        """Whether the plugin has the optional member for it."""
        return "stream_query" in _core.backend_info(self.device.type)["optional"]

    def tells_memory(self) -> bool:
        """The same."""
        return "memory_info" in _core.backend_info(self.device.type)["optional"]

    def identity(self) -> Identity:
        """Who answers, from the plugin's own properties."""
        facts = dict(_core.properties(self.device))
        info = dict(_core.backend_info(self.device.type))
        return Identity(
            device=str(self.device),
            name=str(facts.get("name", "")),
            vendor=str(info.get("vendor", "")),
            simulated=_flag(facts, "simulated"),
            synchronous=_flag(facts, "synchronous"),
            host_memory=_flag(facts, "host_memory"),
            flushes_subnormals=_flag(facts, "flushes_subnormals"),
            facts={k: v for k, v in {**info, **facts}.items() if _plain(v)},
        )

    def capabilities(self) -> dict[str, Capability]:
        """Native ops as the device declares them."""
        return self._capabilities

    def error(self, kind: str) -> type[BaseException]:
        """Exception type of device_api for a kind of failure."""
        return _ERRORS[kind]

    def runs_as(self, op: str, dtype: str) -> str:
        """Integers are summed in 64 bits, as the array API wants."""
        if op == "sum" and dtype in INTEGERS:
            return "uint64" if dtype.startswith("uint") else "int64"
        return dtype

    # ---- tensors and ops ----

    def put(self, placed: Placed) -> OnDevice:
        """Upload the whole buffer, then view it."""
        base = upload(placed.dtype, placed.buffer, self.device)
        view = _core.as_strided(base, placed.shape, placed.strides, placed.offset)
        return OnDevice(base, view)

    def get(self, tensor: Any) -> Host:
        """Dense values, bit by bit."""
        found = array_of(tensor)
        return Host(found.dtype.name, download(found))

    def view(self, tensor: OnDevice, placed: Placed) -> OnDevice:
        """Another view of the same memory."""
        view = _core.as_strided(tensor.base, placed.shape, placed.strides, placed.offset)
        return OnDevice(tensor.base, view)

    def buffer(self, tensor: OnDevice) -> Array:
        """The whole buffer behind an operand, as stored."""
        _core.synchronize(self.device)
        return download(tensor.base)

    def run(self, op: str, operands: list[Any], attributes: dict[str, Any]) -> Any:
        """One op through the function that carries its name, or as the primitive itself."""
        tensors = [array_of(t) for t in operands]
        special = _SPECIAL.get(op)
        if special is not None:
            return special(tensors, attributes, self.device)
        row = optable.by_name()[op]
        if row.kind in _FUNCTIONS and row.result in ("key", "bool"):
            return getattr(_core, row.api)(*tensors)
        if row.kind in ("reduce", "arg_reduce"):
            return _reduced(row, tensors[0], tuple(attributes["axes"]))
        numbers = [attributes[name] for name, _ in row.attributes]
        return _core.apply(op, tensors, shape=attributes.get("shape"), attributes=numbers)

    def update(self, op: str, target: Any, operands: list[Any], attributes: dict[str, Any]) -> None:
        """Assignment into a view, or an operator in place."""
        view = array_of(target)
        if op == "fill":
            _core.fill_(view, attributes["value"])
        else:
            _IN_PLACE[op](view, array_of(operands[0]))

    # ---- accounts ----

    def native_counts(self) -> dict[str, int]:
        """Native runs so far, by op."""
        return dict(_core.native_counts(self.device))

    def fallbacks(self) -> list[dict[str, Any]]:
        """What ran on the CPU instead, for this device."""
        return [dict(r) for r in _core.fallback_report() if str(r["device"]) == str(self.device)]

    @contextmanager
    def policy(self, name: str) -> Iterator[None]:
        """Fallback policy inside a `with` block."""
        before = _core.fallback_policy()
        _core.set_fallback_policy(name)
        try:
            yield
        finally:
            _core.set_fallback_policy(before)

    # ---- other processes, devices and libraries ----

    def in_new_process(self) -> str | None:
        """Run 1 + 1 in a new interpreter."""
        command = [sys.executable, "-c", _NEW_PROCESS, str(self.device)]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        said = ended.stdout.strip().splitlines()
        if ended.returncode == 0 and said:
            return said[-1]
        return f"status {ended.returncode}: {ended.stderr.strip()[-300:]}"

    def peers(self) -> list[Handle]:
        """Handles of the other devices of this type; the current device stays."""
        found: list[Handle] = []
        for index in range(_core.device_count(self.device.type)):
            if index != self.device.index:
                peer = object.__new__(DeviceHandle)
                peer.device = _core.Device(self.device.type, index)
                _core.open_device(peer.device)
                peer._capabilities = self._capabilities
                found.append(peer)
        return found

    def receive(self, tensor: Any) -> Any:
        """A copy on this device."""
        return _core.to_device(array_of(tensor), self.device)

    def part(self, tensor: Any, start: int, size: int) -> Any:
        """A view of some elements."""
        return array_of(tensor)[start : start + size]

    def group(self, devices: list[Handle]) -> list[Rank] | None:
        """A group of this process; None where the plugin has no collectives."""
        return group_of([d.device for d in devices if isinstance(d, DeviceHandle)], array_of)

    def exported(self, tensor: Any) -> Any:
        """The array itself."""
        return array_of(tensor)

    def imported(self, source: Any) -> Any:
        """An array that shares the memory of `source` where it lies on this device."""
        return _core.from_dlpack(source)

    # ---- streams ----

    def synchronize(self) -> None:
        """Wait for the device."""
        _core.synchronize(self.device)

    def stream(self) -> Stream:
        """A new stream."""
        return _core.Stream(self.device)

    def event(self, timing: bool = False) -> Event:
        """A new event."""
        return _core.Event(timing, self.device)

    def using(self, stream: Any) -> AbstractContextManager[None]:
        """Make a stream current inside a `with` block."""
        return _guard(stream)


@contextmanager
def _guard(stream: Any) -> Iterator[None]:
    with device_api.stream_guard(stream):
        yield


def _flag(facts: dict[str, Any], name: str) -> bool:
    flags = facts.get("flags", ())
    return bool(facts.get(name)) or (not isinstance(flags, int) and name in flags)


def _plain(value: Any) -> bool:
    return isinstance(value, (str, int, float, bool)) or (
        isinstance(value, (list, tuple)) and all(isinstance(v, (str, int, float)) for v in value)
    )


# ---- ops with attributes ---------------------------------------------------------------------


def _dtype(attributes: dict[str, Any]) -> Any:
    return _core.dtypes[attributes["dtype"]]


def _reduced(op: Op, x: Any, axes: tuple[int, ...]) -> Any:
    """A reduction as the primitive itself: its attribute is one axis or a mask of axes."""
    shape = tuple(n for a, n in enumerate(x.shape) if a not in axes)
    number = axes[0] if op.kind == "arg_reduce" else sum(1 << a for a in axes)
    return _core.apply(op.name, [x], shape=shape, attributes=[number])


_FUNCTIONS = ("unary", "binary", "compare", "logical", "select", "matmul")
"""Kinds whose ops have a function each, with the semantics of the array API."""

_Run = Callable[[list[Any], dict[str, Any], Any], Any]

_SPECIAL: dict[str, _Run] = {
    "cast": lambda t, a, d: _core.astype(t[0], _dtype(a), True),
    "copy": lambda t, a, d: _core.copy(t[0]),
    "fill": lambda t, a, d: _core.full(a["shape"], a["value"], _dtype(a), d),
    "iota": lambda t, a, d: _core.iota(a["shape"][0], a["start"], a["step"], _dtype(a), d),
    "random_bits": lambda t, a, d: _core.random_bits(a["shape"][0], a["seed"], a["offset"], d),
    "sum": lambda t, a, d: _core.sum(t[0], tuple(a["axes"]), t[0].dtype),
    "max": lambda t, a, d: _core.max(t[0], tuple(a["axes"])),
    "argmax": lambda t, a, d: _core.argmax(t[0], a["axes"][0]),
    "take_along_axis": lambda t, a, d: _core.take_along_axis(t[0], t[1], a["axis"]),
    "index_accumulate": lambda t, a, d: _core.index_accumulate(t[0], t[1], t[2], a["axis"]),
}  # fmt: skip

_IN_PLACE: dict[str, Callable[[Any, Any], Any]] = {
    "copy": _core.copyto, "add": operator.iadd, "mul": operator.imul,
}  # fmt: skip


def with_companion(name: str) -> None:
    """Let a simulated type have two devices, as chapters U and A need, unless a number is told."""
    device_type = plugins.canonical(name.partition(":")[0])
    if not simulation.requested(device_type) or simulation.active(device_type):
        return
    setup = simulation.setup_of(device_type)
    if setup.devices == 0:
        simulation.enable(
            device_type, devices=2, memory=setup.memory or None, seed=setup.seed,
            name_suffix=setup.name_suffix, chip=setup.chip or None,
        )  # fmt: skip


def open_device(name: str) -> DeviceHandle:
    """Handle of a device by its name, e.g. ``cpu`` or ``npu:0``; its plugin is loaded."""
    with_companion(name)
    return DeviceHandle(name)
