# SPDX-License-Identifier: Apache-2.0
"""Planted faults of interchange: capsules as they must not be, and carelessly taken in."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from fake_device import FakeDevice, Tensor, Viewing
from faults import plant

from device_api_conformance.capsules import Opened, Producer
from device_api_conformance.layouts import Placed


class Source:
    """An array of NumPy whose exports are changed."""

    def __init__(self, array: np.ndarray, **forced: Any) -> None:
        self.array, self.forced = array, forced

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0

    def __dlpack__(self, **options: Any) -> Any:
        options = {k: v for k, v in (options | self.forced).items() if v != "left out"}
        return self.array.__dlpack__(**options)


def exporting(change) -> type[FakeDevice]:
    """A device whose exported arrays are changed."""

    def exported(self, tensor):
        found = FakeDevice.exported(self, tensor)
        return None if found is None else change(tensor, found)

    return type("Device", (FakeDevice,), {"exported": exported})


def _whole(tensor: Tensor, seen: np.ndarray) -> Any:
    if seen.ndim != 1 or isinstance(tensor, Viewing):
        return seen
    return tensor.placed.buffer[32 : 32 + seen.size]


def _read_only(tensor: Tensor, seen: np.ndarray) -> Any:
    view = seen.view()
    view.flags.writeable = False
    return Source(view, max_version=(1, 0))


def _in_bytes(tensor: Tensor, seen: np.ndarray) -> Any:
    return Producer(seen, strides=seen.strides) if seen.size else seen


for _name, _only, _change in (
    ("exports are always of the newest form", "I/capsule_versions",
     lambda t, seen: Source(seen, max_version=(1, 0))),
    ("exports are always of the old form", "I/capsule_versions",
     lambda t, seen: Source(seen, max_version=None)),
    ("a copy is asked for in vain", "I/capsule_copies", lambda t, seen: Source(seen, copy=None)),
    ("what is exported is always a copy", "I/capsule_offsets I/capsule_copies",
     lambda t, seen: Source(seen, copy=True)),
    ("exports forget the offset of a view", "I/capsule_offsets", _whole),
    ("exports say that they may not be written", "I/capsule_members", _read_only),
    ("exports tell strides in bytes", "I/library_out/float32 I/dlpack_views", _in_bytes),
    ("exports are transposed", "I/capsule_members/int32", lambda t, seen: seen.T),
    ("exports have another type", "I/capsule_members/int16", lambda t, seen: seen.view("u2")
     if seen.dtype == np.int16 else seen),
    ("arrays for NumPy have 32 bits", "I/array_protocol/int64 I/dlpack_out/int64",
     lambda t, seen: seen.astype(np.int32) if seen.dtype == np.int64 else seen),
):  # fmt: skip
    plant(_name, _only, "I")(exporting(_change))


def importing(change) -> type[FakeDevice]:
    """A device that changes capsules made by hand before it takes them."""

    def imported(self, source):
        if isinstance(source, Producer):
            change(self, source)
        return FakeDevice.imported(self, source)

    return type("Device", (FakeDevice,), {"imported": imported})


def _set(**members: int):
    def change(self, producer: Producer) -> None:
        for name, value in members.items():
            array = producer.managed.array
            target = array if hasattr(array, name) else producer.managed
            if hasattr(target, name):
                setattr(target, name, value)

    return change


def _strides_ignored(self, producer: Producer) -> None:
    producer.managed.array.strides = ctypes.POINTER(ctypes.c_int64)()


def _taken_again(self, producer: Producer) -> None:
    """A used capsule is made new again."""
    producer.fixed = None


for _name, _only, _change in (
    ("imports ignore the offset", "I/capsule_taken", _set(byte_offset=0)),
    ("imports ignore strides", "I/capsule_taken", _strides_ignored),
    ("imports take any version", "I/capsule_refused", _set(major=1)),
    ("imports take several lanes for one", "I/capsule_refused", _set(lanes=1)),
    ("imports ignore the device", "I/capsule_refused", _set(device_type=1)),
    ("imports ignore that memory may not be written", "I/capsule_read_only", _set(flags=0)),
    ("a used capsule is taken again", "I/capsule_again", _taken_again),
):
    plant(_name, _only, "I")(importing(_change))


@plant("imports are never let go", "I/capsule_held I/capsule_taken", "I")
class Hoards(FakeDevice):
    def __init__(self):
        super().__init__()
        self.hoard = []

    def imported(self, source):
        self.hoard.append(super().imported(source))
        return self.hoard[-1]


@plant("an import is let go twice", "I/capsule_held I/capsule_taken", "I")
class LetsGoTwice(FakeDevice):
    def imported(self, source):
        if isinstance(source, Producer):
            source.__dlpack__()
            opened = Opened(source.last)
            opened.release()
        return super().imported(source)


@plant("what is imported is let go at once", "I/capsule_held", "I")
class LetsGoEarly(FakeDevice):
    def imported(self, source):
        seen = np.from_dlpack(source)
        strides = tuple(s // seen.itemsize for s in seen.strides)
        if not isinstance(source, Producer) or seen.size < 2:
            return Viewing(seen, str(seen.dtype), strides)
        kept = np.lib.stride_tricks.as_strided(source.data.reshape(-1), seen.shape, seen.strides)
        return Viewing(kept, str(seen.dtype), strides)


@plant("what is consumed is not given back", "I/capsule_consumed", "I")
class KeepsExports(FakeDevice):
    exports = 0

    def exported(self, tensor):
        self.exports += 1
        self.memory.allocated += 64
        return super().exported(tensor)


@plant("exports are not the finished values", "I/capsule_streams I/dlpack_waits", "I")
class ExportsEarly(FakeDevice):
    def exported(self, tensor):
        p = tensor.placed
        early = Placed(p.dtype, p.buffer.copy(), p.shape, p.strides, p.offset)
        self.current().synchronize()
        return early.view()
