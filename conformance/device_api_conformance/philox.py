# SPDX-License-Identifier: Apache-2.0
"""Philox 4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011)."""

from __future__ import annotations

import numpy as np

from device_api_conformance.formats import Array

_MULTIPLIERS = (np.uint64(0xD2511F53), np.uint64(0xCD9E8D57))
_WEYL = (0x9E3779B9, 0xBB67AE85)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


def blocks(counters: Array, key: tuple[int, int]) -> Array:
    """Blocks of four words: `counters` is (n, 4) of 32-bit words, so is the result (uint32)."""
    c = [counters[:, i].astype(np.uint64) for i in range(4)]
    k0, k1 = key
    for _ in range(10):
        p0, p1 = _MULTIPLIERS[0] * c[0], _MULTIPLIERS[1] * c[2]
        c = [
            (p1 >> _HALF) ^ c[1] ^ np.uint64(k0),
            p1 & _LOW,
            (p0 >> _HALF) ^ c[3] ^ np.uint64(k1),
            p0 & _LOW,
        ]
        k0, k1 = (k0 + _WEYL[0]) & 0xFFFFFFFF, (k1 + _WEYL[1]) & 0xFFFFFFFF
    return np.stack(c, axis=1).astype(np.uint32)


def words(n: int, seed: int, offset: int) -> Array:
    """The first `n` words for a 64-bit `seed` from block `offset` on, as the op table says."""
    counters = np.zeros((-(-n // 4), 4), dtype=np.uint64)
    numbers = [(offset + i) & 0xFFFFFFFFFFFFFFFF for i in range(len(counters))]
    counters[:, 0] = [v & 0xFFFFFFFF for v in numbers]
    counters[:, 1] = [v >> 32 for v in numbers]
    return blocks(counters, (seed & 0xFFFFFFFF, seed >> 32)).ravel()[:n]
