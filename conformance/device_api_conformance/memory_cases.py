# SPDX-License-Identifier: Apache-2.0
"""Cases of chapter M: memory, its statistics, and what happens when there is none left."""

from __future__ import annotations

import numpy as np

from device_api_conformance import layouts, specials
from device_api_conformance.case import Case
from device_api_conformance.formats import Host
from device_api_conformance.handle import Handle
from device_api_conformance.record import Record, different_bytes
from device_api_conformance.seeds import generator

SIZES = (1, 3, 64, 511, 512, 513, 4096, 4097, 65_536, 2**20 + 1, 2**24 + 8)
MIB = 2**20


def _noise(case: Case, seed: int, size: int, purpose: str = "") -> bytes:
    return generator(case.id, seed, purpose).bytes(size)


def roundtrip(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Host to device to host gives the same bytes, also at odd offsets."""
    size = int(case.values)
    address = handle.alloc(size + 16)
    for offset in (0, 1, 3, 8):
        data = _noise(case, seed, size, str(offset))
        handle.write(address + offset, data)
        bad = different_bytes(handle.read(address + offset, size), data)
        r.equal(f"bytes that differ at offset {offset}", bad, 0)
    handle.free(address)


def tensor_roundtrip(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """A tensor gives back the bits that went in, NaN payloads included."""
    values = specials.at_every_lane(specials.of(case.dtype))
    rng = generator(case.id, seed)
    placed = layouts.place(Host(case.dtype, values), "contiguous", rng)
    try:
        tensor = handle.put(placed)
    except handle.error("not_supported"):
        if any(case.dtype in c.dtypes for c in handle.capabilities().values()):
            raise
        r.skip(f"the device has no {case.dtype}")
        return
    got = handle.get(tensor)
    r.equal("type", got.dtype, case.dtype)
    r.equal("shape", list(got.shape), list(values.shape))
    bad = int(np.count_nonzero(got.bits() != Host(case.dtype, values).bits()))
    r.equal("elements that differ", bad, 0)
    r.equal("elements of the buffer that differ", layouts.damaged(placed, handle.buffer(tensor)), 0)


def neighbours(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Writing one block leaves the blocks beside it alone."""
    size = int(case.values)
    blocks = [handle.alloc(size) for _ in range(3)]
    contents = [_noise(case, seed, size, str(i)) for i in range(4)]
    for address, data in zip(blocks, contents, strict=False):
        handle.write(address, data)
    handle.write(blocks[1], contents[3])
    for i, want in ((0, contents[0]), (1, contents[3]), (2, contents[2])):
        bad = different_bytes(handle.read(blocks[i], size), want)
        r.equal(f"bytes that differ in block {i}", bad, 0)
    ends = sorted((a, a + size) for a in blocks)
    overlap = any(ends[i][1] > ends[i + 1][0] for i in range(2))
    r.equal("blocks overlap", overlap, False)
    for address in blocks:
        handle.free(address)


def partial_write(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """A copy into the middle of a block changes exactly that part."""
    size, start, length = 4096, 1001, 777
    address = handle.alloc(size)
    before, middle = _noise(case, seed, size), _noise(case, seed, length, "middle")
    handle.write(address, before)
    handle.write(address + start, middle)
    want = before[:start] + middle + before[start + length :]
    r.equal("bytes that differ", different_bytes(handle.read(address, size), want), 0)
    part = handle.read(address + start, length)
    r.equal("bytes of the part that differ", different_bytes(part, middle), 0)
    handle.free(address)


def alignment(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Every address keeps the declared alignment, at least 64."""
    declared = max(int(handle.identity().facts.get("alignment", 0) or 0), 64)
    addresses = [handle.alloc(n) for n in (1, 3, 65, 513, 4097)]
    r.equal("misaligned addresses", sum(a % declared != 0 for a in addresses), 0)
    r.equal("addresses given twice", len(addresses) - len(set(addresses)), 0)
    for address in addresses:
        handle.free(address)


def statistics(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Statistics equal a shadow model: sums of live blocks, and the peak of what was seen."""
    handle.synchronize()
    handle.reset_peak()
    base = handle.statistics()["allocated"]
    rng = generator(case.id, seed)
    live: list[tuple[int, int]] = []
    peak = base
    for step in range(40):
        before = handle.statistics()["allocated"]
        if live and rng.random() < 0.4:
            address, counted = live.pop(int(rng.integers(len(live))))
            handle.free(address)
            delta = -counted
        else:
            size = int(rng.integers(1, 200_000))
            address = handle.alloc(size)
            delta = handle.statistics()["allocated"] - before
            live.append((address, delta))
            r.at_least(f"step {step}: bytes counted for a block", delta, size)
            r.at_most(f"step {step}: bytes counted for a block", delta, size + size // 8 + 2 * MIB)
        now = handle.statistics()
        r.equal(f"step {step}: allocated", now["allocated"], before + delta)
        r.at_least(f"step {step}: reserved", now["reserved"], now["allocated"])
        peak = max(peak, now["allocated"])
        r.equal(f"step {step}: peak", now["peak_allocated"], peak)
    for address, _ in live:
        handle.free(address)
    r.equal("allocated after all is freed", handle.statistics()["allocated"], base)
    r.equal("peak afterwards", handle.statistics()["peak_allocated"], peak)
    handle.reset_peak()
    r.equal("peak after its reset", handle.statistics()["peak_allocated"], base)


def out_of_memory(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Too large a request raises, leaves the statistics equal, and a smaller one works."""
    total = handle.statistics().get("total", 0)
    size = 2**52 if handle.identity().host_memory or not total else 2 * total
    handle.empty_cache()
    before = handle.statistics()
    for _ in range(3):
        r.raises("too large a request", handle.error("out_of_memory"), lambda: handle.alloc(size))
    after = handle.statistics()
    for name in ("allocated", "reserved", "peak_allocated"):
        r.equal(f"{name} after the failure", after[name], before[name])
    address = handle.alloc(4096)
    data = _noise(case, seed, 4096)
    handle.write(address, data)
    r.equal("bytes that differ", different_bytes(handle.read(address, 4096), data), 0)
    handle.free(address)


def reuse(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Memory that was freed is used again: equal rounds need no more from the device."""
    levels = []
    for _ in range(12):
        blocks = [handle.alloc(MIB) for _ in range(4)]
        levels.append(handle.statistics()["reserved"])
        for address in blocks:
            handle.free(address)
    handle.synchronize()
    r.equal("reserved bytes in the last round", levels[-1], levels[2])


def cache(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Emptying the cache gives memory back, and keeps what is in use."""
    address = handle.alloc(MIB)
    data = _noise(case, seed, MIB)
    handle.write(address, data)
    handle.free(handle.alloc(64 * MIB))
    handle.synchronize()
    handle.empty_cache()
    now = handle.statistics()
    r.at_most("reserved beyond allocated", now["reserved"] - now["allocated"], 32 * MIB)
    r.equal("bytes that differ", different_bytes(handle.read(address, MIB), data), 0)
    handle.free(address)


def double_free(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Giving back what is not held raises, and harms nothing."""
    address = handle.alloc(4096)
    handle.free(address)
    before = handle.statistics()["allocated"]
    r.raises("second free", handle.error("invalid_argument"), lambda: handle.free(address))
    r.equal("allocated afterwards", handle.statistics()["allocated"], before)
    other = handle.alloc(4096)
    handle.write(other, b"\x5a" * 4096)
    r.equal("bytes that differ", different_bytes(handle.read(other, 4096), b"\x5a" * 4096), 0)
    handle.free(other)


CHECKS = {
    "roundtrip": roundtrip, "tensor_roundtrip": tensor_roundtrip, "neighbours": neighbours,
    "partial_write": partial_write, "alignment": alignment, "statistics": statistics,
    "out_of_memory": out_of_memory, "reuse": reuse, "cache": cache, "double_free": double_free,
}  # fmt: skip


def cases(dtypes: tuple[str, ...]) -> list[Case]:
    """All cases of the chapter."""
    found = [Case("M", "roundtrip", values=str(n)) for n in SIZES]
    found += [Case("M", "tensor_roundtrip", dtype=d) for d in dtypes]
    found += [Case("M", "neighbours", values=str(n)) for n in (1, 512, 4097)]
    plain = (
        "partial_write",
        "alignment",
        "statistics",
        "out_of_memory",
        "reuse",
        "cache",
        "double_free",
    )
    return found + [Case("M", name) for name in plain]
