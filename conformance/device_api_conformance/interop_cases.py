# SPDX-License-Identifier: Apache-2.0
"""Cases of chapter I: DLPack, out and in, and its life; single capsules: interop_capsule_cases.

What cannot be read by NumPy (memory of an accelerator) goes out and comes back in to the device
itself, through the same capsules.
"""

from __future__ import annotations

import ctypes
import gc
import weakref
from typing import Any

import numpy as np

from device_api_conformance import interop_capsule_cases, interop_library_cases, layouts
from device_api_conformance.case import Case
from device_api_conformance.formats import Host, storage
from device_api_conformance.handle import Handle
from device_api_conformance.record import Record
from device_api_conformance.seeds import generator

HOST, EXTENSION = 1, 12
"""kDLCPU and kDLExtDev of dlpack.h."""
DTYPES = ("float32", "float64", "float16", "int8", "int32", "int64", "uint8", "uint64", "complex64")
SHAPES: tuple[tuple[int, ...], ...] = ((), (1,), (0,), (3, 0, 2), (1, 5, 1), (257,), (7, 11))


def _values(case: Case, seed: int, shape: tuple[int, ...], dtype: str) -> Any:
    return generator(case.id, seed).integers(0, 100, shape).astype(storage(dtype))


def _put(handle: Handle, case: Case, seed: int, data: Any, layout: str = "contiguous") -> Any:
    dtype = str(data.dtype)
    return handle.put(layouts.place(Host(dtype, data), layout, generator(case.id, seed)))


def _exported(handle: Handle, tensor: Any, r: Record) -> Any:
    found = handle.exported(tensor)
    if found is None:
        r.skip("the device offers no DLPack")
    return found


def _read(handle: Handle, source: Any) -> Host:
    """What a consumer sees: NumPy where it can, else the device itself."""
    kind, _ = source.__dlpack_device__()
    if kind == HOST:
        seen = np.asarray(np.from_dlpack(source))
        return Host(str(seen.dtype), seen)
    return handle.get(handle.imported(source))


def _differ(got: Host, want: Any) -> int:
    if got.shape != want.shape or got.dtype != str(want.dtype):
        return max(1, int(want.size))
    return int(np.count_nonzero(np.asarray(got.data) != want))


def out(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Arrays of all shapes go out with their type, shape and values."""
    dtype = case.dtype
    for shape in SHAPES:
        data = _values(case, seed, shape, dtype)
        source = _exported(handle, _put(handle, case, seed, data), r)
        if source is None:
            return
        r.equal(f"{shape}: wrong elements", _differ(_read(handle, source), data), 0)


def out_views(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Views go out with their strides and their offset."""
    for layout in layouts.LAYOUTS:
        shape = (7, 1) if layout == "odd_unit" else (7, 11)
        data = _values(case, seed, shape, "float32")
        try:
            tensor = _put(handle, case, seed, data, layout)
        except handle.error("not_supported"):  # a library of arrays may lack a layout
            continue
        source = _exported(handle, tensor, r)
        if source is None:
            return
        want = handle.get(tensor).data
        r.equal(f"{layout}: wrong elements", _differ(_read(handle, source), want), 0)


def waits(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """What is exported before the device has finished holds the result for the consumer."""
    one = _put(handle, case, seed, np.ones(40_000, dtype=np.float32))
    for _ in range(3):
        x = one
        for _ in range(20):
            x = handle.run("add", [x, one], {})
        source = _exported(handle, x, r)
        if source is None:
            return
        want = np.full(40_000, 21, dtype=np.float32)
        r.equal("wrong elements", _differ(_read(handle, source), want), 0)


def _takes_host(handle: Handle, r: Record) -> bool:
    if handle.exported(_one(handle)) is None:
        r.skip("the device offers no DLPack")
        return False
    return True


def _one(handle: Handle) -> Any:
    placed = layouts.place(Host("float32", np.ones(1, dtype=np.float32)), "contiguous",
                           generator("interop", 0))  # fmt: skip
    return handle.put(placed)


def taken_in(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """NumPy's arrays come in: strides of all kinds, no elements, no dimensions."""
    if not _takes_host(handle, r):
        return
    base = _values(case, seed, (7, 11), "float32")
    views = {
        "dense": base, "transposed": base.T, "stepped": base[::2, 1::3], "backwards": base[::-1],
        "one element": base[3:4, 5:6], "no elements": base[:0], "no dimensions": base[0, 0, ...],
        "broadcast": np.broadcast_to(base[0], (4, 11)),
        "odd strides of 1": np.lib.stride_tricks.as_strided(base, (1, 7), (12345 * 4, 4)),
    }  # fmt: skip
    for name, view in views.items():
        try:
            tensor = handle.imported(view)
        except BufferError:
            r.equal(f"{name}: refused although it may be written", view.flags.writeable, False)
            continue
        except Exception as error:  # noqa: BLE001 - what is raised is what is observed
            r.equal(f"{name}: error of the refusal", type(error).__name__, "BufferError")
            continue
        r.equal(f"{name}: wrong elements", _differ(handle.get(tensor), np.asarray(view)), 0)


def lifetime(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """The producer's memory lives as long as the consumer, and is let go once, afterwards."""
    if not _takes_host(handle, r):
        return

    class Kept(np.ndarray):
        """An array that can be watched."""

    data = _values(case, seed, (1000,), "float32").view(Kept)
    want = np.array(data)
    gone = weakref.ref(data)
    tensor = handle.imported(data)
    del data
    gc.collect()
    r.equal("wrong elements while only the consumer is left", _differ(handle.get(tensor), want), 0)
    del tensor
    handle.synchronize()
    gc.collect()
    r.equal("the producer is let go after the consumer", gone() is None, True)


def exported_lifetime(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Memory that was exported is not used again while the consumer has it, and is afterwards."""
    data = _values(case, seed, (4096,), "float32")
    held = _used(handle)
    tensor = _put(handle, case, seed, data)
    source = _exported(handle, tensor, r)
    if source is None or _anonymous(source, r):
        return
    capsule = source.__dlpack__()
    del source, tensor
    others = [_put(handle, case, seed, data * 0 + 7) for _ in range(4)]
    again = handle.imported(_Wrapped(capsule, others[0], handle))
    r.equal("wrong elements", _differ(handle.get(again), data), 0)
    del again, capsule, others
    r.equal("memory in use afterwards", _used(handle), held)


def _used(handle: Handle) -> int:
    """Memory in use, once all that waits to be let go is gone."""
    gc.collect()
    handle.synchronize()
    return handle.statistics()["allocated"]


def _anonymous(source: Any, r: Record) -> bool:
    """Whether the device's code names no owner, so that a bare capsule may be refused."""
    kind, _ = source.__dlpack_device__()
    if int(kind) != EXTENSION:
        return False
    r.skip("an extension's device code does not say whose memory a bare capsule holds")
    return True


class _Wrapped:
    """A capsule as an object that offers it."""

    def __init__(self, capsule: Any, like: Any, handle: Handle) -> None:
        self.capsule = capsule
        self.device = tuple(handle.exported(like).__dlpack_device__())

    def __dlpack_device__(self) -> tuple[Any, ...]:
        return self.device

    def __dlpack__(self, **options: Any) -> Any:
        return self.capsule


def twice(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """A capsule is consumed once: its name says so afterwards, and a second consumer is refused."""
    tensor = _put(handle, case, seed, _values(case, seed, (16,), "float32"))
    source = _exported(handle, tensor, r)
    if source is None or _anonymous(source, r):
        return
    capsule = source.__dlpack__()
    wrapped = _Wrapped(capsule, tensor, handle)
    first = handle.imported(wrapped)
    r.equal("the capsule is marked as used", _name(capsule), "used_dltensor")
    try:
        handle.imported(wrapped)
    except Exception as error:  # noqa: BLE001 - that it is refused is what is observed
        r.equal("a second use is refused with words", bool(str(error)), True)
    else:
        r.equal("a second use", "accepted", "refused")
    r.equal("elements of the first", len(handle.get(first).data), 16)


def unconsumed(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """A capsule that nobody consumes gives its memory back when it is dropped."""
    held = _used(handle)
    for _ in range(20):
        tensor = _put(handle, case, seed, _values(case, seed, (4096,), "float32"))
        source = _exported(handle, tensor, r)
        if source is None:
            return
        capsule = source.__dlpack__()
        del tensor, source, capsule
    r.equal("memory in use afterwards", _used(handle), held)


def _name(capsule: Any) -> str:
    get = ctypes.pythonapi.PyCapsule_GetName
    get.restype, get.argtypes = ctypes.c_char_p, [ctypes.py_object]
    return (get(capsule) or b"").decode()


CHECKS = {
    "dlpack_out": out, "dlpack_views": out_views, "dlpack_waits": waits, "dlpack_in": taken_in,
    "dlpack_lifetime": lifetime, "dlpack_exported_lifetime": exported_lifetime,
    "dlpack_twice": twice, "dlpack_unconsumed": unconsumed, **interop_capsule_cases.CHECKS,
    **interop_library_cases.CHECKS,
}  # fmt: skip


_OWN = (
    "dlpack_views", "dlpack_waits", "dlpack_in", "dlpack_lifetime", "dlpack_exported_lifetime",
    "dlpack_twice", "dlpack_unconsumed",
)  # fmt: skip


def cases() -> list[Case]:
    """All cases of the chapter but those of libraries that take seconds to load."""
    found = [Case("I", "dlpack_out", dtype=dtype) for dtype in DTYPES]
    found += [Case("I", name) for name in _OWN]
    return [*found, *interop_capsule_cases.cases(), *interop_library_cases.cases()]
