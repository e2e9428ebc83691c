# SPDX-License-Identifier: Apache-2.0
"""The memory of the fake device."""

from __future__ import annotations


class FakeMemory:
    """A caching allocator over a dictionary of byte arrays."""

    TOTAL = 2**30

    def __init__(self) -> None:
        self.live: dict[int, tuple[int, bytearray]] = {}
        self.cached: dict[int, list[int]] = {}
        self.next, self.allocated, self.reserved, self.peak = 4096, 0, 0, 0

    def alloc(self, size: int) -> int:
        block = -(-size // 512) * 512
        if self.allocated + block > self.TOTAL:
            raise MemoryError(f"{size} bytes asked, {self.TOTAL - self.allocated} free")
        ready = self.cached.get(block)
        if ready:
            address = ready.pop()
        else:
            address, self.next = self.next, self.next + block
            self.reserved += block
        self.live[address] = (block, bytearray(block))
        self.allocated += block
        self.peak = max(self.peak, self.allocated)
        return address

    def free(self, address: int) -> None:
        if address not in self.live:
            raise ValueError(f"{address:#x} is not held")
        block, _ = self.live.pop(address)
        self.allocated -= block
        self.cached.setdefault(block, []).append(address)

    def place(self, address: int) -> tuple[bytearray, int]:
        for start, (block, data) in self.live.items():
            if start <= address < start + block:
                return data, address - start
        raise ValueError(f"{address:#x} is not held")
