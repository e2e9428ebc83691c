# SPDX-License-Identifier: Apache-2.0
"""A quick check of one device: allocate, copy, compute, compare with the CPU, time.

``run_check("type:index")`` takes a few seconds and at most 64 MiB, and can run beside jobs; every
step that fails is reported with its cause, and later steps still run where they can.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from device_api import _core, _health_steps, dtypes, errors
from device_api._core import Tensor
from device_api._health_steps import Failed, pattern, simulated
from device_api.devices import (
    Device,
    DeviceLike,
    current_device,
    device_guard,
    get_device_properties,
    usable_device,
)
from device_api.fallback import fallback_policy

_N = 1 << 20  # elements of a copy
_SIDE = 256  # of a matrix


@dataclass(frozen=True)
class Step:
    """One step of a check: its name, whether it passed, what it found, and how long it took."""

    name: str
    passed: bool
    detail: str
    seconds: float


@dataclass
class Report:
    """The outcome of a check; true when the device is healthy."""

    device: str
    name: str = ""
    simulated: bool = False
    steps: list[Step] = field(default_factory=list)
    fallbacks: list[str] = field(default_factory=list)

    @property
    def healthy(self) -> bool:
        """Whether every step passed."""
        return bool(self.steps) and all(step.passed for step in self.steps)

    def __bool__(self) -> bool:
        return self.healthy

    def as_dict(self) -> dict[str, Any]:
        """Return the report as plain data, for JSON."""
        return asdict(self) | {"healthy": self.healthy}


def _allocate(device: Device) -> str:
    before = _core.memory_stats(device)["allocated"]
    arrays = [_core.empty((size,), dtypes.uint8, device) for size in (1, 513, 4097, 1 << 22)]
    grown = _core.memory_stats(device)["allocated"] - before
    if grown < sum(x.nbytes for x in arrays):
        raise Failed(f"the accounts show {grown} bytes for {sum(x.nbytes for x in arrays)}")
    return f"{len(arrays)} blocks, {grown} bytes"


def _copy(device: Device) -> str:
    host = pattern(_N)
    begin = time.perf_counter()
    there = _core.from_numpy(host, None, device)
    _core.synchronize(device)
    middle = time.perf_counter()
    back = there.numpy()
    end = time.perf_counter()
    if wrong := int((host != back).sum()):
        raise Failed(f"{wrong} of {host.size} bytes came back changed")
    rates = [host.size / max(span, 1e-9) / 1e9 for span in (middle - begin, end - middle)]
    return f"{host.size >> 20} MiB to the device {rates[0]:.2f} GB/s, back {rates[1]:.2f} GB/s"


def _on_device(device: Device) -> str:
    """Copy on the device, through a transposed layout."""
    host = pattern(1 << 16)[: 1 << 18].reshape(512, 512)
    moved = _core.copy(_core.permute_dims(_core.from_numpy(host, None, device), (1, 0)))
    if not np.array_equal(moved.numpy(), host.T):
        raise Failed("a transposed copy differs")
    return "transposed copy equal"


def _elementwise(x: Tensor) -> Tensor:
    return _core.tanh(_core.add(_core.multiply(x, 0.5), _core.exp(_core.negative(_core.abs(x)))))


def _whole_matmul(x: Tensor) -> Tensor:
    whole = _core.floor(_core.multiply(x, 2.0))  # small whole numbers: exact in any order
    return _core.matmul(whole, _core.permute_dims(whole, (1, 0)))


def _row_sum(x: Tensor) -> Tensor:
    return _core.sum(x, axis=1)


def _like_cpu(function: Callable[[Tensor], Tensor], tolerance: float) -> Callable[[Device], str]:
    """Return a step that runs a function on the device and on the CPU and compares."""

    def step(device: Device) -> str:
        host = np.random.default_rng(7).normal(0, 1, (_SIDE, _SIDE)).astype(np.float32)
        results = []
        for where in (device, Device("cpu", 0)):
            results.append(function(_core.from_numpy(host, None, where)).numpy())
        got, expected = results
        scale = np.maximum(np.abs(expected), 1.0)
        worst = float(np.max(np.abs(got - expected) / scale))
        if not worst <= tolerance:
            raise Failed(f"differs from the CPU by {worst:.3g}, allowed {tolerance:.3g}")
        return f"agrees with the CPU to {worst:.2g}"

    return step


def _streams(device: Device) -> str:
    """Work on a second stream, which waits for the first one through an event."""
    first = _core.current_stream(device)
    second = _core.Stream(device)
    x = _core.full((_SIDE,), 1.0, dtypes.float32, device)
    x = _core.add(x, 1.0)
    event = _core.Event(device=device)
    event.record(first)
    second.wait_event(event)
    _core.set_current_stream(second)
    try:
        x = _core.add(x, 1.0)
        second.synchronize()
    finally:
        _core.set_current_stream(first)
    if not (x.numpy() == 3.0).all():
        raise Failed("work on two streams linked by an event gave a wrong result")
    return "an event orders two streams"


def _time(device: Device) -> str:
    x = _core.full((_SIDE, _SIDE), 1.0, dtypes.float32, device)
    spans = []
    for _ in range(5):
        begin = time.perf_counter()
        for _ in range(20):
            x = _core.minimum(_core.add(x, 1.0), 3.0)
        _core.synchronize(device)
        spans.append((time.perf_counter() - begin) / 40)
    return f"{min(spans) * 1e6:.1f} us for an elementwise op on {_SIDE}x{_SIDE}"


_STEPS: tuple[tuple[str, Callable[[Device], str]], ...] = (
    ("versions", _health_steps.versions),
    ("environment", _health_steps.environment),
    ("state", _health_steps.state),
    ("free memory", _health_steps.free_memory),
    ("allocate", _allocate),
    ("copy", _copy),
    ("memory patterns", _health_steps.memory),
    ("bandwidth", _health_steps.bandwidth),
    ("copy on the device", _on_device),
    ("elementwise", _like_cpu(_elementwise, 1e-5)),
    ("matmul", _like_cpu(_whole_matmul, 0.0)),
    ("matmul by type", _health_steps.matmul_types),
    ("sum", _like_cpu(_row_sum, 1e-5)),
    ("streams", _streams),
    ("time", _time),
)


def _run(name: str, function: Callable[[Device], str], device: Device) -> Step:
    begin = time.perf_counter()
    try:
        detail, passed = function(device), True
    except (Failed, errors.DeviceApiError) as error:
        detail, passed = str(error), False
    return Step(name, passed, detail, time.perf_counter() - begin)


def _fallbacks() -> dict[tuple[str, str], int]:
    return {(r["op"], str(r["device"])): r["count"] for r in _core.fallback_report()}


def run_check(device: DeviceLike | None = None) -> Report:
    """Check a device (default: the current one) and return the report.

    Raises what ``set_device`` raises when the device cannot be used at all. Fallbacks are allowed
    meanwhile, and listed in the report.
    """
    found = usable_device(device if device is not None else current_device())
    properties = get_device_properties(found)
    report = Report(str(found), str(properties.get("name", "")), simulated(found))
    before = _fallbacks()
    with device_guard(found), fallback_policy("allow"):
        for name, function in _STEPS:
            report.steps.append(_run(name, function, found))
    after = _fallbacks()
    report.fallbacks = sorted({op for (op, at), n in after.items() if n > before.get((op, at), 0)})
    return report
