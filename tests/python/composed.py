# SPDX-License-Identifier: Apache-2.0
"""A call that a device composes of other ops, found in what the device says of itself."""

from __future__ import annotations

from collections.abc import Callable

import device_api as xp
from device_api import _core


def composed_call(device: str) -> tuple[str, Callable[[], xp.Tensor]]:
    """Return the name of a unary op that the device composes, and a call of it."""
    facts = _core.op_info()
    for op, support in xp.op_support(device).items():
        if facts[op]["kind"] != "unary" or not hasattr(xp, op):
            continue
        for dtype in ("bfloat16", "float64", "float32"):
            if support.get(dtype) == "composed":
                x = xp.full(16, 1.5, dtype=getattr(xp, dtype), device=device)
                return op, lambda op=op, x=x: getattr(xp, op)(x)  # type: ignore[misc]
    raise AssertionError(f"{device} composes no unary op")
