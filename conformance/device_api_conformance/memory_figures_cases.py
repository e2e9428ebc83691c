# SPDX-License-Identifier: Apache-2.0
"""Cases of chapter M: what is said of a device's memory, large blocks, fills, what is given back.

Other processes use the device, too: a figure is held to what holds whatever they do, and a change
has to show in one of several rounds only.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from device_api_conformance.case import Case
from device_api_conformance.handle import Handle, Lacks
from device_api_conformance.leak_cases import resident
from device_api_conformance.record import Record, different_bytes
from device_api_conformance.seeds import generator

MIB = 1 << 20
ENDS = 4096
LARGE = (1 * MIB, 3 * MIB + 512, 21 * MIB, 33 * MIB + 4096)
"""Blocks of which a host's allocator asks the device for most by themselves."""
FILLED = (1, 3, 511, 513, 4096, 70_001, MIB + 3)
ROUNDS = 5
PIECE = 48 * MIB
"""Beyond what the heap of any C library keeps for itself, where the memory is the host's."""
PART = 4 * MIB


def _by_facts(handle: Handle) -> int:
    """Bytes of memory that the device's facts tell; 0 where it has none."""
    try:
        return int(handle.properties().get("total_memory", 0) or 0)
    except Lacks:
        return 0


def figures(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Bytes free and in all can be true, and fit what the device says of itself."""
    found = handle.statistics()
    total, free = found.get("total", 0), found.get("free")
    told = _by_facts(handle)
    if not total and not (told and handle.tells_memory()):
        r.skip("the device does not say how much memory it has")
        return
    r.at_least("memory in all, bytes", total, MIB)
    r.at_most("memory that is reserved, of all", found["reserved"], total)
    if free is not None:
        r.at_most("memory that is free, of all", free, total)
        r.at_least("memory that is free, bytes", free, 1)
    if told:
        r.at_least("memory in all, against 3/4 of the device's own account", total, told // 4 * 3)
        r.at_most("memory in all, against 5/4 of the device's own account", total, told // 4 * 5)


def _outside(handle: Handle) -> int:
    """Bytes that the device, or for host memory this process, has in use."""
    if handle.identity().host_memory:
        return resident()
    found = handle.statistics()
    return found["total"] - found["free"]


def given_back(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """What is taken is in use, and what is given back is free again, by the device's own account.

    Each round takes and gives back a piece: whoever keeps it has more in use after every round.
    """
    figures = handle.statistics()
    known = "free" in figures and figures.get("total", 0) > 0
    if not known and not (handle.identity().host_memory and resident()):
        r.skip("the device does not say how much of its memory is free")
        return
    data = generator(case.id, seed).bytes(PART)
    handle.empty_cache()
    taken, kept = [], []
    for _ in range(ROUNDS):
        start = _outside(handle)
        address = handle.alloc(PIECE)
        for at in range(0, PIECE, PART):
            handle.write(address + at, data)
        taken.append(_outside(handle) - start)
        handle.free(address)
        handle.empty_cache()
        kept.append(_outside(handle) - start)
    r.note("taken and kept, bytes by round", [taken, kept])
    r.at_least("more in use while a piece is held, in the best round", max(taken), PIECE // 2)
    r.at_most("still in use when it is given back, in the best round", min(kept), PIECE // 2)


def large_blocks(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Large blocks that live at once lie apart, aligned as declared, and keep their contents."""
    declared = max(int(handle.identity().facts.get("alignment", 0) or 0), 64)
    rng = generator(case.id, seed)
    held: list[tuple[int, int]] = []
    try:
        for size in (*LARGE, LARGE[2], LARGE[0]):
            held.append((handle.alloc(size), size))
        ends = [(at, rng.bytes(ENDS)) for a, size in held for at in (a, a + size - ENDS)]
        for at, data in ends:
            handle.write(at, data)
        wrong = [different_bytes(handle.read(at, ENDS), data) for at, data in ends]
        r.equal("bytes that differ, at both ends of each block", wrong, [0] * len(ends))
        spans = sorted((a, a + size) for a, size in held)
        overlap = sum(spans[i][1] > spans[i + 1][0] for i in range(len(spans) - 1))
        r.equal("blocks that overlap", overlap, 0)
        r.equal("misaligned addresses", sum(a % declared != 0 for a, _ in held), 0)
    finally:
        for address, _ in held:
            handle.free(address)


def fill(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """A fill sets all of its bytes, to its value, and no others."""
    before = generator(case.id, seed).bytes(FILLED[-1] + 64)
    address = handle.alloc(len(before))
    try:
        for size in FILLED:
            for value, offset in ((0x5A, 0), (0, 1), (0xFF, 3), (0x01, 8)):
                handle.write(address, before)
                handle.fill(address + offset, value, size)
                want = np.frombuffer(before, dtype=np.uint8).copy()
                want[offset : offset + size] = value
                bad = different_bytes(handle.read(address, len(before)), want.tobytes())
                r.equal(f"{size} bytes of {value:#x} from {offset}: bytes that differ", bad, 0)
    finally:
        handle.free(address)


CHECKS: dict[str, Callable[[Handle, Case, int, Record], None]] = {
    "memory_figures": figures, "large_blocks": large_blocks, "fill_bytes": fill,
    "given_back": given_back,
}  # fmt: skip


def cases() -> list[Case]:
    """One case for each check."""
    return [Case("M", name) for name in CHECKS]
