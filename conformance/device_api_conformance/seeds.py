# SPDX-License-Identifier: Apache-2.0
"""Counter-based generators keyed by a case: the order and the number of cases do not matter."""

from __future__ import annotations

import hashlib

import numpy as np


def generator(case_id: str, seed: int, purpose: str = "") -> np.random.Generator:
    """Random generator of one case; equal arguments give equal numbers everywhere."""
    text = f"{seed}|{purpose}|{case_id}".encode()
    key = int.from_bytes(hashlib.sha256(text).digest()[:16], "little")
    return np.random.Generator(np.random.Philox(key=key))
