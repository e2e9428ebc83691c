# SPDX-License-Identifier: Apache-2.0
"""Opening the device under test through the factory that a run names."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from device_api_conformance.handle import Handle

DEFAULT_HANDLE = "device_api_conformance.device_handle:open_device"

opened: tuple[str, str] | None = None
"""Factory and device of the handle that this process opened last."""


def open_handle(spec: str, device: str) -> Handle:
    """Call the factory that ``module:function`` or ``file.py:function`` names."""
    where, _, name = spec.rpartition(":")
    if where.endswith(".py"):
        path = Path(where)
        sys.path.insert(0, str(path.parent))
        where = path.stem
    handle = getattr(importlib.import_module(where), name)(device)
    if not isinstance(handle, Handle):
        raise TypeError(f"{spec} gave a {type(handle).__name__}, not a Handle")
    global opened
    opened = (spec, device)
    return handle
