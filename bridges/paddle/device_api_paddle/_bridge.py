# SPDX-License-Identifier: Apache-2.0
"""Questions to the bridge's library, which Paddle has loaded."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import NamedTuple

from device_api_paddle import _settings
from device_api_paddle.errors import PaddleOrderError


class Libraries(NamedTuple):
    """The files in use: the bridge, the core (libdevice_api) and the backend's plugin."""

    bridge: str
    core: str
    plugin: str


@cache
def _library() -> ctypes.CDLL:
    """Return the loaded library; never loads it, since Paddle must."""
    try:
        # RTLD_NOLOAD: succeeds only when Paddle has it mapped.
        library = ctypes.CDLL(str(_settings.LIBRARY), mode=ctypes.DEFAULT_MODE | 4)
    except OSError:
        raise PaddleOrderError(
            "Paddle has not loaded the bridge in this process",
            "call device_api_paddle.enable(type), then import paddle",
        ) from None
    for name in ("last_error", "plugin", "core", "op_name"):
        getattr(library, f"device_api_paddle_{name}").restype = ctypes.c_char_p
    library.device_api_paddle_op_name.argtypes = [ctypes.c_uint16]
    library.device_api_paddle_native_count.restype = ctypes.c_uint64
    library.device_api_paddle_native_count.argtypes = [ctypes.c_uint16]
    return library


def _text(name: str) -> str:
    return bytes(getattr(_library(), f"device_api_paddle_{name}")()).decode()


def libraries() -> Libraries:
    """Return which files are in use; PaddleOrderError before Paddle has loaded the bridge."""
    return Libraries(str(_settings.LIBRARY), _text("core"), _text("plugin"))


def last_error() -> str:
    """Return the last failure below Paddle in this process, "" when there was none.

    Paddle's device interface carries numbers only; the words are kept here.
    """
    return _text("last_error")


def native_ops() -> dict[str, int]:
    """Return how often each op ran natively for Paddle's kernels, by its name in the op table."""
    library, counts, op = _library(), {}, 1
    while (name := library.device_api_paddle_op_name(op)) is not None:
        if number := int(library.device_api_paddle_native_count(op)):
            counts[bytes(name).decode()] = number
        op += 1
    return counts
