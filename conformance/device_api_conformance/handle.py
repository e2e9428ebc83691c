# SPDX-License-Identifier: Apache-2.0
"""The handle through which the suite sees a device: few methods, no numbers of its own.

The real one (`device_handle`) wraps the public device_api; tests of the suite wrap NumPy.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

from device_api_conformance.formats import Array, Host
from device_api_conformance.layouts import Placed


@dataclass(frozen=True)
class Identity:
    """What is under test. `facts` holds versions and properties for the report's header."""

    device: str
    name: str
    vendor: str
    simulated: bool
    synchronous: bool = False
    host_memory: bool = False
    flushes_subnormals: bool = False
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Capability:
    """What the device declares for one op: types of the key operand, of the second free one."""

    dtypes: tuple[str, ...]
    others: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()


class Lacks(Exception):
    """Devices of this kind have no such thing, which the text names: the case is SKIPPED for it.

    For handles of what is less than a device, e.g. `tensor_handle`; one of device_api has it all.
    """


class Event(Protocol):
    """A point in a stream; times in milliseconds."""

    def query(self) -> bool:
        """Whether it is reached, or was never recorded."""

    def synchronize(self) -> None:
        """Wait until it is reached."""

    def elapsed_time(self, end: Any) -> float:
        """Milliseconds from here to `end`."""


class Stream(Protocol):
    """An in-order queue of the device."""

    def query(self) -> bool:
        """Whether all work is done."""

    def synchronize(self) -> None:
        """Wait for all work, host callbacks included."""

    def wait_event(self, event: Any) -> None:
        """Let later work wait for an event."""

    def record_event(self, event: Any) -> Any:
        """Record an event behind all earlier work."""

    def add_callback(self, function: Callable[[], None]) -> None:
        """Call `function` once, behind all earlier work."""


class Work(Protocol):
    """A collective under way; what the thread does next on the arrays comes after it."""

    def is_completed(self) -> bool:
        """Whether it is done, without waiting."""

    def synchronize(self, timeout: float | None = None) -> None:
        """Wait until it is done, `timeout` seconds at most."""


class Rank(Protocol):
    """One rank of a group of devices. Each is used by a thread of its own."""

    rank: int
    ranks: int

    def call(
        self, kind: str, source: Any, target: Any, reduction: str = "sum", peer: int = 0
    ) -> Work:
        """Begin a collective of that name (`all_reduce`, ...); None where a rank has no array."""

    def exchange(self, items: list[tuple[str, int, Any]]) -> Work:
        """Begin sends and receives (`send` or `recv`, the other rank, array) that go together."""

    def average(self, tensor: Any) -> None:
        """Replace the array by the average of all ranks' arrays."""

    def check(self) -> None:
        """Raise when the group works no more."""

    def abort(self) -> None:
        """Give the group up, from any thread: waiting calls fail."""

    def close(self) -> None:
        """Leave the group."""


class Handle(ABC):
    """One device under test."""

    # ---- what it is ----

    @abstractmethod
    def identity(self) -> Identity:
        """Who answers."""

    @abstractmethod
    def capabilities(self) -> dict[str, Capability]:
        """Ops that the device declares as native, by name."""

    @abstractmethod
    def error(self, kind: str) -> type[BaseException]:
        """Documented exception type for a kind of failure (`out_of_memory`, `shape`, ...)."""

    def runs_as(self, op: str, dtype: str) -> str:
        """The type in which the host runs an op on `dtype`; another one where it widens first."""
        return dtype

    def runs_undeclared(self, op: str) -> bool:
        """Whether the host may compose an op that the device does not declare."""
        return True

    def notes(self) -> dict[str, Any]:
        """What there is to add when all cases are done."""
        return {}

    # ---- tensors and ops ----

    @abstractmethod
    def put(self, placed: Placed) -> Any:
        """The view of `placed` on the device, over its whole buffer."""

    @abstractmethod
    def get(self, tensor: Any) -> Host:
        """Dense values of a tensor, bit by bit."""

    def view(self, tensor: Any, placed: Placed) -> Any:
        """Another view of the buffer of a tensor that `put` made."""
        raise Lacks("no second view of memory")

    @abstractmethod
    def buffer(self, tensor: Any) -> Array:
        """The whole buffer behind a tensor that `put` made, as stored."""

    @abstractmethod
    def run(self, op: str, operands: list[Any], attributes: dict[str, Any]) -> Any:
        """Run one op of the table; returns its result."""

    @abstractmethod
    def update(self, op: str, target: Any, operands: list[Any], attributes: dict[str, Any]) -> None:
        """Run one op so that its result lands in the view `target`.

        For add and mul, `target` is the first operand as well.
        """

    # ---- accounts ----

    @abstractmethod
    def native_counts(self) -> dict[str, int]:
        """Native runs so far, by op."""

    @abstractmethod
    def fallbacks(self) -> list[dict[str, Any]]:
        """Ops that ran elsewhere so far: rows with op, dtype and count."""

    @abstractmethod
    def policy(self, name: str) -> AbstractContextManager[None]:
        """Fallback policy inside a `with` block: error, warn or allow."""

    # ---- memory ----

    @abstractmethod
    def alloc(self, size: int) -> int:
        """Device memory of `size` bytes; returns its address."""

    @abstractmethod
    def free(self, address: int) -> None:
        """Give back what `alloc` returned."""

    @abstractmethod
    def write(self, address: int, data: bytes) -> None:
        """Copy host bytes to the device."""

    @abstractmethod
    def read(self, address: int, size: int) -> bytes:
        """Copy device bytes to the host."""

    def fill(self, address: int, value: int, size: int) -> None:
        """Set `size` bytes of the device to `value`, 0 to 255."""
        raise Lacks("no fill of bytes")

    def pinned(self, size: int) -> Array:
        """Host memory of `size` bytes (uint8) that copies can use while the host goes on."""
        raise Lacks("no page-locked memory")

    def start_copy(self, tensor: Any, host: Array, to_host: bool) -> None:
        """Enqueue a copy between a dense tensor and memory of `pinned` on the current stream."""
        raise Lacks("no copies that are only enqueued")

    @abstractmethod
    def statistics(self) -> dict[str, int]:
        """allocated, reserved, peak_allocated and total, in bytes; free where it is known."""

    @abstractmethod
    def reset_peak(self) -> None:
        """Let the peak start again at what is allocated now."""

    @abstractmethod
    def empty_cache(self) -> None:
        """Give unused memory back to the device."""

    # ---- what the plugin says of itself, neither kept nor corrected by its host ----

    def tells_idle(self) -> bool:
        """Whether a stream says when it is idle; without that its `query` is never true."""
        return True

    def tells_memory(self) -> bool:
        """Whether the device says how much memory it has; without that its figures are 0."""
        return True

    def telemetry(self) -> dict[str, Any] | None:
        """One reading: the members of device_api's Telemetry; None where the device has none."""
        return None

    def properties(self, kept: bool = False) -> dict[str, Any]:
        """Facts of the device, asked for anew, or as the host has kept them from the start."""
        raise Lacks("no facts that could be asked for anew")

    def device_count(self, kept: bool = False) -> int:
        """Devices of this type, counted anew, or as the host has kept it from the start."""
        raise Lacks("no count of devices")

    # ---- other processes, devices and libraries; None or nothing where there are none ----

    def in_new_process(self) -> str | None:
        """What a new process says of 1 + 1 on this device: "right", or what went wrong."""
        return None

    def peers(self) -> list[Handle]:
        """The other devices of this type."""
        return []

    def receive(self, tensor: Any) -> Any:
        """A copy, on this device, of a dense tensor of a peer."""
        raise NotImplementedError

    def part(self, tensor: Any, start: int, size: int) -> Any:
        """A view of some elements of a dense tensor of one dimension."""
        raise Lacks("no views of a part")

    def group(self, devices: list[Handle]) -> list[Rank] | None:
        """A group with one rank for each device, in order; None without collectives."""
        return None

    def exported(self, tensor: Any) -> Any:
        """The object with ``__dlpack__`` behind a tensor; None where the device has none."""
        return None

    def imported(self, source: Any) -> Any:
        """A tensor over what ``source.__dlpack__`` gives."""
        raise NotImplementedError

    # ---- streams ----

    @abstractmethod
    def synchronize(self) -> None:
        """Wait for all work of the device."""

    @abstractmethod
    def stream(self) -> Stream:
        """A new stream."""

    @abstractmethod
    def event(self, timing: bool = False) -> Event:
        """A new event."""

    @abstractmethod
    def using(self, stream: Stream) -> AbstractContextManager[None]:
        """Make a stream current inside a `with` block."""
