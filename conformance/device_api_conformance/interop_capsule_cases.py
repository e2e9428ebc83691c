# SPDX-License-Identifier: Apache-2.0
"""Cases of chapter I: DLPack capsules, as a producer writes them and as a consumer reads them."""

from __future__ import annotations

import contextlib
import gc
from typing import Any

import numpy as np

from device_api_abi import optable
from device_api_conformance import layouts
from device_api_conformance.capsules import COPIED, HOST, NEW, OLD, READ_ONLY, Opened, Producer

from device_api_conformance.capsules import name_of, type_of  # isort: skip
from device_api_conformance.case import Case
from device_api_conformance.collective_plans import whole_numbers
from device_api_conformance.formats import Host
from device_api_conformance.handle import Handle, Lacks
from device_api_conformance.record import Record
from device_api_conformance.seeds import generator

SHAPES: tuple[tuple[int, ...], ...] = ((), (1,), (0,), (3, 0, 2), (1, 5, 1), (257,), (7, 11))


def put(handle: Handle, case: Case, seed: int, shape: tuple[int, ...], layout: str) -> Any:
    """An array of the case's type, laid out."""
    rng = generator(case.id, seed, f"{shape} {layout}")
    n = int(np.prod(shape))
    values = whole_numbers(rng, case.dtype or "float32", n, "")
    placed = layouts.place(Host(values.dtype, values.data.reshape(shape)), layout, rng)
    return placed, handle.put(placed)


def exported(handle: Handle, tensor: Any) -> Any:
    """The object with ``__dlpack__``.

    Raises:
        Lacks: there is none.
    """
    found = handle.exported(tensor)
    if found is None:
        raise Lacks("the device offers no DLPack")
    return found


def used(handle: Handle) -> int:
    """Memory in use once all that is gone has been let go."""
    gc.collect()
    handle.synchronize()
    return handle.statistics()["allocated"]


def _strides_right(opened: Opened, placed: layouts.Placed) -> bool:
    """Strides count only where there is more than one element to step to."""
    shape, given = placed.shape, opened.strides
    if not all(shape):
        return True
    if given is None:
        given = layouts.view(shape, "contiguous")[0]
    return all(a == b for n, a, b in zip(shape, given, placed.strides, strict=True) if n > 1)


def members(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Every member of the structs is as it must be, in the old form and in the versioned one."""
    for layout in layouts.LAYOUTS:
        for shape in SHAPES if layout == "contiguous" else ((7, 1, 3),):
            placed, tensor = put(handle, case, seed, shape, layout)
            source = exported(handle, tensor)
            for version in (None, (1, 0)):
                what = f"{layout} {shape}, max_version {version}"
                opened = Opened(source.__dlpack__(max_version=version))
                r.equal(f"{what}: name", opened.name, NEW if version else OLD)
                r.equal(f"{what}: shape", list(opened.shape), list(shape))
                r.equal(f"{what}: type", list(opened.type), list(type_of(case.dtype)))
                r.equal(f"{what}: device", list(opened.device),
                        [int(n) for n in source.__dlpack_device__()])  # fmt: skip
                r.equal(f"{what}: strides", _strides_right(opened, placed), True)
                r.equal(f"{what}: says that it is a copy or may not be written", opened.flags, 0)
                r.equal(f"{what}: has a deleter", opened.has_deleter, True)


def offsets(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """The first element of a view lies where it should: as many bytes further as elements."""
    _, tensor = put(handle, case, seed, (64,), "contiguous")
    first = Opened(exported(handle, tensor).__dlpack__()).first
    size = type_of(case.dtype)[1] // 8
    for start in (0, 1, 3, 17, 63):
        part = handle.part(tensor, start, 64 - start)
        opened = Opened(exported(handle, part).__dlpack__())
        r.equal(f"part from {start} on: bytes from the first", opened.first - first, start * size)
        r.equal(f"part from {start} on: shape", list(opened.shape), [64 - start])


def versions(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """The consumer's newest version decides the form: old below 1, versioned with major 1 above."""
    _, tensor = put(handle, case, seed, (5,), "contiguous")
    source = exported(handle, tensor)
    for asked in (None, (0, 0), (0, 8), (1, 0), (1, 1), (1, 99), (2, 0), (7, 3)):
        options = {} if asked is None else {"max_version": asked}
        opened = Opened(source.__dlpack__(**options))
        new = asked is not None and asked >= (1, 0)
        r.equal(f"max_version {asked}: name", opened.name, NEW if new else OLD)
        r.equal(f"max_version {asked}: major version", opened.version[0], 1 if new else 0)


def streams(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Whatever stream a consumer names: a capsule of the finished values, or a refusal in words."""
    _, one = put(handle, case, seed, (30_000,), "contiguous")
    want = np.asarray(handle.get(one).data) * 16
    for stream in (None, -1, 1, 2, 0x1000):
        x = one
        for _ in range(4):
            x = handle.run("add", [x, x], {})
        source = exported(handle, x)
        try:
            capsule = source.__dlpack__(stream=stream)
        except Exception as error:  # noqa: BLE001 - that it is refused in words is what is observed
            r.equal(f"stream {stream}: refused with words", bool(str(error).strip()), True)
            r.equal(f"stream {stream}: refused", stream is not None, True)
            continue
        opened = Opened(capsule)
        r.equal(f"stream {stream}: shape", list(opened.shape), [30_000])
        r.equal(f"stream {stream}: wrong elements",
                int(np.count_nonzero(handle.get(x).data != want)), 0)  # fmt: skip


def copies(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """``copy=True`` gives other memory and says so; ``copy=False`` gives the same."""
    _, tensor = put(handle, case, seed, (100,), "contiguous")
    source = exported(handle, tensor)
    first = Opened(source.__dlpack__(max_version=(1, 0)))
    same = Opened(source.__dlpack__(max_version=(1, 0), copy=False))
    r.equal("copy=False gives the same memory", same.first, first.first)
    other = Opened(source.__dlpack__(max_version=(1, 0), copy=True))
    r.equal("copy=True gives the same memory", other.first == first.first, False)
    r.equal("copy=True is told", other.flags & COPIED, COPIED)
    if int(source.__dlpack_device__()[0]) != HOST:
        r.raises("another device without a copy", BufferError,
                 lambda: source.__dlpack__(dl_device=(HOST, 0), copy=False))  # fmt: skip


def consumed(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """The memory of a capsule that was consumed is let go by its deleter, and not before."""
    held = used(handle)
    for version in (None, (1, 0)):
        _, tensor = put(handle, case, seed, (5000,), "contiguous")
        with_it = used(handle)
        opened = Opened(exported(handle, tensor).__dlpack__(max_version=version))
        opened.consume()
        del tensor, _
        opened.capsule = None
        r.equal(f"{version}: memory while the consumer has it", used(handle), with_it)
        opened.release()
        r.equal(f"{version}: memory after the consumer's end", used(handle), held)


# ---- capsules made by hand, taken in ---------------------------------------------------------


def _import(handle: Handle, producer: Producer) -> Any:
    if handle.exported(put(handle, Case("I", "one"), 0, (1,), "contiguous")[1]) is None:
        raise Lacks("the device offers no DLPack")
    return handle.imported(producer)


def taken(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Strides absent, of dimensions of one element, offsets, no elements and no dimensions."""
    base = generator(case.id, seed).integers(0, 100, (6, 8)).astype(np.float32)
    made = {
        "no strides": (Producer(base), base),
        "strides": (Producer(base, strides=(8, 1)), base),
        "transposed": (Producer(base, strides=(1, 8), shape=(8, 6)), base.T),
        "an offset": (Producer(base, strides=(8, 2), offset=12, shape=(5, 2)), base[:5, 3:7:2]),
        "odd strides of one element": (
            Producer(base, strides=(-777, 1), shape=(1, 8)), base[:1]),
        "strides of 0": (Producer(base, strides=(0, 1), shape=(3, 8)), base[[0, 0, 0]]),
        "no elements": (Producer(base[:0], strides=(8, 1), shape=(0, 8)), base[:0]),
        "no dimensions": (Producer(base, shape=()), base[0, 0, ...]),
    }  # fmt: skip
    for versioned in (False, True):
        for what, (producer, want) in made.items():
            if versioned:
                given = tuple(producer._strides[: len(want.shape)]) if producer._strides else None
                producer = Producer(
                    producer.data, True, given, producer.managed.array.byte_offset, want.shape
                )
            tensor = _import(handle, producer)
            got = handle.get(tensor)
            text = f"{what}{', versioned' if versioned else ''}"
            r.equal(f"{text}: shape", list(got.shape), list(want.shape))
            r.equal(f"{text}: wrong elements", int(np.count_nonzero(got.data != want)), 0)
            r.equal(f"{text}: name afterwards", name_of(producer.last), f"used_{producer.name}")
            del tensor, got
            used(handle)
            r.equal(f"{text}: calls of the deleter", producer.released, 1)


def refused(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """What cannot be taken is refused in words, and stays the producer's."""
    data = np.arange(12, dtype=np.float32)
    wrong = {
        "a newer major version": Producer(data, True, major=2),
        "two lanes": Producer(data, lanes=2), "numbers of 4 bits": Producer(data, bits=4),
        "an opaque type": Producer(data, code=3), "an unknown device": Producer(data,
                                                                               device_type=77),
        "numbers of 24 bits": Producer(data, bits=24),
        "more dimensions than there are": Producer(data, shape=(1,) * 70),
    }  # fmt: skip
    for what, producer in wrong.items():
        try:
            _import(handle, producer)
        except Lacks:
            raise
        except Exception as error:  # noqa: BLE001 - that it is refused in words is what is observed
            r.equal(f"{what}: refused with words", bool(str(error).strip()), True)
        else:
            r.equal(what, "accepted", "refused")
        used(handle)
        r.equal(f"{what}: name afterwards", name_of(producer.last), producer.name)
        r.equal(f"{what}: calls of the deleter", producer.released, 0)


def read_only(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Memory that may not be written is refused or copied, or cannot be written here either."""
    data = np.arange(64, dtype=np.float32)
    want = data.copy()
    producer = Producer(data, True, flags=READ_ONLY)
    try:
        tensor = _import(handle, producer)
    except BufferError as error:
        r.equal("refused with words", bool(str(error).strip()), True)
        return
    r.equal("wrong elements", int(np.count_nonzero(handle.get(tensor).data != want)), 0)
    other = put(handle, case, seed, (64,), "contiguous")[1]
    with contextlib.suppress(Exception):  # whether it can be written is what is observed below
        handle.update("copy", tensor, [other], {})
        handle.synchronize()
    r.equal("elements of the producer that were written", int(np.count_nonzero(data != want)), 0)
    del tensor
    used(handle)
    r.equal("calls of the deleter", producer.released, 1)


def _shared(handle: Handle, tensor: Any, data: Any) -> bool:
    """Whether the array is the producer's memory itself, and no copy of it."""
    data[0] += 1
    return bool(handle.get(tensor).data[0] == data[0])


def held(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """The deleter is called once, after the last array over the memory is gone."""
    for versioned in (False, True):
        data = np.arange(1000, dtype=np.float32)
        producer = Producer(data, versioned)
        tensor = _import(handle, producer)
        if not _shared(handle, tensor, data):
            raise Lacks("what is taken in is copied")
        part = handle.part(tensor, 10, 20)
        del tensor
        used(handle)
        r.equal("calls of the deleter while a view is left", producer.released, 0)
        r.equal("wrong elements of the view",
                int(np.count_nonzero(handle.get(part).data != data[10:30])), 0)  # fmt: skip
        del part
        used(handle)
        r.equal("calls of the deleter", producer.released, 1)


def again(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """A capsule that was consumed is refused; its memory stays with the first consumer."""
    for versioned in (False, True):
        data = np.arange(50, dtype=np.float32)
        producer = Producer(data, versioned)
        tensor = _import(handle, producer)
        producer.fixed = producer.last
        try:
            handle.imported(producer)
        except Exception as error:  # noqa: BLE001 - that it is refused in words is what is observed
            r.equal("a second use is refused with words", bool(str(error).strip()), True)
        else:
            r.equal("a second use", "accepted", "refused")
        r.at_most("calls of the deleter while the first is left", producer.released, 1)
        r.equal("wrong elements of the first",
                int(np.count_nonzero(handle.get(tensor).data != data)), 0)  # fmt: skip
        del tensor
        used(handle)
        r.equal("calls of the deleter", producer.released, 1)


_BY_TYPE = {"capsule_members": members, "capsule_offsets": offsets}
_ONCE = {
    "capsule_versions": versions, "capsule_streams": streams, "capsule_copies": copies,
    "capsule_consumed": consumed, "capsule_taken": taken, "capsule_refused": refused,
    "capsule_read_only": read_only, "capsule_held": held, "capsule_again": again,
}  # fmt: skip
CHECKS = _BY_TYPE | _ONCE


def cases() -> list[Case]:
    """All cases of this file."""
    found = [Case("I", name, dtype=dtype) for name in _BY_TYPE for dtype in optable.DTYPES]
    return found + [Case("I", name, dtype="float32") for name in _ONCE]
