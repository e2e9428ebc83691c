# SPDX-License-Identifier: Apache-2.0
"""Comparing a device with the CPU, op by op, to find the op that is wrong.

``with compare.with_cpu(): ...`` runs every op of a device on the CPU too, with the same inputs, and
raises :class:`ResultDiffersError` at the first whose results differ by more than the op table
allows. The command ``device-api bisect PROGRAM`` does so for a whole program.
"""

from __future__ import annotations

import sys
import threading
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from device_api import _bounds, _core, dtypes, errors
from device_api._core import Observation, Replica, Tensor
from device_api.devices import DeviceLike, as_device

Operand = tuple[tuple[int, ...], str]
_OWN = str(Path(__file__).parent)


@dataclass(frozen=True)
class Difference:
    """An op whose results differ. ``inputs`` and ``output`` are (shape, dtype), as the device saw
    them: dimensions that lie together in memory may be joined. ``index``: the worst element,
    ``got`` of the device and ``expected`` of the CPU; ``ulp``: how far they are apart in units in
    the last place of the expected value, ``allowed`` the bound there; ``count`` elements differ."""

    op: str
    device: str
    inputs: tuple[Operand, ...]
    output: Operand
    index: tuple[int, ...]
    got: Any
    expected: Any
    ulp: float
    allowed: float
    count: int
    values: tuple[Any, ...] = ()
    where: str = ""

    def __str__(self) -> str:
        inputs = ", ".join(f"{dtype}{list(shape)}" for shape, dtype in self.inputs)
        shape, dtype = self.output
        lines = [
            f"{self.op}({inputs}) -> {dtype}{list(shape)} on {self.device} differs from the CPU",
            f"  worst element {list(self.index)}: {self.got!r}, expected {self.expected!r}",
            f"  {self.ulp:.4g} units in the last place apart, {self.allowed:.4g} allowed; "
            f"{self.count} of {max(int(np.prod(shape)), 1)} elements differ",
        ]
        if self.values:
            lines.append(f"  inputs there: {', '.join(map(repr, self.values))}")
        if self.where:
            lines.append(f"  at {self.where}")
        return "\n".join(lines)


class ResultDiffersError(errors.DeviceApiError):
    """An op's result differs from the CPU's by more than the op table allows."""

    difference: Difference


@dataclass
class Comparison:
    """What was compared: ``compared`` counts by op, ``uncompared`` says why ops were left out."""

    rtol: float = 0.0
    stop: bool = True
    device: str | None = None
    differences: list[Difference] = field(default_factory=list)
    compared: Counter[str] = field(default_factory=Counter)
    uncompared: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._replicas: dict[int, Replica] = {}
        self._handle: int | None = None
        self._lock = threading.Lock()

    @property
    def first(self) -> Difference | None:
        """The first op that differed, or None."""
        return self.differences[0] if self.differences else None

    def __enter__(self) -> Self:
        if self._handle is not None:
            raise errors.InvalidArgumentError("the comparison is going on already")
        self._handle = _core.add_observer(("op",), self._seen)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._handle is not None:
            _core.remove_observer(self._handle)
            self._handle = None
        self._replicas.clear()

    def _concerns(self, seen: Observation) -> bool:
        device = seen.device
        if device is None or device.type == "cpu":
            return False
        return self.device is None or str(device) == self.device

    def _seen(self, seen: Observation) -> None:
        if not self._concerns(seen):
            return
        if seen.phase == "begin":
            self._replicas[seen.span] = seen.replica()
            return
        replica = self._replicas.pop(seen.span, None)
        if replica is None or seen.status != 0:
            return
        try:
            found = _difference(seen, replica, self.rtol)
        except errors.NotSupportedError as error:
            self.uncompared[seen.op] = error.cause
            return
        with self._lock:
            self.compared[seen.op] += 1
            if found is not None:
                self.differences.append(found)
        if found is not None and self.stop:
            raise _as_error(found)


def with_cpu(
    *, rtol: float = 0.0, stop: bool = True, device: DeviceLike | None = None
) -> Comparison:
    """Compare every op with the CPU inside a ``with`` block, on all threads.

    ``rtol``: relative difference that passes besides what the op table allows; ``stop``: raise
    ResultDiffersError at the first op that differs, else go on and list all in ``differences``;
    ``device``: only ops of this one. Ops inside a composite are compared, then the composite.
    Each op is waited for, and its operands are copied to the host: it is slow. Ops that the CPU
    lacks are in ``uncompared``. Raises InvalidArgumentError for a negative ``rtol``.
    """
    if not rtol >= 0:
        raise errors.InvalidArgumentError(f"rtol is {rtol}", "give 0 or a positive number")
    return Comparison(rtol, stop, None if device is None else str(as_device(device)))


def _as_error(found: Difference) -> ResultDiffersError:
    error = ResultDiffersError(
        str(found),
        "report the device's op to its maker; until then run it on the CPU",
        op=found.op,
        device=found.device,
    )
    error.difference = found
    return error


def _array(x: Tensor) -> npt.NDArray[Any]:
    """Elements as NumPy has them; floats and complex numbers as wide ones."""
    host = x.to_device("cpu")
    if x.dtype.kind == "f":
        return np.asarray(dtypes.astype(host, dtypes.float64).numpy())
    if x.dtype.kind == "c":
        return np.asarray(dtypes.astype(host, dtypes.complex128).numpy())
    return np.asarray(host.numpy())


def _difference(seen: Observation, replica: Replica, rtol: float) -> Difference | None:
    """Run the op on the CPU and compare; NotSupportedError where it cannot run there."""
    replica.run()
    operands = [(tuple(shape), dtype) for shape, dtype in seen.operands]
    n = len(operands) - 1
    got, want = _array(seen.tensor(n)), _array(replica.operand(n))
    inputs = [_array(replica.operand(k)) for k in range(n)]
    key = operands[0][1] if n else operands[n][1]
    distance, allowed = _distances(seen, replica, got, want, operands, key)
    if rtol:
        with np.errstate(invalid="ignore"):
            distance = np.where(np.abs(got - want) <= rtol * np.abs(want), 0.0, distance)
    skipped = _bounds.unspecified(seen.op, inputs, operands[n][1])
    if skipped is not None:
        distance = np.where(skipped, 0.0, distance)
    beyond = distance > allowed * (1 + 1e-6)
    if not beyond.any():
        return None
    worst = np.unravel_index(int(np.argmax(np.where(beyond, distance, -1.0))), got.shape)
    index = tuple(int(i) for i in worst)
    return Difference(
        op=seen.op,
        device=str(seen.device),
        inputs=tuple(operands[:n]),
        output=operands[n],
        index=index,
        got=got[index].item(),
        expected=want[index].item(),
        ulp=float(distance[index]),
        allowed=float(allowed[index]),
        count=int(np.count_nonzero(beyond)),
        values=tuple(x[index].item() for x in inputs if x.shape == got.shape),
        where=_caller(),
    )


def _distances(
    seen: Observation,
    replica: Replica,
    got: npt.NDArray[Any],
    want: npt.NDArray[Any],
    operands: list[Operand],
    key: str,
) -> tuple[_bounds.Floats, _bounds.Floats]:
    """Return for each element the distance and the one allowed, in units in the last place."""
    dtype = operands[-1][1]
    name = _bounds.PARTS.get(dtype, dtype)
    if name not in _bounds.FORMATS:
        return np.where(got == want, 0.0, np.inf), np.zeros(got.shape)
    form = _bounds.FORMATS[name]
    unit = _bounds.units_of(seen.op, form, want)
    with np.errstate(invalid="ignore"):
        distance = np.maximum(
            _bounds.apart(got.real, want.real, unit), _bounds.apart(got.imag, want.imag, unit)
        )
    if _flushes(seen):
        small = (np.abs(got) < form.smallest_normal) & (np.abs(want) < form.smallest_normal)
        distance = np.where(small, 0.0, distance)
    allowed = np.full(got.shape, _bounds.units(seen.op, key))
    if _bounds.is_sum(seen.op):
        shapes = [shape for shape, _ in operands]
        slack = _bounds.slack_of_sum(
            seen.op, shapes, _magnitudes(seen.op, replica, want), form.roundoff
        )
        with np.errstate(invalid="ignore"):
            allowed = allowed + np.where(np.isfinite(slack), slack, 0.0) / unit
    return distance, allowed


def _magnitudes(op: str, replica: Replica, want: npt.NDArray[Any]) -> _bounds.Floats:
    """Return a bound for the sum of magnitudes: the op of the inputs' magnitudes, on the CPU.

    It changes the replica's inputs. Normalisations: their largest result, and at least 1.
    """
    if not _bounds.has_magnitudes(op):
        return np.full(want.shape, max(1.0, float(np.max(np.abs(want), initial=0.0))))
    for k in range(len(_bounds.op(op).inputs)):
        x = _each_once(replica.operand(k))
        if x.dtype.kind in "fc":
            x[...] = dtypes.astype(_core.abs(x), x.dtype)
    replica.run()
    return np.asarray(np.abs(_array(replica.operand(len(_bounds.op(op).inputs)))))


def _each_once(x: Tensor) -> Tensor:
    """Return a view of the same memory without the axes along which elements repeat."""
    return x[tuple(slice(0, 1) if stride == 0 else slice(None) for stride in x.strides)]


def _flushes(seen: Observation) -> bool:
    device = seen.device
    return device is not None and bool(_core.properties(device)["flushes_subnormals"])


def _caller() -> str:
    """Return the innermost line outside this package that led to the op."""
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        file = frame.f_code.co_filename
        if not file.startswith((_OWN, "<frozen")):
            return f"{file}:{frame.f_lineno}, in {frame.f_code.co_name}"
        frame = frame.f_back
    return ""
